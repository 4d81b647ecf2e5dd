'use strict'

// The source of functions that write documents and arrays of a schema: the loops of compile/write.js, with an arm for
// each field where it is expected, and for each type that its value may have. A value that fits no arm is handled like
// any value, in the same loop: nothing bails out, and no property is read twice.

const { ELEMENT } = require('../spec')
const { isInherited } = require('../properties')
const { wordAt } = require('./compile')
const { literal, memberOf, bytesOf, placeOf } = require('./source')
const { TYPES } = require('./types')

/** @typedef {import('./source').Lines} Lines */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('./fields').Shape} Shape */

/** Limits on arms: fields, and bytes of their names including the type and the 0x00. */
const MAX_ARMS = 128
const MAX_NAME = 64

/** Maximum number of optional fields that are tried one after another. */
const MAX_TRIED = 8

/** Bytes of a value of fixed length, an index and a type. */
const ROOM = 40

/**
 * The place of an arm: the source of its node, of the type and the name, and of the code after the value.
 *
 * @typedef {{source: string, head: (type: number) => Lines, done: Lines}} Place
 */

/**
 * Source that reserves room. All arms share it: V8 discards compiled code when it reaches a path that it has not seen,
 * and would do so for each arm.
 */
function reserve(bytes) {
  return `if (pos + ${bytes} > out.buf.length) out.grow(pos, ${bytes})`
}

/** type | name 0x00, in words that may overlap. @param {number[]} bytes @returns {Lines} */
function headOf(bytes) {
  const { length } = bytes
  const lines = length < 4 ? bytes.map((byte, i) => `out.buf[${placeOf('pos', i)}] = ${byte}`) : []
  for (let i = 0; i < length && length >= 4; i += 4) {
    const k = Math.min(i, length - 4)
    lines.push(`out.view.setInt32(${placeOf('pos', k)}, ${wordAt(bytes, k)}, true)`)
  }
  return [...lines, `pos += ${length}`]
}

/** Types that a whole number is written as instead of double. */
const WHOLE = (1 << ELEMENT.INT32) | (1 << ELEMENT.INT64) | (1 << ELEMENT.DECIMAL128)

/** Types of objects without an arm of their own. */
const OTHERS = [ELEMENT.BINARY, ELEMENT.INT64, ELEMENT.DECIMAL128, ELEMENT.TIMESTAMP, ELEMENT.REGEX]
  .reduce((bits, type) => bits | (1 << type), 0)

/**
 * Conditions under which a value is written as the type of a row and follows the rules that are checked beforehand;
 * null if there is no arm.
 *
 * @param {Pick<Node, 'plain' | 'ruled' | 'bounds'>} node @param {import('./types').Row} row
 */
function testsOf({ plain, ruled, bounds }, { type, is }) {
  if (is === undefined || (plain & (1 << type)) === 0) return null
  const tests = type === ELEMENT.DOUBLE && (plain & WHOLE) !== 0 ? [is, `!(${TYPES.get(ELEMENT.INT32).is})`] : [is]
  if (type === ELEMENT.STRING || (ruled & (1 << type)) === 0) return tests
  if (bounds === null || (type !== ELEMENT.INT32 && type !== ELEMENT.DOUBLE)) return null
  return [...tests, `(!check || (value >= ${bounds.least} && value <= ${bounds.most}))`]
}

/** The arms of a node, one per type. */
function armsOf(node, { source, head, done }) {
  const { plain, ruled, shape, list } = node
  const arm = (tests, type, put, rule) => [
    `if (${tests.join(' && ')}) {`,
    [...head(type), ...(rule ? ['const start = pos', ...put, `if (check) ${rule}`] : put), ...done],
    '}'
  ]
  const isRuled = type => (ruled & (1 << type)) !== 0
  const values = []
  const objects = []
  for (const one of TYPES.values()) {
    const { type, isObject, put } = one
    const tests = testsOf(node, one)
    const rule = type === ELEMENT.STRING && isRuled(type) ? `writer.checkText(out, ${source}, value, start, pos)` : ''
    if (tests !== null) (isObject ? objects : values).push(...arm(tests, type, put, rule))
  }
  if (shape !== null) {
    const rule = isRuled(ELEMENT.DOCUMENT) ? `writer.checkWritten(out, ${source}, ${ELEMENT.DOCUMENT}, start, pos)` : ''
    const put = [`pos = ${source}.shape.write(out, value, pos, check)`]
    objects.push(...arm(['prototype === objectPrototype'], shape.isPositional ? ELEMENT.ARRAY : ELEMENT.DOCUMENT, put, rule))
  }
  if ((plain & OTHERS) !== 0) {
    const tests = ['type !== undefined', `(${plain & OTHERS} & (1 << type)) !== 0`]
    const write = ['out.buf[before] = type', 'const start = pos', 'pos = putValue(out, type, value, pos)']
    const rule = (ruled & OTHERS) !== 0 ? [`if (check) writer.checkValue(out, ${source}, type, value, start, pos)`] : []
    objects.push('const type = ELEMENT_BY_PROTOTYPE.get(prototype)', `if (${tests.join(' && ')}) {`,
      ['const before = pos', ...head(0), ...write, ...rule, ...done], '}')
  }
  const isAnyArray = list === null && (plain & ~ruled & (1 << ELEMENT.ARRAY)) !== 0
  const putArray = isAnyArray ? 'pos = putArray(out, value, pos)' : `pos = ${source}.list.write(out, ${source}, value, pos, check)`
  const arrays = list === null && !isAnyArray ? [] : [...head(ELEMENT.ARRAY), putArray, ...done]
  if (arrays.length + objects.length === 0) return values
  const others = objects.length === 0 ? [] : ['} else {', ['const prototype = getPrototypeOf(value)', ...objects]]
  return [
    ...values,
    "if (typeof value === 'object' && value !== null && typeof value.toBSON !== 'function') {",
    ['if (Array.isArray(value)) {', arrays, ...others, '}'],
    '}'
  ]
}

/**
 * The arm of a field, where it is expected. If the field is optional, the next one is tried too. Only a few are, so
 * that no document has every name compared with all the others.
 */
function fieldArm({ name, node, index, isRequired }) {
  const bytes = bytesOf(name)
  const done = [...(isRequired ? ['missing--'] : []), `next = ${index + 1}`, 'continue fields']
  const head = type => headOf([type, ...bytes, 0])
  const isLast = isRequired || index % MAX_TRIED === MAX_TRIED - 1
  const arms = armsOf(node, { source: `nodes[${index}]`, head, done })
  // a field that was always without one is no surprise
  const count = arms.length > 0 ? ['shape.use.names++'] : []
  return [
    `case ${index}:`,
    [
      `if (name === ${literal(name)}) {`,
      [...arms, ...count, 'known = true', 'break'],
      '}',
      ...(isLast ? ['break'] : [])
    ]
  ]
}

/** The arms of all fields. Where another field than the expected one comes, its own arm is tried next. */
function armsOfFields({ fields, rest, isMap }, isAllowed) {
  if (isMap) {
    const head = type => [`pos = putName(out, ${type}, name, pos)`]
    return armsOf(rest.node, { source: 'rest', head, done: ['continue fields'] })
  }
  const named = fields.slice(0, MAX_ARMS).filter(({ name }) => isAllowed(name) && bytesOf(name).length + 2 <= MAX_NAME)
  return ['let known = false', 'for (;;) {', [
    'switch (next) {', named.flatMap(fieldArm), '}',
    'if (known || (value === undefined && isGone(doc, name, value))) break',
    'known = true',
    'shape.use.names++',
    'next = fieldOf(shape, name).index'
  ], '}']
}

/**
 * @param {Shape} shape
 * @param {(name: string) => boolean} isAllowed whether a name may be written without a check
 * @returns {Lines} the lines of a function
 */
function documentWriter(shape, isAllowed) {
  const { isMap, required } = shape
  return ['function write(out, doc, pos, check) {', [
    'const isOther = !out.forIn || getPrototypeOf(doc) !== objectPrototype',
    'if (isOther) return shape.writeAny(out, doc, pos, check)',
    'const cycleCheckpoint = enter(out, doc)',
    'const first = pos',
    'let next = 0',
    `let missing = ${required}`,
    "let key = ''",
    reserve(5),
    'pos += 4',
    'try {',
    ['fields: for (const name in doc) {', [
      'key = name',
      ...(isMap ? [] : [reserve(MAX_NAME + ROOM)]),
      'const value = doc[name]',
      ...armsOfFields(shape, isAllowed),
      'if (value === undefined && isGone(doc, name, value)) continue',
      'const field = fieldOf(shape, name)',
      'const end = writer.putElement(out, field.node, name, value, pos, check)',
      'if (end === pos) continue',
      'pos = end',
      'next = field.index + 1',
      'if (field.isRequired) missing--'
    ], '}'],
    '} catch (error) {',
    ['throw prependPath(error, doc, key)'],
    '}',
    'leave(out, cycleCheckpoint)',
    'return endDocument(out, shape, first, pos, missing)'
  ], '}']
}

/**
 * A positional document: its values in the schema's order, each with its index. A document that has other fields, or
 * another order, is written by `writer`.
 *
 * @param {Shape} shape
 * @returns {Lines} the lines of a function
 */
function valuesWriter({ fields, isRoot }) {
  const values = fields.flatMap(({ name, node, label, isRequired }, i) => {
    const head = type => headOf([type, ...bytesOf(label), 0])
    const isOwn = `${isInherited(name) ? '' : 'isWhole || '}hasOwn.call(doc, ${literal(name)})`
    const value = `const value = ${isOwn} ? ${memberOf('doc', name)} : undefined`
    const rest = `pos = writer.putAt(out, fields[${i}], doc, value, pos, check)`
    const isMissing = `if (out.buf[before] === ${ELEMENT.UNDEFINED}) missing ??= key`
    return [`value${i}: {`, [
      `key = ${literal(name)}`,
      value,
      reserve(ROOM),
      ...armsOf(node, { source: `nodes[${i}]`, head, done: [`break value${i}`] }),
      ...(isRequired ? ['const before = pos', rest, isMissing] : [rest])
    ], '}']
  })
  return ['function write(out, doc, pos, check) {', [
    'const count = countInOrder(out, fields, doc)',
    'if (count === -1) return shape.writeAny(out, doc, pos, check)',
    `const isWhole = count === ${fields.length}`,
    'const cycleCheckpoint = enter(out, doc)',
    'const first = pos',
    'let missing = null',
    "let key = ''",
    reserve(ROOM),
    isRoot ? 'pos = writer.positional.putFingerprint(out, pos + 4)' : 'pos += 4',
    'try {',
    values,
    '} catch (error) {',
    ['throw prependPath(error, doc, key)'],
    '}',
    'leave(out, cycleCheckpoint)',
    'if (missing !== null) throw missingError(missing)',
    'return closeDocument(out, first, pos)'
  ], '}']
}

/** @param {import('./fields').List} list whose items have one type @returns {Lines} the lines of a function */
function listWriter({ rest }) {
  const head = type => [`pos = putIndexName(${type}, i, out.view, pos)`]
  return ['function write(out, node, array, pos, check) {', [
    'const cycleCheckpoint = enter(out, array)',
    'checkLength(array)',
    'const first = pos',
    reserve(5),
    'pos += 4',
    'let i = 0',
    'try {',
    ['for (; i < array.length; i++) {', [
      'const value = array[i]',
      reserve(ROOM),
      ...armsOf(rest, { source: 'rest', head, done: ['continue'] }),
      'pos = writer.putItem(out, rest, i, value, pos, check)'
    ], '}'],
    '} catch (error) {',
    ['throw prependPath(error, array, i)'],
    '}',
    'leave(out, cycleCheckpoint)',
    'return writer.endList(out, node, i, first, pos, check)'
  ], '}']
}

module.exports = { documentWriter, valuesWriter, listWriter }
