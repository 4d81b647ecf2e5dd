'use strict'

// The element types that generated readers read in line, a row each: how many bytes a value has, when the bytes are
// no such value, and the expression of the value. What has no row is read by `decode`.

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')

/**
 * Where a value stands: the source of the offset n bytes into it. @typedef {(n: number) => string} At
 *
 * How numbers are loaded: the source of an expression for the one at an offset.
 * @typedef {{int32: Load, uint32: Load, double: Load, int64: Load}} Loads
 * @typedef {(offset: string) => string} Load
 */

/**
 * What a reader is made with: every name that its source needs goes through `use`.
 *
 * @typedef {object} Reading
 * @property {Loads} load
 * @property {(name: string) => string} use
 * @property {boolean} utf8 whether text is checked
 * @property {boolean} isBoxed whether int32 and double are given back as objects
 */

/**
 * @typedef {object} Row
 * @property {number} least bytes of a value
 * @property {number} [size] bytes of a value, where all have the same
 * @property {(at: At, load: Loads) => string} [end] the offset after a value, where the length differs
 * @property {(at: At, e: string) => string} [wrong] the condition under which the bytes are no such value; `e` is the
 *   offset after it, `end` that of the closing 0x00
 * @property {(at: At, e: string, reading: Reading, form: {as: string}) => string} [value] its expression; `as` is what
 *   it is given back as: bigint, long or number, buffer or binary
 */

/** @type {(at: At, e: string) => string} */
const isNotClosed = (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${e} - 1] !== 0`

/** int32 size | elements | 0x00; whoever knows what is inside reads it @type {Row} */
const CONTAINER = { least: 5, end: (at, { int32 }) => `${at(0)} + ${int32(at(0))}`, wrong: isNotClosed }

/** @type {[number, Row][]} */
const TABLE = [
  [ELEMENT.DOUBLE, { least: 8, size: 8, value: (at, e, reading) => boxed('getDoubleObject', reading.load.double(at(0)), reading) }],
  [ELEMENT.STRING, {
    least: 5,
    end: (at, { int32 }) => `${at(4)} + ${int32(at(0))}`,
    wrong: isNotClosed,
    value: (at, e, { use, utf8 }) => (utf8 ? `${use('getText')}(buf, view, ${at(4)}, ${e} - 1)`
      : `${use('getUtf8Lossy')}(buf, ${at(4)}, ${e} - 1)`)
  }],
  [ELEMENT.DOCUMENT, CONTAINER],
  [ELEMENT.ARRAY, CONTAINER],
  [ELEMENT.BINARY, {
    least: 5,
    // subtype 2 has a second length
    end: (at, { int32 }) => `${at(5)} + ${int32(at(0))}`,
    wrong: (at, e) => `${e} < ${at(5)} || ${e} > end || buf[${at(4)}] === 2`,
    value: (at, e, { use }, { as }) => `${use('getBinary')}(buf, ${at(0)}, ${e}, ${as === 'buffer'})`
  }],
  [ELEMENT.OBJECT_ID, { least: 12, size: 12, value: (at, e, { use }) => `new ${use('ObjectId')}(buf, ${at(0)})` }],
  [ELEMENT.BOOLEAN, { least: 1, size: 1, wrong: at => `buf[${at(0)}] > 1`, value: at => `buf[${at(0)}] === 1` }],
  [ELEMENT.DATETIME, {
    least: 8,
    size: 8,
    value: (at, e, { load }) => `new Date(${load.int32(at(4))} * 4294967296 + ${load.uint32(at(0))})`
  }],
  [ELEMENT.NULL, { least: 0, size: 0, value: () => 'null' }],
  [ELEMENT.INT32, { least: 4, size: 4, value: (at, e, reading) => boxed('getInt32Object', reading.load.int32(at(0)), reading) }],
  [ELEMENT.TIMESTAMP, { least: 8, size: 8, value: (at, e, { use }) => `${use('getTimestamp')}(buf, ${at(0)})` }],
  [ELEMENT.INT64, { least: 8, size: 8, value: (at, e, reading, { as }) => int64Source(at, reading, as) }],
  [ELEMENT.DECIMAL128, { least: 16, size: 16, value: (at, e, { use }) => `${use('getDecimal128')}(buf, ${at(0)})` }]
]

/**
 * Without a prototype: what was put on that of all objects must not get into the source.
 *
 * @type {Map<number, Row>}
 */
const ROWS = new Map(TABLE.map(([type, row]) => [type, ownFields(row)]))

function boxed(name, expression, { use, isBoxed }) {
  return isBoxed ? `${use(name)}(${expression})` : expression
}

function int64Source(at, { load, use }, as) {
  if (as === 'bigint') return load.int64(at(0))
  return `${use(as === 'long' ? 'longOf' : 'promoted')}(${load.int32(at(0))}, ${load.int32(at(4))})`
}

module.exports = { ROWS }
