'use strict'

// What decode promises beyond the tables (vectors*.js): options, ownership of memory, levels, parts of documents.

const assert = require('node:assert')
const bson = require('bson')
const types = require('../../lib/types')
const { encode } = require('../../lib/encode/encode')
const decoder = require('../../lib/decode/decode')
const { deserialize } = require('../../lib/compat')
const { requireWithoutBuffer } = require('../without-buffer')
const { unhex, frame, string } = require('../fixtures/bytes')
const { describe } = require('../fixtures/describe')

const { decode, decodeAt, decodeElements, decodeElement, planOf } = decoder
const { DEFAULT_PLAN } = require('../../lib/decode/options')

function isBSONError(pattern) {
  return error => error.name === 'BSONError' && pattern.test(error.message)
}

const doc = {
  double: 1.5,
  int: 5,
  long: 7n,
  big: 2n ** 60n,
  binary: new types.Binary(Buffer.from('abc')),
  uuid: new types.UUID('73ffd264-44b3-4c69-90e8-e7d1dfc035d4'),
  regex: /a/i,
  symbol: new types.BSONSymbol('s'),
  list: [{ a: 1 }, [{ b: 2 }]],
  nested: { list: [{ c: 3 }] }
}
const bytes = encode(doc)

module.exports = {
  'each option alone changes what bson changes': t => {
    const options = [
      { promoteValues: false }, { promoteValues: true }, { promoteLongs: false }, { promoteBuffers: true }, { useBigInt64: true },
      { bsonRegExp: true }, { bsonRegExp: false }, { raw: true }, { fieldsAsRaw: { list: true } }, { fieldsAsRaw: { nested: true } },
      { promoteValues: false, promoteBuffers: true }, { promoteValues: null, promoteLongs: null, fieldsAsRaw: null, validation: null }
    ]
    for (const option of options) assert.strictEqual(describe(decode(bytes, option)), describe(bson.deserialize(bytes, option)))
    t.strictEqual(describe(decode(bytes, null)), describe(decode(bytes)))
    t.done()
  },

  'options that exclude one another': t => {
    for (const options of [{ useBigInt64: true, promoteLongs: false }, { useBigInt64: true, promoteValues: false }]) {
      assert.throws(() => decode(bytes, options), isBSONError(/Must either request bigint or Long/))
    }
    t.done()
  },

  'values do not keep the buffer they came from, but for raw documents': t => {
    const input = Buffer.from(bytes)
    const value = decode(input)
    const raw = decode(input, { raw: true })
    const before = describe(value)
    input.fill(0xff)
    t.strictEqual(describe(value), before)
    t.strictEqual(raw.nested[0], 0xff)
    t.strictEqual(raw.nested.buffer, input.buffer)
    t.done()
  },

  'names that are no UTF-8 are an error where text is checked, and are not for the names of bson': t => {
    const bytes = encode({ xx: true, a: false })
    bytes[5] = 0xff
    const lossy = { '\ufffdx': true, a: false }
    const settings = [true, false, { a: false }, { a: true }].map(utf8 => ({ validation: { utf8 } }))
    for (const options of [undefined, ...settings]) assert.deepStrictEqual(deserialize(bytes, options), lossy)
    for (const options of [undefined, settings[0], settings[2]]) assert.throws(() => decode(bytes, options), isBSONError(/^Invalid UTF-8/))
    for (const options of [settings[1], settings[3]]) assert.deepStrictEqual(decode(bytes, options), lossy)
    t.done()
  },

  'names that are no UTF-8 inside a field whose text is checked, beside one whose text is not': t => {
    const bytes = encode({ bad: 'xx', good: { yy: 1 } })
    bytes[bytes.indexOf('xx')] = 0xff // so that the fields are read one by one
    bytes[bytes.indexOf('yy')] = 0xff
    const options = { validation: { utf8: { bad: false } } }
    assert.deepStrictEqual(deserialize(bytes, options), { bad: '\ufffdx', good: { '\ufffdy': 1 } })
    assert.deepStrictEqual(bson.deserialize(bytes, options), { bad: '\ufffdx', good: { '\ufffdy': 1 } })
    assert.throws(() => decode(bytes, options), isBSONError(/^Invalid UTF-8/))
    t.done()
  },

  'maxDepth counts the root as the first level': t => {
    const rows = [[{}, 1], [{ a: {} }, 2], [{ a: [[]] }, 3], [{ a: new types.Code('f', {}) }, 2]]
    for (const [value, depth] of rows) {
      decode(encode(value), { maxDepth: depth })
      if (depth > 1) assert.throws(() => decode(encode(value), { maxDepth: depth - 1 }), isBSONError(/nested deeper than/))
    }
    t.done()
  },

  'fieldsAsRaw counts whatever kind of object says it': t => {
    const input = encode({ list: [{ a: 1 }] })
    const raw = bson.deserialize(input, { fieldsAsRaw: { list: true } })
    for (const fieldsAsRaw of [{ list: true }, new (class { get list() { return true } })(), Object.create({ list: true })]) {
      t.deepStrictEqual(decode(input, { fieldsAsRaw }), raw)
    }
    t.deepStrictEqual(decode(input, { fieldsAsRaw: {} }), { list: [{ a: 1 }] })
    t.done()
  },

  'a document in the midst of many bytes is the same whoever holds them': t => {
    const input = encode(doc)
    const memory = Uint8Array.from(Buffer.concat([Buffer.alloc(9000), input, Buffer.alloc(9000)]))
    const options = { index: 9000, allowObjectSmallerThanBufferSize: true }
    for (const bytes of [memory, memory.buffer, new DataView(memory.buffer), Buffer.from(memory.buffer)]) {
      for (let i = 0; i < 3; i++) assert.strictEqual(describe(decode(bytes, options)), describe(decode(input)))
    }
    memory[9000 + input.length - 1] = 1
    assert.throws(() => decode(memory, options), isBSONError(/EOO/))
    t.done()
  },

  'below the levels that recursion handles, options and values are the same': t => {
    const inner = { ...doc, ref: new types.DBRef('c', 1), code: new types.Code('f', { $ref: 'c', $id: 1 }), no: { $ref: 'c', $id: 1, $x: 2 } }
    const plain = [undefined, { promoteValues: false }, { fieldsAsRaw: { list: true } }, { fieldsAsRaw: { a: true } }, { bsonRegExp: true }]
    for (const levels of [98, 99, 100, 101, 102, 150]) {
      let nested = inner
      for (let i = 0; i < levels; i++) nested = i % 3 === 1 ? [nested] : i % 3 === 2 ? new types.Code('g', { a: nested }) : { a: nested }
      const input = encode({ nested })
      for (const options of plain) assert.strictEqual(describe(decode(input, options)), describe(bson.deserialize(input, options)))
    }
    t.done()
  },

  'documents in a scope are decoded, also in an array whose documents stay bytes': t => {
    const bytes = encode({ x: [new types.Code('f', { y: { z: 1 } }), { raw: 1 }, [{ raw: 2 }]] })
    const options = { fieldsAsRaw: { x: true } }
    t.strictEqual(describe(decode(bytes, options)), describe(bson.deserialize(bytes, options)))
    t.done()
  },

  'decodeAt reads a document in the middle of others': t => {
    const whole = Buffer.concat([Buffer.alloc(3, 1), bytes, bytes])
    t.strictEqual(describe(decodeAt(whole, 3, true, DEFAULT_PLAN)), describe(decode(bytes)))
    t.strictEqual(describe(decodeAt(whole, 3, true, planOf({ promoteValues: false }))), describe(decode(bytes, { promoteValues: false })))
    assert.throws(() => decodeAt(whole, 3, false, DEFAULT_PLAN), isBSONError(/must === bson size/))
    t.strictEqual(planOf(undefined), DEFAULT_PLAN)
    t.strictEqual(planOf(null), DEFAULT_PLAN)
    const resolved = planOf({ maxDepth: DEFAULT_PLAN.maxDepth })
    t.notStrictEqual(resolved, DEFAULT_PLAN)
    t.deepStrictEqual({ ...resolved, checked: null }, { ...DEFAULT_PLAN, checked: null })
    t.done()
  },

  'elements without a document around them': t => {
    const elements = unhex('ff'.repeat(6) + '106100 01000000 026200' + string('x') + 'ff')
    const target = { before: true }
    t.strictEqual(decodeElements(elements, 6, elements.length - 1, target), target)
    t.deepStrictEqual(target, { before: true, a: 1, b: 'x' })
    t.deepStrictEqual(decodeElements(elements, 6, elements.length - 1, [0]), [0, 1, 'x'])
    t.deepStrictEqual(decodeElements(elements, 6, 6, {}), {})
    t.strictEqual(describe(decodeElements(elements, 6, elements.length - 1, {}, false, { promoteValues: false })), '{"a": Int32{"value": 1}, "b": "x"}')
    assert.throws(() => decodeElements(elements, 6, elements.length - 2, {}), isBSONError(/bad string length in bson \(at offset 16/))
    t.done()
  },

  'one value': t => {
    const buf = unhex('ff' + '026100' + string('text') + 'ff')
    t.strictEqual(decodeElement(buf, 1, 13), 'text')
    t.strictEqual(describe(decodeElement(unhex('106100 05000000'), 0, 7, { promoteValues: false })), 'Int32{"value": 5}')
    t.deepStrictEqual(decodeElement(unhex('0300' + frame('106100 01000000')), 0, 14), { a: 1 })
    t.deepStrictEqual(decodeElement(unhex('0400' + frame('0a3000')), 0, 10, { raw: true }), [null])
    assert.throws(() => decodeElement(buf, 1, 12), error => error.name === 'BSONError' && error.offset === 4)
    const wrong = unhex('ff' + '0300' + frame('026100' + '02000000ff00'))
    assert.throws(() => decodeElement(wrong, 1, wrong.length), error => error.name === 'BSONError' && error.offset === 14)
    t.done()
  },

  'int64 is a number up to 2^53, a Long beyond': t => {
    for (const big of [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), -(2n ** 53n) + 1n]) {
      t.strictEqual(decode(encode({ big })).big, Number(big))
    }
    for (const big of [2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      t.strictEqual(decode(encode({ big })).big.toString(), String(big))
    }
    t.done()
  },

  'long lists of int32s, and what may stand behind or among them': t => {
    const ints = Array.from({ length: 150 }, (_, i) => i * 7_000_003 - 500_000_000)
    for (const rest of [[], ['x'], [1.5], [[1, 2]], [{ a: 1 }, 5, 6], [null, true, 'y', -1]]) {
      const list = [...ints, ...rest]
      const bytes = encode({ list, after: 'z' })
      for (const options of [undefined, { promoteValues: false }, { fieldsAsRaw: { 150: true } }, { useBigInt64: true }]) {
        t.deepStrictEqual(describe(decode(bytes, options)), describe(bson.deserialize(bytes, options)))
      }
    }
    t.done()
  },

  'a fault in a long list of int32s has its place': t => {
    const bytes = encode({ list: Array(150).fill(7) })
    const at = bytes.indexOf(Buffer.from('\x10120\0'))
    bytes[at] = 0x55
    assert.throws(() => decode(bytes), error => error.offset === at && error.path === 'list[120]' && error.name === 'BSONError')
    t.done()
  },

  'dates beyond those of JavaScript are invalid, and cannot be written back': t => {
    const input = unhex(frame('096400' + 'ffffffffffffff7f'))
    const { d } = decode(input)
    t.ok(d instanceof Date && Number.isNaN(d.getTime()))
    assert.throws(() => encode({ d }), isBSONError(/Invalid Date/))
    t.done()
  },

  'without Buffer': t => {
    const browser = requireWithoutBuffer('lib/decode/decode.js')
    const value = browser.decode(bytes, { promoteBuffers: true })
    t.strictEqual(value.binary.constructor, Uint8Array)
    t.deepStrictEqual([...value.binary], [...Buffer.from('abc')])
    t.deepStrictEqual([value.double, value.int, value.list, value.symbol], [1.5, 5, [{ a: 1 }, [{ b: 2 }]], 's'])
    const text = { long: 'é'.repeat(1000), wrong: 'x' }
    t.deepStrictEqual(browser.decode(new Uint8Array(encode(text))), text)
    assert.throws(() => browser.decode(unhex(frame('026100' + '02000000ff00'))), isBSONError(/Invalid UTF-8/))
    t.done()
  }
}
