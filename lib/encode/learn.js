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

/** @typedef {import('../codegen/fields').Shape} Shape */

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
  const shape = writerOf(candidate.observed, parts)
  if (shape === null) return
  learning.lists ??= new Map()
  learning.lists.set(own[0], [...learning.lists.get(own[0]) ?? [], shape])
}

/** The writer for items like this one, if there is one. @returns {Shape | null} */
function shapeFor(item, count) {
  const shape = known(Object.keys(item))
  if (shape === undefined) return null
  const { use } = shape
  use.documents += count
  return use.names > use.documents ? evictAll() : shape
}

/** @param {string[]} names @returns {Shape | undefined} that has these fields, in their order */
function known(names) {
  return learning.lists?.get(names[0])?.find(({ fields }) => {
    let i = 0
    for (const name of names) {
      while (i < fields.length && fields[i].name !== name) if (fields[i++].isRequired) return false
      if (i++ >= fields.length) return false
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
 * @param {InstanceType<typeof Observed>} observed
 * @param {Record<string, any>} parts what generated writers use
 * @returns {Shape | null} null where no code can be generated, or where it would be too long
 */
function writerOf(observed, parts) {
  const schema = observed.toSchema(LISTED)
  if (schema === null) return null
  if (places > MAX_PLACES - codegen.MAX_PLACES) evictAll()
  places += observed.places
  const make = (scope, lines) => /** @type {any} */ (codegen.compile({ ...parts, ...scope }, codegen.textOf(lines)))
  const use = { names: 0, documents: ENCODE.trial }
  const { shapes, lists } = codegen.prepareWriting(schema, node => typeof node === 'object' ? node : OTHER)
  for (const shape of shapes) {
    shape.use = use
    shape.writeAny = (out, doc, pos) => parts.putDocument(out, doc, pos)
    const scope = { shape, nodes: shape.fields.map(field => field.node), fieldOf: codegen.fieldOf }
    shape.write = make(scope, codegen.documentWriter(shape, () => true))
    if (shape.write === undefined) return null
  }
  for (const list of lists) {
    const any = (out, node, array, pos) => parts.putArray(out, array, pos)
    list.write = make({ rest: list.rest }, codegen.listWriter(list)) ?? any
  }
  return schema.shape
}

module.exports = { sampleRoot, sampleList, shapeFor, evictAll }
