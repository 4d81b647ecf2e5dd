'use strict'

// Documents of a known shape -> objects, by a function compiled for that shape: it compares the keys' bytes where it
// expects them, reads each value by the types it has had, and makes the object by a literal, which costs a tenth of
// storing its fields one by one. Whatever is not as expected, it answers MISS, and the caller reads the document anew.

const { ELEMENT } = require('../spec')
const { compile, quote, wordAt } = require('../codegen')
const { ObjectId } = require('../types')
const { getPromotedInt64, getDate } = require('../get')
const { scanElement } = require('../elements')
const { RECURSION_DEPTH: MAX_DEPTH, DEFAULT_PLAN, getValue } = require('../decode')
const { getText } = require('./text')

/** The answer of a reader to a document that is not of its shape. */
const MISS = Symbol('miss')

/** Keys of a compiled reader: beyond, the optimiser takes longer than it wins. */
const MAX_COMPILED_KEYS = 200

/** Keys of one function: a document of more is read by several, for V8 does not optimise very long ones. */
const CHUNK = 24

const INT32_AT = p => `view.getInt32(${p}, true)`

/**
 * By element type: the statements that read the value at `p` into `v` and move `p` behind it. Their checks are those
 * of elements.js, with MISS for an error: the generic decoder then finds and names it.
 */
const READ = {
  [ELEMENT.INT32]: v => `${v} = ${INT32_AT('p')}; p += 4`,
  [ELEMENT.DOUBLE]: v => `${v} = view.getFloat64(p, true); p += 8`,
  [ELEMENT.STRING]: v => `
    e = p + 4 + ${INT32_AT('p')}
    if (e < p + 5 || e > end || buf[e - 1] !== 0) return MISS
    ${v} = getText(buf, view, p + 4, e - 1); p = e`,
  [ELEMENT.BOOLEAN]: v => `if (buf[p] > 1) return MISS; ${v} = buf[p] === 1; p += 1`,
  [ELEMENT.NULL]: v => `${v} = null`,
  [ELEMENT.OBJECT_ID]: v => `${v} = new ObjectId(buf, p); p += 12`,
  [ELEMENT.DATETIME]: v => `${v} = getDate(buf, p); p += 8`,
  [ELEMENT.INT64]: v => `${v} = getPromotedInt64(buf, p); p += 8`,
  [ELEMENT.DOCUMENT]: (v, i) => `
    e = p + ${INT32_AT('p')}
    if (e < p + 5 || e > end || buf[e - 1] !== 0) return MISS
    ${v} = site${i}.run(buf, view, p + 4, e - 1, depth + 1)
    if (${v} === MISS) ${v} = site${i}.learn(buf, view, p + 4, e - 1, depth + 1)
    p = e`,
  [ELEMENT.ARRAY]: (v, i) => `
    e = p + ${INT32_AT('p')}
    if (e < p + 5 || e > end || buf[e - 1] !== 0) return MISS
    ${v} = site${i}.getArray(buf, view, p + 4, e - 1, depth + 1); p = e`
}

/** Bytes that a value of these types has at least. */
const LEAST = {
  [ELEMENT.INT32]: 4,
  [ELEMENT.DOUBLE]: 8,
  [ELEMENT.STRING]: 5,
  [ELEMENT.BOOLEAN]: 1,
  [ELEMENT.NULL]: 0,
  [ELEMENT.OBJECT_ID]: 12,
  [ELEMENT.DATETIME]: 8,
  [ELEMENT.INT64]: 8,
  [ELEMENT.DOCUMENT]: 5,
  [ELEMENT.ARRAY]: 5
}

const INLINE_TYPES = Object.keys(READ).map(Number)

/**
 * @param {import('./tree').Node[]} nodes the shape's keys
 * @param {(i: number, type: number) => void} surprise called when the key number `i` has a value of a type that is new
 * @param {Function} fieldValue reads a value of any type under a known key
 * @returns {((buf: Uint8Array, pos: number, end: number, depth: number) => any) | undefined}
 */
function compileReader(nodes, surprise, fieldValue) {
  if (nodes.length > MAX_COMPILED_KEYS) return undefined
  const fields = nodes.map(node => ({ name: node.bytes, types: typesIn(node.types), site: node.site, node }))
  const onSurprise = (i, type) => READ[type] && surprise(i, type)
  if (nodes.length > CHUNK) return compileChunks(nodes, fields, onSurprise, fieldValue)
  const literal = nodes.map((node, i) => `${quote(node.key)}: v${i}`).join(', ')
  return compileFields(fields, `{ ${literal} }`, onSurprise, fieldValue)
}

function typesIn(mask) {
  return INLINE_TYPES.filter(type => mask & (1 << type))
}

/**
 * The same for an array with as many items as there are types.
 *
 * @param {number[]} types the items' types
 * @param {any} site where documents in it stand
 * @param {() => void} surprise called when an item has another type
 * @returns {((buf: Uint8Array, pos: number, end: number, depth: number) => any) | undefined}
 */
function compileListReader(types, site, surprise) {
  const literal = types.map((_, i) => `v${i}`).join(', ')
  const fields = types.map((type, i) => ({ name: [0x30 + i], types: READ[type] ? [type] : [], site }))
  return compileFields(fields, `[${literal}]`, (_, type) => READ[type] && surprise())
}

/** Types that are read in line; a key that has had more is read by a path that all keys share. */
const MAX_INLINE_TYPES = 6

/** The names that a reader uses. */
const SCOPE = { MISS, MAX_DEPTH, ObjectId, getText, getPromotedInt64, getDate, scan: scanElement, other }

function compileFields(fields, literal, surprise, fieldValue) {
  const body = `function read(buf, view, pos, end, depth) {
    if (depth > MAX_DEPTH) return MISS
    let p = pos, e = 0, t = 0${fields.map((_, i) => `, v${i}`).join('')}
    ${fields.map((field, i) => fieldSource(field, i, `v${i}`)).join('')}
    return p === end ? ${literal} : MISS
  }`
  return /** @type {any} */ (compile(scopeOf(fields, surprise, fieldValue), body))
}

/** A document of many keys, read by several functions: a single one would be too long to be optimised. */
function compileChunks(nodes, fields, surprise, fieldValue) {
  const chunks = []
  for (let i = 0; i < fields.length; i += CHUNK) {
    chunks.push(`function (buf, view, p, end, depth, v) {
      let e = 0, t = 0
      ${fields.slice(i, i + CHUNK).map((field, k) => fieldSource(field, i + k, `v[${i + k}]`)).join('')}
      return p
    }`)
  }
  const calls = chunks.map((_, i) => `p = chunk${i}(buf, view, p, end, depth, v); if (p === MISS) return MISS`)
  const body = `(${chunks.map((_, i) => `chunk${i}`).join(', ')}) => function read(buf, view, pos, end, depth) {
    if (depth > MAX_DEPTH) return MISS
    const v = new Array(${fields.length})
    let p = pos
    ${calls.join('\n')}
    return p === end ? make(v, 0) : MISS
  }`
  const scope = { ...scopeOf(fields, surprise, fieldValue), make: compileMaker(nodes) }
  return /** @type {any} */ (compile(scope, `(${body})(${chunks.join(', ')})`))
}

/**
 * Values, from an offset on -> object. A literal of 128 keys and more makes a slow, dictionary-like object; a
 * constructor does not.
 *
 * @param {import('./tree').Node[]} nodes
 * @returns {((values: any[], base: number) => any) | undefined}
 */
function compileMaker(nodes) {
  const isWide = nodes.length >= 128
  const set = (key, i) => (isWide ? `this[${key}] = v[b + ${i}]` : `${key}: v[b + ${i}]`)
  const fields = nodes.map(({ key }, i) => set(quote(key), i))
  if (!isWide) return /** @type {any} */ (compile({}, `(v, b) => ({ ${fields.join(', ')} })`))
  const Doc = /** @type {any} */ (compile({}, `function Object(v, b) { ${fields.join('; ')} }`))
  if (Doc === undefined) return undefined
  Doc.prototype = Object.prototype
  return (v, b) => new Doc(v, b)
}

function scopeOf(fields, surprise, fieldValue) {
  const scope = { ...SCOPE, surprise, fieldValue }
  fields.forEach(({ site, node }, i) => {
    scope[`node${i}`] = node
    if (site !== null) scope[`site${i}`] = site
  })
  return scope
}

/** Compares constants with what stands behind `p`, four bytes at a time. @param {number[]} bytes a name, 0x00 */
function nameDiffers(bytes) {
  const size = bytes.length
  if (size < 4) return bytes.map((byte, i) => `buf[p + ${i + 1}] !== ${byte}`).join(' || ')
  const words = []
  for (let i = 0; i < size; i += 4) {
    const k = Math.min(i, size - 4)
    words.push(`view.getInt32(p + ${k + 1}, true) !== ${wordAt(bytes, k)}`)
  }
  return words.join(' || ')
}

/** type | name 0x00 | value, into the variable `v` */
function fieldSource({ name, types }, i, v) {
  const size = name.length + 2
  const differs = nameDiffers([...name, 0])
  if (types.length > MAX_INLINE_TYPES) {
    return `
    if (p + ${size} > end || ${differs}) return MISS
    e = scan(buf[p], buf, p, p + ${size - 1}, end)
    ${v} = fieldValue(node${i}, buf[p], buf, view, p + ${size}, e, depth)
    p = e`
  }
  const cases = types.map(
    type => `if (t === ${type}) {
      p += ${size}
      if (p + ${LEAST[type]} > end) return MISS
      ${READ[type](v, i)}
    } else `
  )
  return `
    if (p + ${size} > end || ${differs}) return MISS
    t = buf[p]
    ${cases.join('')}{
      surprise(${i}, t)
      e = scan(t, buf, p, p + ${size - 1}, end)
      ${v} = other(t, buf, p + ${size}, e, depth)
      p = e
    }`
}

/** Values of types that are rare, or that this key has not had before. */
function other(type, buf, pos, next, depth) {
  return getValue(type, buf, pos, next, DEFAULT_PLAN, depth, true, false, false)
}

module.exports = { MISS, compileReader, compileListReader, compileMaker }
