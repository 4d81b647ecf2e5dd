'use strict'

// A place where documents stand: the root, a key of a shape, the items of an array. What stood there last time is what
// is expected next.

const { ELEMENT, FIXED_SIZE } = require('../spec')
const { getInt32 } = require('../bytes')
const { getUtf8 } = require('../utf8')
const { ObjectId } = require('../types')
const { scanName, scanElement } = require('../elements')
const { getDate, getPromotedInt64 } = require('../get')
const { RECURSION_DEPTH, DEFAULT_PLAN, getDocument, getArray, getValue, setOwn } = require('../decode')
const { canCompile } = require('../codegen')
const { MAX_KEY_LENGTH, Tree, pathTo } = require('./tree')
const { SURPRISES, Shape, Place } = require('./shape')
const { getText } = require('./text')
const { MISS, compileReader, compileListReader, compileMaker } = require('./reader')

/** Arrays of as many items in a row before a reader is compiled for them. */
const HOT_LIST = 100

/** Arrays of up to so many items are read like shapes, when their place always has so many. */
const MAX_LIST = 8

const tree = new Tree()

/** The values of the documents that are being read, the innermost last. */
const stack = new Array(1024).fill(undefined)
let top = 0

/** Begins a document: what an error may have left behind is forgotten. */
function beginStack() {
  if (top !== 0) clear(0)
}

function clear(base) {
  for (let i = base; i < top; i++) stack[i] = undefined
  top = base
}

/** Makes the object of the values from `base` on. @param {ReadShape} shape @param {number} base */
function take(shape, base) {
  const doc = shape.use(stack, base)
  clear(base)
  return doc
}

function makeOf(nodes, values, base) {
  const doc = {}
  for (let i = 0; i < nodes.length; i++) doc[nodes[i].key] = values[base + i]
  return doc
}

class ReadShape extends Shape {
  /** @param {import('./tree').Node} node */
  constructor(node) {
    super(node, tree, compileShape)
    /** @type {((values: any[], base: number) => any) | null} compiled */
    this.make = null
  }

  /** Makes the object of a document, and compiles what is worth it. */
  use(values, base) {
    this.count()
    if (this.make !== null) return this.make(values, base)
    if (this.isWarm()) this.make = compileMaker(this.nodes) ?? null
    return makeOf(this.nodes, values, base)
  }
}

const miss = () => MISS

class ReadSite extends Place {
  constructor() {
    super(miss)
    /** @type {import('./tree').Node | null} the first key of the last document */
    this.first = null
    /** @type {ReadSite | null} where the documents of an array stand */
    this.items = null
    /** Items of the last array, and how many arrays before it had as many. */
    this.listLength = -1
    this.listStreak = 0
    this.listSurprises = 0
    /** @type {any} reads an array of that many items */
    this.runList = miss
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} pos of the first element
   * @param {number} end offset of the closing 0x00
   * @param {number} depth
   * @returns {any} the document
   * @throws {import('../errors').BSONError} as the generic decoder
   */
  getDocument(buf, view, pos, end, depth) {
    const doc = this.run(buf, view, pos, end, depth)
    return doc === MISS ? this.learn(buf, view, pos, end, depth) : doc
  }

  /** A document that the expected reader does not know. */
  learn(buf, view, pos, end, depth) {
    if (depth > RECURSION_DEPTH) return getDocument(buf, pos, end, DEFAULT_PLAN, depth, true, null)
    tree.count()
    this.missed()
    const shape = canCompile ? shapeOf(buf, pos, end) : null
    if (shape === null) return this.walk(buf, view, pos, end, depth)
    this.meet(shape)
    const doc = shape.run(buf, view, pos, end, depth)
    return doc === MISS ? this.walk(buf, view, pos, end, depth) : doc
  }

  /** Reads by the tree of keys, and lets it grow. The values wait on a stack until the object can be made of them. */
  walk(buf, view, pos, end, depth) {
    const start = pos
    const base = top
    let node = tree.root
    let child = this.first
    while (pos < end) {
      if (child === null || !matches(child.bytes, buf, pos + 1, end)) {
        child = childAt(node, buf, pos + 1, end) ?? learnKey(node, buf, pos + 1, end)
        if (child === null) return this.leave(node, base, buf, view, start, pos, end, depth)
        if (node.parent === null) this.first = child
      }
      const type = buf[pos]
      const nameEnd = pos + 1 + child.bytes.length
      const value = nameEnd + 1
      const fixed = FIXED_SIZE[type]
      const next = fixed >= 0 && value + fixed <= end ? value + fixed : scanElement(type, buf, pos, nameEnd, end)
      if (type < 32) child.types |= 1 << type
      stack[top++] = fieldValue(child, type, buf, view, value, next, depth)
      pos = next
      node = child
      child = node.next
    }
    node.shape ??= new ReadShape(node)
    return take(node.shape, base)
  }

  /** A document that holds an unknown key at `pos`, after those of `node`: the rest is read without learning. */
  leave(node, base, buf, view, start, pos, end, depth) {
    const doc = makeOf(pathTo(node), stack, base)
    clear(base)
    while (pos < end) {
      if (buf[pos + 1] === DOLLAR) return getDocument(buf, start, end, DEFAULT_PLAN, depth, true, null)
      const type = buf[pos]
      const nameEnd = scanName(buf, pos + 1, end)
      const key = getText(buf, view, pos + 1, nameEnd)
      const next = scanElement(type, buf, pos, nameEnd, end)
      setOwn(doc, key, this.itemValue(type, buf, view, nameEnd + 1, next, depth))
      pos = next
    }
    return doc
  }

  /** A value in an array, or under a key that is data. */
  itemValue(type, buf, view, pos, next, depth) {
    if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) return fieldValue(null, type, buf, view, pos, next, depth)
    this.items ??= new ReadSite()
    return type === ELEMENT.DOCUMENT
      ? this.items.getDocument(buf, view, pos + 4, next - 1, depth + 1)
      : this.items.getArray(buf, view, pos + 4, next - 1, depth + 1)
  }

  /**
   * The items of an array. Their names do not count.
   *
   * @param {Uint8Array} buf
   * @param {number} pos of the first element
   * @param {number} end offset of the closing 0x00
   * @param {number} depth
   * @returns {any[]}
   */
  getArray(buf, view, pos, end, depth) {
    const list = this.runList(buf, view, pos, end, depth)
    if (list !== MISS) return list
    if (depth > RECURSION_DEPTH) return getArray(buf, pos, end, DEFAULT_PLAN, depth, true, false)
    const array = this.getItems(buf, view, pos, end, depth)
    if (array.length > MAX_LIST) return array
    this.listStreak = array.length === this.listLength ? this.listStreak + 1 : 0
    this.listLength = array.length
    if (this.listStreak === HOT_LIST && canCompile) this.compileList(buf, pos, end)
    return array
  }

  getItems(buf, view, pos, end, depth) {
    const array = []
    while (pos < end) {
      const type = buf[pos]
      let nameEnd = pos + 1
      while (buf[nameEnd] !== 0) nameEnd++ // the document's own 0x00 stops it
      const value = nameEnd + 1
      if (type === ELEMENT.INT32 && value + 4 <= end) {
        array.push(view.getInt32(value, true))
        pos = value + 4
      } else if (type === ELEMENT.DOUBLE && value + 8 <= end) {
        array.push(view.getFloat64(value, true))
        pos = value + 8
      } else if (type === ELEMENT.INT64 && value + 8 <= end) {
        array.push(getPromotedInt64(buf, value))
        pos = value + 8
      } else {
        pos = scanElement(type, buf, pos, scanName(buf, pos + 1, end), end)
        array.push(this.itemValue(type, buf, view, value, pos, depth))
      }
    }
    return array
  }

  /** Makes a reader for arrays like this one. */
  compileList(buf, pos, end) {
    const types = []
    while (pos < end) {
      types.push(buf[pos])
      const nameEnd = scanName(buf, pos + 1, end)
      pos = scanElement(buf[pos], buf, pos, nameEnd, end)
    }
    this.items ??= new ReadSite()
    this.runList = compileListReader(types, this.items, () => this.listSurprise()) ?? miss
  }

  /** An item of another type than in the array that the reader was made for. */
  listSurprise() {
    if (++this.listSurprises % SURPRISES !== 0) return
    this.runList = miss
    this.listStreak = -this.listSurprises
  }
}

const NESTED = (1 << ELEMENT.DOCUMENT) | (1 << ELEMENT.ARRAY)

function compileShape(nodes, surprise) {
  for (const node of nodes) if (node.types & NESTED) node.site ??= new ReadSite()
  return compileReader(nodes, surprise, fieldValue)
}

/** Whether the key at `pos` is `bytes`, and ends there. */
function matches(bytes, buf, pos, end) {
  const length = bytes.length
  if (pos + length >= end || buf[pos + length] !== 0) return false
  for (let i = 0; i < length; i++) if (bytes[i] !== buf[pos + i]) return false
  return true
}

/** The child that the key at `pos` names: most often the one that came next last time. */
function childAt(node, buf, pos, end) {
  const next = node.next
  if (next !== null && matches(next.bytes, buf, pos, end)) return next
  const child = node.index === null ? search(node, buf, pos, end) : lookUp(node, buf, pos, end)
  if (child !== null) node.next = child
  return child
}

function search(node, buf, pos, end) {
  const { children } = node
  for (let i = 0; i < children.length; i++) if (matches(children[i].bytes, buf, pos, end)) return children[i]
  return null
}

function lookUp(node, buf, pos, end) {
  // No scanName: shapeOf comes here by lengths that nobody has checked.
  let nameEnd = pos
  while (nameEnd < end && buf[nameEnd] !== 0) nameEnd++
  const child = node.index.get(hashOf(buf, pos, nameEnd))
  return child !== undefined && matches(child.bytes, buf, pos, end) ? child : null
}

const hashOfNode = ({ bytes }) => hashOf(bytes, 0, bytes.length)

const DOLLAR = 0x24

/**
 * Makes a child of an unknown key, or not yet. Keys with a `$` are left to the generic decoder, which knows DBRefs, and
 * so is `__proto__`.
 */
function learnKey(node, buf, pos, end) {
  if (buf[pos] === DOLLAR) return null
  const nameEnd = scanName(buf, pos, end)
  if (nameEnd - pos > MAX_KEY_LENGTH || !tree.admits(node, hashOf(buf, pos, nameEnd))) return null
  const key = getUtf8(buf, pos, nameEnd)
  if (key === '__proto__') return null
  return tree.add(node, key, Uint8Array.prototype.slice.call(buf, pos, nameEnd), hashOfNode)
}

/** FNV-1a */
function hashOf(buf, pos, end) {
  let hash = 0x811c9dc5 | 0
  for (let i = pos; i < end; i++) hash = Math.imul(hash ^ buf[i], 0x01000193)
  return hash
}

/** The shape of a document whose keys are all known, when there is a reader for it. */
function shapeOf(buf, pos, end) {
  let node = tree.root
  while (pos < end) {
    const child = childAt(node, buf, pos + 1, end)
    if (child === null) return null
    pos = skip(buf[pos], buf, pos + 2 + child.bytes.length, end)
    node = child
  }
  const shape = node.shape
  return pos === end && shape !== null && shape.run !== null ? shape : null
}

/** The offset after a value, unchecked; beyond `end` where there is none, or for types that are rare. */
function skip(type, buf, pos, end) {
  const fixed = FIXED_SIZE[type]
  if (fixed !== -1) return pos + fixed
  if (type === ELEMENT.BOOLEAN) return pos + 1
  if (pos + 4 > end) return Infinity
  const length = getInt32(buf, pos)
  if (length < 0) return Infinity
  if (type === ELEMENT.STRING) return pos + 4 + length
  if (type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY) return pos + length
  return type === ELEMENT.BINARY ? pos + 5 + length : Infinity
}

function fieldValue(node, type, buf, view, pos, next, depth) {
  switch (type) {
    case ELEMENT.STRING:
      return getText(buf, view, pos + 4, next - 1)
    case ELEMENT.INT32:
      return view.getInt32(pos, true)
    case ELEMENT.DOUBLE:
      return view.getFloat64(pos, true)
    case ELEMENT.OBJECT_ID:
      return new ObjectId(buf, pos)
    case ELEMENT.DOCUMENT:
      node.site ??= new ReadSite()
      return node.site.getDocument(buf, view, pos + 4, next - 1, depth + 1)
    case ELEMENT.ARRAY:
      node.site ??= new ReadSite()
      return node.site.getArray(buf, view, pos + 4, next - 1, depth + 1)
    case ELEMENT.DATETIME:
      return getDate(buf, pos)
    case ELEMENT.BOOLEAN:
      return buf[pos] === 1
    case ELEMENT.NULL:
      return null
    case ELEMENT.INT64:
      return getPromotedInt64(buf, pos)
    default:
      return getValue(type, buf, pos, next, DEFAULT_PLAN, depth, true, false, false)
  }
}

module.exports = { MAX_LIST, ReadSite, beginStack }
