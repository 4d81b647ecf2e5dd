'use strict'

// HMAC-SHA-256 of short values: 1 us against 2 us with node:crypto, which spends its time creating the object.

/** Bytes of a block, and of a hash. */
const BLOCK = 64
const SIZE = 32

/**
 * The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8, 32 bits each.
 */
const K = new Int32Array(64)
const START = new Int32Array(8)

/** Fills both tables. */
function fillTables() {
  for (let n = 2, found = 0; found < 64; n++) {
    if (!isPrime(n)) continue
    if (found < 8) START[found] = fraction(Math.sqrt(n))
    K[found++] = fraction(Math.cbrt(n))
  }
}

/** A double is precise enough: the whole part takes 5 of its 53 bits. */
function fraction(number) {
  return ((number - Math.floor(number)) * 4294967296) | 0
}

function isPrime(n) {
  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false
  return true
}

/** The block to hash as 16 words, and the words made from them. */
const W = new Int32Array(64)

/** Hashes the block in `W`. @param {Int32Array} state @param {Int32Array} next the state after it; may be the same */
function compress(state, next) {
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15]
    const y = W[i - 2]
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    W[i] = (((W[i - 16] + s0) | 0) + ((W[i - 7] + s1) | 0)) | 0
  }
  let a = state[0]
  let b = state[1]
  let c = state[2]
  let d = state[3]
  let e = state[4]
  let f = state[5]
  let g = state[6]
  let h = state[7]
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t1 = (((((h + s1) | 0) + (g ^ (e & (f ^ g)))) | 0) + ((K[i] + W[i]) | 0)) | 0
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  next[0] = state[0] + a
  next[1] = state[1] + b
  next[2] = state[2] + c
  next[3] = state[3] + d
  next[4] = state[4] + e
  next[5] = state[5] + f
  next[6] = state[6] + g
  next[7] = state[7] + h
}

/** Puts a block into `W`. @param {Uint8Array} buf @param {number} start of 64 bytes */
function load(buf, start) {
  for (let i = 0; i < 16; i++) {
    const at = start + 4 * i
    W[i] = (buf[at] << 24) | (buf[at + 1] << 16) | (buf[at + 2] << 8) | buf[at + 3]
  }
}

/**
 * Puts the last bytes into `W`, with the padding after them.
 *
 * @param {number} start
 * @param {number} end less than 64 bytes after it
 */
function loadRest(buf, start, end) {
  let i = 0
  for (; start + 4 <= end; start += 4) {
    W[i++] = (buf[start] << 24) | (buf[start + 1] << 16) | (buf[start + 2] << 8) | buf[start + 3]
  }
  let last = 0
  let shift = 24
  for (; start < end; start++, shift -= 8) last |= buf[start] << shift
  W[i++] = last | (0x80 << shift)
  clear(i)
}

/** @param {number} from the first word of `W` that becomes 0 */
function clear(from) {
  for (let i = from; i < 16; i++) W[i] = 0
}

/** Ends the block in `W` with the number of all bytes. */
function putTotal(total) {
  W[14] = Math.floor(total / 0x20000000)
  W[15] = total * 8
}

class Hmac {
  /** @param {Uint8Array} key */
  constructor(key) {
    if (K[0] === 0) fillTables()
    const short = new Uint8Array(BLOCK)
    short.set(key.length > BLOCK ? require('node:crypto').createHash('sha256').update(key).digest() : key)
    /** The states after the key's block. */
    this.inner = stateAfter(short.map(byte => byte ^ 0x36))
    this.outer = stateAfter(short.map(byte => byte ^ 0x5c))
    this.state = new Int32Array(8)
    this.hash = new Uint8Array(SIZE)
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} [from]
   * @param {number} [to]
   * @returns {Uint8Array} 32 bytes, which the next call overwrites
   */
  of(bytes, from = 0, to = bytes.length) {
    const { state, outer, hash } = this
    let before = this.inner
    let start = from
    for (; start + BLOCK <= to; start += BLOCK) {
      load(bytes, start)
      compress(before, state)
      before = state
    }
    loadRest(bytes, start, to)
    if (to - start >= BLOCK - 8) { // no room for the total
      compress(before, state)
      before = state
      clear(0)
    }
    putTotal(BLOCK + to - from)
    compress(before, state)
    for (let i = 0; i < 8; i++) W[i] = state[i]
    W[8] = 0x80 << 24
    clear(9)
    putTotal(BLOCK + SIZE)
    compress(outer, state)
    for (let i = 0; i < SIZE; i++) hash[i] = state[i >> 2] >>> (24 - 8 * (i & 3))
    return hash
  }
}

/** @param {Uint8Array} block */
function stateAfter(block) {
  const state = new Int32Array(8)
  load(block, 0)
  compress(START, state)
  return state
}

module.exports = { Hmac }
