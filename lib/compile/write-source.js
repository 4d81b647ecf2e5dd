'use strict'

// The source of functions that write documents of a known type. A value that is not of the type, or breaks a rule, or
// needs more than a look, is left to `slow`, which does all there is to do and raises the errors.

const { ELEMENT, INT32_MAX } = require('../spec')
const { HEAD, halvesOf } = require('./fingerprint')
const { ROWS, writingOf, inOrder } = require('./rows')
const {
  CHUNK, MAX_DEPTH, literal, memberOf, bytesOf, uses, putHead, stringBytes, constantsOf, inlineForms, rulesOf
} = require('./source')

/** Bytes behind an element that stores may run over. */
const SLACK = 16

/** Bytes of a value that are always counted: the longest of fixed length, and a string's length and 0x00. */
const VALUE = 17

/** Bytes of an array's index: type, ten digits, 0x00. */
const INDEX = 12

/** Every item takes three bytes at least: type, index, 0x00. */
const MAX_ITEMS = Math.floor(INT32_MAX / 3)

/** Fields that one number can tell the presence of. */
const BITS = 32

/** @typedef {import('./source').Lines} Lines */

/** Of a document, to the interpreter. @param {Layout} layout */
function leftTo({ shape, isPositional }) {
  return `slow.write${isPositional ? 'Array' : 'Document'}(out, ${shape.id}, doc, pos, depth, check)`
}

/** What the functions for a node's documents are called. @param {import('../schema/schema').Node} node */
function namesOf({ forms, isPositional }) {
  const shape = forms.get(ELEMENT.DOCUMENT)?.shape
  const list = forms.get(ELEMENT.ARRAY)?.list
  return { shape: shape ? nameOf({ shape, isPositional }) : '', list: list ? String(list.id) : '' }
}

/**
 * How documents of a shape are written.
 *
 * @typedef {object} Layout
 * @property {import('../schema/schema').Shape} shape
 * @property {boolean} isPositional
 * @property {boolean} [isRoot] whether the fingerprint comes first: not where a shape is met again inside itself
 */

/** @param {Layout} layout */
function nameOf({ shape, isPositional, isRoot = false }) {
  return `${isRoot ? 'Root' : isPositional ? 'Array' : 'Document'}${shape.id}`
}

/** After something that may have moved the output or filled it: room for all that has a fixed length from here on. */
function again(need) {
  return [
    'buf = out.buf',
    `if (pos + ${need} > buf.length) buf = out.grow(pos, ${need})`,
    'view = out.view'
  ]
}

/** Bytes of a value that are counted in advance. @param {import('../schema/schema').Node} node */
function valueRoom(node) {
  return Math.max(VALUE, ...inlineForms(node).flatMap(constantsOf).map(text => stringBytes(text).length))
}

/**
 * The cases of a value, each with what stores its head and the value, else `other`.
 *
 * @param {import('../schema/schema').Node} node
 * @param {(type: number, value?: number[]) => string[]} head statements that store type and name, and what has always
 *   the same bytes
 * @param {string[]} mark statement that says which element it is, for errors
 * @param {Lines} other
 * @param {number} before bytes that a string's room includes for its head and what comes after
 * @param {number} after the same, without its own element
 * @returns {Lines}
 */
function cases(node, head, mark, other, before, after) {
  const names = namesOf(node)
  const types = new Set(node.forms.keys())
  const lines = []
  const add = (test, body) => lines.push(`${lines.length === 0 ? '' : '} else '}if (${test}) {`, body)
  for (const type of inOrder(inlineForms(node).map(form => form.type))) {
    const form = node.forms.get(type)
    const written = type === ELEMENT.DOCUMENT && node.isPositional ? ELEMENT.ARRAY : type
    const constants = constantsOf(form)
    for (const text of constants) add(`v === ${literal(text)}`, head(type, stringBytes(text)))
    for (const { test, put, isText, throws, moves } of writingOf(type, types, names)) {
      const rules = rulesOf(node, form, 'v', /typeof v === '(string|number|bigint)'/.test(test))
      const isAllowed = constants.length > 0 ? ' && !check' : rules === '' ? '' : ` && (!check || ${rules})`
      add(test + isAllowed, [
        ...(isText ? [`if (pos + 3 * v.length + ${before} > buf.length) {`, [
          `buf = out.reserve(pos, roomOf(v) + ${before})`,
          'view = out.view'
        ], '}'] : []),
        ...(throws ? mark : []),
        ...head(written),
        ...put,
        ...(moves ? again(after) : [])
      ])
    }
  }
  if (lines.length === 0) return other
  return [...lines, '} else {', other, '}']
}

/** Writes shapes and lists. */
class WriteSource {
  /** @param {bigint} fingerprint of a positional codec */
  constructor(fingerprint) {
    this.fingerprint = fingerprint
  }

  /**
   * @param {Layout} layout
   * @returns {Lines}
   */
  shape({ shape, isPositional, isRoot = false }) {
    const name = nameOf({ shape, isPositional, isRoot })
    const { fields } = shape
    const chunks = []
    for (let i = 0; i < fields.length; i += CHUNK) chunks.push(fields.slice(i, i + CHUNK))
    const masks = Array.from({ length: Math.ceil(fields.length / BITS) }, (_, i) => `m${i}`)
    const bodies = chunks.map(chunk => chunk.flatMap(field => this.field(field, fields, isPositional, isRoot)))
    const isWhole = chunks.length === 1
    const parts = isWhole ? [] : bodies.flatMap((body, i) => this.chunk(`write${name}Part${i}`, body, masks, shape))
    const need = this.need(fields, 0)
    const open = ['const start = pos', 'let buf = out.buf', `if (pos + ${need} > buf.length) buf = out.grow(pos, ${need})`]
    const body = [
      ...this.presence(shape, name, masks, isPositional),
      ...open,
      ...(isWhole ? ['let v, f = 0'] : []),
      'let view = out.view',
      'pos += 4',
      ...(isRoot ? this.putFingerprint() : []),
      ...(isWhole ? guarded(bodies[0], name) : bodies.map((_, i) => {
        return `pos = write${name}Part${i}(out, doc, pos, depth, check, ${masks.join(', ')})`
      })),
      ...(shape.additional === true && !isPositional
        ? [`if (rest) pos = slow.writeRest(out, ${shape.id}, doc, pos, depth, check)`] : []),
      'buf = out.reserve(pos, 1)',
      'buf[pos++] = 0',
      'out.view.setInt32(start, pos - start, true)',
      'return pos'
    ]
    const isUsed = uses(body.slice(body.indexOf('let view = out.view') + 1), 'view')
    const final = isUsed ? body : body.filter(line => line !== 'let view = out.view')
    return [...parts, `function write${name}(out, doc, pos, depth, check) {`, final, '}', '']
  }

  putFingerprint() {
    const [low, high] = halvesOf(this.fingerprint)
    return [
      ...putHead(HEAD, 8),
      `view.setInt32(pos, ${low}, true)`,
      `view.setInt32(pos + 4, ${high}, true)`,
      'pos += 8'
    ]
  }

  /** Which fields are there: `m0` and so on, a bit each; `rest` whether there are others. */
  presence(shape, name, masks, isPositional) {
    const { fields, additional } = shape
    const whole = leftTo({ shape, isPositional })
    const set = (mask, i) => `${mask} |= 1 << ${i}`
    const setOf = i => masks.length === 1 ? [set('m0', i)]
      : masks.map((mask, k) => `${k === 0 ? '' : 'else '}${k === masks.length - 1 ? '' : `if (${i} < ${BITS * (k + 1)}) `}${set(mask, i)}`)
    const known = additional === true && !isPositional
    const required = masks.map((mask, k) => {
      const bits = requiredBits(fields.slice(k * BITS, (k + 1) * BITS))
      return bits === 0 ? '' : `(${mask} & ${bits}) !== ${bits}`
    }).filter(Boolean)
    const isCounted = shape.least > 0 || shape.most < Infinity
    const reasons = [`depth > ${MAX_DEPTH}`, ...(isCounted ? ['check'] : [])].join(' || ')
    return [
      `if (${reasons}) return ${whole}`,
      `let ${[...masks.map(mask => `${mask} = 0`), 'next = 0', ...(known ? ['rest = false'] : [])].join(', ')}`,
      'for (const key in doc) {',
      [
        'if (!hasOwn.call(doc, key)) continue',
        `const i = key === names${name}[next] ? next : places${name}.get(key)`,
        'if (i === undefined) {',
        known ? ['rest = true', 'continue'] : [`return ${whole}`],
        '}',
        ...setOf('i'),
        'next = i + 1'
      ],
      '}',
      ...(required.length > 0 ? [`if (${required.join(' || ')}) return ${whole}`] : [])
    ]
  }

  /** Bytes of fixed length from a field on. */
  need(fields, from) {
    const roomOf = ({ name, node }) => bytesOf(name).length + 2 + valueRoom(node)
    return fields.slice(from).reduce((sum, field) => sum + roomOf(field), 5 + SLACK)
  }

  field(field, fields, isPositional, isRoot) {
    const { name, node, isRequired, index } = field
    const place = isPositional ? String(index + (isRoot ? 1 : 0)) : name
    const head = (type, value = []) => {
      return putHead([type, ...bytesOf(place), 0, ...value], value.length > 0 ? 0 : ROWS[type]?.least ?? 0)
    }
    const needs = [this.need(fields, index), this.need(fields, index + 1)]
    const how = `${isRequired ? 'REQUIRED' : 'OPTIONAL'}${isPositional ? '_PLACE' : ''}`
    const mark = [`f = ${index}`]
    const label = isPositional ? place : literal(name)
    const other = [
      ...mark,
      `pos = slow.writeElement(out, ${node.id}, { name: ${label}, value: v, how: ${how} }, pos, depth, check)`,
      ...again(needs[1])
    ]
    const lines = [`v = ${memberOf('doc', name)}`, ...cases(node, head, mark, other, needs[0], needs[1])]
    if (isRequired) return lines
    const test = `if (m${Math.floor(index / BITS)} & ${1 << index % BITS}) {`
    return isPositional ? [test, lines, '} else {', head(ELEMENT.UNDEFINED), '}'] : [test, lines, '}']
  }

  chunk(name, body, masks, shape) {
    return [
      `function ${name}(out, doc, pos, depth, check, ${masks.join(', ')}) {`,
      [
        'let buf = out.reserve(pos, ' + this.need(shape.fields, 0) + ')',
        'let view = out.view',
        'let v, f = 0',
        ...guarded(body, name.replace(/^write|Part\d+$/g, '')),
        'return pos'
      ],
      '}',
      ''
    ]
  }

  /** @param {import('../schema/schema').List} list @returns {Lines} */
  list(list) {
    const node = /** @type {import('../schema/schema').Node} */ (list.items)
    const need = INDEX + valueRoom(node) + SLACK
    const other = [`pos = slow.writeElement(out, ${node.id}, { name: i, value: v, how: ITEM }, pos, depth, check)`, ...again(need)]
    const loop = [
      'for (; i < array.length; i++) {',
      [
        `if (pos + ${need} > buf.length) {`,
        [`buf = out.grow(pos, ${need})`, 'view = out.view'],
        '}',
        'const v = array[i]',
        ...cases(node, itemHead, [], other, need, need)
      ],
      '}'
    ]
    const isCounted = list.least > 0 || list.most < Infinity
    const counts = isCounted ? ` || (check && (array.length < ${list.least} || array.length > ${list.most}))` : ''
    return [
      `function writeList${list.id}(out, array, pos, depth, check) {`,
      [
        `if (depth > ${MAX_DEPTH} || array.length > ${MAX_ITEMS}${counts}) return slow.writeList(out, ${list.id}, array, pos, depth, check)`,
        'const start = pos',
        'let buf = out.reserve(pos, 5)',
        'let view = out.view, i = 0',
        'pos += 4',
        'try {',
        loop,
        '} catch (error) {',
        ['throw cameThrough(error, array, i)'],
        '}',
        'buf = out.reserve(pos, 1)',
        'buf[pos++] = 0',
        'out.view.setInt32(start, pos - start, true)',
        'return pos'
      ],
      '}',
      ''
    ]
  }
}

/** @param {import('../schema/schema').Field[]} fields BITS at most */
function requiredBits(fields) {
  return fields.reduce((bits, { isRequired }, i) => (isRequired ? bits | (1 << i) : bits), 0)
}

/** As the heads of fields, of an item. @param {number} type @param {number[]} [value] @returns {Lines} */
function itemHead(type, value = []) {
  return [`pos = putIndexName(${type}, i, view, pos)`, ...(value.length > 0 ? putHead(value, 0) : [])]
}

/** @param {Lines} body @param {string} name of the shape */
function guarded(body, name) {
  return ['try {', body, '} catch (error) {', [`throw cameThrough(error, doc, names${name}[f])`], '}']
}

module.exports = { WriteSource, nameOf, namesOf, leftTo }
