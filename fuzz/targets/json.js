'use strict'

// JSON straight from bytes: the same text or error as through decoded objects, in whatever chunks the documents arrive.

const assert = require('node:assert')
const json = require('../../lib/json')
const { decode } = require('../../qbson')
const { attempt, checkSameOutcome } = require('../oracle')
const { validDocument, changed, below, pick } = require('../inputs')
const { smallerBytes, smallerList, smallerObject, smallerIn } = require('../shrink')

const OPTIONS = {
  int64: ['number', 'string', 'double', 5], objectId: ['hex', 'extended'], date: ['iso', 'number'], decimal: ['extended', 'string'],
  binary: ['base64', 'extended'], indent: [0, 2, '\t', 20], validation: [{ utf8: false }, { utf8: true }, { utf8: { a: false } }],
  maxDepth: [1, 2, 3, 1.5, null]
}

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  const other = validDocument(random)
  for (let i = 0; i < 40; i++) {
    const given = Object.entries(OPTIONS).filter(() => random() < 0.15)
    const options = Object.fromEntries(given.map(([name, values]) => [name, pick(random, values)]))
    const bytes = random() < 0.4 ? document : changed(random, document, other)
    const cuts = Array.from({ length: below(random, 4) }, () => below(random, 2 * bytes.length + 1))
    yield { bytes, options, cuts }
  }
}

/** The result of JSON.stringify on the objects. */
function expected(bytes, { indent, validation, maxDepth }) {
  return attempt(() => JSON.stringify(decode(bytes, { validation, maxDepth }), null, indent))
}

/** @returns {Promise<string>} */
async function check({ bytes, options, cuts }) {
  const copy = Buffer.from(bytes)
  const text = attempt(() => json.text(bytes, options))
  const plain = Object.keys(options).every(name => ['indent', 'validation', 'maxDepth'].includes(name))
  const objects = expected(bytes, options)
  if (plain) checkSameOutcome(text, objects, 'json.text and JSON.stringify of decode')
  else if (text.value !== undefined) JSON.parse(text.value)
  checkSameOutcome(attempt(() => json.bytes(bytes, options).toString()), text, 'json.bytes and json.text')
  if (bytes.length >= 4 && bytes.readInt32LE(0) === bytes.length) await checkLists(bytes, options, cuts, text)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return text.error ? 'refused' : plain ? 'same' : 'JSON'
}

/** Checks the document twice in a row: as an array and as lines, at once and in pieces. */
async function checkLists(bytes, options, cuts, text) {
  const two = Buffer.concat([bytes, bytes])
  const lines = attempt(() => json.lines(two, options).toString())
  assert.strictEqual(lines.error === undefined, text.error === undefined, `${lines.error} / ${text.error}`)
  if (text.error) return
  assert.strictEqual(lines.value, `${text.value}\n${text.value}\n`)
  assert.deepStrictEqual(JSON.parse(json.array(two, options).toString()), [text.value, text.value].map(one => JSON.parse(one)))
  const stream = json.lineStream(options)
  const ends = [...cuts.filter(cut => cut < two.length)].sort((a, b) => a - b)
  for (const [i, end] of [...ends, two.length].entries()) stream.write(two.subarray(i === 0 ? 0 : ends[i - 1], end))
  stream.end()
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  assert.strictEqual(Buffer.concat(pieces).toString(), lines.value)
}

const smaller = input => smallerIn(input, { options: smallerObject, cuts: smallerList, bytes: smallerBytes })

module.exports = { name: 'json', rounds: 2000, inputs, check, smaller }
