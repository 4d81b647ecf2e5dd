'use strict'

// Values -> a tree of plain objects that JSON.stringify turns into Extended JSON. This is only needed where
// JSON.stringify has to call a replacer or a document's own `toJSON`.

const { setOwn } = require('../properties')
const { BSONError } = require('../errors')
const { isMap } = require('../encode')
const { forms, withText, explain } = require('../text')
const { markInt64, parseMarked } = require('./numbers')
const { Writer, describeError } = require('./stringify')
const { NO_LEAF, asDocument, mapDocument } = require('./bson-values')

/** Levels that JSON.stringify can take without running out of stack, even with a replacer. */
const TREE_DEPTH = 1000

/** As JSON.stringify. @throws {BSONError} when the value is too deep for that, or the text too long */
function stringifyJson(value, replacer, space) {
  try {
    return JSON.stringify(value, replacer, space)
  } catch (error) {
    if (!(error instanceof RangeError && /call stack/.test(error.message))) throw explain(error)
    throw new BSONError('Extended JSON objects are too deep for JSON.stringify', { cause: error })
  }
}

/** @returns {unknown} plain objects, arrays and JSON's own values; functions, symbols and undefined where they were */
function treeOf(value, options) {
  return withText(out => {
    const writer = new Writer(options, out)
    try {
      return branch(value, writer)
    } catch (error) {
      throw describeError(error, writer)
    }
  })
}

function branch(value, writer) {
  if (value === undefined) return writer.ignoreUndefined ? undefined : null
  if (typeof value === 'function' || typeof value === 'symbol') return value
  const end = typeof value === 'object' && value !== null ? writer.putLeaf(value, 0) : writer.put(value, 0)
  if (end !== NO_LEAF) return leafOf(writer.out.text(end))
  if (writer.depth >= TREE_DEPTH) {
    throw new BSONError(`document is nested deeper than ${TREE_DEPTH} levels, too deep for a replacer or a toJSON`)
  }
  writer.enter(value)
  const copy = Array.isArray(value)
    ? items(value, writer)
    : fields(isMap(value) ? mapDocument(value) : asDocument(value, writer), writer)
  writer.leave()
  return copy
}

/** JSON.stringify writes an int64 beyond 2^53 and a double alike, and 0 for -0: they keep their types. */
function leafOf(text) {
  const tree = exactJson(text)
  return typeof tree === 'number' && (forms.isLongDouble(tree) || Object.is(tree, -0)) ? { $numberDouble: text } : tree
}

/** As JSON.parse, but int64s beyond 2^53 become `$numberLong`. @param {string} text @returns {any} */
function exactJson(text) {
  return parseMarked(text, markInt64(text))
}

function items(array, writer) {
  const level = writer.depth - 1
  return Array.from(array, (item, i) => {
    writer.keys[level] = i
    return branch(item, writer)
  })
}

function fields(doc, writer) {
  const level = writer.depth - 1
  const copy = {}
  for (const key of Object.keys(doc)) {
    writer.keys[level] = key
    setOwn(copy, key, branch(doc[key], writer))
  }
  return copy
}

module.exports = { TREE_DEPTH, treeOf, stringifyJson, exactJson }
