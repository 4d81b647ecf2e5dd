'use strict'

// A column being filled, in the memory layout of Apache Arrow: values of a fixed size in 32-bit words, others as bytes
// between int32 offsets, one bit per row for booleans and for whether the row has a value.
// https://arrow.apache.org/docs/format/Columnar.html
//
// All kinds share one class: the reader uses them in one place, and the engine reads the fields of a single class
// quickly. Rows without a value are not visited: the next value, or the end, fills the gap.

const { utf8Bytes } = require('../../bytes')
const { Names } = require('../../elements')
const { pickerOf } = require('../../raw')
const { clearBits, isSet } = require('./bits')
const { pathsOf } = require('./fields')
const { KIND, ROWS, WORDS } = require('./kinds')

const NO_WORDS = new Int32Array(0)
const NO_BYTES = new Uint8Array(0)
const NO_VIEW = new DataView(new ArrayBuffer(0))

/** Memory for a table, in relation to the rows and the text of the last one, so that it rarely has to grow. */
const MARGIN = 1.1

/** The most bytes of the last table's text that count for this. */
const MOST_BEFORE = 8 * 1024 * 1024

/** Bytes that copying by words may write past the end of a text. */
const SLACK = 8

class Builder {
  /**
   * @param {string} name
   * @param {import('./kinds').Type} type
   * @param {import('./memory').Memory} memory
   * @param {Builder | null} parent
   * @param {boolean} [isInner] whether its rows are not those of the table
   */
  constructor(name, type, memory, parent, isInner = parent !== null && parent.isInner) {
    this.name = name
    this.type = type
    this.kind = type.kind
    this.memory = memory
    this.parent = parent
    this.isInner = isInner
    /** The nesting level of a document here; 1 for the root. @type {number} */
    this.level = parent === null ? 1 : parent.level + 1
    /** Rows, and bytes of text, of the last table. */
    this.before = 0
    this.bytesBefore = 0
    /** Dates that microseconds cannot hold. */
    this.far = 0
    /** Values that another one of the same name in their document has replaced. */
    this.replaced = 0
    /** Values that did not fit, by element type, if any. @type {Map<number, import('../read/report').Note> | null} */
    this.notes = null
    this.hasOffsets = ROWS[type.kind].hasOffsets === true
    this.isVaried = type.kind === KIND.BINARY && type.subtype === null
    /** Whether fields without a column are checked, and whether they were left out on purpose. */
    this.isWhole = type.isWhole === true
    this.isChosen = type.isChosen === true
    /** Whether only some fields of documents in it are wanted, and what picks them where values are stored whole. */
    this.selects = type.selection !== undefined
    this.picker = this.selects && type.kind === KIND.JSON ? pickerOf(pathsOf(type.selection, [''])) : null
    /** @type {Builder[]} the fields of a struct, the pattern and options of a regex, the keys of a map */
    this.children = []
    /** @type {Builder | null} the items of a list, the values of a map */
    this.items = null
    /** @type {Names | null} of the fields of a struct */
    this.names = null
    this.clear()
    if (type.kind >= KIND.REGEX) this.addInner(type)
  }

  /** Empties the column. */
  clear() {
    const { type } = this
    /** Words of a value of a fixed size. */
    this.width = WORDS[type.kind]
    /** Filled rows. */
    this.length = 0
    /** Rows with memory. */
    this.capacity = 0
    /** Values, in words. */
    this.words = NO_WORDS
    /** Text and bytes, or the bits of booleans. */
    this.bytes = NO_BYTES
    this.view = NO_VIEW
    /** Used bytes; the number of items for a list or a map. */
    this.used = 0
    /** @type {Int32Array} the start of each row's value, and the end of the last one */
    this.offsets = NO_WORDS
    /** @type {Uint8Array | null} a bit per row, set if it has a value; null while all have one */
    this.valid = null
    /** @type {Uint8Array | null} a bit per row, set if its document has a null; null while none has */
    this.nulls = null
    /** @type {Uint8Array} the subtypes of binary values */
    this.subtypes = NO_BYTES
    /** Rows whose text is known to be UTF-8. */
    this.checked = 0
  }

  /** @param {import('./kinds').Type} type */
  addInner({ kind, fields, items }) {
    const { memory } = this
    const text = { kind: KIND.STRING }
    if (kind === KIND.STRUCT) {
      this.children = Array.from(fields, ([name, type]) => new Builder(name, type, memory, this))
      this.names = new Names(this.children.map(child => [utf8Bytes(`${child.name}\0`), child]))
    } else if (kind === KIND.REGEX) {
      this.children = ['pattern', 'options'].map(name => new Builder(name, text, memory, this))
    } else {
      if (kind === KIND.MAP) this.children = [new Builder('key', text, memory, this, true)]
      this.items = new Builder(kind === KIND.MAP ? 'value' : 'item', items, memory, this, true)
    }
  }

  /** Makes `row` the next one. Rows in between get no value; one already there is dropped: its name occurs twice. */
  align(row) {
    if (row >= this.length) return this.fill(row)
    this.replaced += this.memory.step
    this.memory.isOverwritten = true
    this.truncate(row)
  }

  /** Gives the rows up to `row` no value. */
  fill(row) {
    if (row === this.length) return
    this.needValid(row)
    if (this.hasOffsets) repeat(this.offsets, this.used, this.length + 1, row + 1)
    this.length = row
  }

  /** Makes room for `row`, and for the bits of rows with a value. */
  needValid(row) {
    if (row > this.capacity) this.grow(row)
    if (this.valid !== null) return
    this.valid = this.makeBits()
    this.valid.fill(0xff, 0, this.length >> 3)
    if ((this.length & 7) !== 0) this.valid[this.length >> 3] = (1 << (this.length & 7)) - 1
  }

  /** The next row is null in its document, and has no value. */
  putNull(row) {
    if (row !== this.length) this.align(row)
    this.needValid(row + 1)
    this.nulls ??= this.makeBits()
    this.nulls[row >> 3] |= 1 << (row & 7)
    if (this.hasOffsets) this.offsets[row + 1] = this.used
    this.length = row + 1
  }

  /** Drops all rows from `row` on. */
  truncate(row) {
    const { length, width } = this
    if (row >= length) return
    if (width > 0) this.words.fill(0, row * width, length * width)
    if (this.kind === KIND.BOOL) clearBits(this.bytes, row, length)
    if (this.valid !== null) clearBits(this.valid, row, length)
    if (this.nulls !== null) clearBits(this.nulls, row, length)
    if (this.hasOffsets) this.used = this.offsets[row]
    this.length = row
    this.checked = Math.min(this.checked, row)
    const inner = this.hasOffsets ? this.used : row
    for (const child of this.children) child.truncate(inner)
    if (this.items !== null) this.items.truncate(inner)
  }

  /** @param {Uint8Array} [before] what they begin with @param {number} [size] bytes: a bit per row, or more */
  makeBits(before = NO_BYTES, size = (this.capacity + 7) >> 3) {
    this.memory.take(size)
    const bits = new Uint8Array(size)
    bits.set(before)
    return bits
  }

  /** Makes room for `rows`. */
  grow(rows) {
    const { memory, width } = this
    // few at first: code that has run only once when it is compiled is optimised as if it never ran, and later
    // recompiled
    const known = this.capacity === 0 ? 0 : Math.max(this.capacity, Math.ceil(this.expected() / 2))
    const capacity = memory.grown(known, rows)
    this.capacity = capacity
    if (width > 0) {
      memory.take(capacity * width * 4)
      const words = memory.words(capacity * width)
      words.set(this.words)
      this.words = words
    }
    if (this.kind === KIND.BOOL) this.bytes = this.makeBits(this.bytes)
    if (this.hasOffsets) {
      memory.take(capacity * 4)
      const offsets = memory.words(capacity + 1)
      offsets.set(this.offsets)
      this.offsets = offsets
    }
    if (this.isVaried) this.subtypes = this.makeBits(this.subtypes, capacity)
    if (this.valid !== null) this.valid = this.makeBits(this.valid)
    if (this.nulls !== null) this.nulls = this.makeBits(this.nulls)
  }

  /** @returns {number} how many rows to expect */
  expected() {
    return this.isInner || this.memory.rows === 0 ? MARGIN * this.before : this.memory.rows
  }

  /** Makes room for `size` more bytes of text. */
  growBytes(size) {
    const known = this.bytes.length > 0 ? this.bytes.length : (MARGIN * Math.min(this.bytesBefore, MOST_BEFORE)) >> 1
    const capacity = this.memory.grown(known, this.used + size) + SLACK
    this.memory.take(capacity)
    const bytes = new Uint8Array(this.memory.buffer(capacity), 0, capacity)
    bytes.set(this.bytes.subarray(0, this.used))
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
  }

  /** The next row is bytes from `start` to `end`. @param {Uint8Array} buf @param {DataView} view of the same bytes */
  putBytes(buf, view, row, start, end) {
    if (row !== this.length) this.align(row)
    if (row >= this.capacity) this.grow(row + 1)
    const size = end - start
    if (this.used + size + SLACK > this.bytes.length) this.growBytes(size)
    copyInto(this, buf, view, start, end)
    this.used += size
    this.offsets[row + 1] = this.used
    if (this.valid !== null) this.valid[row >> 3] |= 1 << (row & 7)
    this.length = row + 1
  }

  /** The next row is a document whose one field, without a name, is the value from `start` to `end`. */
  putElement(type, buf, view, row, start, end) {
    const size = end - start + 7
    if (row !== this.length) this.align(row)
    if (this.used + size + SLACK > this.bytes.length) this.growBytes(size)
    const head = this.used
    this.view.setInt32(head, size, true)
    this.bytes[head + 4] = type
    this.bytes[head + 5] = 0
    this.used += 6
    this.putBytes(buf, view, row, start, end)
    this.bytes[this.used] = 0
    this.offsets[row + 1] = ++this.used
  }

  /** The next row has a value, and its contents follow: a struct, a list, a map or a regex. */
  open(row) {
    if (row !== this.length) this.align(row)
    if (row >= this.capacity) this.grow(row + 1)
    if (this.valid !== null) this.valid[row >> 3] |= 1 << (row & 7)
    if (this.hasOffsets) this.offsets[row + 1] = this.used
    this.length = row + 1
  }

  /**
   * The next row is row `at` of a column of the same type, if that has a value or a null there; without the fields of a
   * struct.
   *
   * @param {Builder} other
   * @returns {number} about its bytes
   */
  copyRow(row, other, at) {
    if (other.nulls !== null && isSet(other.nulls, at)) this.putNull(row)
    if (at >= other.length || !isSet(other.valid, at)) return 0
    const { width, items } = this
    if (this.hasOffsets && items === null) return this.copyBytes(row, other, at)
    this.open(row)
    for (let i = 0; i < width; i++) this.words[row * width + i] = other.words[at * width + i]
    if (this.kind === KIND.BOOL && isSet(other.bytes, at)) this.bytes[row >> 3] |= 1 << (row & 7)
    return items === null ? 4 * width : this.copyItems(row, other, at)
  }

  /** The same for text and the like. */
  copyBytes(row, other, at) {
    const [start, end] = [other.offsets[at], other.offsets[at + 1]]
    this.putBytes(other.bytes, other.view, row, start, end)
    if (this.isVaried) this.subtypes[row] = other.subtypes[at]
    return end - start
  }

  /** The same for a list or a map, whose row is open. */
  copyItems(row, /** @type {Builder} */ { offsets, items, children }, at) {
    let size = 0
    for (let i = offsets[at]; i < offsets[at + 1]; i++, this.used++) {
      size += this.items.copyWhole(this.used, items, i)
      this.children.forEach((keys, k) => { size += keys.copyRow(this.used, children[k], i) })
    }
    this.offsets[row + 1] = this.used
    return size
  }

  /** As `copyRow`, with all that is in it. */
  copyWhole(row, other, at) {
    const size = this.copyRow(row, other, at)
    if (this.items !== null) return size
    return this.children.reduce((sum, child, i) => sum + child.copyWhole(row, other.children[i], at), size)
  }
}

/** Up to this many offsets are set by a loop, more by a native call, which takes 50 ns to start. */
const BY_LOOP = 32

/** Sets all from `start` to `end` to the same. @param {Int32Array} offsets */
function repeat(offsets, value, start, end) {
  if (end - start > BY_LOOP) offsets.fill(value, start, end)
  else for (let i = start; i < end; i++) offsets[i] = value
}

/** Up to this many bytes of text are copied in words of four, more by a native call, which takes 50 ns to start. */
const BY_WORDS = 128

/** @param {Builder} builder with room after the text */
function copyInto({ bytes, view: target, used }, buf, view, start, end) {
  const size = end - start
  if (size > BY_WORDS || start + size + 4 > buf.length) {
    bytes.set(buf.subarray(start, end), used)
    return
  }
  for (let i = 0; i < size; i += 4) target.setInt32(used + i, view.getInt32(start + i, true), true)
}

module.exports = { Builder }
