'use strict'

// The query of --match, as a function on the bytes of documents.

const fs = require('node:fs')
const { ELEMENT } = require('../spec')
const { BSONError } = require('../errors')
const { getInt32, getUtf8Lossy } = require('../bytes')
const { ElementCursor } = require('../elements')
const { EJSON } = require('../ejson')
const { matcher } = require('../query')
const { QueryError, reasonOf } = require('./options')
const { printable } = require('./printable')

/**
 * The text of a query; that of `@FILE` is in a file.
 *
 * @param {string | undefined} match
 * @returns {string | undefined}
 * @throws {QueryError} when the file cannot be read
 */
function textOfMatch(match) {
  if (match?.[0] !== '@') return match
  try {
    return fs.readFileSync(match.slice(1), 'utf8')
  } catch (error) {
    throw new QueryError(printable(`--match: ${match.slice(1)}: ${reasonOf(error)}`))
  }
}

/**
 * @param {string} text Extended JSON, or as in MongoDB's shell
 * @returns {Uint8Array} BSON
 * @throws {QueryError}
 */
function parseQuery(text) {
  try {
    return EJSON.toBSON(extendedJSONOf(text))
  } catch (error) {
    if (!(error instanceof BSONError || error instanceof SyntaxError)) throw error
    throw new QueryError(`--match is not a query such as {"price": {"$gt": 5}}: ${printable(error.message)}`)
  }
}

/** @param {string} text */
function extendedJSONOf(text) {
  try {
    JSON.parse(text)
    return text
  } catch {
    return require('./shell').fromShell(text)
  }
}

/**
 * @param {string} text as for `parseQuery`
 * @returns {(bytes: Uint8Array, start?: number, end?: number) => boolean} of a document in the bytes
 * @throws {QueryError} when it is not a query, or needs what is not supported
 */
function matcherOf(text) {
  const query = parseQuery(text)
  try {
    return matcher(query)
  } catch (error) {
    if (error instanceof BSONError) throw new QueryError(`--match: ${printable(error.message)}`)
    throw error
  }
}

/** Text that looks like a value of another type. */
const LOOKS = [
  { type: 'objectId', what: 'ObjectIds', pattern: /^[0-9a-f]{24}$/i, form: text => `ObjectId('${text}')` },
  { type: 'date', what: 'dates', pattern: /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/, form: text => `ISODate('${text}')` }
]

/** The documents to look at: a field has the same type in most. */
const MAX_LOOKED_AT = 1000

/** Notices that a query compares text with a field of ids or dates, which finds nothing. */
class Doubt {
  /** @param {string} text of a query that can be compiled */
  constructor(text) {
    const bytes = parseQuery(text)
    const texts = new Map(comparedTexts(bytes, 0, bytes.length).map(each => [each.path, each.value]))
    this.cases = [...texts].flatMap(([path, value]) => {
      const look = LOOKS.find(({ pattern }) => pattern.test(value))
      return look === undefined ? [] : [{ look, path, value, isWanted: matcher({ [path]: { $type: look.type } }) }]
    })
    this.left = MAX_LOOKED_AT
  }

  /**
   * @param {Uint8Array} documents
   * @returns {string | null} what to tell the user, once
   */
  lookAt(documents) {
    for (let pos = 0; pos < documents.length && this.left > 0 && this.cases.length > 0; this.left--) {
      const start = pos
      pos += getInt32(documents, start)
      const found = this.cases.find(({ isWanted }) => isIn(isWanted, documents, start, pos))
      if (found === undefined) continue
      this.left = 0
      const { path, value, look: { what, form } } = found
      return `--match compares ${path} with text, but it holds ${what}: did you mean ${form(value)}?`
    }
    return null
  }
}

/** Whether it matches; it may be broken. */
function isIn(isWanted, buf, start, end) {
  try {
    return isWanted(buf, start, end)
  } catch {
    return false
  }
}

/** The texts in a query, with the path of what they are compared with. @returns {{path: string, value: string}[]} */
function comparedTexts(buf, start, end, path = '', isArray = false) {
  const found = []
  const cursor = new ElementCursor().open(buf, start, end - 1)
  while (cursor.next()) {
    const name = getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd)
    const field = isArray || name[0] === '$' ? path : path === '' ? name : `${path}.${name}`
    const { type, value, end: next } = cursor
    if (type === ELEMENT.STRING) found.push({ path: field, value: getUtf8Lossy(buf, value + 4, next - 1) })
    else if (cursor.isContainer) found.push(...comparedTexts(buf, value, next, field, type === ELEMENT.ARRAY))
  }
  return found.filter(({ path }) => path !== '')
}

module.exports = { textOfMatch, matcherOf, Doubt }
