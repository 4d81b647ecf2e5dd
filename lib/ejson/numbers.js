'use strict'

// JSON.parse turns every number into a double, and puts keys that are integers first. What would be lost is marked in
// the text beforehand: integers that no double holds, but an int64 does, 9007199254740993 becomes
// {"$numberLong":"9007199254740993"}; and where the order counts, the key "1" becomes "\u00011".

const { isInt64 } = require('../types/int64')

/** Integers of fewer digits are exact. */
const LONG = 16

/** An int64 has at most 19 digits and a sign. */
const MAX_INT64_LENGTH = 20

/** Integers only: no fraction and no exponent on either side. */
const INTEGERS = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** @param {string} text @returns {string} the text itself when there is nothing to mark, or it is no JSON */
function markInt64(text) {
  return hasLongInteger(text) ? outsideStrings(text, LONG, markIntegers) : text
}

/**
 * Whether there may be an integer of so many digits. One of every 16 characters is looked at; a regular expression
 * takes five times as long.
 */
function hasLongInteger(text) {
  for (let i = LONG - 1; i < text.length; i += LONG) {
    if (isDigit(text, i) && isInLongInteger(text, i)) return true
  }
  return false
}

/** @param {string} text @param {number} i where a digit is */
function isInLongInteger(text, i) {
  const last = i - LONG
  let start = i
  while (start > last && isDigit(text, start - 1)) start--
  // The digits go on to where was looked before. Fractions are long as a rule: the end of theirs need not be found.
  if (start === last || text.charCodeAt(start - 1) === POINT) return false
  let end = i + 1
  while (end - start < LONG && isDigit(text, end)) end++
  return end - start === LONG && BEFORE_INTEGER.includes(text.charAt(start - 1))
}

const POINT = 0x2e

/** What the digits of an integer stand behind; or nothing at all. */
const BEFORE_INTEGER = ':,[- \n\r\t'

function isDigit(text, i) {
  const code = text.charCodeAt(i)
  return code >= 0x30 && code <= 0x39
}

/** A number that an integer could be taken for. It begins where no other does: each digit is looked at once. */
const ROUND_DOUBLES = /(?<![\d.])-?\d+(?:\.0*(?![\d])(?:[eE][+-]?\d+)?|(?:\.\d*)?[eE][+-]?\d+)/g

/** A sign that there may be one. */
const MAY_BE_ROUND = /\d(\.0|[eE])/

/** Numbers with a fraction or an exponent are doubles: 1.0 becomes {"$numberDouble":"1.0"}. @param {string} text */
function markDoubles(text) {
  if (!MAY_BE_ROUND.test(text)) return text
  return outsideStrings(text, 3, part => part.replace(ROUND_DOUBLES, digits => `{"$numberDouble":"${digits}"}`))
}

/**
 * @param {string} text JSON
 * @param {number} shortest how many characters there must be for anything to be marked
 * @param {(part: string) => string} mark what becomes of the text between strings
 */
function outsideStrings(text, shortest, mark) {
  let marked = ''
  let done = 0
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', done)) {
    const end = endOfString(text, quote) + 1
    if (end === 0) return text
    const part = text.slice(done, quote)
    marked += (part.length < shortest ? part : mark(part)) + text.slice(quote, end)
    done = end
  }
  return marked + mark(text.slice(done))
}

/** @param {string} text @param {number} start of its opening quote @returns {number} of its closing quote */
function endOfString(text, start) {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

const BACKSLASH = 0x5c

/** Whether an odd number of backslashes stands before `i`. */
function isEscaped(text, i) {
  let first = i
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (i - first) % 2 === 1
}

/** @param {string} text without strings */
function markIntegers(text) {
  return text.replace(INTEGERS, digits => {
    if (digits.length > MAX_INT64_LENGTH) return digits
    const integer = BigInt(digits)
    const isExact = BigInt(Number(digits)) === integer
    return isExact || !isInt64(integer) ? digits : `{"$numberLong":"${digits}"}`
  })
}

/** Keys that are integers: a quote that no backslash stands before is the begin or the end of a string. */
const INDEX_KEYS = /(?<!\\)"(\d{1,10})"(?=\s*:)/g

/** Characters that stand in JSON in this form only. */
const MARKS = ['\\u0001', '\\u0002', '\\u0003', '\\u0004', '\\u0005', '\\u0006', '\\u0007']

/**
 * @param {string} text
 * @returns {{text: string, mark: string}} `mark` is what such keys begin with now; nothing when there are none
 */
function markIndexKeys(text) {
  const isNeeded = text.search(INDEX_KEYS) !== -1
  const escape = isNeeded ? MARKS.find(mark => !text.includes(mark)) : undefined
  if (escape === undefined) return { text, mark: '' }
  return { text: text.replace(INDEX_KEYS, `"${escape}$1"`), mark: JSON.parse(`"${escape}"`) }
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

module.exports = { markInt64, markDoubles, markIndexKeys, parseMarked }
