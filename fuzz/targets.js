'use strict'

const list = [
  require('./targets/decode'),
  require('./targets/learned'),
  require('./targets/mutants'),
  require('./targets/encode'),
  require('./targets/documents'),
  require('./targets/options'),
  require('./targets/ejson'),
  require('./targets/doors'),
  require('./targets/json'),
  require('./targets/raw'),
  require('./targets/wire'),
  require('./targets/stream'),
  require('./targets/dump'),
  require('./targets/damage'),
  require('./targets/compile'),
  require('./targets/columns'),
  require('./targets/command'),
  require('./targets/cursor'),
  require('./targets/cliff'),
  require('./targets/scaling'),
  require('./targets/memory')
]

/** By name; those that have a `run` of their own are no fuzzers. @type {Record<string, import('./run').Target & {run?: any}>} */
const targets = Object.fromEntries(list.map(target => [target.name, target]))

module.exports = { targets }
