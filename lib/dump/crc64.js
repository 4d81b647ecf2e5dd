'use strict'

// CRC-64 with the polynomial of ECMA-182, reflected, as computed by Go's hash/crc64: the checksum of each collection in
// an archive. A step takes eight bytes, in halves of 32 bits: 700 MB/s, against 120 MB/s with a byte a step.

/** The polynomial with its bits reversed. */
const POLYNOMIAL_HIGH = 0xc96c5795
const POLYNOMIAL_LOW = 0xd7870f42

/** Bytes in a step. */
const STEP = 8

/** Entry `b` of the table for the byte `i` places before the last of a step is at `256 * i + b`. */
const TABLES = makeTables()
const HIGH = TABLES.high
const LOW = TABLES.low

function makeTables() {
  const high = new Int32Array(256 * STEP)
  const low = new Int32Array(256 * STEP)
  for (let byte = 0; byte < 256; byte++) {
    let h = 0
    let l = byte
    for (let bit = 0; bit < 8; bit++) {
      const carry = l & 1
      l = (l >>> 1) | (h << 31)
      h >>>= 1
      if (carry === 1) {
        h ^= POLYNOMIAL_HIGH
        l ^= POLYNOMIAL_LOW
      }
    }
    high[byte] = h
    low[byte] = l
  }
  for (let i = 256; i < 256 * STEP; i++) {
    const h = high[i - 256]
    const l = low[i - 256]
    low[i] = ((l >>> 8) | (h << 24)) ^ low[l & 0xff]
    high[i] = (h >>> 8) ^ high[l & 0xff]
  }
  return { high, low }
}

class Crc64 {
  constructor() {
    this.high = ~0
    this.low = ~0
  }

  /** @param {Uint8Array} bytes the next ones */
  update(bytes) {
    let { high, low } = this
    const end = bytes.length
    let i = 0
    for (; i + STEP <= end; i += STEP) {
      const l = low ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24))
      const h = high ^ (bytes[i + 4] | (bytes[i + 5] << 8) | (bytes[i + 6] << 16) | (bytes[i + 7] << 24))
      const a = 1792 + (l & 0xff)
      const b = 1536 + ((l >>> 8) & 0xff)
      const c = 1280 + ((l >>> 16) & 0xff)
      const d = 1024 + (l >>> 24)
      const e = 768 + (h & 0xff)
      const f = 512 + ((h >>> 8) & 0xff)
      const g = 256 + ((h >>> 16) & 0xff)
      const z = h >>> 24
      high = HIGH[a] ^ HIGH[b] ^ HIGH[c] ^ HIGH[d] ^ HIGH[e] ^ HIGH[f] ^ HIGH[g] ^ HIGH[z]
      low = LOW[a] ^ LOW[b] ^ LOW[c] ^ LOW[d] ^ LOW[e] ^ LOW[f] ^ LOW[g] ^ LOW[z]
    }
    for (; i < end; i++) {
      const index = (low ^ bytes[i]) & 0xff
      low = ((low >>> 8) | (high << 24)) ^ LOW[index]
      high = (high >>> 8) ^ HIGH[index]
    }
    this.high = high
    this.low = low
  }

  /** @returns {bigint} of all bytes so far, as a signed int64 */
  get value() {
    return (BigInt(~this.high) << 32n) | BigInt(~this.low >>> 0)
  }
}

module.exports = { Crc64 }
