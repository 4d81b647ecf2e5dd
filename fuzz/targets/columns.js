'use strict'

// Columns against decode: a collection of valid and mutated documents becomes a table of those that decode accepts,
// with the values that decode returns.

const assert = require('node:assert')
const { decode } = require('../../qbson')
const { columns } = require('../../lib/columns')
const { told, assertLayout } = require('../../test/fixtures/columns')
const { attempt } = require('../oracle')
const { validDocument, changed, below } = require('../inputs')
const { smallerList, smallerIn } = require('../shrink')

/** The most documents in a collection. */
const MOST = 5

/** @param {() => number} random */
function* inputs(random) {
  const valid = Array.from({ length: 1 + below(random, MOST) }, () => validDocument(random))
  for (let i = 0; i < 20; i++) {
    const documents = valid.map(document => (random() < 0.6 ? document : framed(changed(random, document, document))))
    const wrong = { document: below(random, valid.length), length: below(random, 20) - 5 }
    yield { documents, chunks: random() < 0.25 ? { size: 1 + below(random, 2000), wrong } : null }
  }
}

/** Corrects the length, so that the documents after it are found. */
function framed(document) {
  if (document.length >= 5 && document.readInt32LE() === document.length) return document
  const bytes = document.length < 5 ? Buffer.alloc(5) : Buffer.from(document)
  bytes.writeInt32LE(bytes.length)
  return bytes
}

/** The result of decode for each document, since documents recur in the inputs of a round. */
const known = new WeakMap()

/** @param {Buffer} document @returns {{error?: any, text?: string}} */
function decoded(document) {
  if (known.has(document)) return known.get(document)
  const { value, error } = attempt(() => decode(document))
  const result = error ? { error } : { text: told(value) }
  known.set(document, result)
  return result
}

/** @returns {Promise<string>} */
async function check({ documents, chunks }) {
  const framedOnes = documents.map(framed)
  const bytes = Buffer.concat(framedOnes)
  const copy = Buffer.from(bytes)
  const expected = framedOnes.map(decoded)
  const good = expected.filter(({ error }) => !error).map(({ text }) => text)
  const rejected = []
  const { value: table, error } = attempt(() => columns(bytes, { reject: fault => rejected.push(fault.document) }))
  if (error) {
    assert.ok(/more than 10000 columns/.test(error.message), error.stack)
    return 'too many columns'
  }
  assert.deepStrictEqual([...table].map(told), good)
  assert.deepStrictEqual(rejected, expected.flatMap((result, i) => (result.error ? [i + 1] : [])))
  assert.deepStrictEqual(table.report.mismatches, [])
  assertLayout(table.inner)
  checkStrict(bytes, expected)
  if (chunks) await checkChunks(framedOnes, chunks)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return good.length === documents.length ? 'all good' : 'some good'
}

/** If no documents may be left out, the first broken one is the error. */
function checkStrict(bytes, expected) {
  const first = expected.findIndex(({ error }) => error)
  if (first === -1) return
  const { value, error } = attempt(() => columns(bytes))
  assert.strictEqual(error?.document, first + 1, `${error?.stack ?? value}`)
}

/** Chunks of a stream give what all bytes at once give, also if a document says a wrong length. */
async function checkChunks(list, { size, wrong: { document, length } }) {
  const bytes = Buffer.concat(list)
  if (document < list.length) bytes.writeInt32LE(length, Buffer.concat(list.slice(0, document)).length)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
  const [whole, parts] = [[], []]
  const table = columns(bytes, { reject: fault => whole.push(fault.message) })
  const rows = []
  for await (const each of columns(chunks.values(), { reject: fault => parts.push(fault.message) })) rows.push(...each)
  assert.deepStrictEqual(rows.map(told), [...table].map(told))
  assert.deepStrictEqual(parts, whole)
}

const smaller = input => smallerIn(input, { documents: smallerList })

module.exports = { name: 'columns', rounds: 400, inputs, check, smaller }
