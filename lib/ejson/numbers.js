'use strict'

// JSON.parse turns every number into a double. What would be lost is marked in the text beforehand: integers that no
// double holds, but an int64 does, 9007199254740993 becomes {"$numberLong":"9007199254740993"}.

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
  return LONG_DIGITS.test(text) ? outsideStrings(text, markIntegers) : text
}

/** A number that an integer could be taken for. */
const ROUND_DOUBLES = /-?\d+(?:\.0*(?![\d])(?:[eE][+-]?\d+)?|(?:\.\d*)?[eE][+-]?\d+)/g

/** A sign that there may be one. */
const MAY_BE_ROUND = /\d(\.0|[eE])/

/**
 * Numbers written with a fraction or an exponent are doubles: 1.0 becomes {"$numberDouble":"1.0"}.
 *
 * @param {string} text JSON that JSON.parse accepts
 * @returns {string} the text itself when there is nothing to mark
 */
function markDoubles(text) {
  if (!MAY_BE_ROUND.test(text)) return text
  return outsideStrings(text, part => part.replace(ROUND_DOUBLES, digits => `{"$numberDouble":"${digits}"}`))
}

/** @param {string} text JSON @param {(part: string) => string} mark what becomes of the text between strings */
function outsideStrings(text, mark) {
  let marked = ''
  let done = 0
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', done)) {
    const end = endOfString(text, quote) + 1
    marked += mark(text.slice(done, quote)) + text.slice(quote, end)
    done = end
  }
  return marked + mark(text.slice(done))
}

/** @param {string} text without strings */
function markIntegers(text) {
  return text.replace(INTEGERS, digits => {
    const integer = BigInt(digits)
    const isExact = BigInt(Number(digits)) === integer
    return isExact || BigInt.asIntN(64, integer) !== integer ? digits : `{"$numberLong":"${digits}"}`
  })
}

module.exports = { markInt64, markDoubles }
