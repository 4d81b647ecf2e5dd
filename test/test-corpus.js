'use strict'

// The corpus of the BSON specification, if available: runs and counts every case.

const assert = require('node:assert')
const bson = require('bson')
const { BSONError } = require('../lib/errors')
const { Decimal128 } = require('../lib/types')
const { EJSON } = require('../lib/ejson')
const { codecs } = require('./fixtures/codecs')
const { unhex } = require('./fixtures/bytes')
const { describe } = require('./fixtures/describe')
const { outcome } = require('./fixtures/outcome')
const { eachRow } = require('./fixtures/each-row')
const { sharedJson, testsWith } = require('./fixtures/shared')

const corpus = sharedJson('bson-corpus')

/** Options with which decoding loses nothing. */
const LOSSLESS = { promoteValues: false, bsonRegExp: true }

/**
 * Files of types without a JavaScript value of their own: decode returns a value with the same
 * meaning, encode then writes today's type. Nothing is lost directly between bytes and Extended JSON.
 */
const UPGRADED = {
  'dbpointer.json': 'a DBPointer becomes a DBRef',
  'undefined.json': 'undefined is left out',
  'multi-type-deprecated.json': 'has both'
}

const cases = { valid: list('valid'), decodeErrors: list('decodeErrors'), parseErrors: list('parseErrors') }

function list(kind) {
  return (corpus ?? []).flatMap(({ file, content }) =>
    (content[kind] ?? []).map(test => ({ ...test, file, content, name: `${file}: ${test.description}` }))
  )
}

/** Every NaN is written as the same eight bytes. */
const NAN_WITH_PAYLOAD = '120000000000F87F'
const NAN = '000000000000F87F'

function each(rows, count, check) {
  return eachRow(rows, check, { count })
}

function suite(codec) {
  return {
    '728 valid: decode and encode give the bytes back': each(cases.valid, 728, ({ canonical_bson: bson, file }) => {
      const decoded = codec.decode(unhex(bson), LOSSLESS)
      const again = codec.encode(decoded)
      if (file in UPGRADED) assert.strictEqual(describe(codec.decode(codec.encode(codec.decode(again)))), describe(codec.decode(again)))
      else assert.strictEqual(again.toString('hex').toUpperCase(), bson.toUpperCase().replace(NAN_WITH_PAYLOAD, NAN))
      assert.strictEqual(codec.sizeOf(decoded), again.length)
    }),

    '728 valid: decode with the default options, and validate': each(cases.valid, 728, ({ canonical_bson: bson, file }) => {
      const bytes = unhex(bson)
      assert.strictEqual(codec.validate(bytes), bytes.length)
      const decoded = codec.decode(bytes)
      if (!(file in UPGRADED)) assert.strictEqual(describe(codec.decode(codec.encode(decoded))), describe(decoded))
    }),

    '4 degenerate forms: decode to what the canonical ones do': each(
      cases.valid.filter(row => row.degenerate_bson),
      4,
      ({ canonical_bson: bson, degenerate_bson: degenerate }) => {
        assert.strictEqual(describe(codec.decode(unhex(degenerate), LOSSLESS)), describe(codec.decode(unhex(bson), LOSSLESS)))
        assert.strictEqual(codec.encode(codec.decode(unhex(degenerate), LOSSLESS)).toString('hex').toUpperCase(), bson.toUpperCase())
      }
    ),

    '75 decode errors: decode and validate say where': each(cases.decodeErrors, 75, ({ bson }) => {
      for (const read of [codec.decode, codec.validate]) {
        const error = errorOf(() => read(unhex(bson)))
        assert.ok(error.offset >= 0 && error.offset <= bson.length / 2, `offset ${error.offset}`)
        assert.strictEqual(typeof error.path, 'string')
      }
    })
  }
}

function errorOf(run) {
  let result
  try {
    result = run()
  } catch (error) {
    assert.ok(error instanceof BSONError, String(error.stack))
    return error
  }
  throw new Error(`there was no error but ${describe(result)}`)
}

/** Same values, and the keys in the same order. */
function assertSameJson(actual, expected) {
  const [a, b] = [JSON.parse(actual), JSON.parse(expected)]
  assert.deepStrictEqual(a, b)
  assert.strictEqual(JSON.stringify(a), JSON.stringify(b))
}

function assertSameBytes(actual, expected) {
  assert.strictEqual(Buffer.from(actual).toString('hex').toUpperCase(), expected.toUpperCase())
}

const extendedJson = {
  '728 valid: bytes to canonical Extended JSON': each(cases.valid, 728, row => {
    assertSameJson(EJSON.fromBSON(unhex(row.canonical_bson), { relaxed: false }), row.canonical_extjson)
  }),

  '728 valid: canonical Extended JSON to bytes': each(cases.valid, 728, row => {
    const isLossy = row.lossy === true
    const bytes = EJSON.toBSON(row.canonical_extjson, { relaxed: false })
    if (!isLossy) assertSameBytes(bytes, row.canonical_bson)
    else assertSameJson(EJSON.fromBSON(bytes, { relaxed: false }), row.canonical_extjson)
  }),

  'relaxed Extended JSON, from bytes and back': each(cases.valid.filter(row => row.relaxed_extjson), count('relaxed_extjson'), row => {
    assertSameJson(EJSON.fromBSON(unhex(row.canonical_bson), { relaxed: true }), row.relaxed_extjson)
    assertSameJson(EJSON.fromBSON(EJSON.toBSON(row.relaxed_extjson), { relaxed: true }), row.relaxed_extjson)
  }),

  'degenerate Extended JSON to bytes': each(cases.valid.filter(row => row.degenerate_extjson), count('degenerate_extjson'), row => {
    if (!row.lossy) assertSameBytes(EJSON.toBSON(row.degenerate_extjson, { relaxed: false }), row.canonical_bson)
  }),

  'degenerate bytes to canonical Extended JSON': each(cases.valid.filter(row => row.degenerate_bson), count('degenerate_bson'), row => {
    assertSameJson(EJSON.fromBSON(unhex(row.degenerate_bson), { relaxed: false }), row.canonical_extjson)
  }),

  'canonical Extended JSON through values': each(cases.valid.filter(row => !(row.file in UPGRADED)), 728 - upgraded(), row => {
    const values = codecs[0].decode(unhex(row.canonical_bson), LOSSLESS)
    assertSameJson(EJSON.stringify(values, { relaxed: false }), row.canonical_extjson)
    const parsed = EJSON.parse(row.canonical_extjson, { relaxed: false })
    if (!row.lossy) assertSameBytes(codecs[0].encode(parsed), row.canonical_bson)
  }),

  '180 parse errors': each(cases.parseErrors, 180, ({ content, string }) => {
    if (content.bson_type === '0x13') return void errorOf(() => Decimal128.fromString(string))
    errorOf(() => EJSON.toBSON(string, { relaxed: false }))
  }),

  '180 parse errors: parse takes 26 of them, as bson does': t => {
    const taken = cases.parseErrors.filter(({ content, string }) => {
      if (content.bson_type === '0x13') return false
      const { error } = outcome(() => codecs[0].encode(EJSON.parse(string, { relaxed: false })))
      return error === undefined || !(error instanceof BSONError)
    })
    for (const { string, name } of taken) {
      const theirs = outcome(() => describe(bson.EJSON.parse(string)))
      assert.strictEqual(describe(EJSON.parse(string)), theirs.value, name)
    }
    t.strictEqual(taken.length, 26)
    t.done()
  }
}

function count(field) {
  return cases.valid.filter(row => field in row).length
}

function upgraded() {
  return cases.valid.filter(row => row.file in UPGRADED).length
}

module.exports = testsWith(corpus, 'bson-corpus', {
  ...Object.fromEntries(codecs.map(codec => [codec.name, suite(codec)])),
  'Extended JSON': extendedJson
})
