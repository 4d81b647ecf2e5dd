'use strict'

// Valid documents in large numbers, random or of one shape: encode and decode against bson, learned against generic.

const bson = require('bson')
const qbson = require('../../qbson')
const { generic, learningCodec } = require('../../test/fixtures/codecs')
const { below, randomDocument, randomKey, randomValue, setOwn } = require('../../test/fixtures/random-document')
const { encodeDifferences, decodeDifferences } = require('../../test/differences')
const { checkSameOutcome, compareWithBson, outcome } = require('../oracle')
const { seededRandom } = require('../inputs')

/** Documents per round; they have one shape, except in one of VARIED rounds. */
const DOCUMENTS = 1000
const VARIED = 10

/** The codec is replaced after this many rounds. */
const ROUNDS = 100

/** One in this many fields has another type than the shape, or is left out. */
const ODD_FIELD = 40

/** Options of decode that preserve every value. */
const LOSSLESS = { promoteValues: false, bsonRegExp: true }

let codec
let rounds = 0

/** The documents of a round are made from its seed and their number, with the classes of either library. @param {() => number} random */
function* inputs(random) {
  if (codec === undefined || ++rounds % ROUNDS === 0) codec = learningCodec(true)
  const shape = below(random, VARIED) === 0 ? undefined : below(random, 2 ** 32)
  for (let i = 0; i < DOCUMENTS; i++) yield { shape, seed: below(random, 2 ** 32), isLossless: i % 8 === 0, living: true }
}

/** @returns {object} of these classes */
function documentOf({ shape, seed }, types) {
  const random = seededRandom(seed)
  if (shape === undefined) return randomDocument(random, types, below(random, 2))
  const same = seededRandom(shape)
  const document = {}
  for (let i = 1 + below(same, 8); i > 0; i--) {
    const key = randomKey(same)
    const kind = below(same, 2 ** 32)
    const odd = below(random, ODD_FIELD)
    if (odd > 1) setOwn(document, key, valueLike(kind, random, types))
    if (odd === 1) setOwn(document, key, randomValue(random, types, 1))
  }
  return document
}

/** A value of the kind with the given number. */
function valueLike(kind, random, types) {
  let isFirst = true
  return randomValue(() => {
    if (!isFirst) return random()
    isFirst = false
    return kind / 2 ** 32
  }, types, 0)
}

/** Whether two keys are the same in UTF-8, as with lone surrogates; only one of them is then read. */
function hasTwins(bytes) {
  const text = qbson.EJSON.fromBSON(bytes, { relaxed: false })
  return JSON.stringify(JSON.parse(text)).length < text.length
}

/** @returns {string} */
function check(input) {
  const tested = input.living ? codec : learningCodec(true)
  const value = documentOf(input, qbson)
  const plain = outcome(() => generic.encode(value))
  const theirs = outcome(() => Buffer.from(bson.serialize(value)))
  const label = compareWithBson(plain, theirs, encodeDifferences)
  for (let i = input.living ? 1 : 1000; i > 0; i--) checkSameOutcome(outcome(() => tested.encode(value)), plain, 'learned and generic encode')
  if (plain.error) return label
  const bytes = plain.value
  const options = input.isLossless ? LOSSLESS : undefined
  const read = outcome(() => generic.decode(bytes, options))
  compareWithBson(read, outcome(() => bson.deserialize(bytes, options)), decodeDifferences)
  for (let i = input.living ? 1 : 1000; i > 0; i--) checkSameOutcome(outcome(() => tested.decode(bytes, options)), read, 'learned and generic decode')
  if (!input.isLossless || read.error) return label
  if (hasTwins(bytes)) return 'twins'
  checkSameOutcome(outcome(() => tested.encode(read.value)), plain, 'written, read and written again')
  return label
}

const alone = ({ living, ...input }) => {
  void living
  return input
}

module.exports = { name: 'documents', rounds: 140, inputs, check, alone }
