'use strict'

// Codecs that have learned from documents like these against one that learns nothing: the same values, bytes and
// errors, also without code generation. For a single input, a fresh codec is trained. While fuzzing, codecs live on
// from round to round, because the fault may be in what they keep.

const { generic, learningCodec } = require('../../test/fixtures/codecs')
const { attempt, checkSameOutcome, outcome } = require('../oracle')
const { validDocument, changed, readOptions, pick } = require('../inputs')
const { smallerBytes, smallerList, smallerObject, smallerIn } = require('../shrink')

/** Mutants of a document: learning it takes as long as checking 60 of them. */
const MUTANTS = 400

/** How often each document is first read and written, by a codec that lives on, and by a fresh one. */
const LESSONS = 60
const LESSONS_FRESH = 1500

/** Codecs are replaced after learning from this many documents, so that a failing input can list them all. */
const TAUGHT = 300

let codecs = []
let taught = []

function renew() {
  codecs = [learningCodec(true), learningCodec(false)]
  taught = []
}

/** @param {() => number} random */
function* inputs(random) {
  if (codecs.length === 0 || taught.length >= TAUGHT) renew()
  const document = validDocument(random)
  taught.push(document)
  codecs.forEach(codec => teach(codec, document, LESSONS))
  const train = [...taught]
  for (let i = 0; i < MUTANTS; i++) {
    yield { train, bytes: changed(random, document, pick(random, taught)), options: readOptions(random), living: true }
  }
}

function teach(codec, bytes, times) {
  const { value } = outcome(() => generic.decode(bytes))
  if (value === undefined) return
  for (let i = 0; i < times; i++) codec.encode(codec.decode(bytes))
}

/** @returns {string} */
function check({ train, bytes, options, living }) {
  const tested = living ? codecs : [learningCodec(true), learningCodec(false)]
  if (!living) tested.forEach(codec => train.forEach(document => teach(codec, document, LESSONS_FRESH)))
  const plain = attempt(() => generic.decode(bytes, options))
  const written = plain.value && attempt(() => generic.encode(plain.value))
  for (const codec of tested) {
    const result = attempt(() => codec.decode(bytes, options))
    checkSameOutcome(result, plain, `${codec.name} and generic decode`)
    if (written) checkSameOutcome(attempt(() => codec.encode(result.value)), written, `${codec.name} and generic encode`)
  }
  return plain.error ? 'both err' : 'same'
}

const smaller = ({ living, ...input }) => {
  void living
  return smallerIn(input, { train: smallerList, options: smallerObject, bytes: smallerBytes })
}

module.exports = { name: 'learned', rounds: 350, inputs, check, smaller, alone: ({ living, ...input }) => input }
