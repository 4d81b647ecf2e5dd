'use strict'

// A document for each item of a list, with the item in place of the list. As MongoDB's $unwind: a document without the
// field, with null or an empty list there, gives none; one with another value there gives itself.
//
// The first has all that is in its document. The others have only what columns hold: what has no column, does not
// fit it, or is replaced by a later field of its name, is checked and counted once a document, and not copied for
// each item. To infer types, one document has all items, each under the name of the list.

const { ELEMENT, FIXED_SIZE, MIN_DOCUMENT_SIZE } = require('../../spec')
const { atPlace } = require('../../errors')
const { getInt32, getUtf8, putInt32, utf8Bytes, GrowingBytes } = require('../../bytes')
const { ElementCursor } = require('../../elements')
const { NULLS } = require('../../schema')
const { checkDocument } = require('./documents')
const { KIND } = require('../layout/kinds')
const { mostMemory, tooMuch } = require('../layout/memory')
const { fits } = require('./read-other')

/** Bytes of documents after which they are passed on. */
const PIECE = 1024 * 1024

/**
 * @typedef {import('../layout/kinds').Type} Type
 *
 * @typedef {{document: number, offset: number}} Origin where a document comes from
 *
 * @typedef {object} Pattern a document with a list, each of whose items takes the place of the list
 * @property {Uint8Array} bytes
 * @property {number} start
 * @property {number} next the offset after it
 * @property {number[]} around offsets of the documents around the list, which grow with the item
 * @property {number[]} path offsets of the elements that lead to the list, and of its own
 * @property {number} value offset of the list
 * @property {number} end offset after it
 */

/** No fields. @type {Type} */
const NOTHING = { kind: KIND.STRUCT, fields: new Map() }

class Unwinder {
  /** @param {string[]} path to the list @param {Type | null} type of the columns; null: types are to be inferred */
  constructor(path, type) {
    this.names = path.map(name => utf8Bytes(`${name}\0`))
    this.type = type
    this.cursor = new ElementCursor()
    /** Documents read, and those without items. */
    this.documents = 0
    this.empty = 0
    /** Documents not yet passed on, and where each comes from. */
    this.out = new GrowingBytes(PIECE)
    /** @type {Origin[]} */
    this.origins = []
    /** Bytes of the documents that they come from; one that has been counted does not count again. */
    this.source = 0
    /** Documents passed on. */
    this.given = 0
  }

  *runs(run) {
    const { bytes, start, end } = run
    let pos = start
    while (end - pos >= MIN_DOCUMENT_SIZE) {
      const size = getInt32(bytes, pos)
      if (size < MIN_DOCUMENT_SIZE || size > end - pos) break
      const origin = { document: ++this.documents, offset: run.base + pos }
      this.source += size
      for (const own of this.rows(run, pos, pos + size, origin)) {
        this.origins.push(own)
        if (this.out.pos >= PIECE) yield this.take(run)
      }
      pos += size
    }
    if (pos < end) {
      this.out.copy(bytes, pos, end)
      this.origins.push({ document: this.documents + 1, offset: run.base + pos })
    }
    if (this.origins.length > 0) yield this.take(run)
  }

  /** @param {import('./runs').Run} run the source */
  take(run) {
    const { origins, given, source, out: { bytes } } = this
    this.given += origins.length
    this.out = new GrowingBytes(PIECE)
    this.origins = []
    this.source = 0
    const place = number => {
      const { document, offset } = origins[number - given - 1]
      return run.place(document, offset)
    }
    return { bytes, start: 0, end: bytes.length, base: 0, place, source }
  }

  /** Writes a document for each item; one that is broken, or has another value, as it is. Yields after each. */
  *rows(run, start, next, origin) {
    const { bytes } = run
    const isBroken = !isValid(bytes, start, next)
    const pattern = isBroken ? null : this.find(bytes, start, next)
    const type = pattern === null ? ELEMENT.NULL : bytes[pattern.path.at(-1)]
    if (!isBroken && (type === ELEMENT.NULL || type === ELEMENT.UNDEFINED)) return void this.empty++
    if (isBroken || type !== ELEMENT.ARRAY) {
      this.out.copy(bytes, start, next)
      return yield origin
    }
    const { value, end } = pattern
    if (end - value === MIN_DOCUMENT_SIZE) return void this.empty++
    let own = this.isRepeated(pattern) ? this.around(pattern, null) : pattern
    const items = new ElementCursor().open(bytes, value, end - 1)
    for (let i = 0; items.nextSibling(); i++) {
      if (i === 1) own = this.others(pattern, run.place(origin.document, origin.offset))
      writeRow(this.out, own, items, this.type === null)
      yield origin
    }
  }

  /** The list: the last of its name, in the last document of each name around it. */
  find(bytes, start, next) {
    const { cursor, names } = this
    /** @type {Pattern} */
    const pattern = { bytes, start, next, around: [start], path: [], value: 0, end: 0 }
    cursor.open(bytes, start, next - 1)
    for (const name of names) {
      if (!cursor.toLastNamed(name)) return null
      pattern.path.push(cursor.pos)
      Object.assign(pattern, { value: cursor.value, end: cursor.end })
      if (pattern.path.length === names.length) break
      if (cursor.type !== ELEMENT.DOCUMENT) return null
      pattern.around.push(cursor.value)
      cursor.enter()
    }
    return pattern
  }

  /** Whether a name of the path occurs before. */
  isRepeated({ bytes, around, path }) {
    return this.names.some((name, i) => {
      const { cursor } = this
      cursor.open(bytes, around[i], path[i])
      return cursor.mayFollow(name) && cursor.toLastNamed(name)
    })
  }

  /** What is around all items but the first. @throws {BSONError} when all of them take too much memory */
  others(pattern, place) {
    const others = this.around(pattern, this.type)
    const size = others.next - (others.end - others.value)
    if (size * countItems(pattern) > mostMemory(pattern.next - pattern.start)) throw atPlace(tooMuch(), place)
    return others
  }

  /**
   * A copy of what is around the list, with an empty value in its place. `type`: of the columns that hold it; null:
   * all, but null in place of what a later value replaces.
   */
  around(pattern, type) {
    const out = new GrowingBytes(256)
    const own = { ...pattern, around: [], path: [], start: 0 }
    this.copyAround(out, pattern, own, type)
    return { ...own, bytes: out.bytes, next: out.pos }
  }

  /** Copies the next document around the list, and notes in `own` where it and the list are. */
  copyAround(out, pattern, own, type) {
    const { bytes, around, path } = pattern
    const level = own.around.length
    const start = around[level]
    const name = this.names[level].subarray(0, -1)
    const cursor = new ElementCursor().open(bytes, start, start + getInt32(bytes, start) - 1)
    const lasts = lastFields(type, bytes, start)
    own.around.push(out.hole())
    while (cursor.nextSibling()) {
      if (cursor.pos === path[level]) {
        own.path.push(out.pos)
        out.copy(bytes, cursor.pos, cursor.value)
        if (level + 1 < path.length) this.copyAround(out, pattern, own, typeInside(type, cursor))
        else own.value = own.end = out.pos
      } else if (cursor.isNamed(name)) {
        if (type === null) copyEmpty(out, cursor, ELEMENT.NULL)
      } else {
        copyHeld(out, cursor, type, lasts)
      }
    }
    out.endFrame(own.around[level])
  }
}

/** @param {GrowingBytes} out @param {Pattern} pattern @param {ElementCursor} items at the first in place of the list */
function writeRow(out, { bytes, start, next, around, path, value, end }, items, areAll) {
  const first = out.pos
  out.copy(bytes, start, path.at(-1))
  do {
    out.byte(items.type)
    out.copy(bytes, path.at(-1) + 1, value)
    out.copy(items.buf, items.value, items.end)
  } while (areAll && items.nextSibling())
  out.copy(bytes, end, next)
  const growth = out.pos - first - (next - start)
  for (const at of around) putInt32(getInt32(bytes, at) + growth, out.out, first + at - start)
}

function countItems({ bytes, value, end }) {
  const items = new ElementCursor().open(bytes, value, end - 1)
  let count = 0
  while (items.nextSibling()) count++
  return count
}

/**
 * Copies an element, without what has no column or does not fit it. Items of a list and values of a map are left out as
 * undefined, which leaves the place of others. `parent`: the type of what it is in, null to copy it as it is; `lasts`:
 * where fields are that none replaces, null for items and values.
 */
function copyHeld(out, cursor, parent, lasts) {
  const type = parent === null ? null : typeOf(parent, cursor)
  const isLast = lasts === null || lasts.has(cursor.pos)
  if (type !== null && !(isLast && holds(type, cursor))) {
    if (lasts === null) copyEmpty(out, cursor, ELEMENT.UNDEFINED)
    return
  }
  if (type === null || !INSIDE.has(type.kind) || FIXED_SIZE[cursor.type] !== -1) {
    out.copy(cursor.buf, cursor.pos, cursor.end)
    return
  }
  out.copy(cursor.buf, cursor.pos, cursor.value)
  const own = lastFields(type, cursor.buf, cursor.value)
  const head = out.hole()
  cursor.enter()
  while (cursor.nextSibling()) copyHeld(out, cursor, type, own)
  cursor.leave()
  out.endFrame(head)
}

/** Where the last field of each name is in a document; null if it is no struct, or is copied as it is. */
function lastFields(type, buf, start) {
  if (type?.kind !== KIND.STRUCT) return null
  const lasts = new Map()
  const cursor = new ElementCursor().open(buf, start, start + getInt32(buf, start) - 1)
  while (cursor.nextSibling()) lasts.set(getUtf8(buf, cursor.pos + 1, cursor.nameEnd), cursor.pos)
  return new Set(lasts.values())
}

/** Kinds of columns with others inside. */
const INSIDE = new Set([KIND.STRUCT, KIND.LIST, KIND.MAP])

/** @param {Type} type @param {ElementCursor} cursor at an element in it */
function typeOf({ kind, fields, items }, { buf, pos, nameEnd }) {
  return kind === KIND.STRUCT ? fields.get(getUtf8(buf, pos + 1, nameEnd)) : items
}

/** The type of a document on the path. @returns {Type | null} null: all of it is copied */
function typeInside(parent, cursor) {
  if (parent === null) return null
  const type = parent.kind === KIND.STRUCT ? typeOf(parent, cursor) : undefined
  if (type === undefined) return NOTHING
  return type.kind === KIND.JSON || type.kind === KIND.MAP ? null : type
}

/** Whether a value has a place in a column, as null and undefined do. @param {Type | undefined} type */
function holds(type, { type: element, buf, value, end }) {
  return type !== undefined && (NULLS.has(element) || fits(type, element, buf, value, end))
}

/** Writes an element with the name of another, and without a value. */
function copyEmpty(out, { buf, pos, value }, type) {
  out.byte(type)
  out.copy(buf, pos + 1, value)
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
