'use strict'

// The layout 'array': each document that the schema describes becomes an array of its values, without names, after a
// fingerprint of the schema. Where no generated reader reads them, bytes in this layout are converted to bytes with
// names, so that all other code handles only documents.

const { ELEMENT } = require('../spec')
const { errorAtOffset, atKey } = require('../errors')
const { copyBytes, getInt32, getInt64, getUtf8Lossy, utf8Bytes } = require('../bytes')
const { DEFAULT_PLAN, acquireOutput, releaseOutput, begin, closeDocument } = require('../encode')
const { ElementCursor, tooDeep } = require('../elements')
const { schemaError } = require('../schema')
const { fingerprintOf, nameOf } = require('./fingerprint')

/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} Shape */
/** @typedef {import('../schema/schema').List} List */

/** Bytes before the first value: size, and the fingerprint as an int64 named "0". */
const HEAD = 15

/** Bytes of an index with its type, or of the 0x00 and zeros after a name. */
const ROOM = 16

/** Converts positional bytes to bytes with names, by a schema. */
class Unpacker {
  /** @param {import('../encode/output').Output} out @param {[to: number, from: number][] | null} places */
  constructor(out, buf, first, end, maxDepth, places) {
    this.out = out
    this.buf = buf
    this.maxDepth = maxDepth
    this.places = places
    /** Number of open documents, without those that hold additional fields. */
    this.depth = 0
    this.cursor = new ElementCursor().open(buf, first - 4, end - 1, Infinity)
  }

  /** The values that the cursor has entered, from `first` to `next`, each with its name. */
  values({ fields, additional }, first, next, to) {
    const { cursor } = this
    const start = to
    let index = 0
    to = this.begin(first, to)
    try {
      for (; index < fields.length && cursor.nextSibling(); index++) {
        const { bytes, node } = fields[index]
        if (cursor.type === ELEMENT.UNDEFINED) continue
        const buf = this.out.reserve(to, bytes.length + ROOM)
        for (let i = 0; i < bytes.length; i++) buf[to + 1 + i] = bytes[i]
        to = this.element(node, to, to + 1 + bytes.length)
      }
    } catch (error) {
      throw atKey(error, fields[index].name)
    }
    if (index < fields.length) throw errorAtOffset(`found ${index} values, the schema has ${fields.length}`, first)
    if (cursor.nextSibling()) to = this.beyond(fields.length, additional, next, to)
    return this.close(start, to)
  }

  /** The additional fields, which come last, in a document of their own. */
  beyond(count, additional, next, to) {
    const { cursor, cursor: { type, pos, end } } = this
    const isLast = type === ELEMENT.DOCUMENT && end === next - 1
    if (!isLast) throw errorAtOffset(`found more than the ${count} values of the schema`, pos)
    cursor.enter()
    to = this.elements({ byName: NO_FIELDS, additional }, null, to)
    cursor.leave()
    return to
  }

  /** Elements that have names in both layouts. */
  elements(shape, list, to) {
    const { cursor } = this
    for (let i = 0; cursor.nextSibling(); i++) {
      const { pos, value, nameEnd } = cursor
      const name = list !== null ? i : getUtf8Lossy(this.buf, pos + 1, nameEnd)
      try {
        const named = list === null ? shape.byName.get(String(name))?.node ?? shape.additional : null
        to = this.element(list === null ? named : list.prefix[i] ?? list.items, to, this.copy(pos, value, to))
      } catch (error) {
        throw atKey(error, name)
      }
    }
    return to
  }

  /** The cursor's value at `to`, whose type and name are before it, at `at`. @param {Node | boolean} node */
  element(node, at, to) {
    const { cursor, cursor: { type, pos, value, end } } = this
    const { shape, list, isPositional } = typeof node === 'object' ? node : NOTHING
    const isUnnamed = isPositional && type === ELEMENT.ARRAY
    const isShape = type === ELEMENT.DOCUMENT && shape !== null
    const isList = type === ELEMENT.ARRAY && list !== null && !isFlat(list)
    this.places?.push([at, pos], [to, value])
    this.out.buf[at] = isUnnamed ? ELEMENT.DOCUMENT : type
    if (!isUnnamed && !isShape && !isList) return this.copy(value, end, to)
    cursor.enter()
    to = isUnnamed
      ? this.values(shape, value + 4, end, to)
      : this.close(to, this.elements(isShape ? shape : null, isList ? list : null, this.begin(value + 4, to)))
    cursor.leave()
    return to
  }

  copy(from, end, to) {
    return copyBytes(this.buf, from, end, this.out.reserve(to, end - from + ROOM), to)
  }

  begin(first, to) {
    if (++this.depth > this.maxDepth) throw errorAtOffset(tooDeep(this.maxDepth), first)
    this.out.reserve(to, ROOM)
    return to + 4
  }

  close(start, to) {
    this.depth--
    return closeDocument(this.out, start, to)
  }
}

const NO_FIELDS = new Map()

const NOTHING = { shape: null, list: null, isPositional: false }

/** Whether a list describes neither documents nor arrays. @param {List} list */
function isFlat({ prefix, items }) {
  return [...prefix, items].every(node => typeof node !== 'object' || (node.shape === null && node.list === null))
}

/**
 * Gives documents without names shapes of their own, whose fields are labelled by the indexes of their values: another
 * place may have the same fields with names. So has the root, the only one that begins with a fingerprint.
 *
 * @param {import('../schema/schema').Schema} schema is changed
 */
function labelFields(schema) {
  const { root, nodes, shapes } = schema
  const labelled = (node, isRoot) => {
    const typeRule = node.typeRules.get(ELEMENT.DOCUMENT)
    const fields = typeRule.shape.fields.map(field => ({ ...field, label: String(field.index + (isRoot ? 1 : 0)) }))
    const shape = { ...typeRule.shape, id: shapes.length, fields, isPositional: true, isRoot }
    shapes.push(shape)
    return { shape, typeRules: new Map(node.typeRules).set(ELEMENT.DOCUMENT, { ...typeRule, shape }) }
  }
  schema.root = { ...root, ...labelled(root, true) }
  schema.shape = schema.root.shape
  for (const node of nodes) if (node.isPositional) Object.assign(node, labelled(node, false))
}

class Positional {
  /** @param {import('../schema/schema').Schema} schema @param {import('../schema/schema').Schema[]} older */
  constructor(schema, older, maxDepth) {
    for (const { root, shapes } of [schema, ...older]) {
      if (!root.isPositional) throw schemaError('#', "the layout 'array' needs properties, and no bsonType but 'object'")
      const fields = shapes.flatMap(shape => shape.fields)
      for (const field of fields) field.bytes = [...utf8Bytes(field.name), 0]
    }
    this.schema = schema
    this.maxDepth = maxDepth
    this.fingerprint = fingerprintOf(schema)
    this.low = Number(BigInt.asIntN(32, this.fingerprint))
    this.high = Number(BigInt.asIntN(32, this.fingerprint >> 32n))
    this.shapes = new Map(older.map(one => [fingerprintOf(one), one.shape]))
    labelFields(schema)
  }

  /** Whether the bytes were written with this schema, rather than with an older one. */
  isOwn(buf, index, end) {
    return this.shapeOf(buf, index, end) === this.schema.shape
  }

  /** type | index | 0x00 | int64 @param {import('../encode/output').Output} out with room */
  putFingerprint({ buf, view }, pos) {
    buf[pos++] = ELEMENT.INT64
    buf[pos++] = 0x30
    buf[pos++] = 0
    view.setInt32(pos, this.low, true)
    view.setInt32(pos + 4, this.high, true)
    return pos + 8
  }

  /**
   * Converts positional bytes to bytes with names, and reads those.
   *
   * @template T
   * @param {Uint8Array} buf
   * @param {number} index where the document begins
   * @param {number} end offset after it
   * @param {(bytes: Uint8Array, start: number, end: number, placeOf: (offset: number) => number) => T} read must not
   *   keep any bytes
   * @returns {T}
   * @throws {import('../errors').BSONError} also on bytes of another schema
   */
  unpack(buf, index, end, read) {
    const shape = this.shapeOf(buf, index, end)
    const out = acquireOutput()
    begin(out, DEFAULT_PLAN)
    const first = index + HEAD
    const unpack = places => new Unpacker(out, buf, first, end, this.maxDepth, places).values(shape, first, end, start)
    const start = out.begin()
    /** @type {[to: number, from: number][] | undefined} in ascending order */
    let places
    const placeOf = offset => {
      if (places === undefined) unpack(places = [[start, index]])
      const [to, from] = places[countUpTo(places, offset) - 1]
      return from + offset - to
    }
    const after = unpack(null)
    const result = read(out.buf, start, after, placeOf)
    releaseOutput(out)
    return result
  }

  /** The shape of the schema that the bytes were written with. @returns {Shape} */
  shapeOf(buf, index, end) {
    const pos = index + 4
    const hasFingerprint = pos + 11 < end && (getInt32(buf, pos) & 0xffffff) === (ELEMENT.INT64 | 0x3000)
    if (!hasFingerprint) throw errorAtOffset("not in the layout 'array': the first value is not the fingerprint of a schema", pos)
    const isOwn = getInt32(buf, pos + 3) === this.low && getInt32(buf, pos + 7) === this.high
    if (isOwn) return this.schema.shape
    const fingerprint = getInt64(buf, pos + 3)
    const shape = this.shapes.get(fingerprint)
    if (shape !== undefined) return shape
    const own = nameOf(this.fingerprint)
    throw errorAtOffset(`written with schema ${nameOf(fingerprint)}, but this codec is for schema ${own}`, index)
  }
}

/** How many places begin up to an offset. There may be as many places as there are errors to be placed. */
function countUpTo(places, offset) {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle][0] <= offset) low = middle + 1
    else high = middle
  }
  return low
}

module.exports = { Positional }
