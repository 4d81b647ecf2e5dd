'use strict'

// What bytes look like that are not one document. Used only after an error.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { adviceForText, getInt32, getUtf8Lossy } = require('../bytes')

/**
 * @param {Uint8Array} buf
 * @param {number} index where a document should begin
 * @param {boolean} [isOne] whether no other may follow it
 * @returns {string} to be added to a message; '' where the bytes look like nothing else
 */
function adviceFor(buf, index, isOne = true) {
  const advice = adviceForText(getUtf8Lossy(buf, index, Math.min(index + HEAD, buf.length)))
  if (advice !== '' || !isOne) return advice
  const size = getInt32(buf, index)
  const next = index + size
  const follows = size >= MIN_DOCUMENT_SIZE && next + MIN_DOCUMENT_SIZE <= buf.length && buf[next - 1] === 0
  const another = follows ? getInt32(buf, next) : 0
  const isDocument = another >= MIN_DOCUMENT_SIZE && another <= buf.length - next
  return isDocument ? ' (another document follows: documents(bytes) reads all of them)' : ''
}

/** Bytes of text that show what it is. */
const HEAD = 100

module.exports = { adviceFor }
