'use strict'

// Conversions of Long from and to strings and bigints.

const { BSONError, shownValue } = require('../errors')

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** The second argument of Long.fromString may be either of the two. @returns {{unsigned: boolean, base: number}} */
function signAndRadix(unsignedOrRadix, radix) {
  if (typeof unsignedOrRadix === 'number') return { unsigned: false, base: unsignedOrRadix }
  return { unsigned: Boolean(unsignedOrRadix), base: radix ?? 10 }
}

/**
 * The lowest 64 bits of a number. Parses eight digits at a time, which are exact as a number in every radix. A
 * character that is not a digit ends its group, as in parseInt. A group without digits counts as 0.
 */
function parseDigits(str, radix) {
  if (radix === 10 && str.length <= 20 && /^[0-9]+$/.test(str)) return BigInt(str)
  let value = 0n
  for (let i = 0; i < str.length; i += 8) {
    const group = str.substring(i, i + 8)
    value = BigInt.asUintN(64, value * BigInt(radix ** group.length) + BigInt(parseInt(group, radix) || 0))
  }
  return value
}

/** @param {boolean} [unsigned] whether to read it as unsigned, regardless of its own signedness */
function bigOf(long, unsigned = false) {
  return (BigInt(unsigned ? long.high >>> 0 : long.high) << 32n) | BigInt(long.low >>> 0)
}

/** @param {bigint} value @returns {boolean} */
function isInt64(value) {
  return BigInt.asIntN(64, value) === value
}

/** @param {bigint} value @returns {bigint} the same value @throws {BSONError} when it is not an int64 */
function checkInt64(value) {
  if (isInt64(value)) return value
  throw new BSONError(`bigint ${shownValue(value)} is outside the range of an int64`)
}

module.exports = { DIGITS, signAndRadix, parseDigits, bigOf, isInt64, checkInt64 }
