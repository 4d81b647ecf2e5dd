'use strict'

const assert = require('node:assert')
const { scanElement } = require('../../lib/elements/scan')
const { locate } = require('../../lib/elements/locate')
const { errorAtOffset } = require('../../lib/errors')
const { NOT_CLOSED } = require('../../lib/elements/scan')
const { encode } = require('../../lib/encode/encode')
const types = require('../../lib/types')
const { unhex, frame, int32 } = require('../fixtures/bytes')
const { outcome } = require('../fixtures/outcome')

/** The path to the byte at `offset`. */
function pathTo(bytes, start, offset) {
  return locate(errorAtOffset('wrong', offset), bytes, start).path
}

module.exports = {
  'locate names every element by every byte of it': t => {
    const bytes = encode({ a: 1, b: { c: 'x', d: [true, { e: null }] }, f: new types.Code('f', { g: 1 }) })
    const paths = new Set(Array.from(bytes, (_, offset) => pathTo(bytes, 0, offset)))
    t.deepStrictEqual([...paths], ['', 'a', 'b', 'b.c', 'b', 'b.d', 'b.d[0]', 'b.d[1]', 'b.d[1].e', 'f', 'f.$scope.g', 'f.$scope'].filter((path, i, all) => all.indexOf(path) === i))
    const shifted = Buffer.concat([Buffer.alloc(7), bytes])
    bytes.forEach((_, offset) => assert.strictEqual(pathTo(shifted, 7, offset + 7), pathTo(bytes, 0, offset)))
    t.done()
  },

  'what should close a document is no element of it': t => {
    const bytes = encode({ a: { b: 1 }, c: 1 })
    const close = 4 + 3 + 11
    t.strictEqual(bytes[close], 0)
    bytes[close] = 0x10
    const error = locate(errorAtOffset(NOT_CLOSED, close), bytes, 0)
    t.deepStrictEqual([error.path, error.message], ['a', `${NOT_CLOSED} (at offset ${close} in field a)`])
    t.done()
  },

  'locate answers something for any bytes': t => {
    for (let n = 0; n < 256; n++) {
      const bytes = unhex(frame('0f6100' + '1e000000' + int32((n - 128) * 3) + '00'.repeat(30)))
      bytes.forEach((_, offset) => assert.strictEqual(typeof pathTo(bytes, 0, offset), 'string'))
    }
    t.done()
  },

  'a long path is told by its ends': t => {
    let doc = { end: 1 }
    for (let i = 100; i > 0; i--) doc = { [`k${i}`]: doc }
    const path = pathTo(encode(doc), 0, encode(doc).length - 110)
    t.ok(/^k1\.k2\..*\.k20\["…"\]\..*\.k100\.end$/.test(path), path)
    t.done()
  },

  'locate completes errors about bytes, once, and leaves others alone': t => {
    const bytes = encode({ a: 1 })
    const error = locate(outcome(() => scanElement(0x02, bytes, 4, 6, 11)).error, bytes, 0)
    t.deepStrictEqual([error.path, error.message], ['a', 'bad string length in bson (at offset 7 in field a)'])
    t.strictEqual(locate(error, bytes, 0).message, error.message)
    const other = new RangeError('mine')
    t.strictEqual(locate(other, bytes, 0), other)
    t.strictEqual(other.message, 'mine')
    t.done()
  }
}
