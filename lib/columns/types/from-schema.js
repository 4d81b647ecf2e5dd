'use strict'

// A $jsonSchema -> the type of columns. Other restrictions than types (lengths, patterns) are not checked.

const { ELEMENT } = require('../../spec')
const { BSONError } = require('../../errors')
const { parseSchema } = require('../../schema')
const { KIND, KIND_OF, NUMBERS, DECIMALS, DECIMALS_AND_NUMBERS, widest, MAX_COLUMNS, MAX_LEVELS } = require('../layout/kinds')

const JSON_TYPE = Object.freeze({ kind: KIND.JSON })

/**
 * @param {any} schema a $jsonSchema, or a validator that contains one
 * @param {{forms: Pick<import('../layout/forms').Forms, 'decimals'>}} options
 * @returns {import('../layout/kinds').Type} of the documents
 * @throws {BSONError} on an invalid or unsupported schema, and on too many columns
 */
function typeFromSchema(schema, { forms }) {
  const { root, shape } = parseSchema(schema)
  if (shape.fields.length === 0) throw new BSONError('the schema describes no fields')
  const recursive = new Set()
  for (;;) {
    const context = new Context(root, recursive, forms)
    const type = structType(shape, context)
    if (!context.isOver) return type
  }
}

class Context {
  constructor(root, recursive, { decimals }) {
    this.decimals = decimals
    /** Nodes that contain themselves, and cannot be columns. */
    this.recursive = recursive
    this.columns = 0
    /** The enclosing nodes. */
    this.open = new Set([root])
    /** Whether another node turned out to be recursive, which restarts the conversion. */
    this.isOver = false
  }

  /** @returns {boolean} whether it cannot be columns */
  isRecursive(node) {
    if (this.recursive.has(node)) return true
    if (this.open.has(node)) {
      this.recursive.add(node)
      this.isOver = true
    }
    return this.isOver
  }
}

function typeOfNode(node, context) {
  if (++context.columns > MAX_COLUMNS) throw new BSONError(`the schema has more than ${MAX_COLUMNS} columns: choose some with fields`)
  if (node.isOpen || context.isRecursive(node) || context.open.size >= MAX_LEVELS) return JSON_TYPE
  const types = [...node.typeRules.keys()].filter(type => type !== ELEMENT.NULL && type !== ELEMENT.UNDEFINED)
  if (types.length === 0) return { kind: KIND.NULL }
  if (types.every(type => NUMBERS.includes(type))) return { kind: widest(types) }
  if (types.length === 1) return typeOfOne(node.typeRules.get(types[0]), node, context)
  return context.decimals !== null && types.every(type => DECIMALS.includes(type)) ? DECIMALS_AND_NUMBERS : JSON_TYPE
}

function typeOfOne(rule, node, context) {
  context.open.add(node)
  const type = typeOfRule(rule, context)
  context.open.delete(node)
  return type
}

function typeOfRule({ type, shape, list }, context) {
  if (type === ELEMENT.DOCUMENT) return shape === null ? JSON_TYPE : documentType(shape, context)
  if (type === ELEMENT.ARRAY) return { kind: KIND.LIST, items: itemsType(list, context) }
  if (type === ELEMENT.BINARY) return { kind: KIND.BINARY, subtype: null }
  const kind = KIND_OF.get(type)
  return kind === undefined ? JSON_TYPE : { kind }
}

function documentType(shape, context) {
  if (shape.fields.length > 0) return structType(shape, context)
  const { additional } = shape
  return typeof additional === 'boolean' ? JSON_TYPE : { kind: KIND.MAP, items: typeOfNode(additional, context) }
}

function structType(shape, context) {
  return { kind: KIND.STRUCT, fields: new Map(shape.fields.map(({ name, node }) => [name, typeOfNode(node, context)])) }
}

function itemsType(list, context) {
  if (list === null || list.prefix.length > 0 || typeof list.items === 'boolean') return JSON_TYPE
  return typeOfNode(list.items, context)
}

module.exports = { typeFromSchema }
