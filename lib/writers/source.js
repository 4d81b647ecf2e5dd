'use strict'

// The source of a function that writes objects of one shape: each name as constants, each value by the kinds it has
// had, and values of other kinds as the encoder does. The keys have been compared when it is called.

const { ELEMENT } = require('../spec')
const { quote, wordAt } = require('../codegen')
const { setDouble } = require('../float')
const { putUtf8 } = require('../utf8')

/** Bytes that any value of fixed length needs, and the length of a string with its 0x00. */
const FIXED = 12

/**
 * Keys of one function: an object of more is written by several, for V8 does not optimise very long ones.
 */
const CHUNK = 24

const isObject = "typeof v === 'object' && v !== null && v.toBSON === undefined"

/**
 * @typedef {object} Kind
 * @property {number} type
 * @property {number} [least]
 * @property {string} test
 * @property {(at: {i: number, rest: number}) => string} put
 */

/**
 * One row a kind of value. `test` is the source that tells it, of `v`, when a shape is learned and when it is written.
 * `put` is the source that writes the value at `pos`, behind the name; `rest` bytes are needed for all that has a fixed
 * length from here on. Only what may throw, or move the output, sets `i`, the number of its key. `type` is written
 * before the name, and `least` is the smallest number of bytes of the value, where that is below four.
 */
/** @type {Kind[]} */
const KINDS = [
  {
    type: ELEMENT.STRING,
    test: "typeof v === 'string'",
    put: ({ rest }) => `
        if (pos + 3 * v.length + ${rest} > buf.length) buf = out.reserve(pos, roomOf(v) + ${rest}), view = out.view
        e = putUtf8(v, buf, pos + 4)
        view.setInt32(pos, e - pos - 3, true)
        buf[e] = 0
        pos = e + 1`
  },
  {
    type: ELEMENT.INT32,
    test: "typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)",
    put: () => 'view.setInt32(pos, v, true); pos += 4'
  },
  {
    type: ELEMENT.DOUBLE,
    test: "typeof v === 'number' && (v | 0) !== v", // -0 takes the long way
    put: () => 'setDouble(view, pos, v); pos += 8'
  },
  {
    type: ELEMENT.BOOLEAN,
    least: 1,
    test: "typeof v === 'boolean'",
    put: () => 'buf[pos++] = v ? 1 : 0'
  },
  { type: ELEMENT.NULL, least: 0, test: 'v === null', put: () => '' },
  {
    type: ELEMENT.OBJECT_ID,
    test: `${isObject} && getPrototypeOf(v) === idPrototype`,
    put: ({ i }) => `i = ${i}; pos = putObjectId(out, v, pos)`
  },
  {
    type: ELEMENT.DATETIME,
    test: `${isObject} && getPrototypeOf(v) === datePrototype`,
    put: ({ i }) => `i = ${i}; pos = putDate(out, v, pos)`
  },
  {
    type: ELEMENT.ARRAY,
    test: `${isObject} && Array.isArray(v)`,
    put: ({ i, rest }) => `i = ${i}; pos = putArray(out, v, pos)${again(rest)}`
  },
  {
    type: ELEMENT.DOCUMENT,
    test: `${isObject} && !Array.isArray(v) && getPrototypeOf(v) === objectPrototype`,
    put: ({ i, rest }) => `i = ${i}; pos = putPlain(out, v, pos)${again(rest)}`
  }
]

/** What the source uses, beside the encoder's functions. */
const SCOPE = { setDouble, putUtf8, getPrototypeOf: Object.getPrototypeOf }

/** Tells the kind of a value, as a bit: 0 for what has none. */
const KIND_SOURCE = `v => ${KINDS.map(({ test }, n) => `${test} ? ${1 << n} : `).join('')}0`

/** After something that may have moved the output or filled it: room for all that has a fixed length from here on. */
function again(rest) {
  return `
        buf = out.buf
        if (pos + ${rest} > buf.length) buf = out.grow(pos, ${rest})
        view = out.view`
}

/**
 * @param {string[]} keys of the shape
 * @param {number[]} kinds by key, bits as KIND_SOURCE tells them
 * @returns {string} a function `(out, doc, pos) => offset after the document`
 */
function writerSource(keys, kinds) {
  const names = keys.map(bytesOf)
  const sizes = names.map(bytes => bytes.length + 2 + FIXED)
  const rests = sizes.map((_, i) => sizes.slice(i).reduce((sum, size) => sum + size, 1))
  const fields = keys.map((key, i) => fieldSource({ key, bytes: names[i], kinds: kinds[i], i, rest: rests[i] }))
  const chunks = []
  for (let i = 0; i < fields.length; i += CHUNK) chunks.push(chunkSource(fields.slice(i, i + CHUNK), rests[i]))
  const isWhole = chunks.length === 1
  const calls = chunks.map((_, i) => `pos = chunk${i}(out, doc, pos)`).join('\n')
  return `((${isWhole ? '' : chunks.map((_, i) => `chunk${i}`).join(', ')}) => function write(out, doc, pos) {
    const landmark = enter(out, doc)
    const start = pos
    if (pos + 5 > out.buf.length) out.grow(pos, 5)
    pos += 4
    ${isWhole ? chunks[0] : calls}
    leave(out, landmark)
    out.buf[pos++] = 0
    out.view.setInt32(start, pos - start, true)
    return pos
  })(${isWhole ? '' : chunks.map(chunk => `(out, doc, pos) => { ${chunk}; return pos }`).join(', ')})`
}

function bytesOf(key) {
  const bytes = new Uint8Array(3 * key.length)
  return [...bytes.subarray(0, putUtf8(key, bytes, 0))]
}

function chunkSource(fields, rest) {
  return `let buf, view, v, e = 0, i = 0
    ${again(rest)}
    try {
      ${fields.join('')}
    } catch (error) {
      throw cameThrough(error, doc, keys[i])
    }`
}

/** type | name 0x00 | value. Nothing is written for a value that may yet be left out: it could be beyond the end. */
function fieldSource({ key, bytes, kinds, i, rest }) {
  const known = KINDS.filter((_, n) => kinds & (1 << n))
  const cases = known.map(({ type, test, put, least = 4 }) => `if (${test}) {
        ${headSource([type, ...bytes, 0], least)}
        pos += ${bytes.length + 2}
        ${put({ i, rest })}
      } else `)
  return `
      v = doc[${quote(key)}]
      ${cases.join('')}{
        i = ${i}
        pos = other(out, doc, i, v, pos)${again(rest)}
      }`
}

/** Stores constants at `pos`, four bytes at a time; at least so many bytes will be written behind them. */
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

module.exports = { SCOPE, KIND_SOURCE, writerSource }
