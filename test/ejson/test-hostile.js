'use strict'

// Untrusted Extended JSON: the time is linear in its size, and errors are BSONErrors.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const bson = require('bson')
const types = require('../../lib/types')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const { BSONError } = require('../../lib/errors')
const { assertCheap } = require('../fixtures/cost')
const { describe } = require('../fixtures/describe')
const { errorOf } = require('../fixtures/error-of')
const { many } = require('../fixtures/long')
const { outcome } = require('../fixtures/outcome')

const { Decimal128, Long } = types

/** Characters: enough for a quadratic run to take seconds; a linear one takes milliseconds. */
const MANY = 100_000

/** CPU time, in ms, far above any linear run, also of sources that nyc has changed. */
const LIMIT = process.env.NYC_CONFIG ? 5000 : 1000

const ones = '1'.repeat(MANY)
const zeros = '0'.repeat(MANY)

/** @type {Record<string, () => unknown>} */
const long = {
  'Decimal128 of digits': () => Decimal128.fromString(`${ones}x`),
  'Decimal128 of zeros': () => Decimal128.fromStringWithRounding(`1${'0'.repeat(6800)}1`),
  '$numberDecimal': () => EJSON.parse(`{"a":{"$numberDecimal":"${ones}x"}}`),
  '$numberDouble': () => EJSON.parse(`{"a":{"$numberDouble":"${ones}x"}}`),
  'an integer': () => EJSON.parse(`{"$a":${ones}}`),
  'an integer to BSON': () => EJSON.toBSON(`{"b":1.0,"a":${ones}}`),
  'a fraction to BSON': () => EJSON.toBSON(`{"b":1.0,"a":0.${ones}}`),
  'zeros to BSON': () => EJSON.toBSON(`{"b":1.0,"a":0.${zeros}1}`),
  'an exponent to BSON': () => EJSON.toBSON(`{"b":1.0,"a":1e-${ones}}`),
  'queries in queries to BSON': () => EJSON.toBSON('{"$regex":{"a":[[1]],"$regex":'.repeat(450) + `"${ones}"` + '}'.repeat(900)),
  'scopes before their code to BSON': () => EJSON.toBSON('{"a":{"$scope":'.repeat(400) + `{"b":"${ones}"}` + ',"$code":"f"}}'.repeat(400)),
  'scopes that are fields to BSON': () => EJSON.toBSON('{"$scope":'.repeat(900) + `"${ones}"` + '}'.repeat(900)),
  'a key again and again to BSON': () => EJSON.toBSON(`{"a":{${'"$regex":"x",'.repeat(MANY)}"a":1}}`),
  'a date': () => EJSON.parse(`{"a":{"$date":"${ones}x"}}`),
  'Long of digits': () => Long.fromString(ones),
  'Long of digits, hexadecimal': () => Long.fromString(ones, 16),
  'Long of hyphens': () => Long.fromString('-'.repeat(MANY) + 1)
}

const linearTests = {}
for (const [name, run] of Object.entries(long)) {
  linearTests[`${MANY} characters in linear time: ${name}`] = t => {
    assertCheap(LIMIT, () => {
      const { error } = outcome(run)
      assert.ok(error === undefined || error.name === 'BSONError', String(error))
    }, name)
    t.done()
  }
}

module.exports = {
  ...linearTests,

  'integers of any length, as bson reads them': t => {
    for (const digits of [20, 21, 308, 309, 310, 400, 5000]) {
      for (const sign of ['', '-']) {
        const text = `{"a":${sign}${'9'.repeat(digits)}}`
        for (const mode of [{}, { relaxed: false }]) {
          const { a } = EJSON.parse(text, mode)
          assert.deepStrictEqual(a.valueOf(), bson.EJSON.parse(text, mode).a.valueOf(), text)
        }
        assert.strictEqual(bson.deserialize(EJSON.toBSON(text)).a, JSON.parse(text).a, text)
      }
    }
    t.done()
  },

  'what is wrong in a few words, whatever its size and depth': t => {
    const deep = '['.repeat(900) + ']'.repeat(900)
    const inexact = [
      `{"$maxKey":2,"x":${deep}}`, `{"$symbol":${deep}}`, `{"$code":${deep}}`, `{"x":${deep},"$undefined":true}`,
      `{"$minKey":1,"x":[${'1,'.repeat(100_000)}1]}`, `{"$minKey":1,"x":"${'y'.repeat(100_000)}"}`
    ]
    const wrongs = [
      `{"$regex":${deep}}`, `{"$regularExpression":${deep}}`, `{"$binary":${deep}}`, `{"$oid":"x","y":${deep}}`, `{"$dbPointer":{"$ref":${deep}}}`,
      `{"$regularExpression":{"pattern":5,"x":${deep}}}`, '{"x":{"$numberLong":"5"},"$oid":1}'
    ]
    const parsers = [text => EJSON.parse(text), text => EJSON.parse(text, { useBigInt64: true })]
    for (const text of inexact) for (const parse of parsers) parse(`{"a":${text}}`)
    for (const wrong of [...wrongs, ...inexact]) {
      for (const read of inexact.includes(wrong) ? [EJSON.toBSON] : [...parsers, EJSON.toBSON]) {
        const error = errorOf(() => read(`{"a":${wrong}}`))
        assert.ok(error instanceof BSONError, `${wrong.slice(0, 30)}: ${error}`)
        assert.strictEqual(error.path, 'a')
        assert.ok(error.message.length < 350, error.message)
      }
    }
    t.done()
  },

  'values that no type holds are errors of ours': t => {
    const texts = [
      '{"$timestamp":5}', '{"$timestamp":{"t":null,"i":1}}', '{"$timestamp":{"t":1e20,"i":1}}', '{"$uuid":5}', '{"$dbPointer":5}',
      '{"$dbPointer":{"$ref":"c","$id":{"$oid":{}}}}', '{"$oid":{}}', '{"$oid":[]}',
      '{"$uuid":["73ffd264-44b3-4c69-90e8-e7d1dfc035d4"]}', '{"$date":{"$numberLong":{}}}', '{"$date":{"x":1},"y":2}',
      '{"$code":{"toString":1}}', '{"$numberInt":{"valueOf":1,"toString":1}}', '{"$dbPointer":{"$ref":5}}', '{"$dbPointer":[],"x":1}',
      '{"$regularExpression":{"pattern":5,"options":""}}', '{"$numberDecimal":["5"]}', '{"$numberLong":["x"]}', '{"$numberLong":5.5}',
      '{"$numberInt":[5]}', '{"$numberInt":"abc"}', '{"$numberInt":"2147483648"}', '{"$numberDouble":{}}', '{"$numberDouble":"1x"}'
    ]
    const inexact = ['{"$code":{}}', '{"$regularExpression":{"pattern":["a"],"options":""}}', '{"$symbol":{}}', '{"$timestamp":{"t":1,"i":1,"x":1}}']
    for (const text of [...texts, ...inexact]) {
      for (const options of [{}, { legacy: true }, { relaxed: false, useBigInt64: true }]) {
        const { error } = outcome(() => EJSON.parse(`{"a":${text}}`, options))
        assert.ok(inexact.includes(text) ? error === undefined : error instanceof BSONError, `${text}: ${error}`)
        assert.ok(errorOf(() => EJSON.toBSON(`{"a":${text}}`, options)) instanceof BSONError, text)
      }
    }
    t.done()
  },

  'toBSON: times that are no int64 are errors, in version 1 too': t => {
    const times = ['1'.repeat(29), '1.5', '1e300', '1e999', `-${'9'.repeat(19)}`, '{"$numberLong":"9223372036854775808"}', '"yesterday"']
    for (const time of times) {
      assert.ok(errorOf(() => EJSON.toBSON(`{"a":{"$date":${time}}}`, { legacy: true })) instanceof BSONError, time)
    }
    const exact = EJSON.toBSON('{"a":{"$date":9007199254740993}}', { legacy: true })
    t.strictEqual(EJSON.fromBSON(exact), '{"a":{"$date":{"$numberLong":"9007199254740993"}}}')
    t.done()
  },

  'a scope is a document, whatever it looks like': t => {
    const text = '{"a":{"$code":"f","$scope":{"$oid":"0123456789abcdef01234567","x":{"$numberInt":"1"}}}}'
    const { scope } = EJSON.parse(text).a
    t.deepStrictEqual(scope, { $oid: '0123456789abcdef01234567', x: 1 })
    t.deepStrictEqual(encode(EJSON.parse(text, { relaxed: false })), EJSON.toBSON(text))
    const twice = '{"a":{"$code":"f","$code":"g"}}'
    t.deepStrictEqual(EJSON.toBSON(twice), encode(EJSON.parse(twice)))
    const error = errorOf(() => EJSON.parse('{"$code":"f","$scope":{}}', { maxDepth: 1 }))
    t.strictEqual(error.message, 'Extended JSON is nested deeper than 1 levels (in field $scope)')
    const deep = '{"$code":"f","$scope":{"a":{"b":1}}}'
    t.strictEqual(EJSON.parse(deep, { maxDepth: 3 }).scope.a.b, 1)
    t.ok(errorOf(() => EJSON.parse(deep, { maxDepth: 2 })) instanceof BSONError)
    t.done()
  },

  'an error shows a wrong value up to 200 characters': t => {
    const texts = [200, 2000].map(length => `{"a":{"$numberInt":{"x":"${'y'.repeat(length)}"}}}`)
    for (const message of texts.map(text => errorOf(() => EJSON.toBSON(text)).message)) {
      t.ok(/^Unexpected Int32 Extended JSON format \{"\$numberInt":\{"x":"y{180}\u2026 \(in field a\)$/.test(message), message)
    }
    t.done()
  },

  'deep with space, or with a toJSON': t => {
    let deep = {}
    for (let i = 0; i < 40_000; i++) deep = { a: deep }
    const { error } = outcome(() => EJSON.stringify({ toJSON: () => deep }))
    // Node 26 and later have no such limit.
    if (error !== undefined) t.strictEqual(error.message, 'Extended JSON objects are too deep for JSON.stringify')
    t.ok(error === undefined || error instanceof BSONError)
    t.strictEqual(errorOf(() => EJSON.stringify({ toJSON() { throw new RangeError('mine') } })).message, 'mine')
    t.done()
  },

  'a maxDepth of Infinity is as deep as the stack': t => {
    const levels = 20_000
    const text = '['.repeat(levels) + ']'.repeat(levels)
    let value = []
    for (let i = 1; i < levels; i++) value = [value]
    for (const run of [() => EJSON.parse(`[${text},{"$oid":1}]`, { maxDepth: Infinity }), () => EJSON.stringify(value, { maxDepth: Infinity })]) {
      const error = errorOf(run)
      t.ok(error instanceof BSONError && error.message.startsWith('document is nested deeper than the stack allows'), error)
    }
    t.done()
  },

  'options are own properties': t => {
    const runs = {
      parse: () => EJSON.parse('{"a":{"$numberLong":"5"},"b":5,"c":{"d":{}}}', {}),
      'parse without options': () => EJSON.parse('{"a":{"$numberLong":"5"},"b":5,"c":{"d":{}}}'),
      stringify: () => EJSON.stringify({ a: 5, u: undefined, d: new Date(0), n: { e: {} } }, {}),
      fromBSON: () => EJSON.fromBSON(encode({ a: 5, n: { e: {} } }), {}),
      toBSON: () => EJSON.toBSON('{"a":{"b":{"c":1}}}', {})
    }
    const polluted = {
      legacy: true, relaxed: false, useBigInt64: true, maxDepth: 1, ignoreUndefined: true, space: 2, index: 1, isExact: true
    }
    for (const [run, work] of Object.entries(runs)) {
      const clean = describe(work())
      for (const [name, value] of Object.entries(polluted)) {
        const dirty = withPolluted(name, value, () => describe(outcome(work).value))
        assert.strictEqual(dirty, clean, `${run}, Object.prototype.${name}`)
      }
    }
    t.done()
  },

  'keys on Object.prototype are in no document': t => {
    const text = '{"x":{"$numberInt":"1"},"r":{"$ref":"c","$id":{"y":1}},"d":{"$date":{"$numberLong":"5"}},' +
      '"b":{"$binary":{"base64":"","subType":"00"}}}'
    for (const name of ['$x', '$oid', '$ref', '$db', '$type', '$undefined', '$numberLong', '$scope', '$options', 'base64', 'x']) {
      const clean = describe(EJSON.parse(text))
      assert.strictEqual(withPolluted(name, 5, () => describe(EJSON.parse(text))), clean, name)
      const bytes = EJSON.toBSON(text).toString('hex')
      assert.strictEqual(withPolluted(name, 5, () => EJSON.toBSON(text).toString('hex')), bytes, name)
    }
    t.done()
  },

  'a frozen Object.prototype': t => {
    const script = `
      const { EJSON } = require(${JSON.stringify(require.resolve('../../lib/ejson'))})
      Object.freeze(Object.prototype)
      const text = '{"toString":{"$numberLong":"5"},"valueOf":[{"constructor":{"$ref":"c","$id":1,"toString":{"$oid":"0123456789abcdef01234567"}}}]}'
      const doc = EJSON.parse(text, { relaxed: false })
      process.stdout.write(EJSON.stringify(doc, { relaxed: false }) + EJSON.fromBSON(EJSON.toBSON(text)) +
        EJSON.stringify(new Map([['toString', 1]])) + EJSON.stringify(doc, (key, value) => value, 1).length)`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    const reference = '"valueOf":[{"constructor":{"$ref":"c","$id":1,"toString":{"$oid":"0123456789abcdef01234567"}}}]}'
    const canonical = reference.replace('"$id":1', '"$id":{"$numberInt":"1"}')
    t.strictEqual(stderr, '')
    t.ok(stdout.startsWith(`{"toString":{"$numberLong":"5"},${canonical}{"toString":5,${reference}{"toString":1}`), stdout)
    t.done()
  },

  'an object that claims to be an id has 24 bits in each part': t => {
    const claim = '{"_bsontype":"ObjectId","id":"","i0":-1,"i1":1e300,"i2":16777216,"i3":1.5}'
    const { a } = EJSON.parse(`{"a":{"$oid":${claim}}}`)
    t.strictEqual(EJSON.stringify(a), '{"$oid":"ffffff000000000000000001"}')
    t.strictEqual(new types.ObjectId(JSON.parse(claim)).toHexString(), 'ffffff000000000000000001')
    t.deepStrictEqual([a.i0, a.i1, a.i2, a.i3], [0xffffff, 0, 0, 1])
    t.done()
  },

  'on an exhausted stack: errors or values, and all is well afterwards': t => {
    const doc = { a: [{ b: new Date(0), c: 'é'.repeat(300) }], d: new types.ObjectId('0'.repeat(24)), e: new Map([['f', 1n]]) }
    const text = EJSON.stringify(doc)
    const bytes = encode(doc)
    const works = [() => EJSON.stringify(doc), () => EJSON.parse(text), () => EJSON.fromBSON(bytes), () => EJSON.toBSON(text)]
    const expected = works.map(work => describe(work()))
    let left = 0
    const atLimit = work => {
      try {
        atLimit(work)
      } catch (error) {
        if (!(error instanceof RangeError) || left-- <= 0) throw error
        const { error: inner } = outcome(work)
        if (inner !== undefined && !(inner instanceof RangeError) && !(inner instanceof BSONError)) throw inner
        throw error
      }
    }
    for (let i = 0; i < many(5, 20); i++) {
      for (const work of works) {
        left = 200
        t.ok(errorOf(() => atLimit(work)) instanceof RangeError)
      }
      assert.deepStrictEqual(works.map(work => describe(work())), expected)
    }
    t.done()
  },

  'Long: the lowest 64 bits of as many digits as there are, as bson': t => {
    for (const text of ['1'.repeat(40), `-${'9'.repeat(21)}`, '-'.repeat(3) + 5, '--7', `${'f'.repeat(16)}1`]) {
      for (const radix of [10, 16]) {
        const ours = outcome(() => Long.fromString(text, radix).toString())
        const theirs = outcome(() => bson.Long.fromString(text, radix).toString())
        assert.strictEqual(ours.value ?? ours.error.message, theirs.value ?? theirs.error.message, text)
      }
    }
    t.done()
  }
}

function withPolluted(name, value, run) {

  Object.prototype[name] = value
  try {
    return run()
  } finally {
    delete Object.prototype[name]
  }
}
