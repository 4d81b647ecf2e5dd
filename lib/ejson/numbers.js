'use strict'

// JSON.parse turns every number into a double. What would be lost is marked in the text beforehand: integers that no
// double holds, but an int64 does, 9007199254740993 becomes {"$numberLong":"9007199254740993"}.

const { endOfString } = require('./indent')

/** Integers of fewer digits are exact. */
const LONG = 16

/** Integers only: no fraction and no exponent on either side. */
const INTEGERS = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/**
 * @param {string} text JSON that JSON.parse accepts
 * @returns {string} the text itself when there is nothing to mark
 */
function markInt64(text) {
  return hasLongDigits(text) ? outsideStrings(text, markIntegers) : text
}

/**
 * Whether so many digits follow each other. One of every 16 characters is looked at; a regular expression takes five
 * times as long.
 */
function hasLongDigits(text) {
  for (let i = LONG - 1; i < text.length; i += LONG) {
    if (!isDigit(text, i)) continue
    let start = i
    while (isDigit(text, start - 1)) start--
    while (isDigit(text, i + 1)) i++
    if (i + 1 - start >= LONG) return true
  }
  return false
}

function isDigit(text, i) {
  const code = text.charCodeAt(i)
  return code >= 0x30 && code <= 0x39
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

/** What is marked has at least so many characters, and another before it. */
const SHORTEST = 4

/** @param {string} text JSON @param {(part: string) => string} mark what becomes of the text between strings */
function outsideStrings(text, mark) {
  let marked = ''
  let done = 0
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', done)) {
    const end = endOfString(text, quote) + 1
    const part = text.slice(done, quote)
    marked += (part.length < SHORTEST ? part : mark(part)) + text.slice(quote, end)
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
