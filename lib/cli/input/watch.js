'use strict'

// Looks at documents while they are read, for what is probably a mistake: a field that no document has, a query that
// compares text with ids, dates or numbers.

const { ELEMENT, MIN_DOCUMENT_SIZE } = require('../../spec')
const { getInt32, getUtf8Lossy } = require('../../bytes')
const { ElementCursor } = require('../../elements')
const { pickerOf } = require('../../raw')
const { shownPath } = require('../options')

/** @typedef {(buf: Uint8Array, start: number, end: number) => boolean} Test of a document */

/** @param {boolean} isPart whether not all documents were read */
function noDocument(isPart) {
  return isPart ? 'no document that was read' : 'no document'
}

/** @param {string | string[]} path @returns {Test} whether a document has it */
function hasField(path) {
  const { matcher, Tally } = require('../../query')
  if (typeof path === 'string') return matcher({ [path]: { $exists: true } })
  const tally = new Tally(path)
  return (buf, start, end) => {
    tally.add(buf, start, end - 1)
    return tally.isFound
  }
}

/** Notices that an option names a field that no document has. */
class MissingFields {
  /** @param {string} option @param {(string | string[])[]} paths @param {number} [atMost] documents to look at */
  constructor(option, paths, atMost = Infinity) {
    this.option = option
    this.left = atMost
    this.cases = paths.filter(path => !path.includes('$')).map(path => ({ path, has: hasField(path) }))
    this.isEmpty = true
    this.picker = null
  }

  lookAt(documents) {
    this.isEmpty &&= documents.length === 0
    for (let start = 0, end; start < documents.length && this.left > 0; start = end, this.left--) {
      if (this.cases.length === 0) return
      end = start + getInt32(documents, start)
      if (!this.mayHave(documents, start, end)) continue
      const missing = this.cases.filter(({ has }) => !isSo(has, documents, start, end, true))
      if (missing.length < this.cases.length) Object.assign(this, { cases: missing, picker: null })
    }
  }

  /** Whether a document may have one of the fields, of which there may be hundreds. */
  mayHave(buf, start, end) {
    this.picker ??= pickerOf(this.cases.map(({ path }) => path))
    this.picker.pos = 0
    return isSo((...document) => {
      this.picker.write(...document)
      return this.picker.pos > MIN_DOCUMENT_SIZE
    }, buf, start, end, true)
  }

  /** @param {boolean} isPart whether not all documents were read @returns {string | null} what to tell the user */
  noteOf(isPart) {
    if (this.isEmpty || this.cases.length === 0) return null
    const who = this.left > 0 ? noDocument(isPart) : `none of the first ${MAX_LOOKED_AT} documents`
    return `${who} has ${this.cases.map(({ path }) => shownPath(path)).join(', ')} (--${this.option})`
  }
}

/** Text that looks like a value of another type. */
const LOOKS = [
  { type: 'objectId', what: 'ObjectIds', pattern: /^[0-9a-f]{24}$/i, form: text => `ObjectId('${text}')` },
  { type: 'number', what: 'numbers', pattern: /^-?\d{1,15}(\.\d+)?$/, form: text => String(Number(text)) },
  { type: 'date', what: 'dates', pattern: /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/, form: text => `ISODate('${text}')` }
]

/** The documents to look at: a field has the same type in most. */
const MAX_LOOKED_AT = 1000

/** Notices that a query compares text with a field of ids, dates or numbers, which finds nothing. */
class Doubt {
  /** @param {{path: string, text?: string}[]} compared */
  constructor(compared) {
    const { matcher } = require('../../query')
    const texts = new Map(compared.flatMap(({ path, text }) => text === undefined ? [] : [[path, text]]))
    this.cases = [...texts].flatMap(([path, value]) => {
      const look = LOOKS.find(({ pattern }) => pattern.test(value))
      return look === undefined ? [] : [{ look, path, value, isWanted: matcher({ [path]: { $type: look.type } }) }]
    })
    this.left = MAX_LOOKED_AT
    /** What to tell the user, if anything. @type {string | null} */
    this.note = null
  }

  lookAt(documents) {
    for (let start = 0, end; start < documents.length && this.left > 0; start = end, this.left--) {
      if (this.cases.length === 0) return
      end = start + getInt32(documents, start)
      const found = this.cases.find(({ isWanted }) => isSo(isWanted, documents, start, end, false))
      if (found === undefined) continue
      const { path, value, look: { what, form } } = found
      this.note = `--match compares ${path} with text, but it holds ${what}: did you mean ${form(value)}?`
      this.cases = []
    }
  }
}

/** @param {Test} test @param {boolean} otherwise the result if the document is broken */
function isSo(test, buf, start, end, otherwise) {
  try {
    return test(buf, start, end)
  } catch {
    return otherwise
  }
}

/** The operators at the root of a query whose values are queries. */
const LOGICAL = ['$and', '$or', '$nor']

/** What a query compares fields with: the path of each value, and the value if it is text. A list may have millions. */
function* comparisonsIn(buf, start = 0, end = buf.length, path = '', isArray = false) {
  const cursor = new ElementCursor().open(buf, start, end - 1)
  while (cursor.next()) {
    const name = getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd)
    const isOperator = name[0] === '$'
    if (path === '' && isOperator && !LOGICAL.includes(name)) continue
    const field = isArray || isOperator ? path : path === '' ? name : `${path}.${name}`
    const { type, value, end: next } = cursor
    if (type === ELEMENT.STRING) yield { path: field, text: getUtf8Lossy(buf, value + 4, next - 1) }
    else if (cursor.isContainer) yield* comparisonsIn(buf, value, next, field, type === ELEMENT.ARRAY)
    else yield { path: field }
  }
}

/** @param {Uint8Array} query that can be compiled @returns {(MissingFields | Doubt)[]} what looks for mistakes in it */
function watchesOfQuery(query) {
  const compared = [...comparisonsIn(query)]
  const paths = [...new Set(compared.map(({ path }) => path))]
  return [new Doubt(compared), new MissingFields('match', paths, MAX_LOOKED_AT)]
}

module.exports = { noDocument, MissingFields, Doubt, watchesOfQuery }
