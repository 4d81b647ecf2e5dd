'use strict'

const assert = require('node:assert')
const { CHUNK_SIZE, SCRATCH_KEEP, TARGET_KEEP, Output, acquireOutput, releaseOutput, beginInto, finishInto } = require('../../lib/encode/output')
const { requireWithoutBuffer } = require('../without-buffer')

/** Writes `size` bytes of `value` at `pos`, reserving them in pieces. */
function write(out, pos, size, value, piece = size) {
  for (let end = pos + size; pos < end; pos += piece) {
    const n = Math.min(piece, end - pos)
    out.reserve(pos, n).fill(value, pos, pos + n)
  }
  return pos
}

function result(out, size, value, piece) {
  const start = out.begin()
  write(out, start, size, value, piece)
  return out.finish(start + size)
}

const SIZES = [0, 1, 5, 511, 512, 513, 4095, 4096, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1, 16384, 16385, 100000, SCRATCH_KEEP + 1]

module.exports = {
  'results have the bytes that were written, however they grew': t => {
    const out = new Output()
    for (const piece of [1000, 7777, CHUNK_SIZE, Infinity]) {
      for (const size of SIZES) {
        const bytes = result(out, size, size % 251, piece)
        assert.strictEqual(bytes.length, size)
        assert.ok(bytes.every(byte => byte === size % 251))
        assert.ok(Buffer.isBuffer(bytes))
      }
    }
    t.done()
  },

  'results do not overlap': t => {
    const out = new Output()
    const all = Array.from({ length: 2000 }, (_, i) => result(out, 1 + (i * 37) % 700, i % 251))
    all.forEach((bytes, i) => assert.ok(bytes.every(byte => byte === i % 251), `result ${i}`))
    for (const bytes of all) bytes.fill(0xff)
    t.ok(result(out, 100, 1).every(byte => byte === 1))
    t.done()
  },

  'small results are in the pool of Node, which nobody can transfer, large ones have memory of their own': t => {
    const out = new Output()
    for (const size of [1, 57, 200, 300, 2000, 4000, 57]) {
      const bytes = result(out, size, 1)
      const memory = bytes.buffer.byteLength
      t.ok(memory === size || (memory >= Buffer.poolSize && memory <= 2 * Buffer.poolSize), `${memory} for ${size}`)
      if (memory === size) continue
      try {
        structuredClone(bytes, { transfer: [bytes.buffer] })
      } catch {
        // Node 20 copies, later versions refuse
      }
      t.strictEqual(bytes.length, size)
    }
    for (const size of [Buffer.poolSize / 2, Buffer.poolSize, 100000]) {
      const large = result(out, size, 3)
      t.strictEqual(large.buffer.byteLength, size)
    }
    t.done()
  },

  'a small result keeps no more than the pool it is in': t => {
    const out = new Output()
    const memories = new Set(Array.from({ length: 10000 }, () => result(out, 57, 1).buffer))
    t.ok(memories.size > 10000 * 64 / Buffer.poolSize, 'many pools, each as large as those of Node')
    for (const memory of memories) assert.ok(memory.byteLength <= Buffer.poolSize + 64)
    t.done()
  },

  'where the pool is switched off each result has memory of its own': t => {
    const { poolSize } = Buffer
    Buffer.poolSize = 0
    try {
      Buffer.allocUnsafe(1)
      const out = new Output()
      for (const size of [5, 300, 57]) t.strictEqual(result(out, size, 1).buffer.byteLength, size)
    } finally {
      Buffer.poolSize = poolSize
    }
    t.done()
  },

  'memory that is gone is not written to': t => {
    const { Output } = requireWithoutBuffer('lib/encode/output.js')
    const out = new Output()
    const first = result(out, 30, 1)
    structuredClone(first, { transfer: [first.buffer] })
    t.ok(result(out, 30, 2).every(byte => byte === 2))
    t.done()
  },

  'memory that was gone before is a BSONError': t => {
    const gone = new Uint8Array(100)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    t.throws(() => beginInto(new Output(), gone, 0), /BSONError: the target ArrayBuffer is detached or has shrunk/)
    t.done()
  },

  'offsets stay what they are when the memory moves': t => {
    const out = new Output()
    result(out, 100, 1)
    const start = out.begin()
    out.reserve(start, 4).fill(7, start, start + 4)
    const before = out.buf
    const buf = out.reserve(start + 4, CHUNK_SIZE * 2)
    t.ok(buf !== before && buf === out.buf)
    t.deepStrictEqual([...buf.subarray(start, start + 4)], [7, 7, 7, 7])
    const again = out.reserve(start + CHUNK_SIZE, CHUNK_SIZE * 9)
    t.deepStrictEqual([...again.subarray(start, start + 4)], [7, 7, 7, 7])
    t.done()
  },

  'nothing can be longer than an int32 says, and nothing is made for it': t => {
    const out = new Output()
    const start = out.begin()
    t.throws(() => out.reserve(start, 0x80000000), error => error.name === 'BSONError' && /larger than 2147483647/.test(error.message))
    t.throws(() => out.grow(start + 0x7fffffff, 1), error => error.name === 'BSONError')
    t.strictEqual(result(new Output(), 5, 1).length, 5)
    t.done()
  },

  'memory that is not there is a BSONError': t => {
    const out = new Output()
    t.throws(() => out.renewScratch(2 ** 53), error => error.name === 'BSONError' && /not enough memory to encode/.test(error.message))
    t.done()
  },

  'a large scratch is not kept for long, nor the output of a failure': t => {
    const out = acquireOutput()
    result(out, 100000, 1)
    releaseOutput(out)
    t.strictEqual(acquireOutput(), out)
    out.cycleCheckpoint = {}
    result(out, SCRATCH_KEEP + 1, 1)
    releaseOutput(out)
    t.strictEqual(out.cycleCheckpoint, null)
    t.strictEqual(out.scratch.length + out.buf.length, 0)
    t.strictEqual(acquireOutput(), out)
    const large = out.large.deref() // nothing is garbage-collected until this test ends
    t.ok(result(out, 2 * SCRATCH_KEEP, 2).every(byte => byte === 2))
    t.ok(out.scratch !== large && out.large === undefined, 'it was too small')
    releaseOutput(out)
    const larger = out.large.deref()
    t.ok(result(out, 100_000, 3, 1000).every(byte => byte === 3))
    t.strictEqual(out.scratch, larger)
    t.done()
  },

  'into memory of the caller': t => {
    const out = new Output()
    const target = Buffer.alloc(50, 0xee)
    let pos = beginInto(out, target, 10)
    t.strictEqual(pos, 10)
    pos = write(out, pos, 20, 5)
    t.strictEqual(finishInto(out, target, pos), 30)
    t.ok(target.subarray(10, 30).every(byte => byte === 5))
    t.ok([...target.subarray(0, 10), ...target.subarray(30)].every(byte => byte === 0xee))
    t.strictEqual(out.buf.length, 0)
    t.done()
  },

  'a reserve that was too cautious is no overflow': t => {
    const out = new Output()
    const target = Buffer.alloc(30, 0xee)
    const start = beginInto(out, target, 10)
    const buf = out.reserve(start, 1000)
    buf.fill(5, start, start + 20)
    t.strictEqual(finishInto(out, target, start + 20), 30)
    t.ok(target.subarray(10).every(byte => byte === 5) && target.subarray(0, 10).every(byte => byte === 0xee))
    t.done()
  },

  'what does not fit is refused': t => {
    const out = new Output()
    const target = Buffer.alloc(30, 0xee)
    const start = beginInto(out, target, 25)
    write(out, start, 6, 5)
    const finish = () => finishInto(out, target, start + 6)
    t.throws(finish, error => error.name === 'BSONError' && /6 bytes does not fit into 30 bytes at offset 25/.test(error.message))
    t.done()
  },

  'far behind in a large target, a document that does not fit takes no more memory than it needs': t => {
    const out = new Output()
    const target = new Uint8Array(SCRATCH_KEEP + 1000).fill(0xee)
    const offset = SCRATCH_KEEP + 10
    const start = beginInto(out, target, offset)
    out.reserve(start, 2000).fill(5, start, start + 20)
    t.ok(out.scratch.length < 20000)
    t.strictEqual(finishInto(out, target, start + 20), offset + 20)
    t.ok(target.subarray(offset, offset + 20).every(byte => byte === 5) && target[offset - 1] === 0xee && target[offset + 20] === 0xee)
    const again = beginInto(out, target, offset)
    const buf = out.reserve(again, 8)
    buf[again] = 7
    t.deepStrictEqual([finishInto(out, target, again + 8), target[offset]], [offset + 8, 7])
    t.done()
  },

  'a small target is kept for the next document, a large one is not': t => {
    const out = new Output()
    for (const [size, kept] of [[100, true], [TARGET_KEEP, true], [TARGET_KEEP + 1, false]]) {
      const target = new Uint8Array(size)
      finishInto(out, target, beginInto(out, target, 0))
      t.strictEqual(out.target === target, kept)
    }
    t.done()
  },

  'a target that changes its size is refused': t => {
    const out = new Output()
    const target = new Uint8Array(30)
    const start = beginInto(out, target, 0)
    structuredClone(target, { transfer: [target.buffer] })
    t.throws(() => finishInto(out, target, start), error => error.name === 'BSONError' && /detached or resized/.test(error.message))
    t.done()
  },

  'who asks while an output is in use gets another': t => {
    const first = acquireOutput()
    const second = acquireOutput()
    t.ok(first instanceof Output && second instanceof Output && first !== second)
    releaseOutput(second)
    t.strictEqual(acquireOutput(), second)
    releaseOutput(first)
    t.strictEqual(acquireOutput(), first)
    releaseOutput(first)
    t.done()
  },

  'without Buffer results are Uint8Arrays': t => {
    const { Output } = requireWithoutBuffer('lib/encode/output.js')
    const out = new Output()
    for (const size of [5, 4000, 40000]) {
      const bytes = result(out, size, 3)
      t.ok(bytes.constructor === Uint8Array && bytes.length === size && bytes.every(byte => byte === 3))
    }
    t.done()
  }
}
