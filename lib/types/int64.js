'use strict'

// What Long does to strings and bigints.

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * The second argument of Long.fromString may be either.
 *
 * @param {boolean | number} unsignedOrRadix
 * @param {any} radix
 * @returns {{unsigned: boolean, base: number}}
 */
function signAndRadix(unsignedOrRadix, radix) {
  if (typeof unsignedOrRadix === 'number') return { unsigned: false, base: unsignedOrRadix }
  return { unsigned: Boolean(unsignedOrRadix), base: radix ?? 10 }
}

/**
 * Eight digits at a time: so many are exact as a number in every radix. What is not a digit ends its group, as in
 * parseInt; a group without any counts as 0.
 *
 * @param {string} str
 * @param {number} radix
 * @returns {bigint}
 */
function parseDigits(str, radix) {
  if (radix === 10 && /^[0-9]+$/.test(str)) return BigInt(str)
  let value = 0n
  for (let i = 0; i < str.length; i += 8) {
    const group = str.substring(i, i + 8)
    value = value * BigInt(radix) ** BigInt(group.length) + BigInt(parseInt(group, radix) || 0)
  }
  return value
}

/**
 * @param {{low: number, high: number}} long
 * @param {boolean} [unsigned] read so, whatever it is itself
 * @returns {bigint}
 */
function bigOf(long, unsigned = false) {
  return (BigInt(unsigned ? long.high >>> 0 : long.high) << 32n) | BigInt(long.low >>> 0)
}

module.exports = { DIGITS, signAndRadix, parseDigits, bigOf }
