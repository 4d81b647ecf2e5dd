'use strict'

// Objects of a known shape -> bytes, by a function compiled for that shape: after checking that the keys are those, it
// writes each name as constants and each value by the types it has had. It answers MISS before it has written or asked
// for anything, or does its work to the end: no getter and no toBSON runs twice.

const { ELEMENT } = require('../spec')
const { prependPath } = require('../errors')
const { compile, quote, wordAt } = require('../codegen')
const { putUtf8 } = require('../utf8')
const { putDate, putObjectId } = require('../put')
const { RECURSION_DEPTH: MAX_DEPTH } = require('../walk')
const { putElement } = require('../encode')
const { ObjectId } = require('../types')

/** The answer of a writer to an object that is not of its shape: no offset. */
const MISS = -1

/** Keys of a compiled writer: beyond, the optimiser takes longer than it wins. */
const MAX_COMPILED_KEYS = 200

/** Bytes that any value of fixed length needs, and the length of a string with its 0x00. */
const FIXED = 12

const hasOwn = Object.prototype.hasOwnProperty
const { getPrototypeOf } = Object

/**
 * By element type: the test for a value `v` that is written here, and the statements that write it at `pos`, where room
 * has been made and type and name are written already. `rest` bytes are needed for all that has a fixed length from
 * here on.
 */
const WRITE = {
  [ELEMENT.STRING]: {
    test: "typeof v === 'string'",
    put: ({ rest }) => `
      if (pos + 3 * v.length + ${rest} > buf.length) buf = out.makeRoom(pos, v, ${rest}), view = out.view
      e = putUtf8(v, buf, pos + 4)
      view.setInt32(pos, e - pos - 3, true)
      buf[e] = 0
      pos = e + 1`
  },
  [ELEMENT.INT32]: {
    test: "typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)",
    put: () => 'view.setInt32(pos, v, true); pos += 4'
  },
  [ELEMENT.DOUBLE]: {
    // -0 takes the long way
    test: "typeof v === 'number' && (v | 0) !== v",
    put: () => 'view.setFloat64(pos, v, true); pos += 8'
  },
  [ELEMENT.BOOLEAN]: { test: "typeof v === 'boolean'", put: () => 'buf[pos++] = v ? 1 : 0' },
  [ELEMENT.NULL]: { test: 'v === null', put: () => '' },
  [ELEMENT.OBJECT_ID]: {
    test: 'v instanceof ObjectId && v.toBSON === undefined',
    put: () => 'pos = putObjectId(v, buf, pos)'
  },
  [ELEMENT.DATETIME]: {
    test: 'v instanceof Date && v.toBSON === undefined',
    put: ({ i }) => `f = ${i}; pos = putDate(v, buf, pos)`
  },
  [ELEMENT.ARRAY]: {
    test: 'Array.isArray(v) && v.toBSON === undefined',
    put: ({ i, rest }) => `
      f = ${i}
      pos = site${i}.putArray(out, v, pos, plan, depth + 1)
      ${again(rest)}`
  },
  [ELEMENT.DOCUMENT]: {
    test: "typeof v === 'object' && v !== null",
    put: ({ i, rest, size }) => `
      f = ${i}
      e = site${i}.run(out, v, pos, plan, depth + 1)
      if (e === ${MISS}) {
        if (isPlain(v) && v.toBSON === undefined) e = site${i}.learn(out, v, pos, plan, depth + 1)
        else f = -1, e = other(out, ${i}, doc, v, pos - ${size}, plan, depth)
      }
      pos = e
      ${again(rest)}`
  }
}

/** Bytes of the values that have less than four. */
const LEAST = { [ELEMENT.NULL]: 0, [ELEMENT.BOOLEAN]: 1 }

const INLINE_TYPES = [
  ELEMENT.STRING,
  ELEMENT.INT32,
  ELEMENT.DOUBLE,
  ELEMENT.BOOLEAN,
  ELEMENT.NULL,
  ELEMENT.OBJECT_ID,
  ELEMENT.DATETIME,
  ELEMENT.ARRAY,
  ELEMENT.DOCUMENT
]

/** After something that may have moved the output or filled it: room for all that has a fixed length from here on. */
function again(rest) {
  return `buf = out.buf
      if (pos + ${rest} > buf.length) buf = out.grow(pos, ${rest})
      view = out.view`
}

/**
 * The exact test for an object that is written by its keys alone. It takes 10 ns; its constructor is asked first, in 3,
 * and no shape has a key by which that could lie.
 */
const isPlain = value => getPrototypeOf(value) === Object.prototype

/** The names that a writer uses. */
const SCOPE = { ObjectId, isPlain, hasOwn, putUtf8, putDate, putObjectId }

/**
 * @param {import('./tree').Node[]} nodes the shape's keys
 * @param {(i: number, type: number) => void} surprise called when the key number `i` has a value of a type that is new
 * @param {Function} putField writes a value of any type under a known key
 * @returns {Function | undefined} `(out, doc, pos, plan, depth) -> offset after the document, or MISS`
 */
function compileWriter(nodes, surprise, putField) {
  if (nodes.length > MAX_COMPILED_KEYS) return undefined
  const names = nodes.map(node => node.key)
  const other = (out, i, doc, v, pos, plan, depth) => {
    surprise(i, v)
    return putOther(out, names[i], doc, v, pos, plan, depth)
  }
  // -1: by putElement, which has put the name before the path already
  const failed = (error, i) => (i === -1 ? error : prependPath(error, names[i]))
  const scope = { ...SCOPE, keys: names, putField, other, failed }
  nodes.forEach((node, i) => {
    scope[`node${i}`] = node
    if (node.site !== null) scope[`site${i}`] = node.site
  })
  return compile(scope, source(nodes))
}

/** A value that has none of the types which its key had before. */
function putOther(out, key, doc, value, pos, plan, depth) {
  // Deleted by a getter or a toBSON on the way
  if (value === undefined && !hasOwn.call(doc, key)) return pos
  return putElement(out, key, value, pos, plan, depth, false)
}

/** Types that are written in line; a key that has had more is written by a path that all keys share. */
const MAX_INLINE_TYPES = 6

/** Keys of one function: a document of more is written by several, for V8 does not optimise very long ones. */
const CHUNK = 24

function source(nodes) {
  const sizes = nodes.map(node => node.bytes.length + 2 + FIXED)
  const rests = sizes.map((_, i) => sizes.slice(i).reduce((sum, size) => sum + size, 1))
  const fields = nodes.map((node, i) => fieldSource(node, i, rests[i]))
  const chunks = []
  for (let i = 0; i < fields.length; i += CHUNK) chunks.push(chunkSource(fields.slice(i, i + CHUNK), rests[i]))
  const isWhole = chunks.length === 1
  const names = isWhole ? [] : chunks.map((_, i) => `chunk${i}`)
  return `((${names.join(', ')}) => function write(out, doc, pos, plan, depth) {
    let n = 0
    for (const key in doc) if (key !== keys[n++] || !hasOwn.call(doc, key)) return ${MISS}
    if (n !== ${nodes.length} || depth > ${MAX_DEPTH}) return ${MISS}
    if (doc.constructor !== Object || doc._bsontype !== undefined || doc.toBSON !== undefined) return ${MISS}
    const start = pos
    let buf = out.buf, view
    if (pos + 5 > buf.length) buf = out.grow(pos, 5)
    pos += 4
    ${isWhole ? chunks[0] : names.map(name => `pos = ${name}(out, doc, pos, plan, depth)`).join('\n')}
    buf = out.buf
    buf[pos++] = 0
    out.view.setInt32(start, pos - start, true)
    return pos
  })(${isWhole ? '' : chunks.map(body => `(out, doc, pos, plan, depth) => { let buf, view; ${body}; return pos }`).join(', ')})`
}

function chunkSource(fields, rest) {
  return `let e = 0, f = 0, v
    ${again(rest)}
    try {
      ${fields.join('')}
    } catch (error) {
      throw failed(error, f)
    }`
}

/**
 * Stores constants at `pos`, four bytes at a time.
 *
 * @param {number[]} bytes
 * @param {number} least bytes that will be written behind them
 */
function headSource(bytes, least) {
  const stores = []
  for (let i = 0; i < bytes.length; i += 4) {
    const left = bytes.length - i
    if (left + least < 4 && bytes.length >= 4) i = bytes.length - 4
    if (left + least >= 4 || bytes.length >= 4) stores.push(`view.setInt32(pos + ${i}, ${wordAt(bytes, i)}, true)`)
    else for (let k = i; k < bytes.length; k++) stores.push(`buf[pos + ${k}] = ${bytes[k]}`)
  }
  return stores.join('; ')
}

/** type | name 0x00 | value. Nothing is written for a value that may yet be left out: it could be beyond the end. */
function fieldSource(node, i, rest) {
  const size = node.bytes.length + 2
  const types = INLINE_TYPES.filter(type => node.types & (1 << type))
  if (types.length > MAX_INLINE_TYPES || types.length === 0) {
    return `
      v = doc[${quote(node.key)}]
      f = -1
      if (v === undefined) pos = other(out, ${i}, doc, v, pos, plan, depth)
      else pos = putField(out, buf, node${i}, v, pos, plan, depth)
      ${again(rest)}`
  }
  const cases = types.map(type => {
    const { test, put } = WRITE[type]
    return `if (${test}) { ${headSource([type, ...node.bytes, 0], LEAST[type] ?? 4)}; pos += ${size}; ${put({ i, rest, size })} } else `
  })
  return `
      v = doc[${quote(node.key)}]
      ${cases.join('')}{
        f = -1
        pos = other(out, ${i}, doc, v, pos, plan, depth)
        ${again(rest)}
      }`
}

module.exports = { MISS, isPlain, compileWriter }
