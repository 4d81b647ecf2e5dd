'use strict'

// A document for each item of a list, with the item in place of the list. As MongoDB's $unwind: a document without the
// field, with null or an empty list there, gives none; one with another value there gives itself.
//
// The first has all that is in its document. The others have only the item and what leads to it: in the columns beside
// it, the reader repeats what the first has put there, so that nothing is read or counted again for each item. To infer
// types, one document has all items, each under the name of the list.

const { ELEMENT, MIN_DOCUMENT_SIZE } = require('../../spec')
const { getInt32, utf8Bytes, GrowingBytes } = require('../../bytes')
const { ElementCursor } = require('../../elements')
const { NULLS } = require('../../schema')
const { checkDocument } = require('./documents')
const { KIND } = require('../layout/kinds')

/** Bytes of documents after which they are passed on, with what is repeated beside items. */
const PIECE = 1024 * 1024

/** Bytes of memory for them at first. */
const FIRST = 4096

/**
 * @typedef {import('../layout/kinds').Type} Type
 *
 * @typedef {object} Origin where documents come from
 * @property {number} document
 * @property {number} offset
 * @property {number} size bytes
 * @property {number} first the number of the first one that comes from there
 */

class Unwinder {
  /** @param {string[]} path to the list @param {Type | null} type of the columns; null: types are to be inferred */
  constructor(path, type) {
    this.names = path.map(name => utf8Bytes(`${name}\0`))
    this.areAll = type === null
    /** How many of the documents around the list have columns for their fields. */
    this.divided = type === null ? 0 : dividedIn(type, path)
    this.cursor = new ElementCursor()
    this.items = new ElementCursor()
    /** Offsets of the elements that lead to the list, and of its own. @type {number[]} */
    this.path = []
    /** Documents read, and those without items. */
    this.documents = 0
    this.empty = 0
    /** Documents passed on before the piece. */
    this.given = 0
    this.begin()
  }

  /** Begins a piece. */
  begin() {
    this.out = new GrowingBytes(FIRST)
    /** Where each of its documents comes from. @type {Origin[]} */
    this.origins = []
    /** Bytes of the documents that they come from; one that has been counted does not count again. */
    this.source = 0
    /** Bytes beside items that are not in it. */
    this.repeated = 0
  }

  /** @param {import('./runs').Run} run @returns {Generator<import('./runs').Run, void>} each read before the next */
  *runs(run) {
    const { bytes, start, end, base } = run
    for (let pos = start, size; pos < end; pos += size) {
      size = end - pos < MIN_DOCUMENT_SIZE ? 0 : getInt32(bytes, pos)
      if (size < MIN_DOCUMENT_SIZE || size > end - pos) size = end - pos // the rest is no document
      const first = this.given + this.origins.length + 1
      const origin = { document: ++this.documents, offset: base + pos, size, first }
      this.source += size
      for (const own of this.rows(bytes, pos, origin)) {
        this.origins.push(own)
        if (this.out.pos + this.repeated >= PIECE) yield* this.piece(run)
      }
    }
    if (this.origins.length > 0) yield* this.piece(run)
  }

  /** @param {number} number of a document of the piece @returns {Origin} */
  originOf(number) {
    return this.origins[number - this.given - 1]
  }

  *piece(run) {
    const { source, out: { bytes } } = this
    const place = number => {
      const { document, offset } = this.originOf(number)
      return run.place(document, offset)
    }
    yield { bytes, start: 0, end: bytes.length, base: 0, place, source }
    this.given += this.origins.length
    this.begin()
  }

  /** Writes a document for each item; one that is broken, or has another value, as it is. Yields after each. */
  *rows(bytes, start, origin) {
    const { cursor, items } = this
    const next = start + origin.size
    const isBroken = !isValid(bytes, start, next)
    const isFound = !isBroken && this.find(bytes, start, next)
    const { type, value, end } = cursor
    const isList = isFound && type === ELEMENT.ARRAY
    const isEmpty = isList ? end - value === MIN_DOCUMENT_SIZE : !isBroken && (!isFound || NULLS.has(type))
    if (isEmpty) return void this.empty++
    if (!isList) {
      this.out.copy(bytes, start, next)
      return yield origin
    }
    items.open(bytes, value, end - 1)
    for (let bare = 0; items.nextSibling(); bare = this.divided) {
      cursor.open(bytes, start, next - 1)
      this.write(0, start, bare)
      if (bare > 0) this.repeated += next - start - (end - value)
      yield origin
    }
  }

  /** Goes to the list: the last of its name, in the last document of each name around it. */
  find(bytes, start, next) {
    const { cursor, names } = this
    this.path = []
    cursor.open(bytes, start, next - 1)
    while (cursor.toLastNamed(names[this.path.length])) {
      this.path.push(cursor.pos)
      if (this.path.length === names.length) return true
      if (cursor.type !== ELEMENT.DOCUMENT) return false
      cursor.enter()
    }
    return false
  }

  /**
   * Writes the document at `start`, which the cursor has entered, with null in place of what a later field of the path
   * replaces. The first levels, as many as `bare`, have only what leads to the list.
   */
  write(level, start, bare) {
    const { cursor, out, path } = this
    const { buf } = cursor
    const head = out.hole()
    if (level < bare) {
      cursor.moveTo(path[level])
      this.writeInside(level, bare)
      return out.endFrame(head)
    }
    const name = this.names[level].subarray(0, -1)
    let run = start + 4
    while (cursor.nextSibling()) {
      const { pos, value, end } = cursor
      if (!cursor.isNamed(name)) continue
      out.copy(buf, run, pos)
      run = end
      if (pos === path[level]) this.writeInside(level, bare)
      else {
        out.byte(ELEMENT.NULL)
        out.copy(buf, pos + 1, value)
      }
    }
    out.copy(buf, run, start + getInt32(buf, start) - 1)
    out.endFrame(head)
  }

  /** Writes the element of the path at that level, with an item in it or in its place. */
  writeInside(level, bare) {
    const { cursor, items, out } = this
    const { buf, pos, value } = cursor
    if (level + 1 < this.path.length) {
      out.copy(buf, pos, value)
      cursor.enter()
      this.write(level + 1, value, bare)
      cursor.leave()
      return
    }
    do {
      out.byte(items.type)
      out.copy(buf, pos + 1, value)
      out.copy(items.buf, items.value, items.end)
    } while (this.areAll && items.nextSibling())
  }
}

/** How many of the documents on a path do not lie, as a whole, in one value of a column. @param {Type} type */
function dividedIn(type, path) {
  let level = 1
  for (let at = type; level < path.length; level++) {
    at = at?.kind === KIND.STRUCT ? at.fields.get(path[level - 1]) : undefined
    if (at?.kind === KIND.JSON || at?.kind === KIND.MAP) break
  }
  return level
}

function isValid(bytes, start, next) {
  try {
    checkDocument(bytes, start, next)
    return true
  } catch {
    return false
  }
}

module.exports = { Unwinder }
