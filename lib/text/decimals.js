'use strict'

// Decimal128 -> digits, in ASCII: those of `toString()`. Prices and the like, with a coefficient of up to 53 bits and a
// few digits after the point, are written without a BigInt and a string: 15 ns instead of 400.

const { POWERS_OF_TEN } = require('../bytes')
const { getDecimal128 } = require('../decode')
const { putAscii } = require('./digits')
const { putInteger } = require('./doubles')
const { MINUS, POINT, ZERO } = require('./ascii')

const TWO_POW_32 = 4294967296
const BIAS = 6176
/** The most digits after the point: beyond, the specification wants an exponent for small values. */
const MOST_PLACES = 6

/**
 * Writes the decimal at `p`: 113 bits of coefficient, 14 of exponent, a sign; little-endian.
 *
 * @param {Uint8Array} buf
 * @param {DataView} from of the same bytes
 * @param {number} p
 * @param {DataView} view with room for 64 bytes
 * @param {number} pos
 */
function putDecimalAt(buf, from, p, view, pos) {
  const top = from.getUint32(p + 12, true)
  const high = from.getUint32(p + 4, true)
  const places = BIAS - ((top >>> 17) & 0x3fff)
  const isShort = (top & 0x1ffff) === 0 && from.getInt32(p + 8, true) === 0 && high < 0x200000
  if (!(isShort && places >= 0 && places <= MOST_PLACES)) return putAscii(getDecimal128(buf, p).toString(), view, pos)
  view.setUint8(pos, MINUS)
  pos += top >>> 31
  const value = high * TWO_POW_32 + from.getUint32(p, true)
  return places === 0 ? putInteger(value, view, pos) : putPlaces(value, places, view, pos)
}

/** @param {number} value to divide by 10^`places` */
function putPlaces(value, places, view, pos) {
  const power = POWERS_OF_TEN[places]
  const whole = Math.floor(value / power)
  let rest = value - whole * power
  pos = putInteger(whole, view, pos)
  view.setUint8(pos, POINT)
  for (let i = pos + places; i > pos; i--) {
    const next = (rest / 10) | 0
    view.setUint8(i, ZERO + rest - 10 * next)
    rest = next
  }
  return pos + places + 1
}

module.exports = { putDecimalAt }
