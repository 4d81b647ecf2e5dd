'use strict'

// Reads rare values, and values whose column has another kind. Each is checked, and stored if it fits exactly;
// otherwise it is counted as a mismatch.

const { ELEMENT, FIXED_SIZE, SUBTYPE, MAX_DEPTH } = require('../../spec')
const { allocate, isExactInt64, getDouble, putInt32: putSize, checkUtf8 } = require('../../bytes')
const { binaryOverhead } = require('../../types')
const { viewOf } = require('../../decode')
const { numberAt, decimalOf } = require('../../schema')
const { isContainer, scanElement, scanCString, quickValidate, validateElements, checkRegexOptions, ALL_UTF8 } = require('../../elements')
const { putScaled } = require('../layout/decimal')
const { geometryOf } = require('../layout/geometry')
const { FORM, NUMBERS, byKind } = require('../layout/kinds')
const { countMismatch } = require('./report')
const { put1, put2, putWhole } = require('./read')

/** Writes the value at `pos` of the element at `at`. @returns {number} the offset after it */
function putOther(r, b, at, pos, end, row) {
  const { buf } = r
  const type = buf[at]
  const next = scanElement(type, buf, at, pos - 1, end)
  if (type === ELEMENT.UNDEFINED) {
    b.align(row) // as if the field were missing
    return next
  }
  if (type === ELEMENT.NULL) b.putNull(row)
  else if (b.selects && !isContainer(type)) b.align(row) // a path into it leads to nothing
  else if (PUT[b.kind](r, b, type, row, pos, next) === false) {
    b.align(row)
    r.check(at, next, b.level - 1)
    countMismatch(r, b, at)
  }
  return next
}

/** @typedef {(r: any, b: any, type: number, row: number, pos: number, next: number) => boolean | void} Put */

/** Stores a value in each kind of column; returns false if it does not fit. */
const PUT = byKind({
  int32: putInt32,
  int64: putInt64,
  double: putDouble,
  timestamp: (r, b, type, row, pos) => type === ELEMENT.TIMESTAMP && put2(b, row, r.view, pos),
  decimal128: putDecimal,
  uuid: putUuid,
  json: putJson,
  binary: putBinary,
  regex: putRegex,
  checked: putChecked
}, /** @type {Put} */ (() => false))

function putInt32(r, b, type, row, pos) {
  const { view } = r
  if (type === ELEMENT.INT64) {
    const low = view.getInt32(pos, true)
    return view.getInt32(pos + 4, true) === low >> 31 && put1(b, row, view, pos)
  }
  const number = type === ELEMENT.DOUBLE ? getDouble(r.buf, pos) : NaN
  if ((number | 0) !== number || Object.is(number, -0)) return false
  return put1(b, row, scratchOf(number, number >> 31), 0)
}

function putInt64(r, b, type, row, pos) {
  if (type === ELEMENT.INT32) {
    const low = r.view.getInt32(pos, true)
    return put2(b, row, scratchOf(low, low >> 31), 0)
  }
  const number = type === ELEMENT.DOUBLE ? getDouble(r.buf, pos) : NaN
  if (!Number.isSafeInteger(number) || Object.is(number, -0)) return false
  scratch.setBigInt64(0, BigInt(number), true)
  return put2(b, row, scratch, 0)
}

function putDouble(r, b, type, row, pos) {
  const { view } = r
  if (type === ELEMENT.INT32) return putWhole(b, row, view.getInt32(pos, true))
  if (type !== ELEMENT.INT64) return false
  const high = view.getInt32(pos + 4, true)
  if (!isExactInt64(view.getInt32(pos, true), high)) return false
  scratch.setFloat64(0, high * 4294967296 + view.getUint32(pos, true), true)
  return put2(b, row, scratch, 0)
}

const scratch = new DataView(new ArrayBuffer(8))

function scratchOf(low, high) {
  scratch.setInt32(0, low, true)
  scratch.setInt32(4, high, true)
  return scratch
}

/** Stores 16 bytes: a decimal128 or a UUID. */
function putBytes16({ view }, b, row, pos) {
  b.open(row)
  for (let i = 0; i < 4; i++) b.words[4 * row + i] = view.getInt32(pos + 4 * i, true)
}

function putDecimal(r, b, type, row, pos) {
  const { form, decimal, takesNumbers } = b.type
  if (type !== ELEMENT.DECIMAL128) return takesNumbers === true && putNumber(r, b, type, row, pos)
  if (form === FORM.DECIMAL && !putScaled(r.buf, pos, decimal, null, 0)) return false
  return putBytes16(r, b, row, pos)
}

/** Another number in a column of decimals. */
function putNumber({ buf }, b, type, row, pos) {
  if (!NUMBERS.includes(type)) return false
  const { bytes } = decimalOf(numberAt(type, buf, pos))
  return putDecimal({ buf: bytes, view: viewOf(bytes) }, b, ELEMENT.DECIMAL128, row, 0)
}

function putUuid(r, b, type, row, pos, next) {
  if (type !== ELEMENT.BINARY || r.buf[pos + 4] !== SUBTYPE.UUID || next - pos !== 21) return false
  return putBytes16(r, b, row, pos + 5)
}

function putChecked(r, b, type, row, pos, next) {
  if (type !== ELEMENT.STRING) return false
  checkUtf8(r.buf, pos + 4, next - 1)
  b.putBytes(r.buf, r.view, row, pos + 4, next - 1)
}

/** int32 length | subtype | bytes; with the old subtype 2, a second length precedes the bytes. */
function putBinary(r, b, type, row, pos, next) {
  if (type !== ELEMENT.BINARY) return false
  const subtype = r.buf[pos + 4]
  if (!b.isVaried && b.type.subtype !== subtype) return false
  b.putBytes(r.buf, r.view, row, pos + binaryOverhead(subtype), next)
  if (b.isVaried) b.subtypes[row] = subtype
}

/** pattern 0x00 | options 0x00 */
function putRegex(r, b, type, row, pos, next) {
  if (type !== ELEMENT.REGEX) return false
  const { buf, view } = r
  const patternEnd = scanCString(buf, pos, next)
  checkRegexOptions(buf, patternEnd + 1, next - 1)
  checkUtf8(buf, pos, patternEnd)
  b.open(row)
  b.children[0].putBytes(buf, view, row, pos, patternEnd)
  b.children[1].putBytes(buf, view, row, patternEnd + 1, next - 1)
}

/** Stores any value as bytes, which become Extended JSON on demand. Their content is checked now. */
function putJson(r, b, type, row, pos, next) {
  if (b.picker === null) return putStored(b, type, r, row, pos, next)
  try {
    const bytes = picked(b.picker, type, r.buf, pos, next)
    return putStored(b, type, { buf: bytes, view: viewOf(bytes) }, row, 6, bytes.length - 1)
  } catch (error) {
    throw Object.assign(error, { offset: pos })
  }
}

/** A document whose only field, without a name, has the chosen fields of a value; good until the next call. */
function picked(picker, type, buf, pos, next) {
  const whole = allocate(next - pos + 7)
  putSize(whole.length, whole, 0)
  whole.set([type, 0], 4)
  whole.set(buf.subarray(pos, next), 6)
  whole[whole.length - 1] = 0
  picker.pos = 0
  picker.write(whole)
  return picker.bytes
}

function putStored(b, type, { buf, view }, row, pos, next) {
  b.putElement(type, buf, view, row, pos, next)
  const start = b.used - (next - pos) - 7
  try {
    // the document ends after its only element, and counts as one level for all enclosing ones
    const isQuick = FIXED_SIZE[type] !== -1 || quickValidate(b.bytes, start, b.used)
    if (!isQuick) validateElements(b.bytes, start + 4, b.used - 1, ALL_UTF8, MAX_DEPTH, { depth: b.level - 1 })
  } catch (error) {
    error.offset += pos - 2 - (start + 4)
    throw error
  }
  if (b.type.form !== FORM.WKB || geometryOf(b.bytes, start + 4, b.used - 1) !== null) return
  b.truncate(row)
  return false
}

module.exports = { putOther }
