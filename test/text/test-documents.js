'use strict'

// Documents as text, straight from their bytes: JSON equals JSON.stringify on the decoded value, and Extended JSON
// equals EJSON.stringify, for documents of all kinds; alone, indented, and in a list.

const assert = require('node:assert')
const types = require('../../lib/types')
const json = require('../../lib/json')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { unhex } = require('../fixtures/bytes')
const { errorOf } = require('../fixtures/error-of')
const { many } = require('../fixtures/long')
const { seededRandom, randomDocument } = require('../fixtures/random-document')
const { valid } = require('../vectors')

const LOSSLESS = { promoteValues: false, bsonRegExp: true }
const INDENTS = [undefined, 3, '\t', 'ten chars.']

/** JSON, in each way. @param {Buffer} bytes */
function checkJSON(bytes) {
  const doc = decode(bytes)
  for (const indent of INDENTS) {
    const expected = JSON.stringify(doc, null, indent)
    assert.strictEqual(json.text(bytes, { indent }), expected)
    assert.strictEqual(json.bytes(bytes, { indent }).toString(), expected)
    assert.strictEqual(json.array([bytes, bytes], { indent }).toString(), JSON.stringify([doc, doc], null, indent))
    assert.strictEqual(json.lines([bytes, bytes], { indent }).toString(), `${expected}\n${expected}\n`)
  }
}

/** Extended JSON; the relaxed form tells 5.0 from 5. @param {Buffer} bytes */
function checkExtended(bytes) {
  const doc = decode(bytes, LOSSLESS)
  for (const indent of INDENTS) {
    const expected = EJSON.stringify(doc, { relaxed: false }, indent)
    assert.strictEqual(EJSON.fromBSON(bytes, { relaxed: false, space: indent }), expected)
  }
  assert.deepStrictEqual(JSON.parse(EJSON.fromBSON(bytes, { relaxed: true })), JSON.parse(EJSON.stringify(doc, { relaxed: true })))
}

/** Each length, and a character that needs escaping at each place. */
function strings() {
  const found = []
  for (let length = 0; length <= 40; length++) {
    const plain = 'abcdefghij'.repeat(4).slice(0, length)
    found.push(plain)
    for (const other of ['"', '\\', '\n', '\x01', 'é', '日', '😀']) {
      for (let at = 0; at < length; at += 3) found.push(plain.slice(0, at) + other + plain.slice(at + 1))
    }
  }
  return found
}

const DOCUMENTS = {
  'strings of each length': () => [{ list: strings() }, Object.fromEntries(strings().filter(Boolean).map((name, i) => [name, i]))],
  'arrays of numbers': () => [
    { a: Array.from({ length: 1200 }, (_, i) => i * i - 500) }, { a: Array.from({ length: 1200 }, (_, i) => i / 7) },
    { a: [1, 2, 0.5, 1, 'x', 2, null, 3, 3.5] }
  ],
  'int64': () => [{ a: [1n, -1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n, 256n, 0n] }],
  'names that are array indexes, and many': () => [
    { x: 0, 2: 'b', 1: { 9: 1, a: 2, 0: 3 } }, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`n${i * 7919 % 300}`, i]))
  ],
  'deep, with wide margins': () => [Array.from({ length: 60 }).reduce((inner, _, i) => ({ a: i % 2 ? [inner] : inner, b: 1 }), {})],
  'random': () => Array.from({ length: many(60, 150) }, (_, i) => randomDocument(seededRandom(i + 1), types))
}

module.exports = {
  'errors in a list say which document, and where in its buffer': t => {
    const good = encode({ a: 1 })
    const bad = Buffer.from(encode({ a: 'xyz' }))
    bad[bad.indexOf('yz')] = 0xff
    for (const [documents, offset] of [[[good, bad], 12], [Buffer.concat([good, bad]), 12 + good.length], [[bad], 12]]) {
      for (const list of [json.array, json.lines]) {
        const error = errorOf(() => list(documents))
        assert.deepStrictEqual([error.offset, error.path, error.document], [offset, 'a', documents.length === 1 ? 1 : 2])
      }
    }
    for (const wrong of [5, 'text', null, {}]) t.ok(errorOf(() => json.array(/** @type {any} */ (wrong))).message.includes('documents must be'), String(wrong))
    t.done()
  },

  'vectors': t => {
    for (const { hex, oneWay, options } of valid) if (oneWay !== 'encode' && !options) checkJSON(unhex(hex))
    t.done()
  },

  ...Object.fromEntries(Object.entries(DOCUMENTS).map(([name, make]) => [name, t => {
    for (const doc of make()) {
      const bytes = encode(doc)
      checkJSON(bytes)
      if (name !== 'random') checkExtended(bytes)
    }
    t.done()
  }]))
}
