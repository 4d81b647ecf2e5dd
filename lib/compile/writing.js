'use strict'

// What generated writers are made of.

const { BSONError, prependKey } = require('../errors')
const { setDouble, putUtf8, putIndexName } = require('../bytes')
const { ObjectId, Long, Decimal128 } = require('../types')
const { ELEMENT } = require('../spec')
const {
  typeOf, roomOf, putObjectId, putDate, putLong, putDecimal128, putBinary, enter, leave, prependPath, checkLength,
  putElement, putName, closeDocument
} = require('../encode')
const { compareAt, lengthOf } = require('../schema')

const hasOwn = Object.prototype.hasOwnProperty
const { getPrototypeOf } = Object

/** A Binary, a UUID or bytes. */
function isBinary(value) {
  return typeof value === 'object' && value !== null && value.toBSON === undefined && typeOf(value, false) === ELEMENT.BINARY
}

/** Fields beyond the schema, as `encode` writes them. @param {string[]} names */
function putMore(out, doc, names, pos) {
  let i = 0
  try {
    for (; i < names.length; i++) pos = putElement(out, names[i], doc[names[i]], pos)
  } catch (error) {
    throw prependPath(error, doc, names[i])
  }
  return pos
}

/** @throws {BSONError} */
function wrongCount(count, least, most) {
  const bound = count < least ? `at least ${least}` : `at most ${most}`
  throw new BSONError(`expected ${bound} items, there are ${count}`)
}

/** @param {string[]} required one of which is not there @throws {BSONError} */
function missing(doc, required) {
  const name = required.find(name => !hasOwn.call(doc, name)) ?? required[0]
  throw prependKey(new BSONError('the field is missing'), name)
}

const ALWAYS = {
  objectPrototype: Object.prototype, objectIdPrototype: ObjectId.prototype, longPrototype: Long.prototype,
  decimal128Prototype: Decimal128.prototype, datePrototype: Date.prototype, getPrototypeOf, hasOwn, isBinary, putMore,
  missing, wrongCount, compareAt, roomOf, putObjectId, putDate,
  putLong, putDecimal128, putBinary, enter, leave, prependPath, checkLength, putElement, putName, closeDocument,
  setDouble, putUtf8, putIndexName, lengthOf
}

/** @param {string[]} names @param {() => import('./core').Core} core @returns {Record<string, any>} */
function writingScope(names, core) {
  const own = {
    writeDocument(out, id, isPositional, isRoot, doc, pos, check) {
      const { schema, writer, fingerprint } = core()
      const first = isRoot ? fingerprint : null
      return writer.writeDocument({ out, check }, schema.shapes[id], isPositional, first, doc, pos)
    },
    writeItems(out, id, array, pos, check) {
      const { schema, writer } = core()
      return writer.writeList({ out, check }, schema.lists[id], array, pos)
    },
    writeElement(out, id, { name, value, how }, pos, check) {
      const { schema, writer } = core()
      return writer.writeElement({ out, check }, schema.nodes[id], name, value, pos, how)
    },
    writeMore(out, id, first, doc, names, pos, check) {
      const { schema, writer } = core()
      return writer.writeRest({ out, check }, schema.shapes[id], first, { doc, names, get: name => doc[name] }, pos)
    },
    checkWritten(out, id, type, value, end) {
      const { schema, writer } = core()
      writer.checkWritten(out, schema.nodes[id], type, value, end)
    }
  }
  return Object.fromEntries(names.map(name => [name, own[name] ?? ALWAYS[name]]))
}

module.exports = { writingScope }
