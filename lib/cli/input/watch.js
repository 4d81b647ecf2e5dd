'use strict'

// Looks at documents while they are read, for what is probably a mistake: a field that no document has, a query that
// compares text with ids, dates, numbers or booleans.

const { ELEMENT, MIN_DOCUMENT_SIZE } = require('../../spec')
const { getInt32, getUtf8Lossy } = require('../../bytes')
const { ElementCursor } = require('../../elements')
const { pickerOf } = require('../../raw')
const { shownPath } = require('../options')

/** @param {boolean} isPart whether not all documents were read */
function noDocument(isPart) {
  return isPart ? 'no document that was read' : 'no document'
}

/** Looks at documents as long as it has cases. */
class Watch {
  /** @param {any[]} cases what to look for @param {number} [atMost] documents to look at */
  constructor(cases, atMost = Infinity) {
    this.cases = cases
    this.left = atMost
  }

  /** @abstract @param {Uint8Array} buf @param {number} start of a document @param {number} end */
  see(buf, start, end) {} // eslint-disable-line no-unused-vars

  lookAt(documents) {
    for (let start = 0, end; start < documents.length && this.left > 0; start = end, this.left--) {
      if (this.cases.length === 0) return
      end = start + getInt32(documents, start)
      this.see(documents, start, end)
    }
  }
}

/** Notices that an option names a field that no document has. */
class MissingFields extends Watch {
  /** @param {string} option @param {(string | string[])[]} paths @param {number} [atMost] documents to look at */
  constructor(option, paths, atMost) {
    const { Tally } = require('../../query')
    super(paths.filter(path => !path.includes('$')).map(path => ({ path, tally: new Tally(path) })), atMost)
    this.option = option
    this.isEmpty = true
    this.picker = null
  }

  see(buf, start, end) {
    this.isEmpty = false
    if (!isSo(() => this.mayHave(buf, start, end), true)) return
    const isMissing = ({ tally }) => !isSo(() => tally.add(buf, start, end - 1) ?? tally.isFound, true)
    const missing = this.cases.filter(isMissing)
    if (missing.length < this.cases.length) Object.assign(this, { cases: missing, picker: null })
  }

  /** Whether a document may have one of the fields, of which there may be hundreds. */
  mayHave(buf, start, end) {
    this.picker ??= pickerOf(this.cases.map(({ path }) => path))
    this.picker.pos = 0
    this.picker.write(buf, start, end)
    return this.picker.pos > MIN_DOCUMENT_SIZE
  }

  /** What to tell the user. @param {boolean} isPart whether not all documents were read @param {boolean} hasMatch */
  noteOf(isPart, hasMatch) {
    if (this.isEmpty || this.cases.length === 0 || (this.option === 'match' && hasMatch)) return null
    const who = this.left > 0 ? noDocument(isPart) : `none of the first ${MAX_LOOKED_AT} documents`
    const isUnquoted = this.option === 'match' && this.cases.some(({ path }) => path.endsWith('.'))
    const why = isUnquoted ? `: ${require('../options/shell').UNQUOTED}` : ''
    return `${who} has ${this.cases.map(({ path }) => shownPath(path)).join(', ')} (--${this.option})${why}`
  }
}

/** Text that looks like a value of another type. */
const LOOKS = [
  { type: 'objectId', what: 'ObjectIds', pattern: /^[0-9a-f]{24}$/i, form: text => `ObjectId('${text}')` },
  { type: 'bool', what: 'booleans', pattern: /^(true|false)$/, form: text => text },
  { type: 'number', what: 'numbers', pattern: /^-?\d{1,15}(\.\d+)?$/, form: text => String(Number(text)) },
  { type: 'date', what: 'dates', pattern: /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/, form: text => `ISODate('${text}')` }
]

/** The documents to look at: a field has the same type in most. */
const MAX_LOOKED_AT = 1000

/** Notices that a query compares text with a field of ids, dates, numbers or booleans, which finds nothing. */
class Doubt extends Watch {
  /** @param {{path: string, text?: string}[]} compared @param {(note: string) => void} say tells the user */
  constructor(compared, say) {
    const { matcher } = require('../../query')
    const texts = new Map(compared.flatMap(({ path, text }) => text === undefined ? [] : [[path, text]]))
    super([...texts].flatMap(([path, value]) => {
      const look = LOOKS.find(({ pattern }) => pattern.test(value))
      return look === undefined ? [] : [{ look, path, value, isWanted: matcher({ [path]: { $type: look.type } }) }]
    }), MAX_LOOKED_AT)
    this.say = say
  }

  see(buf, start, end) {
    const found = this.cases.find(({ isWanted }) => isSo(() => isWanted(buf, start, end), false))
    if (found === undefined) return
    const { path, value, look: { what, form } } = found
    this.say(`--match compares ${path} with text, but it holds ${what}: did you mean ${form(value)}?`)
    this.cases = []
  }
}

/** @param {() => boolean} test of a document @param {boolean} otherwise the result if the document is broken */
function isSo(test, otherwise) {
  try {
    return test()
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

/** What looks for mistakes. @param {Uint8Array} query that can be compiled @param {(note: string) => void} say */
function watchesOfQuery(query, say) {
  const compared = [...comparisonsIn(query)]
  const paths = [...new Set(compared.map(({ path }) => path))]
  return [new Doubt(compared, say), new MissingFields('match', paths, MAX_LOOKED_AT)]
}

module.exports = { noDocument, MissingFields, watchesOfQuery }
