'use strict'

const { isSet, countClear } = require('./bits')
const { KIND, KIND_NAMES, ROWS } = require('./kinds')
const { shownOf } = require('./forms')
const { GET, isNull } = require('./get')

const NO_OFFSETS = new Int32Array(1)

/** The values of a field: memory in the layout of Apache Arrow, and methods that return what `decode` returns. */
class Column {
  /** @param {import('./builder').Builder} builder whose memory it takes @param {number} length rows */
  constructor(builder, length) {
    builder.fill(length)
    const { kind } = builder.type
    this.name = builder.name
    /** @type {string} */
    this.type = KIND_NAMES[kind]
    this.length = length
    /** @type {Uint8Array | null} a bit per row, the lowest first, set if it has a value; null when all have one */
    this.validity = kind === KIND.NULL ? null : bitsOf(builder, builder.valid, length)
    this.nullCount = kind === KIND.NULL ? length : countClear(this.validity, length)
    /** @type {Uint8Array | null} a bit per row, set if its document has a null and not a missing field */
    this.nulls = bitsOf(builder, builder.nulls, length)
    /** @internal @type {Int32Array | null} */
    this.starts = builder.hasOffsets ? trimmed(builder, length === 0 ? NO_OFFSETS : builder.offsets, length + 1) : null
    /** The subtype of binary values, or null when they differ. @type {number | null | undefined} */
    this.subtype = kind === KIND.BINARY ? builder.type.subtype : undefined
    /** @type {Uint8Array | null} the subtype of each binary value, if they differ */
    this.subtypes = builder.isVaried ? trimmed(builder, builder.subtypes, length) : null
    /** How others see ids, decimals and geometry, if not as they are. @type {string | undefined} */
    this.form = builder.type.form
    /** The digits of decimals, and those after the point, of the form `decimal`. @type {number | undefined} */
    this.precision = builder.type.decimal?.precision
    this.scale = builder.type.decimal?.scale
    /** @internal */
    this.kind = kind
    /** @internal words, text or bits */
    this.memory = memoryOf(builder, length)
    /** @internal @type {import('./forms').Shown | undefined} */
    this.shown = undefined
    /** @internal @type {Column[]} in order */
    this.inner = innerOf(builder, length)
    /** @type {Record<string, Column>} by name: the fields of a struct, `item` of a list, `key` and `value` of a map */
    this.children = byName(this.inner)
    builder.before = length
    builder.bytesBefore = builder.bytes.length === 0 ? 0 : builder.used
    builder.clear()
  }

  /**
   * The values: a typed array of numbers, consecutive bytes of a fixed size, text in UTF-8, or bits. Rows without a
   * value have 0. A struct, a list or a map has no values of its own.
   */
  get values() {
    return (this.shown ??= shownOf(this)).values
  }

  /** The start of each text, list or map, and the end of the last one. */
  get offsets() {
    return (this.shown ??= shownOf(this)).offsets
  }

  /** @param {number} row @returns {any} the same value as `decode`; undefined if the document has no such field */
  get(row) {
    if (!Number.isInteger(row) || row < 0 || row >= this.length) return undefined // neither '0' nor 1.5 is a row
    if (isSet(this.validity, row)) return GET[this.kind](this, row)
    return isNull(this, row) ? null : undefined
  }

  /** The values of all rows. @returns {any[]} */
  toArray() {
    return Array.from(this)
  }

  *[Symbol.iterator]() {
    for (let row = 0; row < this.length; row++) yield this.get(row)
  }
}

/** Of a column that has none. @type {Column[]} */
const NO_COLUMNS = []

/** @returns {Column[]} */
function innerOf({ children, items, used, hasOffsets }, length) {
  if (children.length === 0 && items === null) return NO_COLUMNS
  const rows = hasOffsets ? used : length
  return [...children, ...(items === null ? [] : [items])].map(child => new Column(child, rows))
}

/** @type {Record<string, Column>} */
const NO_CHILDREN = Object.freeze(Object.create(null))

/** @returns {Record<string, Column>} without a prototype, so that any name works */
function byName(columns) {
  if (columns.length === 0) return NO_CHILDREN
  const own = Object.create(null)
  for (const column of columns) own[column.name] = column
  return Object.freeze(own)
}

function memoryOf(builder, length) {
  const { type, words, width, bytes, used } = builder
  if (width > 0) {
    const Class = ROWS[type.kind].array
    return new Class(trimmed(builder, words, length * width).buffer, 0, (length * width * 4) / Class.BYTES_PER_ELEMENT)
  }
  if (type.kind === KIND.BOOL) return bitsOf(builder, bytes, length)
  return type.kind < KIND.REGEX && type.kind > KIND.NULL ? trimmed(builder, bytes, used) : null
}

/** If a smaller share of memory than this is used, the values are copied to memory that fits. */
const USED = 0.75

function trimmed({ memory }, array, length) {
  const isKept = memory.spare !== null || length >= USED * array.length // what others will use again takes no more
  return isKept ? array.subarray(0, length) : array.slice(0, length)
}

function bitsOf(builder, bits, length) {
  return bits === null ? null : trimmed(builder, bits, (length + 7) >> 3)
}

module.exports = { Column, byName }
