'use strict'

// Writes the layout 'array'. A document whose fields are in the schema's order is written value by value, by a
// generated function. Any other one, and all of them where no code can be generated or where a rule is about a whole
// document or array, is written with names, which are then left out.

const { ELEMENT } = require('../spec')
const codegen = require('../codegen')
const { SCRATCH_KEEP, Output, putName, closeDocument } = require('../encode')
const { Layout } = require('./slots')
const { PARTS, Writer, missingError } = require('./write')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype
const hasOwn = objectPrototype.hasOwnProperty

/** @typedef {import('./slots').Slot} Slot */

class PositionalWriter extends Writer {
  /** @param {Writer} named writes documents with names @param {import('./positional').Positional} positional */
  constructor(named, positional) {
    super(named.plan, named.schema, true)
    this.named = named
    this.positional = positional
    const isWhole = node => node.isRuled && (node.shape !== null || node.list !== null)
    this.hasValues = !this.plan.encodePlan.checkKeys && !this.schema.nodes.some(isWhole)
    /** Holds bytes with names; null while it is in use. @type {Output | null} */
    this.spare = null
  }

  /** @override */
  prepare() {
    this.named.root ??= this.named.prepare()
    const root = super.prepare()
    for (const slot of this.slots) if (slot.layout?.isPositional) slot.documentType = ELEMENT.ARRAY
    // a layout of its own: a document of the same shape inside has no fingerprint
    root.layout = Object.assign(Object.create(Layout.prototype), root.layout, { isRoot: true })
    const { layout } = root
    layout.write = (out, doc, pos, check) => this.makeDocumentWriter(layout)(out, doc, pos, check)
    return root
  }

  /** @override */
  makeDocumentWriter(layout) {
    if (!layout.isPositional) return super.makeDocumentWriter(layout)
    const { slots, isRoot } = layout
    const scope = { ...PARTS, writer: this, layout, slots, countInOrder, hasOwn, missingError, closeDocument }
    const lines = codegen.valuesWriter(layout, isRoot)
    const made = this.hasValues ? codegen.compile(scope, codegen.textOf(lines)) : undefined
    const named = (out, doc, pos, check) => this.putNamed(out, layout, doc, pos, check, doc)
    return (layout.write = /** @type {any} */ (made) ?? named)
  }

  /** The fingerprint of the schema, which comes before the root's values. */
  putFingerprint(out, pos) {
    return this.positional.putFingerprint(out, pos)
  }

  /** A value that has no arm, or undefined. @param {Slot} slot @param {string} label its index @returns {number} */
  putAt(out, slot, label, doc, value, pos, check) {
    if (value !== undefined || hasOwn.call(doc, slot.name)) {
      const end = this.putElement(out, slot, label, value, pos, check)
      if (end !== pos) return end
    }
    return putName(out, ELEMENT.UNDEFINED, label, pos)
  }

  /** Any document, by way of its bytes with names. `source` identifies it for cycle detection. */
  putNamed(out, layout, doc, pos, check, source) {
    const named = this.spare ?? new Output()
    this.spare = null
    const { plan, depth, cycleCheckpoint, forIn } = out
    Object.assign(named, { plan, depth, cycleCheckpoint, forIn })
    const start = named.beginScratch()
    const own = this.named.layouts[layout.shape.id]
    const end = source === doc
      ? own.write(named, doc, start, check)
      : this.named.putOther(named, own, doc, start, check, source)
    const { node } = this.root
    if (layout.isRoot && check && node.isRuled) this.named.checkWritten(named, node, ELEMENT.DOCUMENT, start, end)
    pos = this.positional.pack(out, named.buf, start, end, pos, layout.isRoot ? undefined : layout.shape)
    named.memo = named.cycleCheckpoint = null
    if (named.scratch.length <= SCRATCH_KEEP) this.spare = named
    return pos
  }

  /** @override */
  putReference(out, layout, doc, pos, check, source) {
    if (!layout.isPositional) return super.putReference(out, layout, doc, pos, check, source)
    return this.putNamed(out, layout, doc, pos, check, source)
  }

  /** Checked before the names are left out. @override */
  checkDocument() {}
}

/**
 * How many fields of the schema a document has, or -1 if it has others or another order.
 *
 * @param {InstanceType<typeof Output>} out
 * @param {Slot[]} slots
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
