'use strict'

// EJSON.parse: the same values as bson 7.3.4 for tables and random documents, the differences, and the errors.

const assert = require('node:assert')
const bson = require('bson')
const types = require('../../lib/types')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode')
const { decode } = require('../../lib/decode')
const { BSONError } = require('../../lib/errors')
const { describe } = require('../fixtures/describe')
const { errorOf } = require('../fixtures/error-of')
const { many } = require('../fixtures/long')
const { outcome } = require('../fixtures/outcome')
const { seededRandom, randomDocument, setOwn } = require('../fixtures/random-document')

const MODES = [
  undefined,
  {},
  { relaxed: true },
  { relaxed: false },
  { relaxed: undefined },
  { useBigInt64: true },
  { relaxed: false, useBigInt64: true },
  { legacy: true, relaxed: true },
  { legacy: true, relaxed: false }
]

const ID = new types.ObjectId('56e1fc72e0c917e9c4714161')
const OID = `{"$oid":"${ID}"}`

/** Texts that both libraries read alike, in every mode. */
const texts = [
  '5', '-5', '1.5', '"x"', 'true', 'null', '[]', '{}', '[1,[2,[3]]]', '{"a":{"b":[{"c":1}]}}', ' { "a" : 1 } ',
  '{"a":2147483647,"b":2147483648,"c":-2147483648,"d":-2147483649,"e":9007199254740991,"f":1e300,"g":-0,"h":1.0}',
  '{"price":"$5","$money":1,"$":2,"a$":3}', '"$oid"', '{"\\u0024set":{"a":1}}',
  OID, `{"a":${OID}}`, `[${OID},${OID}]`, '{"a":{"\\u0024oid":"56E1FC72e0c917e9c4714161"}}',
  '{"$numberInt":"5"}', '{"a":{"$numberInt":"-2147483648"}}', '{"$numberDouble":"1.5"}', '{"$numberDouble":"-0.0"}',
  '{"$numberDouble":"NaN"}', '{"$numberDouble":"-Infinity"}', '{"$numberDouble":"1E+3"}', '{"$numberDouble":".5"}',
  '{"$numberLong":"5"}', '{"$numberLong":"0"}', '{"$numberLong":"-9007199254740991"}', '{"$numberLong":"+7"}',
  '{"$numberDecimal":"1.50"}', '{"$numberDecimal":"NaN"}',
  '{"$date":"1970-01-01T00:00:00Z"}', '{"$date":"2012-12-24T12:15:30.501Z"}', '{"$date":"2012-02-29T23:59:59.999Z"}',
  '{"$date":"2012-12-31T12:15:30Z"}', '{"$date":"0001-01-01T00:00:00Z"}', '{"$date":"9999-12-28T00:00:00.001Z"}',
  '{"$date":"2012-12-24T12:15:30+01:00"}', '{"$date":"2012-12-24T12:15:30.5Z"}',
  '{"$date":"+012345-01-01T00:00:00Z"}', '{"$date":"2012-12-24T12:15:30.501+0000"}', '{"$date":"2012-12-24t12:15:30.5019z"}',
  '{"$binary":{"base64":"//8=","subType":"00"}}', '{"$binary":{"subType":"5","base64":""}}',
  '{"$binary":{"base64":"c//SZESzTGmQ6OfR38A11A==","subType":"04"}}', '{"$binary":{"base64":"YQ","subType":"80"}}',
  '{"$uuid":"73ffd264-44b3-4c69-90e8-e7d1dfc035d4"}', '{"$uuid":"73ffd26444b34c6990e8e7d1dfc035d4"}',
  '{"$timestamp":{"t":1,"i":2}}', '{"$timestamp":{"i":2147483647,"t":0}}',
  '{"$regularExpression":{"pattern":"a","options":"xi"}}', '{"$regex":"a"}', '{"$regex":"a","$options":"mi"}',
  '{"$regex":{"$regularExpression":{"pattern":"a","options":""}},"$options":"i"}', '{"$regex":null}',
  '{"a":{"$regex":{"$regex":"x"}}}', '{"$symbol":"s"}', '{"$code":"x"}', `{"$code":"x","$scope":{"a":${OID}}}`,
  '{"$scope":{"a":{"$numberInt":"1"}},"$code":"x"}', '{"$scope":{"a":1}}', '{"$type":2}', '{"$options":"i"}',
  '{"$minKey":1}', '{"$maxKey":1}', '{"$undefined":true}', '{"a":{"$undefined":true}}', '[{"$undefined":true}]',
  `{"$dbPointer":{"$ref":"c","$id":${OID}}}`, `{"$dbPointer":{"$id":${OID},"$ref":"c"}}`,
  `{"$ref":"c","$id":${OID}}`, `{"$id":${OID},"$ref":"c","$db":"d"}`, '{"x":{"y":{"$numberInt":"1"}},"$ref":"c","$id":1}',
  `{"$ref":"c","$id":1,"x":${OID},"y":{"a":${OID}}}`, `{"$ref":"c","$id":1,"$x":${OID}}`, '{"$ref":"c"}',
  '{"$ref":5,"$id":1}', '{"$ref":"c","$id":null}', '{"$ref":"c","$id":{"$undefined":true}}', '{"$ref":"c","$id":1,"$db":2}',
  '{"$ref":"a","$id":{"$ref":"c","$id":{"x":1}}}', '{"$id":1}', `{"__proto__":${OID},"constructor":{"$numberInt":"1"}}`,
  '{"__proto__":{"$set":{"__proto__":1}}}', `{"a":1,"a":${OID}}`, '{"$set":{"a":{"$numberLong":"5"}},"$inc":{"b":1}}',
  `{"before":${OID},"$and":[{"a":${OID}},{"$or":[]}],"after":${OID}}`, '{"a":"\\u0000","b":{"c":"\\u0000"}}', '{"":{"$":{}}}',
  '{"a":{"$oid":null},"b":{"$date":null,"x":1}}', '{"a":{"$undefined":false}}', '{"a":{"$undefined":1}}', '{"$dbPointer":null}',
  '{"$dbPointer":{"$ref":"c","$id":5}}', `{"$dbPointer":{"$ref":"c","$id":5,"$db":"d","x":${OID}}}`, '{"$code":"x","$scope":null}',
  '{"$date":{"$numberLong":"8640000000000001"}}', '{"$minKey":true}', '{"$maxKey":"1"}',
  '{"$numberInt":5}', '{"$numberInt":" 5"}', '{"$numberInt":"5.0"}', '{"$numberDouble":5.5}', '{"$numberDouble":"+Infinity"}',
  '{"$binary":{"base64":"//8="}}', '{"$binary":{"base64":"//8=","subType":5}}', '{"$binary":{"base64":"Y\\nQ==","subType":"00"}}',
  '{"$binary":{"base64":"//8","subType":"0x05"}}', '{"$regularExpression":{"pattern":"a"}}',
  '{"$regularExpression":{"pattern":"a","options":null}}', '{"$regex":"a","$options":null}',
  '{"$timestamp":{"t":{"$numberInt":"1"},"i":{"$numberInt":"2"}}}', '{"$oid":{"id":"56e1fc72e0c917e9c4714161"}}'
]

/** Texts that bson rejects in one mode only: qbson reads them in every mode. */
const inRelaxed = ['{"$date":42}', '{"$date":-1.5}', '{"$date":1e300}', '{"$date":{"$numberInt":"5"}}', '{"$date":{"$numberDouble":"1.5"}}', '{"$timestamp":{"t":{"$numberLong":"1"},"i":{"$numberDouble":"2"}}}']

/** Texts that both reject. */
const refused = [
  '{"a":{"$oid":"short"}}', '{"a":{"$oid":5}}', '{"a":{"$oid":"56e1fc72e0c917e9c471416g"}}',
  '{"a":{"$numberLong":"1234567890123456789012"}}',
  '{"a":{"$numberLong":"5x"}}', '{"a":{"$numberLong":"007"}}', '{"a":{"$numberLong":""}}',
  '{"a":{"$numberDecimal":"1x"}}', '{"a":{"$numberDecimal":5}}', '{"a":{"$date":true}}', '{"a":{"$date":{"x":1}}}',
  '{"a":{"$date":[]}}', '{"a":{"$binary":"//8="}}', '{"a":{"$binary":{"base64":5,"subType":"00"}}}', '{"a":{"$binary":5}}',
  '{"a":{"$uuid":"x"}}', '{"a":{"$uuid":5}}',
  '{"a":{"$timestamp":5}}', '{"a":{"$timestamp":{"t":"1","i":1}}}', '{"a":{"$timestamp":{"t":1}}}',
  '{"a":{"$timestamp":{"t":-1,"i":1}}}', '{"a":{"$regex":5}}', '{"a":{"$regex":{}}}', '{"a":{"$regex":"a","$options":"Q"}}',
  '{"a":{"$regularExpression":{"pattern":5,"options":""}}}', '{"a":{"$regularExpression":{"pattern":"a\\u0000","options":""}}}',
  '{"a\\u0000":1}', '{"a":[{"$set":{"b\\u0000":1}}]}', '{"$x\\u0000":1}'
]

/** Not the dates of RFC 3339, which the specification asks for. */
const wrongDates = ['5', '', 'yesterday', 'foo 2012', '12/24/2012', 'Mon Dec 24 2012', '2012', '2012-12', '2012-12-24 12:15:30Z', '2012-12-24T12:15Z',
  '2012-13-24T12:15:30Z', '2012-02-30T00:00:00Z', '2013-02-29T00:00:00.000Z', '2012-04-31T00:00:00+01:00', '2012-00-01T00:00:00Z',
  '2012-01-00T00:00:00Z', '2012-01-01T24:00:00Z', '2012-01-01T00:60:00Z', '2012-06-30T23:59:60Z', '2012-12-24T12:15:3xZ', '2012-12-24T12:15:30,501Z',
  '2012-12-24T12:15:30.Z', '2012-12-24T12:15:30+24:00', '2012-12-24T12:15:30+01', ' 2012-12-24T12:15:30Z', '2012-12-24T12:15:30Z ', '-000000-01-01T00:00:00Z',
  '12345-01-01T00:00:00Z', '+275760-09-13T00:00:00.001Z', '2012-12-24T12:15:30 GMT']
const withoutZone = ['2012-12-24', '2012-12-24T12:15', '2012-12-24T12:15:30', '2012-12-24T12:15:30.501', '+012345-01-01T00:00:00']

/** [what, text, mode, what qbson says: the value, or the beginning of an error] */
const differences = [
  ['int64 keep their digits', '{"$numberLong":"9223372036854775807"}', {}, types.Long.MAX_VALUE],
  ['so do numbers without type', '[9007199254740993,-9223372036854775808]', {}, [types.Long.fromString('9007199254740993'), types.Long.MIN_VALUE]],
  ['a double would hold them too', '[1152921504606846976,1e18,9007199254740992]', {}, [types.Long.fromBits(0, 1 << 28), 1e18, 2 ** 53]],
  ['and where types are kept', '[1152921504606846976,1e18]', { relaxed: false }, [types.Long.fromBits(0, 1 << 28), new types.Double(1e18)]],
  ['and in documents with types', `[${OID},9007199254740993]`, {}, [ID, types.Long.fromString('9007199254740993')]],
  ['integers beyond int64 are doubles', '9223372036854775808', { relaxed: false }, new types.Double(2 ** 63)],
  ['int64 out of range', '{"a":{"$numberLong":"9223372036854775808"}}', {}, '$numberLong string "9223372036854775808" is outside'],
  ['int64 out of range, bigint', '{"$numberLong":"-9223372036854775809"}', { useBigInt64: true }, '$numberLong string'],
  ['__proto__ in a reference', `{"$ref":"c","$id":1,"__proto__":{"a":${OID}}}`, {}, new types.DBRef('c', 1, undefined, setOwn({}, '__proto__', { a: ID }))],
  ['no int32', '{"$numberInt":"2147483648"}', {}, 'Unexpected Int32'],
  ['no number', '{"$numberDouble":"1x"}', {}, 'Unexpected Double'],
  ['an int32 has no -0', '{"$numberInt":"-0"}', {}, 0],
  ['no base64', '{"$binary":{"base64":"a!b","subType":"00"}}', {}, 'not a base64 string: "a!b"'],
  ['base64 of URLs', '{"$binary":{"base64":"_-8","subType":"00"}}', {}, 'not a base64 string'],
  ['base64 with a character too many', '{"$binary":{"base64":"YWFhY","subType":"00"}}', {}, 'not a base64 string'],
  ['subtype 4 of another length', '{"$binary":{"base64":"//8=","subType":"04"}}', {}, types.Binary.createFromBase64('//8=', 4)],
  ['a date as a number, also where types are kept', '{"$date":5}', { relaxed: false }, new Date(5)],
  ['a date of version 1, also where types are kept', '{"$date":{"$numberLong":"5"}}', { legacy: true, relaxed: false }, new Date(5)],
  ['a collection with a dot', '{"$ref":"a.b","$id":1}', {}, Object.assign(new types.DBRef('', 1), { collection: 'a.b' })],
  ['20 digits', '{"$numberLong":"92233720368547758070"}', {}, '$numberLong string'],
  ['timestamps beyond int32', '{"$timestamp":{"t":4294967295,"i":0}}', { useBigInt64: true, relaxed: false }, new types.Timestamp({ t: 0xffffffff, i: 0 })],
  ['timestamps beyond 32 bits', '{"$timestamp":{"t":1,"i":4294967296}}', { relaxed: false }, 'Timestamp constructed from'],
  ['a scope that looks like a value is a document', `{"$code":"x","$scope":${OID}}`, {}, new types.Code('x', { $oid: ID.toHexString() })],
  ['queries that have more than a regex', '{"$regex":"a","$ne":"b"}', {}, { $regex: 'a', $ne: 'b' }]
]

/** Texts with the key of a type but not its form, which both accept. */
const loose = [
  '{"$symbol":5}', '{"$symbol":{"a":1}}', '{"$symbol":[{"$oid":"56e1fc72e0c917e9c4714161"}]}', '{"$code":5}', '{"$code":{}}', '{"$code":"x","$scope":[]}', '{"$code":"x","$scope":""}',
  '{"$binary":{"base64":"","subType":"00","x":1}}',
  '{"$binary":{"base64":"","subType":"00"},"$uuid":"x"}', '{"$timestamp":{"t":1,"i":1,"x":1}}', '{"$minKey":2}', '{"$maxKey":[]}',
  '{"$regularExpression":{"pattern":"a","options":"i","x":1}}', '{"$undefined":{"b":1}}', '{"$undefined":[],"$oid":"x"}', '{"$undefined":0,"x":1}',
  '{"$dbPointer":{"$ref":"c"}}', '{"$dbPointer":{"$ref":"c"},"$ref":"d"}', '{"$dbPointer":{"$ref":"c","$id":1},"$ref":"d","$id":2}', '{"$dbPointer":{"$ref":"c","$x":1}}',
  '{"$dbPointer":{"$ref":"c","$id":1},"x":1}', '{"x":1,"$numberInt":{"$undefined":true}}', '{"$oid":null,"$numberInt":"1"}',
  `{"$date":"2012-12-24T00:00:00Z","$code":"x","$numberInt":"5"}`, '{"$code":"x","$date":"2012-12-24T00:00:00Z"}', '{"$dbPointer":{"$ref":"c","$id":1},"$code":"x"}',
  '{"$code":"x","$scope":{"a":{"$numberInt":"1"},"b":{"$oid":null}},"x":1}', '{"$options":"i","$numberLong":"5"}', '{"$type":2,"$numberInt":"5"}'
]

/** Every type with an extra key. */
const WITH_EXTRA_KEY = ['$oid', '$date', '$numberInt', '$numberLong', '$numberDouble', '$numberDecimal', '$binary', '$uuid',
  '$timestamp', '$regularExpression', '$symbol', '$code', '$dbPointer', '$undefined', '$minKey', '$maxKey']

/** Version 1, which the option `legacy` allows. */
const legacy = [
  '{"$binary":"//8=","$type":"00"}', '{"$binary":"//8=","$type":5}', '{"$type":"80","$binary":"YQ=="}', '{"$date":42}', '{"$date":-1}',
  '{"$date":"2012-12-24T12:15:30Z"}', '{"$date":{"$numberLong":"5"}}', '{"$regex":"a","$options":"i"}'
]

function both(text, mode) {
  return [outcome(() => EJSON.parse(text, mode)), outcome(() => bson.EJSON.parse(text, mode))]
}

/** Values of either library as text: their names, not their classes. */
function told({ value, error }) {
  return error === undefined ? describe(value) : `${error.name}: ${error.message}`
}

module.exports = {
  'says the same whatever texts came before': function(t) {
    const long = '{"id":{"$oid":"0123456789abcdef01234567"},"n":9007199254740993}'
    const wrong = '{"a":{"$numberLong":"x","b":9007199254740993}}'
    const fresh = '{"id":{"$oid":"0123456789abcdef01234567"},"n":1e300}'
    for (let before = 0; before < 12; before++) {
      t.strictEqual(EJSON.parse(long).n.toString(), '9007199254740993')
      for (let i = 0; i < before; i++) t.strictEqual(EJSON.parse(fresh).n, 1e300)
      for (let i = 0; i < before; i++) EJSON.parse('{"a":{"$minKey":1}}')
      t.throws(() => EJSON.parse(wrong), /is in an invalid format/)
    }
    t.done()
  },

  'as bson, in every mode': t => {
    for (const text of texts) {
      for (const mode of MODES) {
        const [ours, theirs] = both(text, mode)
        if (mode?.legacy && theirs.error) continue
        assert.strictEqual(told(ours), told(theirs), `${text}, ${JSON.stringify(mode)}`)
      }
    }
    t.done()
  },

  'as bson where it is relaxed, in every mode': t => {
    for (const text of inRelaxed) {
      const theirs = told(outcome(() => bson.EJSON.parse(text)))
      for (const mode of MODES) assert.strictEqual(told(outcome(() => EJSON.parse(text, mode))), theirs, `${text}, ${JSON.stringify(mode)}`)
    }
    t.done()
  },

  'the parts of a timestamp may be int64s, alone or where another key is beside them': t => {
    for (const other of ['', ',"x":1']) {
      const text = `{"a":{"$timestamp":{"t":{"$numberLong":"4294967295"},"i":{"$numberInt":"7"}}${other}}}`
      for (const mode of [{}, { relaxed: false }]) {
        const [ours, theirs] = both(text, mode)
        assert.strictEqual(told(ours), told(theirs))
      }
      for (const mode of MODES) t.strictEqual(String(EJSON.parse(text, mode).a), String((0xffffffffn << 32n) | 7n))
    }
    t.done()
  },

  'refused, as by bson': t => {
    for (const text of refused) {
      for (const mode of MODES) {
        const [ours, theirs] = both(text, mode)
        assert.ok(theirs.error, `bson takes ${text}`)
        assert.ok(ours.error instanceof BSONError, `${text}: ${told(ours)}`)
        assert.ok(ours.error.path.startsWith(Object.keys(JSON.parse(text))[0] === 'a' ? 'a' : '["'), text)
      }
    }
    const same = ['{"a\\u0000":1}', '{"a":{"$numberLong":"5x"}}', '{"a":{"$numberLong":"1234567890123456789012"}}',
      '{"a":{"$uuid":"x"}}', '{"a":{"$timestamp":{"t":1}}}', '{"a":{"$date":true}}', '{"a":{"$oid":5}}', '{"a":{"$regex":5}}']
    for (const text of same) {
      const [ours, theirs] = both(text)
      assert.ok(ours.error.message.startsWith(theirs.error.message), `${ours.error.message} | ${theirs.error.message}`)
    }
    t.done()
  },

  'what is no JSON is a SyntaxError, as with bson': t => {
    for (const text of ['', '{', '{"a":}', '{"$oid":"x"', undefined, 'nope', '[1,]',
      '[9007199254740993,]', '{"a":9007199254740993', '[9007199254740993,"x', '[9007199254740993,"x\\"]']) {
      const [ours, theirs] = both(text)
      assert.ok(ours.error instanceof SyntaxError)
      assert.strictEqual(ours.error.message, theirs.error.message)
    }
    t.strictEqual(EJSON.parse(Buffer.from('{"a":1}')).a, 1)
    t.strictEqual(EJSON.parse('{"a":1}', null).a, 1)
    t.done()
  },

  'other than bson': t => {
    for (const [what, text, mode, expected] of differences) {
      const [ours, theirs] = both(text, mode)
      if (ours.error) assert.ok(ours.error instanceof BSONError && ours.error.message.startsWith(expected), `${what}: ${told(ours)}`)
      else assert.strictEqual(told(ours), describe(expected), what)
      assert.notStrictEqual(told(ours), told(theirs), `${what}: no difference any more`)
    }
    t.done()
  },

  'dates that are none, in every mode, by parse and by toBSON: never the zone of the machine': t => {
    for (const mode of MODES) {
      for (const date of [...wrongDates, ...withoutZone]) {
        const text = JSON.stringify({ a: { $date: date } })
        const errors = [EJSON.parse, EJSON.toBSON].map(read => errorOf(() => read(text, mode)))
        for (const error of errors) {
          assert.ok(error instanceof BSONError && error.path === 'a', `${date}: ${error}`)
          assert.strictEqual(error.message.includes('no time zone'), withoutZone.includes(date), error.message)
        }
        assert.strictEqual(errors[0].message, errors[1].message)
      }
    }
    t.done()
  },

  'numbers survive the way to text and back, as plain objects too, and with a replacer': t => {
    const numbers = [2 ** 53, 2 ** 53 + 2, 1e16, Number('1234567890123456789'), 2 ** 60, -(2 ** 62), -(2 ** 63), 2 ** 63, 1e19, 1e21, -0, 5e9, 0.5]
    const { Long } = types
    const longs = ['9007199254740993', '1152921504606847000', '1000000000000000000', '9223372036854775807'].map(digits => Long.fromString(digits))
    for (const n of [...numbers, ...longs, ...longs.map(long => long.negate())]) {
      const again = [
        EJSON.parse(EJSON.stringify({ n })), EJSON.deserialize(EJSON.serialize({ n })),
        EJSON.parse(EJSON.stringify({ n }, (key, value) => value)),
        EJSON.parse(EJSON.fromBSON(encode({ n }))), decode(EJSON.toBSON(EJSON.stringify({ n })))
      ]
      if (typeof n === 'number') again.push(EJSON.deserialize({ n }))
      again.forEach((value, i) => assert.deepStrictEqual(value, { n }, `${n}, ${i}`))
    }
    t.deepStrictEqual(EJSON.deserialize([NaN, -Infinity]), [NaN, -Infinity])
    t.done()
  },

  'int64 beyond 2^53, however they are written': t => {
    const { Long } = types
    t.ok(EJSON.parse('{"$numberLong":"9223372036854775807"}').equals(Long.MAX_VALUE))
    t.ok(EJSON.parse('{"a":[-9223372036854775807]}').a[0].equals(Long.MIN_VALUE.add(1)))
    t.ok(EJSON.parse('-9223372036854775808').equals(Long.MIN_VALUE))
    t.strictEqual(EJSON.parse('[9007199254740993]', { useBigInt64: true })[0], 9007199254740993n)
    t.strictEqual(EJSON.parse('{"a":9007199254740993}', { relaxed: false }).a.toString(), '9007199254740993')
    const mixed = EJSON.parse(`{"s":"9007199254740993 \\" 9007199254740993","n":9007199254740993,"id":${OID},"d":0.12345678901234567}`)
    t.strictEqual(mixed.s, '9007199254740993 " 9007199254740993')
    t.strictEqual(mixed.n.toString(), '9007199254740993')
    t.strictEqual(mixed.d, Number('0.12345678901234567'))
    t.strictEqual(EJSON.parse('9007199254740992'), 2 ** 53)
    t.strictEqual(EJSON.parse('[1234567890123456789e5,12345678901234567890123]')[1], Number('12345678901234567890123'))
    t.done()
  },

  'what has not the form of its type, as bson': t => {
    for (const text of loose) {
      for (const mode of MODES) {
        const [ours, theirs] = both(`{"x":[${text}]}`, mode)
        assert.strictEqual(told(ours), told(theirs), `${text}, ${JSON.stringify(mode)}`)
      }
    }
    t.done()
  },

  'every type with a key too many is read as bson reads it, and is no type of the specification': t => {
    const good = Object.fromEntries(texts.filter(text => text.startsWith('{"$')).map(text => [/^\{"(\$\w+)"/.exec(text)[1], text]))
    for (const name of WITH_EXTRA_KEY) {
      for (const extra of ['"unrelated":true', '"a":{"$numberInt":"1"}', '"$set":[]']) {
        for (const text of [good[name].replace('{', `{${extra},`), good[name].replace(/\}$/, `,${extra}}`)]) {
          for (const mode of MODES) {
            const [ours, theirs] = both(`{"x":[${text}]}`, mode)
            if (mode?.legacy && theirs.error) continue
            assert.strictEqual(told(ours), told(theirs), `${text}, ${JSON.stringify(mode)}`)
          }
          t.strictEqual(errorOf(() => EJSON.toBSON(`{"x":[${text}]}`)).path, 'x[0]')
        }
      }
    }
    t.done()
  },

  'legacy: version 1': t => {
    for (const text of legacy) {
      const [ours, theirs] = both(text, { legacy: true })
      assert.strictEqual(told(ours), told(theirs), text)
    }
    assert.ok(errorOf(() => EJSON.parse('{"$binary":"//8=","$type":"00"}')) instanceof BSONError)
    assert.ok(errorOf(() => EJSON.toBSON('{"a":{"$binary":"//8=","$type":[]}}', { legacy: true })) instanceof BSONError)
    t.done()
  },

  'random documents there and back, as bson': t => {
    for (let seed = 1; seed <= many(60, 400); seed++) {
      for (const relaxed of [true, false]) {
        const written = outcome(() => EJSON.stringify(randomDocument(seededRandom(seed), types), { relaxed }))
        if (written.error) continue
        const [ours, theirs] = both(written.value, { relaxed })
        if (theirs.error) continue
        // Where bson loses digits, qbson keeps them: as numbers they are equal.
        assert.strictEqual(describe(ours.value, rounded), describe(theirs.value, rounded), `seed ${seed}`)
        assert.deepStrictEqual(JSON.parse(EJSON.stringify(ours.value, { relaxed }), doubles), JSON.parse(written.value, doubles), `seed ${seed}`)
      }
    }
    t.done()
  },

  'the path to what is wrong': t => {
    const bad = '{"$oid":"x"}'
    const paths = [
      [`{"a":{"b":[1,{"c":${bad}}]}}`, 'a.b[1].c'],
      [`{"$and":[{"a.b":${bad}}]}`, '$and[0]["a.b"]'],
      [`{"$ref":"c","$id":${bad}}`, '$id'],
      [`{"r":{"$ref":"c","$id":1,"x":{"y":${bad}}}}`, 'r.x.y'],
      [`{"f":{"$code":"x","$scope":{"y":${bad}}}}`, 'f.$scope.y'],
      [bad, undefined]
    ]
    for (const [text, path] of paths) t.strictEqual(errorOf(() => EJSON.parse(text)).path, path, text)
    t.ok(errorOf(() => EJSON.parse(paths[0][0])).message.endsWith('(in field a.b[1].c)'))
    const far = '{"a":'.repeat(300) + bad + '}'.repeat(300)
    t.ok(errorOf(() => EJSON.parse(far)).path.includes('…'))
    t.done()
  },

  'deep texts': t => {
    const levels = 900
    const text = '{"a":['.repeat(levels / 2) + OID + ']}'.repeat(levels / 2)
    t.strictEqual(EJSON.stringify(EJSON.parse(text)), text)
    const scopes = '{"$code":"x","$scope":{"a":'.repeat(200) + '{"$numberInt":"1"}' + '}}'.repeat(200)
    t.strictEqual(EJSON.stringify(EJSON.parse(scopes), { relaxed: false }), scopes)
    const refs = '{"$ref":"c","$id":{"x":'.repeat(200) + '{"$numberInt":"1"}' + '},"y":{"z":true}}'.repeat(200)
    t.strictEqual(EJSON.stringify(EJSON.parse(refs), { relaxed: false }), refs)
    t.done()
  },

  'maxDepth': t => {
    t.deepStrictEqual(EJSON.parse('[[[1]]]', { maxDepth: 3 }), [[[1]]])
    for (const text of ['[[[1]]]', '{"a":{"$set":{"b":1}}}']) {
      const error = errorOf(() => EJSON.parse(text, { maxDepth: 2 }))
      t.ok(error instanceof BSONError)
      t.ok(error.message.startsWith('Extended JSON is nested deeper than 2 levels'))
    }
    t.ok(errorOf(() => EJSON.parse('['.repeat(500) + ']'.repeat(500), { maxDepth: 450 })) instanceof BSONError)
    t.done()
  },

  'no prototype is touched': t => {
    const doc = EJSON.parse(`{"a":{"__proto__":{"polluted":${OID}},"b":${OID}}}`)
    t.strictEqual({}.polluted, undefined)
    t.strictEqual(Object.getPrototypeOf(doc.a), Object.prototype)
    t.deepStrictEqual(Object.keys(doc.a), ['__proto__', 'b'])
    t.ok(Object.getOwnPropertyDescriptor(doc.a, '__proto__').value.polluted instanceof types.ObjectId)
    t.done()
  }
}

/** Doubles have more than one text. */
function doubles(key, value) {
  return key === '$numberDouble' ? Number(value) : value
}

/** Longs and numbers as equal, up to 15 digits. */
function rounded(value) {
  const isInteger = value?._bsontype === 'Long' || (typeof value === 'number' && Math.abs(value) > 2 ** 53)
  return isInteger ? Number(value.toString()).toPrecision(15) : undefined
}
