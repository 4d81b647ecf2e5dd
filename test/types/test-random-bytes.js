'use strict'

const { execFile } = require('node:child_process')
const { promisify } = require('node:util')

const objectId = require.resolve('../../lib/types/object-id')

/** Prints the five bytes of this process and of its two workers, and fails if webcrypto is loaded for them. */
const PRINT = `
  Object.defineProperty(globalThis, 'crypto', { get() { throw new Error('webcrypto is loaded') } })
  const { Worker, isMainThread } = require('node:worker_threads')
  const { ObjectId } = require(${JSON.stringify(objectId)})
  Math.random = () => 0.5
  new ObjectId()
  console.log(Buffer.from(ObjectId.PROCESS_UNIQUE).toString('hex'))
  const own = process.argv[1] ?? require('node:worker_threads').workerData
  if (isMainThread) for (let i = 0; i < 2; i++) new Worker(own, { eval: true, workerData: own })`

/** Runs it with flags of Node. @returns {Promise<string[]>} */
async function uniqueBytesOf(...flags) {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', PRINT, PRINT])
  return stdout.trim().split('\n')
}

module.exports = {
  'no two processes or workers share their bytes, even with one seed and a constant Math.random': async function (t) {
    const runs = await Promise.all([[], ['--random-seed=7'], ['--random-seed=7']].map(flags => uniqueBytesOf(...flags)))
    const all = runs.flat()
    t.strictEqual(all.length, 9)
    t.ok(all.every(bytes => /^[\da-f]{10}$/.test(bytes)), all.join())
    t.strictEqual(new Set(all).size, 9, all.join())
    t.done()
  },

  'each of the five bytes takes many values': function (t) {
    const { uniqueBytes } = require('../../lib/types/random-bytes')
    const seen = Array.from({ length: 5 }, () => new Set())
    for (let i = 0; i < 2000; i++) uniqueBytes(5).forEach((byte, at) => seen[at].add(byte))
    for (const values of seen) t.ok(values.size > 200, String(values.size))
    t.done()
  },

  'without Node they come from crypto': function (t) {
    const { requireWithoutBuffer } = require('../without-buffer')
    const { getRandomValues } = crypto
    try {
      crypto.getRandomValues = bytes => /** @type {any} */ (bytes).fill(7)
      const { ObjectId } = requireWithoutBuffer('lib/types')
      new ObjectId()
      t.deepStrictEqual([...ObjectId.PROCESS_UNIQUE], Array(5).fill(7))
    } finally {
      crypto.getRandomValues = getRandomValues
    }
    t.done()
  }
}
