'use strict'

// Values -> Extended JSON text, in one pass: there is no tree in between.

const { MAX_DEPTH } = require('../spec')
const { BSONError, joinPath, describePlace } = require('../errors')
const { ObjectId } = require('../types')
const { NEEDS_ESCAPE, quote, keyAfter, start } = require('./quote')
const forms = require('./forms')
const { leafText, asDocument } = require('./bson-values')

/** Levels on the JavaScript stack; deeper ones are kept in frames. */
const RECURSION_DEPTH = 100

const TWO_POW_63 = 2 ** 63

const hasOwn = Object.prototype.hasOwnProperty
const { getPrototypeOf } = Object
const objectPrototype = Object.prototype
const datePrototype = Date.prototype
const objectIdPrototype = ObjectId.prototype

/** Thrown on a document with a `toJSON` of its own: only JSON.stringify can say what becomes of it. */
const OWN_TO_JSON = Symbol('own toJSON')

/** One call of stringify: what is to be written, and the way from the root to where it is now. */
class Writer {
  /** @param {EJSONSerializeOptions} options */
  constructor(options) {
    this.options = options
    this.relaxed = Boolean(options.relaxed)
    this.legacy = Boolean(options.legacy)
    this.ignoreUndefined = Boolean(options.ignoreUndefined)
    this.maxDepth = typeof options.maxDepth === 'number' ? options.maxDepth : MAX_DEPTH
    this.recursionDepth = Math.min(this.maxDepth, RECURSION_DEPTH)
    /** The documents that are open, the root first. @type {object[]} */
    this.open = []
    /** The key in each of them. @type {(string | number)[]} */
    this.keys = []
    /** How many are open. */
    this.depth = 0
  }

  /** @param {unknown} value what a field would leave out is null here @returns {string} */
  value(value) {
    switch (typeof value) {
      case 'string':
        return quote(value)
      case 'number':
        return this.relaxed && Number.isFinite(value) ? forms.numberText(value) : canonicalNumber(value)
      case 'object':
        return value === null ? 'null' : this.object(value)
      case 'boolean':
        return value ? 'true' : 'false'
      case 'bigint':
        return this.bigint(value)
      default:
        return 'null'
    }
  }

  /** @param {bigint} value */
  bigint(value) {
    if (BigInt.asIntN(64, value) !== value) throw new BSONError(`bigint ${value} is outside the range of an int64`)
    return forms.int64Text(value, this)
  }

  /** @param {object} value */
  object(value) {
    const isPlain = getPrototypeOf(value) === objectPrototype
    const leaf = isPlain ? '' : this.leaf(value)
    if (leaf !== '') return leaf
    if (this.depth >= this.recursionDepth) return this.deep(value)
    this.enter(value)
    let text
    if (isPlain) text = this.fields(value)
    else text = Array.isArray(value) ? this.items(value) : this.fields(asDocument(value, this))
    this.depth--
    return text
  }

  /** @param {any} value @returns {string} '' for what holds other values */
  leaf(value) {
    const prototype = getPrototypeOf(value)
    if (prototype === objectPrototype || Array.isArray(value)) return ''
    if (prototype === objectIdPrototype) return forms.objectIdText(value.i0, value.i1, value.i2, value.i3)
    if (prototype === datePrototype) return forms.dateText(value.getTime(), this)
    return leafText(value, this)
  }

  /** @param {object} doc */
  enter(doc) {
    const { open, depth } = this
    for (let i = 0; i < depth; i++) if (open[i] === doc) throw circularError(this.keys.slice(0, depth), i)
    open[depth] = doc
    this.depth = depth + 1
  }

  /** Own enumerable string keys, in their order. @param {any} doc */
  fields(doc) {
    const { keys } = this
    const level = this.depth - 1
    let text = ''
    let key = start
    /** Whether the quote that closes a string is still to come: it comes with the next key. */
    let isOpen = false
    for (const name in doc) {
      if (!hasOwn.call(doc, name)) continue
      const value = doc[name]
      const type = typeof value
      if (type !== 'string' && type !== 'object' && this.omits(name, value)) continue
      const next = key.next
      key = next.name === name ? next : keyAfter(key, name)
      if (type === 'string' && !NEEDS_ESCAPE.test(value)) {
        if (text === '') text = key.firstOfString + value
        else text = text + (isOpen ? key.betweenStrings : key.restOfString) + value
        isOpen = true
        continue
      }
      keys[level] = name
      const valueText = this.value(value)
      text = text === '' ? key.first + valueText : text + (isOpen ? key.afterString : key.rest) + valueText
      isOpen = false
    }
    return text === '' ? '{}' : text + (isOpen ? '"}' : '}')
  }

  /** @param {string} name @param {unknown} value @returns {boolean} whether the field is left out */
  omits(name, value) {
    if (value === undefined) return this.ignoreUndefined
    if (typeof value !== 'function') return typeof value === 'symbol'
    if (name === 'toJSON') throw OWN_TO_JSON
    return true
  }

  /** @param {unknown[]} array */
  items(array) {
    const { keys } = this
    const level = this.depth - 1
    if (this.relaxed && isNumeric(array)) return JSON.stringify(array)
    let text = '['
    for (let i = 0; i < array.length; i++) {
      keys[level] = i
      text += i === 0 ? this.value(array[i]) : ',' + this.value(array[i])
    }
    return text + ']'
  }

  /** A document below the recursion depth: the same text, with its levels in frames. @param {object} root */
  deep(root) {
    const seen = new Set(this.open.slice(0, this.depth))
    const frames = [this.openFrame(root, seen)]
    let text = ''
    while (frames.length > 0) {
      const frame = frames[frames.length - 1]
      if (frame.next === frame.size) {
        text += (frame.isEmpty ? frame.opening : '') + frame.closing
        seen.delete(this.open[--this.depth])
        frames.pop()
        continue
      }
      const index = frame.next++
      const name = frame.names === null ? index : frame.names[index]
      const value = frame.doc[name]
      if (typeof name === 'string' && this.omits(name, value)) continue
      this.keys[this.depth - 1] = name
      text += (frame.isEmpty ? frame.opening : ',') + (typeof name === 'string' ? quote(name) + ':' : '')
      frame.isEmpty = false
      const leaf = typeof value === 'object' && value !== null ? this.leaf(value) : this.value(value)
      if (leaf !== '') text += leaf
      else frames.push(this.openFrame(value, seen))
    }
    return text
  }

  /** @param {object} value @param {Set<object>} seen */
  openFrame(value, seen) {
    const { depth } = this
    if (depth >= this.maxDepth) throw new BSONError(`document is nested deeper than ${this.maxDepth} levels`)
    if (seen.has(value)) throw circularError(this.keys.slice(0, depth), this.open.indexOf(value))
    seen.add(value)
    this.open[this.depth++] = value
    const doc = asDocument(value, this)
    const names = Array.isArray(doc) ? null : Object.keys(doc)
    const [opening, closing] = names === null ? '[]' : '{}'
    return { doc, names, size: (names ?? doc).length, next: 0, isEmpty: true, opening, closing }
  }
}

/** Whether the array is of numbers that JSON has, and nothing but: natively they are three times as fast. */
function isNumeric(array) {
  const { length } = array
  if (length === 0 || typeof array.toJSON === 'function') return false
  for (let i = 0; i < length; i++) {
    const item = array[i]
    // NaN, Infinity and -0 have other forms than JSON's.
    if (typeof item !== 'number' || item - item !== 0 || (item === 0 && 1 / item < 0)) return false
  }
  return true
}

/** The smallest type that holds the number exactly. @param {number} value */
function canonicalNumber(value) {
  if ((value | 0) === value && !Object.is(value, -0)) return `{"$numberInt":"${value}"}`
  const isInt64 = Number.isInteger(value) && value !== 0 && value >= -TWO_POW_63 && value < TWO_POW_63
  return isInt64 ? `{"$numberLong":"${BigInt(value)}"}` : forms.numberDoubleText(value === 0 ? '-0.0' : String(value))
}

/** How many keys an error names at either end of a long way. */
const NAMED_KEYS = 20

/**
 * @param {(string | number)[]} keys from the root to where the document comes again
 * @param {number} index how many of them lead to where it was first
 */
function circularError(keys, index) {
  const names = ['(root)', ...keys.map(key => (typeof key === 'number' ? `index ${key}` : key))]
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

/** @param {string[]} names */
function chain(names) {
  return elide(names, '...').reduce((text, name) => `${text}${name} -> `, '')
}

/** @param {(string | number)[]} keys @returns {string} */
function pathOf(keys) {
  return elide(keys, '\u2026').reduceRight((path, key) => joinPath(key, path), '')
}

/** @param {any[]} list @param {string} gap stands for the middle of a long one @returns {any[]} */
function elide(list, gap) {
  return list.length <= 2 * NAMED_KEYS ? [...list] : [...list.slice(0, NAMED_KEYS), gap, ...list.slice(-NAMED_KEYS)]
}

/**
 * @param {unknown} value
 * @param {EJSONSerializeOptions} options
 * @returns {string | undefined | typeof OWN_TO_JSON} undefined where JSON has no text either: for a function
 * @throws {BSONError} on a value that Extended JSON has no form for, with the path to it
 */
function write(value, options) {
  const writer = new Writer(options)
  try {
    return writer.omits('', value) ? undefined : flat(writer.value(value))
  } catch (error) {
    if (error === OWN_TO_JSON) return OWN_TO_JSON
    throw describeError(error, writer)
  }
}

/** Where what `flat` reads goes: the optimiser would leave out a read for nothing. */
const read = { character: 0 }

/**
 * A string put together by `+` is a tree of its pieces, three times as large as the text, until something reads it. To
 * read a character now takes 20 % of the time; the garbage collection of trees that live on takes 60 %.
 *
 * @param {string} text
 */
function flat(text) {
  read.character = text.charCodeAt(0)
  return text
}

/** @param {unknown} error @param {Writer} writer @returns {unknown} */
function describeError(error, writer) {
  if (isTooLong(error)) return new BSONError('Extended JSON text is longer than a string can be', { cause: error })
  if (!(error instanceof BSONError) || error.path !== undefined) return error
  error.path = pathOf(writer.keys.slice(0, writer.depth))
  return describePlace(error)
}

/** @param {any} error */
function isTooLong(error) {
  return error instanceof RangeError && error.message === 'Invalid string length'
}

/** @typedef {import('../ejson').EJSONSerializeOptions} EJSONSerializeOptions */

module.exports = { RECURSION_DEPTH, OWN_TO_JSON, Writer, write, describeError, pathOf }
