'use strict'

// Compact JSON text -> the same over many lines, exactly as JSON.stringify's `space` lays it out. Working on the text
// keeps what JavaScript's numbers could not: int64 digits and -0.0.

const { flat, explain } = require('./text-output')

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** A level's margin as JSON.stringify reads it: up to 10 spaces, or 10 units of a string. @param {unknown} space */
function gapOf(space) {
  if (typeof space === 'number') return ' '.repeat(Math.max(0, Math.min(10, Math.trunc(space) || 0)))
  return typeof space === 'string' ? space.slice(0, 10) : ''
}

/**
 * @param {string} text JSON without white space
 * @param {string} gap
 * @returns {string}
 * @throws {import('../errors').BSONError} when it exceeds the maximum string length: deep documents have wide margins
 */
function indent(text, gap) {
  try {
    return layOut(text, gap)
  } catch (error) {
    throw explain(error)
  }
}

function layOut(text, gap) {
  let out = ''
  let margin = '\n'
  let done = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i)
        break
      case 0x7b: // {
      case 0x5b: // [
        if (isClosing(text.charCodeAt(i + 1))) {
          i++
          break
        }
        margin += gap
        out += text.slice(done, i + 1) + margin
        done = i + 1
        break
      case 0x7d: // }
      case 0x5d: // ]
        margin = margin.slice(0, margin.length - gap.length)
        out += text.slice(done, i) + margin
        done = i
        break
      case 0x2c: // ,
        out += text.slice(done, i + 1) + margin
        done = i + 1
        break
      case 0x3a: // :
        out += text.slice(done, i + 1) + ' '
        done = i + 1
    }
  }
  return flat(out + text.slice(done))
}

function isClosing(code) {
  return code === 0x7d || code === 0x5d
}

/** @param {string} text @param {number} start of its opening quote @returns {number} of its closing quote */
function endOfString(text, start) {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Whether an odd number of backslashes stands before `i`. */
function isEscaped(text, i) {
  let first = i
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (i - first) % 2 === 1
}

module.exports = { gapOf, indent, endOfString }
