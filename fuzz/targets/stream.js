'use strict'

// Concatenated documents: the documents and the error do not depend on the chunks, nor on the way of reading.

const assert = require('node:assert')
const { documents, documentStream, createDecodeStream, BSONError } = require('../../qbson')
const { attempt, brief, sameOutcome } = require('../oracle')
const { validDocument, changed, readOptions, below } = require('../inputs')
const { smallerBytes, smallerList, smallerObject, smallerIn } = require('../shrink')
const { same } = require('../same')

/** @param {() => number} random */
function* inputs(random) {
  const list = Array.from({ length: 1 + below(random, 5) }, () => validDocument(random))
  const whole = Buffer.concat(list)
  for (let i = 0; i < 20; i++) {
    const parts = i === 0 ? list : list.map(bytes => random() < 0.3 ? changed(random, bytes, whole) : bytes)
    const bytes = Buffer.concat(parts)
    const cuts = Array.from({ length: below(random, 7) }, () => below(random, bytes.length + 1))
    const { allowObjectSmallerThanBufferSize, ...options } = readOptions(random) ?? {}
    void allowObjectSmallerThanBufferSize
    yield { bytes, cuts, options: random() < 0.1 ? { ...options, bytes: true } : options }
  }
}

function chunksOf(bytes, cuts) {
  const ends = [...cuts.filter(cut => cut <= bytes.length)].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
}

/** The values that were read, and the final error. */
async function gather(source) {
  const values = []
  try {
    for await (const value of source) values.push(value)
    return { values, error: undefined }
  } catch (error) {
    assert.ok(error instanceof BSONError, `not a BSONError but ${error?.stack}`)
    return { values, error }
  }
}

function gatherNow(bytes, options) {
  const values = []
  const { error } = attempt(() => {
    for (const value of documents(bytes, options)) values.push(value)
  })
  return { values, error }
}

/** @returns {Promise<string>} */
async function check({ bytes, cuts, options }) {
  const copy = Buffer.from(bytes)
  const whole = gatherNow(bytes, options)
  const chunks = chunksOf(bytes, cuts)
  await compare(whole, documentStream(chunks, options), 'documentStream')
  await compare(whole, transformed(chunks, options), 'createDecodeStream')
  assert.ok(copy.equals(bytes), 'the input was changed')
  return whole.error ? 'error' : 'documents'
}

function transformed(chunks, options) {
  const stream = createDecodeStream(options)
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  return stream
}

async function compare(whole, source, name) {
  const parts = await gather(source)
  assert.ok(sameOutcome({ error: parts.error }, { error: whole.error }), `${name}: ${brief(parts)} / ${brief(whole)}`)
  assert.strictEqual(parts.error?.document, whole.error?.document, name)
  // a destroyed stream may have dropped queued documents
  const count = Math.min(parts.values.length, whole.values.length)
  assert.ok(whole.error || parts.values.length === whole.values.length, `${name}: ${parts.values.length} of ${whole.values.length}`)
  assert.ok(same(parts.values.slice(0, count), whole.values.slice(0, count)), name)
}

const smaller = input => smallerIn(input, { options: smallerObject, cuts: smallerList, bytes: smallerBytes })

module.exports = { name: 'stream', rounds: 4000, inputs, check, smaller }
