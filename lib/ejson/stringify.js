'use strict'

// Values -> Extended JSON text, in one pass and without an intermediate tree.

const { hasOwn } = require('../properties')
const { levels } = require('../options')
const { BSONError, shownName, explainRevoked, stackError, elide, pathOf, atKey, isDescribed, describePlace } = require('../errors')
const { timeOf, isMap, entriesOf } = require('../encode')
const { ObjectId, checkInt64 } = require('../types')
const { ascii, forms, quote, acquireText, releaseText, explain, gapOf, indentBytes } = require('../text')
const { NO_LEAF, putLeaf, asDocument, checkMapKey } = require('./bson-values')

const { putString, putMark, putName } = quote

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype
const datePrototype = Date.prototype
const objectIdPrototype = ObjectId.prototype

const { COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT } = ascii

/** Thrown on a document with its own `toJSON`, which is left to JSON.stringify. */
const OWN_TO_JSON = Symbol('own toJSON')

/** The state of one call of stringify: its options, its output, and the path from the root to the current value. */
class Writer {
  /** @param {EJSONSerializeOptions} options @param {import('../text').TextOutput} out */
  constructor(options, out) {
    this.options = options
    this.out = out
    this.relaxed = Boolean(options.relaxed)
    this.legacy = Boolean(options.legacy)
    this.ignoreUndefined = Boolean(options.ignoreUndefined)
    this.maxDepth = levels(options.maxDepth, 'maxDepth')
    /** The documents that are open, the root first. @type {object[]} */
    this.open = []
    /** The key in each of them. @type {(string | number)[]} */
    this.keys = []
    /** How many are open. */
    this.depth = 0
  }

  /** Writes null for values that a document would leave out. @param {unknown} value @param {number} pos */
  put(value, pos) {
    if (typeof value === 'string') return putString(value, this.out, pos)
    if (typeof value === 'number') return forms.putAnyNumber(value, this, this.out, pos)
    if (typeof value === 'object' && value !== null) return this.putObject(value, pos)
    if (typeof value === 'boolean') return forms.putBoolean(value, this.out, pos)
    if (typeof value === 'bigint') return forms.putInt64(checkInt64(value), this, this.out, pos)
    return forms.putForm(forms.NULL, this.out, pos)
  }

  putObject(value, pos) {
    const isPlain = getPrototypeOf(value) === objectPrototype
    const leaf = isPlain ? NO_LEAF : this.putLeaf(value, pos)
    if (leaf !== NO_LEAF) return leaf
    this.enter(value)
    if (isPlain) pos = this.putFields(value, pos)
    else if (Array.isArray(value)) pos = this.putItems(value, pos)
    else pos = isMap(value) ? this.putEntries(value, pos) : this.putFields(asDocument(value, this), pos)
    this.leave()
    return pos
  }

  /** @param {any} value @param {number} pos @returns {number} `NO_LEAF` for a value that holds others */
  putLeaf(value, pos) {
    const prototype = getPrototypeOf(value)
    if (prototype === objectPrototype || Array.isArray(value)) return NO_LEAF
    if (prototype === objectIdPrototype) return forms.putObjectId(value.i0, value.i1, value.i2, value.i3, this.out, pos)
    if (prototype === datePrototype) return forms.putDate(timeOf(value), this, this.out, pos)
    return putLeaf(value, this, pos)
  }

  /** @param {object} doc @throws {BSONError} when it is nested too deep or contains itself */
  enter(doc) {
    const { open, depth } = this
    open[depth] = doc
    // a cycle returns to the one at a power of two before the depth has doubled again (Brent)
    const isAgain = depth > 0 && open[(1 << (31 - Math.clz32(depth))) - 1] === doc
    if (isAgain || depth >= this.maxDepth) throw this.endless(open.slice(0, depth + 1))
    this.depth = depth + 1
  }

  leave() {
    this.depth--
  }

  /** @param {object[]} open the last one is too deep, or is in there twice */
  endless(open) {
    const end = open.findIndex((doc, i) => open.indexOf(doc) < i)
    if (end === -1) return new BSONError(`document is nested deeper than ${this.maxDepth} levels`)
    return circularError(this.keys.slice(0, end), open.indexOf(open[end]))
  }

  /** Own enumerable string keys, in their order. @param {any} doc @param {number} pos */
  putFields(doc, pos) {
    const { keys, out } = this
    const level = this.depth - 1
    let before = OPEN_DOCUMENT
    for (const name in doc) {
      if (!hasOwn.call(doc, name)) continue
      const value = doc[name]
      if (typeof value !== 'string' && typeof value !== 'object' && typeof value !== 'number' && this.omits(name, value)) continue
      keys[level] = name
      pos = putName(name, before, out, pos)
      before = COMMA
      pos = this.put(value, pos)
    }
    if (before === OPEN_DOCUMENT) pos = putMark(OPEN_DOCUMENT, this.out, pos)
    return putMark(CLOSE_DOCUMENT, this.out, pos)
  }

  /** In their order: an object would begin with the integers. @param {Map<any, unknown>} map @param {number} pos */
  putEntries(map, pos) {
    const { keys, out } = this
    const level = this.depth - 1
    let before = OPEN_DOCUMENT
    for (const [key, value] of entriesOf(map)) {
      const name = checkMapKey(key)
      if (this.omits(name, value)) continue
      keys[level] = name
      pos = this.put(value, putName(name, before, out, pos))
      before = COMMA
    }
    if (before === OPEN_DOCUMENT) pos = putMark(OPEN_DOCUMENT, out, pos)
    return putMark(CLOSE_DOCUMENT, out, pos)
  }

  /** @param {string} name @param {unknown} value @returns {boolean} whether the field is left out */
  omits(name, value) {
    if (value === undefined) return this.ignoreUndefined
    if (typeof value !== 'function') return typeof value === 'symbol'
    if (name === 'toJSON') throw OWN_TO_JSON
    return true
  }

  putItems(array, pos) {
    const { keys } = this
    const level = this.depth - 1
    let before = OPEN_ARRAY
    for (let i = 0; i < array.length; i++) {
      const item = array[i]
      keys[level] = i
      pos = putMark(before, this.out, pos)
      before = COMMA
      pos = typeof item === 'number' ? forms.putAnyNumber(item, this, this.out, pos) : this.put(item, pos)
    }
    if (before === OPEN_ARRAY) pos = putMark(OPEN_ARRAY, this.out, pos)
    return putMark(CLOSE_ARRAY, this.out, pos)
  }
}

/** `keys` lead to the second occurrence of the document, the first `index` of them to the first. */
function circularError(keys, index) {
  const names = ['(root)', ...keys.map(key => (typeof key === 'number' ? `index ${key}` : shownName(key)))]
  const before = chain(names.slice(0, index))
  const first = names[index]
  const between = ' -> ' + chain(names.slice(index + 1, -1))
  const last = names[names.length - 1]
  const spaces = ' '.repeat(before.length + first.length / 2)
  const dashes = '-'.repeat(between.length + (first.length + last.length) / 2 - 1)
  const error = new BSONError(
    `Converting circular structure to EJSON:\n    ${before}${first}${between}${last}\n    ${spaces}\\${dashes}/`
  )
  error.path = pathOf(keys)
  return error
}

/** Whether its message shows the path. One in the bytes of a raw document has an offset. @param {BSONError} error */
function isCircular(error) {
  return error.path !== undefined && error.offset === undefined && !isDescribed(error)
}

function chain(names) {
  return elide(names, '...').reduce((text, name) => `${text}${name} -> `, '')
}

/** The text; undefined for a function, as JSON.stringify; or OWN_TO_JSON. */
function jsonText(value, options, space) {
  const out = acquireText()
  const writer = new Writer(options, out)
  try {
    if (writer.omits('', value)) return undefined
    const end = writer.put(value, 0)
    const gap = gapOf(space)
    return out.text(gap.length === 0 ? end : indentBytes(out, 0, end, gap))
  } catch (error) {
    if (error === OWN_TO_JSON) return OWN_TO_JSON
    throw describeError(error, writer)
  } finally {
    releaseText(out)
  }
}

function describeError(thrown, writer) {
  const error = stackError(explainRevoked(thrown))
  if (!(error instanceof BSONError) || isCircular(error)) return explain(error)
  return describePlace(writer.keys.slice(0, writer.depth).reduceRight((each, key) => atKey(each, key), error))
}

/** @typedef {import('.').EJSONSerializeOptions} EJSONSerializeOptions */

module.exports = { OWN_TO_JSON, Writer, jsonText, describeError }
