'use strict'

// The best that JavaScript can do with each small document: straight-line code, written by hand for exactly that
// document. Keys, types and all lengths are constants; only the values are read or written. Nothing is checked. Results
// are views of a slab, like Node's own small Buffers.

const SLAB = 16384
let slab = new ArrayBuffer(SLAB)
let bytes = new Uint8Array(slab)
let view = new DataView(slab)
let next = 0

// `new` on a class over an ArrayBuffer takes 20 ns, Buffer.subarray 48 (Node 20).
class View extends Uint8Array {}
Object.setPrototypeOf(View.prototype, Buffer.prototype)

/** @returns {number} the offset of `length` free bytes */
function take(length) {
  const at = next
  next += length
  if (next <= SLAB) return at
  slab = new ArrayBuffer(SLAB)
  bytes = new Uint8Array(slab)
  view = new DataView(slab)
  next = length
  return 0
}

const getInt32 = (b, i) => b[i] | b[i + 1] << 8 | b[i + 2] << 16 | b[i + 3] << 24

const eight = new Uint8Array(8)
const double = new Float64Array(eight.buffer)

function getDouble(b, i) {
  eight[0] = b[i]
  eight[1] = b[i + 1]
  eight[2] = b[i + 2]
  eight[3] = b[i + 3]
  eight[4] = b[i + 4]
  eight[5] = b[i + 5]
  eight[6] = b[i + 6]
  eight[7] = b[i + 7]
  return double[0]
}

// 0x10 'a' 0x00 as the low bytes of a word: the value's first byte overwrites the fourth.
const INT_A = 0x006110
const element = (type, name) => type | name.charCodeAt(0) << 8

const int = {
  encode({ a }) {
    const at = take(12)
    const v = view
    v.setInt32(at, 12, true)
    v.setInt32(at + 4, INT_A, true)
    v.setInt32(at + 7, a, true)
    bytes[at + 11] = 0
    return new View(slab, at, 12)
  },
  decode: b => ({ a: getInt32(b, 7) })
}

const float = {
  encode({ a }) {
    const at = take(16)
    const v = view
    v.setInt32(at, 16, true)
    v.setInt32(at + 4, element(1, 'a'), true)
    v.setFloat64(at + 7, a, true)
    bytes[at + 15] = 0
    return new View(slab, at, 16)
  },
  decode: b => ({ a: getDouble(b, 7) })
}

const array = {
  encode({ a }) {
    const at = take(48)
    const v = view
    v.setInt32(at, 48, true)
    v.setInt32(at + 4, element(4, 'a'), true)
    v.setInt32(at + 7, 40, true)
    v.setInt32(at + 11, element(16, '0'), true)
    v.setInt32(at + 14, a[0], true)
    v.setInt32(at + 18, element(16, '1'), true)
    v.setInt32(at + 21, a[1], true)
    v.setInt32(at + 25, element(16, '2'), true)
    v.setInt32(at + 28, a[2], true)
    v.setInt32(at + 32, element(16, '3'), true)
    v.setInt32(at + 35, a[3], true)
    v.setInt32(at + 39, element(16, '4'), true)
    v.setInt32(at + 42, a[4], true)
    v.setInt16(at + 46, 0, true)
    return new View(slab, at, 48)
  },
  decode: b => ({ a: [getInt32(b, 14), getInt32(b, 21), getInt32(b, 28), getInt32(b, 35), getInt32(b, 42)] })
}

const object = {
  encode({ a }) {
    const at = take(48)
    const v = view
    v.setInt32(at, 48, true)
    v.setInt32(at + 4, element(3, 'a'), true)
    v.setInt32(at + 7, 40, true)
    v.setInt32(at + 11, element(16, 'a'), true)
    v.setInt32(at + 14, a.a, true)
    v.setInt32(at + 18, element(16, 'b'), true)
    v.setInt32(at + 21, a.b, true)
    v.setInt32(at + 25, element(16, 'c'), true)
    v.setInt32(at + 28, a.c, true)
    v.setInt32(at + 32, element(16, 'd'), true)
    v.setInt32(at + 35, a.d, true)
    v.setInt32(at + 39, element(16, 'e'), true)
    v.setInt32(at + 42, a.e, true)
    v.setInt16(at + 46, 0, true)
    return new View(slab, at, 48)
  },
  decode: b => ({
    a: { a: getInt32(b, 14), b: getInt32(b, 21), c: getInt32(b, 28), d: getInt32(b, 35), e: getInt32(b, 42) }
  })
}

// int32 length | 4 '0' 0 … : five nested arrays; each except the last holds an int32 and an array
const nestedArrays = {
  encode({ a }) {
    const at = take(80)
    const v = view
    const a1 = a[1]
    const a2 = a1[1]
    const a3 = a2[1]
    v.setInt32(at, 80, true)
    v.setInt32(at + 4, element(4, 'a'), true)
    v.setInt32(at + 7, 72, true)
    v.setInt32(at + 11, element(16, '0'), true)
    v.setInt32(at + 14, a[0], true)
    v.setInt32(at + 18, element(4, '1'), true)
    v.setInt32(at + 21, 57, true)
    v.setInt32(at + 25, element(16, '0'), true)
    v.setInt32(at + 28, a1[0], true)
    v.setInt32(at + 32, element(4, '1'), true)
    v.setInt32(at + 35, 42, true)
    v.setInt32(at + 39, element(16, '0'), true)
    v.setInt32(at + 42, a2[0], true)
    v.setInt32(at + 46, element(4, '1'), true)
    v.setInt32(at + 49, 27, true)
    v.setInt32(at + 53, element(16, '0'), true)
    v.setInt32(at + 56, a3[0], true)
    v.setInt32(at + 60, element(4, '1'), true)
    v.setInt32(at + 63, 12, true)
    v.setInt32(at + 67, element(16, '0'), true)
    v.setInt32(at + 70, a3[1][0], true)
    v.setInt32(at + 74, 0, true)
    v.setInt16(at + 78, 0, true)
    return new View(slab, at, 80)
  },
  decode: b => ({
    a: [getInt32(b, 14), [getInt32(b, 28), [getInt32(b, 42), [getInt32(b, 56), [getInt32(b, 70)]]]]]
  })
}

const nestedObjects = {
  encode({ a }) {
    const at = take(52)
    const v = view
    v.setInt32(at, 52, true)
    v.setInt32(at + 4, element(3, 'a'), true)
    v.setInt32(at + 7, 44, true)
    v.setInt32(at + 11, element(3, 'a'), true)
    v.setInt32(at + 14, 36, true)
    v.setInt32(at + 18, element(3, 'b'), true)
    v.setInt32(at + 21, 28, true)
    v.setInt32(at + 25, element(3, 'c'), true)
    v.setInt32(at + 28, 20, true)
    v.setInt32(at + 32, element(3, 'd'), true)
    v.setInt32(at + 35, 12, true)
    v.setInt32(at + 39, element(16, 'e'), true)
    v.setInt32(at + 42, a.a.b.c.d.e, true)
    v.setInt32(at + 46, 0, true)
    v.setInt16(at + 50, 0, true)
    return new View(slab, at, 52)
  },
  decode: b => ({ a: { a: { b: { c: { d: { e: getInt32(b, 42) } } } } } })
}

// "ABC" is three ASCII characters; "DEFGHI\xff" is six and a character of two bytes
const mixed = {
  encode({ a }) {
    const at = take(61)
    const v = view
    const u = bytes
    const s = a.a
    const t = a.c
    const last = t.charCodeAt(6)
    v.setInt32(at, 61, true)
    v.setInt32(at + 4, element(3, 'a'), true)
    v.setInt32(at + 7, 53, true)
    v.setInt32(at + 11, element(2, 'a'), true)
    v.setInt32(at + 14, 4, true)
    u[at + 18] = s.charCodeAt(0)
    u[at + 19] = s.charCodeAt(1)
    u[at + 20] = s.charCodeAt(2)
    v.setInt32(at + 21, element(16, 'b') << 8, true)
    v.setInt32(at + 25, a.b, true)
    v.setInt32(at + 29, element(2, 'c'), true)
    v.setInt32(at + 32, 9, true)
    u[at + 36] = t.charCodeAt(0)
    u[at + 37] = t.charCodeAt(1)
    u[at + 38] = t.charCodeAt(2)
    u[at + 39] = t.charCodeAt(3)
    u[at + 40] = t.charCodeAt(4)
    u[at + 41] = t.charCodeAt(5)
    u[at + 42] = 0xc0 | last >> 6
    u[at + 43] = 0x80 | last & 0x3f
    v.setInt32(at + 44, element(1, 'd') << 8, true)
    v.setFloat64(at + 48, a.d, true)
    v.setInt32(at + 56, element(10, 'e'), true)
    u[at + 60] = 0
    return new View(slab, at, 61)
  },
  decode: b => ({
    a: {
      a: String.fromCharCode(b[18], b[19], b[20]),
      b: getInt32(b, 25),
      c: String.fromCharCode(b[36], b[37], b[38], b[39], b[40], b[41], (b[42] & 0x1f) << 6 | b[43] & 0x3f),
      d: getDouble(b, 48),
      e: null
    }
  })
}

/** In the order of the small documents. */
const limits = [int, float, array, object, nestedArrays, nestedObjects, mixed]

module.exports = { limits }
