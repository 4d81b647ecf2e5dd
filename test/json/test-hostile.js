'use strict'

// Documents made to be slow or to produce wrong text: the time is proportional to the bytes, whatever they contain.

const assert = require('node:assert')
const json = require('../../lib/json')
const { BSONError } = require('../../lib/errors')
const { decode } = require('../../lib/decode/decode')
const { encode } = require('../../lib/encode/encode')
const { EJSON } = require('../../lib/ejson')
const { assertCheap } = require('../fixtures/cost')
const { errorOf } = require('../fixtures/error-of')

/** Work in proportion takes less than a tenth of it. */
const MAX_MS = process.env.NYC_CONFIG ? Infinity : 1200

/** @param {Buffer[]} elements */
function documentOf(elements) {
  const size = elements.reduce((sum, element) => sum + element.length, 5)
  const bytes = Buffer.alloc(size)
  bytes.writeInt32LE(size)
  let pos = 4
  for (const element of elements) pos += element.copy(bytes, pos)
  return bytes
}

/** @param {string} name @param {number} type @param {Buffer} [value] */
function element(name, type = 10, value = Buffer.alloc(0)) {
  return Buffer.concat([Buffer.of(type), Buffer.from(`${name}\0`), value])
}

/** So many levels, each with fields of its own before and after the next. */
function nested(levels, before, after, type = 3) {
  let document = documentOf([])
  for (let i = 0; i < levels; i++) document = documentOf([...before, element('n', type, document), ...after])
  return document
}

const COUNT = 20_000
const times = make => documentOf(Array.from({ length: COUNT }, (_, i) => make(i)))

/** Names with the same hash, for a hash of 31 * hash + byte. */
function sameHash(i) {
  let name = ''
  for (let bit = 0; bit < 17; bit++) name += (i >> bit) & 1 ? 'Aa' : 'BB'
  return name
}

/** @type {Record<string, () => Buffer>} */
const HOSTILE = {
  'one name again and again': () => times(() => element('name')),
  'all names twice': () => times(i => element(`name ${i % (COUNT / 2)}`)),
  'array indexes, the last first': () => times(i => element(String(COUNT - i))),
  'array indexes far apart': () => times(i => element(String((i * 42949) % 4294967295))),
  'array indexes after a name': () => documentOf([element('a'), times(i => element(String(i))).subarray(4, -1)]),
  'many different names': () => times(i => element(`n${i}`)),
  'names of one hash': () => times(i => element(sameHash(i))),
  'names that are nearly references': () => times(i => element(`$ref${i}`)),
  'names with something to escape': () => times(i => element(`"\u0001é${i}`)),
  'deep, and each level out of order behind the next': () => nested(900, [], [element('1')]),
  'deep, and each level with a name again': () => nested(900, [element('x'.repeat(100))], [element('x'.repeat(100))]),
  'deep references': () => {
    const ref = element('$ref', 2, Buffer.from('020000006300', 'hex'))
    let document = documentOf([])
    for (let i = 0; i < 900; i++) document = documentOf([element('x', 3, documentOf([ref])), element('$id', 3, document), ref])
    return document
  },
  'deep scopes': () => {
    let document = documentOf([])
    for (let i = 0; i < 900; i++) {
      const code = Buffer.concat([Buffer.alloc(4), Buffer.from('020000006300', 'hex'), document])
      code.writeInt32LE(code.length)
      document = documentOf([element('n', 15, code)])
    }
    return document
  },
  'what takes six times the room': () => documentOf([element('a', 2, stringOf('\u0001'.repeat(1_000_000)))]),
  'what is as short as it can be': () => documentOf([element('', 4, times(() => element('', 255)))])
}

function stringOf(text) {
  const bytes = Buffer.from(`\0\0\0\0${text}\0`)
  bytes.writeInt32LE(bytes.length - 4)
  return bytes
}

/** The bytes of nested documents with fields before and after, made by hand: encode would overflow the stack. */
function deep(levels, before = [], after = []) {
  const [head, tail] = [before, after].map(names => Buffer.concat(names.map(name => element(name))))
  const name = Buffer.from('\x03n\0')
  const size = level => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32LE(5 + level * (5 + head.length + name.length + tail.length))
    return bytes
  }
  const heads = Array.from({ length: levels }, (_, i) => [size(levels - i), head, name]).flat()
  return Buffer.concat([...heads, size(0), Buffer.of(0), ...Array(levels).fill([tail, Buffer.of(0)]).flat()])
}

module.exports = {
  'the same text, in time': Object.fromEntries(Object.entries(HOSTILE).map(([name, make]) => [name, t => {
    const bytes = make()
    const expected = JSON.stringify(decode(bytes))
    let given = ''
    assertCheap(MAX_MS, () => { given = json.text(bytes) }, 'JSON')
    assert.ok(given === expected, given.slice(0, 200))
    t.ok(json.bytes(bytes).equals(Buffer.from(expected)))
    assertCheap(MAX_MS, () => EJSON.fromBSON(bytes, { relaxed: false }), 'Extended JSON')
    t.done()
  }])),

  'levels: as many as maxDepth says, and no stack': t => {
    t.strictEqual(json.text(deep(20_000), { maxDepth: Infinity }), '{"n":'.repeat(20_000) + '{}' + '}'.repeat(20_000))
    const text = json.text(deep(20_000, ['a'], ['1']), { maxDepth: Infinity })
    t.ok(text.startsWith('{"1":null,"a":null,"n":{"1":null,"a":null,"n":'))
    t.ok(text.endsWith('{}' + '}'.repeat(20_000)))
    for (const maxDepth of [0, 1, 5, 10]) {
      const error = errorOf(() => json.text(deep(10), { maxDepth }))
      t.strictEqual(error.message, errorOf(() => decode(deep(10), { maxDepth })).message)
    }
    t.strictEqual(json.text(deep(10), { maxDepth: 11 }), json.text(deep(10)))
    t.ok(errorOf(() => json.text(deep(1), { maxDepth: 1.5 })) instanceof BSONError)
    t.done()
  },

  'wide margins of deep documents are an error before there is no memory': t => {
    const bytes = deep(40_000)
    assertCheap(8000, () => {
      const error = errorOf(() => json.text(bytes, { indent: 10, maxDepth: Infinity }))
      t.strictEqual(error.message, 'JSON text exceeds the maximum string length')
    }, 'wide margins')
    t.done()
  },

  'what is kept stays small': t => {
    for (const name of ['many different names', 'what takes six times the room']) json.bytes(HOSTILE[name]())
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 5; i++) json.bytes(encode({ a: i }))
    t.ok(process.memoryUsage().arrayBuffers < before + 5e6)
    t.strictEqual(json.text(encode({ a: 1 })), '{"a":1}')
    t.done()
  },

  'Object.prototype does not reach the text': t => {
    const bytes = encode({ a: { b: 1 }, $id: 1 })
    const expected = json.text(bytes)
    for (const name of ['$ref', '$id', 'text', 'int64', 'indent', 'validation', 'maxDepth', 'index']) {
      Object.prototype[name] = name
      try {
        assert.strictEqual(json.text(bytes), expected)
        assert.strictEqual(json.text(bytes, {}), expected)
        assert.strictEqual(json.array([bytes], {}).toString(), `[${expected}]`)
      } finally {
        delete Object.prototype[name]
      }
    }
    t.done()
  }
}
