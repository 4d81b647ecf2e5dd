'use strict'

// Writes the layout 'array'. A document whose fields are in the schema's order is written value by value, by a
// generated function. The fields of any other one, and of all of them where no code can be generated, are sorted first.

const { ELEMENT } = require('../spec')
const { hasOwn } = require('../properties')
const { BSONError } = require('../errors')
const codegen = require('../codegen')
const { enter, leave, prependPath, describeError, checkName, putDocument, putName, closeDocument } = require('../encode')
const { Checker } = require('../schema')
const { Writer, missingError } = require('./write')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype

/** Bytes of a document's size, its fingerprint and the name of its first value. */
const ROOM = 40

/** @typedef {import('../encode/output').Output} Output */

/** Whether rules of a node are about documents or arrays. @param {import('../schema/schema').Node} node */
function hasWhole({ isOpen, ruled, typeRules }) {
  return [ELEMENT.DOCUMENT, ELEMENT.ARRAY].some(type => (ruled & (1 << type)) !== 0 && (isOpen || typeRules.has(type)))
}

class PositionalWriter extends Writer {
  /**
   * @param {import('./plan').Plan} plan
   * @param {import('../schema/schema').Schema} schema
   * @param {import('./positional').Positional} positional
   */
  constructor(plan, schema, positional) {
    super(plan, schema)
    this.positional = positional
    /** Whether rules are about whole documents or arrays. These are about names, so they are checked at the end. */
    this.hasWhole = schema.nodes.some(hasWhole)
  }

  /** @override */
  makeDocumentWriter(shape) {
    if (!shape.isPositional) return super.makeDocumentWriter(shape)
    const own = { fields: shape.fields, countInOrder, hasOwn, missingError, closeDocument }
    const made = this.plan.encodePlan.checkKeys ? undefined : this.made(codegen.valuesWriter(shape), shape, own)
    return (shape.write = made ?? shape.writeAny)
  }

  /** @override */
  append(out, doc, pos, check) {
    const end = super.append(out, doc, pos, check)
    if (check && this.hasWhole) this.checkWhole(out, pos, end)
    return end
  }

  checkWhole(out, pos, end) {
    const { positional, schema, plan: { maxDepth } } = this
    try {
      positional.unpack(out.buf, pos, end, (bytes, start, after) => {
        new Checker(schema, bytes, maxDepth, null).check(schema.root, ELEMENT.DOCUMENT, start, start, after, 0)
      })
    } catch (error) {
      error.offset = undefined // the caller does not have these bytes
      throw describeError(error)
    }
  }

  /** @override */
  checkWritten(out, node, type, value, end) {
    if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) super.checkWritten(out, node, type, value, end)
  }

  /** A value that has no arm, or undefined. */
  putAt(out, { name, label, node }, doc, value, pos, check) {
    if (value !== undefined || hasOwn.call(doc, name)) {
      const end = this.putElement(out, node, label, value, pos, check)
      if (end !== pos) return end
    }
    return putName(out, ELEMENT.UNDEFINED, label, pos)
  }

  /** Fields in any order. Those that the schema does not name come last, in a document of their own. @override */
  anyWriter(shape) {
    if (!shape.isPositional) return super.anyWriter(shape)
    return (out, doc, pos, check, source = doc) => {
      const fields = fieldsOf(out, doc, pos, source)
      const cycleCheckpoint = enter(out, source)
      const start = pos
      const place = { key: null }
      out.reserve(pos, ROOM)
      pos = shape.isRoot ? this.positional.putFingerprint(out, pos + 4) : pos + 4
      try {
        pos = this.putFields(out, shape, fields, pos, check, place)
      } catch (error) {
        throw prependPath(error, source, place.key)
      }
      leave(out, cycleCheckpoint)
      return closeDocument(out, start, pos)
    }
  }

  /** The values of a document's fields. Notes the key that is written. @param {Map<string, any>} fields */
  putFields(out, shape, fields, pos, check, place) {
    let missing = null
    for (const { name, label, node, isRequired } of shape.fields) {
      const before = pos
      place.key = name
      if (fields.has(name)) pos = this.putElement(out, node, label, fields.get(name), pos, check)
      if (pos === before) {
        if (isRequired) missing ??= name
        pos = putName(out, ELEMENT.UNDEFINED, label, pos)
      }
      fields.delete(name)
    }
    place.key = null
    if (missing !== null) throw missingError(missing)
    if (fields.size === 0) return pos
    const beyond = putName(out, ELEMENT.DOCUMENT, String(shape.fields.length + (shape.isRoot ? 1 : 0)), pos)
    pos = beyond + 4
    for (const [name, value] of fields) {
      place.key = name
      pos = this.putElement(out, codegen.fieldOf(shape, name).node, name, value, pos, check)
    }
    return closeDocument(out, beyond, pos)
  }

  /** @override */
  putRaw() {
    throw new BSONError("raw documents cannot be written in the layout 'array'")
  }
}

/** The fields by their names, as `encode` finds them. @param {Output} out @returns {Map<string, any>} */
function fieldsOf(out, doc, pos, source) {
  const { checkKeys, ignoreUndefined } = out.plan
  const fields = new Map()
  putDocument(out, doc, pos, source, (out, name, value, pos) => {
    if (checkKeys) checkName(name)
    if (value !== undefined || !ignoreUndefined) fields.set(name, value)
    return pos
  })
  return fields
}

/** How many fields of the schema a document has, or -1 if it has others or another order. */
function countInOrder(out, fields, doc) {
  if (!out.forIn || getPrototypeOf(doc) !== objectPrototype) return -1
  let count = 0
  let i = 0
  for (const name in doc) {
    while (i < fields.length && fields[i].name !== name) i++
    if (i++ >= fields.length) return -1
    count++
  }
  return count
}

module.exports = { PositionalWriter }
