'use strict'

// Pieces of source that reading and writing share. Nothing of a schema gets into source but through `literal` and as
// numbers.

const { ELEMENT } = require('../spec')
const { quote, wordAt } = require('../codegen')
const { RECURSION_DEPTH } = require('../encode/containers')
const { ROWS } = require('./rows')

/** Names longer than this, in bytes, are left to the interpreter. */
const MAX_NAME = 100

/** And documents of more fields. */
const MAX_FIELDS = 1000

/** Fields of one function: more are read and written by several, for V8 does not optimise very long ones. */
const CHUNK = 24

/** Levels of documents that are written and read by recursion. */
const MAX_DEPTH = RECURSION_DEPTH

/** Values of an enum that are compared one after the other. */
const MAX_COMPARED = 8

/** A string, number, boolean or null as source, in single quotes. @param {string | number | boolean | null} value */
function literal(value) {
  if (typeof value !== 'string') return String(value)
  const inside = quote(value).slice(1, -1).replace(/\\(.)|'/g, (pair, char) => (char === '"' ? '"' : pair === "'" ? "\\'" : pair))
  return `'${inside}'`
}

/** A field's name as a key of an object literal. @param {string} name */
function keyOf(name) {
  return /^[a-zA-Z_]\w*$/.test(name) ? name : literal(name)
}

/** A field of `object`. @param {string} object @param {string} name */
function memberOf(object, name) {
  return /^[a-zA-Z_]\w*$/.test(name) ? `${object}.${name}` : `${object}[${literal(name)}]`
}

/** @param {string} name @returns {number[]} its bytes */
function bytesOf(name) {
  return [...new TextEncoder().encode(name)]
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
  return parts.map(line => {
    if (Array.isArray(line)) return textOf(line, indent + '  ')
    if (line === '') return ''
    const isLong = indent.length + line.length > WIDTH && !line.includes("'")
    const several = isLong ? folded(line) : [line]
    return several.length > 1 ? textOf(several, indent) : indent + line
  }).join('\n')
}

/** Columns of a line. */
const WIDTH = 110

/** A long line without a string in it as several. @param {string} line @returns {Lines} */
function folded(line) {
  const [, test, statement] = /^if \((.*)\) ((?:return|break) .*)$/.exec(line) ?? []
  if (test !== undefined) return [`if (${test}) {`, [statement], '}']
  const [, before, condition, after] = /^((?:\} else )?if \()(.*)(\) \{)$/.exec(line) ?? []
  if (condition !== undefined) return [before, filled(condition, /(?<= (?:\|\||&&)) /), after]
  const [, call, args] = /^(.* [\w.]+\()(.*)\)$/.exec(line) ?? []
  return call === undefined ? [line] : [call, filled(args, /(?<=,) /), ')']
}

/** Pieces of a text, as many in a line as there is room for. @param {string} text @param {RegExp} separator */
function filled(text, separator) {
  const lines = ['']
  for (const piece of text.split(separator)) {
    const last = lines[lines.length - 1]
    if (last !== '' && last.length + piece.length > WIDTH - 20) lines.push(piece)
    else lines[lines.length - 1] = last === '' ? piece : `${last} ${piece}`
  }
  return lines
}

/** Whether a word is used in lines. @param {Lines} lines @param {string} word */
function uses(lines, word) {
  const pattern = new RegExp(`(?<![\\w.'])${word}\\b`)
  return lines.flat(Infinity).some(line => pattern.test(/** @type {string} */ (line)))
}

/**
 * Stores bytes at `pos`, four at a time. What runs over comes later: `size` bytes of a value, and at least a 0x00.
 *
 * @param {number[]} bytes two at least
 * @param {number} size
 * @returns {string[]}
 */
function putHead(bytes, size) {
  // the field without a name, and a value without bytes
  if (bytes.length + size < 3) return [`view.setInt16(pos, ${bytes[0]}, true)`, 'pos += 2']
  const stores = []
  for (let i = 0; i < bytes.length; i += 4) {
    const at = i + 4 > bytes.length + size + 1 ? bytes.length - 4 : i
    stores.push(`view.setInt32(${at === 0 ? 'pos' : `pos + ${at}`}, ${wordAt(bytes, at)}, true)`)
  }
  return [...stores, `pos += ${bytes.length}`]
}

/**
 * Whether the bytes from `at(0)` on are others than these; the first may be anything where `isAny`. There are as many
 * and one more to be read.
 *
 * @param {number[]} bytes
 * @param {(n: number) => string} at
 * @param {boolean} isAny
 * @returns {string}
 */
function headDiffers(bytes, at, isAny) {
  return comparisons(bytes, at, isAny, '!==').join(' || ')
}

/** Whether they are these. @param {number[]} bytes @param {(n: number) => string} at @returns {string} */
function headIs(bytes, at) {
  return comparisons(bytes, at, false, '===').join(' && ')
}

/** Of bytes in memory with these, a word each. @returns {string[]} */
function comparisons(bytes, at, isAny, operator) {
  const size = bytes.length
  // the field without a name: behind it there may be no more than one byte, the 0x00 of its document
  if (size === 2) return [0, 1].slice(isAny ? 1 : 0).map(i => `buf[${at(i)}] ${operator} ${bytes[i]}`)
  const mask = (isAny ? 0xffffff00 : -1) & (size < 4 ? 0xffffff : -1)
  const first = `view.getInt32(${at(0)}, true)`
  const compared = [`${mask === -1 ? first : `(${first} & ${mask})`} ${operator} ${wordAt(bytes, 0) & mask}`]
  for (let i = 4; i < size; i += 4) {
    const k = Math.min(i, size - 4)
    compared.push(`view.getInt32(${at(k)}, true) ${operator} ${wordAt(bytes, k)}`)
  }
  return compared
}

/** @param {string} text @returns {number[]} int32 length, the 0x00 counted | bytes | 0x00 */
function stringBytes(text) {
  const bytes = bytesOf(text)
  return [bytes.length + 1, 0, 0, 0, ...bytes, 0]
}

/** Bytes of a string that is written and compared by words. */
const MAX_CONSTANT = 64

/**
 * The strings that a form allows, where they are few and short: written and read as constants they take 3 ns, as texts
 * 25 and more.
 *
 * @param {import('../schema/schema').Form} form
 * @returns {string[]}
 */
function constantsOf({ type, rules }) {
  if (type !== ELEMENT.STRING || rules.length !== 1 || rules[0].keyword !== 'enum') return []
  const texts = rules[0].value.filter(value => typeof value === 'string')
  const isShort = text => bytesOf(text).length <= MAX_CONSTANT && !/\p{Surrogate}/u.test(text)
  return texts.length <= MAX_COMPARED && texts.every(isShort) ? texts : []
}

/** Whether a shape is read and written by compiled functions. @param {import('../schema/schema').Shape} shape */
function isCompilable({ fields, additional }) {
  const isPlain = ({ name }) => name !== '__proto__' && name[0] !== '$' && bytesOf(name).length <= MAX_NAME
  return fields.length > 0 && fields.length <= MAX_FIELDS && typeof additional === 'boolean' && fields.every(isPlain)
}

/** Whether a list is. @param {import('../schema/schema').List} list */
function isPlainList({ prefix, items }) {
  return prefix.length === 0 && typeof items === 'object' && inlineForms(items).length > 0
}

/** The forms of a node that have source of their own. @param {import('../schema/schema').Node} node */
function inlineForms({ isOpen, forms }) {
  if (isOpen) return []
  return [...forms.values()].filter(({ type, shape, list }) => {
    if (type === ELEMENT.DOCUMENT) return shape !== null
    if (type === ELEMENT.ARRAY) return list !== null
    return ROWS[type] !== undefined
  })
}

/**
 * The condition under which the value `v` follows the rules of a form, or '' when there are none.
 *
 * @param {import('../schema/schema').Node} node
 * @param {import('../schema/schema').Form} form
 * @param {string} v
 * @param {boolean} isPrimitive whether the value is a string or a number, not one of the classes
 * @returns {string}
 */
function rulesOf(node, form, v, isPrimitive) {
  const asked = `slow.passes(${node.id}, ${form.type}, ${v})`
  const conditions = form.rules.map(rule => (isPrimitive ? ruleSource(rule, form, v, asked) : asked))
  return [...new Set(conditions)].join(' && ')
}

/** @param {import('../schema/rules').Rule} rule */
function ruleSource({ keyword, value, isExclusive = false }, { type }, v, asked) {
  switch (keyword) {
    case 'minimum':
      return `${v} ${isExclusive ? '>' : '>='} ${value}`
    case 'maximum':
      return `${v} ${isExclusive ? '<' : '<='} ${value}`
    case 'minLength': // every second unit could be half a character
      return value <= 1 ? `${v}.length >= ${value}` : `(${v}.length >= ${2 * value} || ${asked})`
    case 'maxLength':
      return `(${v}.length <= ${value} || ${asked})`
    case 'enum': {
      const values = value.filter(one => typeof one === (type === ELEMENT.STRING ? 'string' : 'number'))
      if (values.length > MAX_COMPARED) return asked
      return `(${values.map(one => `${v} === ${literal(one)}`).join(' || ')})`
    }
    default:
      return asked
  }
}

module.exports = {
  CHUNK,
  MAX_DEPTH,
  literal,
  keyOf,
  memberOf,
  bytesOf,
  textOf,
  uses,
  putHead,
  headDiffers,
  headIs,
  stringBytes,
  constantsOf,
  isCompilable,
  isPlainList,
  inlineForms,
  rulesOf
}
