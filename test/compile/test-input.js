'use strict'

// Strings that a codec reads: of each length, and with a non-ASCII character or an invalid byte at each place.

const assert = require('node:assert')
const { compile } = require('../../lib/compile')
const { decode } = require('../../lib/decode/decode')
const { encode } = require('../../lib/encode/encode')
const { many } = require('../fixtures/long')
const { outcome, told } = require('../fixtures/outcome')

const codec = compile({ properties: { first: {}, b: { bsonType: 'string' }, a: { bsonType: 'string' }, c: { bsonType: 'string' } } })
const LENGTHS = [...Array(50).keys(), 63, 64, 65, 66, 67, 100, 200, 300]
const OTHERS = ['é', '日', '😀'].map(text => Buffer.from(text))
const AROUND = Buffer.alloc(5000)
const WRONG = [0x80, 0xc2, 0xe0, 0xff].map(byte => Buffer.of(byte))

/** Reads as decode does: the string alone, and between others. @param {Buffer} text */
function checkSame(text) {
  for (const [first, b, after] of [['', '', ''], ['abc', 'x'.repeat(100), 'x'.repeat(300)]]) { // b before a, and after it
    const bytes = encode({ first, b, a: '#'.repeat(text.length), c: after })
    text.copy(bytes, bytes.indexOf('\x02a\0') + 7)
    for (const given of [bytes, Buffer.concat([AROUND, bytes, AROUND]).subarray(5000, 5000 + bytes.length)]) {
      const [own, expected] = [codec.decode, decode].map(read => told(outcome(() => read(given))))
      assert.strictEqual(own, expected, text.toString('hex'))
    }
  }
}

module.exports = {
  'of each length, with one other character at each place': t => {
    for (const length of LENGTHS) {
      const plain = Buffer.from('abcdefghij'.repeat(30).slice(0, length))
      checkSame(plain)
      for (const other of [...OTHERS, ...WRONG]) {
        for (let at = 0; at + other.length <= length; at += length < 20 || length === 40 ? 1 : length > 70 ? many(29, 13) : many(9, 5)) {
          const text = Buffer.from(plain)
          other.copy(text, at)
          checkSame(text)
        }
      }
    }
    t.done()
  }
}
