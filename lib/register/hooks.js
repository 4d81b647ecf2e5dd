'use strict'

// Hooks that tell Node's loaders where `bson` is. Loaded in the program's thread, and by Node 20 also in its hooks
// thread.

const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath, pathToFileURL } = require('node:url')
const { version } = require('../../package.json')

/** Major versions of which qbson has all names. It lacks about fifty constants of version 4, and its default export. */
const OLDEST = 5
const NEWEST = 7

/**
 * @typedef {object} Data
 * @property {string} file loaded by `require('qbson')`
 * @property {Int32Array | null} said a slot for each copy of `bson` named on stderr; null if none are named
 *
 * @typedef {{url: string, format?: string | null, shortCircuit?: boolean}} Resolved
 * @typedef {{conditions: string[], parentURL?: string}} Context
 * @typedef {{folder: string, name: string, version: string}} Package
 */

/** @type {Data} */
let data

/** Whether each file that `bson` resolves to is replaced: an entry for each copy. @type {Map<string, boolean>} */
const known = new Map()

function configure(given) {
  data = given
}

/** The hook for `module.registerHooks`. @returns {Resolved} */
function resolveSync(specifier, context, nextResolve) {
  const found = nextResolve(specifier, context)
  if (specifier !== 'bson' || !isReplacedUrl(found.url)) return found
  // The next resolver of `require` starts at the requiring file and ignores parentURL.
  if (context.conditions.includes('import')) return nextResolve('qbson', fromHere(context))
  return { url: pathToFileURL(data.file).href, format: 'commonjs', shortCircuit: true }
}

/** The hook for `module.register`, used for `import`. @returns {Promise<Resolved>} */
async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  return specifier === 'bson' && isReplacedUrl(found.url) ? nextResolve('qbson', fromHere(context)) : found
}

/** Starts at this file, because a package can resolve its own name. @param {Context} context @returns {Context} */
function fromHere(context) {
  return { ...context, parentURL: pathToFileURL(__filename).href }
}

function isReplacedUrl(url) {
  return url.startsWith('file:') && isReplaced(fileURLToPath(url))
}

/**
 * @param {string} file that `bson` resolves to
 * @returns {boolean} whether qbson replaces it: not for old versions, nor if qbson is installed as `bson`
 */
function isReplaced(file) {
  let is = known.get(file)
  if (is === undefined) known.set(file, (is = decide(packageOf(file))))
  return is
}

function decide(found) {
  if (found === undefined || found.name !== 'bson') return false
  const major = parseInt(found.version, 10)
  const is = major >= OLDEST && major <= NEWEST
  say(found, is ? `qbson ${version} in place of bson ${found.version}` : `bson ${found.version} left as it is`)
  return is
}

/**
 * @param {string} file
 * @returns {Package | undefined} its package: the first package.json above it with a name, because those without one
 *   only set the module type of a folder
 */
function packageOf(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = readManifest(path.join(folder, 'package.json'))
    if (manifest?.name) return { folder, name: manifest.name, version: String(manifest.version) }
    if (folder === path.dirname(folder)) return undefined
  }
}

function readManifest(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Writes a line on stderr, once per folder. The write is synchronous, which no stream of the hooks thread is. */
function say({ folder }, message) {
  const { said } = data
  if (said === null || Atomics.exchange(said, slotOf(folder, said.length), 1) !== 0) return
  try {
    fs.writeSync(2, `qbson/register: ${message} (${folder})\n`)
  } catch {} // stderr is closed or full: the program continues
}

function slotOf(text, slots) {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return (hash >>> 0) % slots
}

module.exports = { configure, isReplaced, packageOf, resolveSync, resolve, initialize: configure }
