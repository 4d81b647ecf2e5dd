'use strict'

// Which element type a value gets at a place of the schema, and what is said when it can have none.

const { ELEMENT } = require('../spec')
const { BSONError } = require('../errors')
const { OMIT, typeOf, isInt32 } = require('../encode/value-type')
const { Decimal128 } = require('../types')
const { NAME_BY_TYPE } = require('../schema/allowed')
const { show } = require('../schema/rules')

/** What a place allows, in words. @param {import('../schema/schema').Node} node */
function typesOf(node) {
  return [...node.forms.keys()].map(type => NAME_BY_TYPE.get(type)).join(' or ')
}

/** @param {import('../schema/schema').Node} node @param {number} type what there is */
function expected(node, type) {
  return `expected ${typesOf(node)}, found ${NAME_BY_TYPE.get(type)}`
}

/**
 * @param {import('../schema/schema').Node} node
 * @param {any} value after its `toBSON`
 * @param {import('../encode/options').EncodePlan} plan
 * @param {boolean} isItem whether it is an item of an array
 * @returns {number} element type, or OMIT
 * @throws {BSONError} when the value has no type that is allowed here
 */
function pickType(node, value, plan, isItem) {
  if (typeof value === 'number') return numberType(node, value)
  const isNull = value === undefined && (isItem || !plan.ignoreUndefined)
  const type = isNull ? ELEMENT.NULL : typeOf(value, plan.serializeFunctions)
  if (type === OMIT || node.isOpen || node.forms.has(type)) return type
  throw new BSONError(expected(node, type))
}

/** What `encode` writes where that is allowed, else the first type in the schema's order that can hold the number. */
function numberType(node, number) {
  const natural = isInt32(number) ? ELEMENT.INT32 : ELEMENT.DOUBLE
  if (node.isOpen || node.forms.has(natural)) return natural
  for (const type of node.forms.keys()) {
    if (type === ELEMENT.DOUBLE || type === ELEMENT.DECIMAL128) return type
    if (type === ELEMENT.INT64 && isExactInt64(number)) return type
  }
  throw new BSONError(`expected ${typesOf(node)}, found the number ${Object.is(number, -0) ? '-0' : show(number)}`)
}

/** Integers up to 2^53; -0 has no int64. @param {number} number */
function isExactInt64(number) {
  return Number.isInteger(number) && Math.abs(number) <= 9007199254740992 && !Object.is(number, -0)
}

/** A plain number where the schema says long or decimal. */
function convert(type, value) {
  if (typeof value !== 'number') return value
  if (type === ELEMENT.INT64) return BigInt(value)
  if (type === ELEMENT.DECIMAL128) return decimalOf(value)
  return value
}

/** @param {number} number @returns {Decimal128} */
function decimalOf(number) {
  return Decimal128.fromString(Object.is(number, -0) ? '-0' : String(number))
}

module.exports = { expected, pickType, convert }
