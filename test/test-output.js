'use strict'

const assert = require('node:assert')
const { SLAB_SIZE, SLAB_MAX_RESULT, SCRATCH_KEEP, Output, acquireOutput, releaseOutput } = require('../lib/output')
const { requireWithoutBuffer } = require('./without-buffer')

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

const SIZES = [
  0, 1, 5, 511, 512, 513, SLAB_MAX_RESULT, SLAB_MAX_RESULT + 1, SLAB_SIZE - 1, SLAB_SIZE, SLAB_SIZE + 1, 100000, SCRATCH_KEEP + 1
]

module.exports = {
  'results have the bytes that were written, however they grew': t => {
    const out = new Output()
    for (const piece of [1000, 7777, SLAB_SIZE, Infinity]) {
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

  'small results share a slab, large ones have memory of their own': t => {
    const out = new Output()
    const [a, b] = [result(out, 10, 1), result(out, 10, 2)]
    t.strictEqual(a.buffer, b.buffer)
    t.strictEqual(a.buffer.byteLength, SLAB_SIZE)
    t.strictEqual(b.byteOffset % 8, 0)
    const large = result(out, SLAB_SIZE + 1, 3)
    t.ok(large.buffer !== a.buffer && large.buffer.byteLength === large.length)
    t.done()
  },

  'a result that outgrew the slab may still go back to it': t => {
    const out = new Output()
    let pos = out.begin()
    pos = write(out, pos, 10, 1)
    out.reserve(pos, SLAB_SIZE * 3)
    const bytes = out.finish(pos)
    t.deepEqual([bytes.length, bytes.buffer.byteLength], [10, SLAB_SIZE])
    for (let i = 0; i < 10; i++) {
      const start = out.begin()
      out.reserve(start, SLAB_SIZE)
      t.ok(result(out, SLAB_MAX_RESULT, i).every(byte => byte === i))
      out.begin()
      const end = write(out, out.start, 3000, 9)
      out.reserve(end, SLAB_SIZE)
      t.strictEqual(out.finish(end).buffer.byteLength, SLAB_SIZE)
    }
    t.done()
  },

  'offsets stay what they are when the memory moves': t => {
    const out = new Output()
    result(out, 100, 1)
    const start = out.begin()
    out.reserve(start, 4).fill(7, start, start + 4)
    const before = out.buf
    const buf = out.reserve(start + 4, SLAB_SIZE * 2)
    t.ok(buf !== before && buf === out.buf)
    t.deepEqual([...buf.subarray(start, start + 4)], [7, 7, 7, 7])
    const again = out.reserve(start + SLAB_SIZE, SLAB_SIZE * 9)
    t.deepEqual([...again.subarray(start, start + 4)], [7, 7, 7, 7])
    t.done()
  },

  'makeRoom measures long strings': t => {
    const out = new Output()
    const start = out.begin()
    for (const [text, rest] of [['é'.repeat(10), 5], ['é'.repeat(5000), 100], ['日'.repeat(40000), 1], ['', SLAB_SIZE]]) {
      assert.ok(out.makeRoom(start, text, rest).length >= start + Buffer.byteLength(text) + rest)
    }
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

  'a large scratch is not kept': t => {
    const out = new Output()
    result(out, 100000, 1)
    t.ok(out.scratch.length >= 100000)
    result(out, SCRATCH_KEEP + 1, 1)
    t.strictEqual(out.scratch.length, 0)
    t.strictEqual(out.buf.length, 0)
    t.done()
  },

  'into memory of the caller': t => {
    const out = new Output()
    const target = Buffer.alloc(50, 0xee)
    let pos = out.beginInto(target, 10)
    t.strictEqual(pos, 10)
    pos = write(out, pos, 20, 5)
    t.strictEqual(out.finishInto(target, pos), 30)
    t.ok(target.subarray(10, 30).every(byte => byte === 5))
    t.ok([...target.subarray(0, 10), ...target.subarray(30)].every(byte => byte === 0xee))
    t.strictEqual(out.buf.length, 0)
    t.done()
  },

  'a reserve that was too cautious is no overflow': t => {
    const out = new Output()
    const target = Buffer.alloc(30, 0xee)
    const start = out.beginInto(target, 10)
    const buf = out.reserve(start, 1000)
    buf.fill(5, start, start + 20)
    t.strictEqual(out.finishInto(target, start + 20), 30)
    t.ok(target.subarray(10).every(byte => byte === 5) && target.subarray(0, 10).every(byte => byte === 0xee))
    t.done()
  },

  'what does not fit is refused': t => {
    const out = new Output()
    const target = Buffer.alloc(30, 0xee)
    const start = out.beginInto(target, 25)
    write(out, start, 6, 5)
    const finish = () => out.finishInto(target, start + 6)
    t.throws(finish, error => error.name === 'BSONError' && /6 bytes does not fit into 30 bytes at offset 25/.test(error.message))
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
    const { Output } = requireWithoutBuffer('lib/output')
    const out = new Output()
    for (const size of [5, SLAB_MAX_RESULT + 1, SLAB_SIZE * 2]) {
      const bytes = result(out, size, 3)
      t.ok(bytes.constructor === Uint8Array && bytes.length === size && bytes.every(byte => byte === 3))
    }
    t.done()
  }
}
