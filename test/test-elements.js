'use strict'

const assert = require('node:assert')
const elements = require('../lib/elements')
const { encode } = require('../lib/encode')
const types = require('../lib/types')
const { unhex, frame, string, int32, cstring } = require('./fixtures/bytes')
const { outcome } = require('./fixtures/outcome')

const { scanValue, scanName, scanCString, scanString, scanDocument, scanRoot, scanElement } = elements
const { innerDocument, checkText, checkRegexOptions, utf8Plan, tooDeep, validate, locate, pathAt } = elements

function fails(run, message, offset) {
  const { error } = outcome(run)
  assert.ok(error?.name === 'BSONError' && error.message.startsWith(message), `${error?.stack}`)
  assert.strictEqual(error.offset, offset)
}

/** Each type's bytes, as hex, exactly as long as they say. */
const VALUES = {
  0x01: '0000000000000000', 0x02: string('text'), 0x03: frame('0a6100'), 0x04: frame(), 0x05: '0200000000aabb', 0x06: '', 0x07: '00'.repeat(12), 0x08: '01',
  0x09: '00'.repeat(8), 0x0a: '', 0x0b: '6162006900', 0x0c: string('ns') + '00'.repeat(12), 0x0d: string('f'), 0x0e: string('s'),
  0x0f: int32(15) + string('f') + frame(), 0x10: '00000000', 0x11: '00'.repeat(8), 0x12: '00'.repeat(8), 0x13: '00'.repeat(16), 0x7f: '', 0xff: ''
}

const UTF8 = 'Invalid UTF-8 string'

module.exports = {
  'scanValue finds the end of each type, up to the last byte and not beyond': t => {
    for (const [type, hex] of Object.entries(VALUES)) {
      const buf = Buffer.concat([Buffer.from('ffff', 'hex'), unhex(hex), Buffer.from('ffff', 'hex')])
      const end = 2 + hex.length / 2
      assert.strictEqual(scanValue(Number(type), buf, 2, end), end, `type ${type}`)
      assert.strictEqual(scanValue(Number(type), buf, 2, buf.length), end)
      if (hex !== '') assert.ok(outcome(() => scanValue(Number(type), buf, 2, end - 1)).error?.offset >= 2, `type ${type}`)
    }
    t.done()
  },

  'scanValue knows no other types': t => {
    for (const type of [0x00, 0x14, 0x20, 0x7e, 0x80, 0xfe]) fails(() => scanValue(type, Buffer.alloc(20), 3, 20), 'Detected unknown BSON type', 3)
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

  'strings and documents by themselves': t => {
    t.strictEqual(scanString(unhex(string('abc')), 0, 8), 8)
    fails(() => scanString(unhex(string('abc')), 0, 7), 'bad string length', 0)
    t.strictEqual(scanDocument(unhex(frame()), 0, 5, 'wrong'), 5)
    fails(() => scanDocument(unhex(frame('0a6100')), 0, 7, 'wrong'), 'wrong', 0)
    t.done()
  },

  'the frame of a whole document': t => {
    const buf = unhex('ff' + frame('0a6100') + 'ff')
    t.strictEqual(scanRoot(buf, 1, true), 9)
    fails(() => scanRoot(buf, 1, false), 'buffer length 10 must === bson size 8', 1)
    for (const index of [-1, 1.5, NaN, '1', null]) assert.throws(() => scanRoot(buf, index, true), /index must not be negative or broken/)
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
  },

  'what a value holds of text is checked, and nothing else': t => {
    const wrong = {
      0x02: ['02000000ff00', 4], 0x0d: ['02000000ff00', 4], 0x0e: ['02000000ff00', 4], 0x0b: ['ff0000', 0],
      0x0c: ['02000000ff00' + 'ff'.repeat(12), 4], 0x0f: [int32(15) + '02000000ff00' + frame(), 8]
    }
    for (const [type, [hex, offset]] of Object.entries(wrong)) {
      fails(() => checkText(Number(type), unhex(hex), 0, hex.length / 2), UTF8, offset)
    }
    for (const [type, hex] of Object.entries(VALUES)) checkText(Number(type), unhex(hex), 0, hex.length / 2)
    checkText(0x05, unhex('0200000000ffff'), 0, 7)
    checkText(0x07, unhex('ff'.repeat(12)), 0, 12)
    t.done()
  },

  'options of regular expressions': t => {
    checkRegexOptions(Buffer.from('ilmsux'), 0, 6)
    checkRegexOptions(Buffer.from('z'), 0, 0)
    fails(() => checkRegexOptions(Buffer.from('ig'), 0, 2), 'The regular expression option [g] is not supported', 1)
    fails(() => checkRegexOptions(Buffer.from('é'), 0, 2), 'The regular expression option [é] is not supported', 0)
    t.done()
  },

  'validation settings': t => {
    for (const none of [undefined, null, { utf8: true }]) t.deepEqual(utf8Plan(none), { utf8: true, utf8Except: null })
    t.deepEqual(utf8Plan({ utf8: false }), { utf8: false, utf8Except: null })
    t.deepEqual(utf8Plan({ utf8: { a: true } }), { utf8: false, utf8Except: new Set(['a']) })
    t.deepEqual(utf8Plan({ utf8: { a: false, b: false } }), { utf8: true, utf8Except: new Set(['a', 'b']) })
    for (const wrong of [{}, { utf8: {} }, { utf8: null }, { utf8: 1 }, { utf8: 'x' }, { utf8: { a: 1 } }, { utf8: { a: true, b: false } }, true]) {
      assert.throws(() => utf8Plan(wrong), error => error.name === 'BSONError')
    }
    t.done()
  },

  'validate counts levels': t => {
    const bytes = encode({ a: [{ b: new types.Code('f', { c: 1 }) }] })
    t.strictEqual(validate(bytes, { maxDepth: 4 }), bytes.length)
    const { error } = outcome(() => validate(bytes, { maxDepth: 3 }))
    t.ok(error.message.startsWith(tooDeep(3)) && error.path === 'a[0].b')
    t.throws(() => validate(bytes, { maxDepth: 1 }), /nested deeper than 1 levels/)
    t.done()
  },

  'validate takes the settings that decode takes': t => {
    const bytes = unhex(frame('0261 0002000000ff00' + '036200' + frame('0261 0002000000ff00')))
    fails(() => validate(bytes), UTF8, 11)
    t.strictEqual(validate(bytes, { validation: { utf8: false } }), bytes.length)
    fails(() => validate(bytes, { validation: { utf8: { a: false } } }), UTF8, 27)
    t.strictEqual(validate(bytes, { validation: { utf8: { a: false, b: false } } }), bytes.length)
    fails(() => validate(bytes, { validation: { utf8: { b: true } } }), UTF8, 27)
    t.strictEqual(validate(bytes, { validation: { utf8: { c: true } } }), bytes.length)
    t.strictEqual(validate([...bytes], { validation: { utf8: false } }), bytes.length)
    t.done()
  },

  'pathAt names every element by every byte of it': t => {
    const bytes = encode({ a: 1, b: { c: 'x', d: [true, { e: null }] }, f: new types.Code('f', { g: 1 }) })
    const paths = new Set(Array.from(bytes, (_, offset) => pathAt(bytes, 0, offset)))
    t.deepEqual([...paths], ['', 'a', 'b', 'b.c', 'b', 'b.d', 'b.d[0]', 'b.d[1]', 'b.d[1].e', 'f', 'f.$scope.g', 'f.$scope'].filter((path, i, all) => all.indexOf(path) === i))
    const shifted = Buffer.concat([Buffer.alloc(7), bytes])
    bytes.forEach((_, offset) => assert.strictEqual(pathAt(shifted, 7, offset + 7), pathAt(bytes, 0, offset)))
    t.done()
  },

  'pathAt answers something for any bytes': t => {
    for (let n = 0; n < 256; n++) {
      const bytes = unhex(frame('0f6100' + '1e000000' + int32((n - 128) * 3) + '00'.repeat(30)))
      bytes.forEach((_, offset) => assert.strictEqual(typeof pathAt(bytes, 0, offset), 'string'))
    }
    t.done()
  },

  'a long path is told by its ends': t => {
    let doc = { end: 1 }
    for (let i = 100; i > 0; i--) doc = { [`k${i}`]: doc }
    const path = pathAt(encode(doc), 0, encode(doc).length - 110)
    t.ok(/^k1\.k2\..*\.k20\["…"\]\..*\.k100\.end$/.test(path), path)
    t.done()
  },

  'locate completes errors about bytes, once, and leaves others alone': t => {
    const bytes = encode({ a: 1 })
    const error = locate(outcome(() => scanValue(0x14, bytes, 7, 11)).error, bytes, 0)
    t.deepEqual([error.path, error.message], ['a', 'Detected unknown BSON type 14 (at offset 7 in field a)'])
    t.strictEqual(locate(error, bytes, 0).message, error.message)
    const other = new RangeError('mine')
    t.strictEqual(locate(other, bytes, 0), other)
    t.strictEqual(other.message, 'mine')
    t.done()
  }
}
