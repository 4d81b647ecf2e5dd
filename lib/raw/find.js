'use strict'

// Finds one element of a document by its name, or of an array by its index.

const { ELEMENT, FIXED_SIZE, MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32 } = require('../bytes')
const { scanElement, scanName } = require('../decode')

/**
 * @param {Uint8Array} buf
 * @param {number} start of the document
 * @param {number} end of the document: the offset of its closing 0x00
 * @param {boolean} isArray
 * @param {import('./path').Key} key
 * @returns {number} the offset of the element, or -1 if the document does not have it
 * @throws {import('../errors').BSONError} on bytes before it that are not BSON
 */
function findElement(buf, start, end, isArray, key) {
  if (isArray) return findByIndex(buf, start + 4, end, key.index)
  return key.hasZero ? -1 : findByName(buf, start + 4, end, key.bytes)
}

/** Never looks past `end`, so that it terminates even if the bytes change meanwhile. */
function findByName(buf, pos, end, name) {
  const length = name.length
  while (pos < end) {
    let i = 0
    while (i < length && buf[pos + 1 + i] === name[i]) i++
    let nameEnd = pos + 1 + i
    if (i === length && buf[nameEnd] === 0 && buf[pos] !== 0) return pos
    while (nameEnd < end && buf[nameEnd] !== 0) nameEnd++
    pos = skipElement(buf, pos, nameEnd, end)
  }
  return -1
}

/** Counts items, because decoders ignore the names in an array. */
function findByIndex(buf, pos, end, index) {
  for (let i = 0; i <= index && pos < end; i++) {
    if (i === index) return pos
    pos = skipElement(buf, pos, scanName(buf, pos + 1, end), end)
  }
  return -1
}

/** @returns {number} the offset after an element, without looking into its value */
function skipElement(buf, pos, nameEnd, end) {
  const type = buf[pos]
  const value = nameEnd + 1
  const size = FIXED_SIZE[type]
  const next = size >= 0 ? value + size : afterValue(type, buf, value, end)
  if (next > nameEnd && next <= end) return next
  return scanElement(type, buf, pos, scanName(buf, pos + 1, end), end)
}

/** @returns {number} the offset after a string, document or array; -1 if it is wrong, or another type */
function afterValue(type, buf, value, end) {
  if (value + 5 > end) return -1
  const isString = type === ELEMENT.STRING
  if (!isString && !isContainer(type)) return -1
  const size = getInt32(buf, value)
  const next = isString ? value + 4 + size : value + size
  return size >= (isString ? 1 : MIN_DOCUMENT_SIZE) && next <= end && buf[next - 1] === 0 ? next : -1
}

/** @param {number} type whether a value is a document or an array */
function isContainer(type) {
  return type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY
}

module.exports = { findElement, skipElement, isContainer }
