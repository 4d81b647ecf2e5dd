'use strict'

// Learns to write recurring documents, for a process that writes mostly one kind of them: when nine of ten documents
// have the same fields, or when most bytes lie in long arrays of like documents. What is known of them is read from the
// bytes that were written, so that no getter is called twice. The function that writes them is the one that `compile`
// generates for a schema (codegen/write-source.js), without rules: a field or a value that it has no arm for is written
// as any other. It is dropped when the documents change.

const { ELEMENT } = require('../spec')
const { getUtf8Lossy } = require('../bytes')
const { ElementCursor } = require('../elements')
const codegen = require('../codegen')
const { NEVER, learning } = require('./learning')

/** An object, so that tests can change it: see configure(). */
const LEARN = {
  /** One in this many documents is sampled, on average, and a long array for every so many items. */
  sampleEvery: 512,
  itemsEvery: 8192,
  /** Samples that are compared, and how many of them must be alike. */
  window: 32,
  alike: 29,
  /** The share of long arrays among all bytes, and samples of them with like items, before these are learned. */
  share: 0.5,
  lists: 8,
  /** Names that a writer may meet without knowing them, besides one per document. */
  trial: 4096
}

/** Limits on one writer: fields in all of its documents, fields in one, and items of an array that are looked at. */
const MAX_NODES = 256
const MAX_FIELDS = 64
const MAX_ITEMS = 32

/** The share of names that like documents have in common: some fields are optional. */
const COMMON = 3 / 4

/** Documents with more fields, on average, than this share of all that have been seen are dictionaries. */
const REPEATED = 1 / 4

/** Shapes of items that are counted at the same time. */
const MAX_CANDIDATES = 16

/** Places of all writers; then all are forgotten. Each takes 4 to 9 kB with what the engine generates. */
const MAX_PLACES = 1024

/**
 * What was seen at one place.
 *
 * @typedef {object} Node
 * @property {number} types of the values, as bits
 * @property {number} documents
 * @property {Field[] | null} fields of the documents, in their order; null if there are too many
 * @property {Node | null} items of the arrays
 * @typedef {{name: string, node: Node, seen: number}} Field
 */

/** @returns {Node} */
function newNode() {
  return { types: 0, documents: 0, fields: [], items: null }
}

/** A place for a value, as codegen/write-source.js needs it. @typedef {ReturnType<typeof slotFor>} Slot */

/** How the documents of a node are written. */
class Layout {
  /**
   * @param {Slot[]} slots
   * @param {{names: number, documents: number, isDropped: boolean}} use
   * @param {(out: any, doc: any, pos: number) => number} putDocument
   */
  constructor(slots, use, putDocument) {
    this.slots = slots
    this.byName = new Map(slots.map(slot => [slot.name, slot]))
    this.rest = REST
    this.isMap = false
    this.required = 0
    this.use = use
    /** @type {(out: any, doc: any, pos: number, check: boolean) => number} */
    this.write = null
    this.writeAny = (out, doc, pos) => putDocument(out, doc, pos)
  }

  /** @param {string} name another than the expected one @returns {Slot} */
  slotOf(name) {
    const { use } = this
    if (++use.names > LEARN.trial + use.documents) use.isDropped = true
    return this.byName.get(name) ?? REST
  }
}

const BEYOND = 2 ** 30

function slotFor(name, index, isRequired, types) {
  const next = index === BEYOND ? BEYOND : index + 1
  const rules = { ruled: 0, bounds: null }
  const places = { documentType: ELEMENT.DOCUMENT, layout: null, row: null }
  return { name, index, next, isRequired, plain: types, ...rules, ...places }
}

/** The place of everything that is not known. */
const REST = slotFor('', BEYOND, false, 0)

/**
 * The documents that are compared now.
 *
 * @type {{seen: number, alike: number, names: string[], node: Node, left: number}}
 */
const roots = { seen: 0, alike: 0, names: [], node: newNode(), left: MAX_NODES }

/** By the names of the items' fields. @type {Map<string, {node: Node, lists: number, left: number}>} */
const candidates = new Map()

/** Places of all writers. */
let places = 0

/**
 * Looks at a document that has just been written.
 *
 * @param {Uint8Array} buf
 * @param {number} pos
 * @param {number} end
 * @param {Record<string, any>} parts what generated writers use
 */
function sampleRoot(buf, pos, end, parts) {
  if (!codegen.canCompile) return stop()
  learning.wait = Math.ceil(LEARN.sampleEvery * (0.5 + Math.random()))
  if (learning.root !== null) return
  const names = namesOf(buf, pos, end)
  const isFirst = roots.alike * 2 <= roots.seen && !areAlike(names, roots.names)
  if (isFirst) begin(names)
  roots.seen++
  if (isFirst || areAlike(names, roots.names)) {
    roots.alike++
    note(roots.node, ELEMENT.DOCUMENT, buf, pos, end, roots)
  }
  if (roots.seen < LEARN.window) return
  if (roots.alike >= LEARN.alike) learning.root = writerOf(roots.node, parts)
  begin([])
}

/** Whether two documents have most of their names in common. @param {string[]} a @param {string[]} b */
function areAlike(a, b) {
  const names = new Set(b)
  return a.filter(name => names.has(name)).length >= Math.max(a.length, b.length) * COMMON
}

/** Compares the documents that follow with one of these names. @param {string[]} names */
function begin(names) {
  Object.assign(roots, { seen: 0, alike: 0, names, node: newNode(), left: MAX_NODES })
}

/** Looks at a long array that has just been written. @param {Record<string, any>} parts */
function sampleList(buf, pos, end, parts) {
  if (!codegen.canCompile) return stop()
  const { listed, written } = learning
  learning.items = Math.ceil(LEARN.itemsEvery * (0.5 + Math.random()))
  learning.listed = listed / 2
  learning.written = written / 2
  if (listed < written * LEARN.share || buf[pos + 4] !== ELEMENT.DOCUMENT) return
  const item = new ElementCursor().open(buf, pos, end - 1)
  item.next()
  const own = namesOf(buf, item.value, item.end)
  if (known(own) !== undefined) return
  const names = JSON.stringify(own)
  if (candidates.size === MAX_CANDIDATES && !candidates.has(names)) candidates.clear()
  const candidate = candidates.get(names) ?? { node: newNode(), lists: 0, left: MAX_NODES }
  candidates.set(names, candidate)
  const list = newNode()
  list.items = candidate.node
  note(list, ELEMENT.ARRAY, buf, pos, end, candidate)
  if (++candidate.lists < LEARN.lists) return
  candidates.delete(names)
  const layout = candidate.node.fields === null ? null : writerOf(candidate.node, parts)
  if (layout === null) return
  learning.lists ??= new Map()
  learning.lists.set(own[0], [...learning.lists.get(own[0]) ?? [], layout])
}

/**
 * The writer for items like this one, if there is one.
 *
 * @param {any} item a plain object
 * @param {number} count of the items
 * @returns {Layout | null}
 */
function layoutFor(item, count) {
  const layout = known(Object.keys(item))
  if (layout === undefined) return null
  layout.use.documents += count
  return layout.use.isDropped ? evictAll() : layout
}

/** @param {string[]} names @returns {Layout | undefined} that has these fields, in their order */
function known(names) {
  return learning.lists?.get(names[0])?.find(({ slots }) => {
    let i = 0
    for (const name of names) {
      while (i < slots.length && slots[i].name !== name) if (slots[i++].isRequired) return false
      if (i++ >= slots.length) return false
    }
    return true
  })
}

/** Nothing is learned where code may not be created. */
function stop() {
  Object.assign(learning, NEVER)
}

/** Evicts all writers. @returns {null} */
function evictAll() {
  places = 0
  learning.root = learning.lists = null
  candidates.clear()
  return null
}

/** The names of a document, to compare it with others. @returns {string[]} */
function namesOf(buf, pos, end) {
  const cursor = new ElementCursor().open(buf, pos, end - 1)
  const names = []
  while (cursor.next() && names.length <= MAX_FIELDS) names.push(getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd))
  return names
}

/**
 * Adds a value to what is known of its place.
 *
 * @param {Node} node
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} pos of the value
 * @param {number} end
 * @param {{left: number}} budget places that may still be added
 */
function note(node, type, buf, pos, end, budget) {
  node.types |= type < 32 ? 1 << type : 0
  if (type === ELEMENT.DOCUMENT) noteFields(node, buf, pos, end, budget)
  if (type !== ELEMENT.ARRAY) return
  if (node.items === null && --budget.left < 0) return
  node.items ??= newNode()
  const cursor = new ElementCursor().open(buf, pos, end - 1)
  for (let i = 0; i < MAX_ITEMS && cursor.next(); i++) {
    note(node.items, cursor.type, buf, cursor.value, cursor.end, budget)
  }
}

function noteFields(node, buf, pos, end, budget) {
  node.documents++
  const cursor = new ElementCursor().open(buf, pos, end - 1)
  let at = 0
  while (node.fields !== null && cursor.next()) {
    const { fields } = node
    const name = getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd)
    let index = fields[at]?.name === name ? at : fields.findIndex(field => field.name === name)
    if (index === -1) {
      if (fields.length === MAX_FIELDS || --budget.left < 0) return (node.fields = null)
      fields.splice(index = at, 0, { name, node: newNode(), seen: 0 })
    }
    const field = fields[index]
    field.seen++
    at = index + 1
    note(field.node, cursor.type, buf, cursor.value, cursor.end, budget)
  }
}

/** Whether documents repeat their fields. @param {Node} node */
function isRegular({ documents, fields }) {
  const seen = fields === null ? 0 : fields.reduce((sum, field) => sum + field.seen, 0)
  return seen > 0 && seen > documents * fields.length * REPEATED
}

/** @returns {Layout | null} that writes documents like those of a node */
function writerOf(node, parts) {
  if (places > MAX_PLACES - MAX_NODES) evictAll()
  const use = { names: 0, documents: 0, isDropped: false }
  return isRegular(node) ? layoutOf(node, parts, use) : null
}

/** @returns {Layout | null} null where no code can be generated, or where it would be too long */
function layoutOf(node, parts, use) {
  const slots = node.fields.map(({ name, node: value, seen }, i) => {
    return valueSlot(slotFor(name, i, seen === node.documents, typesOf(value)), value, parts, use)
  })
  places += slots.length
  const layout = new Layout(slots, use, parts.putDocument)
  const scope = { ...parts, layout, slots, rest: REST, writer: parts.writer }
  const lines = codegen.documentWriter(/** @type {any} */ (layout), () => true)
  layout.write = /** @type {any} */ (codegen.compile(scope, codegen.textOf(lines)))
  return layout.write === undefined ? null : layout
}

/** Numbers are written as what they are: one arm needs the other. */
function typesOf({ types }) {
  return (types & (1 << ELEMENT.DOUBLE)) === 0 ? types : types | (1 << ELEMENT.INT32)
}

/** Adds to a slot how documents and arrays at its place are written. */
function valueSlot(slot, node, parts, use) {
  if ((node.types & (1 << ELEMENT.DOCUMENT)) !== 0) {
    slot.layout = (isRegular(node) ? layoutOf(node, parts, use) : null) ?? { write: parts.putPlain }
  }
  if ((node.types & (1 << ELEMENT.ARRAY)) !== 0) slot.row = { write: rowOf(node.items, parts, use) }
  return slot
}

/** Arrays of strings, of documents: their items have few types. Numbers are best written by `encode`. */
const IN_ROWS = [ELEMENT.STRING, ELEMENT.DOCUMENT].reduce((bits, type) => bits | (1 << type), 0)

function rowOf(items, parts, use) {
  const any = (out, slot, array, pos) => parts.putArray(out, array, pos)
  if (items === null || items.types === 0 || (items.types & ~IN_ROWS) !== 0) return any
  const rest = valueSlot(slotFor('', BEYOND, false, items.types), items, parts, use)
  const lines = codegen.listWriter(/** @type {any} */ ({ rest }))
  return codegen.compile({ ...parts, rest }, codegen.textOf(lines)) ?? any
}

/**
 * Makes learning start at once, for tests.
 *
 * @param {Partial<typeof LEARN>} settings
 * @param {number} [long] items of a long array
 */
function configure(settings, long = learning.long) {
  Object.assign(LEARN, settings)
  Object.assign(learning, { wait: 1, items: 1, long })
}

module.exports = { LEARN, Layout, sampleRoot, sampleList, layoutFor, evictAll, configure }
