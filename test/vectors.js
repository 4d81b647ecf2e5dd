'use strict'

// The project's own table of valid documents: bsonspec.org by example. Each row is tested both ways unless it says otherwise:
//
//   hex      the document's bytes
//   value    what `hex` decodes to (with `options`), and what encodes to `hex` (with `encodeOptions`)
//   from     what encodes to `hex`, if not `value`
//   oneWay   'decode' or 'encode': the row is about that direction only
//
// Errors are in vectors-errors.js.

const types = require('../lib/types')
const { frame, int32, string, cstring } = require('./fixtures/bytes')
const { setOwn } = require('./fixtures/random-document')
const { x, promoted } = require('./fixtures/vector-rows')
const { numbers } = require('./vectors-numbers')

const { ObjectId, Binary, UUID } = types
const { Code, DBRef, BSONRegExp, BSONSymbol, MinKey, MaxKey } = types

const oid = new ObjectId('0123456789abcdef01234567')
const OID = '0123456789abcdef01234567'

function own(...pairs) {
  const object = {}
  for (const [key, value] of pairs) setOwn(object, key, value)
  return object
}

const documents = [
  { type: 'document', name: 'document: empty', value: {}, hex: '05000000 00' },
  { type: 'document', name: 'document: null as root', from: null, value: {}, hex: '05000000 00' },
  { type: 'document', name: 'document: undefined as root', from: undefined, value: {}, oneWay: 'encode', hex: '0500000000' },
  { type: 'document', name: 'document: an empty Map', from: new Map(), value: {}, hex: '05000000 00' },
  { type: 'document', name: 'document: fully literal', value: { hello: 'world' }, hex: '16000000 02 68656c6c6f00 06000000 776f726c6400 00' },
  {
    type: 'document',
    name: 'document: literal array of three types',
    value: { BSON: ['awesome', 5.05, 1986] },
    hex: '31000000 04 42534f4e00 26000000 02 3000 08000000 617765736f6d6500 01 3100 3333333333331440 10 3200 c2070000 00 00'
  },
  x('document', 'empty inside', {}, `03 ${frame()}`),
  x('document', 'one in another', { a: {} }, `03 ${frame('03 6100' + frame())}`),
  x('document', 'six levels', { a: { b: { c: { d: { e: 5 } } } } }, `03 ${frame('036100' + frame('036200' + frame('036300' + frame('036400' + frame('106500 05000000')))))}`),
  x('document', 'a Map with entries in their order', { z: 1, a: 2 }, `03 ${frame('107a0001000000 10610002000000')}`, {
    from: { x: new Map([['z', 1], ['a', 2]]) }
  }),
  x('document', 'an object without a prototype', { a: 1 }, `03 ${frame('10610001000000')}`, {
    from: { x: Object.assign(Object.create(null), { a: 1 }) }
  }),
  x('document', 'a class instance: own fields only', { a: 1 }, `03 ${frame('10610001000000')}`, {
    from: { x: Object.assign(Object.create({ inherited: 1 }), { a: 1 }) }
  }),
  x('document', 'symbols and what is not enumerable are left out', { a: 1 }, `03 ${frame('10610001000000')}`, {
    from: { x: Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3 }) }
  }),
  x('document', 'a getter counts as its value', { a: 1 }, `03 ${frame('10610001000000')}`, {
    from: { x: { get a() { return 1 } } }
  }),
  x('document', 'toBSON instead of the object', { b: 2 }, `03 ${frame('10620002000000')}`, {
    from: { x: { a: 1, toBSON: () => ({ b: 2 }) } }
  }),
  x('document', 'toBSON that gives something else than an object', 'ok', `02 ${string('ok')}`, { from: { x: { toBSON: () => 'ok' } } }),
  { type: 'document', name: 'document: toBSON of the root', from: { a: 1, toBSON: () => ({ b: 2 }) }, value: { b: 2 }, hex: frame('10620002000000') },
  { type: 'document', name: 'document: duplicate keys, the last value wins', value: { a: 2 }, hex: frame('106100 01000000 106100 02000000'), oneWay: 'decode' },
  {
    type: 'document',
    name: 'document: duplicate keys keep the place of the first',
    value: { a: 's', b: 1 },
    hex: frame('106100 01000000 106200 01000000 026100' + string('s')),
    oneWay: 'decode'
  },
  { type: 'document', name: 'document: numeric keys come first, as in every object', value: { 1: 1, a: 2 }, hex: frame('106100 02000000 103100 01000000'), oneWay: 'decode' },
  { type: 'document', name: 'document: undefined fields are left out', from: { a: undefined, b: 1 }, value: { b: 1 }, hex: frame('106200 01000000') },
  { type: 'document', name: 'document: undefined fields as null', from: { a: undefined }, value: { a: null }, hex: frame('0a6100'), encodeOptions: { ignoreUndefined: false } },
  { type: 'document', name: 'document: functions are left out', from: { a: () => 1, b: 1 }, value: { b: 1 }, hex: frame('106200 01000000') },
  { type: 'document', name: 'document: symbols are left out', from: { a: Symbol('s'), b: 1 }, value: { b: 1 }, hex: frame('106200 01000000') }
]

const KEYS = [
  '', ' ', '.', 'a.b', '$', '$a', '0', '-0', '1e3', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON',
  'hasOwnProperty', '__defineGetter__', '__lookupSetter__', 'then', 'length', 'name', '"', "'", '`', '\\', '${a}', '*/', '//',
  '\n', '\r\n', '\t', '\u0001', '\u007f', '\u0080', '\u00ff', '\u07ff', '\u0800', '\u2028', '\u2029', '\ufeff', '\ufffd', '\uffff',
  '\ud83d\ude00', 'ключ', 'キー', 'x'.repeat(24), 'x'.repeat(25), 'é'.repeat(100), 'k'.repeat(10000)
]

const keys = [
  ...KEYS.map(key => ({
    type: 'key',
    name: `key: ${JSON.stringify(key.length > 30 ? key.slice(0, 9) + '…' + key.length : key)}`,
    value: own([key, 1]),
    hex: frame('10' + cstring(key) + '01000000')
  })),
  {
    type: 'key',
    name: 'key: __proto__ twice, with objects',
    value: own(['__proto__', { b: 2 }]),
    hex: frame('035f5f70726f746f5f5f00' + frame('10610001000000') + '035f5f70726f746f5f5f00' + frame('10620002000000')),
    oneWay: 'decode'
  },
  { type: 'key', name: 'key: a lone surrogate becomes U+FFFD', from: { '\ud800': 1 }, value: { '\ufffd': 1 }, hex: frame('10efbfbd0001000000') },
  {
    type: 'key',
    name: 'key: checkKeys lets the names of references pass',
    value: { $db: 1, $clusterTime: 2 },
    hex: frame('1024646200 01000000 1024636c757374657254696d6500 02000000'),
    encodeOptions: { checkKeys: true }
  }
]

const STRINGS = [
  ['empty', ''],
  ['one letter', 'a'],
  ['NUL alone', '\0'],
  ['NUL inside', 'a\0b\0'],
  ['two-byte letters', 'é'],
  ['the largest of two bytes', '\u07ff'],
  ['the smallest of three bytes', '\u0800'],
  ['the last before the surrogates', '\ud7ff'],
  ['the first after the surrogates', '\ue000'],
  ['U+FFFD itself', '\ufffd'],
  ['U+FFFD in a long string', 'x'.repeat(50) + '\ufffd'],
  ['U+FFFF', '\uffff'],
  ['the first astral', '\u{10000}'],
  ['the last code point', '\u{10ffff}'],
  ['a byte order mark, kept', '\ufeffa'],
  ['a byte order mark before a long string, kept', '\ufeff' + 'a'.repeat(40)],
  ['line separators', '\u2028\u2029'],
  ['mixed widths', 'aé日😀'],
  ...[9, 10, 11, 23, 24, 25, 31, 32, 33, 127, 128, 255, 256, 1023, 1024, 1025, 8191, 8192, 8193, 16384].flatMap(length => [
    [`${length} ASCII letters`, 'abcdefgh'.repeat(length).slice(0, length)],
    [`${length} units and one of two bytes`, 'x'.repeat(length - 1) + 'ß']
  ]),
  ['8192 emoji', '😀'.repeat(8192)]
]

const strings = [
  ...STRINGS.map(([name, text]) => x('string', name, text, `02 ${string(text)}`)),
  x('string', 'a lone high surrogate becomes U+FFFD', 'a\ufffdb', `02 ${string('a\ufffdb')}`, { from: { x: 'a\ud800b' } }),
  x('string', 'a lone low surrogate becomes U+FFFD', '\ufffd', `02 ${string('\ufffd')}`, { from: { x: '\udc00' } }),
  x('string', 'surrogates the wrong way round become two U+FFFD', '\ufffd\ufffd', `02 ${string('\ufffd\ufffd')}`, { from: { x: '\udc00\ud800' } }),
  x('string', 'a lone surrogate at the end of a long string', 'x'.repeat(99) + '\ufffd', `02 ${string('x'.repeat(99) + '\ufffd')}`, {
    from: { x: 'x'.repeat(99) + '\ud83d' }
  }),
  x('string', 'literal bytes of four widths', 'a¢€😀', '02 0b000000 61 c2a2 e282ac f09f9880 00'),
  x('string', 'invalid UTF-8 is replaced where validation is off', '\ufffd', '02 02000000ff00', { options: { validation: { utf8: false } }, oneWay: 'decode' })
]

const arrays = [
  x('array', 'empty', [], `04 ${frame()}`),
  x('array', 'one number', [10], `04 ${frame('1030000a000000')}`),
  x('array', 'eleven, indexes of two digits', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], `04 ${frame(Array.from({ length: 11 }, (_, i) => '10' + cstring(String(i)) + int32(i)).join(''))}`),
  x('array', 'of 1001', Array(1001).fill(null), `04 ${frame(Array.from({ length: 1001 }, (_, i) => '0a' + cstring(String(i))).join(''))}`),
  x('array', 'of doubles', [1.5, -0.5], `04 ${frame('013000 000000000000f83f 013100 000000000000e0bf')}`),
  x('array', 'of doubles, then others', [1.5, 2.5, 'x', 3.5], `04 ${frame('013000 000000000000f83f 013100 0000000000000440' + '023200' + string('x') + '013300 0000000000000c40')}`),
  x('array', 'of arrays', [[], [[]]], `04 ${frame('043000' + frame() + '043100' + frame('043000' + frame()))}`),
  x('array', 'of documents', [{ a: 1 }, {}], `04 ${frame('033000' + frame('10610001000000') + '033100' + frame())}`),
  x('array', 'empty index, ignored', [10], `04 ${frame('10000a000000')}`, { oneWay: 'decode' }),
  x('array', 'wrong index, ignored', [10], `04 ${frame('106162000a000000')}`, { oneWay: 'decode' }),
  x('array', 'indexes twice and out of order, ignored', [1, 2, 3], `04 ${frame('10310001000000 10310002000000 10300003000000')}`, { oneWay: 'decode' }),
  x('array', 'an index as long as a hostile one, ignored', [1], `04 ${frame('10' + cstring('9'.repeat(1000)) + '01000000')}`, { oneWay: 'decode' }),
  x('array', 'an index that is not UTF-8, ignored', [1], `04 ${frame('10ff0001000000')}`, { oneWay: 'decode' }),
  x('array', '__proto__ as index, ignored', [[]], `04 ${frame('04' + cstring('__proto__') + frame())}`, { oneWay: 'decode' }),
  x('array', 'undefined inside becomes null', [null, 1], `04 ${frame('0a3000 10310001000000')}`, { from: { x: [undefined, 1] } }),
  x('array', 'holes become null', [null, 1], `04 ${frame('0a3000 10310001000000')}`, { from: { x: Object.assign([], { 1: 1 }) } }),
  x('array', 'other properties of an array are not elements', [1], `04 ${frame('10300001000000')}`, { from: { x: Object.assign([1], { more: 2 }) } })
]

const SUBTYPES = [0x00, 0x01, 0x03, 0x05, 0x06, 0x07, 0x08, 0x0a, 0x7f, 0x80, 0xff]
const bytes3 = Buffer.from('ff0001', 'hex')
const UUID_HEX = '73ffd26444b34c6990e8e7d1dfc035d4'
const uuid = new UUID('73ffd264-44b3-4c69-90e8-e7d1dfc035d4')
const hexByte = n => n.toString(16).padStart(2, '0')

const binaries = [
  ...SUBTYPES.flatMap(subtype => [
    x('binary', `subtype ${subtype}`, new Binary(bytes3, subtype), `05 03000000${hexByte(subtype)}ff0001`),
    x('binary', `subtype ${subtype}, empty`, new Binary(Buffer.alloc(0), subtype), `05 00000000${hexByte(subtype)}`),
    x('binary', `subtype ${subtype}, promoted`, bytes3, `05 03000000${hexByte(subtype)}ff0001`, { options: { promoteBuffers: true }, oneWay: 'decode' })
  ]),
  ...[15, 16, 17, 300, 5000].map(size => x('binary', `${size} bytes`, new Binary(Buffer.alloc(size, 7), 0), `05 ${int32(size)}00${'07'.repeat(size)}`)),
  x('binary', 'subtype 2, the old layout', new Binary(bytes3, 2), '05 070000000203000000ff0001'),
  x('binary', 'subtype 2, empty', new Binary(Buffer.alloc(0), 2), '05 040000000200000000'),
  x('binary', 'subtype 2, promoted', bytes3, '05 070000000203000000ff0001', { options: { promoteBuffers: true }, oneWay: 'decode' }),
  x('binary', 'a Buffer', new Binary(bytes3, 0), '05 0300000000ff0001', { from: { x: bytes3 } }),
  x('binary', 'a Uint8Array', new Binary(bytes3, 0), '05 0300000000ff0001', { from: { x: new Uint8Array(bytes3) } }),
  x('binary', 'a view into the middle of something', new Binary(bytes3, 0), '05 0300000000ff0001', { from: { x: Buffer.from('aaff0001bb', 'hex').subarray(1, 4) } }),
  x('binary', 'a Binary with room to spare writes what it holds', new Binary(bytes3, 0), '05 0300000000ff0001', { from: { x: spare(bytes3) } }),
  x('binary', 'a long Binary with room to spare', new Binary(Buffer.alloc(40, 7), 0), `05 2800000000${'07'.repeat(40)}`, {
    from: { x: spare(Buffer.alloc(40, 7)) }
  }),
  x('binary', 'UUID', uuid, `05 1000000004${UUID_HEX}`),
  x('binary', 'UUID, promoted', Buffer.from(UUID_HEX, 'hex'), `05 1000000004${UUID_HEX}`, { options: { promoteBuffers: true }, oneWay: 'decode' }),
  x('binary', 'UUID from a Binary', uuid, `05 1000000004${UUID_HEX}`, { from: { x: new Binary(Buffer.from(UUID_HEX, 'hex'), 4) } }),
  x('binary', 'subtype 4 of another length stays a Binary', new Binary(bytes3, 4), '05 0300000004ff0001'),
  x('binary', 'old UUID', new Binary(Buffer.from(UUID_HEX, 'hex'), 3), `05 1000000003${UUID_HEX}`),
  x('binary', 'vector of int8', new Binary(Buffer.from('03007f80', 'hex'), 9), '05 040000000903007f80'),
  x('binary', 'vector of float32', new Binary(Buffer.from('27000000fe42', 'hex'), 9), '05 060000000927000000fe42'),
  x('binary', 'vector of bits, padded', new Binary(Buffer.from('1003f8', 'hex'), 9), '05 03000000091003f8'),
  x('binary', 'vector of a kind still unknown', new Binary(Buffer.from('7700aa', 'hex'), 9), '05 03000000097700aa')
]

function spare(bytes) {
  const binary = new Binary()
  for (const byte of bytes) binary.put(byte)
  return binary
}

const objectIds = [
  x('objectId', 'zero', new ObjectId('0'.repeat(24)), `07 ${'0'.repeat(24)}`),
  x('objectId', 'all ones', new ObjectId('f'.repeat(24)), `07 ${'f'.repeat(24)}`),
  x('objectId', 'every byte another', oid, `07 ${OID}`),
  x('objectId', 'the first bit of each word', new ObjectId('800000800000800000800000'), '07 800000800000800000800000')
]

const booleans = [x('boolean', 'true', true, '08 01'), x('boolean', 'false', false, '08 00')]

const nothings = [
  x('null', 'null', null, '0a'),
  x('undefined', 'undefined, deprecated', undefined, '06', { oneWay: 'decode' }),
  x('minKey', 'MinKey', new MinKey(), 'ff'),
  x('maxKey', 'MaxKey', new MaxKey(), '7f'),
  { type: 'undefined', name: 'undefined: in an array', value: { x: [undefined, 1] }, hex: frame('047800' + frame('063000 10310001000000')), oneWay: 'decode' }
]

const BSONREGEX = { bsonRegExp: true }
const regexes = [
  x('regex', 'empty', /(?:)/, '0b 283f3a2900 00'),
  x('regex', 'abc', /abc/, '0b 6162630000'),
  x('regex', 'flags i and m', /abc/im, '0b 61626300696d00'),
  x('regex', 'flags in another order', /abc/im, '0b 616263006d6900', { oneWay: 'decode' }),
  x('regex', 'not ASCII', new RegExp('é日'), '0b c3a9e697a50000'),
  x('regex', 'option s', /a.c/s, '0b 612e63007300'),
  x('regex', 'option u', /a.c/u, '0b 612e63007500'),
  x('regex', 'an option that JavaScript has not stays a BSONRegExp', new BSONRegExp('abc', 'x'), '0b 616263007800'),
  x('regex', 'an option twice stays a BSONRegExp', new BSONRegExp('abc', 'ii'), '0b 61626300696900'),
  x('regex', 'flags that BSON has not are left out', /abc/i, '0b 616263006900', { from: { x: /abc/giy } }),
  x('regex', 'BSONRegExp', new BSONRegExp('abc', 'ilmsux'), '0b 61626300696c6d73757800', { options: BSONREGEX }),
  x('regex', 'BSONRegExp, empty', new BSONRegExp('', ''), '0b 0000', { options: BSONREGEX }),
  x('regex', 'BSONRegExp, options are sorted', new BSONRegExp('a', 'xi'), '0b 6100697800', { options: BSONREGEX }),
  x('regex', 'a property of Unicode stays a BSONRegExp', new BSONRegExp('\\p{L}', 'u'), '0b 5c707b4c7d007500'),
  x('regex', 'a pattern of more than 1,024 characters stays a BSONRegExp', new BSONRegExp('x'.repeat(1025), ''), `0b ${'78'.repeat(1025)}0000`),
  x('regex', 'a pattern that only PCRE knows stays a BSONRegExp', new BSONRegExp('(?<a', 'i'), '0b 283f3c61006900')
]

const REF = `022472656600${string('c')}`

const codes = [
  x('code', 'empty', new Code(''), `0d ${string('')}`),
  x('code', 'text', new Code('function() {}'), `0d ${string('function() {}')}`),
  x('code', 'not ASCII, with NUL', new Code('é\0日'), `0d ${string('é\0日')}`),
  x('code', 'a function, where asked', new Code('() => 1'), `0d ${string('() => 1')}`, { from: { x: () => 1 }, encodeOptions: { serializeFunctions: true } }),
  x('code', 'with an empty scope', new Code('', {}), `0f ${int32(14)}${string('')}${frame()}`),
  x('code', 'with scope', new Code('abcd', { x: 1 }), '0f 19000000 05000000 6162636400 0c000000 107800 01000000 00'),
  x('code', 'with a scope that has a scope', new Code('a', { b: new Code('c', {}) }), `0f ${scoped('a', '0f6200' + scoped('c', ''))}`),
  x('code', 'a scope that looks like a reference stays a scope', new Code('a', { $ref: 'c', $id: 1 }), `0f ${scoped('a', `${REF}102469640001000000`)}`),
  x('code', 'with an array in its scope', new Code('a', { b: [1] }), `0f ${scoped('a', '046200' + frame('10300001000000'))}`)
]

function scoped(text, elements) {
  const body = string(text) + frame(elements)
  return int32(body.length / 2 + 4) + body
}

const oldTypes = [
  ...promoted('symbol', 'empty', new BSONSymbol(''), '', `0e ${string('')}`),
  ...promoted('symbol', 'text', new BSONSymbol('aé\0b'), 'aé\0b', `0e ${string('aé\0b')}`),
  x('dbPointer', 'becomes a DBRef', new DBRef('b', oid), `0c ${string('b')}${OID}`, { oneWay: 'decode' }),
  x('dbPointer', 'database and collection', new DBRef('c', oid, 'b'), `0c ${string('b.c')}${OID}`, { oneWay: 'decode' }),
  x('dbPointer', 'not ASCII', new DBRef('é', oid), `0c ${string('é')}${OID}`, { oneWay: 'decode' })
]

const references = [
  x('dbRef', 'collection and id', new DBRef('c', oid), `03 ${frame(`${REF}0724696400${OID}`)}`),
  x('dbRef', 'with a database', new DBRef('c', oid, 'd'), `03 ${frame(`${REF}0724696400${OID}0224646200${string('d')}`)}`),
  x('dbRef', 'with other fields', new DBRef('c', oid, undefined, { a: 1 }), `03 ${frame(`${REF}0724696400${OID}10610001000000`)}`),
  x('dbRef', 'with other fields and a database', new DBRef('c', oid, 'd', { a: 1 }), `03 ${frame(`${REF}0724696400${OID}0224646200${string('d')}10610001000000`)}`),
  x('dbRef', 'an id of another type', new DBRef('c', 'id'), `03 ${frame(`${REF}0224696400${string('id')}`)}`),
  x('dbRef', '$id first', new DBRef('c', oid), `03 ${frame(`0724696400${OID}${REF}`)}`, { oneWay: 'decode' }),
  x('dbRef', '$ref alone is a document', { $ref: 'c' }, `03 ${frame(REF)}`),
  x('dbRef', '$id alone is a document', { $id: 1 }, `03 ${frame('102469640001000000')}`),
  x('dbRef', '$ref that is no string is a document', { $ref: 1, $id: 2 }, `03 ${frame('10247265660001000000 102469640002000000')}`),
  x('dbRef', '$db that is no string is a document', { $ref: 'c', $id: 2, $db: 3 }, `03 ${frame(`${REF}102469640002000000102464620003000000`)}`),
  x('dbRef', '$id null is a document', { $ref: 'c', $id: null }, `03 ${frame(`${REF}0a24696400`)}`),
  x('dbRef', 'another dollar key is a document', { $ref: 'c', $id: 1, $x: 2 }, `03 ${frame(`${REF}102469640001000000 1024780002000000`)}`),
  x('dbRef', 'in an array', [new DBRef('c', oid)], `04 ${frame(`033000${frame(`${REF}0724696400${OID}`)}`)}`)
]

const valid = [
  ...documents, ...keys, ...numbers, ...strings, ...arrays, ...binaries, ...objectIds, ...booleans,
  ...nothings, ...regexes, ...codes, ...oldTypes, ...references
]

module.exports = { valid }
