'use strict'

// All intended differences between qbson and bson 7.3.4, each with its reason, an example, and a function that
// recognises it in the differential tests. `ours` and `theirs` are outcomes: { value } or { error }.
//
// docs/compatibility.md has the same list (names and reasons).

const { describe } = require('./fixtures/describe')
const { CHANGED } = require('./fixtures/encode-cases')

/** The description without regular expressions: neither RegExp, BSONRegExp nor what JavaScript made of them. */
function withoutRegExps(value) {
  return describe(value, inner => (isRegExp(inner) ? 'RegExp' : undefined))
}

/** Whether there is a pattern that V8 might need long for. */
function hasSlowPattern(value) {
  let isSlow = false
  describe(value, inner => {
    const { pattern, options } = inner?._bsontype === 'BSONRegExp' ? inner : { pattern: '', options: '' }
    isSlow ||= pattern.replace(/[/\n\r\u2028\u2029]/g, '\\$&').length > 1024 || (options.includes('u') && /\\p/i.test(pattern))
    return undefined
  })
  return isSlow
}

function isRegExp(value) {
  return value instanceof RegExp || (typeof value === 'object' && value?._bsontype === 'BSONRegExp')
}

function message({ error }) {
  return error === undefined ? '' : String(error.message)
}

/** How many items of arrays are bytes, under names that every object inherits. @returns {number} */
function countBytesByName(value, isNamed = false) {
  if (typeof value !== 'object' || value === null) return 0
  const entries = Array.isArray(value) ? value.map(item => [isNamed, item]) : fieldsOf(value)
  return entries.reduce((sum, [isUnder, inner]) => {
    return sum + (Array.isArray(value) && isNamed && inner instanceof Uint8Array ? 1 : countBytesByName(inner, isUnder))
  }, 0)
}

function fieldsOf(value) {
  const isDocument = [Object.prototype, null].includes(Object.getPrototypeOf(value))
  const object = isDocument ? value : value.fields ?? value.scope ?? {} // of a DBRef, of a Code
  return Object.entries(object).map(([name, inner]) => [Object.hasOwn(Object.prototype, name), inner])
}

/** The description without the names in references, and without patterns, which have differences of their own. */
function withoutNames(value) {
  return describe(value, inner => {
    if (isRegExp(inner)) return 'a pattern'
    return inner?._bsontype === 'DBRef' ? `DBRef(${withoutNames(inner.oid)}, ${withoutNames(inner.fields)})` : undefined
  })
}

const DOTTED = {
  name: 'references with a dot',
  reason: 'bson takes what is before the dot of a $ref, such as fs.files of GridFS, for the database. qbson keeps it; the constructor of DBRef splits it in both.',
  explains: (ours, theirs) => {
    if (!('value' in ours && 'value' in theirs) || withoutRegExps(ours.value) === withoutRegExps(theirs.value)) return false
    return withoutNames(ours.value) === withoutNames(theirs.value)
  }
}

/** Of `decode`. */
const decodeDifferences = [
  DOTTED,
  {
    name: 'keys and patterns that are not UTF-8',
    reason: 'bson reads invalid bytes in keys and regular expressions as U+FFFD, so two keys can become one; so does deserialize. decode checks them like strings unless validation.utf8 is false.',
    explains: (ours, theirs) => message(ours).startsWith('Invalid UTF-8 string') && 'value' in theirs && /\ufffd|RegExp/.test(describe(theirs.value))
  },
  {
    name: 'patterns that take long to compile',
    reason: 'bson creates a RegExp from every pattern, which can take V8 seconds. qbson returns a BSONRegExp for a pattern of more than 1,024 characters, and for Unicode properties (\\p) with the option u, which bson drops.',
    explains: (ours, theirs) => hasSlowPattern(ours.value) && 'value' in theirs && withoutRegExps(ours.value) === withoutRegExps(theirs.value)
  },
  {
    name: 'regular expression options',
    reason: 'bson reads the option s as the flag g and drops x, l and u. qbson reads s and u as these flags, and returns a BSONRegExp for options without a flag.',
    explains: (ours, theirs) => 'value' in ours && 'value' in theirs && withoutRegExps(ours.value) === withoutRegExps(theirs.value)
  },
  {
    name: 'patterns that JavaScript rejects',
    reason: 'bson throws a plain SyntaxError. qbson returns a BSONRegExp.',
    explains: (ours, theirs) => theirs.error instanceof SyntaxError
  },
  {
    name: 'unknown options',
    reason: 'bson drops unknown options of a regular expression, or throws if bsonRegExp is set. decode always throws; deserialize does what bson does.',
    explains: (ours, theirs) => /^The regular expression option \[.*\] is not supported/s.test(message(ours)) && 'value' in theirs
  },
  {
    name: 'raw documents that are not closed',
    reason: 'bson does not check that documents returned as bytes (raw, fieldsAsRaw) end with 0x00. qbson does.',
    explains: (ours, theirs) => /^(Bad BSON Document: object not properly terminated|corrupted array bson)/.test(message(ours)) && 'value' in theirs && describe(theirs.value).includes('Buffer<')
  },
  {
    name: 'raw documents under inherited names',
    reason: 'with fieldsAsRaw, bson also returns the documents of arrays called constructor, toString and the like as bytes. qbson does so only for the names given.',
    explains: (ours, theirs) => countBytesByName(theirs.value) > countBytesByName(ours.value)
  }
]

/** A difference in the named cases: as a field, in arrays, in Maps and as the root. */
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
    reason: 'bson writes their lowest 64 bits. qbson throws.',
    explains: shownBy('a bigint that is too large', 'a bigint that is too small', 'a bigint that is far too large')
  },
  {
    name: 'regular expression flags',
    reason: 'bson writes the flag g as the option s and drops s and u. qbson writes s and u as these options, leaves out g, y and d, which BSON does not have and which only change how a search runs, and throws for v.',
    explains: shownBy('a RegExp with g', 'a RegExp with g, i, y', 'a RegExp with s', 'a RegExp with u', 'a RegExp with v')
  },
  {
    name: 'bits of NaN',
    reason: 'bson writes the sign and payload of a NaN if V8 has kept them. qbson writes the same eight bytes for all.',
    explains: shownBy('a NaN with a sign')
  },
  {
    name: 'a DBRef as a document',
    reason: 'deserialize makes a DBRef of a document that looks like one, at the root too, which bson cannot write. qbson can.',
    explains: (ours, theirs, name) => /^DBRef.* as root/.test(name) && 'value' in ours
  },
  {
    name: 'other fields of a DBRef',
    reason: 'bson loses one called __proto__ and those in a Map, and writes what a toBSON among them gives instead of the DBRef. qbson writes them.',
    explains: shownBy('DBRef with a field __proto__', 'DBRef with a Map of fields', 'DBRef with a toBSON among its fields')
  },
  {
    name: 'vectors without their header',
    reason: 'bson writes a vector (binary of subtype 9) of less than two bytes. qbson throws, as both do for other invalid vectors.',
    explains: shownBy('a vector without its header')
  },
  {
    name: 'typed arrays',
    reason: 'bson writes an ArrayBuffer or DataView as an empty document, and typed arrays but Uint8Array as documents of numbers. qbson writes their bytes as binary.',
    explains: shownBy(
      'a Float64Array', 'an Int16Array', 'a Uint8ClampedArray', 'a BigInt64Array', 'an ArrayBuffer', 'a SharedArrayBuffer', 'a DataView'
    )
  },
  {
    name: 'detached memory',
    reason: 'bson writes bytes whose ArrayBuffer has been transferred as empty. qbson throws.',
    explains: shownBy('a view of detached memory')
  },
  {
    name: 'values with changed fields',
    reason: 'bson writes 0, a part of it, or too many bytes for a field that was set to something its type cannot hold, such as 1.5 in an Int32. qbson throws.',
    explains: (ours, theirs, name) => Object.keys(CHANGED).some(value => name.startsWith(`${value} `)) && 'error' in ours
  },
  {
    name: 'scopes that are not documents',
    reason: 'bson writes the own fields of a Date, a DBRef or any other object that is the scope of a Code. qbson writes the document of a DBRef, and throws for all others.',
    explains: shownBy('Code whose scope is a Date', 'Code whose scope is a DBRef')
  },
  {
    name: 'fields that a getter deletes',
    reason: 'with ignoreUndefined: false, bson writes null for a field that a getter of the same document has just deleted. qbson leaves it out, as both do by default.',
    explains: shownBy('a getter that deletes a field')
  },
  {
    name: 'values of other versions',
    reason: 'bson rejects values of another major version of itself. qbson accepts them.',
    explains: shownBy('a value of another major version')
  },
  {
    name: 'documents with a field _bsontype',
    reason: 'bson rejects a plain object with a field of that name. qbson writes it as an ordinary document.',
    explains: shownBy('the key _bsontype with a string', 'the key _bsontype with an unknown string', 'the key _bsontype with a number')
  },
  {
    name: 'toBSON of primitives',
    reason: 'bson also calls a toBSON that a modified prototype gives strings, numbers, booleans and bigints. qbson calls it on objects and functions only.',
    explains: shownBy('a bigint where bigints have a toBSON')
  },
  {
    name: 'toBSON of the root',
    reason: 'bson does not call toBSON on a Map that is the root, and writes the properties of an array or a Map that the toBSON of the root gives. qbson treats the root like a field.',
    explains: shownBy('toBSON of a Map', 'toBSON that gives a Map', 'toBSON that gives an array with a hole')
  },
  {
    name: 'toBSON of what a toBSON gives',
    reason: 'if a toBSON gives an object with a toBSON, bson writes the result of that as a document: a Date as an empty one. qbson writes it by its type.',
    explains: shownBy('toBSON that gives a Date by another toBSON')
  }
]

/** Numbers are equal whatever their type, also as text, up to the 15 digits that every double has; see also DOTTED. */
function withRoundIntegers(value) {
  return describe(value, inner => {
    if (inner?._bsontype === 'DBRef') return `DBRef(${withRoundIntegers(inner.oid)}, ${withRoundIntegers(inner.fields)})`
    if (typeof inner === 'string') return inner.replace(/\d{16,}/g, digits => Number(digits).toPrecision(15))
    const isLarge = inner?._bsontype === 'Double' ? Math.abs(inner.value) >= 2 ** 53 : typeof inner === 'number' && Math.abs(inner) >= 2 ** 53
    return isLarge || typeof inner === 'bigint' || inner?._bsontype === 'Long' ? Number(inner.toString()).toPrecision(15) : undefined
  })
}

/** Of `EJSON.parse`; `text` is what was parsed. Where bson throws, qbson may return a value. */
const parseDifferences = [
  DOTTED,
  {
    name: 'int64 in Extended JSON',
    reason: 'bson rounds integers beyond 2^53, and takes the lowest 64 bits of a $numberLong beyond int64. qbson reads the former as int64 with all digits, and rejects the latter. So that numbers of that size survive, stringify writes them with .0 at the end.',
    explains: (ours, theirs) => 'value' in ours ? withRoundIntegers(ours.value) === withRoundIntegers(theirs.value) : /outside the range of an int64/.test(message(ours))
  },
  {
    name: 'dates in text',
    reason: 'bson reads whatever Date.parse reads, February 30 and times in the zone of the machine too, and makes an invalid Date of the rest. qbson reads the dates of RFC 3339 with a zone; anything else is an error.',
    // V8 loses the zeros before the digits of a fraction with ten and more
    explains: (ours, theirs, text) => /^\$date string .* is not a valid date/.test(message(ours)) || /:\d\d\.0\d{9}/.test(text)
  },
  {
    name: 'numbers that do not fit their type',
    reason: 'bson reads a $numberInt or $numberDouble whose text is not a number as NaN, or as the number at its start, and the int32 "-0" as -0. qbson throws.',
    explains: (ours, theirs, text) => /^Unexpected (Int32|Double) Extended JSON format/.test(message(ours)) || text.includes('"$numberInt":"-0"')
  },
  {
    name: 'base64',
    reason: 'on Node, bson skips characters that base64 does not have, and reads the alphabet of URLs too. qbson throws, everywhere.',
    explains: ours => /^not a base64 string/.test(message(ours))
  },
  {
    name: 'subtypes and timestamps out of range',
    reason: 'bson takes 0 for a subtype that is not a hex number, and the lowest bits of a subtype beyond 255 or of a $timestamp beyond 32 bits. qbson throws.',
    explains: ours => /^(Unexpected Binary Extended JSON format|Timestamp constructed from .* uint32 max)/.test(message(ours))
  },
  {
    name: 'queries with $regex',
    reason: 'bson turns any document with $regex into a regular expression. qbson leaves one with other operators unchanged.',
    explains: (ours, theirs, text) => text.includes('"$regex"') && 'value' in ours
  },
  {
    name: 'the scope of code',
    reason: 'bson reads a $scope that looks like a typed value as that value, which it then cannot write. qbson reads a document.',
    explains: (ours, theirs, text) => text.includes('"$scope"') && 'value' in ours
  },
  {
    name: '__proto__ in a DBRef',
    reason: 'bson makes the value of a field __proto__ the prototype of the fields of a DBRef, or loses it. qbson keeps a field of that name.',
    explains: (ours, theirs, text) => text.includes('"$ref"') && text.includes('__proto__') && 'value' in ours
  }
]

module.exports = { decodeDifferences, encodeDifferences, parseDifferences }
