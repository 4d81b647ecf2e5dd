'use strict'

// Everything that decoding checks, what it ignores (the names in arrays), and how often each element type occurs. The
// common types are looked at by one quick walk, which gives up at anything that is rare or wrong: then the slow one
// says what it is.

const { ELEMENT, FIXED_SIZE } = require('../spec')
const { errorAtOffset, shownName } = require('../errors')
const { getInt32 } = require('../bytes')
const { checkUtf8, getUtf8Lossy } = require('../bytes/utf8')
const { scanRoot } = require('../decode/scan')
const { utf8Plan, validateElements } = require('../decode/validate')

/** Levels that documents may have: nothing in the slow walk keeps a level on the stack. */
const MAX_DEPTH = 1_000_000

/** Levels that the quick walk enters. */
const QUICK_DEPTH = 100

/** Longer text is checked by a native function. */
const LONG = 64

/** @returns {import('./documents').Task} */
function checkTask() {
  let types = new Float64Array(256)
  return {
    add: document => {
      if (walk(document, types, 1)) return
      walk(document, types, -1) // takes back what it has counted
      const own = checkFallback(document)
      for (let type = 0; type < 256; type++) types[type] += own[type]
    },
    finish: () => {
      const found = types
      types = new Float64Array(256)
      return { output: null, found }
    }
  }
}

/** @param {Uint8Array} document @returns {Int32Array} how often each type occurs @throws {BSONError} */
function checkFallback(document) {
  const own = new Int32Array(256)
  const end = scanRoot(document, 0, false)
  validateElements(document, 4, end - 1, utf8Plan(), MAX_DEPTH, (type, level, name, nameEnd) => {
    if (level.isArray) checkIndex(document, name, nameEnd, level.count)
    own[type]++
  })
  return own
}

/**
 * @param {Uint8Array} document
 * @param {Float64Array} types
 * @param {1 | -1} step
 * @returns {boolean} whether it is right
 */
function walk(document, types, step) {
  const end = document.length - 1
  return getInt32(document, 0) === end + 1 && document[end] === 0 && walkElements(document, 4, end, types, step, 0)
}

/** @param {number} depth levels around it; of an array, less than 0 */
function walkElements(buf, pos, end, types, step, depth) {
  const isArray = depth < 0
  const level = isArray ? -depth : depth
  for (let index = 0; pos < end; index++) {
    const type = buf[pos]
    const name = pos + 1
    pos = name
    while (buf[pos] > 0 && buf[pos] < 0x80 && pos < end) pos++
    if (buf[pos] !== 0 || pos >= end || (isArray && !isIndex(buf, name, pos, index))) return false
    types[type] += step
    const value = pos + 1
    const size = FIXED_SIZE[type]
    pos = size >= 0 ? value + size : afterValue(buf, type, value, end)
    if (pos < 0 || pos > end) return false
    if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) continue
    if (level >= QUICK_DEPTH) return false
    const inner = type === ELEMENT.ARRAY ? -level - 1 : level + 1
    if (!walkElements(buf, value + 4, pos - 1, types, step, inner)) return false
  }
  return pos === end
}

/** @returns {number} the offset after a value, -1 when it is wrong or of a rare type */
function afterValue(buf, type, value, end) {
  if (type === ELEMENT.BOOLEAN) return value < end && buf[value] <= 1 ? value + 1 : -1
  if (end - value < 5) return -1
  const size = getInt32(buf, value)
  if (size <= 0 || size > end - value) return -1
  if (type === ELEMENT.STRING) {
    const next = value + 4 + size
    return next <= end && buf[next - 1] === 0 && isText(buf, value + 4, next - 1) ? next : -1
  }
  const isContainer = type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY
  return isContainer && size >= 5 && buf[value + size - 1] === 0 ? value + size : -1
}

function isText(buf, start, end) {
  let i = start
  if (end - start <= LONG) while (i < end && buf[i] < 0x80) i++
  if (i === end) return true
  try {
    checkUtf8(buf, start, end)
    return true
  } catch {
    return false
  }
}

/** Whether a name is the index that it should be. */
function isIndex(buf, start, end, index) {
  if (index < 10) return end === start + 1 && buf[start] === 48 + index
  let rest = index
  let at = end
  for (; rest > 0; rest = Math.floor(rest / 10)) if (--at < start || buf[at] !== 48 + (rest % 10)) return false
  return at === start
}

/** @param {Uint8Array} buf @param {number} start of the name @param {number} end @param {number} index it must say */
function checkIndex(buf, start, end, index) {
  if (isIndex(buf, start, end, index)) return
  const name = shownName(getUtf8Lossy(buf, start, end))
  throw errorAtOffset(`element ${index} of the array has the name "${name}"`, start)
}

module.exports = { checkTask, checkFallback }
