'use strict'

// What loading a library costs, and its first document. In a process that has loaded nothing else: what the benchmark
// itself loads has loaded parts of Node already, those that `bson` needs among them.

/** How each is required, where it is no path, and its functions. */
const PACKAGES = {
  bson: { encode: 'serialize', decode: 'deserialize' },
  qbson: { encode: 'encode', decode: 'decode' },
  msgpackr: { encode: 'pack', decode: 'unpack' }
}

const small = () => ({ name: 'first', number: 1, list: [1.5, 2.5], at: new Date(0), nested: { ok: true, none: null } })

/** Deno wants to be told what a script may do. */
const FLAGS = 'Deno' in globalThis ? ['run', '--allow-all', '--node-modules-dir=manual'] : []

/**
 * @param {string} contender
 * @param {string} from its path or name
 * @returns {{required: number, encoded: number, decoded: number}} processor time of `require`, of the first document
 *   written and of the first read, in ns
 */
function timesOf(contender, from) {
  return ask(FLAGS, contender, from)
}

/** Bytes in use that `require` leaves after a full collection: on Node. @returns {number} */
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
  const bytes = library[encode](small())
  const written = processorTime()
  library[decode](bytes)
  return { required: loaded - start, encoded: written - loaded, decoded: processorTime() - written }
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

/** The collection that a measurement of memory begins with makes `require` slower: that is another process. */
function main([contender, from]) {
  console.log(JSON.stringify(globalThis.gc ? measureMemory(from) : measureTimes(PACKAGES[contender], from)))
}

if (require.main === module) main(process.argv.slice(2))

module.exports = { PACKAGES, small, processorTime, timesOf, memoryOf }
