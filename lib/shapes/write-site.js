'use strict'

// The encoder's side of what shapes.js learns: where objects stand, and what they looked like last time.

const { ELEMENT } = require('../spec')
const { prependPath } = require('../errors')
const { putInt32 } = require('../bytes')
const { putDouble } = require('../float')
const { putUtf8 } = require('../utf8')
const { OMIT, ELEMENT_BY_PROTOTYPE, typeOf } = require('../type-of')
const { Long, ObjectId } = require('../types')
const walk = require('../walk')
const { putDate, putObjectId } = require('../put')
const { putDocument, putElement, putName, putValue, closeDocument } = require('../encode')
const { canCompile } = require('../codegen')
const { MAX_KEY_LENGTH, Tree } = require('./tree')
const { Shape, Place } = require('./shape')
const { putIndexName } = require('./index-name')
const { putText } = require('./put-text')
const { MISS, compileWriter } = require('./writer')

const tree = new Tree()

const miss = () => MISS

class WriteSite extends Place {
  constructor() {
    super(miss)
    /** @type {import('./tree').Node | null} the first key of the last document */
    this.first = null
    /** @type {WriteSite | null} where the documents of an array stand */
    this.items = null
    /** Whether the last document had keys that are not known: to list the keys of a large one twice would cost much. */
    this.isStrange = false
  }

  /** A plain object without toBSON. */
  putDocument(out, doc, pos, plan, depth) {
    const end = this.run(out, doc, pos, plan, depth)
    return end !== MISS ? end : this.learn(out, doc, pos, plan, depth)
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
    if (depth > plan.recursionDepth || isPolluted()) return putDocument(out, doc, pos, plan, depth)
    tree.count()
    this.missed()
    const shape = canCompile && !this.isStrange ? shapeOf(doc) : null
    if (shape === null) return this.walk(out, doc, pos, plan, depth)
    this.meet(shape)
    const end = shape.run(out, doc, pos, plan, depth)
    return end !== MISS ? end : this.walk(out, doc, pos, plan, depth)
  }

  /** Writes by the tree of keys, and lets it grow. */
  walk(out, doc, pos, plan, depth) {
    const start = pos
    let buf = out.reserve(pos, 5)
    pos += 4
    let node = tree.root
    let child = this.first
    for (const key in doc) {
      const value = doc[key]
      if (child === null || child.key !== key) {
        child = node === null ? null : childAt(node, key) ?? learnKey(node, key)
        if (child !== null && node.parent === null) this.first = child
      }
      if (child === null) pos = this.putUnknown(out, key, value, pos, plan, depth)
      else pos = putField(out, buf, child, value, pos, plan, depth)
      buf = out.buf
      node = child
      child = node === null ? null : node.next
    }
    this.isStrange = node === null
    if (node !== null) {
      node.shape ??= new Shape(node, tree, compileShape)
      node.shape.count()
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
    let view = out.view
    pos += 4
    let i = 0
    try {
      for (; i < array.length; i++) {
        const value = array[i]
        if (pos + ITEM > buf.length) {
          buf = out.grow(pos, ITEM)
          view = out.view
        }
        if (typeof value === 'number') {
          const isInt32 = (value | 0) === value && (value !== 0 || 1 / value > 0)
          pos = putIndexName(isInt32 ? ELEMENT.INT32 : ELEMENT.DOUBLE, i, view, pos)
          if (isInt32) view.setInt32(pos, value, true)
          else view.setFloat64(pos, value, true)
          pos += isInt32 ? 4 : 8
        } else if (typeof value === 'string') {
          if (pos + 3 * value.length + ITEM > buf.length) {
            buf = out.makeRoom(pos, value, ITEM)
            view = out.view
          }
          pos = putText(value, buf, putIndexName(ELEMENT.STRING, i, view, pos))
        } else {
          pos = this.putItem(out, i, value, pos, plan, depth)
          buf = out.buf
          view = out.view
        }
      }
    } catch (error) {
      throw prependPath(error, i)
    }
    out.reserve(pos, 1)[pos++] = 0
    out.view.setInt32(start, pos - start, true)
    return pos
  }

  /** An item that is neither a number nor a string. */
  putItem(out, i, value, pos, plan, depth) {
    let type = typeof value === 'object' && value !== null && value.toBSON === undefined ? inlineType(value) : OMIT
    if (type !== OMIT) return this.putInner(out, type, value, putIndexName(type, i, out.view, pos), plan, depth)
    value = walk.unwrap(value)
    type = walk.elementType(value, plan, true)
    return type === OMIT ? pos : putValue(out, type, value, putIndexName(type, i, out.view, pos), plan, depth)
  }

  /** A value in an array, or under a key that is data, behind its type and name. */
  putInner(out, type, value, pos, plan, depth) {
    if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) return putValue(out, type, value, pos, plan, depth)
    this.items ??= new WriteSite()
    return type === ELEMENT.DOCUMENT
      ? this.items.putDocument(out, value, pos, plan, depth + 1)
      : this.items.putArray(out, value, pos, plan, depth + 1)
  }

  /** A field whose key is not in the tree. */
  putUnknown(out, key, value, pos, plan, depth) {
    const type = typeof value === 'object' && value !== null && value.toBSON === undefined ? inlineType(value) : OMIT
    if (type === OMIT) return putElement(out, key, value, pos, plan, depth, false)
    const start = putName(out, type, key, pos, plan)
    try {
      return this.putInner(out, type, value, start, plan, depth)
    } catch (error) {
      throw prependPath(error, key)
    }
  }
}

/** Bytes for an item of fixed length: type, index of up to 10 digits, 0x00, the 24 of putValue, the array's 0x00. */
const ITEM = 40

const { getPrototypeOf } = Object

const NESTED = (1 << ELEMENT.DOCUMENT) | (1 << ELEMENT.ARRAY)

/** Types by which a value is told are noted at the key; a writer is compiled for those. */
function compileShape(nodes, surprise) {
  for (const node of nodes) if (node.types & NESTED) node.site ??= new WriteSite()
  return compileWriter(nodes, (i, value) => {
    const type = typeof value === 'object' && value !== null ? inlineType(value) : typeOf(value, false)
    if (type !== OMIT && type < 32) surprise(i, type)
  }, putField)
}

/** The element type of an object, when it is one that writers know; OMIT otherwise. */
function inlineType(value) {
  if (Array.isArray(value)) return ELEMENT.ARRAY
  const prototype = getPrototypeOf(value)
  if (prototype === Object.prototype) return ELEMENT.DOCUMENT
  if (prototype === ObjectId.prototype) return ELEMENT.OBJECT_ID
  if (prototype === Date.prototype) return ELEMENT.DATETIME
  if (prototype === Long.prototype) return ELEMENT.INT64
  return ELEMENT_BY_PROTOTYPE.get(prototype) ?? OMIT
}

/** Whether something enumerable has been put on the prototype of all objects: `for ... in` would find it. */
function isPolluted() {
  for (const _ in Object.prototype) return true
  return false
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
function shapeOf(doc) {
  let node = tree.root
  for (const key in doc) {
    node = childAt(node, key)
    if (node === null) return null
  }
  return node.shape !== null && node.shape.run !== null ? node.shape : null
}

/** type | name 0x00 | value, of a key that is known */
function putField(out, buf, node, value, pos, plan, depth) {
  const bytes = node.bytes
  const room = bytes.length + ITEM
  if (typeof value === 'string') {
    node.types |= 1 << ELEMENT.STRING
    if (pos + 3 * value.length + room > buf.length) buf = out.makeRoom(pos, value, room)
    return putText(value, buf, putHead(ELEMENT.STRING, bytes, buf, pos))
  }
  if (pos + room > buf.length) buf = out.grow(pos, room)
  if (typeof value === 'number') {
    if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
      node.types |= 1 << ELEMENT.INT32
      return putInt32(value, buf, putHead(ELEMENT.INT32, bytes, buf, pos))
    }
    node.types |= 1 << ELEMENT.DOUBLE
    return putDouble(value, buf, putHead(ELEMENT.DOUBLE, bytes, buf, pos))
  }
  if (typeof value === 'object') return putObject(out, buf, node, value, pos, plan, depth)
  if (typeof value === 'boolean') {
    node.types |= 1 << ELEMENT.BOOLEAN
    pos = putHead(ELEMENT.BOOLEAN, bytes, buf, pos)
    buf[pos] = value ? 1 : 0
    return pos + 1
  }
  return putElement(out, node.key, value, pos, plan, depth, false)
}

/** type | name 0x00 */
function putHead(type, bytes, buf, pos) {
  buf[pos++] = type
  for (let i = 0; i < bytes.length; i++) buf[pos++] = bytes[i]
  buf[pos] = 0
  return pos + 1
}

/** An object or null, where there is room for a value of fixed length. */
function putObject(out, buf, node, value, pos, plan, depth) {
  const type = value === null ? ELEMENT.NULL : value.toBSON === undefined ? inlineType(value) : OMIT
  if (type === OMIT) return putElement(out, node.key, value, pos, plan, depth, false)
  node.types |= 1 << type
  const start = putHead(type, node.bytes, buf, pos)
  try {
    switch (type) {
      case ELEMENT.OBJECT_ID:
        return putObjectId(value, buf, start)
      case ELEMENT.DATETIME:
        return putDate(value, buf, start)
      case ELEMENT.DOCUMENT:
        node.site ??= new WriteSite()
        return node.site.putDocument(out, value, start, plan, depth + 1)
      case ELEMENT.ARRAY:
        node.site ??= new WriteSite()
        return node.site.putArray(out, value, start, plan, depth + 1)
      case ELEMENT.NULL:
        return start
      default:
        return putValue(out, type, value, start, plan, depth)
    }
  } catch (error) {
    throw prependPath(error, node.key)
  }
}

module.exports = { WriteSite }
