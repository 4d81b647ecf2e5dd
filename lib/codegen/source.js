'use strict'

// Pieces of source shared by reading and writing. Data from a schema enters the source only through `literal` or as
// numbers, and source is never modified once generated.

const { ELEMENT } = require('../spec')
const { utf8Bytes } = require('../bytes')
const { quote, wordAt } = require('./compile')
const { ROWS } = require('./types')

/** Names longer than this, in bytes, are left to `decode` and `encode`. */
const MAX_NAME = 100

/** `decode` reads documents with more fields: V8 optimises them slowly, and makes dictionaries of large literals. */
const MAX_FIELDS = 64

/** Maximum number of enum values that are compared one after another. */
const MAX_COMPARED = 8

/** A string, number, boolean or null as source, in single quotes. @param {string | number | boolean | null} value */
function literal(value) {
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value)
  const inside = quote(value).slice(1, -1).replace(/\\(.)|'/g, (pair, char) => (char === '"' ? '"' : pair === "'" ? "\\'" : pair))
  return `'${inside}'`
}

/** A field's name as a key of an object literal. @param {string} name */
function keyOf(name) {
  return /^[a-zA-Z_]\w*$/.test(name) ? name : literal(name)
}

/** A property access of `object`. @param {string} object @param {string} name */
function memberOf(object, name) {
  return /^[a-zA-Z_]\w*$/.test(name) ? `${object}.${name}` : `${object}[${literal(name)}]`
}

function bytesOf(name) {
  return [...utf8Bytes(name)]
}

function placeOf(p, n) {
  return n === 0 ? p : `${p} + ${n}`
}

/**
 * Nested lines as text; a list is indented.
 *
 * @typedef {any[]} Lines strings, and lists of them
 * @param {Lines} lines
 * @param {string} [indent]
 * @returns {string}
 */
function textOf(lines, indent = '') {
  const parts = lines.filter(line => !Array.isArray(line) || line.length > 0)
  return parts.map(line => (Array.isArray(line) ? textOf(line, `${indent}  `) : line === '' ? '' : indent + line)).join('\n')
}

/** Maximum length of a line that lists things. */
const WIDTH = 100

/** A list on one line, or with one entry per line. @returns {Lines} */
function listed(before, entries, after) {
  const line = `${before}${entries.join(', ')}${after}`
  if (line.length <= WIDTH) return [line]
  return [before.trimEnd(), entries.map((entry, i) => (i < entries.length - 1 ? `${entry},` : entry)), after.trimStart()]
}

/**
 * Conditions that test whether memory holds the given bytes, by words if these can be loaded. All (===) or one (!==)
 * must hold. One byte more than given must be readable; with `isAny` the first may have any value.
 */
function comparisons(bytes, at, isAny, operator, { int32, hasWords }) {
  const size = bytes.length
  // also the field with an empty name: only one more byte may follow it, the 0x00 of its document
  const isByBytes = !hasWords || size === 2
  if (isByBytes) return bytes.map((byte, i) => `buf[${at(i)}] ${operator} ${byte}`).slice(isAny ? 1 : 0)
  const mask = (isAny ? 0xffffff00 : -1) & (size < 4 ? 0xffffff : -1)
  const first = int32(at(0))
  const compared = [`${mask === -1 ? first : `(${first} & ${mask})`} ${operator} ${wordAt(bytes, 0) & mask}`]
  for (let i = 4; i < size; i += 4) {
    const k = Math.min(i, size - 4)
    compared.push(`${int32(at(k))} ${operator} ${wordAt(bytes, k)}`)
  }
  return compared
}

/** int32 length, including the 0x00 | bytes | 0x00 */
function stringBytes(text) {
  const bytes = bytesOf(text)
  return [bytes.length + 1, 0, 0, 0, ...bytes, 0]
}

/** Maximum size of a string that is written and compared by words. */
const MAX_CONSTANT = 64

/** The strings that a rule allows, if few and short. As constants they take 3 ns, otherwise 25 and more. */
function constantsOf({ type, rules }) {
  if (type !== ELEMENT.STRING || rules.length !== 1 || rules[0].keyword !== 'enum') return []
  const texts = rules[0].value.filter(value => typeof value === 'string')
  const isShort = text => bytesOf(text).length <= MAX_CONSTANT && !/\p{Surrogate}/u.test(text)
  return texts.length <= MAX_COMPARED && texts.every(isShort) ? texts : []
}

/** Whether a shape gets functions of its own. */
function isCompilable({ fields }) {
  const isPlain = ({ name }) => name !== '__proto__' && name[0] !== '$' && bytesOf(name).length <= MAX_NAME
  return fields.length > 0 && fields.length <= MAX_FIELDS && fields.every(isPlain)
}

/** Whether a list gets functions of its own. */
function isPlainList({ prefix, items }) {
  return prefix.length === 0 && typeof items === 'object' && inlineRules(items).length > 0
}

/** The type rules of a node that have source of their own. */
function inlineRules({ typeRules }) {
  return [...typeRules.values()].filter(({ type, shape, list }) => {
    if (type === ELEMENT.DOCUMENT) return shape !== null
    return type === ELEMENT.ARRAY ? list !== null : ROWS.has(type)
  }).map(typeRule => typeRule.shape?.isPositional ? { ...typeRule, type: ELEMENT.ARRAY } : typeRule)
}

/** The suffix of the names of the functions for the containers of a type rule. */
function containerName({ shape, list }) {
  return shape !== null ? `Document${shape.id}` : `List${list.id}`
}

module.exports = {
  literal, keyOf, memberOf, bytesOf, placeOf, textOf, listed, comparisons, stringBytes, constantsOf, isCompilable,
  isPlainList, inlineRules, containerName
}
