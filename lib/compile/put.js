'use strict'

// The functions that schema writers use for every place.

const { FIXED_SIZE } = require('../spec')
const { putIndexName } = require('../bytes')
const { putName } = require('../encode')
const { lengthOf } = require('../schema')

/** @typedef {import('../codegen/slots').Slot} Slot */

/**
 * Whether a text has a valid length and is one of the allowed strings. Characters are counted only if necessary: there
 * are at most as many as UTF-16 units, and at least half as many.
 *
 * @param {import('../schema/schema').Bounds | null} bounds
 * @param {string} value
 * @param {number} size size in bytes, which equals the number of units if all are ASCII
 */
function isTextMet(bounds, value, size) {
  if (bounds === null) return false
  const { shortest, longest, texts } = bounds
  const units = value.length
  const isClear = size === units || (units >= 2 * shortest && units <= longest)
  const length = isClear ? units : lengthOf(value)
  return length >= shortest && length <= longest && (texts === null || texts.has(value))
}

/**
 * Whether only the number of items of an array is restricted, and `count` is allowed.
 *
 * @param {Slot} slot
 * @param {number} count
 */
function isCounted({ isCountOnly, node: { list } }, count) {
  return isCountOnly && count >= list.least && count <= list.most
}

/** Bytes of a value of fixed length, an index and a type. */
const ROOM = 40

/** Like putName(), with ASCII inlined: half the time. */
function putKey(out, type, key, pos) {
  if (typeof key === 'number') {
    if (pos + ROOM > out.buf.length) out.grow(pos, ROOM)
    return putIndexName(type, key, out.view, pos)
  }
  if (out.plan.checkKeys) return putName(out, type, key, pos)
  const { length } = key
  const buf = out.reserve(pos, length + ROOM)
  buf[pos] = type
  for (let i = 0; i < length; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f || unit === 0) return putName(out, type, key, pos)
    buf[pos + 1 + i] = unit
  }
  buf[pos + 1 + length] = 0
  return pos + length + 2
}

/** The offset of the value of the element from `pos` to `end`. */
function valueAt({ buf }, pos, end) {
  const fixed = FIXED_SIZE[buf[pos]]
  return fixed === -1 ? buf.indexOf(0, pos + 1) + 1 : end - fixed
}

module.exports = { isTextMet, isCounted, putKey, valueAt }
