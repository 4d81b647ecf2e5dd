'use strict'

// Error messages fit on a screen, however long the wrong names and values are.

const qbson = require('../qbson')
const wire = require('../lib/wire')
const { compile } = require('../lib/compile')
const { errorOf } = require('./fixtures/error-of')

const { EJSON, RawDocument, encode, decode, BSONError } = qbson

const LONG = 'n'.repeat(1e6)
const HUGE = 10n ** 400n

/** UTF-16 units: a path of 41 keys of 100 units and more is the longest. */
const MAX_MESSAGE = 1000

/** @param {string} name @param {number} type @param {string} [value] latin-1 */
function document(name, type, value = '') {
  const bytes = Buffer.from(`\0\0\0\0${String.fromCharCode(type)}${name}\0${value}\0`, 'latin1')
  bytes.writeInt32LE(bytes.length, 0)
  return bytes
}

const own = (name, value) => Object.defineProperty({}, name, { value, enumerable: true })

class Strange {
  get _bsontype() {
    return LONG
  }
}

/** @type {Record<string, () => unknown>} */
const CALLS = {
  'an unknown _bsontype': () => encode({ a: new Strange() }),
  'NUL in a key': () => encode({ ['\0' + LONG]: 1 }),
  'NUL in the key of a Map': () => encode(new Map([['\0' + LONG, 1]])),
  'a key with $': () => encode({ ['$' + LONG]: 1 }, { checkKeys: true }),
  'a key with .': () => encode({ ['.' + LONG]: 1 }, { checkKeys: true }),
  'NUL in a pattern': () => encode({ a: Object.assign(new qbson.BSONRegExp('a'), { pattern: LONG + '\0' }) }),
  'NUL in the pattern of a RegExp': () => encode({ a: new RegExp('\0' + LONG) }),
  'an invalid Date under a long key': () => encode({ [LONG]: new Date(NaN) }),
  'a cycle through long keys': () => encode((() => { const a = {}; a[LONG] = { [LONG]: a }; return a })()),
  'a bigint': () => encode({ a: HUGE }),
  'the type of a long name': () => decode(document(LONG, 0x55)),
  'a value of a long name': () => decode(document(LONG, 0x08, '\x02')),
  'the path of a raw document': () => new RawDocument(encode({ a: 1 })).set(`a.${LONG}`, 1),
  'a field that is there already': () => new RawDocument(encode({ [LONG]: 1 })).append(LONG, 1),
  'EJSON, NUL in a key': () => EJSON.parse(JSON.stringify({ ['\0' + LONG]: 1 })),
  'EJSON, a wrong wrapper under a long key': () => EJSON.toBSON(JSON.stringify({ [LONG]: { $numberInt: LONG } })),
  'EJSON, a $numberLong': () => EJSON.parse(JSON.stringify({ a: { $numberLong: LONG } })),
  'EJSON, a cycle': () => EJSON.stringify((() => { const a = {}; a[LONG] = { [LONG]: a }; return a })()),
  'EJSON, a bigint': () => EJSON.stringify({ a: HUGE }),
  'Int32': () => qbson.Int32.fromString(LONG),
  'Int32, digits': () => qbson.Int32.fromString('9'.repeat(1000)),
  'Double': () => qbson.Double.fromString(LONG),
  'Double, spaces': () => qbson.Double.fromString('1' + ' '.repeat(1e6)),
  'Double, not decimal': () => qbson.Double.fromString('0x' + '0'.repeat(1e6) + '1'),
  'Long': () => qbson.Long.fromStringStrict(LONG),
  'Long, spaces': () => qbson.Long.fromStringStrict(' '.repeat(1e6)),
  'Long, digits': () => qbson.Long.fromStringStrict('9'.repeat(1e4)),
  'Decimal128': () => qbson.Decimal128.fromString('n'.repeat(7000)),
  'Decimal128, inexact': () => qbson.Decimal128.fromString('9'.repeat(7000)),
  'BSONRegExp': () => new qbson.BSONRegExp('\0' + LONG),
  'ObjectId': () => new qbson.ObjectId(LONG),
  'UUID': () => new qbson.UUID(LONG),
  'Binary': () => qbson.Binary.createFromHexString(LONG),
  'bytes': () => decode([/** @type {any} */ (LONG)]),
  'index': () => decode(encode({}), { index: /** @type {any} */ (LONG) }),
  'offset': () => qbson.encodeInto({}, Buffer.alloc(9), /** @type {any} */ (LONG)),
  'maxDepth': () => decode(encode({}), { maxDepth: /** @type {any} */ (LONG) }),
  'maxDocumentSize': () => [...qbson.documents(encode({}), { maxDocumentSize: /** @type {any} */ (LONG) })],
  'wire, an identifier twice': () => wire.encodeMsg({ requestId: 1, body: {}, sequences: [1, 2].map(() => ({ identifier: LONG, documents: [] })) }),
  'wire, a document of a sequence': () => wire.encodeMsg({ requestId: 1, body: {}, sequences: [{ identifier: LONG, documents: [/** @type {any} */ (1)] }] }),
  'wire, a field of a document': () => wire.encodeMsg({ requestId: 1, body: { [LONG]: HUGE } }),
  'wire, a number': () => wire.encodeMsg({ requestId: /** @type {any} */ (LONG), body: {} }),
  'wire, a cursorId': () => wire.encodeGetMore({ requestId: 1, fullCollectionName: 'a.b', cursorId: LONG }),
  'wire, a compressor': () => wire.compressMessage(wire.encodeMsg({ requestId: 1, body: {} }), /** @type {any} */ (LONG)),
  'a schema, a keyword': () => compile(own(LONG, 1)),
  'a schema, a type': () => compile({ properties: { [LONG]: { bsonType: LONG } } }),
  'a codec, a string': () => compile({ properties: { a: { enum: ['b'] } } }).encode({ a: LONG }),
  'a codec, a name': () => compile({ properties: { [LONG]: { bsonType: 'int' } }, required: [LONG] }).encode({}),
  'a codec, a name that is not allowed': () => compile({ properties: {}, additionalProperties: false }).encode({ [LONG]: 1 })
}

module.exports = Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, function (t) {
  const error = errorOf(call)
  t.ok(error instanceof BSONError, String(error).slice(0, 500))
  t.ok(error.message.length <= MAX_MESSAGE, `${error.message.length} units: ${error.message.slice(0, 200)}`)
  t.done()
}]))
