'use strict'

// What the loaders of Node ask where `bson` is. Loaded in the program's thread, and by Node 20 in that of its hooks.

const fs = require('node:fs')
const { fileURLToPath, pathToFileURL } = require('node:url')
const { version } = require('../../package.json')
const { packageOf } = require('./package-of')

/** Major versions whose names qbson all has. Of version 4 it lacks some fifty constants, and the default export. */
const OLDEST = 5
const NEWEST = 7

/**
 * @typedef {object} Data
 * @property {string} file that `require('qbson')` loads
 * @property {Int32Array | null} said a slot for each copy of `bson` that was named on stderr; null where none is
 *
 * @typedef {{url: string, format?: string | null, shortCircuit?: boolean}} Resolved
 * @typedef {{conditions: string[], parentURL?: string}} Context
 */

/** @type {Data} */
let data

/** Whether the files that `bson` is resolved to are replaced: a row for each copy. @type {Map<string, boolean>} */
const known = new Map()

/** @param {Data} given */
function configure(given) {
  data = given
}

/**
 * Of `module.registerHooks`.
 *
 * @param {string} specifier
 * @param {Context} context
 * @param {(specifier: string, context: Context) => Resolved} nextResolve
 * @returns {Resolved}
 */
function resolveSync(specifier, context, nextResolve) {
  const found = nextResolve(specifier, context)
  if (specifier !== 'bson' || !isReplacedUrl(found.url)) return found
  // The next resolver of `require` looks from the file that requires, whatever parentURL says.
  return context.conditions.includes('import') ? nextResolve('qbson', fromHere(context)) : required()
}

/**
 * Of `module.register`, for `import`.
 *
 * @param {string} specifier
 * @param {Context} context
 * @param {(specifier: string, context: Context) => Promise<Resolved>} nextResolve
 * @returns {Promise<Resolved>}
 */
async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  return specifier === 'bson' && isReplacedUrl(found.url) ? nextResolve('qbson', fromHere(context)) : found
}

/** A package finds itself by its name. @param {Context} context @returns {Context} */
function fromHere(context) {
  return { ...context, parentURL: pathToFileURL(__filename).href }
}

/** @returns {Resolved} */
function required() {
  return { url: pathToFileURL(data.file).href, format: 'commonjs', shortCircuit: true }
}

/** @param {string} url */
function isReplacedUrl(url) {
  return url.startsWith('file:') && isReplaced(fileURLToPath(url))
}

/**
 * @param {string} file that `bson` was resolved to
 * @returns {boolean} whether qbson stands in for it: not for old versions, nor where qbson is installed as `bson`
 */
function isReplaced(file) {
  let is = known.get(file)
  if (is === undefined) known.set(file, (is = decide(packageOf(file))))
  return is
}

/** @param {import('./package-of').Package | undefined} found */
function decide(found) {
  if (found === undefined || found.name !== 'bson') return false
  const major = parseInt(found.version, 10)
  const is = major >= OLDEST && major <= NEWEST
  say(found, is ? `qbson ${version} in place of bson ${found.version}` : `bson ${found.version} left as it is`)
  return is
}

/** Writes a line on stderr, once for each folder, at once: the thread of the hooks has no stream that does. */
function say({ folder }, message) {
  const { said } = data
  if (said === null || Atomics.exchange(said, slotOf(folder, said.length), 1) !== 0) return
  try {
    fs.writeSync(2, `qbson/register: ${message} (${folder})\n`)
  } catch {} // it is closed, or full: the program goes on
}

/** @param {string} text @param {number} slots */
function slotOf(text, slots) {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return (hash >>> 0) % slots
}

module.exports = { configure, isReplaced, resolveSync, resolve, initialize: configure }
