'use strict'

// Measures loading a library, and its first document, in a process that has loaded nothing else: the benchmark itself
// loads parts of Node that `bson` needs.

/** The name of each package, unless it is loaded from a path, and its functions. */
const PACKAGES = {
  bson: { encode: 'serialize', decode: 'deserialize' },
  qbson: { encode: 'encode', decode: 'decode' },
  msgpackr: { encode: 'pack', decode: 'unpack' }
}

const small = () => ({ name: 'first', number: 1, list: [1.5, 2.5], at: new Date(0), nested: { ok: true, none: null } })

/** Deno needs permissions for a script. */
const FLAGS = 'Deno' in globalThis ? ['run', '--allow-all', '--node-modules-dir=manual'] : []

/**
 * @param {string} contender
 * @param {string} from its path or name
 * @returns {{required: number, identified: number, encoded: number, decoded: number}} CPU time in ns of `require`,
 *   of the first ObjectId, of writing the first document and of reading it
 */
function timesOf(contender, from) {
  return ask(FLAGS, contender, from)
}

/** Bytes in use after `require` and a full collection; Node only. @returns {number} */
function memoryOf(contender, from) {
  return ask(['--expose-gc'], contender, from)
}

function ask(flags, contender, from) {
  const { execFileSync } = require('node:child_process')
  return JSON.parse(execFileSync(process.execPath, [...flags, __filename, contender, from], { encoding: 'utf8' }))
}

function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

function measureTimes({ encode, decode }, from) {
  const start = processorTime()
  const library = require(from)
  const loaded = processorTime()
  if (library.ObjectId) new library.ObjectId()
  const identified = processorTime()
  const bytes = library[encode](small())
  const written = processorTime()
  library[decode](bytes)
  const read = processorTime()
  return { required: loaded - start, identified: identified - loaded, encoded: written - identified, decoded: read - written }
}

function used() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function measureMemory(from) {
  const before = used()
  require(from)
  return used() - before
}

/** Memory is measured in a process of its own, because its initial collection makes `require` slower. */
function main([contender, from]) {
  console.log(JSON.stringify(globalThis.gc ? measureMemory(from) : measureTimes(PACKAGES[contender], from)))
}

if (require.main === module) main(process.argv.slice(2))

module.exports = { PACKAGES, small, processorTime, timesOf, memoryOf }
