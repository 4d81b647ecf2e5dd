'use strict'

// Threads that work on blocks of a file: this one and others. Results come in the order of the blocks.

const { setImmediate: turn, setTimeout: wait } = require('node:timers/promises')
const { Worker } = require('node:worker_threads')
const { copyOf, getInt32 } = require('../../bytes')

/** Bytes from which on other threads are started: each needs 0.1 to 0.2 s to become as fast as this one. */
const MIN_SIZE = 64 << 20

/** Each thread takes about 10 MB. */
const MAX_THREADS = 64

/** Blocks another thread holds at a time, including the one it works on; half as many if they are large. */
const BLOCKS_EACH = 4

/**
 * A larger block, which has one long document, is worked on in this thread: another one would need four times its
 * memory again.
 */
const MAX_SHARED = 4 << 20

/** So many blocks are worked on before signals are looked for, if there are no other threads. */
const TURNS = 16

/** Initial bytes for a block; its result gets twice as many. */
const SLOT_SIZE = 1 << 19

/** A thread makes much garbage and keeps nothing: a larger limit costs 40 MB and gains no speed. */
const LIMITS = { maxYoungGenerationSizeMb: 2 }

/** Columns are kept until they are written: a thread takes 7 % less time with more. */
const COLUMN_LIMITS = { maxYoungGenerationSizeMb: 32 }

/**
 * @typedef {import('../../batch').Batch} Batch
 * @typedef {import('./documents').Plan | {columns: import('./column-work').ColumnPlan}} Plan
 * @typedef {import('./documents').BlockBytes} BlockBytes
 * @typedef {import('./documents').Result} Result
 *
 * @typedef {{plan: Plan, work: import('./documents').Work}} Job `work` does what is planned in this thread
 * @typedef {Batch & {spans?: Float64Array, ends?: number[], files?: string[], job?: Job,
 *   isEnd?: boolean}} Block `job`: default, that of the pool; `isEnd`: whether it only ends others, and holds nothing
 *
 * @typedef {object} Step
 * @property {Block} block
 * @property {Result | null} result null: not done yet, or failed
 * @property {any} [error]
 * @property {Promise<void>} [done] resolves when it has a result or an error
 * @property {{input: SharedArrayBuffer, output: SharedArrayBuffer}} [slot] memory for the block and its result
 * @property {Member} [member] the thread that works on it
 */

/**
 * Node 20 aborts ("Assertion failed: (data.first) != nullptr") if a thread ends while V8 still optimizes code for it,
 * which takes a few milliseconds after the thread's last work.
 */
const ABORTS = Number.parseInt(process.versions.node) < 22
const QUIET = 30

/** @param {SharedArrayBuffer} memory @returns {Uint8Array} a copy in `memory`, or in larger memory */
function copyTo(memory, bytes) {
  const shared = memory.byteLength < bytes.length ? new SharedArrayBuffer(2 * bytes.length) : memory
  const copy = new Uint8Array(shared, 0, bytes.length)
  copy.set(bytes)
  return copy
}

/** Another thread. */
class Member {
  constructor(plan, slots) {
    this.plan = plan
    this.isReady = false
    /** Why it has ended. @type {any} */
    this.error = undefined
    // transferring memory, with new memory for each block, makes both threads a fifth slower
    const slotOf = () => ({ input: new SharedArrayBuffer(SLOT_SIZE), output: new SharedArrayBuffer(2 * SLOT_SIZE) })
    this.free = Array.from({ length: slots }, slotOf)
    /** Who waits for its answers, in order. @type {{resolve: (result: any) => void, reject: (error: any) => void}[]} */
    this.waiting = []
    this.worker = new Worker(require.resolve('./worker'), {
      workerData: plan, resourceLimits: 'columns' in plan ? COLUMN_LIMITS : LIMITS
    })
    this.worker.on('message', message => this.receive(message))
    this.worker.on('error', error => this.fail(error))
    this.worker.on('exit', () => this.fail(new Error('a thread ended unexpectedly')))
  }

  /** @param {Block} block @param {Plan} plan @param {number} before bytes of all blocks before it @returns {Step} */
  give(block, plan, before) {
    if (plan !== this.plan) this.worker.postMessage({ plan })
    this.plan = plan
    const { bytes, from, offset, document, count, spans, ends, places, files } = block
    const slot = this.free.pop()
    const copy = copyTo(slot.input, bytes)
    slot.input = /** @type {any} */ (copy.buffer)
    const own = { bytes: copy, from, offset, document, count, spans, ends, places, files }
    /** @type {Step} */
    const step = { block, result: null, slot, member: this }
    const take = result => {
      if (result.output !== null) slot.output = /** @type {any} */ (result.output.buffer)
      step.result = result
    }
    step.done = this.send({ ...own, before, memory: slot.output }).then(take, error => { step.error = error })
    return step
  }

  /** @returns {Promise<any>} the answer */
  send(message) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      if (this.error === undefined) this.worker.postMessage(message)
      else this.fail(this.error)
    })
  }

  /** @returns {Promise<any>} what it has found in all its blocks */
  async collect() {
    return (await this.send({})).found
  }

  /** @param {{error?: any, result?: Result}} message empty when the thread is ready */
  receive({ error, result }) {
    this.isReady = true
    // nobody waits after an error of the thread, which may come before its last message
    if (error !== undefined) this.waiting.shift()?.reject(error)
    else if (result !== undefined) this.waiting.shift()?.resolve(result)
  }

  /** Marks the thread as ended: later steps fail too. */
  fail(error) {
    this.isReady = true
    this.error ??= error
    for (const { reject } of this.waiting.splice(0)) reject(this.error)
  }

  async end() {
    if (ABORTS) await wait(QUIET)
    await this.worker.terminate()
  }
}

class Pool {
  /**
   * @param {Plan} plan
   * @param {import('./documents').Work} work does the same in this thread
   * @param {number} [threads] including this one
   * @param {number} [size] bytes to come, as far as known
   * @param {number} [blockSize] about the bytes of each block, if they are larger than those of files
   */
  constructor(plan, work, threads = 1, size = 0, blockSize = 0) {
    this.plan = plan
    this.work = work
    this.others = Math.min(threads, MAX_THREADS) - 1
    this.blocksEach = blockSize === 0 ? BLOCKS_EACH : BLOCKS_EACH / 2
    this.maxShared = Math.max(MAX_SHARED, 2 * blockSize)
    /** Bytes after which the others are started. */
    this.inline = size >= MIN_SIZE ? 0 : MIN_SIZE
    /** @type {Member[]} */
    this.members = []
    /** Bytes of all blocks so far. */
    this.size = 0
  }

  /** The results of blocks, in their order. An output and its block are valid until the next one is requested. */
  async *results(blocks) {
    /** @type {Step[]} */
    const steps = []
    const iterator = blocks[Symbol.asyncIterator]()
    const read = async () => {
      const { done, value: block } = await iterator.next()
      if (!done) steps.push(this.give(block, steps.length === 0))
      return Boolean(done)
    }
    let isOver = false
    try {
      for (let turns = 1; !isOver || steps.length > 0; turns++) {
        const isWanted = !isOver && steps.length <= 2 * this.blocksEach * this.members.length
        // an error comes after the results of the blocks before it
        if (isWanted) isOver = await read().catch(error => steps.push({ block: null, result: null, error }) > 0)
        else await steps[0].done
        if (this.members.length > 0 || turns % TURNS === 0) await turn() // lets messages and signals arrive
        // before the next block is read: an output may be a view of its block
        while (isDone(steps[0])) {
          const step = steps.shift()
          if (step.result === null) throw step.error
          yield step
          step.member?.free.push(step.slot) // lets its memory be used again
        }
      }
    } finally {
      await iterator.return()
    }
  }

  /** @param {Block} block @param {boolean} isNext whether its result is the next one to be returned @returns {Step} */
  give(block, isNext) {
    if (block.error !== undefined) return { block, result: leftOut(block) }
    if (block.isEnd) return { block, result: NOTHING }
    const { plan, work } = block.job ?? this
    const before = this.size
    this.size += block.bytes.length
    const isShared = this.size > this.inline && block.bytes.length <= this.maxShared
    if (isShared) while (this.members.length < this.others) this.members.push(new Member(plan, this.blocksEach))
    const member = isShared ? this.members.find(({ isReady, free }) => isReady && free.length > 0) : undefined
    if (member !== undefined) return member.give(block, plan, before)
    const result = work(Object.assign(block, { before }))
    // one that waits for earlier blocks is copied, while later ones reuse the memory
    if (!isNext && result.output !== null) result.output = copyOf(result.output)
    return { block, result }
  }

  /** @returns {Promise<any[]>} what each of the other threads has found in all its blocks */
  async collect() {
    return Promise.all(this.members.filter(({ isReady }) => isReady).map(member => member.collect()))
  }

  /** Ends the threads. */
  async close() {
    await Promise.all(this.members.map(member => member.end()))
  }
}

/** @type {Result} */
const NOTHING = { output: null, count: 0, size: 0, error: null, rejects: [] }

/** @param {Batch} block that holds no document @returns {Result} */
function leftOut({ error, bytes, offset }) {
  const isDocument = bytes.length >= 4 && getInt32(bytes, 0) === bytes.length
  const reject = { message: error.message, bytes: copyOf(bytes), offset, isDocument }
  return { ...NOTHING, rejects: [reject] }
}

function isDone(step) {
  return step !== undefined && (step.result !== null || step.error !== undefined)
}

module.exports = { Pool, copyTo }
