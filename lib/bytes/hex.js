'use strict'

// Hexadecimal digits, of any case when they are read.

const { BSONError, shownValue } = require('../errors')
const { allocate } = require('./memory')

const DIGITS = '0123456789abcdef'

/** The character codes of the digits. */
const DIGIT = Uint8Array.from(DIGITS, digit => digit.charCodeAt(0))

/** The value of a digit by its character code below 256, or -1. */
const NIBBLE = Int8Array.from({ length: 256 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code).toLowerCase()))

/** Reads two digits. @param {string} hex @param {number} at @returns {number} a byte; negative for other characters */
function hexByte(hex, at) {
  const high = hex.charCodeAt(at)
  const low = hex.charCodeAt(at + 1)
  return (high | low) < 256 ? (NIBBLE[high] << 4) | NIBBLE[low] : -1
}

/** Reads six digits. @param {string} hex @param {number} at @returns {number} 24 bits; negative for other characters */
function hexInt24(hex, at) {
  return (hexByte(hex, at) << 16) | (hexByte(hex, at + 2) << 8) | hexByte(hex, at + 4)
}

/** The two digits of each byte. @type {string[]} */
let hexBytes

/** @param {Uint8Array} buf @returns {string} lower case */
function toHex(buf) {
  const digits = (hexBytes ??= Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')))
  let hex = ''
  for (let i = 0; i < buf.length; i++) hex += digits[buf[i]]
  return hex
}

/** @param {string} hex @returns {Uint8Array} @throws {BSONError} when it does not consist of pairs of digits */
function fromHex(hex) {
  const isPairs = typeof hex === 'string' && hex.length % 2 === 0
  const bytes = allocate(isPairs ? hex.length >> 1 : 0)
  let bits = isPairs ? 0 : -1
  for (let i = 0; i < bytes.length; i++) bits |= bytes[i] = hexByte(hex, 2 * i)
  if (bits >= 0) return bytes
  throw new BSONError(`not a hex string: ${shownValue(hex)}`)
}

module.exports = { DIGIT, NIBBLE, hexByte, hexInt24, toHex, fromHex }
