'use strict'

const assert = require('node:assert')
const { tooDeep, checkRegexOptions } = require('../../lib/elements/scan')
const { utf8Plan } = require('../../lib/elements/utf8-plan')
const { validate, checkText } = require('../../lib/elements/validate')
const { decode } = require('../../lib/decode/decode')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const types = require('../../lib/types')
const { unhex, frame, int32 } = require('../fixtures/bytes')
const { outcome } = require('../fixtures/outcome')
const { fails } = require('../fixtures/fails')
const { VALUES } = require('../fixtures/values')

const UTF8 = 'Invalid UTF-8 string'

module.exports = {
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
    for (const none of [undefined, null, { utf8: true }]) t.deepStrictEqual(utf8Plan(none), { utf8: true, utf8Except: null })
    t.deepStrictEqual(utf8Plan({ utf8: false }), { utf8: false, utf8Except: null })
    t.deepStrictEqual(utf8Plan({ utf8: { a: true } }), { utf8: false, utf8Except: new Set(['a']) })
    t.deepStrictEqual(utf8Plan({ utf8: { a: false, b: false } }), { utf8: true, utf8Except: new Set(['a', 'b']) })
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
    const empty = encode({})
    t.strictEqual(validate(empty, { maxDepth: 1 }), 5)
    for (const check of [validate, decode, EJSON.fromBSON]) {
      const { error } = outcome(() => check(empty, { maxDepth: 0 }))
      t.strictEqual(error.message, `${tooDeep(0)} (at offset 0)`)
    }
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
  }
}
