'use strict'

// How the source of a compiled codec reads and writes a value, one row an element type. Types without a row are left to
// the interpreter.
//
// Writing: `v` is the value, `pos` where it goes; type and name are written already, and there is room for everything
// of fixed length from here on. Reading: `at(n)` is the place n bytes into the value, `e` the offset after it; `least`
// bytes of it are there.

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')

const IS_OBJECT = "typeof v === 'object' && v !== null && v.constructor === Object && v.toBSON === undefined"

/** A value of one of the classes. @param {string} name */
const is = name => `is${name}(v) && v.toBSON === undefined`

/** As the encoder: -0 is no int32. */
const IS_INT32 = "typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)"

/** Numbers that are themselves as an int64, -0 excepted. */
const IS_INT64 = "typeof v === 'number' && v >= -9007199254740992 && v <= 9007199254740992 && " +
  'Math.floor(v) === v && (v !== 0 || 1 / v > 0)'

const PUT_INT64 = ['view.setInt32(pos, v | 0, true)', 'view.setInt32(pos + 4, Math.floor(v / 4294967296), true)', 'pos += 8']

/**
 * @typedef {object} Case
 * @property {string} test
 * @property {string[]} put
 * @property {boolean} [isText] whether room is needed for a string first
 * @property {boolean} [throws] whether it may throw
 * @property {boolean} [moves] whether the output may be another afterwards
 *
 * @typedef {object} Row
 * @property {(types: Set<number>, names: any) => Case[]} write the cases in which a value gets this type, where `types`
 *   are allowed
 * @property {number} least bytes of a value
 * @property {number} [size] bytes of a value, where all have the same
 * @property {(at: At) => string} [end] the expression of the offset after a value, where the length differs
 * @property {(at: At, e: string) => string} [wrong] the condition under which it is no such value
 * @property {(at: At, e: string, plan: any, form: any, names?: any) => string} value the expression of a value
 *
 * @typedef {(n: number) => string} At
 */

/** @type {Record<number, Row>} */
const TABLE = {
  [ELEMENT.STRING]: {
    write: () => [{
      test: "typeof v === 'string'",
      isText: true,
      put: ['const e = putUtf8(v, buf, pos + 4)', 'view.setInt32(pos, e - pos - 3, true)', 'buf[e] = 0', 'pos = e + 1']
    }],
    least: 5,
    end: at => `${at(4)} + view.getInt32(${at(0)}, true)`,
    wrong: (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${e} - 1] !== 0`,
    value: (at, e, { utf8 }) => {
      return utf8 ? `getText(buf, view, ${at(4)}, ${e} - 1)` : `getUtf8Lossy(buf, ${at(4)}, ${e} - 1)`
    }
  },
  [ELEMENT.INT32]: {
    write: () => [{ test: IS_INT32, put: ['view.setInt32(pos, v, true)', 'pos += 4'] }],
    least: 4,
    size: 4,
    value: (at, e, { promoteValues }) => wrapped('getInt32Object', `view.getInt32(${at(0)}, true)`, promoteValues)
  },
  [ELEMENT.DOUBLE]: {
    write: types => (isDecimalToo(types) ? [] : [{
      test: "typeof v === 'number'",
      put: ['setDouble(view, pos, v)', 'pos += 8']
    }]),
    least: 8,
    size: 8,
    value: (at, e, { promoteValues }) => wrapped('getDoubleObject', `view.getFloat64(${at(0)}, true)`, promoteValues)
  },
  [ELEMENT.INT64]: {
    write: types => [
      ...int64OfNumber(types),
      {
        test: "typeof v === 'bigint' && BigInt.asIntN(64, v) === v",
        put: ['view.setBigInt64(pos, v, true)', 'pos += 8']
      },
      {
        test: `${is('Long')} && typeof v.low === 'number' && typeof v.high === 'number'`,
        put: ['view.setInt32(pos, v.low, true)', 'view.setInt32(pos + 4, v.high, true)', 'pos += 8']
      }
    ],
    least: 8,
    size: 8,
    value: (at, e, plan, { as }) => int64Source(at, as ?? plan.int64)
  },
  [ELEMENT.DECIMAL128]: {
    write: () => [{ test: is('Decimal128'), put: ['pos = putDecimal128(v, buf, pos)'], throws: true }],
    least: 16,
    size: 16,
    value: at => `getDecimal128(buf, ${at(0)})`
  },
  [ELEMENT.BOOLEAN]: {
    write: () => [{ test: "typeof v === 'boolean'", put: ['buf[pos++] = v ? 1 : 0'] }],
    least: 1,
    size: 1,
    wrong: at => `buf[${at(0)}] > 1`,
    value: at => `buf[${at(0)}] === 1`
  },
  [ELEMENT.NULL]: { write: () => [{ test: 'v === null', put: [] }], least: 0, size: 0, value: () => 'null' },
  [ELEMENT.OBJECT_ID]: {
    write: () => [{ test: is('ObjectId'), put: ['pos = putObjectId(out, v, pos)'], throws: true }],
    least: 12,
    size: 12,
    value: at => `getObjectId(buf, ${at(0)})`
  },
  [ELEMENT.DATETIME]: {
    write: () => [{ test: 'v instanceof Date && v.toBSON === undefined', put: ['pos = putDate(out, v, pos)'], throws: true }],
    least: 8,
    size: 8,
    value: at => `new Date(view.getInt32(${at(4)}, true) * 4294967296 + view.getUint32(${at(0)}, true))`
  },
  [ELEMENT.TIMESTAMP]: {
    write: () => [],
    least: 8,
    size: 8,
    value: at => `getTimestamp(buf, ${at(0)})`
  },
  [ELEMENT.BINARY]: {
    write: () => [{ test: is('Binary'), put: ['pos = putBinary(out, v, pos)'], throws: true, moves: true }],
    least: 5,
    // subtype 2 has a second length
    end: at => `${at(5)} + view.getInt32(${at(0)}, true)`,
    wrong: (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${at(4)}] === 2`,
    value: (at, e, plan, { as }) => `getBinary(buf, ${at(0)}, ${e}, ${(as ?? plan.binary) === 'buffer'})`
  },
  [ELEMENT.DOCUMENT]: {
    write: (types, { shape }) => [{
      test: IS_OBJECT,
      put: [`pos = write${shape}(out, v, pos, depth + 1, check)`],
      throws: true,
      moves: true
    }],
    ...container(({ shape }) => shape)
  },
  [ELEMENT.ARRAY]: {
    write: (types, { list }) => [{
      test: 'Array.isArray(v) && v.toBSON === undefined',
      put: [`pos = writeList${list}(out, v, pos, depth + 1, check)`],
      throws: true,
      moves: true
    }],
    ...container(({ list }) => `List${list}`)
  }
}

/**
 * Without a prototype: what was put on that of all objects must not get into the source.
 *
 * @type {Record<number, Row>}
 */
const ROWS = Object.fromEntries(Object.entries(TABLE).map(([type, row]) => [type, ownFields(row)]))

/** @param {number} type @param {Set<number>} types @param {any} names as a row's `write` @returns {Case[]} */
function writingOf(type, types, names) {
  return ROWS[type].write(types, names).map(ownFields)
}

/** int32 size | elements | 0x00 */
function container(nameOf) {
  return {
    least: 5,
    end: at => `${at(0)} + view.getInt32(${at(0)}, true)`,
    wrong: (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${e} - 1] !== 0`,
    value: (at, e, plan, form, names) => `read${nameOf(names)}(buf, view, ${at(4)}, ${e} - 1, depth + 1, check)`
  }
}

function wrapped(name, expression, promoteValues) {
  return promoteValues ? expression : `${name}(${expression})`
}

function int64Source(at, as) {
  if (as === 'bigint') return `view.getBigInt64(${at(0)}, true)`
  if (as === 'long') return `getLong(view.getInt32(${at(0)}, true), view.getInt32(${at(4)}, true))`
  return `getPromotedInt64(buf, ${at(0)})`
}

/** Which of several types a plain number gets is left to the interpreter where one of them is decimal. */
function isDecimalToo(types) {
  return types.has(ELEMENT.DECIMAL128)
}

/** A plain number as int64: all integers, or those below 2^31 where others are doubles; see `pickType`. */
function int64OfNumber(types) {
  if (isDecimalToo(types)) return []
  if (!types.has(ELEMENT.DOUBLE)) return [{ test: IS_INT64, put: PUT_INT64 }]
  const order = [...types]
  const isFirst = !types.has(ELEMENT.INT32) && order.indexOf(ELEMENT.INT64) < order.indexOf(ELEMENT.DOUBLE)
  return isFirst ? [{ test: IS_INT32, put: PUT_INT64 }] : []
}

/** int32 first: a double takes every number. */
const ORDER = [ELEMENT.STRING, ELEMENT.INT32, ELEMENT.INT64, ELEMENT.DOUBLE]

/** Element types in the order in which they are asked for. @param {Iterable<number>} types @returns {number[]} */
function inOrder(types) {
  const place = type => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length)
  return [...types].sort((a, b) => place(a) - place(b))
}

module.exports = { ROWS, writingOf, inOrder }
