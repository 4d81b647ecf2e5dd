'use strict'

// A document for each item of a list: the same bytes, with the item in place of the list. As MongoDB's $unwind: a
// document without the field, with null or an empty list there, gives none; one with another value there gives itself.

const { ELEMENT, MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32, putInt32, concat, copyOf } = require('../bytes')
const { ElementCursor, quickValidate, validate } = require('../elements')
const { utf8BytesOf } = require('./text')

/** Bytes of documents after which they are passed on. */
const PIECE = 1024 * 1024

/** @typedef {import('./runs').Run} Run */

/** Where a document comes from. @typedef {{document: number, offset: number}} Origin */

class Unwinder {
  /** @param {string[]} path to the list */
  constructor(path) {
    this.names = path.map(name => utf8BytesOf(name).subarray(0, -1))
    this.cursor = new ElementCursor()
    /** Documents read, and those without items. */
    this.documents = 0
    this.empty = 0
    /** @type {Uint8Array[]} documents not yet passed on, their bytes, and where each comes from */
    this.parts = []
    this.size = 0
    /** @type {Origin[]} */
    this.origins = []
    /** Documents passed on. */
    this.given = 0
  }

  /** @param {Run} run @returns {Generator<Run, void, void>} */
  *runs(run) {
    const { bytes, start, end } = run
    let pos = start
    while (end - pos >= MIN_DOCUMENT_SIZE) {
      const size = getInt32(bytes, pos)
      if (size < MIN_DOCUMENT_SIZE || size > end - pos) break
      const origin = { document: ++this.documents, offset: run.base + pos }
      for (const parts of this.documentsOf(bytes, pos, pos + size)) {
        this.add(parts, origin)
        if (this.size >= PIECE) yield this.take(run)
      }
      pos += size
    }
    if (pos < end) this.add([bytes.subarray(pos, end)], { document: this.documents + 1, offset: run.base + pos })
    if (this.origins.length > 0) yield this.take(run)
  }

  /** @param {Uint8Array[]} parts of a document @param {Origin} origin */
  add(parts, origin) {
    for (const part of parts) {
      this.parts.push(part)
      this.size += part.length
    }
    this.origins.push(origin)
  }

  /** @param {Run} source @returns {Run} */
  take({ place }) {
    const { origins, given, size } = this
    const bytes = concat(this.parts)
    this.given += origins.length
    this.parts = []
    this.size = 0
    this.origins = []
    const placeOf = number => {
      const { document, offset } = origins[number - given - 1]
      return place === null ? { document, offset } : place(document, offset)
    }
    return { bytes, start: 0, end: size, base: 0, count: origins.length, place: placeOf }
  }

  /** @returns {Generator<Uint8Array[], void, void>} the parts of each document; a broken one as it is */
  *documentsOf(bytes, start, next) {
    if (!isValid(bytes, start, next)) return yield [bytes.subarray(start, next)]
    const found = this.find(bytes, start, next)
    if (found === null || found.type === ELEMENT.NULL || found.type === ELEMENT.UNDEFINED) return void this.empty++
    if (found.type !== ELEMENT.ARRAY) return yield [bytes.subarray(start, next)]
    const { pos, nameEnd, value, end, around } = found
    if (end - value === MIN_DOCUMENT_SIZE) this.empty++
    const items = this.cursor.open(bytes, value, end - 1)
    while (items.next()) {
      const growth = items.end - items.value - (end - value)
      const before = copyOf(bytes, start, value)
      before[pos - start] = items.type
      for (const at of around) putInt32(getInt32(bytes, at) + growth, before, at - start)
      yield [before.subarray(0, nameEnd + 1 - start), bytes.subarray(items.value, items.end), bytes.subarray(end, next)]
    }
  }

  /** The element with the list, and where the documents around it start. */
  find(bytes, start, next) {
    const { cursor, names } = this
    const around = [start]
    cursor.open(bytes, start, next - 1)
    while (cursor.nextSibling()) {
      if (!cursor.isNamed(names[around.length - 1])) continue
      const { type, pos, nameEnd, value, end } = cursor
      if (around.length === names.length) return { type, pos, nameEnd, value, end, around }
      if (type !== ELEMENT.DOCUMENT) return null
      around.push(value)
      cursor.enter()
    }
    return null
  }
}

function isValid(bytes, start, next) {
  if (quickValidate(bytes, start, next)) return true
  try {
    validate(bytes, { index: start, allowObjectSmallerThanBufferSize: true })
    return true
  } catch {
    return false
  }
}

module.exports = { Unwinder }
