'use strict'

// Extended JSON: text straight from bytes and back against the way through objects, and parse against bson's.

const assert = require('node:assert')
const bson = require('bson')
const { EJSON, decode, encode } = require('../../qbson')
const { describe } = require('../../test/fixtures/describe')
const { parseDifferences } = require('../../test/differences')
const { attempt, brief, outcome } = require('../oracle')
const { validDocument, changed, pick, below } = require('../inputs')
const { smallerBytes, smallerObject, smallerIn } = require('../shrink')
const { same } = require('../same')

const MODES = [undefined, { relaxed: false }, { legacy: true }, { legacy: true, relaxed: false }, { relaxed: false, space: 2 }]

const LOSSLESS = { promoteValues: false, bsonRegExp: true }

/** Pieces with a meaning in Extended JSON. */
const PIECES = [
  '{', '}', '[', ']', ',', ':', '"', '\\', '\\u0000', '\\ud800', 'null', 'true', '-', '0', '1', '9', '.', 'e', '1e400', '-0', '0.1',
  '9007199254740993', '9223372036854775808', '"$oid"', '"$date"', '"$numberInt"', '"$numberLong"', '"$numberDouble"', '"$numberDecimal"',
  '"$binary"', '"$type"', '"base64"', '"subType"', '"$uuid"', '"$timestamp"', '"t"', '"i"', '"$regularExpression"', '"pattern"',
  '"options"', '"$regex"', '"$options"', '"$symbol"', '"$code"', '"$scope"', '"$ref"', '"$id"', '"$db"', '"$dbPointer"', '"$undefined"',
  '"$minKey"', '"$maxKey"', '"__proto__"', '"a"', '"1"', 'NaN', '1'.repeat(40), ' ', '\n', 'é', '😀'
]

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  const bytesMode = pick(random, MODES)
  yield { bytes: document, options: bytesMode, valid: true }
  for (let i = 0; i < 15; i++) yield { bytes: changed(random, document, document), options: pick(random, MODES) }
  const { value: text = '{"a":1}' } = outcome(() => EJSON.fromBSON(document, pick(random, MODES)))
  for (let i = 0; i < 40; i++) yield { text: changedText(random, text), options: pick(random, MODES) }
}

function changedText(random, text) {
  for (let i = 1 + below(random, 3); i > 0; i--) {
    const start = below(random, text.length + 1)
    const end = random() < 0.5 ? start : start + below(random, 12)
    text = text.slice(0, start) + (random() < 0.8 ? pick(random, PIECES) : '') + text.slice(end)
  }
  return text
}

/** @returns {string} */
function check(input) {
  return input.text === undefined ? checkBytes(input) : checkText(input)
}

/** Checks that text from bytes equals stringify of the decoded value, key by key, and that valid bytes come back. */
function checkBytes({ bytes, options, valid }) {
  const copy = Buffer.from(bytes)
  const direct = attempt(() => EJSON.fromBSON(bytes, options))
  const read = attempt(() => decode(bytes, LOSSLESS))
  assert.strictEqual(direct.error?.message, read.error?.message, 'fromBSON and decode')
  assert.ok(copy.equals(bytes), 'the input was changed')
  if (read.error) return 'both err'
  const { space, ...mode } = options ?? {}
  const written = attempt(() => EJSON.stringify(read.value, mode, space))
  // except what JavaScript values cannot hold: decode makes a DBRef of a document that looks like one, null of undefined
  // in an array, and an invalid Date of a date outside its range
  if (!written.error && !/\$ref|\$undefined/.test(direct.value) && !/"\$numberLong":\s*"?NaN/.test(written.value)) {
    assert.ok(same(JSON.parse(direct.value), JSON.parse(written.value)), `fromBSON and stringify\n  ${direct.value}\n  ${written.value}`)
  }
  if (valid) {
    const text = EJSON.fromBSON(bytes, { relaxed: false })
    assert.strictEqual(EJSON.fromBSON(EJSON.toBSON(text), { relaxed: false }), text, 'there and back')
  }
  return 'same'
}

const isSyntax = error => error instanceof SyntaxError

function checkText({ text, options }) {
  const parsed = attempt(() => EJSON.parse(text, options), isSyntax)
  const bytes = attempt(() => EJSON.toBSON(text, options), isSyntax)
  if (bytes.value) attempt(() => decode(bytes.value))
  if (parsed.error) return 'error'
  compareParsed(parsed, outcome(() => bson.EJSON.parse(text, options)), text)
  const written = attempt(() => EJSON.stringify(parsed.value, options))
  if (typeof parsed.value === 'object' && parsed.value !== null) attempt(() => encode(parsed.value))
  if (written.error || !bytes.value || Array.isArray(parsed.value)) return 'value'
  return 'value and bytes'
}

/** Checks that texts that both accept become the same value, except for the listed differences. */
function compareParsed(ours, theirs, text) {
  if (theirs.error || same(ours.value, theirs.value)) return
  if (parseDifferences.some(({ explains }) => explains(ours, theirs, text))) return
  const [one, other] = [ours, theirs].map(({ value }) => describe(value, rounded))
  if (one.includes('"$regex"')) return // a query with more than a regular expression stays a query: see test-ejson-parse.js
  if (one !== other) throw new Error(`ours ${brief(ours)}\n  bson ${brief(theirs)}`)
}

const NUMBERS = ['Long', 'Double', 'Int32', 'Timestamp']

function rounded(value) {
  if (typeof value === 'number' || typeof value === 'bigint') return String(Number(value) + 0)
  return NUMBERS.includes(value?._bsontype) ? String(Number(value) + 0) : undefined
}

function* smallerText(text) {
  if (text === undefined) return
  for (let size = text.length >> 1; size >= 1; size >>= 1) {
    for (let start = 0; start < text.length; start += size) yield text.slice(0, start) + text.slice(start + size)
  }
}

const smaller = input => smallerIn(input, {
  options: smallerObject, text: smallerText, bytes: bytes => bytes === undefined ? [] : smallerBytes(bytes)
})

module.exports = { name: 'ejson', rounds: 5000, inputs, check, smaller }
