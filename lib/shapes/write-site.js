'use strict'

// The encoder's side of what shapes.js learns: where objects stand, and what they looked like last time.

const { ELEMENT } = require('../spec')
const { prependPath } = require('../errors')
const { putInt32 } = require('../bytes')
const { putDouble } = require('../float')
const { putUtf8 } = require('../utf8')
const { OMIT, typeOf } = require('../type-of')
const { ObjectId } = require('../types')
const walk = require('../walk')
const { putDocument, putElement, putValue, closeDocument } = require('../encode')
const { canCompile } = require('../codegen')
const { MAX_KEY_LENGTH, Tree } = require('./tree')
const { Shape, Place } = require('./shape')
const { putText } = require('./put-text')
const { MISS, isPlain, compileWriter } = require('./writer')

const tree = new Tree()

const miss = () => MISS

class WriteSite extends Place {
  constructor() {
    super(miss)
    /** @type {WriteSite | null} where the documents of an array stand */
    this.items = null
  }

  /**
   * A document that the expected writer does not know.
   *
   * @param {import('../output').Output} out
   * @param {object} doc a plain object without toBSON
   * @param {number} pos
   * @param {import('../walk').EncodePlan} plan
   * @param {number} depth
   * @returns {number} the offset after the document
   * @throws {import('../errors').BSONError} as the generic encoder
   */
  learn(out, doc, pos, plan, depth) {
    if (depth > plan.recursionDepth) return putDocument(out, doc, pos, plan, depth)
    tree.count()
    this.missed()
    const keys = Object.keys(doc)
    const shape = canCompile ? shapeOf(keys) : null
    if (shape === null) return this.walk(out, doc, keys, pos, plan, depth)
    this.meet(shape)
    const end = shape.run(out, doc, pos, plan, depth)
    return end !== MISS ? end : this.walk(out, doc, keys, pos, plan, depth)
  }

  /** Writes by the tree of keys, and lets it grow. */
  walk(out, doc, keys, pos, plan, depth) {
    const start = pos
    out.reserve(pos, 5)
    pos += 4
    let node = tree.root
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]
      const value = doc[key]
      if (value === undefined && !hasOwn.call(doc, key)) continue
      const child = node === null ? null : childAt(node, key) ?? learnKey(node, key)
      if (child !== null) pos = putField(out, child, value, pos, plan, depth)
      else pos = putElement(out, key, value, pos, plan, depth, false)
      node = child
    }
    if (node !== null) {
      node.shape ??= new Shape(node, compileShape)
      node.shape.use()
    }
    return closeDocument(out, start, pos)
  }

  /**
   * @param {import('../output').Output} out
   * @param {any[]} array
   * @param {number} pos
   * @param {import('../walk').EncodePlan} plan
   * @param {number} depth
   * @returns {number} the offset after the array
   */
  putArray(out, array, pos, plan, depth) {
    if (depth > plan.recursionDepth) return putDocument(out, array, pos, plan, depth)
    walk.checkLength(array)
    const start = pos
    let buf = out.reserve(pos, 5)
    pos += 4
    for (let i = 0; i < array.length; i++) {
      const value = array[i]
      if (pos + ITEM > buf.length) buf = out.grow(pos, ITEM)
      if (typeof value === 'number') {
        const isInt32 = (value | 0) === value && (value !== 0 || 1 / value > 0)
        buf[pos] = isInt32 ? ELEMENT.INT32 : ELEMENT.DOUBLE
        pos = putIndex(i, buf, pos + 1)
        pos = isInt32 ? putInt32(value, buf, pos) : putDouble(value, buf, pos)
      } else if (typeof value === 'string') {
        if (pos + 3 * value.length + ITEM > buf.length) buf = out.makeRoom(pos, value, ITEM)
        buf[pos] = ELEMENT.STRING
        pos = putText(value, buf, putIndex(i, buf, pos + 1))
      } else {
        pos = this.putItem(out, i, value, pos, plan, depth)
        buf = out.buf
      }
    }
    return closeDocument(out, start, pos)
  }

  putItem(out, i, value, pos, plan, depth) {
    const isArray = Array.isArray(value)
    if (!(isArray || looksPlain(value)) || value.toBSON !== undefined) {
      return putElement(out, i, value, pos, plan, depth, true)
    }
    this.items ??= new WriteSite()
    const start = putIndex(i, out.buf, pos + 1)
    try {
      let end = isArray
        ? this.items.putArray(out, value, start, plan, depth + 1)
        : this.items.run(out, value, start, plan, depth + 1)
      if (end === MISS && isPlain(value)) end = this.items.learn(out, value, start, plan, depth + 1)
      out.buf[pos] = isArray ? ELEMENT.ARRAY : ELEMENT.DOCUMENT
      if (end !== MISS) return end
    } catch (error) {
      throw prependPath(error, i)
    }
    return putElement(out, i, value, pos, plan, depth, true)
  }
}

/** Bytes for an item of fixed length: type, index of up to 10 digits, 0x00, value, the array's 0x00. */
const ITEM = 32

const hasOwn = Object.prototype.hasOwnProperty

/** The quick test for an object that is written by its keys alone: see isPlain, which is asked after a MISS. */
function looksPlain(value) {
  return typeof value === 'object' && value !== null && value.constructor === Object && value._bsontype === undefined
}

/** The digits of an index and a 0x00. */
function putIndex(i, buf, pos) {
  if (i < 10) {
    buf[pos] = 0x30 + i
    buf[pos + 1] = 0
    return pos + 2
  }
  const end = pos + (i < 100 ? 2 : i < 1000 ? 3 : i < 10000 ? 4 : String(i).length)
  buf[end] = 0
  for (let rest = i, p = end - 1; p >= pos; p--) {
    const tenth = (rest / 10) | 0
    buf[p] = 0x30 + rest - tenth * 10
    rest = tenth
  }
  return end + 1
}

const NESTED = (1 << ELEMENT.DOCUMENT) | (1 << ELEMENT.ARRAY)

/** Types by which a value is told are noted at the key; a writer is compiled for those. */
function compileShape(nodes, surprise) {
  for (const node of nodes) if (node.types & NESTED) node.site ??= new WriteSite()
  return compileWriter(nodes, (i, value) => {
    const type = inlineType(value)
    if (type !== OMIT) surprise(i, type)
  })
}

/** The element type, when it is one that writers know; OMIT otherwise. */
function inlineType(value) {
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) return ELEMENT.ARRAY
    if (value instanceof Date) return ELEMENT.DATETIME
    if (isPlain(value)) return ELEMENT.DOCUMENT
    if (value instanceof ObjectId) return ELEMENT.OBJECT_ID
    return OMIT
  }
  return value === undefined ? OMIT : typeOf(value, false)
}

/** The child of that key: most often the one that came next last time. */
function childAt(node, key) {
  const next = node.next
  if (next !== null && next.key === key) return next
  const child = node.index === null ? search(node, key) : node.index.get(key)
  if (child === undefined) return null
  node.next = child
  return child
}

function search({ children }, key) {
  for (let i = 0; i < children.length; i++) if (children[i].key === key) return children[i]
  return undefined
}

const keyOfNode = ({ key }) => key

/** Makes a child of an unknown key, or not yet. An own `constructor` is not learned: see isPlain. */
function learnKey(node, key) {
  if (key.length > MAX_KEY_LENGTH || key === 'constructor' || key.includes('\0') || !tree.admits(node, hashOf(key))) return null
  const bytes = new Uint8Array(3 * key.length)
  return tree.add(node, key, bytes.slice(0, putUtf8(key, bytes, 0)), keyOfNode)
}

/** FNV-1a */
function hashOf(key) {
  let hash = 0x811c9dc5 | 0
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return hash
}

/** The shape of an object whose keys are all known, when there is a writer for it. */
function shapeOf(keys) {
  let node = tree.root
  for (let i = 0; i < keys.length; i++) {
    node = childAt(node, keys[i])
    if (node === null) return null
  }
  return node.shape !== null && node.shape.run !== null ? node.shape : null
}

/** type | name 0x00 | value, of a key that is known */
function putField(out, node, value, pos, plan, depth) {
  const type = inlineType(value)
  if (type === OMIT) return putElement(out, node.key, value, pos, plan, depth, false)
  node.types |= 1 << type
  const bytes = node.bytes
  let buf = out.reserve(pos, bytes.length + ITEM)
  if (type === ELEMENT.STRING && pos + 3 * value.length + bytes.length + ITEM > buf.length) {
    buf = out.makeRoom(pos, value, bytes.length + ITEM)
  }
  if (typeof value === 'object' && value !== null && value.toBSON !== undefined) {
    return putElement(out, node.key, value, pos, plan, depth, false)
  }
  buf[pos++] = type
  for (let i = 0; i < bytes.length; i++) buf[pos + i] = bytes[i]
  buf[pos + bytes.length] = 0
  pos += bytes.length + 1
  return putFieldValue(out, node, type, value, pos, plan, depth)
}

function putFieldValue(out, node, type, value, pos, plan, depth) {
  try {
    switch (type) {
      case ELEMENT.STRING:
        return putText(value, out.buf, pos)
      case ELEMENT.DOCUMENT:
        node.site ??= new WriteSite()
        return node.site.learn(out, value, pos, plan, depth + 1)
      case ELEMENT.ARRAY:
        node.site ??= new WriteSite()
        return node.site.putArray(out, value, pos, plan, depth + 1)
      default:
        return putValue(out, type, value, pos, plan, depth)
    }
  } catch (error) {
    throw prependPath(error, node.key)
  }
}

module.exports = { WriteSite, looksPlain }
