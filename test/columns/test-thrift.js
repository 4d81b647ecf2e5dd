'use strict'

// Thrift's compact protocol: as its specification says it, and as parquet-wasm writes it.

const { encode } = require('../../qbson')
const { columns, toParquet } = require('../../lib/columns')
const { readStruct, structBytes } = require('../../lib/columns/formats/thrift')
const { below, pick, seededRandom } = require('../fixtures/random-document')
const { collect } = require('../fixtures/streams')

/** Field 1 has no bytes, 2 to 6 are numbers, 7 to 10 are bytes and lists, and then numbers of fields that are no short step. */
const FIELDS = [
  '11', '13ff', '1401', '150d', '168080808020', // true; the byte -1; i16 -1; i32 -7; i64 2^32
  '17000000000000f03f', '18026869', '1900', '1935020406', // 1.0; 'hi'; no items; the i32 1, 2, 3
  '19f80f' + '0161'.repeat(15), '1c2502' + '00', '1a210102', '09ac02220102', // 15 texts; a struct; a set of bool; a list in field 150
  '05d7010e', '05960101' // back to fields -108 and 75: the next one is less
]

/** Of each type a value. @type {Record<number, (random: () => number, depth: number) => any>} */
const VALUES = {
  1: () => Buffer.alloc(0),
  2: () => Buffer.alloc(0),
  3: random => Buffer.of(below(random, 256)),
  4: integer,
  5: integer,
  6: integer,
  7: random => Buffer.from(Float64Array.of(random()).buffer),
  8: random => Buffer.alloc(pick(random, [0, 1, 14, 15, 127, 128, 300]), 7),
  9: list,
  10: list,
  12: (random, depth) => struct(random, depth - 1)
}

function integer(random) {
  const power = 2 ** below(random, 53)
  return pick(random, [power, power - 1, -power, 1 - power, 0])
}

function list(random, depth) {
  const of = 1 + below(random, depth > 0 ? 10 : 8)
  const items = Array.from({ length: pick(random, [0, 1, 14, 15, 16]) }, () => VALUES[of < 3 ? 3 : of](random, depth - 1))
  return { of, items }
}

function struct(random, depth) {
  const fields = new Map()
  for (let left = below(random, 6), id = 0; left > 0; left--) {
    id += pick(random, [1, 2, 15, 16, 300, -3])
    const type = pick(random, depth > 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12] : [1, 2, 3, 4, 5, 6, 7, 8])
    fields.set(id, { type, value: VALUES[type](random, depth) })
  }
  return fields
}

/** With bytes as text. */
function shown(value) {
  if (value instanceof Map) return Array.from(value, ([id, field]) => [id, field.type, shown(field.value)])
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return Array.isArray(value?.items) ? [value.of, value.items.map(shown)] : Number(value)
}

module.exports = {
  'what is read is written again': t => {
    const bytes = Buffer.from(`${FIELDS.join('')}00`, 'hex')
    const fields = readStruct(bytes)
    t.deepStrictEqual([...fields.keys()], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 150, -108, 75])
    t.deepStrictEqual([2, 3, 4, 5, 7, 9, 75].map(id => shown(fields.get(id).value)), ['ff', -1, -7, 2 ** 32, '6869', [5, [1, 2, 3]], -1])
    t.strictEqual(Buffer.from(structBytes(fields)).toString('hex'), bytes.toString('hex'))
    t.done()
  },

  'random structs': t => {
    const random = seededRandom(Number(process.env.QBSON_SEED ?? 1))
    for (let i = 0; i < 500; i++) {
      const fields = struct(random, 3)
      const bytes = structBytes(fields)
      t.deepStrictEqual(shown(readStruct(bytes)), shown(fields))
      t.strictEqual(structBytes(new Map([[1, { type: 12, value: bytes }]])).length, bytes.length + 2, 'also a struct that is bytes')
    }
    t.done()
  },

  'the footers of Parquet files': async t => {
    const documents = Array.from({ length: 300 }, (_, i) => encode({ i, s: `text ${i % 7}`, l: [i, { a: 1.5 }], none: null }))
    for (const compression of ['none', 'zstd']) {
      const file = Buffer.concat(await collect(toParquet(columns(Buffer.concat(documents)), { compression })))
      const footer = file.subarray(file.length - 8 - file.readInt32LE(file.length - 8), -8)
      t.strictEqual(Buffer.from(structBytes(readStruct(footer))).toString('hex'), footer.toString('hex'))
    }
    t.done()
  }
}
