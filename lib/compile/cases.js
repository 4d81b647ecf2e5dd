'use strict'

// How the source of a compiled codec writes a value, by element type: the cases in which it gets that type. Types
// without cases are left to write.js.

const { ELEMENT } = require('../spec')
const { containerName } = require('./source')

/** @typedef {import('./source').Lines} Lines */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Form} Form */
/** @typedef {{use: (name: string) => string}} WriteSource */

/** As the encoder: -0 is no int32. */
const IS_INT32 = "typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)"

/** Numbers that are themselves as an int64, -0 excepted. */
const IS_INT64 = "typeof v === 'number' && v >= -9007199254740992 && v <= 9007199254740992 && " +
  'Math.floor(v) === v && (v !== 0 || 1 / v > 0)'

const PUT_INT64 = ['view.setInt32(pos, v | 0, true)', 'view.setInt32(pos + 4, Math.floor(v / 4294967296), true)', 'pos += 8']

/**
 * A value gets a type if `test`; then `put` writes it at `pos`, behind its head, into room for all of fixed length.
 *
 * @typedef {object} Case
 * @property {string} test
 * @property {Lines} put
 * @property {boolean} [isPrimitive] whether the value is a string or a number, not one of the classes
 * @property {boolean} [isText] whether room is needed for a string first
 * @property {boolean} [throws] whether it may throw
 * @property {boolean} [moves] whether the output may be another afterwards
 * @property {boolean} [isNatural] whether it is what `encode` writes
 */

/** An instance of one of the classes, and of no other that is derived from it. @returns {Case[]} */
function instance(source, name, put) {
  return [{ test: isOf(source, name), put: [`pos = ${put}`], throws: true, isNatural: true }]
}

/**
 * In line, for the engine to know the hidden class at each place: the property is asked for first, and the prototype is
 * known with it then.
 */
function isOf({ use }, name) {
  return "typeof v === 'object' && v !== null && v.toBSON === undefined && " +
    `${use('getPrototypeOf')}(v) === ${use(name)} && !Array.isArray(v)`
}

/**
 * The cases in which a value gets a type, where a node allows its types.
 *
 * @type {Map<number, (source: WriteSource, node: Node, form: Form) => Case[]>}
 */
const CASES = new Map(/** @type {[number, (source: WriteSource, node: Node, form: Form) => Case[]][]} */ ([
  [ELEMENT.STRING, ({ use }) => [{
    test: "typeof v === 'string'",
    isPrimitive: true,
    isText: true,
    isNatural: true,
    put: [`const e = ${use('putUtf8')}(v, buf, pos + 4)`, 'view.setInt32(pos, e - pos - 3, true)', 'buf[e] = 0', 'pos = e + 1']
  }]],
  [ELEMENT.INT32, () => [{
    test: IS_INT32, isPrimitive: true, isNatural: true, put: ['view.setInt32(pos, v, true)', 'pos += 4']
  }]],
  [ELEMENT.INT64, ({ use }, node) => [
    ...int64OfNumber(node),
    {
      test: "typeof v === 'bigint' && BigInt.asIntN(64, v) === v",
      isPrimitive: true,
      put: ['view.setBigInt64(pos, v, true)', 'pos += 8']
    },
    ...instance({ use }, 'longPrototype', `${use('putLong')}(out, v, pos)`)
  ]],
  // which of several types a plain number gets is left to write.js where one of them is decimal
  [ELEMENT.DOUBLE, ({ use }, { forms }) => (forms.has(ELEMENT.DECIMAL128) ? [] : [{
    test: "typeof v === 'number'", isPrimitive: true, put: [`${use('setDouble')}(view, pos, v)`, 'pos += 8']
  }])],
  [ELEMENT.BOOLEAN, () => [{ test: "typeof v === 'boolean'", isNatural: true, put: ['buf[pos++] = v ? 1 : 0'] }]],
  [ELEMENT.NULL, () => [{ test: 'v === null', isNatural: true, put: [] }]],
  [ELEMENT.OBJECT_ID, ({ use }) => instance({ use }, 'objectIdPrototype', `${use('putObjectId')}(out, v, pos)`)],
  [ELEMENT.DATETIME, ({ use }) => instance({ use }, 'datePrototype', `${use('putDate')}(out, v, pos)`)],
  [ELEMENT.DECIMAL128, ({ use }) => instance({ use }, 'decimal128Prototype', `${use('putDecimal128')}(v, buf, pos)`)],
  [ELEMENT.BINARY, ({ use }) => [{
    test: `${use('isBinary')}(v)`, put: [`pos = ${use('putBinary')}(out, v, pos)`], throws: true, moves: true, isNatural: true
  }]],
  [ELEMENT.DOCUMENT, (source, node, form) => [{
    test: isOf(source, 'objectPrototype'), put: [`pos = write${containerName(node, form)}(out, v, pos, check)`], throws: true, moves: true
  }]],
  [ELEMENT.ARRAY, (source, node, form) => [{
    test: 'Array.isArray(v) && v.toBSON === undefined',
    put: [`pos = write${containerName(node, form)}(out, v, pos, check)`],
    throws: true,
    moves: true
  }]]
]))

/** A plain number as int64: all integers, or those below 2^31 where others are doubles; see `numberType`. */
function int64OfNumber({ forms }) {
  if (forms.has(ELEMENT.DECIMAL128)) return []
  if (!forms.has(ELEMENT.DOUBLE)) return [{ test: IS_INT64, isPrimitive: true, put: PUT_INT64 }]
  const order = [...forms.keys()]
  const isFirst = !forms.has(ELEMENT.INT32) && order.indexOf(ELEMENT.INT64) < order.indexOf(ELEMENT.DOUBLE)
  return isFirst ? [{ test: IS_INT32, isPrimitive: true, put: PUT_INT64 }] : []
}

module.exports = { CASES }
