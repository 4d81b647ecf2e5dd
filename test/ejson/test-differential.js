'use strict'

// EJSON.parse and stringify against bson 7.3.4, over random texts and values: the same, or a difference with a reason.

const assert = require('node:assert')
const bson = require('bson')
const { EJSON } = require('../../lib/ejson')
const { BSONError } = require('../../lib/errors')
const { describe } = require('../fixtures/describe')
const { many } = require('../fixtures/long')
const { outcome } = require('../fixtures/outcome')
const { seededRandom } = require('../fixtures/random-document')
const { parseDifferences } = require('../differences')

const MODES = [
  {}, { relaxed: false }, { useBigInt64: true }, { relaxed: false, useBigInt64: true }, { legacy: true }, { legacy: true, relaxed: false }
]

const KEYS = [
  '$oid', '$date', '$numberInt', '$numberLong', '$numberDouble', '$numberDecimal', '$binary', '$uuid', '$timestamp', '$regularExpression',
  '$regex', '$symbol', '$code', '$dbPointer', '$undefined', '$minKey', '$maxKey', '$ref', '$id', '$db', '$options', '$scope', '$type', '$set'
]

const OTHER_KEYS = ['a', 'b', '_id', '$and', '$x', 'c.d', '__proto__', '']

const STRINGS = [
  '', 'x', '5', '-5', ' 5', '5 ', '5.0', '1e3', '-0', '+7', '007', 'NaN', 'Infinity', '-Infinity', '+Infinity', 'infinity', 'inf', '1x', '.5',
  '5.', '2147483648', '9223372036854775808', '9223372036854775807', '9007199254740993', '56e1fc72e0c917e9c4714161', '2012-12-24T12:15:30Z',
  '2012-12-24T12:15:30.501+01:00', 'yesterday', '//8=', 'a-_b', 'YQ==', 'YQ==\n', 'YWFhY', '73ffd264-44b3-4c69-90e8-e7d1dfc035d4', '00', '80',
  '04', '0x05', 'ffffff80', 'im', 'mi', 'g', 'é\u0000'
]

const VALUES = [
  ...['null', 'true', 'false', '1', '-1', '1.5', '42', '1e300', '-0.0', '9007199254740993', '9'.repeat(400), '[]', '{}'],
  ...STRINGS.map(string => JSON.stringify(string)),
  '{"base64":"//8=","subType":"00"}', '{"base64":"//8=","subType":5}', '{"base64":"//8="}', '{"base64":"YQ==","subType":"00","x":1}', '{"base64":"a-_b","subType":"00"}', '{"base64":"a!b","subType":"00"}', '{"base64":"YQ=x","subType":"80"}', '{"base64":"YQ==","subType":"04"}', '{"base64":"","subType":"04"}', '{"base64":"//8=","subType":"4"}', '{"base64":"//8=","subType":"x"}', '{"base64":"//8=","subType":"104"}',
  '{"t":1,"i":2}', '{"t":1.5,"i":2}', '{"t":{"$numberInt":"1"},"i":{"$numberInt":"2"}}', '{"t":4294967295,"i":0}', '{"t":4294967296,"i":0}', '{"t":1}',
  '{"pattern":"a","options":"mi"}', '{"pattern":"a"}', '{"pattern":"a","options":"q"}', '{"$numberLong":"5"}', '{"$numberInt":"5"}',
  '{"$ref":"c","$id":{"$oid":"56e1fc72e0c917e9c4714161"}}', '{"$ref":"c","$id":5,"$db":"d","y":{"$numberInt":"1"}}', '{"$minKey":1}',
  '{"$regularExpression":{"pattern":"a","options":""}}', '{"$date":{"$numberLong":"8640000000000001"}}', '{"$undefined":true}',
  '{"$code":"x","$scope":{"a":{"$numberInt":"1"}}}', '{"$code":"x","$scope":{"$minKey":1}}'
]

function pick(list, random) {
  return list[Math.floor(random() * list.length)]
}

/** JSON with the keys of Extended JSON and right and wrong values. */
function randomText(random, depth) {
  const kind = random()
  if (depth === 0 || kind < 0.45) return pick(VALUES, random)
  const count = kind < 0.6 || random() < 0.3 ? Math.floor(random() * 3) : 1
  if (kind < 0.6) return `[${Array.from({ length: count }, () => randomText(random, depth - 1)).join()}]`
  const keys = new Set(Array.from({ length: count }, () => pick(random() < 0.6 ? KEYS : OTHER_KEYS, random)))
  return `{${Array.from(keys, key => `${JSON.stringify(key)}:${randomText(random, depth - 1)}`).join()}}`
}

/** A DBRef with another field. */
function randomReference(random) {
  return `{"$ref":"c","$id":1,${JSON.stringify(pick(OTHER_KEYS, random))}:${pick(['1', '"x"', '{"a":{"$numberInt":"5"}}'], random)}}`
}

/** Values that bson reads but cannot write: the error messages differ. */
const NO_TEXT = /(Code\{"code"|BSONSymbol\{"value"|BSONRegExp\{"pattern"): [^"]|"scope": [^{n]|\[object Object\]|"oid": undefined/

function told({ value, error }) {
  return error === undefined ? describe(value) : 'error'
}

/** Where bson loses digits or the sign of 0, qbson keeps them: as numbers they are equal. */
function normal(text) {
  return JSON.stringify(JSON.parse(text ?? 'null', (key, value) => {
    if (key === '$numberDouble' || key === '$numberLong') return String(Number(value))
    return typeof value === 'number' ? value + 0 : value
  }))
}

module.exports = {
  'parse: what bson reads is read alike, but for the differences in the list': t => {
    const random = seededRandom(20)
    const seen = new Map(parseDifferences.map(({ name }) => [name, 0]))
    for (let i = 0; i < 10_000; i++) {
      const text = i === 0 ? '{"$ref":"fs.files","$id":1}' : i % 20 === 0 ? randomReference(random) : randomText(random, 4)
      const mode = pick(MODES, random)
      const ours = outcome(() => EJSON.parse(text, mode))
      const theirs = outcome(() => bson.EJSON.parse(text, mode))
      if (ours.error) assert.ok(ours.error instanceof BSONError, `${text}, ${JSON.stringify(mode)}: ${ours.error.stack}`)
      if (theirs.error || told(ours) === told(theirs)) continue
      const found = parseDifferences.find(({ explains }) => explains(ours, theirs, text))
      assert.ok(found, `${text}, ${JSON.stringify(mode)}\nours   ${told(ours)} ${ours.error}\ntheirs ${told(theirs)}`)
      seen.set(found.name, seen.get(found.name) + 1)
    }
    for (const [name, count] of seen) assert.ok(count > 0, `never seen: ${name}`)
    t.done()
  },

  'what is read is written as bson writes it, and read again': t => {
    const random = seededRandom(21)
    for (let i = 0; i < many(800, 5_000); i++) {
      const text = randomText(random, 4)
      const ours = outcome(() => EJSON.parse(text, { relaxed: false }))
      const theirs = outcome(() => bson.EJSON.parse(text, { relaxed: false }))
      if (ours.error || told(ours) !== told(theirs) || NO_TEXT.test(told(ours))) continue
      for (const mode of [{ relaxed: true }, { relaxed: false }, { legacy: true }]) {
        const written = outcome(() => EJSON.stringify(ours.value, mode))
        const wanted = outcome(() => bson.EJSON.stringify(theirs.value, mode))
        if (wanted.error || /^Invalid Date/.test(written.error?.message) || (mode.legacy && /NaN|Infinity/.test(written.value))) continue
        assert.strictEqual(normal(written.value), normal(wanted.value), `${text}, ${JSON.stringify(mode)}: ${written.error}`)
      }
      const again = outcome(() => EJSON.parse(EJSON.stringify(ours.value, { relaxed: false }), { relaxed: false }))
      if (again.error === undefined) assert.strictEqual(told(again), told(ours), text)
      else assert.ok(/NaN|Unexpected|null bytes|Invalid Date/.test(again.error.message), `${text}: ${again.error}`)
    }
    t.done()
  },

  'toBSON gives what parse and encode give, or says what is wrong': t => {
    const random = seededRandom(22)
    for (let i = 0; i < many(800, 5_000); i++) {
      const text = `{"a":${randomText(random, 4)}}`
      const bytes = outcome(() => EJSON.toBSON(text))
      if (bytes.error) {
        assert.ok(bytes.error instanceof BSONError, `${text}: ${bytes.error.stack}`)
        continue
      }
      assert.strictEqual(EJSON.fromBSON(EJSON.toBSON(EJSON.fromBSON(bytes.value, { relaxed: false })), { relaxed: false }),
        EJSON.fromBSON(bytes.value, { relaxed: false }), text)
      const { error } = outcome(() => EJSON.parse(text, { relaxed: false }))
      assert.strictEqual(error, undefined, `${text}: ${error}`)
    }
    t.done()
  }
}
