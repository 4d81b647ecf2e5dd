'use strict'

// Extended JSON text -> values: the native JSON.parse, then one walk that replaces the wrappers of BSON values.

const { ELEMENT } = require('../spec')
const { BSONError, shownValue, atKey, stackError, describePlace } = require('../errors')
const { hasOwn } = require('../properties')
const { optionsOf, truthy, levels } = require('../options')
const types = require('../types')
const { checkedTime, typeOfNumber } = require('../text')
const { OTHER_FORM, wrapperOf, isTime, isDBRef } = require('./wrappers')
const { keyOf, readLoosely, ofPointer } = require('./loose')
const { isDocument } = require('./unexpected')
const { markInt64, parseMarked } = require('./numbers')

const DOLLAR = 0x24
const TWO_POW_53 = 2 ** 53

const readOptions = optionsOf({
  relaxed: truthy(true),
  legacy: truthy(false),
  useBigInt64: truthy(false),
  maxDepth: levels
})

/** One call of parse. */
class Reader {
  /** @param {EJSONParseOptions} options @param {boolean} hasNul whether a NUL may be in a key */
  constructor(options, hasNul) {
    const { relaxed, legacy, useBigInt64, maxDepth } = readOptions(options)
    this.relaxed = relaxed
    this.legacy = legacy
    this.useBigInt64 = useBigInt64
    this.maxDepth = maxDepth
    /** Whether only the specification's forms are accepted, as in toBSON. */
    this.isExact = false
    /** Whether numbers stay numbers. */
    this.plainNumbers = this.relaxed || this.legacy
    this.hasNul = hasNul
    /** Whether the text has to be searched for integers that a double cannot hold. */
    this.isInexact = false
  }

  /** @param {any} root parsed JSON @returns {any} the value it stands for */
  read(root) {
    const holder = { root }
    this.field(holder, 'root', 0)
    return holder.root
  }

  /** Replaces the parsed JSON in `holder[name]` by its value. @param {number} depth how many documents contain it */
  field(holder, name, depth) {
    const value = holder[name]
    if (typeof value === 'object' && value !== null) {
      if (depth >= this.maxDepth) throw this.tooDeep()
      const read = Array.isArray(value) ? this.items(value, depth + 1) : this.document(value, depth + 1)
      if (read !== value) holder[name] = read
    } else if (typeof value === 'number') {
      this.checkNumber(value)
      if (!this.plainNumbers) holder[name] = this.number(value)
    }
  }

  checkNumber(value) {
    if (value >= TWO_POW_53 || value <= -TWO_POW_53) this.isInexact = true
  }

  items(array, depth) {
    let i = 0
    try {
      for (; i < array.length; i++) {
        const value = array[i]
        if (typeof value === 'number' && this.plainNumbers) this.checkNumber(value)
        else if (typeof value !== 'string') this.field(array, i, depth)
      }
    } catch (error) {
      throw atKey(error, i)
    }
    return array
  }

  /** @param {any} doc @param {number} depth @returns {any} another value when the document stands for one */
  document(doc, depth) {
    let name = ''
    let first = ''
    try {
      for (name in doc) {
        if (!hasOwn.call(doc, name)) continue
        if (name.charCodeAt(0) === DOLLAR) {
          first = name
          break
        }
        if (this.hasNul) checkName(name)
        // The value is checked here because V8 loads the loop's own key fast: a load by name takes ten times as long.
        const value = doc[name]
        const type = typeof value
        if (type === 'number' && this.plainNumbers) this.checkNumber(value)
        else if ((type === 'object' && value !== null) || type === 'number') this.field(doc, name, depth)
      }
    } catch (error) {
      throw atKey(error, name)
    }
    return first === '' ? doc : this.dollarDocument(doc, first, depth)
  }

  /** A document whose first `$` key is `first`; the fields before it have been read. */
  dollarDocument(doc, first, depth) {
    const frequent = this.frequent(doc, first)
    if (frequent !== undefined) return frequent
    const names = Object.keys(doc)
    const wrapper = wrapperOf(doc, names, this)
    const rest = names.slice(names.indexOf(first))
    if (wrapper === OTHER_FORM) return this.otherForm(doc, names, rest, depth)
    if (wrapper !== undefined) return this.wrapped(wrapper, doc, depth)
    return isDBRef(doc, names) ? this.dbRef(doc, rest, depth) : this.fields(doc, rest, depth)
  }

  /** The most common wrappers in their usual form, in a third of the time of the general way. */
  frequent(doc, name) {
    const value = doc[name]
    if (typeof value !== 'string' || !isOnly(doc, name)) return undefined
    switch (name) {
      case '$oid':
        return new types.ObjectId(value)
      case '$date':
        return new Date(checkedTime(value))
      case '$numberLong':
        return this.relaxed && !this.useBigInt64 && SHORT_INTEGER.test(value) ? +value : undefined
      default:
        return undefined
    }
  }

  fields(doc, names, depth) {
    for (const name of names) {
      try {
        if (this.hasNul) checkName(name)
        this.field(doc, name, depth)
      } catch (error) {
        throw atKey(error, name)
      }
    }
    return doc
  }

  dbRef(doc, rest, depth, ref = types.DBRef.fromExtendedJSON(doc)) {
    ref.oid = this.fields({ $id: ref.oid }, ['$id'], depth).$id
    this.fields(ref.fields, rest.filter(name => name[0] !== '$'), depth)
    return ref
  }

  wrapped(wrapper, doc, depth) {
    const value = wrapper.read(doc, this)
    switch (wrapper.type) {
      case ELEMENT.DATETIME:
        return new Date(Number(value))
      case ELEMENT.CODE:
        return value.scope === null ? value : this.codeWithScope(value, depth)
      case ELEMENT.DB_POINTER:
        return this.dbRef(value, Object.keys(value), depth + 1, ofPointer(value))
      default:
        return value
    }
  }

  /** As bson, which reads the inner values first, except those of a time and of a scope, which is a plain document. */
  otherForm(doc, names, rest, depth) {
    const { $date } = doc
    this.fields(doc, rest.filter(name => name !== '$scope'), depth)
    const key = keyOf(doc, names, this)
    if (key === undefined) return doc
    const value = readLoosely(key, key === '$date' && isTime($date) ? { $date } : doc, this)
    if (key === '$date') return new Date(Number(value))
    return key === '$code' && isDocument(value.scope) ? this.codeWithScope(value, depth) : value
  }

  /** The scope is always a document, even if it looks like a wrapper. */
  codeWithScope(code, depth) {
    try {
      if (depth >= this.maxDepth) throw this.tooDeep()
      this.fields(code.scope, Object.keys(code.scope), depth + 1)
      return code
    } catch (error) {
      throw atKey(error, '$scope')
    }
  }

  tooDeep() {
    return new BSONError(`Extended JSON is nested deeper than ${this.maxDepth} levels`)
  }

  /** The smallest type that holds the number exactly; int64s beyond 2^53 have been marked. @param {number} value */
  number(value) {
    const type = Math.abs(value) <= TWO_POW_53 ? typeOfNumber(value) : ELEMENT.DOUBLE
    if (type === ELEMENT.INT32) return new types.Int32(value)
    if (type === ELEMENT.DOUBLE) return new types.Double(value)
    return this.useBigInt64 ? BigInt(value) : types.Long.fromNumber(value)
  }
}

/** Integers with few enough digits to be exact as doubles. */
const SHORT_INTEGER = /^-?[1-9]\d{0,14}$/

/** Whether the document has no other key. */
function isOnly(doc, name) {
  for (const other in doc) if (other !== name) return false
  return true
}

function checkName(name) {
  if (!name.includes('\0')) return
  throw new BSONError(`BSON Document field names cannot contain null bytes, found: ${shownValue(name)}`)
}

/**
 * Reads a text of Extended JSON.
 *
 * @param {string} text
 * @param {EJSONParseOptions} [options]
 * @returns {any}
 * @throws {SyntaxError} when it is not JSON
 * @throws {BSONError} when it is not Extended JSON, with the path to what is wrong
 */
function parse(text, options) {
  const string = String(text)
  const hasEscapes = string.includes('\\')
  const hasNul = hasEscapes && string.includes('\\u0000')
  const reader = new Reader(options, hasNul)
  const walks = needsWalk(string, hasEscapes, reader)
  if (walks && prescans === 0) {
    const value = readExact(reader, string)
    if (!reader.isInexact) return value
  }
  const marked = markInt64(string)
  if (reader.isInexact || marked !== string) prescans = PRESCANS
  else if (prescans > 0) prescans--
  const json = parseMarked(string, marked)
  return walks || marked !== string ? readWith(new Reader(options, hasNul), json) : json
}

/**
 * Searching the text for long integers takes 8 % of the time, so it waits until the walk meets one; the text is then
 * parsed twice. Texts with long integers tend to come together, so this many texts after one are searched first.
 */
const PRESCANS = 4

/** How many more texts are searched first. */
let prescans = 0

/** Drops errors: parsing the marked text throws them again, so their messages do not depend on `prescans`. */
function readExact(reader, text) {
  try {
    return reader.read(JSON.parse(text))
  } catch {
    reader.isInexact = true
  }
}

/** As `parse`. @param {any} json Extended JSON as objects, which are changed @param {EJSONParseOptions} [options] */
function readJson(json, options) {
  return readWith(new Reader(options, true), json)
}

function readWith(reader, json) {
  try {
    return reader.read(json)
  } catch (error) {
    throw describePlace(stackError(error))
  }
}

/** Whether there may be more than plain JSON; a `$`, escaped or not, is the sign. */
function needsWalk(text, hasEscapes, { plainNumbers, hasNul, maxDepth }) {
  if (text.includes('$') || !plainNumbers || text.length > maxDepth) return true
  return hasEscapes && (hasNul || text.includes('\\u0024'))
}

/** @typedef {import('.').EJSONParseOptions} EJSONParseOptions */

module.exports = { Reader, checkName, parse, readJson }
