'use strict'

// What a writer knows about each place of its schema. Everything it needs for a value is in one object.

const { ELEMENT } = require('../spec')

/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Field} Field */

/** The index after the fields that the schema names, for additional fields. */
const BEYOND = 2 ** 30

/** A place for a value: a field, an item, or anything that the schema does not name. */
class Slot {
  /** @param {Node} node @param {Field} [field] if the place has a name */
  constructor(node, field) {
    this.node = node
    this.name = field === undefined ? '' : field.name
    /** The index of its value, if it is written without its name. */
    this.label = field?.label
    this.isRequired = field !== undefined && field.isRequired
    this.index = field === undefined ? BEYOND : field.index
    /** Types that are written without checks, as bits, and types that have further rules. */
    this.plain = node.plain
    this.ruled = node.ruled
    this.bounds = node.bounds
    /** What documents are written as: arrays, if they have no names. @type {number} */
    this.documentType = node.shape?.isPositional ? ELEMENT.ARRAY : ELEMENT.DOCUMENT
    /** @type {Layout | null} for documents */
    this.layout = null
    /** @type {ListLayout | null} for arrays */
    this.list = null
    /** Whether the schema restricts only the number of items of arrays. */
    this.isCountOnly = isCountOnly(node)
  }
}

/** @param {Node} node */
function isCountOnly({ list, rules, typeRules }) {
  return list !== null && !list.isUnique && rules.length === 0 && typeRules.get(ELEMENT.ARRAY).rules.length === 0
}

/** The slots of a shape's fields. */
class Layout {
  /** @param {import('../schema/schema').Shape} shape @param {(node: Node | boolean) => Node} nodeOf */
  constructor(shape, nodeOf) {
    this.shape = shape
    this.required = shape.required
    this.slots = shape.fields.map(field => new Slot(nodeOf(field.node), field))
    this.byName = new Map(this.slots.map(slot => [slot.name, slot]))
    this.patterns = shape.patterns.map(({ pattern, node }) => ({ pattern, slot: new Slot(nodeOf(node)) }))
    this.rest = new Slot(nodeOf(shape.additional))
    /** Whether one slot applies to all fields. */
    this.isMap = this.slots.length === 0 && this.patterns.length === 0
    /** Names that were not the expected ones, of the documents of one writer, and the number of those. */
    this.use = { names: 0, documents: 0 }
    /** @type {(out: any, doc: any, pos: number, check: boolean) => number} writes a document */
    this.write = null
    /** @type {(out: any, doc: any, pos: number, check: boolean, source?: any) => number} writes a Map, too */
    this.writeAny = null
  }

  /** @param {string} name of a field @returns {Slot} */
  slotOf(name) {
    const { byName, patterns, rest, use } = this
    use.names++
    if (this.isMap) return rest
    const named = byName.get(name)
    return named ?? (patterns.length === 0 ? rest : patterns.find(({ pattern }) => pattern.test(name))?.slot ?? rest)
  }
}

/** The slots of a list's items. */
class ListLayout {
  /** @param {import('../schema/schema').List} list @param {(node: Node | boolean) => Node} nodeOf */
  constructor(list, nodeOf) {
    this.slots = list.prefix.map(node => new Slot(nodeOf(node)))
    this.rest = new Slot(nodeOf(list.items))
    /**
     * @type {(out: any, slot: Slot, array: any[], pos: number, check: boolean) => number} writes the array of a slot
     */
    this.write = null
  }
}

/**
 * @param {Pick<import('../schema/schema').Schema, 'root' | 'shapes' | 'lists'>} schema
 * @param {(node: Node | boolean) => Node} nodeOf the node for any value, and for none
 * @returns {{root: Slot, slots: Slot[], layouts: Layout[], listLayouts: ListLayout[]}}
 */
function makeSlots({ root, shapes, lists }, nodeOf) {
  const layouts = shapes.map(shape => new Layout(shape, nodeOf))
  const listLayouts = lists.map(list => new ListLayout(list, nodeOf))
  const slot = new Slot(root)
  const inner = layouts.flatMap(({ slots, patterns, rest }) => [...slots, ...patterns.map(one => one.slot), rest])
  const slots = [slot, ...inner, ...listLayouts.flatMap(({ slots, rest }) => [...slots, rest])]
  for (const one of slots) {
    const { shape, list } = one.node
    if (shape !== null) one.layout = layouts[shape.id]
    if (list !== null) one.list = listLayouts[list.id]
  }
  return { root: slot, slots, layouts, listLayouts }
}

module.exports = { Slot, Layout, ListLayout, makeSlots }
