'use strict'

// What the command does with the bytes of documents: compares queries with the same queries on decoded values, and
// checks that edits change what they should and nothing else.

const assert = require('node:assert')
const { EJSON, RawDocument, decode, encode } = require('../../qbson')
const { matcher } = require('../../lib/query')
const { matches } = require('../../test/fixtures/query-oracle')
const { edit } = require('../../lib/cli/commands/edit')
const { readOptions } = require('../../lib/cli/options')
const { Editor } = require('../../lib/cli/tasks/edits')
const { UsageError } = require('../../lib/cli/terminal/messages')
const { attempt, sameOutcome, brief } = require('../oracle')
const { validDocument, changed, pick, below } = require('../inputs')
const { smallerBytes, smallerIn, smallerList } = require('../shrink')
const { same } = require('../same')

const LOSSLESS = { promoteValues: false, bsonRegExp: true }
const WORDS = ['a', 'id', 'name', 'count', 'tags', 'x', 'value', 'items', '0', '1', '__proto__', 'ключ']
const OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$exists', '$in', '$nin']
const VALUES = [0, 1, -1, 1.5, 2 ** 53, 'a', '', 'ключ', true, false, null, { $date: { $numberLong: '0' } },
  { $numberLong: '9007199254740993' }, { $oid: '0123456789abcdef01234567' }]

/** @param {() => number} random */
function* inputs(random) {
  const inner = decode(validDocument(random))
  const document = random() < 0.5 ? validDocument(random) : encode({ a: [inner, { x: [inner, 1] }], x: inner })
  const path = () => pathOf(random, decode(document)).join('.')
  for (let i = 0; i < 40; i++) {
    yield {
      bytes: random() < 0.4 ? document : framed(changed(random, document, document)),
      query: Object.fromEntries(Array.from({ length: 1 + below(random, 2) }, () => [path(), condition(random)])),
      edits: Array.from({ length: 1 + below(random, 3) }, () => [pick(random, ['set', 'unset', 'hash', 'mask']), path(), pick(random, VALUES)])
    }
  }
}

/** A path, mostly one that exists in the document; it may go through an array with or without an index. */
function pathOf(random, value) {
  if (Array.isArray(value)) {
    const index = below(random, value.length)
    return value.length === 0 ? [] : [...(random() < 0.5 ? [index] : []), ...pathOf(random, value[index])]
  }
  const names = isDocument(value) ? Object.keys(value).filter(name => name !== '' && !/[.$[\]"]/.test(name)) : []
  const name = random() < 0.8 && names.length > 0 ? pick(random, names) : pick(random, WORDS)
  return [name, ...(random() < 0.6 ? pathOf(random, Object(value)[name]) : [])]
}

function condition(random) {
  const operator = pick(random, OPERATORS)
  if (operator === '$exists') return { $exists: random() < 0.5 }
  return { [operator]: /in$/.test(operator) ? [pick(random, VALUES), pick(random, VALUES)] : pick(random, VALUES) }
}

/** The command splits documents by their length. */
function framed(bytes) {
  const copy = bytes.length < 5 ? Buffer.alloc(5) : Buffer.from(bytes)
  copy.writeInt32LE(copy.length)
  copy[copy.length - 1] = 0
  return copy
}

/** The decoded value, unless it loses something: duplicate names, dates outside a Date's range, references. */
function valueOf(bytes) {
  const { value } = attempt(() => decode(bytes, LOSSLESS))
  const again = attempt(() => encode(value)).value
  return again?.equals(bytes) && !bytes.includes('$ref') ? value : undefined
}

/** @returns {string} */
function check({ bytes, query, edits }) {
  const copy = Buffer.from(bytes)
  const value = valueOf(bytes)
  const isMatch = matcher(EJSON.toBSON(JSON.stringify(query)))
  const said = attempt(() => isMatch(bytes))
  const asked = EJSON.parse(JSON.stringify(query), { relaxed: false })
  if (value !== undefined) assert.deepStrictEqual(said, { value: matches(asked, value) }, `${JSON.stringify(query)} ${brief(said)}`)
  checkEdits(bytes, value, edits)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return said.error ? 'refused' : said.value ? 'match' : 'no match'
}

function isDocument(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function checkEdits(bytes, value, edits) {
  const given = { set: [], unset: [], hash: [], mask: [] }
  for (const [kind, path, added] of edits) given[kind].push(kind === 'set' ? `${path}=${JSON.stringify(added)}` : path)
  const make = () => {
    try {
      return new Editor({ ...readOptions(given, edit.options), key: Buffer.alloc(32, 1) })
    } catch (error) {
      assert.ok(error instanceof UsageError, error.stack)
      return undefined
    }
  }
  const rewriter = make()
  if (rewriter === undefined) return
  const once = attempt(() => edited(rewriter, bytes))
  const again = attempt(() => edited(rewriter, bytes))
  if (once.error) assert.ok(sameOutcome(once, again), brief(again))
  else assert.ok(again.value.equals(Buffer.concat([once.value, once.value])), 'the second document')
  if (value === undefined) return
  const isInto = edits.some(([kind, path]) => kind === 'set' && path.includes('.'))
  if (isInto && /^cannot set /.test(once.error?.message)) return // there is a value that is no document
  assert.ok(!once.error, `${once.error}`)
  const after = decode(once.value, LOSSLESS)
  const touched = new Set(edits.map(([, path]) => path.split('.')[0]))
  for (const [name, field] of Object.entries(value)) if (!touched.has(name)) assert.ok(same(after[name], field), name)
  for (const name of Object.keys(after)) assert.ok(touched.has(name) || Object.hasOwn(value, name), name)
  for (const [kind, path, added] of edits) checkEdit(new RawDocument(once.value), after, kind, path, added)
}

/** The result of rewriting one more document. */
function edited(rewriter, bytes) {
  rewriter.write(bytes)
  return Buffer.from(rewriter.bytes)
}

/** Checks the value at the path of an edit, if the path does not go through an array. */
function checkEdit(raw, after, kind, path, added) {
  let value = after
  for (const key of path.split('.')) {
    if (!isDocument(value)) return
    if (!Object.hasOwn(value, key)) {
      assert.notStrictEqual(kind, 'set', `${path} is not there`)
      return
    }
    value = value[key]
  }
  assert.notStrictEqual(kind, 'unset', `${path} is there`)
  if (kind === 'set') assert.ok(same(value, decode(EJSON.toBSON(`{"":${JSON.stringify(added)}}`), LOSSLESS)['']), `${path} is not what was set`)
  if (kind === 'mask') assert.ok(isMasked(value), `${path} is not masked`)
  if (kind === 'hash' && typeof value === 'string') assert.match(value, /^[0-9a-f]{32}$/)
}

function isMasked(value) {
  if (Array.isArray(value)) return value.every(isMasked)
  if (isDocument(value)) return Object.values(value).every(isMasked)
  return typeof value === 'string' ? !/[^xX0\P{L}]|[^0\P{N}]/u.test(value) : value === null || Number(value) === 0
}

const smaller = input => smallerIn(input, { edits: smallerList, bytes: bytes => [...smallerBytes(bytes)].map(framed) })

module.exports = { name: 'command', rounds: 2000, inputs, check, smaller }
