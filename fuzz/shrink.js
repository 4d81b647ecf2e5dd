'use strict'

/** The most tries, and the longest time in milliseconds. */
const TRIES = 3000
const LONGEST = 60_000

/**
 * Finds a smallest input that still fails, by repeatedly taking the first smaller one that fails.
 *
 * @template I
 * @param {I} input that fails
 * @param {(input: I) => Iterable<I>} smaller the smallest first
 * @param {(input: I) => boolean | Promise<boolean>} fails
 * @returns {Promise<I>}
 */
async function shrink(input, smaller, fails) {
  const end = Date.now() + LONGEST
  let tries = 0
  for (;;) {
    let next
    for (const candidate of smaller(input)) {
      if (++tries > TRIES || Date.now() > end) return input
      if (!await fails(candidate)) continue
      next = candidate
      break
    }
    if (next === undefined) return input
    input = next
  }
}

/**
 * Bytes with a piece cut out, beginning with half of them, with and without correcting the int32 in front; then with
 * single bytes set to zero.
 *
 * @param {Buffer} bytes
 * @returns {Generator<Buffer>}
 */
function* smallerBytes(bytes) {
  for (let size = bytes.length >> 1; size >= 1; size >>= 1) {
    for (let start = 0; start + size <= bytes.length; start += size) {
      const cut = Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + size)])
      if (start >= 4 && cut.length >= 5) yield framed(cut)
      yield cut
    }
  }
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0) continue
    const zeroed = Buffer.from(bytes)
    zeroed[i] = 0
    yield zeroed
  }
}

function framed(bytes) {
  const copy = Buffer.from(bytes)
  copy.writeInt32LE(copy.length)
  return copy
}

/** Lists without a run of items, beginning with half of them. @param {any[]} list */
function* smallerList(list) {
  for (let size = Math.max(1, list.length >> 1); list.length > 0 && size >= 1; size >>= 1) {
    for (let start = 0; start < list.length; start += size) yield [...list.slice(0, start), ...list.slice(start + size)]
  }
}

/** Objects without one of their keys: for options. @param {any} object */
function* smallerObject(object) {
  if (object === undefined) return
  yield undefined
  for (const key of Object.keys(object)) yield Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}

/**
 * The input with one of its properties shrunk.
 *
 * @param {any} input
 * @param {Record<string, (value: any) => Iterable<any>>} ways by property
 */
function* smallerIn(input, ways) {
  for (const [key, smaller] of Object.entries(ways)) {
    for (const value of smaller(input[key])) yield { ...input, [key]: value }
  }
}

module.exports = { shrink, smallerBytes, smallerList, smallerObject, smallerIn }
