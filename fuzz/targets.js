'use strict'

const NAMES = ['decode', 'learned', 'mutants', 'encode', 'documents', 'options', 'ejson', 'doors', 'json', 'raw', 'wire', 'stream', 'dump',
  'damage', 'compile', 'columns', 'command', 'cursor', 'cliff', 'scaling', 'memory']

/**
 * By name, each loaded when it is first asked for; those that have a `run` of their own are no fuzzers.
 *
 * @type {Record<string, import('./run').Target & {run?: any}>}
 */
const targets = {}
for (const name of NAMES) Object.defineProperty(targets, name, { enumerable: true, get: () => require(`./targets/${name}`) })

module.exports = { targets }
