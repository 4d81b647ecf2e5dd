'use strict'

// One row per element type: its name, the length of a value, when bytes are not a valid value, how a value is read, how
// it is written if the type is frequent, and its TypeScript type. Readers are generated from these rows, both for
// observed shapes and for given schemas (read-source.js), and so are writers (write-source.js).
// Code that spells types out, for speed or for its own wording, is compared with the rows by
// test/codegen/test-types.js: encode/encode.js and put.js, encode/size.js, elements/scan.js, decode/read.js,
// text/forms.js and ejson/wrappers.js.

const { FIXED_SIZE, BSONType } = require('../spec')
const { ownFields } = require('../properties')

/**
 * The position of a value: the source of the offset n bytes into it. @typedef {(n: number) => string} At
 *
 * How numbers are loaded: the source of an expression for the number at an offset.
 * @typedef {{hasWords: boolean, int32: Load, uint32: Load, double: Load, int64: Load}} Loads
 * @typedef {(offset: string) => string} Load
 */

/**
 * The parts of a reader. Every name that its source needs goes through `use`.
 *
 * @typedef {object} Reading
 * @property {Loads} load
 * @property {(name: string) => string} use
 * @property {(start: string, end: string) => string} text the source of an expression for the text between two offsets
 * @property {boolean} isBoxed whether int32 and double are returned as objects
 */

/**
 * @typedef {object} Row
 * @property {number} type
 * @property {string} name the name in MongoDB
 * @property {string} typescript the type or types it is decoded to
 * @property {string} [boxed] the same if values are not promoted to native types
 * @property {number} least minimum size of a value in bytes
 * @property {number} [size] size of a value in bytes, if it is fixed
 * @property {(at: At, load: Loads) => string} [end] the offset after a value, if the length is not fixed
 * @property {(at: At, e: string) => string} [wrong] the condition under which the bytes are not a valid value; `e` is
 *   the offset after it, `end` that of the closing 0x00
 * @property {(at: At, e: string, reading: Reading, rule: {as: string}) => string} [value] its expression; `as` is the
 *   result type: bigint, long, number or the plan's type, buffer or binary
 * @property {string} [is] the condition that `value` is written as this type, if it is frequent; for objects, one
 *   without a `toBSON`, whose prototype is `prototype`
 * @property {boolean} [isObject]
 * @property {string[]} put statements that write it at `pos`
 */

/** @type {(at: At, e: string) => string} */
const isNotClosed = (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${e} - 1] !== 0`

/** int32 length, including the 0x00 | bytes | 0x00 @type {Pick<Row, 'least' | 'end' | 'wrong'>} */
const TEXT = { least: 5, end: (at, { int32 }) => `${at(4)} + ${int32(at(0))}`, wrong: isNotClosed }

/** int32 size | elements | 0x00; code that knows the contents reads it @type {Pick<Row, 'least' | 'end' | 'wrong'>} */
const CONTAINER = { least: 5, end: (at, { int32 }) => `${at(0)} + ${int32(at(0))}`, wrong: isNotClosed }

/**
 * By MongoDB's name. Types without a `value` are read by `decode`.
 *
 * @type {Record<string, Partial<Row> & {typescript: string}>}
 */
const TABLE = {
  double: {
    typescript: 'number',
    boxed: 'Double',
    value: (at, e, reading) => boxed('getDoubleObject', reading.load.double(at(0)), reading),
    is: "typeof value === 'number'",
    put: ['setDouble(out.view, pos, value)', 'pos += 8']
  },
  string: {
    typescript: 'string',
    ...TEXT,
    value: (at, e, { text }) => text(at(4), `${e} - 1`),
    is: "typeof value === 'string'",
    put: ['pos = putString(out, value, pos)']
  },
  object: { typescript: 'Record<string, any>', ...CONTAINER },
  array: { typescript: 'any[]', ...CONTAINER },
  binData: {
    typescript: 'Binary', // subtype 2 has a second length
    least: 5,
    end: (at, { int32 }) => `${at(5)} + ${int32(at(0))}`,
    wrong: (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${at(4)}] === 2`,
    value: (at, e, { use }, { as }) => `${use('getBinary')}(buf, ${at(0)}, ${e}, ${as === 'plan' ? 'plan.promoteBuffers' : as === 'buffer'})`
  },
  undefined: { typescript: 'undefined' },
  objectId: {
    typescript: 'ObjectId',
    value: (at, e, { use }) => `new ${use('ObjectId')}(buf, ${at(0)})`,
    is: 'prototype === objectIdPrototype',
    isObject: true,
    put: ['pos = putObjectId(out, value, pos)']
  },
  bool: {
    typescript: 'boolean',
    least: 1,
    size: 1,
    wrong: at => `buf[${at(0)}] > 1`,
    value: at => `buf[${at(0)}] === 1`,
    is: "typeof value === 'boolean'",
    put: ['out.buf[pos++] = value ? 1 : 0']
  },
  date: {
    typescript: 'Date',
    value: (at, e, { load }) => `new Date(${load.int32(at(4))} * 4294967296 + ${load.uint32(at(0))})`,
    is: 'prototype === datePrototype',
    isObject: true,
    put: ['pos = putDate(out, value, pos)']
  },
  null: { typescript: 'null', value: () => 'null', is: 'value === null', put: [] },
  regex: { typescript: 'RegExp | BSONRegExp', least: 2 },
  dbPointer: { typescript: 'DBRef', least: 17 },
  javascript: { typescript: 'Code', least: 5 },
  symbol: { typescript: 'string', boxed: 'BSONSymbol', least: 5 },
  javascriptWithScope: { typescript: 'Code', least: 14 },
  int: {
    typescript: 'number',
    boxed: 'Int32',
    value: (at, e, reading) => boxed('getInt32Object', reading.load.int32(at(0)), reading),
    is: "typeof value === 'number' && (value | 0) === value && 1 / value !== -Infinity",
    put: ['out.view.setInt32(pos, value, true)', 'pos += 4']
  },
  timestamp: { typescript: 'Timestamp', value: (at, e, { use }) => `${use('getTimestamp')}(buf, ${at(0)})` },
  long: { typescript: 'Long', value: (at, e, reading, { as }) => int64Source(at, reading, as) },
  decimal: { typescript: 'Decimal128', value: (at, e, { use }) => `${use('getDecimal128')}(buf, ${at(0)})` },
  minKey: { typescript: 'MinKey' },
  maxKey: { typescript: 'MaxKey' }
}

/**
 * By element type. A row has all fields as own properties: properties of Object.prototype must not get into the source.
 *
 * @type {Map<number, Row>}
 */
const TYPES = new Map(Object.keys(TABLE).map(name => {
  const type = BSONType[name] & 0xff
  const fixed = FIXED_SIZE[type] === -1 ? undefined : FIXED_SIZE[type]
  const own = ownFields(TABLE[name])
  const { typescript, boxed, least = fixed ?? 0, size = fixed, end, wrong, value, is, isObject = false, put = [] } = own
  return [type, { type, name, typescript, boxed, least, size, end, wrong, value, is, isObject, put }]
}))

/** The rows that generated readers read inline. */
const ROWS = new Map([...TYPES].filter(([, row]) => row.value || row.end))

function boxed(name, expression, { use, isBoxed }) {
  return isBoxed ? `${use(name)}(${expression})` : expression
}

function int64Source(at, { load, use }, as) {
  if (as === 'plan') return `${use('getInt64')}(buf, ${at(0)}, plan)`
  if (as === 'bigint') return load.int64(at(0))
  return `${use(as === 'long' ? 'longOf' : 'promoted')}(${load.int32(at(0))}, ${load.int32(at(4))})`
}

module.exports = { TYPES, ROWS }
