'use strict'

// Inputs of bytes: valid documents and mutations of them.

const bson = require('bson')
const { valid } = require('../test/vectors')
const { mutate } = require('../test/fixtures/mutate')
const { seededRandom, below, pick, randomDocument } = require('../test/fixtures/random-document')

/** The documents of the tables that are valid without options. */
const VECTORS = valid.filter(({ options }) => !options?.validation).map(({ hex }) => Buffer.from(hex.replace(/\s+/g, ''), 'hex'))

/** Names that resemble the source code generated for shapes, or that would end a string in it. */
const SOURCE_NAMES = [
  'view.getInt32(x, true)', 'buf[pos]', 'return value', 'r.end', '$0', '$&', "$'", '`${x}`', '*/', '//', "'", '"', '\\', '\\u0041', '\n', '\u2028',
  '}', ')', ';', 'x => x', 'NAME', 'KEY', '{{name}}', 'globalThis', '__proto__', 'constructor', 'get', 'async', 'await', 'new Function()'
]

/** A valid document, from the tables or random. @param {() => number} random @returns {Buffer} */
function validDocument(random) {
  if (random() < 0.2) return pick(random, VECTORS)
  const document = randomDocument(random, bson, below(random, 4))
  const own = random() < 0.1 ? Array.from({ length: below(random, 6) }, (_, i) => [pick(random, SOURCE_NAMES), i]) : []
  return Buffer.from(bson.serialize(new Map([...Object.entries(document), ...own])))
}

/** A mutated document, or a splice of two. */
function changed(random, bytes, other) {
  return random() < 0.1 ? splice(random, bytes, other) : mutate(random, bytes)
}

/** The beginning of one and the end of the other, with the right length in front. */
function splice(random, bytes, other) {
  const head = bytes.subarray(0, below(random, bytes.length + 1))
  const whole = Buffer.concat([head, other.subarray(below(random, other.length + 1))])
  if (whole.length >= 4) whole.writeInt32LE(whole.length)
  return whole
}

const FLAGS = [true, false, undefined]
const UTF8 = [undefined, { utf8: true }, { utf8: false }, { utf8: { a: true } }, { utf8: { name: false, x: false } }]

/** Options of decode. @returns {any} JSON, except for undefined values */
function readOptions(random) {
  if (random() < 0.35) return undefined
  const all = {
    promoteLongs: pick(random, FLAGS),
    promoteValues: pick(random, FLAGS),
    promoteBuffers: pick(random, FLAGS),
    useBigInt64: pick(random, FLAGS),
    bsonRegExp: pick(random, FLAGS),
    raw: random() < 0.1 ? true : undefined,
    fieldsAsRaw: pick(random, [undefined, undefined, { tags: true }, { a: true, x: true }]),
    validation: pick(random, UTF8),
    allowObjectSmallerThanBufferSize: pick(random, FLAGS)
  }
  const given = Object.entries(all).filter(([, value]) => value !== undefined && random() < 0.5)
  // bson refuses these together
  const isBoth = given.some(([key, value]) => key === 'useBigInt64' && value) && given.some(([key, value]) => /Longs|Values/.test(key) && !value)
  return Object.fromEntries(isBoth ? given.filter(([key]) => key !== 'useBigInt64') : given)
}

/** Options of encode. */
function writeOptions(random) {
  if (random() < 0.5) return undefined
  const all = {
    ignoreUndefined: pick(random, FLAGS), serializeFunctions: pick(random, FLAGS), checkKeys: pick(random, [false, undefined, true])
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

module.exports = { VECTORS, validDocument, changed, splice, readOptions, writeOptions, seededRandom, below, pick, randomDocument }
