'use strict'

// The project's own table of errors: bytes that must not decode, and values that must not encode.
//
//   hex, options       bytes and how to read them
//   error              the beginning of the message
//   offset, path       the place in the error
//   value, encodeOptions, path    the same for values

const types = require('../lib/types')
const { frame, int32, string, cstring } = require('./fixtures/bytes')

const X = '7800' // the name "x"; in `frame(type + X + …)` the value begins at offset 7
const OID = '0123456789abcdef01234567'

/** `{ x: … }` whose value is wrong at its beginning, unless `more` gives another place. */
function x(name, error, typeAndBytes, more) {
  const [type, ...bytes] = typeAndBytes.split(' ')
  return { name, hex: frame(type + X + bytes.join('')), error, offset: 7, path: 'x', ...more }
}

const CUT_OFF = 'value is cut off by the end of its document'
const CSTRING = 'Bad BSON Document: illegal CString'
const STRING_LENGTH = 'bad string length in bson'
const EARLY_END = 'Bad BSON Document: object not properly terminated'
const EARLY_END_OF = { document: EARLY_END, array: 'corrupted array bson' }
const ROOT_EARLY_END = 'corrupt object bson'
const UTF8 = 'Invalid UTF-8 string in BSON document'
const UNKNOWN = 'Detected unknown BSON type'
const SMALLER = { allowObjectSmallerThanBufferSize: true }

const roots = [
  { name: 'no bytes at all', hex: '', error: 'corrupt bson message < 5 bytes long', offset: 0, path: '' },
  { name: 'one byte', hex: '05', error: 'corrupt bson message < 5 bytes long', offset: 0, path: '' },
  { name: 'a length and no end', hex: '05000000', error: 'corrupt bson message < 5 bytes long', offset: 0, path: '' },
  { name: 'length 0', hex: '0000000000', error: 'bson size must be >= 5, is 0', offset: 0, path: '' },
  { name: 'length 4', hex: '0400000000', error: 'bson size must be >= 5, is 4', offset: 0, path: '' },
  { name: 'length -1', hex: 'ffffffff00', error: 'bson size must be >= 5, is -1', offset: 0, path: '' },
  { name: 'length int32 min', hex: '0000008000', error: 'bson size must be >= 5, is -2147483648', offset: 0, path: '' },
  { name: 'length int32 max', hex: 'ffffff7f00', error: 'buffer length 5 must === bson size 2147483647', offset: 0, path: '' },
  { name: 'length one too large', hex: '0600000000', error: 'buffer length 5 must === bson size 6', offset: 0, path: '' },
  { name: 'length one too large, more bytes allowed', hex: '0600000000', options: SMALLER, error: 'buffer length 5 must be >= bson size 6', offset: 0, path: '' },
  { name: 'a byte after the document', hex: '050000000000', error: 'buffer length 6 must === bson size 5', offset: 0, path: '' },
  { name: 'past the end from its index', hex: '00000005000000', options: { ...SMALLER, index: 3 }, error: 'corrupt bson message < 5 bytes long', offset: 3, path: '' },
  {
    name: 'longer than what is left from its index',
    hex: '0000000600000000',
    options: { ...SMALLER, index: 3 },
    error: '(bson size 6 + options.index 3 must be <= buffer length 8)',
    offset: 3,
    path: ''
  },
  { name: 'closed by something else than 0x00', hex: '0500000001', error: "One object, sized correctly, with a spot for an EOO, but the EOO isn't 0x00", offset: 4, path: '' },
  { name: 'closed before its end', hex: '060000000000', error: ROOT_EARLY_END, offset: 4, path: '' },
  { name: 'closed before its end, elements behind', hex: frame('0010780001000000'), error: ROOT_EARLY_END, offset: 4, path: '' },
  { name: 'closed after an element, before its end', hex: frame('0a780000'), error: ROOT_EARLY_END, offset: 7, path: '' }
]

const names = [
  { name: 'a type without a name', hex: '060000000a00', error: CSTRING, offset: 5, path: '[""]' },
  { name: 'a name without its 0x00', hex: '080000000a787800', error: CSTRING, offset: 5, path: 'xx' },
  { name: 'a name that runs past its document', hex: '07000000' + '0a7800' + '0a7800', options: SMALLER, error: CSTRING, offset: 5, path: 'x' },
  { name: 'a nested name that runs past its document', hex: frame('03' + X + '07000000' + '0a7800' + '0a7900'), error: CSTRING, offset: 12, path: 'x.x' },
  { name: 'a name that is not UTF-8', hex: frame('0aff00'), error: UTF8, offset: 5, path: '["�"]' },
  { name: 'a long name that is not UTF-8', hex: frame('0a' + '61'.repeat(40) + 'ed' + 'a080' + '00'), error: UTF8, offset: 45, path: `["${'a'.repeat(40)}���"]` }
]

const UNKNOWN_TYPES = [0x14, 0x15, 0x20, 0x40, 0x7e, 0x80, 0xaa, 0xfe]
const unknown = [
  ...UNKNOWN_TYPES.map(type => ({
    name: `unknown type ${type}`,
    hex: frame(type.toString(16) + X),
    error: `${UNKNOWN} ${type.toString(16)} for fieldname "x"`,
    offset: 4,
    path: 'x'
  })),
  { name: 'unknown type after good elements', hex: frame('0a6100 086200 01 14' + X), error: `${UNKNOWN} 14 for fieldname "x"`, offset: 11, path: 'x' },
  { name: 'unknown type inside', hex: frame('03' + X + frame('0a6100 146200')), error: `${UNKNOWN} 14 for fieldname "b"`, offset: 14, path: 'x.b' },
  { name: 'unknown type in an array', hex: frame('04' + X + frame('0a3000 143100')), error: `${UNKNOWN} 14 for fieldname "1"`, offset: 14, path: 'x[1]' },
  { name: 'unknown type in a scope', hex: frame(`0f${X}${int32(17)}${string('')}${frame('146100')}`), error: `${UNKNOWN} 14 for fieldname "a"`, offset: 20, path: 'x.$scope.a' }
]

/** Fixed sizes: one byte less than the value needs. */
const short = [
  ['double', '01', 8],
  ['objectId', '07', 12],
  ['boolean', '08', 1],
  ['date', '09', 8],
  ['int32', '10', 4],
  ['timestamp', '11', 8],
  ['int64', '12', 8],
  ['decimal128', '13', 16]
].flatMap(([name, type, size]) => [
  x(`${name} one byte short`, CUT_OFF, `${type} ${'01'.repeat(size - 1)}`),
  x(`${name} without a byte`, CUT_OFF, type),
  {
    name: `nested ${name} that takes its parent's bytes`,
    hex: frame(`03${X}${frame(`${type}6100${'01'.repeat(size - 1)}`)}${'0a6200'.repeat(6)}`),
    error: CUT_OFF,
    offset: 14,
    path: 'x.a'
  }
])

const TEXTS = [['string', '02'], ['code', '0d'], ['symbol', '0e']]
const strings = TEXTS.flatMap(([name, type]) => [
  x(`${name} without a length`, STRING_LENGTH, `${type} `),
  x(`${name} with half a length`, STRING_LENGTH, `${type} 0100`),
  x(`${name} of length 0`, STRING_LENGTH, `${type} 00000000 00`),
  x(`${name} of length -1`, STRING_LENGTH, `${type} ffffffff 00`),
  x(`${name} of length int32 min`, STRING_LENGTH, `${type} 00000080 00`),
  x(`${name} of length int32 max`, STRING_LENGTH, `${type} ffffff7f 00`),
  x(`${name} without its 0x00`, STRING_LENGTH, `${type} 02000000 6161`),
  x(`${name} whose length is one too small`, STRING_LENGTH, `${type} 03000000 61616100`),
  x(`${name} whose length is one too large: it would take its document's end`, STRING_LENGTH, `${type} 05000000 61616100`),
  x(`${name} of no bytes that would take its document's end`, STRING_LENGTH, `${type} 01000000`),
  x(`${name} that is not UTF-8`, UTF8, `${type} 02000000 ff00`, { offset: 11 }),
  x(`${name} that is not UTF-8, long`, UTF8, `${type} 66000000 ${'61'.repeat(100)}ff 00`, { offset: 111 })
])

/** Each kind of sequence that RFC 3629 forbids; the fault is at the sequence's first byte. */
const SEQUENCES = [
  ['a lone continuation byte', '80'],
  ['the last continuation byte', 'bf'],
  ['c0, overlong', 'c080'],
  ['c1, overlong', 'c1bf'],
  ['two bytes, the second missing', 'c3'],
  ['two bytes, the second ASCII', 'c361'],
  ['two bytes, the second a lead', 'c3c3'],
  ['three bytes, overlong', 'e08080'],
  ['three bytes, the longest overlong', 'e09fbf'],
  ['three bytes, two missing', 'e2'],
  ['three bytes, one missing', 'e282'],
  ['three bytes, the third ASCII', 'e28261'],
  ['the first surrogate', 'eda080'],
  ['the last surrogate', 'edbfbf'],
  ['a surrogate pair (CESU-8)', 'eda0bdedb880'],
  ['four bytes, overlong', 'f0808080'],
  ['four bytes, the longest overlong', 'f08fbfbf'],
  ['four bytes, one missing', 'f09f98'],
  ['four bytes, two missing', 'f09f'],
  ['four bytes, the fourth ASCII', 'f09f9861'],
  ['just above U+10FFFF', 'f4908080'],
  ['f5', 'f5808080'],
  ['five bytes', 'f888808080'],
  ['six bytes', 'fc8480808080'],
  ['fe', 'fe'],
  ['ff', 'ff']
]

const utf8 = SEQUENCES.flatMap(([name, bytes]) =>
  [['', ''], ['6162', ''], ['', '6162'], ['e282ac', 'c3a9'], ['61'.repeat(30), ''], ['61'.repeat(30), '62'.repeat(30)]].map(([before, after]) => {
    const text = before + bytes + after
    return x(`UTF-8: ${name}, between ${before.length / 2} and ${after.length / 2} bytes`, UTF8, `02 ${int32(text.length / 2 + 1)}${text}00`, {
      offset: 11 + before.length / 2
    })
  })
)

const DOCUMENT_LENGTH = 'bad embedded document length in bson'
const ARRAY_LENGTH = 'bad embedded array length in bson'
const documents = [['document', '03', DOCUMENT_LENGTH], ['array', '04', ARRAY_LENGTH]].flatMap(([name, type, length]) => [
  x(`${name} without a length`, length, `${type} `),
  x(`${name} of four bytes`, length, `${type} 05000000`),
  x(`${name} of length 0`, length, `${type} 00000000 00`),
  x(`${name} of length 4`, length, `${type} 04000000 00`),
  x(`${name} of length -1`, length, `${type} ffffffff 00`),
  x(`${name} of length int32 max`, length, `${type} ffffff7f 00`),
  x(`${name} that would take its parent's end`, length, `${type} 06000000 00`),
  x(`${name} longer than its parent`, length, `${type} 07000000 00`),
  x(`${name} closed by something else than 0x00`, EARLY_END_OF[name], `${type} 05000000 01`, { offset: 11 }),
  x(`${name} closed before its end`, EARLY_END_OF[name], `${type} 06000000 00 00`, { offset: 11 }),
  x(`${name} closed before its end, elements behind`, EARLY_END_OF[name], `${type} 09000000 00 0a3000 00`, { offset: 11 }),
  x(`${name} with a string that is too long for it`, STRING_LENGTH, `${type} ${frame('023000' + '0800000061616100')}`, { offset: 14, path: name === 'array' ? 'x[0]' : 'x.0' }),
  x(`${name} whose length cuts its last element`, CUT_OFF, `${type} 0b000000 103000 0100 0000 00`, { offset: 14, path: name === 'array' ? 'x[0]' : 'x.0' })
])

const rawDocuments = [
  { ...x('raw document closed by something else than 0x00', EARLY_END, '03 05000000 01', { offset: 11 }), options: { raw: true } },
  { ...x('raw document with a lying length', DOCUMENT_LENGTH, '03 06000000 00'), options: { raw: true } }
]

const booleans = [2, 3, 0x7f, 0x80, 0xff].map(byte => x(`boolean ${byte}`, 'illegal boolean type value', `08 ${byte.toString(16).padStart(2, '0')}`))

const LONG_BINARY = 'Binary type size larger than document size'
const binaries = [
  x('binary without a length', CUT_OFF, '05 '),
  x('binary without a subtype', CUT_OFF, '05 00000000'),
  x('binary of length -1', 'Negative binary type element size found', '05 ffffffff 00'),
  x('binary of length int32 min', 'Negative binary type element size found', '05 00000080 00'),
  x('binary of length int32 max', LONG_BINARY, '05 ffffff7f 00'),
  x('binary that would take its document\'s end', LONG_BINARY, '05 03000000 00 ffff'),
  x('binary longer than its document', LONG_BINARY, '05 04000000 00 ffff'),
  ...[
    ['subtype 2 without its inner length', '00000000 02', 'Negative binary type element size found for subtype 0x02'],
    ['subtype 2 with half an inner length', '03000000 02 000000', 'Negative binary type element size found for subtype 0x02'],
    ['subtype 2 whose inner length is -1', '06000000 02 ffffffff ffff', 'Negative binary type element size found for subtype 0x02'],
    ['subtype 2 whose inner length is one too large', '06000000 02 03000000 ffff', 'Binary type with subtype 0x02 contains too long binary size'],
    ['subtype 2 whose inner length is one too small', '06000000 02 01000000 ffff', 'Binary type with subtype 0x02 contains too short binary size'],
    ['subtype 2 whose inner length is the outer one', '06000000 02 06000000 ffff', 'Binary type with subtype 0x02 contains too long binary size']
  ].map(([name, bytes, error]) => x(name, error, `05 ${bytes}`, { offset: 12 }))
]

const regexes = [
  x('regex without a byte', CSTRING, '0b '),
  x('regex whose pattern has no 0x00', CSTRING, '0b 6162'),
  x('regex without options', CSTRING, '0b 616200', { offset: 10 }),
  x('regex whose options have no 0x00', CSTRING, '0b 61620069', { offset: 10 }),
  x('regex whose pattern is not UTF-8', UTF8, '0b ff0000'),
  x('regex whose pattern is not UTF-8, as BSONRegExp', UTF8, '0b ff0000', { options: { bsonRegExp: true } }),
  x('regex whose options are not UTF-8', UTF8, '0b 6100ff00', { offset: 9 })
]

const pointers = [
  x('dbPointer without a byte', STRING_LENGTH, '0c '),
  x('dbPointer whose name has length 0', STRING_LENGTH, `0c 0000000000${OID}`),
  x('dbPointer whose name has length -1', STRING_LENGTH, `0c ffffffff00${OID}`),
  x('dbPointer whose name has no 0x00', STRING_LENGTH, `0c 0200000061 61${OID}`),
  x('dbPointer whose name is longer than its document', STRING_LENGTH, `0c ff00000061 61${OID}`),
  x('dbPointer with an id of 11 bytes', CUT_OFF, `0c ${string('a')}${OID.slice(2)}`),
  x('dbPointer whose name is not UTF-8', UTF8, `0c 02000000ff00${OID}`, { offset: 11 })
]

const scopes = [
  x('code with scope without a byte', 'code_w_scope total size shorter minimum expected length', '0f '),
  x('code with scope of size 0', 'code_w_scope total size shorter minimum expected length', `0f 00000000${string('')}${frame()}`),
  x('code with scope of size 12', 'code_w_scope total size shorter minimum expected length', `0f 0c000000${string('')}${frame()}`),
  x('code with scope of size 13', 'code_w_scope total size is too short, truncating scope', `0f 0d000000${string('')}${frame()}`),
  x('code with scope of size -1', 'code_w_scope total size shorter minimum expected length', `0f ffffffff${string('')}${frame()}`),
  x('code with scope, size one too large', 'code_w_scope total size is too long, clips outer document', `0f 0f000000${string('')}${frame()}`),
  x('code with scope, size one too large, more behind', 'code_w_scope total size is too long, clips outer document', `0f 0f000000${string('')}${frame()}0a6100`),
  x('code with scope, size one too small', 'code_w_scope total size is too short, truncating scope', `0f 0e000000${string('a')}${frame()}`),
  x('code with scope, text of length 0', STRING_LENGTH, `0f 0e0000000000000000${frame()}`, { offset: 11 }),
  x('code with scope, text of length -1', STRING_LENGTH, `0f 0e000000ffffffff00${frame()}`, { offset: 11 }),
  x('code with scope, text of length -100', STRING_LENGTH, `0f 1e0000009cffffff${'00'.repeat(30)}`, { offset: 11 }),
  x('code with scope, text longer than all', STRING_LENGTH, `0f 0e000000ff00000000${frame()}`, { offset: 11 }),
  x('code with scope, text without its 0x00', STRING_LENGTH, `0f 0f00000002000000 6161${frame()}`, { offset: 11 }),
  x('code with scope, text that is not UTF-8', UTF8, `0f 0f00000002000000ff00${frame()}`, { offset: 15 }),
  x('code with scope, text that is not UTF-8 before a wrong scope', UTF8, `0f 1300000002000000ff00${frame('08610002')}`, { offset: 15 }),
  x('code with scope, scope of length 0', 'bad scope document size in code_w_scope', `0f 0e000000${string('')}0000000000`, { offset: 16 }),
  x('code with scope, scope of length -1', 'bad scope document size in code_w_scope', `0f 0e000000${string('')}ffffffff00`, { offset: 16 }),
  x('code with scope, scope past the end', 'bad scope document size in code_w_scope', `0f 0e000000${string('')}ff00000000`, { offset: 16 }),
  x('code with scope, scope closed by something else than 0x00', EARLY_END, `0f 0e000000${string('')}0500000001`, { offset: 20, path: 'x.$scope' }),
  x('code with scope, scope closed before its end', EARLY_END, `0f 0f000000${string('')}060000000000`, { offset: 20, path: 'x.$scope' }),
  x('code with scope, a fault inside the scope', 'illegal boolean type value', `0f 12000000${string('')}${frame('08610002')}`, { offset: 23, path: 'x.$scope.a' })
]

const paths = [
  { name: 'a path through documents and arrays', hex: frame(`03${X}${frame(`04${cstring('list')}${frame(`103000 01000000 033100${frame('08620002')}`)}`)}`), error: 'illegal boolean', offset: 38, path: 'x.list[1].b' },
  { name: 'a path with an odd key', hex: frame(`03${cstring('a.b "c"')}${frame(`08${cstring('')}02`)}`), error: 'illegal boolean', offset: 19, path: '["a.b \\"c\\""][""]' },
  { name: 'a path past elements of every size', hex: frame(`02${cstring('s')}${string('text')}05${cstring('b')}0200000000aabb08${X}09`), error: 'illegal boolean', offset: 29, path: 'x' }
]

const decodeErrors = [
  ...roots, ...names, ...unknown, ...short, ...strings, ...utf8, ...documents, ...rawDocuments,
  ...booleans, ...binaries, ...regexes, ...pointers, ...scopes, ...paths
]

const { Binary, Code, BSONRegExp, Long, Decimal128 } = types

const cycle = {}
cycle.list = [{ back: cycle }]
const arrayCycle = []
arrayCycle.push(arrayCycle)
const map = new Map()
map.set('m', map)
const scope = {}
scope.code = new Code('f', scope)

/** Binary data that `change` has corrupted after it was built. */
function spoiled(value, change) {
  return Object.assign(value, change)
}

const CIRCULAR = 'Cannot convert circular structure to BSON'
const encodeErrors = [
  { name: 'an array as root', value: [], error: 'encode does not support an array as the root input (make it the field of a document)' },
  ...[1, 'string', true, 1n, Symbol('s'), () => 1].map(value => ({ name: `a ${typeof value} as root`, value, error: `encode does not support non-object as the root input (this is of type ${typeof value})` })),
  ...[new types.ObjectId(), new Long(1), new Binary()].map(value => ({
    name: `${value._bsontype} as root`,
    value,
    error: 'BSON types cannot be serialized as a document'
  })),
  ...[new Date(), /a/, new Uint8Array(3), Buffer.alloc(2), new ArrayBuffer(3)].map(value => ({
    name: `a ${value.constructor.name} as root`,
    value,
    error: 'date, regexp, typedarray, and arraybuffer cannot be BSON documents'
  })),
  ...[null, 1, 'x', undefined].map(answer => ({ name: `toBSON of the root that gives ${answer}`, value: { toBSON: () => answer }, error: 'toBSON function did not return an object' })),
  { name: 'an invalid Date', value: { a: [new Date(NaN)] }, error: 'Invalid Date', path: 'a[0]' },
  { name: 'a key with NUL', value: { a: { 'b\0c': 1 } }, error: 'key b\0c must not contain null bytes', path: 'a["b\\u0000c"]' },
  { name: 'a Map key with NUL', value: new Map([['\0', 1]]), error: 'key \0 must not contain null bytes', path: '["\\u0000"]' },
  { name: 'a long key with NUL at its end', value: { ['k'.repeat(50) + '\0']: 1 }, error: `key ${'k'.repeat(50)}\0 must not contain null bytes` },
  ...[1, {}, Symbol('s'), null, undefined, 1n].map(key => ({ name: `a Map key that is ${typeof key}: ${String(key)}`, value: { m: new Map([[key, 1]]) }, error: 'the keys of a Map must be strings', path: 'm' })),
  { name: 'checkKeys: a dollar', value: { a: { $b: 1 } }, encodeOptions: { checkKeys: true }, error: "key $b must not start with '$'", path: 'a.$b' },
  { name: 'checkKeys: a dot', value: { a: [{ 'b.c': 1 }] }, encodeOptions: { checkKeys: true }, error: "key b.c must not contain '.'", path: 'a[0]["b.c"]' },
  { name: 'a RegExp with NUL', value: { a: new RegExp('\0') }, error: 'value \0 must not contain null bytes', path: 'a' },
  { name: 'a BSONRegExp with NUL in its pattern', value: { a: spoiled(new BSONRegExp('a'), { pattern: 'a\0' }) }, error: 'pattern a\0 must not contain null bytes', path: 'a' },
  {
    name: 'a BSONRegExp with NUL in its options',
    value: { a: spoiled(new BSONRegExp('a'), { options: 'i\0' }) },
    error: 'BSON Regex options cannot contain null bytes',
    path: 'a'
  },
  { name: 'a bigint above int64', value: { a: 2n ** 63n }, error: 'bigint 9223372036854775808 is outside', path: 'a' },
  { name: 'a bigint below int64', value: { a: -(2n ** 63n) - 1n }, error: 'bigint -9223372036854775809 is outside', path: 'a' },
  { name: 'a cycle', value: cycle, error: CIRCULAR },
  { name: 'a cycle of arrays', value: { a: arrayCycle }, error: CIRCULAR },
  { name: 'a cycle of Maps', value: map, error: CIRCULAR },
  { name: 'a cycle through a scope', value: scope, error: CIRCULAR },
  { name: 'a Binary whose position is beyond its buffer', value: { a: spoiled(new Binary(Buffer.alloc(3)), { position: 4 }) }, error: 'Binary must have', path: 'a' },
  { name: 'a Binary without a buffer', value: { a: spoiled(new Binary(Buffer.alloc(3)), { buffer: 'text' }) }, error: 'Binary must have', path: 'a' },
  { name: 'a Decimal128 of 15 bytes', value: { a: spoiled(new Decimal128(Buffer.alloc(16)), { bytes: Buffer.alloc(15) }) }, error: 'Decimal128 must have 16 bytes', path: 'a' },
  { name: 'a Long without its parts', value: { a: spoiled(new Long(1), { low: undefined }) }, error: 'Long must have', path: 'a' },
  { name: 'an unknown _bsontype of ours', value: { a: foreign('Nothing') }, error: 'Unrecognized or invalid _bsontype: Nothing', path: 'a' },
  { name: 'vector: int8 with padding', value: { v: new Binary(Buffer.from('030100', 'hex'), 9) }, error: 'Invalid Vector', path: 'v' },
  { name: 'vector: float32 with padding', value: { v: new Binary(Buffer.from('270100000000', 'hex'), 9) }, error: 'Invalid Vector', path: 'v' },
  { name: 'vector: float32 of three bytes', value: { v: new Binary(Buffer.from('2700000000', 'hex'), 9) }, error: 'Invalid Vector', path: 'v' },
  { name: 'vector: bits with padding and no bytes', value: { v: new Binary(Buffer.from('1001', 'hex'), 9) }, error: 'Invalid Vector', path: 'v' },
  { name: 'vector: bits with padding of 8', value: { v: new Binary(Buffer.from('100800', 'hex'), 9) }, error: 'Invalid Vector', path: 'v' },
  { name: 'too deep for maxDepth', value: { a: { b: { c: {} } } }, encodeOptions: { maxDepth: 3 }, error: 'document is nested deeper than 3 levels' }
]

/** A value of this major version with an unknown type. */
function foreign(name) {
  class Foreign extends types.BSONValue {
    get _bsontype() {
      return name
    }
  }
  return new Foreign()
}

module.exports = { decodeErrors, encodeErrors }
