'use strict'

// Finds the element at a path.

const { ELEMENT } = require('../spec')
const { ElementCursor } = require('../elements')

const cursor = new ElementCursor()

/**
 * Calls `get` with a cursor at the element, and returns what it returns; undefined if there is no such element. The
 * cursor is used again later. Only the bytes before the element and its length are checked.
 *
 * @param {import('./raw-document').RawDocument} root
 */
function findPath(root, keys, get) {
  let { isArray } = root
  try {
    cursor.open(root.buf, root.start, root.end)
    for (let i = 0; seek(isArray, keys[i]); i++) {
      if (i === keys.length - 1) return get(root, cursor)
      if (!cursor.isContainer) return undefined
      isArray = cursor.type === ELEMENT.ARRAY
      cursor.enter()
    }
    return undefined
  } finally {
    cursor.close()
  }
}

/**
 * Goes to the element of that name, or to the item of that index: decoders ignore the names in an array. A name that
 * repeats means its last element, as for decode.
 */
function seek(isArray, key) {
  if (isArray) {
    for (let i = 0; i <= key.index; i++) if (!cursor.nextSibling()) return false
    return key.index !== -1
  }
  return cursor.toLastNamed(key.cstring)
}

/** Where the elements of that name before `end` lie, in order. */
function duplicatesBefore(buf, start, end, { bytes }) {
  const duplicates = []
  try {
    cursor.open(buf, start, end)
    while (cursor.nextSibling()) if (cursor.isNamed(bytes)) duplicates.push({ pos: cursor.pos, end: cursor.end })
    return duplicates
  } finally {
    cursor.close()
  }
}

module.exports = { findPath, duplicatesBefore }
