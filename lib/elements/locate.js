'use strict'

// Finds the field that holds a byte. Used only after an error.

const { ELEMENT } = require('../spec')
const { BSONError, hasPath, describePlace, pathOf } = require('../errors')
const { getInt32, getUtf8Lossy } = require('../bytes')
const { NOT_CLOSED, scanElement, innerDocument } = require('./scan')

/** The message of bson for NOT_CLOSED, by what holds the byte: programs match errors by message. */
const NOT_CLOSED_OF = { root: 'corrupt object bson', array: 'corrupted array bson', document: NOT_CLOSED }

/**
 * Adds the path to an error about bytes of a document, and puts path and offset into its message.
 *
 * @template E
 * @param {E} error
 * @param {Uint8Array} buf
 * @param {number} start of the document
 * @param {boolean} [isArray] whether it is an array
 * @returns {E}
 */
function locate(error, buf, start, isArray) {
  return describePlace(locateInside(error, buf, start, isArray))
}

/**
 * The same without the message, for bytes that are a value of something else: the keys around them are still to come.
 *
 * @type {typeof locate}
 */
function locateInside(error, buf, start, isArray = false) {
  if (error instanceof BSONError && error.offset !== undefined && !hasPath(error)) {
    const { path, holder } = elementAt(buf, start, error.offset, isArray)
    error.path = path
    if (error.message === NOT_CLOSED) error.message = NOT_CLOSED_OF[holder]
  }
  return error
}

/**
 * The same for a copy that the caller does not have: its path, but not its offset, means something to the caller.
 *
 * @template E
 * @param {E} error
 * @param {Uint8Array} copy a document
 * @returns {E}
 */
function locateInCopy(error, copy) {
  if (error instanceof BSONError) delete locateInside(error, copy, 0).offset
  return error
}

/** The element that holds the byte at `offset`, as far as the bytes before it are readable; `''` for the document. */
function elementAt(buf, start, offset, isArray) {
  const keys = []
  let pos = start + 4
  let index = 0
  let end = start + getInt32(buf, start) - 1
  while (pos <= offset && pos !== end) {
    const nameEnd = buf.indexOf(0, pos + 1)
    if (nameEnd === -1 || buf[pos] === 0) break
    const type = buf[pos]
    const value = nameEnd + 1
    const next = tryScan(type, buf, pos, nameEnd)
    if (offset >= next) {
      pos = next
      index++
      continue
    }
    keys.push(isArray ? index : getUtf8Lossy(buf, pos + 1, nameEnd))
    const inner = innerDocument(type, buf, value)
    // The length of a code value may itself be wrong.
    if (inner < value || offset < inner + 4) break
    if (type === ELEMENT.CODE_WITH_SCOPE) keys.push('$scope')
    pos = inner + 4
    end = inner + getInt32(buf, inner) - 1
    index = 0
    isArray = type === ELEMENT.ARRAY
  }
  const holder = keys.length === 0 ? 'root' : isArray ? 'array' : 'document'
  return { path: pathOf(keys), holder }
}

/** The end of a value that may be broken. A broken value extends to the end. */
function tryScan(type, buf, pos, nameEnd) {
  try {
    return scanElement(type, buf, pos, nameEnd, buf.length)
  } catch {
    return Infinity
  }
}

module.exports = { locate, locateInside, locateInCopy }
