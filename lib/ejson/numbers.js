'use strict'

// The one rule for integers in JSON text. Up to 2^53 a double holds them exactly; which type they get depends on who
// reads: JavaScript's number, or, where types are kept, the smallest of int32 and int64. Beyond, they are an int64 with
// all digits, and a double where they do not fit in one. So stringify and fromBSON write doubles beyond 2^53 with ".0".
//
// JSON.parse turns every number into a double. So int64s beyond 2^53 are first marked in the text: 9007199254740993
// becomes {"$numberLong":"9007199254740993"}.

const { isInt64 } = require('../types')

/** An integer with fewer digits is exact as a double. */
const LONG = 16

/** Integers only: no fraction and no exponent on either side. */
const INTEGERS = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** @param {string} text @returns {string} the text itself if there is nothing to mark or it is not JSON */
function markInt64(text) {
  return hasLongInteger(text) ? markOutsideStrings(text) : text
}

/**
 * Whether there may be an integer of `LONG` digits. Looks at every 16th character; a regular expression takes five
 * times as long.
 */
function hasLongInteger(text) {
  for (let i = LONG - 1; i < text.length; i += LONG) {
    if (isDigit(text, i) && isInLongInteger(text, i)) return true
  }
  return false
}

/** Whether the digit at `i` is in an integer of LONG digits or more. */
function isInLongInteger(text, i) {
  const last = i - LONG
  let start = i
  while (start > last && isDigit(text, start - 1)) start--
  // The digits reach the previous probe, which has dealt with them, or they are a fraction. Fractions tend to be long,
  // so their end is not searched for.
  if (start === last || text.charCodeAt(start - 1) === POINT) return false
  let end = i + 1
  while (end - start < LONG && isDigit(text, end)) end++
  return end - start === LONG && BEFORE_INTEGER.includes(text.charAt(start - 1))
}

const POINT = 0x2e

/** The characters that may precede the digits of an integer; it may also begin the text. */
const BEFORE_INTEGER = ':,[- \n\r\t'

function isDigit(text, i) {
  const code = text.charCodeAt(i)
  return code >= 0x30 && code <= 0x39
}

function markOutsideStrings(text) {
  let marked = ''
  let done = 0
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', done)) {
    const end = endOfString(text, quote) + 1
    if (end === 0) return text
    const part = text.slice(done, quote)
    marked += (part.length < LONG ? part : markIntegers(part)) + text.slice(quote, end)
    done = end
  }
  return marked + markIntegers(text.slice(done))
}

/** @param {string} text @param {number} start of its opening quote @returns {number} of its closing quote */
function endOfString(text, start) {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

const BACKSLASH = 0x5c

/** Whether an odd number of backslashes precedes `i`. */
function isEscaped(text, i) {
  let first = i
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (i - first) % 2 === 1
}

/** Marks the long integers in text without strings. */
function markIntegers(text) {
  return text.replace(INTEGERS, digits => isLongInt64(digits) ? `{"$numberLong":"${digits}"}` : digits)
}

/** An int64 has at most 19 digits and a sign. */
const MAX_INT64_LENGTH = 20

const TWO_POW_53 = 2n ** 53n

/** @param {string} digits an integer as JSON writes it @returns {boolean} whether it is an int64 beyond 2^53 */
function isLongInt64(digits) {
  if (digits.length > MAX_INT64_LENGTH) return false
  const integer = BigInt(digits)
  return isInt64(integer) && (integer > TWO_POW_53 || integer < -TWO_POW_53)
}

/** @param {string} text @param {string} marked the same with marks in it @throws {SyntaxError} about `text` */
function parseMarked(text, marked) {
  try {
    return JSON.parse(marked)
  } catch (error) {
    if (marked !== text) JSON.parse(text)
    throw error
  }
}

module.exports = { markInt64, parseMarked }
