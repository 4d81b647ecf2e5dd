'use strict'

// Where qbson and bson 7.3.4 differ on purpose: all of it, each with its reason, an example, and how a difference that
// the differential tests find is known to be this one. `ours` and `theirs` are outcomes: { value } or { error }.
//
// The README has the same list (names and reasons).

const { describe } = require('./fixtures/describe')

/** The description with regular expressions left out: a RegExp, a BSONRegExp or whatever JavaScript made of them. */
function withoutRegExps(value) {
  return describe(value, inner => (isRegExp(inner) ? 'RegExp' : undefined))
}

function isRegExp(value) {
  return value instanceof RegExp || (typeof value === 'object' && value?._bsontype === 'BSONRegExp')
}

function message({ error }) {
  return error === undefined ? '' : String(error.message)
}

/** Of `decode`. */
const decodeDifferences = [
  {
    name: 'keys and patterns that are not UTF-8',
    reason: 'bson checks strings but neither keys nor regular expressions, and decodes what is wrong in them to U+FFFD: two keys can become one. qbson checks them as it does strings, unless validation.utf8 is false.',
    explains: (ours, theirs) => message(ours).startsWith('Invalid UTF-8 string') && 'value' in theirs && /\ufffd|RegExp/.test(describe(theirs.value))
  },
  {
    name: 'regular expression options',
    reason: 'bson reads the option s as the flag g and drops x, l and u. qbson reads s and u as the flags of the same meaning, and gives a BSONRegExp where JavaScript has none.',
    explains: (ours, theirs) => 'value' in ours && 'value' in theirs && withoutRegExps(ours.value) === withoutRegExps(theirs.value)
  },
  {
    name: 'patterns that JavaScript does not know',
    reason: 'bson throws a SyntaxError that is no BSONError. qbson gives a BSONRegExp.',
    explains: (ours, theirs) => theirs.error instanceof SyntaxError
  },
  {
    name: 'options that BSON does not know',
    reason: 'bson drops the options of a regular expression that do not exist, unless bsonRegExp is set, when it throws. qbson throws.',
    explains: (ours, theirs) => /^The regular expression option \[.*\] is not supported/s.test(message(ours)) && 'value' in theirs
  },
  {
    name: 'raw documents that are not closed',
    reason: 'where documents stay bytes (raw, fieldsAsRaw), bson does not look whether they end with 0x00. qbson does.',
    explains: (ours, theirs) => /^Bad BSON Document: object not properly terminated/.test(message(ours)) && 'value' in theirs && describe(theirs.value).includes('Buffer<')
  }
]

/** A difference that the cases of these names show, as field, in arrays, in Maps and as root. */
function shownBy(...cases) {
  return (ours, theirs, name) => cases.some(prefix => name.startsWith(prefix + ' ')) && !(ours.error && theirs.error)
}

/** Of `encode`. */
const encodeDifferences = [
  {
    name: 'invalid dates',
    reason: 'bson writes an invalid Date as 1970. qbson throws.',
    explains: shownBy('an invalid Date')
  },
  {
    name: 'bigints beyond 64 bits',
    reason: 'bson writes their lowest 64 bits, another number. qbson throws.',
    explains: shownBy('a bigint that is too large', 'a bigint that is too small', 'a bigint that is far too large')
  },
  {
    name: 'regular expression flags',
    reason: 'bson writes the flag g as the option s and drops s and u. qbson writes s and u as the options of the same meaning; g, y and d say how to search, not what, and have no option.',
    explains: shownBy('a RegExp with g', 'a RegExp with g, i, y', 'a RegExp with s', 'a RegExp with u')
  },
  {
    name: 'typed arrays',
    reason: 'bson writes an ArrayBuffer or DataView as an empty document and any typed array but Uint8Array as a document of numbers. qbson writes their bytes as binary.',
    explains: shownBy(
      'a Float64Array', 'an Int16Array', 'a Uint8ClampedArray', 'a BigInt64Array', 'an ArrayBuffer', 'a SharedArrayBuffer', 'a DataView'
    )
  },
  {
    name: 'values of other versions',
    reason: 'bson refuses the values of another major version of itself. qbson takes them for what they are.',
    explains: shownBy('a value of another major version')
  },
  {
    name: 'documents with a field _bsontype',
    reason: 'bson refuses a plain object that has a field of that name, which any client may have stored. qbson writes it as the document it is.',
    explains: shownBy('the key _bsontype with a string', 'the key _bsontype with an unknown string', 'the key _bsontype with a number')
  },
  {
    name: 'toBSON of primitives',
    reason: 'bson asks strings, numbers, booleans and bigints for a toBSON too, which only a changed prototype of the language can have. qbson asks objects and functions.',
    explains: shownBy('a bigint where bigints have a toBSON')
  },
  {
    name: 'toBSON of a Map as root',
    reason: 'bson asks a Map for its toBSON where it is a field, not where it is the root. qbson asks both.',
    explains: shownBy('toBSON of a Map')
  }
]

module.exports = { decodeDifferences, encodeDifferences }
