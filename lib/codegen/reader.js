'use strict'

// The source of a function that reads documents of one shape: it compares the bytes of the names where it expects
// them, reads each value by the types that are given for it, and makes the object by a literal, which costs a tenth of
// storing its fields one by one. At the first name that differs, and at anything that is wrong, it hands over what it
// has read to `leave`, with the place: nothing is read twice.

const { ELEMENT } = require('../spec')
const { compile, quote } = require('./compile')

/**
 * By element type: statements that read the value at `q` into `v` and set `p` to the offset after it; they may leave.
 *
 * @type {Record<number, (v: string, leave: string, i: number) => string>}
 */
const READ = {
  [ELEMENT.INT32]: (v, leave) => `if (q + 4 > end) ${leave}
      ${v} = int32At(buf, q); p = q + 4`,
  [ELEMENT.DOUBLE]: (v, leave) => `if (q + 8 > end) ${leave}
      ${v} = getDouble(buf, q); p = q + 8`,
  [ELEMENT.STRING]: (v, leave) => `e = q + 4 < end ? q + 4 + int32At(buf, q) : 0
      if (e < q + 5 || e > end || buf[e - 1] !== 0) ${leave}
      ${v} = getText(buf, q + 4, e - 1); p = e`,
  [ELEMENT.BOOLEAN]: (v, leave) => `if (q >= end || buf[q] > 1) ${leave}
      ${v} = buf[q] === 1; p = q + 1`,
  [ELEMENT.NULL]: v => `${v} = null; p = q`,
  [ELEMENT.OBJECT_ID]: (v, leave) => `if (q + 12 > end) ${leave}
      ${v} = new ObjectId(buf, q); p = q + 12`,
  [ELEMENT.DATETIME]: (v, leave) => `if (q + 8 > end) ${leave}
      ${v} = new Date(int32At(buf, q + 4) * 4294967296 + (int32At(buf, q) >>> 0)); p = q + 8`,
  [ELEMENT.INT64]: (v, leave) => `if (q + 8 > end) ${leave}
      ${v} = getInt64(buf, q, plan); p = q + 8`,
  [ELEMENT.DOCUMENT]: (v, leave, i) => `e = q + 4 < end ? q + int32At(buf, q) : 0
      if (e < q + 5 || e > end || buf[e - 1] !== 0) ${leave}
      ${v} = readDocument(buf, plan, key${i}, q + 4, e - 1, depth + 1); p = e`,
  [ELEMENT.ARRAY]: (v, leave, i) => `e = q + 4 < end ? q + int32At(buf, q) : 0
      if (e < q + 5 || e > end || buf[e - 1] !== 0) ${leave}
      ${v} = readArray(buf, plan, key${i}, q + 4, e - 1, depth + 1); p = e`
}

const TYPES = Object.keys(READ).map(Number)

/** @typedef {import('../decode/keys').Key} Key */

/**
 * @typedef {object} Shape
 * @property {Key[]} keys in their order
 * @property {number[]} types of their values, as bits; values of other types are read by `readValue`
 */

/**
 * @param {Shape} shape
 * @param {Record<string, unknown>} scope the functions that the source calls, and
 *   `leave(n, values, buf, plan, start, pos, end, depth)`, which goes on behind the first `n` keys
 * @returns {Function | undefined} `(buf, plan, pos, end, depth)` to the document; nothing where no code may be made
 */
function compileReader({ keys, types }, scope) {
  const values = keys.map((_, i) => `v${i}`)
  const literal = keys.map(({ text }, i) => `${quote(text)}: v${i}`)
  const source = `function read(buf, plan, start, end, depth) {
    let n = ${keys.length}, p = start, q = 0, e = 0, t = 0, ${values.join(', ')}
    fields: {
      ${keys.map((key, i) => fieldSource(key, types[i], i)).join('')}
      if (p === end) return { ${literal.join(', ')} }
    }
    return leave(n, [${values.join(', ')}], buf, plan, start, p, end, depth)
  }`
  const names = Object.fromEntries(keys.map((key, i) => [`key${i}`, key]))
  return compile({ ...scope, ...names }, source)
}

/** type | name 0x00 | value, into the variable of that number */
function fieldSource({ bytes }, mask, i) {
  const leave = `{ n = ${i}; break fields }`
  const cases = TYPES.filter(type => mask & (1 << type)).map(type => `if (t === ${type}) {
      ${READ[type](`v${i}`, leave, i)}
      } else `)
  return `
      q = p + ${bytes.length + 1}
      if (q > end || ${Array.from(bytes, (byte, k) => `buf[p + ${k + 1}] !== ${byte}`).join(' || ')}) ${leave}
      t = buf[p]
      ${cases.join('')}{
        v${i} = readValue(buf, plan, key${i}, t, p, q, end, depth)
        p = cursor.pos
      }`
}

module.exports = { compileReader }
