'use strict'

// Documents -> columns in one pass, without objects and without strings: one function with a loop and a switch, like
// decode/read.js. It reads frequent types into columns of the same kind; read-other.js does the rest. It only detects
// errors; elements/scan.js describes them.

const { FIXED_SIZE } = require('../../spec')
const { checkUtf8 } = require('../../bytes')
const { scanName, scanElement, isNameAt } = require('../../elements')
const { broken } = require('../../decode')
const { addUnknown, placeUnknown } = require('./report')
const { KIND } = require('../layout/kinds')

// Separate constants: the engine treats them as numbers.
const { BOOL, INT32, INT64, DOUBLE, DATE, OBJECT_ID, STRING, JSON, STRUCT, LIST, MAP } = KIND

/**
 * Reads the elements from `pos` to `end`: the fields of a struct, which share one row, or the items of a list or a map,
 * which take one row each.
 *
 * @param {import('./reader').Reader} r
 * @param {import('../layout/builder').Builder} parent
 * @param {number} row of the fields, or the one before the first item
 * @returns {number} the last row
 */
function readFields(r, parent, pos, end, row, isList) {
  const { buf, view, memory: { step } } = r
  let b = parent.items
  let name = isList ? null : parent.names.start
  const key = isList && parent.kind === MAP ? parent.children[0] : null
  while (pos < end) {
    const at = pos
    const type = buf[pos++]
    if (isList) {
      row++
      while (buf[pos++] > 0);
      if (key !== null && pos <= end) putKey(r, key, row, at + 1, pos - 1)
    } else {
      const { next } = name
      if (isNameAt(next, buf, view, pos)) {
        name = next
        pos += next.size
      } else {
        name = lookUp(r, parent, name, at, end)
        pos = r.pos
      }
      b = name.target
    }
    if (pos > end) throw broken(buf, at, end)
    if (b === null) {
      if (name.count === 0) placeUnknown(r, name, at)
      name.count += step
      const fixed = FIXED_SIZE[type]
      pos = fixed === -1 ? scanElement(type, buf, at, pos - 1, end) : pos + fixed
      if (pos > end) throw broken(buf, at, end)
      if (parent.isWhole) r.check(at, pos, parent.level)
      continue
    }
    switch (type) {
      case 0x01: // DOUBLE
        if (b.kind !== DOUBLE || pos + 8 > end) break
        put2(b, row, view, pos)
        pos += 8
        continue
      case 0x02: { // STRING
        if (b.kind !== STRING || pos + 5 > end) break
        const next = pos + 4 + view.getInt32(pos, true)
        if (next <= pos + 4 || next > end || buf[next - 1] !== 0) break
        b.putBytes(buf, view, row, pos + 4, next - 1)
        pos = next
        continue
      }
      case 0x03: // DOCUMENT
      case 0x04: { // ARRAY
        const isStruct = b.kind === STRUCT
        if ((type === 0x04 ? b.kind !== LIST : !isStruct && b.kind !== MAP) || pos + 5 > end) break
        const next = pos + view.getInt32(pos, true)
        if (next < pos + 5 || next > end || buf[next - 1] !== 0) break
        b.open(row)
        if (isStruct) readFields(r, b, pos + 4, next - 1, row, false)
        else {
          b.used = readFields(r, b, pos + 4, next - 1, b.used - 1, true) + 1
          b.offsets[row + 1] = b.used
        }
        pos = next
        continue
      }
      case 0x07: // OBJECT_ID
        if (b.kind !== OBJECT_ID || pos + 12 > end) break
        put3(b, row, view, pos)
        pos += 12
        continue
      case 0x08: // BOOLEAN
        if (b.kind !== BOOL || pos >= end || buf[pos] > 1) break
        putBool(b, row, buf[pos++])
        continue
      case 0x09: // DATETIME
        if (b.kind !== DATE || pos + 8 > end) break
        put2(b, row, view, pos)
        pos += 8
        continue
      case 0x0a: // NULL
        if (b.kind === JSON) break
        b.putNull(row)
        continue
      case 0x10: // INT32
        if ((b.kind !== INT32 && b.kind !== DOUBLE) || pos + 4 > end) break
        if (b.kind === INT32) put1(b, row, view, pos)
        else putWhole(b, row, view.getInt32(pos, true))
        pos += 4
        continue
      case 0x12: // INT64
        if (b.kind !== INT64 || pos + 8 > end) break
        put2(b, row, view, pos)
        pos += 8
        continue
    }
    pos = r.putOther(r, b, at, pos, end, row)
  }
  return row
}

/** The name of the element at `at`, if another was expected; sets `r.pos` to the offset after its 0x00. */
function lookUp(r, parent, previous, at, end) {
  const { buf, view } = r
  const name = parent.names.find(buf, view, at + 1, end, previous)
  if (name !== null) {
    r.pos = at + 1 + name.size
    return name
  }
  const nameEnd = scanName(buf, at + 1, end)
  r.pos = nameEnd + 1
  checkUtf8(buf, at + 1, nameEnd)
  return addUnknown(parent, buf, at + 1, nameEnd, previous)
}

/** The key of a map's next value. */
function putKey({ buf, view }, key, row, start, end) {
  checkUtf8(buf, start, end)
  key.putBytes(buf, view, row, start, end)
}

/** The next row is one word. */
function put1(b, row, view, pos) {
  if (row !== b.length) b.align(row)
  if (row >= b.capacity) b.grow(row + 1)
  b.words[row] = view.getInt32(pos, true)
  if (b.valid !== null) b.valid[row >> 3] |= 1 << (row & 7)
  b.length = row + 1
}

/** The next row is two words. @type {typeof put1} */
function put2(b, row, view, pos) {
  if (row !== b.length) b.align(row)
  if (row >= b.capacity) b.grow(row + 1)
  b.words[2 * row] = view.getInt32(pos, true)
  b.words[2 * row + 1] = view.getInt32(pos + 4, true)
  if (b.valid !== null) b.valid[row >> 3] |= 1 << (row & 7)
  b.length = row + 1
}

/** The next row is three words. @type {typeof put1} */
function put3(b, row, view, pos) {
  if (row !== b.length) b.align(row)
  if (row >= b.capacity) b.grow(row + 1)
  b.words[3 * row] = view.getInt32(pos, true)
  b.words[3 * row + 1] = view.getInt32(pos + 4, true)
  b.words[3 * row + 2] = view.getInt32(pos + 8, true)
  if (b.valid !== null) b.valid[row >> 3] |= 1 << (row & 7)
  b.length = row + 1
}

const scratch = new DataView(new ArrayBuffer(8))

/** An int32 in a column of doubles. */
function putWhole(b, row, int) {
  scratch.setFloat64(0, int, true)
  put2(b, row, scratch, 0)
}

function putBool(b, row, bit) {
  if (row !== b.length) b.align(row)
  if (row >= b.capacity) b.grow(row + 1)
  b.bytes[row >> 3] |= bit << (row & 7)
  if (b.valid !== null) b.valid[row >> 3] |= 1 << (row & 7)
  b.length = row + 1
}

module.exports = { readFields, put1, put2, putWhole }
