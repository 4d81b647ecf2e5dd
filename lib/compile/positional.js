'use strict'

// The layout 'array': each document that the schema describes becomes an array of its values, without names, after a
// fingerprint of the schema. Bytes in this layout are converted from and to bytes with names, so that all other code
// handles only documents.

const { ELEMENT } = require('../spec')
const { errorAtOffset, atPlace } = require('../errors')
const { getInt32, getInt64, getUtf8Lossy, putIndexName, utf8Bytes } = require('../bytes')
const { DEFAULT_PLAN, acquireOutput, releaseOutput, begin, putBigInt, closeDocument } = require('../encode')
const { scanName, scanElement, tooDeep } = require('../elements')
const { schemaError } = require('../schema')
const { fingerprintOf, nameOf } = require('./fingerprint')

/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} Shape */
/** @typedef {import('../schema/schema').List} List */

/** Bytes before the first value: size, and the fingerprint as an int64 named "0". */
const HEAD = 15

/** Up to this many bytes are copied one by one: a native call takes 60 ns. */
const FEW = 48

/** Bytes of an index with its type, or of the 0x00 and zeros after a name. */
const ROOM = 16

/** Converts bytes of one layout to the other, by a schema. It uses few functions per level, to save stack. */
class Rewriter {
  /**
   * @param {import('../encode/output').Output} out
   * @param {Uint8Array} buf
   * @param {number} maxDepth levels
   * @param {[to: number, from: number][] | null} [places] receives the offsets of elements and values in both layouts
   * @param {number} [depth] number of documents around
   */
  constructor(out, buf, maxDepth, places = null, depth = 0) {
    this.out = out
    this.buf = buf
    this.maxDepth = maxDepth
    this.places = places
    /** Number of open documents. */
    this.depth = depth
  }

  /**
   * A document without names. Missing fields become undefined. Additional ones come last, in their own document.
   *
   * @param {Shape} shape determines the order of the fields
   * @param {number} value offset
   * @param {number} next offset after it
   * @param {number} to where to begin
   * @param {bigint} [fingerprint] of the schema, at the root
   * @returns {number} the offset after the written bytes
   */
  pack({ fields, additional }, value, next, to, fingerprint = undefined) {
    const { buf } = this
    const start = to
    const first = fingerprint === undefined ? 0 : 1
    const end = next - 1
    let index = 0
    let pos = value + 4
    to = this.enter(value, to)
    if (first === 1) {
      to = this.putIndex(ELEMENT.INT64, 0, to)
      to = putBigInt(fingerprint, this.out.buf, to)
    }
    for (; index < fields.length; index++) {
      const { bytes, node } = fields[index]
      const at = pos + 1 + bytes.length
      if (pos >= end || !isName(bytes, buf, pos + 1)) {
        to = this.putIndex(ELEMENT.UNDEFINED, index + first, to)
        continue
      }
      const after = scanElement(buf[pos], buf, pos, at - 1, end)
      const isOther = node.isPositional && buf[pos] === ELEMENT.DOCUMENT
      to = this.putIndex(isOther ? ELEMENT.ARRAY : buf[pos], index + first, to)
      to = isOther ? this.pack(node.shape, at, after, to) : this.value(node, buf[pos], at, after, to, true)
      pos = after
    }
    if (pos < end) {
      const rest = this.putIndex(ELEMENT.DOCUMENT, fields.length + first, to)
      to = closeDocument(this.out, rest, this.elements(beyond(additional), null, pos, end, rest + 4, true))
    }
    return this.close(start, to)
  }

  /** The values from `pos` on, each with its name. */
  unpack({ fields, additional }, pos, next, to) {
    const { buf } = this
    const start = to
    const begin = pos
    const end = next - 1
    let index = 0
    to = this.enter(pos, to)
    try {
      for (; pos < end && index < fields.length; index++) {
        const { bytes, node } = fields[index]
        const type = buf[pos]
        const value = scanName(buf, pos + 1, end) + 1
        const after = scanElement(type, buf, pos, value - 1, end)
        if (type !== ELEMENT.UNDEFINED) {
          const isOther = node.isPositional && type === ELEMENT.ARRAY
          this.out.reserve(to, bytes.length + ROOM)
          this.places?.push([to, pos], [to + 1 + bytes.length, value])
          to = this.putName(isOther ? ELEMENT.DOCUMENT : type, bytes, to)
          to = isOther ? this.unpack(node.shape, value + 4, after, to) : this.value(node, type, value, after, to, false)
        }
        pos = after
      }
    } catch (error) {
      throw atPlace(error, { key: fields[index].name })
    }
    if (index < fields.length) throw errorAtOffset(`found ${index} values, the schema has ${fields.length}`, begin)
    return this.close(start, pos < end ? this.others(fields, additional, pos, end, to) : to)
  }

  /** The additional fields, which come last. */
  others(fields, additional, pos, end, to) {
    const value = scanName(this.buf, pos + 1, end) + 1
    const after = scanElement(this.buf[pos], this.buf, pos, value - 1, end)
    if (this.buf[pos] !== ELEMENT.DOCUMENT || after !== end) {
      throw errorAtOffset(`found more than the ${fields.length} values of the schema`, pos)
    }
    return this.elements(beyond(additional), null, value + 4, after - 1, to, false)
  }

  /** A value that has a name in both layouts. Documents inside it may be without names. @param {Node | boolean} node */
  value(node, type, value, next, to, isPacking) {
    const { shape, list } = typeof node === 'object' ? node : NOTHING
    const isShape = type === ELEMENT.DOCUMENT && shape !== null
    const isList = type === ELEMENT.ARRAY && list !== null && !isFlat(list)
    if (!isShape && !isList) return this.copy(value, next, to)
    const start = this.enter(value, to)
    const end = this.elements(isShape ? shape : null, isList ? list : null, value + 4, next - 1, start, isPacking)
    return this.close(to, end)
  }

  /**
   * Elements that have names in both layouts.
   *
   * @param {Shape | null} shape shape of the document that holds them,
   * @param {List | null} list or list of the array
   */
  elements(shape, list, pos, end, to, isPacking) {
    const { buf } = this
    for (let i = 0; pos < end; i++) {
      const value = scanName(buf, pos + 1, end) + 1
      const name = list !== null ? i : getUtf8Lossy(buf, pos + 1, value - 1)
      try {
        const after = scanElement(buf[pos], buf, pos, value - 1, end)
        const node = list !== null
          ? list.prefix[i] ?? list.items
          : shape.byName.get(String(name))?.node ?? shape.additional
        const isOther = typeof node === 'object' && node.isPositional && buf[pos] === (isPacking ? ELEMENT.DOCUMENT : ELEMENT.ARRAY)
        this.places?.push([to, pos], [to + value - pos, value])
        const start = this.copy(pos, value, to)
        if (isOther) this.out.buf[to] = isPacking ? ELEMENT.ARRAY : ELEMENT.DOCUMENT
        if (!isOther) to = this.value(node, buf[pos], value, after, start, isPacking)
        else if (isPacking) to = this.pack(node.shape, value, after, start)
        else to = this.unpack(node.shape, value + 4, after, start)
        pos = after
      } catch (error) {
        throw atPlace(error, { key: name })
      }
    }
    return to
  }

  copy(from, end, to) {
    const { buf } = this
    const target = this.out.reserve(to, end - from + ROOM)
    if (end - from > FEW) target.set(buf.subarray(from, end), to)
    else for (let i = from; i < end; i++) target[to + i - from] = buf[i]
    return to + end - from
  }

  putName(type, bytes, to) {
    const { buf } = this.out
    buf[to++] = type
    for (let i = 0; i < bytes.length; i++) buf[to++] = bytes[i]
    return to
  }

  putIndex(type, i, to) {
    this.out.reserve(to, ROOM)
    return putIndexName(type, i, this.out.view, to)
  }

  enter(pos, to) {
    if (++this.depth > this.maxDepth) throw errorAtOffset(tooDeep(this.maxDepth), pos)
    this.out.reserve(to, ROOM)
    return to + 4
  }

  close(start, to) {
    this.depth--
    return closeDocument(this.out, start, to)
  }
}

/** The shape of the document that holds additional fields. @param {Node | boolean} additional @returns {any} */
function beyond(additional) {
  return { byName: NO_FIELDS, additional }
}

const NO_FIELDS = new Map()

const NOTHING = { shape: null, list: null }

/** Whether a list describes neither documents nor arrays. @param {List} list */
function isFlat({ prefix, items }) {
  return [...prefix, items].every(node => typeof node !== 'object' || (node.shape === null && node.list === null))
}

/** Whether the name, including its 0x00, is at `pos`. */
function isName(bytes, buf, pos) {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buf[pos + i]) return false
  return true
}

/** Makes the shapes of documents without names: arrays, whose indexes are the labels of the fields. */
class Indexed {
  constructor() {
    /** @type {Map<object, any>} what has been made, since a schema may refer to itself */
    this.made = new Map()
  }

  /** @param {any} source @param {(copy: any) => void} fill @returns {any} */
  copy(source, fill) {
    const known = this.made.get(source)
    if (known !== undefined) return known
    const copy = { ...source }
    this.made.set(source, copy)
    fill(copy)
    return copy
  }

  /** @param {Shape} shape @param {number} first index of its first field, or -1 if it keeps its names */
  shape(shape, first, id = shape.id) {
    const source = id === shape.id ? shape : { ...shape, id } // the root's may occur inside, too
    return this.copy(source, copy => {
      const labelOf = field => first === -1 ? undefined : String(first + field.index)
      copy.fields = shape.fields.map(field => ({ ...field, label: labelOf(field), node: this.node(field.node) }))
      copy.additional = first === -1 ? this.node(shape.additional) : false
    })
  }

  /** @param {Node | boolean} node */
  node(node) {
    if (typeof node === 'boolean') return node
    return this.copy(node, copy => {
      copy.forms = new Map([...node.forms].map(([key, form]) => {
        const type = node.isPositional && key === ELEMENT.DOCUMENT ? ELEMENT.ARRAY : key
        const shape = form.shape === null ? null : this.shape(form.shape, node.isPositional ? 0 : -1)
        return [type, { ...form, type, shape, list: form.list === null ? null : this.list(form.list) }]
      }))
    })
  }

  /** @param {List} list */
  list(list) {
    return this.copy(list, copy => {
      copy.items = this.node(list.items)
    })
  }
}

class Positional {
  /**
   * @param {import('../schema/schema').Schema} schema
   * @param {import('../schema/schema').Schema[]} older schemas whose bytes can also be read
   * @param {number} maxDepth levels
   * @throws {import('../errors').BSONError} on a schema whose documents cannot be distinguished from arrays
   */
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
  }

  /** Whether the bytes were written with this schema, rather than with an older one. */
  isOwn(buf, index, end) {
    return this.shapeOf(buf, index, end) === this.schema.shape
  }

  /** @returns {Shape} the root's, of the bytes as they are: indexes instead of names */
  withIndexes() {
    const { shape, shapes } = this.schema
    return new Indexed().shape(shape, 1, shapes.length)
  }

  /**
   * @param {import('../encode/output').Output} out
   * @param {Uint8Array} buf holds a document with names
   * @param {number} start of it
   * @param {number} end
   * @param {number} to where to begin
   * @param {Shape} [shape] of a document inside, which has no fingerprint
   * @returns {number} the offset after the document
   */
  pack(out, buf, start, end, to, shape = undefined) {
    const rewriter = new Rewriter(out, buf, this.maxDepth, null, out.depth)
    if (shape !== undefined) return rewriter.pack(shape, start, end, to)
    return rewriter.pack(this.schema.shape, start, end, to, this.fingerprint)
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
   * Converts bytes without names to bytes with names, and reads those.
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
    const rewrite = places => new Rewriter(out, buf, this.maxDepth, places).unpack(shape, index + HEAD, end, start)
    const start = out.begin()
    const placeOf = offset => {
      const places = []
      rewrite(places)
      const [to, from] = places.filter(place => place[0] <= offset).pop() ?? [start, index]
      return from + offset - to
    }
    const after = rewrite(null)
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

module.exports = { Positional }
