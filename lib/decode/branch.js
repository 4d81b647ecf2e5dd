'use strict'

// The source of a branch: it compares the bytes of the names where it expects them, reads each value by the types that
// it has had, and makes the object by a literal, which costs a tenth of storing its fields one by one. What is not as
// expected, and what is wrong, it leaves to others before it has read it.

const { ELEMENT } = require('../spec')
const { compile, quote, wordAt } = require('../codegen')
const { ObjectId } = require('../types')
const { getWarmText } = require('../bytes/utf8/text')
const { getInt64 } = require('./read')

/** By element type: the statements that read the value at `q` into `v` and set `p` behind it; they may leave. */
const READ = {
  [ELEMENT.INT32]: (v, leave) => `if (q + 4 > end) ${leave}
      ${v} = view.getInt32(q, true); p = q + 4`,
  [ELEMENT.DOUBLE]: (v, leave) => `if (q + 8 > end) ${leave}
      ${v} = view.getFloat64(q, true); p = q + 8`,
  [ELEMENT.STRING]: (v, leave) => `e = q + 4 < end ? q + 4 + view.getInt32(q, true) : 0
      if (e < q + 5 || e > end || buf[e - 1] !== 0) ${leave}
      ${v} = getWarmText(buf, view, q + 4, e - 1); p = e`,
  [ELEMENT.BOOLEAN]: (v, leave) => `if (q >= end || buf[q] > 1) ${leave}
      ${v} = buf[q] === 1; p = q + 1`,
  [ELEMENT.NULL]: v => `${v} = null; p = q`,
  [ELEMENT.OBJECT_ID]: (v, leave) => `if (q + 12 > end) ${leave}
      ${v} = new ObjectId(buf, q); p = q + 12`,
  [ELEMENT.DATETIME]: (v, leave) => `if (q + 8 > end) ${leave}
      ${v} = new Date(view.getInt32(q + 4, true) * 4294967296 + view.getUint32(q, true)); p = q + 8`,
  [ELEMENT.INT64]: (v, leave) => `if (q + 8 > end) ${leave}
      ${v} = getInt64(view, q, r.plan); p = q + 8`,
  [ELEMENT.DOCUMENT]: (v, leave, i) => `e = q + 4 < end ? q + view.getInt32(q, true) : 0
      if (e < q + 5 || e > end || buf[e - 1] !== 0 || depth >= r.plan.recursionDepth) ${leave}
      ${v} = r.readDocument(r, key${i}, q, e, depth + 1); p = e`,
  [ELEMENT.ARRAY]: (v, leave, i) => `e = q + 4 < end ? q + view.getInt32(q, true) : 0
      if (e < q + 5 || e > end || buf[e - 1] !== 0 || depth >= r.plan.recursionDepth) ${leave}
      ${v} = r.readArray(r, key${i}, q, e, depth + 1); p = e`
}

const TYPES = Object.keys(READ).map(Number)

/**
 * @param {any} branch
 * @returns {((r: any, values: any[], pos: number, end: number, depth: number) => any) | undefined}
 */
function compileBranch(branch) {
  const { keys, types, point, isWhole } = branch
  const before = point.keys.map((_, i) => `s[${i}]`)
  const own = keys.map((_, i) => `v${i}`)
  const literal = [...point.keys, ...keys].map(({ text }, i) => `${quote(text)}: ${[...before, ...own][i]}`)
  const whole = isWhole ? `if (p === end) return { ${literal.join(', ')} }` : ''
  const source = `function read(r, s, p, end, depth) {
    const buf = r.buf, view = r.view
    let n = ${keys.length}, q = 0, e = 0, t = 0${own.map(v => `, ${v}`).join('')}
    fields: {
      ${keys.map((key, i) => fieldSource(key, types[i], i)).join('')}
      ${whole}
    }
    return branch.leave(r, [${[...before, ...own].join(', ')}], n, p, end, depth)
  }`
  const scope = { ObjectId, getWarmText, getInt64, branch }
  keys.forEach((key, i) => (scope[`key${i}`] = key))
  return /** @type {any} */ (compile(scope, source))
}

/** type | name 0x00 | value, into the variable of that number */
function fieldSource({ bytes }, mask, i) {
  const leave = `{ n = ${i}; break fields }`
  const cases = TYPES.filter(type => mask & (1 << type)).map(type => `if (t === ${type}) {
      ${READ[type](`v${i}`, leave, i)}
      } else `)
  return `
      q = p + ${bytes.length + 1}
      if (q > end || ${nameDiffers(bytes)}) ${leave}
      t = buf[p]
      ${cases.join('')}{
        v${i} = branch.readValue(${i}, r, p, q, end, depth)
        p = r.pos
      }`
}

/** Compares constants with what stands behind `p`, four bytes at a time. */
function nameDiffers(bytes) {
  const size = bytes.length
  if (size < 4) return Array.from(bytes, (byte, i) => `buf[p + ${i + 1}] !== ${byte}`).join(' || ')
  const words = []
  for (let i = 0; i < size; i += 4) {
    const k = Math.min(i, size - 4)
    words.push(`view.getInt32(p + ${k + 1}, true) !== ${wordAt(bytes, k)}`)
  }
  return words.join(' || ')
}

module.exports = { compileBranch }
