'use strict'

// EJSON.fromBSON and toBSON: the same text as stringify on the decoded value, and the same bytes back.

const assert = require('node:assert')
const types = require('../../lib/types')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { validate } = require('../../lib/elements/validate')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { many } = require('../fixtures/long')
const { outcome } = require('../fixtures/outcome')
const { mutate } = require('../fixtures/mutate')
const { seededRandom, randomDocument } = require('../fixtures/random-document')

const LOSSLESS = { promoteValues: false, bsonRegExp: true }

const MODES = [undefined, { relaxed: true }, { relaxed: false }, { legacy: true }, { legacy: true, relaxed: false }, { space: 2 },
  { relaxed: false, space: '\t' }]

/** ms since 1970 */
const BEYOND = (8640000000000001n).toString(16).padStart(16, '0').match(/../g).reverse().join('')

const OID = '56e1fc72e0c917e9c4714161'

/** An element that no JavaScript value encodes to: type, value bytes in hex, canonical text. */
const rare = [
  ['undefined', '06', '', '{"$undefined":true}'],
  ['DBPointer', '0c', `03000000c3a900${OID}`, `{"$dbPointer":{"$ref":"é","$id":{"$oid":"${OID}"}}}`],
  ['a date beyond a Date', '09', 'ffffffffffffff7f', '{"$date":{"$numberLong":"9223372036854775807"}}'],
  ['a date just beyond a Date', '09', BEYOND, '{"$date":{"$numberLong":"8640000000000001"}}'],
  ['a symbol', '0e', '020000007800', '{"$symbol":"x"}'],
  ['code with scope', '0f', '1600000002000000780' + '00c0000001061000100000000', '{"$code":"x","$scope":{"a":{"$numberInt":"1"}}}'],
  ['code with an empty scope', '0f', '0f00000002000000780005000000' + '00', '{"$code":"x","$scope":{}}'],
  ['an old binary', '05', '06000000020200000' + '0ffff', '{"$binary":{"base64":"//8=","subType":"02"}}'],
  ['-0', '01', '0000000000000080', '{"$numberDouble":"-0.0"}'],
  ['a UUID of two bytes', '05', '0200000004ffff', '{"$binary":{"base64":"//8=","subType":"04"}}'],
  ['an unknown vector', '05', '0200000009ff00', '{"$binary":{"base64":"/wA=","subType":"09"}}'],
  ['min key', 'ff', '', '{"$minKey":1}'],
  ['max key', '7f', '', '{"$maxKey":1}']
]

function documentOf(type, value) {
  const body = Buffer.from(`${type}6100${value}00`, 'hex')
  const size = Buffer.alloc(4)
  size.writeInt32LE(body.length + 4)
  return Buffer.concat([size, body])
}

/** In relaxed mode, fromBSON distinguishes doubles without a fraction from integers. */
function withoutFractions(text) {
  return text.replace(/(\d)\.0(?=[,}\]\s])/g, '$1')
}

module.exports = {
  'fromBSON: as stringify of what decode gives': t => {
    for (let seed = 1; seed <= many(50, 2000); seed++) {
      const bytes = encode(withPlainReferences(randomDocument(seededRandom(seed), types)))
      for (const mode of MODES) {
        const { space, ...options } = mode ?? {}
        const expected = EJSON.stringify(decode(bytes, LOSSLESS), options, space)
        assert.deepStrictEqual(outcome(() => JSON.parse(EJSON.fromBSON(bytes, mode))), { value: JSON.parse(expected) })
        if (seed % 3 === 0) assert.strictEqual(withoutFractions(EJSON.fromBSON(bytes, mode)), withoutFractions(expected))
      }
    }
    t.done()
  },

  'toBSON: the same bytes back': t => {
    for (let seed = 1; seed <= many(50, 2000); seed++) {
      const bytes = encode(randomDocument(seededRandom(seed), types))
      const text = EJSON.fromBSON(bytes, { relaxed: false })
      assert.ok(withoutPayload(bytes, EJSON.toBSON(text)), `seed ${seed}`)
      assert.strictEqual(EJSON.fromBSON(EJSON.toBSON(text), { relaxed: false }), text)
      const indented = EJSON.fromBSON(bytes, { relaxed: false, space: 1 })
      assert.deepStrictEqual(EJSON.toBSON(indented), EJSON.toBSON(text))
    }
    t.done()
  },

  'what no JavaScript value says': t => {
    for (const [what, type, value, text] of rare) {
      const bytes = documentOf(type, value)
      assert.strictEqual(EJSON.fromBSON(bytes, { relaxed: false }), `{"a":${text}}`, what)
      if (what !== 'an unknown vector') assert.strictEqual(EJSON.toBSON(`{"a":${text}}`).toString('hex'), bytes.toString('hex'), what)
    }
    const outOfRange = documentOf('09', 'ffffffffffffff7f')
    t.strictEqual(EJSON.fromBSON(outOfRange, { legacy: true }), '{"a":{"$date":{"$numberLong":"9223372036854775807"}}}')
    t.strictEqual(EJSON.fromBSON(documentOf('09', BEYOND), { legacy: true }), '{"a":{"$date":{"$numberLong":"8640000000000001"}}}')
    t.done()
  },

  'relaxed, doubles and integers stay apart': t => {
    const { Double, Long } = types
    const doubles = { e: new Double(1e300), f: Long.MAX_VALUE, g: new Double(1e15) }
    const bytes = encode({ a: new Double(1), b: 1, c: 1.5, d: new Double(-0), ...doubles })
    const text = EJSON.fromBSON(bytes)
    t.strictEqual(text, '{"a":1.0,"b":1,"c":1.5,"d":-0.0,"e":1e+300,"f":9223372036854775807,"g":1000000000000000.0}')
    t.deepStrictEqual(EJSON.toBSON(text), bytes)
    const numbers = '{"a":[1.0,1e3,1.50,-2.00E+2,10,2147483648,-0,1E-2,-9223372036854775808,9223372036854775808],"b":"1.0 \\" 2.0"}'
    t.deepStrictEqual(decode(EJSON.toBSON(numbers), { promoteValues: false }), {
      a: [...[1, 1000, 1.5, -200].map(n => new Double(n)), new types.Int32(10), Long.fromNumber(2 ** 31), new Double(-0),
        new Double(0.01), Long.MIN_VALUE, new Double(2 ** 63)],
      b: '1.0 " 2.0'
    })
    t.done()
  },

  'toBSON: keys that are integers stay where they are': t => {
    const texts = [
      '{"a":1,"1":2,"0":3}', '{"b":{"10":[{"z":1,"2":2}]},"9":1}', '{"1":"\\u0001","0":"\\u0002"}', '{"\\"1":1,"x \\"2":2,"1":3,"0":4}',
      '{"a":{"$code":"x","$scope":{"b":1,"0":2}},"0":{"$ref":"c","$id":1,"x":1,"5":2}}', '{"s":"\\"1\\":","7":1,"4294967295":1,"01":2,"00":3}'
    ]
    for (const text of texts) t.strictEqual(EJSON.fromBSON(EJSON.toBSON(text)), text)
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON('{ "a" : 1 , "1"\n: 2 }')), '{"a":1,"1":2}')
    const full = JSON.stringify(Array.from({ length: 8 }, (_, i) => String.fromCharCode(i)).join(''))
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(`{"a":${full},"1":2}`)), `{"a":${full},"1":2}`)
    const error = errorOf(() => EJSON.toBSON('{"a":{"x":1,"5":{"$oid":"x"}}}'))
    t.strictEqual(error.path, 'a.5')
    t.ok(errorOf(() => EJSON.toBSON('{"a":1,"1\\u0000":2,"0":1}')) instanceof BSONError)
    t.strictEqual(errorOf(() => EJSON.toBSON('{"a":1,"1":}')).message, errorOf(() => JSON.parse('{"a":1,"1":}')).message)
    t.done()
  },

  'toBSON: what parse and encode give, for what they can say': t => {
    const texts = [
      '{}', '{"a":[]}', '{"a":[[{}]],"b":{"c":null}}', '{"$set":{"a":true}}', `{"a":{"$ref":"c","$id":{"$oid":"${OID}"}}}`,
      '{"a":{"$regex":"x","$options":"i"}}', '{"a":{"$regex":{"$regularExpression":{"pattern":"x","options":""}}}}',
      '{"a":{"$uuid":"73ffd264-44b3-4c69-90e8-e7d1dfc035d4"}}', '{"a":{"$date":"2012-12-24T12:15:30.501Z"}}',
      '{"a":{"$numberDecimal":"1.5"},"b":{"$timestamp":{"t":1,"i":2}},"c":{"$minKey":1},"d":{"$code":"x"}}',
      '{"__proto__":{"a":{"$numberLong":"5"}},"é":"日"}'
    ]
    for (const text of texts) t.deepStrictEqual(EJSON.toBSON(text), encode(EJSON.parse(text, { relaxed: false })), text)
    t.deepStrictEqual(EJSON.toBSON('{"a":{"$date":5}}', { legacy: true }), encode({ a: new Date(5) }))
    t.deepStrictEqual(EJSON.toBSON('{"a":{"$binary":"YQ==","$type":"00"}}', { legacy: true }), encode({ a: Buffer.from('a') }))
    t.deepStrictEqual(EJSON.toBSON('{"a":{"$binary":{"base64":"YWJj\\nZA =\\t=","subType":"00"}}}'), encode({ a: Buffer.from('abcd') }))
    t.done()
  },

  'toBSON: JSON as JSON.parse takes it, and nothing else': t => {
    const parts = ['{', '}', '[', ']', ',', ':', '"', '\\', '\n', ' ', '0', '1', '-', '.', 'e', 'true', 'null', '"a"', '"$oid"', '"\\u00e9"', '\u0001', 'é']
    const texts = [
      '{"a":[1,-0,1.5,1e5,1E-7,true,false,null,"x\\n\\u00e9 é",{"b":{}},[]],"c":{"$date":{"$numberLong":"5"}}}',
      `{ "a" : [ { "$oid" : "${OID}" } , {"$code":"x","$scope":{}} , {"$numberDouble":"1.5"} ] }`
    ]
    const random = seededRandom(5)
    for (let i = 0; i < many(2_500, 20_000); i++) {
      let text = texts[i % 2]
      for (let n = Math.floor(random() * 3); n >= 0; n--) {
        const at = Math.floor(random() * text.length)
        const part = random() < 0.3 ? '' : parts[Math.floor(random() * parts.length)]
        text = text.slice(0, at) + part + text.slice(at + (random() < 0.5 ? 1 : 0))
      }
      const isJson = outcome(() => JSON.parse(text)).error === undefined
      const { error } = outcome(() => EJSON.toBSON(text))
      if (error instanceof SyntaxError) assert.ok(!isJson, text)
      else if (!isJson) assert.ok(error instanceof BSONError, text) // an earlier fault in it
    }
    t.done()
  },

  'toBSON: numbers are the ones that JavaScript reads': t => {
    const random = seededRandom(6)
    for (let i = 0; i < many(2_500, 20_000); i++) {
      const digits = String(random()).slice(2, 2 + random() * 20)
      const point = Math.floor(random() * digits.length)
      const number = `${random() < 0.5 ? '-' : ''}${BigInt(digits.slice(0, point) || 0)}.${digits.slice(point)}0e${Math.floor(random() * 60) - 30}`
      assert.strictEqual(decode(EJSON.toBSON(`{"a":${number}}`)).a, Number(number), number)
      assert.strictEqual(decode(EJSON.toBSON(`{"a":{"$numberDouble":"${number}"}}`)).a, Number(number), number)
    }
    t.done()
  },

  'toBSON: a key that is there twice is there twice': t => {
    const text = '{"a":1,"b":{"c":1,"c":"x"},"a":2}'
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(text)), text)
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(`{"a":{"$oid":"x","$oid":"${OID}"}}`)), `{"a":{"$oid":"${OID}"}}`)
    t.done()
  },

  'toBSON: queries in queries by $regex': t => {
    const nested = '{"$regex":{"a":[[1]],"$regex":'.repeat(400) + '"x"' + '}'.repeat(800)
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(nested)), nested)
    const deep = '{"b":[[1]]}'
    for (const last of ['"x":1', '"$regex":null', '"$regex":{"$regularExpression":{"pattern":"x","options":""}}']) {
      const query = `{"a":{"$regex":${deep},${last}}}`
      t.strictEqual(EJSON.fromBSON(EJSON.toBSON(query)), query)
    }
    for (const wrong of [`{"$regex":${deep}}`, `{"$regex":[${deep}]}`, `{"$regex":${deep},"$options":""}`, `{"$regex":null,"$regex":${deep}}`]) {
      const { message, path } = errorOf(() => EJSON.toBSON(`{"a":${wrong}}`))
      t.ok(message.startsWith('Unexpected BSONRegExp') && path === 'a', message)
    }
    t.done()
  },

  'toBSON: a scope before its code': t => {
    const code = '{"$code":"x","$scope":{"b":1}}'
    const turned = '{"$scope":{"b":1},"$code":"x"}'
    const many = `[${Array(50).fill(turned)}]`
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(`{"a":${many}}`)), `{"a":[${Array(50).fill(code)}]}`)
    const typed = '{"a":{"$scope":{"$oid":"x","b":1},"$code":"f"}}'
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(typed)), '{"a":{"$code":"f","$scope":{"$oid":"x","b":1}}}')
    const plain = '{"$scope":'.repeat(900) + '1' + ',"a":1}'.repeat(900)
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(plain)), plain)
    const deep = '{"a":{"$scope":'.repeat(400) + '{}' + ',"$code":""}}'.repeat(400)
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(deep)), '{"a":{"$code":"","$scope":'.repeat(400) + '{}' + '}}'.repeat(400))
    for (const wrong of ['{"$code":"x","$scope":{},"$code":"y"}', '{"$code":"x","$scope":{},"y":1}', '{"$scope":{},"$code":1}']) {
      t.ok(errorOf(() => EJSON.toBSON(`{"a":${wrong}}`)).message.startsWith('Unexpected Code'), wrong)
    }
    t.done()
  },

  'toBSON: what comes after plain nested scopes': t => {
    const scopes = '{"$scope":'.repeat(20) + `"${'z'.repeat(20_000)}"` + '}'.repeat(20)
    const query = '{"$regex":{"b":[1],"$regex":'.repeat(10) + '"x"' + '}'.repeat(20)
    for (const [text, read] of [[query, query], ['{"$scope":{"a":1},"$code":"f"}', '{"$code":"f","$scope":{"a":1}}']]) {
      t.strictEqual(EJSON.fromBSON(EJSON.toBSON(`{"x":${scopes},"c":${text}}`)), `{"x":${scopes},"c":${read}}`)
    }
    const wrongs = [
      [`{"$oid":"${OID}","y":1}`, 'ObjectId'], ['{"$scope":{"a":'.repeat(30) + '1' + '},"$code":"f","z":1}'.repeat(30), 'Code']
    ]
    for (const [wrong, type] of wrongs) {
      const { message } = errorOf(() => EJSON.toBSON(`{"x":${scopes},"c":${wrong}}`))
      t.ok(message.startsWith(`Unexpected ${type} Extended JSON format`), message)
    }
    t.done()
  },

  'toBSON: text that is not UTF-8': t => {
    const { TextReader } = require('../../lib/ejson/to-bson')
    for (const [text, path] of [['{"a":"x\xff"}', 'a'], ['{"a":{"$symbol":"\xff"}}', 'a'], ['{"a":"\xff\\n"}', 'a'], ['{"\xff":1}', undefined]]) {
      const error = errorOf(() => new TextReader().read(Buffer.from(text, 'latin1')))
      assert.ok(error instanceof BSONError && error.message.startsWith('the text is not UTF-8'), text)
      assert.strictEqual(error.path, path, text)
    }
    t.done()
  },

  'toBSON: errors': t => {
    const cases = [
      ['5', 'Extended JSON must be a document to become BSON'],
      ['null', 'Extended JSON must be a document'],
      ['[{}]', 'Extended JSON must be a document'],
      ['{"a":{"b":[{"$oid":"x"}]}}', 'input must be a 24 character hex string', 'a.b[0]'],
      ['{"a":{"$numberInt":5}}', 'Unexpected Int32', 'a'],
      ['{"a":{"$binary":{"base64":"YQ==","subType":"zz"}}}', 'Unexpected Binary', 'a'],
      ['{"a":{"$binary":{"base64":"Y Q!","subType":"00"}}}', 'not a base64 string: "Y Q!"', 'a'],
      ['{"a":{"$binary":{"base64":"AAAAA","subType":"00"}}}', 'not a base64 string', 'a'],
      ['{"a":{"b\\u0000":1}}', 'BSON Document field names cannot contain null bytes', 'a["b\\u0000"]'],
      ['{"a":{"$regularExpression":{"pattern":"x","options":"q"}}}', 'The regular expression option [q] is not supported', 'a'],
      ['{"a":{"$code":"x","$scope":{"b":{"$minKey":2}}}}', 'Unexpected MinKey', 'a.$scope.b'],
      ['{"a":{"$date":"never"}}', '$date string "never" is not a valid date', 'a']
    ]
    for (const [text, message, path] of cases) {
      const error = errorOf(() => EJSON.toBSON(text))
      assert.ok(error instanceof BSONError, text)
      assert.ok(error.message.startsWith(message), error.message)
      assert.strictEqual(error.path, path)
    }
    for (const text of ['{"a":', '{"a":{"$oid":[', '{"a":1.0,}', '{"a":1.0,"b', 'x1.0']) {
      t.strictEqual(errorOf(() => EJSON.toBSON(text)).message, errorOf(() => JSON.parse(text)).message)
    }
    t.deepStrictEqual(EJSON.toBSON('{}'), encode({}))
    t.done()
  },

  'a root that is a wrapper is a document': t => {
    const text = `{"$ref":"c","$id":{"$oid":"${OID}"}}`
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(text)), text)
    t.done()
  },

  'deep documents': t => {
    const levels = 900
    const text = '{"a":['.repeat(levels / 2) + '1' + ']}'.repeat(levels / 2)
    const bytes = EJSON.toBSON(text)
    t.strictEqual(EJSON.fromBSON(bytes), text)
    t.strictEqual(validate(bytes), bytes.length)
    const scopes = '{"c":{"$code":"x","$scope":'.repeat(200) + '{}' + '}}'.repeat(200)
    t.strictEqual(EJSON.fromBSON(EJSON.toBSON(scopes)), scopes)
    t.strictEqual(errorOf(() => EJSON.fromBSON(bytes, { maxDepth: 50 })).message.startsWith('document is nested deeper than 50 levels'), true)
    const error = errorOf(() => EJSON.toBSON(text, { maxDepth: 50 }))
    t.ok(error.message.startsWith('Extended JSON is nested deeper than 50 levels'))
    t.ok(error.path.includes('…') && error.path.includes('a[0].a'))
    t.done()
  },

  'toBSON: many values of any type, as items and as fields': t => {
    const values = ['null', 'true', '7', '1.5', '"x"', '[]', '{}', '{"$oid":"0123456789abcdef01234567"}', '{"$numberLong":"5"}', '{"$minKey":1}']
    for (const value of values) {
      for (const count of [10, 300, 2000]) {
        const list = Array(count).fill(value)
        for (const text of [`{"a":[${list.join()}]}`, `{${list.map((each, i) => `"${i}":${each}`).join()}}`]) {
          assert.ok(EJSON.toBSON(text).equals(encode(EJSON.parse(text, { relaxed: false }))), `${count} times ${value}`)
        }
      }
    }
    t.done()
  },

  'fromBSON: an error exactly where validate has one': t => {
    for (let seed = 1; seed <= many(500, 20_000); seed++) {
      const random = seededRandom(seed)
      const bytes = mutate(random, Buffer.from(encode(randomDocument(random, types, 2))))
      const error = outcome(() => validate(bytes)).error
      const ours = outcome(() => EJSON.fromBSON(bytes)).error
      assert.strictEqual(ours?.message, error?.message, `seed ${seed}`)
      assert.strictEqual(ours?.offset, error?.offset, `seed ${seed}`)
      assert.strictEqual(ours?.path, error?.path, `seed ${seed}`)
    }
    t.done()
  },

  'fromBSON: text is checked whatever the option validation says': t => {
    const bytes = encode({ a: 'xx' })
    bytes[11] = 0xff
    for (const utf8 of [true, false, { a: false }, { a: true }]) {
      const { error } = outcome(() => EJSON.fromBSON(bytes, /** @type {any} */ ({ validation: { utf8 } })))
      t.ok(error instanceof BSONError && error.path === 'a', String(error))
    }
    t.done()
  },

  'fromBSON: bytes of every kind, at an offset': t => {
    const bytes = encode({ a: 1 })
    const longer = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('yy')])
    t.strictEqual(EJSON.fromBSON(longer, { index: 2, allowObjectSmallerThanBufferSize: true }), '{"a":1}')
    for (const input of [new Uint8Array(bytes), new DataView(new Uint8Array(bytes).buffer), new Uint8Array(bytes).buffer, [...bytes]]) {
      t.strictEqual(EJSON.fromBSON(input), '{"a":1}')
    }
    t.ok(errorOf(() => EJSON.fromBSON(longer)) instanceof BSONError)
    t.ok(errorOf(() => EJSON.fromBSON('text')) instanceof BSONError)
    t.done()
  },

  'keys that begin alike': t => {
    const docs = [{ ab: 1, abc: 2 }, { ab: 1, abd: 2 }, { ab: 1, ab_: { ab: 1 } }, { 'é': 1, è: 2 }, { 'é': 1, e: 2 }, {}]
    for (let i = 0; i < 3; i++) for (const doc of docs) t.strictEqual(EJSON.fromBSON(encode(doc)), JSON.stringify(doc))
    t.done()
  }
}

/** All NaNs come back as the only NaN that text has. */
function withoutPayload(bytes, again) {
  return bytes.equals(again) || EJSON.fromBSON(bytes, { relaxed: false }) === EJSON.fromBSON(again, { relaxed: false })
}

/** In bytes, references keep the order of their keys; as values they have a fixed order, and version 1 drops their fields. */
function withPlainReferences(doc) {
  for (const key of Object.keys(doc)) {
    if (doc[key]?._bsontype === 'DBRef' || /\$ref/.test(JSON.stringify(doc[key], (_, value) => jsonOf(value)))) delete doc[key]
  }
  return doc
}

function jsonOf(value) {
  return typeof value === 'bigint' || typeof value === 'function' ? String(value) : value
}
