'use strict'

// Bytes: decode against bson's deserialize, validate, and the way back.

const assert = require('node:assert')
const bson = require('bson')
const { decode, deserialize, encode, validate } = require('../../qbson')
const differences = require('../../test/differences')
const { attempt, checkPlace, checkSameOutcome, compareWithBson, outcome, sameOutcome } = require('../oracle')
const { validDocument, changed, readOptions } = require('../inputs')
const { smallerBytes, smallerObject, smallerIn } = require('../shrink')

/** Changes to one document in a round. */
const MUTANTS = 60

const LOSSLESS = { promoteValues: false, bsonRegExp: true }

const { decodeDifferences } = differences

/** deserialize reads as bson does what decode refuses in names and regular expressions. */
const STRICT = ['keys and patterns that are not UTF-8', 'unknown options']
const deserializeDifferences = decodeDifferences.filter(({ name }) => !STRICT.includes(name))

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  const other = validDocument(random)
  yield { bytes: document, options: readOptions(random) }
  for (let i = 0; i < MUTANTS; i++) yield { bytes: changed(random, document, other), options: readOptions(random) }
}

/** What is not UTF-8 may stand under a name that comes again, and so not in what bson gives: then deserialize agrees. */
const overwritten = lenient => ({
  name: 'what is not UTF-8 and is overwritten',
  explains: (ours, theirs) => ours.error?.message.startsWith('Invalid UTF-8 string') && sameOutcome(lenient, theirs)
})

/** Likewise a document that is not closed, which bson does not look into where documents are returned as bytes. */
const overwrittenRaw = options => ({
  name: 'a raw document that is not closed and is overwritten',
  explains: (ours, theirs) => {
    const isRaw = options?.raw || options?.fieldsAsRaw
    return isRaw && /^(Bad BSON Document: object not properly terminated|corrupted array bson)/.test(ours.error?.message) && 'value' in theirs
  }
})

/** @returns {string} what came out: for counting */
function check({ bytes, options }) {
  const copy = Buffer.from(bytes)
  const ours = attempt(() => decode(bytes, options))
  const theirs = outcome(() => bson.deserialize(bytes, options))
  const lenient = attempt(() => deserialize(bytes, options))
  compareWithBson(lenient, theirs, [...deserializeDifferences, overwrittenRaw(options)])
  const label = compareWithBson(ours, theirs, [...decodeDifferences, overwritten(lenient), overwrittenRaw(options)])
  if (ours.error) checkPlace(ours.error, bytes.length)
  if (!options?.raw && !options?.fieldsAsRaw && !options?.validation) checkValidate(bytes, options, ours)
  if (ours.value) checkWayBack(bytes, options)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return label
}

/** What decode takes is valid, and what it refuses is refused with the same words. */
function checkValidate(bytes, options, ours) {
  const validated = attempt(() => validate(bytes, options))
  assert.strictEqual(validated.error?.message, ours.error?.message, 'validate and decode')
}

/** What was read can be written, and then says the same again and again. Undefined in an array becomes null once. */
function checkWayBack(bytes, options) {
  if (options?.validation) return
  const { value } = attempt(() => decode(bytes, { ...options, ...LOSSLESS, useBigInt64: false, raw: false, fieldsAsRaw: undefined }))
  if (value === undefined) return
  const { value: written, error } = attempt(() => encode(value))
  if (error && /Invalid (Date|Vector)/.test(error.message)) return // nor does bson write them
  assert.ok(!error, `what was read can't be written: ${error?.message}`)
  const again = attempt(() => encode(decode(written, LOSSLESS)))
  checkSameOutcome(again, { value: written }, 'written, read and written again')
}

const smaller = input => smallerIn(input, { options: smallerObject, bytes: smallerBytes })

module.exports = { name: 'decode', rounds: 3500, inputs, check, smaller }
