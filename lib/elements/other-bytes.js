'use strict'

// What bytes look like that are not one document. Used only after an error.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32, getUtf8Lossy } = require('../bytes')

const ADVICE = {
  gzip: 'this looks like gzip: decompress it first',
  zstd: 'this looks like zstd: decompress it first',
  json: 'this looks like JSON: EJSON.toBSON or EJSON.parse reads the text',
  several: 'another document follows: documents(bytes) reads all of them'
}

/**
 * @param {Uint8Array} buf
 * @param {number} index where a document should begin
 * @param {boolean} [isOne] whether no other may follow it
 * @returns {string} to be added to a message; '' where the bytes look like nothing else
 */
function adviceFor(buf, index, isOne = true) {
  const kind = kindOf(buf, index)
  return kind === undefined || (kind === 'several' && !isOne) ? '' : ` (${ADVICE[kind]})`
}

/** An object or an array in text, as its first bytes show it: of a document, the fourth is 0 below 16 MB. */
const JSON_BEGINS = /^\s*[[{]\s*["[{}\]]/
const HEAD = 100

/** @returns {keyof typeof ADVICE | undefined} */
function kindOf(buf, index) {
  const word = getInt32(buf, index)
  if ((word & 0xffff) === 0x8b1f) return 'gzip'
  if (word === (0xfd2fb528 | 0)) return 'zstd'
  if (JSON_BEGINS.test(getUtf8Lossy(buf, index, Math.min(index + HEAD, buf.length)))) return 'json'
  const next = index + word
  const follows = word >= MIN_DOCUMENT_SIZE && next + MIN_DOCUMENT_SIZE <= buf.length && buf[next - 1] === 0
  const size = follows ? getInt32(buf, next) : 0
  return size >= MIN_DOCUMENT_SIZE && size <= buf.length - next ? 'several' : undefined
}

module.exports = { adviceFor }
