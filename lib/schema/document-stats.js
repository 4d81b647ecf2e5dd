'use strict'

// Statistics of documents: what occurs under each of their fields. Documents are read as bytes, because only bytes
// distinguish int from double. No document is kept.

const { ELEMENT, FIXED_SIZE, MAX_DEPTH } = require('../spec')
const { getUtf8, getInt32, isMemory, toBytes } = require('../bytes')
const { endOfName, endOfElement, isContainer, Names, isNameAt, quickValidate, validate } = require('../elements')
const { viewOf } = require('../decode')
const { encode } = require('../encode')
const { FieldStats, NULLS, addType, below, countBelow, makeMap, makeMaps, merge } = require('./field-stats')
const { BOUNDS } = require('./bounds')

/** The most fields that are described, of all levels. Twice as many may have to wait for what turns out to be a map. */
const MAX_FIELDS = 10_000

/** The most fields while a document is read. */
const MOST_FIELDS = 100_000

/** Options for checking documents. */
const WHOLE = { maxDepth: MAX_DEPTH }

/** @typedef {{root: FieldStats, described: number, isExact: boolean}} Found */

class DocumentStats {
  /** @param {import('./field-stats').ValueStats} [how] default: bounds, for schemas */
  constructor(how = BOUNDS) {
    this.how = how
    this.isPlain = isPlain(how)
    this.root = new FieldStats(0)
    /** @type {DataView | null} of the memory that is read */
    this.view = null
    /** How many fields are described, and whether there are too many: further ones are not. */
    this.described = 0
    this.isFull = false
    /** Whether the same documents in other parts give the same statistics. */
    this.isExact = true
    /** Number of documents entered, including nested ones. */
    this.entered = 0
    /** Bytes of all documents before the memory that is read. */
    this.base = 0
    /** Bytes of all documents so far. */
    this.size = 0
  }

  /**
   * @param {any} document bytes, or an object
   * @param {number} [before] bytes of all documents before it; default: of those that were added
   * @throws {import('../errors').BSONError} on bytes that are not BSON
   */
  add(document, before = this.size) {
    const buf = isMemory(document) ? toBytes(document) : encode(document)
    if (!quickValidate(buf, 0, buf.length)) validate(buf, WHOLE)
    this.open(viewOf(buf), before)
    this.size = before + buf.length
    this.read(buf, 0, buf.length)
  }

  /**
   * @param {Uint8Array} documents consecutive ones
   * @param {number} before bytes of all documents before them
   * @throws {import('../errors').BSONError} on bytes that are not BSON; then nothing is added
   */
  addAll(documents, before) {
    const { length } = documents
    for (let pos = 0, end; pos < length; pos = end) {
      end = pos + getInt32(documents, pos)
      if (!quickValidate(documents, pos, end)) validate(documents.subarray(pos, end), WHOLE)
    }
    this.open(viewOf(documents), before)
    this.size = before + length
    for (let pos = 0, end; pos < length; pos = end) {
      end = pos + getInt32(documents, pos)
      this.read(documents, pos, end)
    }
  }

  /** @param {DataView} view of the memory to be read @param {number} base bytes of all documents before it */
  open(view, base) {
    this.view = view
    this.base = base
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} start of a document that is valid, or whose fault is told elsewhere
   * @param {number} end
   * @throws {import('../errors').BSONError} where its elements cannot be told apart
   */
  read(buf, start, end) {
    const { root } = this
    if (this.described > 2 * MAX_FIELDS && !this.isFull) this.makeRoom()
    root.count++
    if (root.type === -1) addType(root, ELEMENT.DOCUMENT, 1, this.base + start)
    this.readElements(buf, start + 4, end - 1, root, 1, false)
  }

  /** Makes maps of what is one so far, where there are many fields. */
  makeRoom() {
    makeMaps(this.root, this.how)
    this.described = countBelow(this.root)
    this.isFull = this.described > MAX_FIELDS
    this.isExact = false
  }

  /** The fields of a document, or the items of an array. @param {FieldStats} parent */
  readElements(buf, pos, end, parent, level, isArray) {
    const document = this.entered++
    const { view, isPlain } = this
    const items = isArray && pos < end ? (parent.items ??= this.newItems(parent, pos)) : null
    if (!isArray && parent.values === null) parent.fields ??= new Map()
    let name = isArray || parent.fields === null ? null : (parent.names ??= new Names()).start
    let count = 0
    for (; pos < end; count++) {
      let nameEnd
      if (name !== null && isNameAt(name.next, buf, view, pos + 1)) {
        name = name.next
        nameEnd = pos + name.size
      } else {
        name = isArray || parent.fields === null ? null : this.nameAt(parent, buf, pos + 1, end, name)
        nameEnd = name === null || name.size === -1 ? endOfName(buf, pos + 1) : pos + name.size
      }
      const field = name !== null ? name.target : isArray ? items : parent.values // null if it is of no interest
      const size = FIXED_SIZE[buf[pos]]
      const next = size !== -1 && nameEnd + size < end ? nameEnd + 1 + size : endOfElement(buf, pos, nameEnd, end)
      if (field !== null) {
        if (field.document === document && name !== null) field.repeated++
        field.document = document
        if (field.type === buf[pos] && isPlain[field.type] === 1) field.count++
        else this.addValue(field, buf, pos, nameEnd + 1, next, level)
      }
      pos = next
    }
    if (isArray) this.how.addArray(parent, count)
  }

  addValue(field, buf, pos, value, next, level) {
    const type = buf[pos]
    if (field.selection !== null && !isContainer(type) && !NULLS.has(type)) return // nothing selected is inside it
    field.count++
    if (field.type !== type) addType(field, type, 1, this.base + pos)
    if (!isContainer(type)) {
      if (this.isPlain[type] === 0) this.how.add(field, type, buf, value, next, this.base)
    } else if (field.isText) return
    else if (level >= this.how.maxLevels) field.isDeep = true
    else this.readElements(buf, value + 4, next - 1, field, level + 1, type === ELEMENT.ARRAY)
  }

  /**
   * The name of a field, after that of the one before; null if keys are dynamic. Creating a string and looking it up in
   * the Map takes ten times as long.
   */
  nameAt(parent, buf, start, limit, previous) {
    const { names } = parent
    const known = names.find(buf, this.view, start, limit, previous)
    if (known !== null) return known
    const end = endOfName(buf, start)
    const name = getUtf8(buf, start, end)
    const isWanted = parent.selection === null || parent.selection.has(name)
    const field = isWanted ? this.fieldOf(parent, name, start - 1) : null
    if (parent.fields === null) return null
    const isKept = field !== null || (!isWanted && names.size < this.how.maxNames)
    return isKept ? names.add(buf, start, end + 1, field, previous) : names.start
  }

  fieldOf(parent, name, pos) {
    const { fields, selection, texts, isTable } = parent
    const known = fields.get(name)
    if (known !== undefined) return known
    if (fields.size >= this.how.maxNames && !isTable) {
      makeMap(parent, this.how)
      return null
    }
    const field = this.newField(pos)
    if (field === null) return null
    if (selection !== null) select(field, selection.get(name))
    if (texts !== null) setTexts(field, texts.get(name))
    fields.set(name, field)
    return field
  }

  newItems(list, pos) {
    const items = this.newField(pos)
    if (items === null) return null
    select(items, list.selection)
    items.texts = list.texts
    return items
  }

  /** A field for the element at `pos`; null if there are too many. */
  newField(pos) {
    this.isFull ||= this.described >= MOST_FIELDS
    if (this.isFull) return null
    this.described++
    return new FieldStats(this.base + pos)
  }

  /** @returns {Found} what was found, for those of another thread */
  found() {
    const { root, described, isExact, isFull } = this
    clearNames(root)
    return { root, described, isExact: isExact && !isFull }
  }

  /**
   * Adds what others have found.
   *
   * @param {Found} found no longer valid
   * @returns {boolean} whether statistics of all documents would be the same
   */
  join({ root, described, isExact }) {
    clearNames(this.root)
    merge(this.root, root, this.how)
    this.described += described
    if (this.described > 2 * MAX_FIELDS) this.makeRoom()
    this.isExact &&= isExact
    return this.isExact && !this.isFull
  }
}

/** `selection`: of fields below it; null for all. */
function select(field, selection) {
  field.selection = selection
  field.isTable = selection !== null
}

/** `texts`: those below it; null for itself. */
function setTexts(field, texts) {
  field.isText = texts === null
  field.texts = texts ?? null
}

/** Drops what only reading needs. */
function clearNames(field) {
  field.names = null
  field.document = -1
  for (const each of below(field)) clearNames(each)
}

/** For each type, 1 if nothing else about its values is of interest. */
function isPlain({ types }) {
  return Uint8Array.from({ length: 256 }, (_, type) => Number(!isContainer(type) && !types.includes(type)))
}

module.exports = { DocumentStats }
