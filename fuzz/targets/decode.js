'use strict'

// Bytes: decode against bson's deserialize and against validate, and encoding the result again.

const assert = require('node:assert')
const bson = require('bson')
const { DBRef, decode, deserialize, encode, validate } = require('../../qbson')
const differences = require('../../test/differences')
const { attempt, checkPlace, checkSameOutcome, compareWithBson, outcome, sameOutcome } = require('../oracle')
const { validDocument, changed, readOptions } = require('../inputs')
const { smallerBytes, smallerObject, smallerIn } = require('../shrink')

/** Mutants of one document in a round. */
const MUTANTS = 60

const LOSSLESS = { promoteValues: false, bsonRegExp: true }

const { decodeDifferences } = differences

/** Names and regular expressions that decode refuses, but deserialize reads as bson does. */
const STRICT = ['keys and patterns that are not UTF-8', 'unknown options']
const deserializeDifferences = decodeDifferences.filter(({ name }) => !STRICT.includes(name))

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  const other = validDocument(random)
  yield { bytes: document, options: readOptions(random) }
  for (let i = 0; i < MUTANTS; i++) yield { bytes: changed(random, document, other), options: readOptions(random) }
}

/** Invalid UTF-8 under a duplicate name is missing in bson's result; deserialize then agrees with bson. */
const overwritten = lenient => ({
  name: 'what is not UTF-8 and is overwritten',
  explains: (ours, theirs) => ours.error?.message.startsWith('Invalid UTF-8 string') && sameOutcome(lenient, theirs)
})

/** Likewise an unterminated document, which bson does not look into when it returns documents as bytes. */
const overwrittenRaw = options => ({
  name: 'a raw document that is not closed and is overwritten',
  explains: (ours, theirs) => {
    const isRaw = options?.raw || options?.fieldsAsRaw
    return isRaw && /^(Bad BSON Document: object not properly terminated|corrupted array bson)/.test(ours.error?.message) && 'value' in theirs
  }
})

/** @returns {string} the outcome, for counting */
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

/** Checks that validate accepts what decode accepts, and refuses the rest with the same message. */
function checkValidate(bytes, options, ours) {
  const validated = attempt(() => validate(bytes, options))
  assert.strictEqual(validated.error?.message, ours.error?.message, 'validate and decode')
}

/** Checks that a decoded value can be encoded and then stays the same. Undefined in an array becomes null once. */
function checkWayBack(bytes, options) {
  if (options?.validation) return
  const { value } = attempt(() => decode(bytes, { ...options, ...LOSSLESS, useBigInt64: false, raw: false, fieldsAsRaw: undefined }))
  if (value === undefined) return
  const { value: written, error } = attempt(() => encode(value))
  if (error && (value instanceof DBRef || /Invalid (Date|Vector)/.test(error.message))) return // bson does not write them either
  assert.ok(!error, `what was read can't be written: ${error?.message}`)
  const again = attempt(() => encode(decode(written, LOSSLESS)))
  checkSameOutcome(again, { value: written }, 'written, read and written again')
}

const smaller = input => smallerIn(input, { options: smallerObject, bytes: smallerBytes })

module.exports = { name: 'decode', rounds: 3500, inputs, check, smaller }
