'use strict'

const { contenders, load } = require('../contenders')
const { checkSame, checkBytes } = require('../check')

/** Results of the last 64 operations are kept, so that nothing is optimised away and every buffer may be kept. */
const KEPT = 64

/**
 * The work of one case: encode or decode, going through the documents in turn.
 * @param {object} item the case: contender and op ('encode' or 'decode')
 * @param {object} workload `documents(types)` makes them; schemas where contenders need them; `oneShape` makes ops
 * @returns {import('../runner/measure').Work}
 */
function codecWork({ contender, op }, workload) {
  const codec = load(contender, workload)
  const { encode, decode, native = doc => doc } = codec
  const documents = workload.documents(codec.types).map(native)
  const encoded = documents.map(doc => input(encode(doc)))
  return {
    run: op === 'encode' ? runOver(encode, documents) : runOver(decode, encoded),
    ops: documents.length,
    warmUp: workload.warmUp,
    bytes: encoded.reduce((sum, bytes) => sum + Buffer.byteLength(bytes), 0) / encoded.length,
    check: () => checkCodec(codec, workload, contender, documents, encoded)
  }
}

/** Encoded documents are separate Buffers, as from a network; texts are flat strings. */
function input(encoded) {
  return typeof encoded === 'string' ? JSON.parse(JSON.stringify(encoded)) : Buffer.from(encoded)
}

// The only call site of the codec in a process, so that it stays monomorphic.
function runOver(operate, inputs) {
  const kept = new Array(KEPT).fill(null)
  const count = inputs.length
  return function run() {
    for (let i = 0; i < count; i++) kept[i % KEPT] = operate(inputs[i])
  }
}

/**
 * Checks that decoded documents equal the originals, and that BSON contenders write the same bytes as `bson`.
 * @returns {void}
 */
function checkCodec(codec, workload, name, documents, encoded) {
  const { expect = doc => doc } = codec
  const comparable = codec.unordered ? sorted : plain
  const reference = codec.bson && load('bson', workload)
  const expected = reference && workload.documents(reference.types)
  documents.forEach((doc, i) => {
    const result = codec.encode(doc)
    const decoded = codec.decode(encoded[i])
    if (!reference) return checkSame(comparable(decoded), comparable(expect(doc)), `${name}, document ${i}`)
    const bytes = reference.encode(expected[i])
    checkBytes(result, bytes, `${name}, document ${i}`)
    checkSame(decoded, reference.decode(bytes), `${name}, document ${i}`)
  })
}

/** A message of a schema library as a plain object; others as they are. */
function plain(value) {
  return value && typeof value.constructor?.toObject === 'function'
    ? value.constructor.toObject(value, { arrays: true, objects: true, defaults: true, oneofs: false })
    : value
}

/** A copy with its top-level keys in alphabetical order. */
function sorted(value) {
  return typeof value === 'object' ? Object.fromEntries(Object.entries(value).sort()) : value
}

/**
 * All cases of subjects × operations × contenders, contenders innermost.
 * @param {string[]} subjects
 * @param {string[]} ops
 * @param {string[]} names of contenders
 * @returns {any[]}
 */
function cross(subjects, ops, names) {
  return subjects.flatMap(subject => ops.flatMap(op => names.map(contender => {
    return { subject, op, contender, flags: contenders[contender]?.flags }
  })))
}

module.exports = { codecWork, checkCodec, cross, runOver, input, KEPT }
