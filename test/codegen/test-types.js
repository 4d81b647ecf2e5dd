'use strict'

// The table of element types against all code that lists types: each must have a case for every row.

const assert = require('node:assert')
const qbson = require('../../qbson')
const { compile } = require('../../lib/compile')
const codegen = require('../../lib/codegen')
const { TYPES } = require('../../lib/codegen/types')
const { ELEMENT } = require('../../lib/spec')
const { getInt32 } = require('../../lib/bytes')
const { scanElement } = require('../../lib/elements/scan')
const { describe } = require('../fixtures/describe')

const { EJSON, encode, decode, sizeOf, validate } = qbson

/** By MongoDB's names; types that only the official driver still writes are given as bytes. */
const VALUES = {
  double: [1.5, -0, NaN],
  string: ['', 'text', 'é日😀'],
  object: [{}, { a: 1, b: { c: 'x' } }],
  array: [[], [1, 'x', [null]]],
  binData: [new qbson.Binary(Buffer.from('bytes')), new qbson.Binary(Buffer.alloc(0), 2), new qbson.UUID()],
  undefined: [Buffer.alloc(0)],
  objectId: [new qbson.ObjectId()],
  bool: [true, false],
  date: [new Date(0), new Date(-1), new Date(8.64e15)],
  null: [null],
  regex: [/a/i, new qbson.BSONRegExp('(?<a>', 'x')],
  dbPointer: [Buffer.from('02000000780000112233445566778899aabb', 'hex')],
  javascript: [new qbson.Code('f()')],
  symbol: [new qbson.BSONSymbol('s')],
  javascriptWithScope: [new qbson.Code('f', { a: 1 })],
  int: [0, -5, 2 ** 31 - 1],
  timestamp: [new qbson.Timestamp({ t: 1, i: 2 })],
  long: [qbson.Long.fromString('9223372036854775807'), 5n],
  decimal: [qbson.Decimal128.fromString('1.50')],
  minKey: [new qbson.MinKey()],
  maxKey: [new qbson.MaxKey()]
}

/** A document with the value as its only field, `v`. */
function documentOf(type, value) {
  const isBytes = Buffer.isBuffer(value)
  if (!isBytes) return encode({ v: value })
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.of(type, 0x76, 0), value, Buffer.of(0)])
  bytes.writeInt32LE(bytes.length)
  return bytes
}

/** The offset after a value according to its row; undefined if the bytes are not valid. */
function endByRow({ least, size, end, wrong }, buf, limit) {
  const load = { int32: at => `int32(buf, ${at})` }
  const at = n => `q + ${n}`
  const source = `(buf, q, end) => {
    if (q + ${least} > end) return undefined
    const e = ${end ? end(at, load) : `q + ${size}`}
    return ${wrong ? wrong(at, 'e') : 'false'} ? undefined : e
  }`
  return codegen.compile({ int32: getInt32 }, source)(buf, 0, limit)
}

function endByScan(type, buf, limit) {
  try {
    return scanElement(type, buf, -2, -1, limit)
  } catch {
    return undefined
  }
}

/** The second length of subtype 2 is checked elsewhere. */
function checkEnd(row, buf, limit) {
  const end = endByRow(row, buf, limit)
  if (end !== undefined || row.name !== 'binData') assert.strictEqual(end, endByScan(row.type, buf, limit), `${row.name}, ${limit} bytes`)
}

const cases = [...TYPES.values()].flatMap(row => VALUES[row.name].map(value => ({ row, value, bytes: documentOf(row.type, value) })))

module.exports = {
  'a row for each type, and a case for each row': t => {
    t.deepStrictEqual([...TYPES.keys()].sort((a, b) => a - b), Object.values(ELEMENT).sort((a, b) => a - b))
    t.deepStrictEqual([...TYPES.values()].map(({ name }) => name), Object.keys(VALUES))
    t.done()
  },

  'encode, size, scan, validate, decode, Extended JSON': t => {
    for (const { row, value, bytes } of cases) {
      const what = `${row.name}: ${describe(value)}`
      assert.strictEqual(bytes[4], row.type, what)
      assert.ok(bytes.length - 8 >= row.least, what)
      if (row.size !== undefined) assert.strictEqual(bytes.length, 8 + row.size, what)
      if (!Buffer.isBuffer(value)) assert.strictEqual(sizeOf({ v: value }), bytes.length, what)
      assert.strictEqual(scanElement(row.type, bytes, 4, 6, bytes.length - 1), bytes.length - 1, what)
      assert.strictEqual(validate(bytes), bytes.length, what)
      const back = decode(bytes, { promoteValues: false, promoteLongs: false })
      if (!Buffer.isBuffer(value)) assert.ok(encode(back).equals(bytes), what)
      if (row.type === ELEMENT.UNDEFINED) continue
      const text = EJSON.stringify(back, { relaxed: false })
      assert.strictEqual(EJSON.stringify(EJSON.parse(text, { relaxed: false }), { relaxed: false }), text, what)
    }
    t.done()
  },

  'what is decoded is of the type that the row names': t => {
    const nameOf = value => (typeof value !== 'object' ? typeof value : value === null ? 'null' : value.constructor.name)
    const names = { Object: 'Record<string, any>', Array: 'any[]', UUID: 'Binary' }
    for (const { row, bytes } of cases) {
      for (const promoteValues of [true, false]) {
        const { v } = decode(bytes, { promoteValues, promoteLongs: false })
        const name = nameOf(v)
        assert.ok((promoteValues ? row.typescript : row.boxed ?? row.typescript).split(' | ').includes(names[name] ?? name), `${row.name}: ${name}`)
      }
    }
    t.done()
  },

  'generated readers, of shapes and of schemas, read what decode reads': t => {
    for (const { row, bytes } of cases) {
      const observed = new codegen.Observed()
      observed.note(bytes, 0, bytes.length)
      assert.strictEqual(typeof codegen.compileReader(observed.toSchema(-1), { cooldownOf: () => ({}) }), 'function')
      for (const options of [{}, { promoteValues: false }, { useBigInt64: true }, { promoteBuffers: true }, { promoteLongs: false }]) {
        const codec = compile({ properties: { v: { bsonType: row.name } } }, options)
        assert.strictEqual(describe(codec.decode(bytes)), describe(decode(bytes, options)), row.name)
        assert.strictEqual(codec.validate(bytes), bytes.length)
      }
    }
    t.done()
  },

  'bytes that a row takes for a value are one, and end there': t => {
    for (const { row, bytes } of cases) {
      if (row.size === undefined && !row.end) continue
      const value = bytes.subarray(7)
      for (let limit = 0; limit < value.length; limit++) {
        checkEnd(row, value, limit)
      }
      for (let i = 0; i < Math.min(value.length - 1, 20); i++) {
        for (const byte of [0, 1, 2, value[i] + 1, 0x7f, 0x80, 0xff]) {
          const changed = Buffer.from(value)
          changed[i] = byte
          checkEnd(row, changed, value.length - 1)
        }
      }
    }
    t.done()
  }
}
