'use strict'

// Names of elements: of any script, and indexes. putElement of encode.js has the loop over a name inline.

const { BSONError, shownName } = require('../errors')
const { putUtf8, putIndexName } = require('../bytes')
const { checkName } = require('./put')

/** Bytes to reserve for an element besides its name if its length is fixed, or for a whole item. */
const ROOM = 40

/**
 * type | name 0x00, and room for a value of fixed length. `key` is a number in arrays. The loop over the name is that
 * of putElement, which has it inline; codecs write names by this one.
 *
 * @returns {number} where the value begins
 * @throws {BSONError} on a name that contains a 0x00 or that the plan does not allow
 */
function putName(out, type, key, pos) {
  if (typeof key === 'number') return putIndex(out, type, key, pos)
  const { length } = key
  const buf = out.reserve(pos, 3 * length + ROOM)
  if (out.plan.checkKeys) checkName(key)
  buf[pos] = type
  let end = pos + 1
  for (let i = 0; i < length; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f || unit === 0) {
      end = putOddName(key, buf, pos + 1)
      break
    }
    buf[end++] = unit
  }
  buf[end] = 0
  return end + 1
}

/** A name of any script. */
function putOddName(key, buf, pos) {
  checkNul(key)
  return putUtf8(key, buf, pos)
}

/** @param {string} key @throws {BSONError} on a name that contains a 0x00, which is the terminator */
function checkNul(key) {
  if (key.includes('\0')) throw new BSONError(`key ${shownName(key)} must not contain null bytes`)
}

function putIndex(out, type, i, pos) {
  if (pos + ROOM > out.buf.length) out.grow(pos, ROOM)
  return putIndexName(type, i, out.view, pos)
}

module.exports = { ROOM, putName, putOddName, checkNul, putIndex }
