'use strict'

// Values: encode against bson's serialize byte for byte, and codecs that have learned from such values against one that
// learns nothing; then a value with a few changed fields, for which what was learned is wrong.

const assert = require('node:assert')
const bson = require('bson')
const fc = require('fast-check')
const qbson = require('../../qbson')
const { generic, learningCodec } = require('../../test/fixtures/codecs')
const { encodeDifferences } = require('../../test/differences')
const { build, document, edits, edit } = require('../specs')
const { attempt, checkSameOutcome, compareWithBson, outcome } = require('../oracle')
const { smallerIn, smallerList } = require('../shrink')

const LESSONS = 30
const LESSONS_FRESH = 1500

const flag = fc.constantFrom(undefined, true, false)
const options = fc.option(fc.record({ ignoreUndefined: flag, serializeFunctions: flag, checkKeys: flag }), { nil: undefined })
const arbitrary = fc.record({ document, edits, options })

/** The codecs are replaced after this many values, so that a failing input can list all values before it. */
const TAUGHT = 500

let codecs = [learningCodec(true), learningCodec(false)]
let taught = []

/** @returns {string} */
function check(input) {
  if (taught.length >= TAUGHT) {
    codecs = [learningCodec(true), learningCodec(false)]
    taught = []
  }
  const label = checkWith(input, LESSONS)
  taught.push({ document: input.document, options: input.options })
  return label
}

/** Checks an input by itself, or after those in `before`. */
function checkAlone({ before = [], ...input }) {
  codecs = [learningCodec(true), learningCodec(false)]
  taught = []
  for (const { document: spec, options: given } of before) teach(spec, given, LESSONS)
  return checkWith(input, before.length === 0 ? LESSONS_FRESH : LESSONS)
}

function teach(spec, given, lessons) {
  const lesson = build(spec, qbson)
  for (const codec of codecs) for (let i = 0; i < lessons; i++) outcome(() => codec.encode(lesson, given))
}

function checkWith({ document: spec, edits: changes = [], options: given }, lessons) {
  teach(spec, given, lessons)
  checkValue(spec, given)
  return checkValue(edit(spec, changes), given)
}

function checkValue(spec, given) {
  const make = types => build(spec, types)
  const plain = attempt(() => generic.encode(make(qbson), given))
  const theirs = outcome(() => Buffer.from(bson.serialize(make(bson), given)))
  const label = compareWithBson(plain, theirs, encodeDifferences)
  for (const codec of codecs) checkSameOutcome(attempt(() => codec.encode(make(qbson), given)), plain, `${codec.name} and generic encode`)
  checkSameOutcome(attempt(() => generic.encode(make(bson), given)), plain, 'classes of bson and our own')
  if (plain.value) checkSizes(make, given, plain.value)
  return label
}

/** Checks that sizeOf and encodeInto agree with encode, and that nothing outside the document is written. */
function checkSizes(make, given, bytes) {
  assert.strictEqual(qbson.sizeOf(make(qbson), given), bytes.length, 'sizeOf')
  for (const codec of codecs) {
    const target = Buffer.alloc(bytes.length + 40, 0xee)
    assert.strictEqual(codec.encodeInto(make(qbson), target, 7, given), 7 + bytes.length)
    assert.ok(target.subarray(7, 7 + bytes.length).equals(bytes), `${codec.name} encodeInto`)
    const beside = Buffer.concat([target.subarray(0, 7), target.subarray(7 + bytes.length)])
    assert.ok(beside.every(byte => byte === 0xee), `${codec.name} encodeInto wrote beside the document`)
  }
}

/** The input with all values before it, in case it does not fail without them. */
const withHistory = input => ({ ...input, before: taught })

const smaller = input => smallerIn(input, { before: list => smallerList(list ?? []) })

module.exports = { name: 'encode', rounds: 50, arbitrary, check, checkAlone, withHistory, smaller }
