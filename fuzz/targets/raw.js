'use strict'

// RawDocument against decode: it finds the same values without decoding, and what it writes can be read.

const assert = require('node:assert')
const { RawDocument, decode } = require('../../qbson')
const { attempt } = require('../oracle')
const { validDocument, changed, pick, below } = require('../inputs')
const { smallerBytes, smallerList, smallerIn } = require('../shrink')
const { same } = require('../same')

const WORDS = ['a', 'id', 'name', 'count', 'tags', 'x', 'y', 'value', 'items', 'list', '', '0', '1', '2', '__proto__', 'toString', 'ключ']

/** @param {() => number} random */
function* inputs(random) {
  const document = validDocument(random)
  const top = Object.keys(decode(document))
  const first = () => random() < 0.6 && top.length > 0 ? pick(random, top) : pick(random, WORDS)
  const path = () => [first(), ...Array.from({ length: below(random, 3) }, () => pick(random, WORDS))]
  for (let i = 0; i < 40; i++) {
    const paths = Array.from({ length: 1 + below(random, 12) }, path)
    yield { bytes: random() < 0.4 ? document : changed(random, document, document), paths }
  }
}

/** @returns {string} */
function check({ bytes, paths }) {
  const copy = Buffer.from(bytes)
  const { value: raw, error } = attempt(() => new RawDocument(bytes))
  const whole = attempt(() => decode(bytes))
  if (error) {
    assert.ok(whole.error, 'decode takes what RawDocument refuses')
    return 'both err'
  }
  for (const path of paths) checkPath(raw, path, whole.value)
  checkWhole(raw, whole.value, paths)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return whole.error ? 'read in part' : 'same'
}

/** One field; `object` is undefined where decode refuses the bytes. */
function checkPath(raw, path, object) {
  const got = attempt(() => raw.get(path))
  const has = attempt(() => raw.has(path))
  attempt(() => raw.slice(path)?.keys())
  attempt(() => raw.set(path, 1).toObject())
  if (object === undefined) return
  assert.ok(!got.error && !has.error, `${got.error}`)
  if (path.length > 1 || !isPlainKey(raw, path[0])) return
  assert.strictEqual(has.value, Object.hasOwn(object, path[0]), `has ${path}`)
  if (has.value) assert.ok(same(got.value, object[path[0]]), `get ${path}`)
}

/** Whether a name is unique: of duplicates, decode takes the last and RawDocument the first. */
const isPlainKey = (raw, key) => raw.keys().filter(name => name === key).length <= 1

function checkWhole(raw, object, paths) {
  const picked = attempt(() => raw.pick(paths).toObject())
  const omitted = attempt(() => raw.omit(paths).toObject())
  const names = attempt(() => raw.keys())
  const appended = attempt(() => raw.append('appended', [1]).toObject())
  const elements = attempt(() => [...raw].map(element => element.name))
  if (object === undefined) return
  for (const { error } of [picked, omitted, names, appended, elements]) assert.ok(!error, `${error?.stack}`)
  assert.deepStrictEqual(elements.value, names.value)
  if (object._bsontype === undefined) assert.deepStrictEqual(new Set(names.value), new Set(Object.keys(object)))
  assert.deepStrictEqual(appended.value.appended, [1])
}

const smaller = input => smallerIn(input, { paths: smallerList, bytes: smallerBytes })

module.exports = { name: 'raw', rounds: 2000, inputs, check, smaller }
