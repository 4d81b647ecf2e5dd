'use strict'

// The oracle is JSON.stringify, of decoded documents: strings and names with every character, and names in every order.

const assert = require('node:assert')
const json = require('../../lib/json')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode')
const { decode } = require('../../lib/decode')
const { SHORT, MIDDLE } = require('../../lib/text/quote')
const { seededRandom, pick } = require('../fixtures/random-document')

/** Around those that escapes, UTF-8 and UTF-16 treat differently. */
const CODES = [...Array(0x101).keys(), 0x7ff, 0x800, 0x2028, 0x2029, 0xd7ff, 0xe000, 0xfeff, 0xffff, 0x10000, 0x10ffff]

/** Names at the edges of what is an array index, in objects and in lib/text/order.js. */
const NAMES = ['0', '1', '9', '10', '00', '01', '-1', '1.5', '1e3', '', 'a', 'b', '2147483646', '2147483647', '2147483648', '4294967293', '4294967294',
  '4294967295', '4294967296', '9999999999', '10000000000', '$id', '__proto__']

/** A document with these fields, whatever the order of an object would be. */
function documentOf(names) {
  const fields = names.map((name, i) => {
    const bytes = encode({ [name]: i })
    return bytes.subarray(4, bytes.length - 1)
  })
  const body = Buffer.concat(fields)
  return Buffer.concat([Buffer.from(Int32Array.of(body.length + 5).buffer), body, Buffer.of(0)])
}

module.exports = {
  'every character, anywhere in a string or a name of any length': t => {
    for (const code of CODES) {
      const character = String.fromCodePoint(code)
      for (const length of [0, 1, 2, 3, 7, 8, SHORT - 1, SHORT, SHORT + 1, MIDDLE - 1, MIDDLE, MIDDLE + 1]) {
        const before = code % (length + 1)
        const text = 'x'.repeat(before) + character + 'y'.repeat(length - before)
        const doc = { s: text, list: [text, character], last: 1, [code === 0 ? 'n' : text]: 1 }
        const expected = JSON.stringify(doc)
        const bytes = encode(doc)
        assert.strictEqual(json.text(bytes), expected)
        assert.strictEqual(EJSON.fromBSON(bytes), expected)
        assert.strictEqual(EJSON.stringify(doc), expected)
      }
    }
    t.done()
  },

  'names in every order, and twice': t => {
    const random = seededRandom(48)
    for (let i = 0; i < 4000; i++) {
      const names = Array.from({ length: 1 + i % 9 }, () => pick(random, NAMES))
      const bytes = documentOf(names)
      assert.strictEqual(json.text(bytes), JSON.stringify(decode(bytes)), String(names))
    }
    t.done()
  }
}
