'use strict'

// Mutated small documents in large numbers: compares decode that has learned, decode that learns nothing, and bson.
// One in THOROUGH mutants also goes through the checks of `decode` and `learned`.

const bson = require('bson')
const { BSONError } = require('../../qbson')
const { generic, learningCodec } = require('../../test/fixtures/codecs')
const { decodeDifferences } = require('../../test/differences')
const { randomDocument } = require('../../test/fixtures/random-document')
const { checkSameOutcome, sameOutcome } = require('../oracle')
const { VECTORS, below, pick, readOptions } = require('../inputs')
const { Mutator } = require('../mutants')
const { same } = require('../same')
const { smallerBytes, smallerList, smallerObject, smallerIn } = require('../shrink')
const decodeTarget = require('./decode')
const learnedTarget = require('./learned')

/** Mutants of one document in a round. */
const MUTANTS = 1000

/** How often the document is read first, and after how many documents the codec is replaced. */
const LESSONS = 40
const TAUGHT = 300

/** One in this many mutants is checked in every way, and one in CLOSER errors is compared in full. */
const THOROUGH = 400
const CLOSER = 8

/** The most bytes of a document, and of a mutant. */
const SMALL = 80
const LARGEST = 160

const mutator = new Mutator(LARGEST)

let codec
/** The documents that the codec has read, without the mutants. @type {Uint8Array[]} */
let taught = []

function smallDocument(random) {
  for (;;) {
    const bytes = random() < 0.2 ? pick(random, VECTORS) : Buffer.from(bson.serialize(randomDocument(random, bson, below(random, 3))))
    if (bytes.length <= SMALL) return bytes
  }
}

/** @param {() => number} random */
function* inputs(random) {
  if (codec === undefined || taught.length >= TAUGHT) {
    codec = learningCodec(true)
    taught = []
  }
  const document = smallDocument(random)
  taught.push(document)
  for (let i = 0; i < LESSONS; i++) codec.decode(document)
  const other = pick(random, taught)
  const choices = [undefined, undefined, readOptions(random), readOptions(random)]
  const input = { bytes: document, options: undefined, living: true, isThorough: true, isCloser: true }
  yield input
  for (let i = 0; i < MUTANTS; i++) {
    input.bytes = mutator.mutate(random, document, other)
    input.options = pick(random, choices)
    input.isThorough = below(random, THOROUGH) === 0
    input.isCloser = input.isThorough || below(random, CLOSER) === 0
    yield input
  }
}

/** The value or error of a call, in an object that is reused. */
function run(result, decode, bytes, options) {
  result.value = result.error = undefined
  try {
    result.value = decode(bytes, options)
  } catch (error) {
    result.error = error
  }
}

const ours = {}
const plain = {}
const theirs = {}

/** @returns {string} */
function check(input) {
  if (!input.living) return checkAlone(input)
  const { bytes, options, isThorough, isCloser } = input
  run(ours, codec.decode, bytes, options)
  run(theirs, bson.deserialize, bytes, options)
  if (ours.error && !(ours.error instanceof BSONError)) throw new Error(`not a BSONError but ${ours.error.name}: ${ours.error.message}`)
  // throwing and locating an error takes ten times as long as reading the document
  if (ours.error && theirs.error && !isCloser) return 'both err'
  run(plain, generic.decode, bytes, options)
  if (!sameOutcome(ours, plain)) checkSameOutcome(ours, plain, 'learned and generic decode')
  if (!isThorough && isAlike()) return ours.error ? 'both err' : 'same'
  if (!isThorough) return decodeDifferences.find(({ explains }) => explains(ours, theirs))?.name ?? decodeTarget.check(input)
  if (ours.value) checkSameOutcome(written(codec, ours.value), written(generic, plain.value), 'learned and generic encode')
  return decodeTarget.check(input)
}

/** Whether bson agrees with decode. */
function isAlike() {
  return ours.error ? theirs.error !== undefined : !theirs.error && same(plain.value, theirs.value)
}

function written({ encode }, value) {
  const result = {}
  run(result, encode, value)
  return result
}

/** Checks an input by itself, after the documents that the codec had learned from. */
function checkAlone({ train = [], bytes, options }) {
  learnedTarget.check({ train, bytes, options })
  return decodeTarget.check({ bytes, options })
}

/** Copies an input that failed, because the memory of a mutant is reused. */
const alone = ({ bytes, options }) => ({ train: [...taught], bytes: Buffer.from(bytes), options })

const smaller = input => smallerIn(input, { train: smallerList, options: smallerObject, bytes: smallerBytes })

module.exports = { name: 'mutants', rounds: 1400, inputs, check, checkAlone, smaller, alone }
