'use strict'

// Columns against decode: a collection of valid and of changed documents becomes a table of those that decode takes, each
// of them as decode gives it.

const assert = require('node:assert')
const { decode } = require('../../qbson')
const { columns } = require('../../lib/columns')
const { told, assertLayout } = require('../../test/fixtures/columns')
const { attempt } = require('../oracle')
const { validDocument, changed, below } = require('../inputs')
const { smallerList, smallerIn } = require('../shrink')

/** Documents of a collection. */
const MOST = 8

/** @param {() => number} random */
function* inputs(random) {
  const valid = Array.from({ length: 1 + below(random, MOST) }, () => validDocument(random))
  for (let i = 0; i < 20; i++) {
    const documents = valid.map(document => (random() < 0.6 ? document : framed(changed(random, document, document))))
    yield { documents }
  }
}

/** A length that agrees, for the documents behind it to be found. */
function framed(document) {
  const bytes = document.length < 5 ? Buffer.alloc(5) : Buffer.from(document)
  bytes.writeInt32LE(bytes.length)
  return bytes
}

/** @returns {string} */
function check({ documents }) {
  const framedOnes = documents.map(framed)
  const bytes = Buffer.concat(framedOnes)
  const copy = Buffer.from(bytes)
  const decoded = framedOnes.map(document => attempt(() => decode(document)))
  const good = decoded.filter(({ error }) => !error).map(({ value }) => told(value))
  const rejected = []
  const { value: table, error } = attempt(() => columns(bytes, { reject: fault => rejected.push(fault.document) }))
  if (error) {
    assert.ok(/more than 10000 columns/.test(error.message), error.stack)
    return 'too many columns'
  }
  assert.deepStrictEqual([...table].map(told), good)
  assert.deepStrictEqual(rejected, decoded.flatMap((result, i) => (result.error ? [i + 1] : [])))
  assert.deepStrictEqual(table.report.misfits, [])
  assertLayout(table.inner)
  checkStrict(bytes, decoded)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return good.length === documents.length ? 'all good' : 'some good'
}

/** Without leaving anything out the first broken document is the error. */
function checkStrict(bytes, decoded) {
  const first = decoded.findIndex(({ error }) => error)
  const { value, error } = attempt(() => columns(bytes))
  if (first === -1) assert.ok(!error, `${error?.stack}`)
  else assert.strictEqual(error?.document, first + 1, `${error?.stack ?? value}`)
}

const smaller = input => smallerIn(input, { documents: smallerList })

module.exports = { name: 'columns', rounds: 400, inputs, check, smaller }
