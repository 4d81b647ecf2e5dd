'use strict'

// A quick check of a document, in one walk that knows the common types and gives up on anything rare or wrong. In that
// case validate.js, which knows everything, finds the error.

const { ELEMENT } = require('../spec')
const { getInt32, findInvalidUtf8 } = require('../bytes')
const { LAYOUT, STRING, DOCUMENT, endOfValue } = require('./layout')

/** Levels of nesting that are entered. */
const QUICK_DEPTH = 100

/** Receives the counts of element types when the caller does not need them. */
const UNUSED = new Float64Array(256)

/**
 * @param {Uint8Array} buf
 * @param {number} start of a document
 * @param {number} end of the bytes
 * @param {Float64Array} [types] the number of elements of each type, which is added to; incomplete if the result is
 *   false
 * @param {1 | -1} [step] added per element
 * @returns {boolean} false if the document is wrong or too complex for this check
 */
function quickValidate(buf, start, end, types = UNUSED, step = 1) {
  const size = end - start < 5 ? 0 : getInt32(buf, start)
  return size === end - start && buf[end - 1] === 0 && isValidContent(buf, start + 4, end - 1, types, step, 0)
}

/** @param {number} depth levels around it; negative for an array */
function isValidContent(buf, pos, end, types, step, depth) {
  const isArray = depth < 0
  const level = isArray ? -depth : depth
  for (let index = 0; pos < end; index++) {
    const type = buf[pos]
    const name = pos + 1
    if (isArray && index < 10 && buf[name] === 48 + index && buf[name + 1] === 0) pos = name + 1
    else {
      pos = name
      while (buf[pos] > 0 && buf[pos] < 0x80) pos++ // also ends at the last 0x00, and where there are no more bytes
      if (buf[pos] >= 0x80) pos = endOfUtf8Name(buf, name, pos, end)
      if (buf[pos] !== 0 || pos >= end || (isArray && !isIndex(buf, name, pos, index))) return false
    }
    types[type] += step
    const value = pos + 1
    const layout = LAYOUT[type]
    pos = layout >= 0 ? value + layout : endOfValue(type, buf, value, end)
    if (pos < value || pos > end) return false
    if (layout === STRING && !isText(buf, value + 4, pos - 1)) return false
    if (layout !== DOCUMENT) continue
    if (level >= QUICK_DEPTH) return false
    const inner = type === ELEMENT.ARRAY ? -level - 1 : level + 1
    if (!isValidContent(buf, value + 4, pos - 1, types, step, inner)) return false
  }
  return pos === end
}

/** @returns {number} the offset of the 0x00 after a name that is not ASCII; `end` if it is not UTF-8 */
function endOfUtf8Name(buf, name, pos, end) {
  while (pos < end && buf[pos] !== 0) pos++
  return findInvalidUtf8(buf, name, pos) === -1 ? pos : end
}

function isText(buf, start, end) {
  let bits = 0
  let i = start
  for (; i + 3 < end; i += 4) bits |= buf[i] | buf[i + 1] | buf[i + 2] | buf[i + 3]
  for (; i < end; i++) bits |= buf[i]
  return bits < 0x80 || findInvalidUtf8(buf, start, end) === -1
}

/** Whether a name is the expected index. */
function isIndex(buf, start, end, index) {
  if (index < 10) return end === start + 1 && buf[start] === 48 + index
  let rest = index
  let at = end
  for (; rest > 0; rest = Math.floor(rest / 10)) if (--at < start || buf[at] !== 48 + (rest % 10)) return false
  return at === start
}

module.exports = { QUICK_DEPTH, quickValidate, isIndex }
