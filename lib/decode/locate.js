'use strict'

// Which field holds a byte: asked once something is wrong, and never before.

const { ELEMENT } = require('../spec')
const { BSONError, describePlace, pathOf } = require('../errors')
const { getInt32, getUtf8Lossy } = require('../bytes')
const { NOT_CLOSED, scanValue, innerDocument } = require('./scan')

/** What bson says for NOT_CLOSED, by what holds the byte: programs know errors by their words. */
const NOT_CLOSED_OF = { root: 'corrupt object bson', array: 'corrupted array bson', document: NOT_CLOSED }

/** Completes an error about bytes of the document at `start` with the path and puts both into its message. */
function locate(error, buf, start) {
  if (error instanceof BSONError && error.offset !== undefined && error.path === undefined) {
    const { path, holder } = placeAt(buf, start, error.offset)
    error.path = path
    if (error.message === NOT_CLOSED) error.message = NOT_CLOSED_OF[holder]
  }
  return describePlace(error)
}

/**
 * The element that holds the byte at `offset`, as far as the bytes before it can be read.
 *
 * @returns {{path: string, holder: 'root' | 'array' | 'document'}} `''` for the document itself; what holds the byte
 */
function placeAt(buf, start, offset) {
  const keys = []
  let pos = start + 4
  let index = 0
  let isArray = false
  let end = start + getInt32(buf, start) - 1
  while (pos <= offset && pos !== end) {
    const nameEnd = buf.indexOf(0, pos + 1)
    if (nameEnd === -1 || buf[pos] === 0) break
    const type = buf[pos]
    const value = nameEnd + 1
    const next = tryScan(type, buf, value)
    if (offset >= next) {
      pos = next
      index++
      continue
    }
    keys.push(isArray ? index : getUtf8Lossy(buf, pos + 1, nameEnd))
    const inner = innerDocument(type, buf, value)
    // A code's own length may be what is wrong.
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

/** The end of a value that may be broken: then it holds all that follows. */
function tryScan(type, buf, value) {
  try {
    return scanValue(type, buf, value, buf.length)
  } catch {
    return Infinity
  }
}

module.exports = { locate, placeAt }
