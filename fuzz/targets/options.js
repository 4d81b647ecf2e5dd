'use strict'

// Any value as options: the result is a value or a BSONError, the same from every codec.

const { generic, learningCodec } = require('../../test/fixtures/codecs')
const { EJSON, RawDocument, documents, sizeOf } = require('../../qbson')
const { attempt, checkSameOutcome } = require('../oracle')
const { validDocument, changed, pick, below } = require('../inputs')
const { smallerBytes, smallerObject, smallerIn } = require('../shrink')

const NAMES = [
  'promoteLongs', 'promoteValues', 'promoteBuffers', 'useBigInt64', 'bsonRegExp', 'raw', 'fieldsAsRaw', 'validation', 'index',
  'allowObjectSmallerThanBufferSize', 'maxDepth', 'ignoreUndefined', 'serializeFunctions', 'checkKeys', 'relaxed', 'legacy',
  'space', 'bytes', 'maxDocumentSize', 'minInternalBufferSize', 'unknown'
]

/** JSON values; `{ $number }` for numbers that JSON does not have. */
const VALUES = [
  true, false, null, 0, 1, -1, 2, 1.5, 100, 2 ** 31, 2 ** 40, '', 'x', 'true', {}, [], [1], { a: true }, { utf8: false }, { utf8: true },
  { utf8: { a: true } }, { utf8: { a: false, b: false } }, { utf8: { a: true, b: false } }, { utf8: 1 }, { utf8: null }, { utf8: {} },
  { $number: 'NaN' }, { $number: 'Infinity' }, { $number: '-0' }
]

const valueOf = value => typeof value?.$number === 'string' ? Number(value.$number) : value
const optionsOf = given => Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, valueOf(value)]))

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  for (let i = 0; i < 40; i++) {
    const given = Array.from({ length: below(random, 4) }, () => [pick(random, NAMES), pick(random, VALUES)])
    yield { bytes: random() < 0.6 ? document : changed(random, document, document), options: Object.fromEntries(given) }
  }
}

const codecs = [learningCodec(true), learningCodec(false)]

/** @returns {string} */
function check({ bytes, options: given }) {
  const options = optionsOf(given)
  const plain = attempt(() => generic.decode(bytes, options))
  for (const codec of codecs) checkSameOutcome(attempt(() => codec.decode(bytes, options)), plain, `${codec.name} and generic decode`)
  if (plain.value) checkWriters(plain.value, options)
  attempt(() => generic.validate(bytes, options))
  attempt(() => EJSON.fromBSON(bytes, options))
  attempt(() => new RawDocument(bytes).get('a.b', options))
  attempt(() => [...documents(bytes, options)].length)
  return plain.error ? 'error' : 'value'
}

function checkWriters(value, options) {
  const written = attempt(() => generic.encode(value, options))
  for (const codec of codecs) checkSameOutcome(attempt(() => codec.encode(value, options)), written, `${codec.name} and generic encode`)
  const size = attempt(() => sizeOf(value, options))
  if (written.value && size.value !== written.value.length) throw new Error(`size ${size.value} of ${written.value.length} bytes`)
  attempt(() => generic.encodeInto(value, Buffer.alloc(5000), 0, options))
  attempt(() => EJSON.stringify(value, options))
}

const smaller = input => smallerIn(input, { options: smallerObject, bytes: smallerBytes })

module.exports = { name: 'options', rounds: 2250, inputs, check, smaller }
