'use strict'

// What documents of a kind have in common, noted from samples of their bytes: in the form of a parsed schema, from
// which readers and writers are generated. It has no rules: whatever else comes is read and written as any value.

const { ELEMENT } = require('../spec')
const { getUtf8Lossy } = require('../bytes')
const { ElementCursor } = require('../elements')

/** Limits on what is noted: places for values, fields in one document, and items of an array that are looked at. */
const MAX_PLACES = 256
const MAX_FIELDS = 64
const MAX_ITEMS = 32

/** The share of names that documents of a kind have in common: 3/4 was too much for two optional fields of six. */
const COMMON = 1 / 2

/** Documents with more fields, on average, than this share of all that have been seen are dictionaries. */
const REPEATED = 1 / 4

/**
 * What was seen at one place.
 *
 * @typedef {object} Place
 * @property {number} types of the values, as bits
 * @property {number} documents
 * @property {{name: string, place: Place, seen: number}[] | null} fields in their order; null if there are too many
 * @property {Place | null} items of the arrays
 */

/** @returns {Place} */
function newPlace() {
  return { types: 0, documents: 0, fields: [], items: null }
}

class Observed {
  constructor() {
    this.root = newPlace()
    /** Places that may still be added. */
    this.left = MAX_PLACES
  }

  get places() {
    return MAX_PLACES - this.left
  }

  /** Notes a document from `pos` to `end`, its closing 0x00 included. */
  note(buf, pos, end) {
    this.noteValue(this.root, ELEMENT.DOCUMENT, buf, pos, end)
  }

  /** Notes the first items of an array of documents as one document each. */
  noteItems(buf, pos, end) {
    this.noteEach(this.root, buf, pos, end)
  }

  noteEach(place, buf, pos, end) {
    const cursor = new ElementCursor().open(buf, pos, end - 1)
    for (let i = 0; i < MAX_ITEMS && cursor.next(); i++) {
      this.noteValue(place, cursor.type, buf, cursor.value, cursor.end)
    }
  }

  noteValue(place, type, buf, pos, end) {
    place.types |= type < 32 ? 1 << type : 0
    if (type === ELEMENT.DOCUMENT) this.noteFields(place, buf, pos, end)
    if (type !== ELEMENT.ARRAY || (place.items === null && --this.left < 0)) return
    this.noteEach(place.items ??= newPlace(), buf, pos, end)
  }

  noteFields(place, buf, pos, end) {
    place.documents++
    const cursor = new ElementCursor().open(buf, pos, end - 1)
    let at = 0
    while (place.fields !== null && cursor.next()) {
      const { fields } = place
      const name = getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd)
      let index = fields[at]?.name === name ? at : fields.findIndex(field => field.name === name)
      if (index === -1) {
        if (fields.length === MAX_FIELDS || --this.left < 0) return (place.fields = null)
        index = at
        fields.splice(at, 0, { name, place: newPlace(), seen: 0 })
      }
      const field = fields[index]
      field.seen++
      at = index + 1
      this.noteValue(field.place, cursor.type, buf, cursor.value, cursor.end)
    }
  }

  /**
   * @param {number} listed types of items, as bits, for which an array is described
   * @returns {any} a parsed schema; null if the documents do not repeat their fields
   */
  toSchema(listed) {
    if (!isRegular(this.root)) return null
    const schema = { root: null, shape: null, shapes: [], lists: [] }
    schema.root = nodeOf(this.root, schema, listed)
    schema.shape = schema.root.shape
    return schema
  }
}

/** Whether documents repeat their fields. */
function isRegular({ documents, fields }) {
  const seen = fields === null ? 0 : fields.reduce((sum, field) => sum + field.seen, 0)
  return seen > 0 && seen > documents * fields.length * REPEATED
}

/** Numbers are written as what they are: one arm needs the other. */
function typesOf({ types }) {
  return (types & (1 << ELEMENT.DOUBLE)) === 0 ? types : types | (1 << ELEMENT.INT32)
}

function nodeOf(place, schema, listed) {
  const { items, documents } = place
  const plain = typesOf(place)
  const isShaped = (plain & (1 << ELEMENT.DOCUMENT)) !== 0 && isRegular(place)
  const isListed = items !== null && items.types !== 0 && (items.types & ~listed) === 0
  const shape = !isShaped ? null : {
    id: schema.shapes.length, fields: [], byName: null, additional: true, patterns: [], required: 0,
    isPositional: false, isRoot: false
  }
  const list = isListed ? { id: schema.lists.length, prefix: [], items: null } : null
  if (isShaped) schema.shapes.push(shape)
  if (isListed) schema.lists.push(list)
  if (isShaped) {
    shape.fields = place.fields.map(({ name, place, seen }, index) => {
      return { name, index, label: undefined, node: nodeOf(place, schema, listed), isRequired: seen === documents }
    })
    shape.byName = new Map(shape.fields.map(field => [field.name, field]))
    shape.required = shape.fields.filter(({ isRequired }) => isRequired).length
  }
  if (isListed) list.items = nodeOf(items, schema, listed)
  const typeRules = new Map()
  for (let type = 0; type < 32; type++) {
    const own = { shape: type === ELEMENT.DOCUMENT ? shape : null, list: type === ELEMENT.ARRAY ? list : null }
    if ((place.types & (1 << type)) !== 0) typeRules.set(type, { type, ...own, rules: [], as: null })
  }
  return { typeRules, shape, list, plain, ruled: 0, bounds: null, rules: [] }
}

/** The names of a document, to compare it with others. @returns {string[]} */
function namesOf(buf, pos, end) {
  const cursor = new ElementCursor().open(buf, pos, end - 1)
  const names = []
  while (cursor.next() && names.length <= MAX_FIELDS) names.push(getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd))
  return names
}

/** Whether two documents have half of their names in common. @param {string[]} a @param {string[]} b */
function areAlike(a, b) {
  const names = new Set(b)
  return a.filter(name => names.has(name)).length >= Math.max(a.length, b.length) * COMMON
}

/** Compares documents, sample by sample, and notes those that are alike. */
class Window {
  /** @param {number} size samples */
  constructor(size) {
    this.size = size
    this.begin([])
  }

  /** Compares the documents that follow with one of these names. @param {string[]} names */
  begin(names) {
    this.seen = 0
    this.alike = 0
    this.names = names
    this.observed = new Observed()
  }

  /** Notes a document. @returns {boolean} whether this was the last of the window */
  note(buf, pos, end) {
    return quietly(() => this.noteNext(buf, pos, end)) && this.seen >= this.size
  }

  noteNext(buf, pos, end) {
    const names = namesOf(buf, pos, end)
    const isFirst = this.alike * 2 <= this.seen && !areAlike(names, this.names)
    if (isFirst) this.begin(names)
    this.seen++
    if (isFirst || areAlike(names, this.names)) {
      this.alike++
      this.observed.note(buf, pos, end)
    }
  }
}

/**
 * When the next sample is taken, which takes 10 to 30 us: at random, so that no sequence can be in step with it.
 *
 * @param {number} every so many, on average
 */
function nextSample(every) {
  return Math.ceil(every * (0.5 + Math.random()))
}

/** Whether bytes can be walked over: inside of raw documents they may be wrong, which is no concern of a sample. */
function quietly(work) {
  try {
    work()
    return true
  } catch {
    return false
  }
}

module.exports = { MAX_PLACES, Observed, Window, nextSample, namesOf, quietly }
