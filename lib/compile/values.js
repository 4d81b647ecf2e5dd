'use strict'

// Writes the layout 'array'. A document whose fields are in the schema's order is written value by value, by a
// generated function. The fields of any other one, and of all of them where no code can be generated, are sorted first.

const { ELEMENT } = require('../spec')
const { hasOwn } = require('../properties')
const { BSONError } = require('../errors')
const codegen = require('../codegen')
const { enter, leave, prependPath, describeError, checkName, putDocument, putName, closeDocument } = require('../encode')
const { Checker } = require('../schema')
const { PARTS, Writer, missingError } = require('./write')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype

/** Bytes of a document's size, its fingerprint and the name of its first value. */
const ROOM = 40

/** @typedef {import('../encode/output').Output} Output */
/** @typedef {import('../codegen/slots').Slot} Slot */

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
  makeDocumentWriter(layout) {
    const { slots, shape } = layout
    if (!shape.isPositional) return super.makeDocumentWriter(layout)
    const scope = { ...PARTS, writer: this, layout, slots, countInOrder, hasOwn, missingError, closeDocument }
    const lines = codegen.valuesWriter(layout)
    const made = this.plan.encodePlan.checkKeys ? undefined : codegen.compile(scope, codegen.textOf(lines))
    return (layout.write = /** @type {any} */ (made) ?? layout.writeAny)
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

  /** The fingerprint of the schema, which comes before the root's values. */
  putFingerprint(out, pos) {
    return this.positional.putFingerprint(out, pos)
  }

  /** A value that has no arm, or undefined. @param {Slot} slot @returns {number} */
  putAt(out, slot, doc, value, pos, check) {
    if (value !== undefined || hasOwn.call(doc, slot.name)) {
      const end = this.putElement(out, slot, slot.label, value, pos, check)
      if (end !== pos) return end
    }
    return putName(out, ELEMENT.UNDEFINED, slot.label, pos)
  }

  /** Fields in any order. Those that the schema does not name come last, in a document of their own. @override */
  anyWriter(layout) {
    if (!layout.shape.isPositional) return super.anyWriter(layout)
    return (out, doc, pos, check, source = doc) => {
      const fields = fieldsOf(out, doc, pos, source)
      const cycleCheckpoint = enter(out, source)
      const start = pos
      const place = { key: null }
      out.reserve(pos, ROOM)
      pos = layout.shape.isRoot ? this.putFingerprint(out, pos + 4) : pos + 4
      try {
        pos = this.putFields(out, layout, fields, pos, check, place)
      } catch (error) {
        throw prependPath(error, source, place.key)
      }
      leave(out, cycleCheckpoint)
      return closeDocument(out, start, pos)
    }
  }

  /** The values of a document's fields. Notes the key that is written. @param {Map<string, any>} fields */
  putFields(out, layout, fields, pos, check, place) {
    const { slots, shape } = layout
    let missing = null
    for (const slot of slots) {
      const { name, label } = slot
      const before = pos
      place.key = name
      if (fields.has(name)) pos = this.putElement(out, slot, label, fields.get(name), pos, check)
      if (pos === before) {
        if (slot.isRequired) missing ??= name
        pos = putName(out, ELEMENT.UNDEFINED, label, pos)
      }
      fields.delete(name)
    }
    place.key = null
    if (missing !== null) throw missingError(missing)
    if (fields.size === 0) return pos
    const beyond = putName(out, ELEMENT.DOCUMENT, String(slots.length + (shape.isRoot ? 1 : 0)), pos)
    pos = beyond + 4
    for (const [name, value] of fields) {
      place.key = name
      pos = this.putElement(out, layout.slotOf(name), name, value, pos, check)
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

/**
 * How many fields of the schema a document has, or -1 if it has others or another order.
 *
 * @param {Output} out @param {Slot[]} slots
 */
function countInOrder(out, slots, doc) {
  if (!out.forIn || getPrototypeOf(doc) !== objectPrototype) return -1
  let count = 0
  let i = 0
  for (const name in doc) {
    while (i < slots.length && slots[i].name !== name) i++
    if (i++ >= slots.length) return -1
    count++
  }
  return count
}

module.exports = { PositionalWriter }
