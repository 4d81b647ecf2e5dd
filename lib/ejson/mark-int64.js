'use strict'

// JSON.parse turns every number into a double. Integers that no double holds, but an int64 does, are marked in the text
// beforehand: 9007199254740993 becomes {"$numberLong":"9007199254740993"}.

const { endOfString } = require('./indent')

/** Shorter ones are exact. The test skips 16 characters at a time. */
const LONG_DIGITS = /\d{16}/

/** Integers only: no fraction and no exponent on either side. */
const INTEGERS = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/**
 * @param {string} text JSON that JSON.parse accepts
 * @returns {string} the text itself when there is nothing to mark
 */
function markInt64(text) {
  if (!LONG_DIGITS.test(text)) return text
  let marked = ''
  let done = 0
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', done)) {
    const end = endOfString(text, quote) + 1
    marked += markIntegers(text.slice(done, quote)) + text.slice(quote, end)
    done = end
  }
  return marked + markIntegers(text.slice(done))
}

/** @param {string} text without strings */
function markIntegers(text) {
  return text.replace(INTEGERS, digits => {
    const integer = BigInt(digits)
    const isExact = BigInt(Number(digits)) === integer
    return isExact || BigInt.asIntN(64, integer) !== integer ? digits : `{"$numberLong":"${digits}"}`
  })
}

module.exports = { markInt64 }
