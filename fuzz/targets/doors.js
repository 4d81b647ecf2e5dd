'use strict'

// Every way to read bytes and to write values gives one answer: the doors of test/doors, with generated documents, and
// bson. What is known to differ (test/fixtures/doors-reasons.js) is recognised by what the document holds.

const assert = require('node:assert')
const bson = require('bson')
const q = require('../../qbson')
const compile = require('../../lib/compile')
const json = require('../../lib/json')
const { CLOSED, REFUSED, readDoors, writeDoors } = require('../../test/fixtures/doors')
const { outcome } = require('../oracle')
const { validDocument, changed } = require('../inputs')
const { smallerBytes, smallerIn } = require('../shrink')

const library = { q, compile, json }
const EXACT = { promoteValues: false, bsonRegExp: true }

/** Doors that read any bytes alike. */
const READERS = ['deserialize', 'validate', 'decode with the default options', 'RawDocument.toObject', 'codec.decode', 'json.text']

/** Doors through text, which cannot tell a document from the form of a value. */
const TEXTS = ['EJSON.fromBSON, parse', 'EJSON.fromBSON, toBSON']

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  yield { bytes: document, valid: true }
  for (let i = 0; i < 12; i++) yield { bytes: changed(random, document, document) }
}

/** @returns {string} */
function check({ bytes, valid }) {
  const doors = readDoors(library, bytes)
  const isRegular = doors['decode, encode'] === doors.decode
  const text = doors.decode === REFUSED ? '' : q.EJSON.fromBSON(bytes, { relaxed: false })
  for (const [door, answer] of Object.entries(doors)) {
    if (answer === doors.decode || answer === CLOSED || (!isRegular && !READERS.includes(door))) continue
    if (doors.decode === REFUSED ? door === 'deserialize' : isKnown(door, bytes, text)) continue
    assert.strictEqual(answer, doors.decode, door)
  }
  if (doors.decode === REFUSED) return 'refused'
  if (!isRegular) return 'not as written'
  if (valid) checkFields(bytes, text)
  return 'regular'
}

/** @param {Uint8Array} bytes @param {string} text canonical, of them */
function isKnown(door, bytes, text) {
  const hasDollar = bytes.includes(0x24) // a name may be that of a type
  return TEXTS.includes(door) ? hasDollar || text.includes('"$numberDecimal"') : hasDollar && door === 'RawDocument.get'
}

/** Each field by every way to write, and the whole by bson. */
function checkFields(bytes, text) {
  for (const value of Object.values(q.decode(bytes, EXACT)).slice(0, 3)) {
    const doors = writeDoors(library, () => value)
    for (const [door, answer] of Object.entries(doors)) {
      if (answer === CLOSED || door === 'EJSON.stringify, relaxed' || (value === undefined && /^(EJSON|RawD)/.test(door))) continue
      if ((bytes.includes(0x24) || /"\$numberDecimal"/.test(text)) && door.startsWith('EJSON')) continue
      assert.strictEqual(answer, doors.encode, door)
    }
  }
  if (/"\$ref"|"\$code"|_bsontype/.test(text)) return
  const { value } = outcome(() => bson.serialize(bson.deserialize(bytes, EXACT)))
  if (value !== undefined) assert.strictEqual(Buffer.from(value).toString('hex'), bytes.toString('hex'), 'bson')
}

const smaller = input => smallerIn(input, { bytes: smallerBytes })

module.exports = { name: 'doors', rounds: 1200, inputs, check, smaller }
