'use strict'

// The source of a function that reads documents of one shape. It compares the bytes of the names where it expects them,
// reads each value according to the given types, and creates the object with a literal, which costs a tenth of storing
// its fields one by one. At the first name that differs, or at any error, it bails out to `bailOut` with what it
// has read and the position: nothing is read twice.

const { ELEMENT } = require('../spec')
const { compile, quote } = require('./compile')
const { ROWS } = require('./types')

/** Types that are read inline; others are read by `read`. */
const RARE = new Set(/** @type {number[]} */ ([ELEMENT.BINARY, ELEMENT.DECIMAL128, ELEMENT.TIMESTAMP]))
const IN_LINE = [...ROWS.keys()].filter(type => !RARE.has(type))

/**
 * How rows are read here: numbers from bytes, and values as in documents without a schema.
 *
 * @type {import('./types').Reading}
 */
const READING = {
  load: {
    int32: at => `int32At(buf, ${at})`,
    uint32: at => `(int32At(buf, ${at}) >>> 0)`,
    double: at => `getDouble(buf, ${at})`,
    int64: at => `getInt64(buf, ${at}, plan)`
  },
  use: name => name,
  text: (start, end) => `getText(buf, ${start}, ${end})`,
  isBoxed: false
}

/** Statements that read the value at `q` into variable `i` and set `p` to the offset after it. They may bail out. */
function valueSource(type, i, bailOut) {
  const { least, size, end, wrong, value } = ROWS.get(type)
  const at = n => (n === 0 ? 'q' : `q + ${n}`)
  const inner = { [ELEMENT.DOCUMENT]: 'readDocument', [ELEMENT.ARRAY]: 'readArray' }[type]
  const expression = inner ? `${inner}(buf, plan, key${i}, q + 4, e - 1, depth + 1)` : value(at, 'e', READING, { as: 'plan' })
  const after = end ? `e = ${end(at, READING.load)}` : `e = q + ${size}`
  return `${least > 0 ? `if (q + ${least} > end) ${bailOut}` : ''}
      ${after}
      ${wrong ? `if (${wrong(at, 'e')}) ${bailOut}` : ''}
      v${i} = ${expression}; p = e`
}

/**
 * @typedef {object} Shape
 * @property {import('../decode/keys').Key[]} keys in their order
 * @property {number[]} types types of their values, as bits; other types are read by `read`
 */

/**
 * @param {Shape} shape
 * @param {Record<string, unknown>} scope the functions that the source calls, and
 *   `bailOut(n, values, buf, plan, start, pos, end, depth)`, which continues after the first `n` keys
 * @returns {Function | undefined} `(buf, plan, pos, end, depth)` to the document; undefined if code may not be created
 */
function compileReader({ keys, types }, scope) {
  const values = keys.map((_, i) => `v${i}`)
  const literal = keys.map(({ text }, i) => `${quote(text)}: v${i}`)
  const source = `function readShape(buf, plan, start, end, depth) {
    let n = ${keys.length}, p = start, q = 0, e = 0, t = 0, ${values.join(', ')}
    fields: {
      ${keys.map((key, i) => fieldSource(key, types[i], i)).join('')}
      if (p === end) return { ${literal.join(', ')} }
    }
    return bailOut(n, [${values.join(', ')}], buf, plan, start, p, end, depth)
  }`
  const names = Object.fromEntries(keys.map((key, i) => [`key${i}`, key]))
  return compile({ ...scope, ...names }, source)
}

/** type | name 0x00 | value, into variable `i` */
function fieldSource({ bytes }, mask, i) {
  const bailOut = `{ n = ${i}; break fields }`
  const cases = IN_LINE.filter(type => mask & (1 << type)).map(type => `if (t === ${type}) {
      ${valueSource(type, i, bailOut)}
      } else `)
  return `
      q = p + ${bytes.length + 1}
      if (q > end || ${Array.from(bytes, (byte, k) => `buf[p + ${k + 1}] !== ${byte}`).join(' || ')}) ${bailOut}
      t = buf[p]
      ${cases.join('')}{
        v${i} = readElements(buf, plan, key${i}, VALUE, null, p, end, depth)
        p = cursor.pos
      }`
}

module.exports = { compileReader }
