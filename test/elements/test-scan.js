'use strict'

const assert = require('node:assert')
const { scanName, scanCString, scanDocument, scanRoot, scanElement, innerDocument, itemAt } = require('../../lib/elements/scan')
const { unhex, frame, cstring } = require('../fixtures/bytes')
const { outcome } = require('../fixtures/outcome')
const { fails } = require('../fixtures/fails')
const { VALUES } = require('../fixtures/values')

module.exports = {
  'scanElement finds the end of each type, up to the last byte and not beyond': t => {
    for (const [type, hex] of Object.entries(VALUES)) {
      const buf = Buffer.concat([Buffer.from('ffff', 'hex'), unhex(hex), Buffer.from('ffff', 'hex')])
      const end = 2 + hex.length / 2
      assert.strictEqual(scanElement(Number(type), buf, 0, 1, end), end, `type ${type}`)
      assert.strictEqual(scanElement(Number(type), buf, 0, 1, buf.length), end)
      if (hex !== '') assert.ok(outcome(() => scanElement(Number(type), buf, 0, 1, end - 1)).error?.offset >= 2, `type ${type}`)
    }
    t.done()
  },

  'names and other C strings': t => {
    const buf = Buffer.from('\x01ab\0\0c')
    t.strictEqual(scanName(buf, 1, 6), 3)
    t.strictEqual(scanCString(buf, 1, 6), 3)
    t.strictEqual(scanName(buf, 4, 6), 4)
    fails(() => scanName(buf, 1, 3), 'Bad BSON Document: illegal CString', 1)
    fails(() => scanCString(buf, 5, 6), 'Bad BSON Document: illegal CString', 5)
    fails(() => scanName(buf, 5, 6), 'Bad BSON Document: object not properly terminated', 4)
    t.done()
  },

  'the value of an item follows its name, whatever that is': t => {
    for (const name of ['', '7', '70', '700', '7000', 'a', 'abc', 'abcd', 'a longer one']) {
      for (const fill of [0, 1]) {
        const buf = Buffer.concat([Buffer.from(`\x08${name}\0`), Buffer.alloc(10, fill)])
        for (const i of [0, 7, 10, 70, 99, 100, 700, 999, 1000, 7000]) t.strictEqual(itemAt(buf, 0, i, buf.length), name.length + 2, `${name} ${i}`)
      }
    }
    fails(() => itemAt(Buffer.from('\x08abc'), 0, 0, 4), 'Bad BSON Document: illegal CString', 1)
    t.done()
  },

  'documents by themselves': t => {
    t.strictEqual(scanDocument(unhex(frame()), 0, 5, 'wrong'), 5)
    fails(() => scanDocument(unhex(frame('0a6100')), 0, 7, 'wrong'), 'wrong', 0)
    t.done()
  },

  'the frame of a whole document': t => {
    const buf = unhex('ff' + frame('0a6100') + 'ff')
    t.strictEqual(scanRoot(buf, 1, true), 9)
    fails(() => scanRoot(buf, 1, false), 'buffer length 10 must === bson size 8', 1)
    for (const index of [-1, 1.5, NaN, '1', null, Symbol('s'), Object.create(null)]) assert.throws(() => scanRoot(buf, index, true), /index must be a non-negative integer/)
    t.done()
  },

  'an element of no type is named where it stands': t => {
    const buf = unhex('14' + cstring('né') + '00')
    fails(() => scanElement(0x14, buf, 0, 4, buf.length), 'Detected unknown BSON type 14 for fieldname "né"', 0)
    fails(() => scanElement(0, buf, 0, 4, buf.length), 'Bad BSON Document: object not properly terminated', 0)
    t.done()
  },

  'where the document inside a value begins': t => {
    t.strictEqual(innerDocument(3, unhex(VALUES[3]), 0), 0)
    t.strictEqual(innerDocument(4, unhex(VALUES[4]), 0), 0)
    t.strictEqual(innerDocument(0x0f, unhex(VALUES[0x0f]), 0), 10)
    t.strictEqual(innerDocument(0x10, unhex(VALUES[0x10]), 0), -1)
    t.done()
  }
}
