'use strict'

// Threads that work on blocks of a file. What they give comes in the order of the blocks.

const { Worker } = require('node:worker_threads')

/** Bytes that are worked on in this thread before others are started: to start one takes 40 ms. */
const INLINE_BYTES = 4 << 20

/** Blocks that each thread has, one of which it works on. */
const BLOCKS_EACH = 2

/** A thread makes much garbage and keeps nothing: with more room, 40 MB more memory and no more speed. */
const LIMITS = { maxYoungGenerationSizeMb: 2 }

/**
 * @typedef {import('./documents').Plan} Plan
 * @typedef {import('./documents').BlockBytes} BlockBytes
 * @typedef {import('./documents').Result} Result
 */

class Pool {
  /** @param {Plan} plan @param {(block: BlockBytes) => Result} work the same in this thread @param {number} threads */
  constructor(plan, work, threads) {
    this.plan = plan
    this.work = work
    this.threads = threads
    this.inline = threads > 1 ? INLINE_BYTES : Infinity
    /** @type {{worker: Worker, waiting: {resolve: Function, reject: Function}[]}[]} */
    this.members = []
    /** Memory that threads have given back. @type {ArrayBuffer[]} */
    this.free = []
  }

  /** @returns {number} blocks that may be given before the first result is asked for */
  get depth() {
    return this.inline > 0 ? 1 : this.threads * BLOCKS_EACH
  }

  /** @param {BlockBytes} block @returns {Promise<Result>} */
  async give(block) {
    if (this.inline > 0) {
      this.inline -= block.bytes.length
      return this.work(block)
    }
    if (this.members.length < this.threads) this.start()
    const member = this.members.reduce((least, each) => (each.waiting.length < least.waiting.length ? each : least))
    const { offset, document, spans } = block
    const bytes = this.copy(block.bytes) // the thread is given memory of its own
    return new Promise((resolve, reject) => {
      member.waiting.push({ resolve, reject })
      member.worker.postMessage({ bytes, offset, document, spans }, [bytes.buffer])
    })
  }

  /** @param {Uint8Array} bytes @returns {Uint8Array<ArrayBuffer>} in memory that was used before, if there is enough */
  copy(bytes) {
    const memory = this.free.pop()
    if (memory === undefined || memory.byteLength < bytes.length) return new Uint8Array(bytes)
    const copy = new Uint8Array(memory, 0, bytes.length)
    copy.set(bytes)
    return copy
  }

  start() {
    const worker = new Worker(require.resolve('./worker'), { workerData: this.plan, resourceLimits: LIMITS })
    const waiting = []
    const fail = error => waiting.splice(0).forEach(({ reject }) => reject(error))
    worker.on('message', ({ result, error, memory }) => {
      const { resolve, reject } = waiting.shift()
      this.free.push(memory)
      if (error === undefined) resolve(result)
      else reject(error)
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('a thread has ended')))
    this.members.push({ worker, waiting })
  }

  /** Ends the threads. */
  async close() {
    for (const { waiting } of this.members) for (const each of waiting) each.reject = () => {}
    await Promise.all(this.members.map(({ worker }) => worker.terminate()))
  }
}

module.exports = { Pool }
