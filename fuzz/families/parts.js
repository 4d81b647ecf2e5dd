'use strict'

// BSON bytes put together by hand, to make documents that no encoder writes.

/** @param {number} value @returns {Buffer} */
function int32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

/** int32 length | elements | 0x00 @param {Uint8Array} elements */
function frame(elements) {
  return Buffer.concat([int32(elements.length + 5), elements, Buffer.from([0])])
}

/** type | name | 0x00 | value */
function element(type, name, value = Buffer.alloc(0)) {
  return Buffer.concat([Buffer.from([type]), Buffer.from(name), Buffer.from([0]), value])
}

/** int32 length | text | 0x00 */
function string(text) {
  const bytes = Buffer.from(text)
  return Buffer.concat([int32(bytes.length + 1), bytes, Buffer.from([0])])
}

/** A document of `n` elements. @param {number} n @param {(i: number) => Buffer} make */
function many(n, make) {
  return frame(Buffer.concat(Array.from({ length: Math.ceil(n) }, (_, i) => make(i))))
}

/** `levels` nested documents or arrays; each except the innermost has `after` behind the nested one. */
function nested(levels, name, { type = 3, after = Buffer.alloc(0), innermost = frame(Buffer.alloc(0)) } = {}) {
  const heads = []
  let length = innermost.length
  const head = Buffer.concat([Buffer.from([type]), Buffer.from(name), Buffer.from([0])])
  for (let i = 0; i < levels; i++) {
    length += 4 + head.length + after.length + 1
    heads.push(Buffer.concat([int32(length), head]))
  }
  const tail = Buffer.concat([after, Buffer.from([0])])
  return Buffer.concat([...heads.reverse(), innermost, ...Array(levels).fill(tail)])
}

module.exports = { int32, frame, element, string, many, nested }
