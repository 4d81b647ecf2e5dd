'use strict'

// Fields that the schema names, where their values are what it says: the names are stored by words, and what it says of
// numbers and strings beyond their types is asked of them.

const { ELEMENT, FIXED_SIZE } = require('../spec')
const { setDouble } = require('../bytes')
const { wordAt } = require('../codegen')
const { OMIT, roomOf, putString, putName } = require('../encode')
const { lengthOf } = require('../schema')

/** @typedef {import('../schema/schema').Node} Node */

/** Bytes of an item of fixed length, and of its index. */
const ITEM_ROOM = 40

/**
 * Whether a value that has been written as that type follows all rules, as far as a look at it says.
 *
 * @param {Node} node
 */
function isMet({ ruled, bounds }, type, value) {
  if ((ruled & (1 << type)) === 0) return true
  if (bounds === null) return false
  if (typeof value === 'number') return value >= bounds.least && value <= bounds.most
  return typeof value === 'string' && isTextMet(bounds, value, lengthOf(value))
}

/** @param {import('../schema/schema').Bounds | null} bounds @param {number} length in characters */
function isTextMet(bounds, value, length) {
  if (bounds === null || length < bounds.shortest || length > bounds.longest) return false
  return bounds.texts === null || bounds.texts.has(value)
}

/**
 * Whether nothing is said of an array but how many items it has, and it has so many.
 *
 * @param {Node} node
 * @param {number} count
 */
function isCounted({ list, rules, forms, isRuled }, count) {
  if (!isRuled) return true
  const isOther = list.isUnique || rules.length > 0 || forms.get(ELEMENT.ARRAY).rules.length > 0
  return !isOther && count >= list.least && count <= list.most
}

/** As putName(), of ASCII in line: half the time. */
function putKey(out, type, key, pos) {
  if (typeof key === 'number' || out.plan.checkKeys) return putName(out, type, key, pos)
  const { length } = key
  const buf = out.reserve(pos, length + ITEM_ROOM)
  buf[pos] = type
  for (let i = 0; i < length; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f || unit === 0) return putName(out, type, key, pos)
    buf[pos + 1 + i] = unit
  }
  buf[pos + 1 + length] = 0
  return pos + length + 2
}

/** Where the value of the element from `pos` to `end` begins. */
function valueAt({ buf }, pos, end) {
  const fixed = FIXED_SIZE[buf[pos]]
  return fixed === -1 ? buf.indexOf(0, pos + 1) + 1 : end - fixed
}

/** A name and its 0x00, four bytes each, and zeros: they are stored in a third of the time. @param {string} name */
function wordsOf(name) {
  const bytes = [...new TextEncoder().encode(name), 0]
  const words = Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, i) => wordAt(bytes, 4 * i))
  return { bytes, size: bytes.length, words }
}

/** type | name 0x00; up to three more bytes are written over: of the value. */
function putWords({ buf, view }, type, { size, words }, pos) {
  buf[pos] = type
  for (let i = 0; i < words.length; i++) view.setInt32(pos + 1 + 4 * i, words[i], true)
  return pos + 1 + size
}

/** Bytes of a number with its type, and of zeros behind its name. */
const NUMBER_ROOM = 16

/** @returns {number} the offset after a number that is a field, `pos` when it may not be so simple */
function putNumber(out, { words, node }, value, pos, check) {
  const type = words === null ? OMIT : plainType(node, value, check)
  if (type === OMIT) return pos
  if (pos + words.size + NUMBER_ROOM > out.buf.length) out.grow(pos, words.size + NUMBER_ROOM)
  pos = putWords(out, type, words, pos)
  if (type === ELEMENT.DOUBLE) {
    setDouble(out.view, pos, value)
    return pos + 8
  }
  out.view.setInt32(pos, value, true)
  return pos + 4
}

/** The same of a string. A text of as many bytes as units has as many characters. */
function putText(out, { words, node }, value, pos, check) {
  if (words === null || (node.plain & (1 << ELEMENT.STRING)) === 0) return pos
  const { length } = value
  out.reserve(pos, words.size + 1 + roomOf(value))
  const start = putWords(out, ELEMENT.STRING, words, pos)
  const end = putString(out, value, start)
  const isMet = !check || (node.ruled & (1 << ELEMENT.STRING)) === 0 ||
    isTextMet(node.bounds, value, end - start - 5 === length ? length : lengthOf(value))
  return isMet ? end : pos
}

/** INT32 or DOUBLE where a number is written as that and follows the rules, else OMIT. @param {Node} node */
function plainType(node, value, check) {
  const int = value | 0
  const isInt = int === value && (int !== 0 || 1 / value > 0)
  const type = isInt && (node.plain & NUMBERS) !== 1 << ELEMENT.DOUBLE ? ELEMENT.INT32 : ELEMENT.DOUBLE
  return (node.plain & (1 << type)) !== 0 && (!check || isMet(node, type, value)) ? type : OMIT
}

const NUMBERS = (1 << ELEMENT.INT32) | (1 << ELEMENT.DOUBLE) | (1 << ELEMENT.INT64) | (1 << ELEMENT.DECIMAL128)

module.exports = {
  ITEM_ROOM, isMet, isCounted, plainType, putKey, putNumber, putText, putWords, valueAt, wordsOf
}
