'use strict'

// Learns to write recurring documents, for a process that writes mostly one kind of them: when nine of ten documents
// have the same fields, or when most bytes lie in long arrays of like documents. What is known of them is read from the
// bytes that were written, so that no getter is called twice. The functions that write them are those that `compile`
// generates for a schema (codegen/write-source.js), without rules: a field or a value that they have no arm for is
// written as any other. They are dropped when the documents change.

const { ELEMENT } = require('../spec')
const { ElementCursor } = require('../elements')
const codegen = require('../codegen')
const { NEVER, learning } = require('./learning')

const { ENCODE, Window, nextSample, Observed } = codegen

/** @typedef {InstanceType<typeof codegen.Layout>} Layout */

/** Shapes of items that are counted at the same time. */
const MAX_CANDIDATES = 16

/** Places of all writers; then all are forgotten. Each takes 4 to 9 kB with what the engine generates. */
const MAX_PLACES = 1024

/** Types of items, as bits, for which an array gets a writer: they have few. Numbers are best written by `encode`. */
const LISTED = (1 << ELEMENT.STRING) | (1 << ELEMENT.DOCUMENT)

/** The node of everything that is not known: written as any value. @type {any} */
const OTHER = { typeRules: new Map(), shape: null, list: null, plain: 0, ruled: 0, bounds: null, rules: [] }

/** The documents that are compared now. @type {InstanceType<typeof Window> | null} */
let roots = null

/** By the names of the items' fields. @type {Map<string, {observed: InstanceType<typeof Observed>, lists: number}>} */
const candidates = new Map()

/** Places of all writers. */
let places = 0

/** Looks at a document that has just been written. @param {Record<string, any>} parts */
function sampleRoot(buf, pos, end, parts) {
  if (!codegen.canCompile) return stop()
  learning.wait = nextSample(ENCODE.sampleEvery)
  if (learning.root !== null) return
  roots ??= new Window(ENCODE.window)
  if (!roots.note(buf, pos, end)) return
  if (roots.alike >= ENCODE.alike) learning.root = writerOf(roots.observed, parts)
  roots = null
}

/** Looks at a long array that has just been written. @param {Record<string, any>} parts */
function sampleList(buf, pos, end, parts) {
  if (!codegen.canCompile) return stop()
  const { listed, written } = learning
  learning.items = nextSample(ENCODE.itemsEvery)
  learning.listed = listed / 2
  learning.written = written / 2
  if (listed < written * ENCODE.share || buf[pos + 4] !== ELEMENT.DOCUMENT) return
  codegen.quietly(() => compareList(buf, pos, end, parts))
}

function compareList(buf, pos, end, parts) {
  const item = new ElementCursor().open(buf, pos, end - 1)
  item.next()
  const own = codegen.namesOf(buf, item.value, item.end)
  if (known(own) !== undefined) return
  const names = JSON.stringify(own)
  if (candidates.size === MAX_CANDIDATES && !candidates.has(names)) candidates.clear()
  const candidate = candidates.get(names) ?? { observed: new Observed(), lists: 0 }
  candidates.set(names, candidate)
  candidate.observed.noteItems(buf, pos, end)
  if (++candidate.lists < ENCODE.lists) return
  candidates.delete(names)
  const layout = writerOf(candidate.observed, parts)
  if (layout === null) return
  learning.lists ??= new Map()
  learning.lists.set(own[0], [...learning.lists.get(own[0]) ?? [], layout])
}

/** The writer for items like this one, if there is one. @returns {Layout | null} */
function layoutFor(item, count) {
  const layout = known(Object.keys(item))
  if (layout === undefined) return null
  const { use } = layout
  use.documents += count
  return use.names > use.documents ? evictAll() : layout
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

/**
 * Whether at least half of the fields have an arm. Documents whose only field is a list of dates take 34 ns an item
 * without a writer, 39 with one (Node 24).
 *
 * @param {Layout} layout
 */
function isUseful({ slots }) {
  const hasArm = ({ plain, layout, list }) => (plain & ~(1 << ELEMENT.ARRAY)) !== 0 || layout !== null || list !== null
  return 2 * slots.filter(hasArm).length >= slots.length
}

/**
 * @param {InstanceType<typeof Observed>} observed
 * @param {Record<string, any>} parts what generated writers use
 * @returns {Layout | null} null where no code can be generated, or where it would be too long or of no use
 */
function writerOf(observed, parts) {
  const schema = observed.toSchema(LISTED)
  if (schema === null) return null
  const { root, slots, layouts, listLayouts } = codegen.makeSlots(schema, node => typeof node === 'object' ? node : OTHER)
  if (!isUseful(root.layout)) return null
  if (places > MAX_PLACES - codegen.MAX_PLACES) evictAll()
  places += slots.length
  const make = (scope, lines) => /** @type {any} */ (codegen.compile({ ...parts, ...scope }, codegen.textOf(lines)))
  const use = { names: 0, documents: ENCODE.trial }
  for (const layout of layouts) {
    const { slots, rest } = layout
    layout.use = use
    layout.writeAny = (out, doc, pos) => parts.putDocument(out, doc, pos)
    layout.write = make({ layout, slots, rest }, codegen.documentWriter(layout, () => true))
    if (layout.write === undefined) return null
  }
  for (const list of listLayouts) {
    const any = (out, slot, array, pos) => parts.putArray(out, array, pos)
    list.write = make({ rest: list.rest }, codegen.listWriter(list)) ?? any
  }
  return root.layout
}

module.exports = { sampleRoot, sampleList, layoutFor, evictAll }
