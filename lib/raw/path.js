'use strict'

// Paths into documents: 'a.b.0.c'.

const { BSONError, errorAtOffset, shownName } = require('../errors')
const { refusal } = require('../options')
const { allocate, utf8Length, putUtf8, getUtf8Lossy } = require('../bytes')
const { nameBit } = require('../elements')

/**
 * A path into a document: `'a.b.0.c'`, or an array of its keys, `['a.b', 0]`, for keys with a dot. For an array in the
 * document, a key is an index.
 *
 * @typedef {string | (string | number)[]} Path
 */

/**
 * One step of a path.
 *
 * @typedef {object} Key
 * @property {string} text
 * @property {Uint8Array} bytes UTF-8
 * @property {Uint8Array} cstring the same with a 0x00 at the end
 * @property {number} index the key as an array index; -1 if it is not one
 */

/** The most steps of a path: each level of a path takes a level of the stack when documents are created. */
const MAX_KEYS = 1000

/** The most paths to cache, and the most UTF-16 units of each: parsing one takes 300 ns, finding it 15. */
const CACHED_PATHS = 500
const CACHED_LENGTH = 200

/** @type {Map<string, Key[]>} */
const cache = new Map()

/** @param {Path} path @returns {Key[]} @throws {BSONError} when it is not a path */
function parsePath(path) {
  const known = typeof path === 'string' ? cache.get(path) : undefined
  return known !== undefined ? known : parseNew(path)
}

function parseNew(path) {
  const parts = typeof path === 'string' ? path.split('.') : path
  if (!Array.isArray(parts)) throw refusal('a path', path, 'a string or an array of keys')
  if (parts.length === 0) throw new BSONError('a path must have at least one key')
  if (parts.length > MAX_KEYS) throw new BSONError(`a path can have at most ${MAX_KEYS} keys, not ${parts.length}`)
  const keys = Array.from(parts, parseKey)
  if (typeof path === 'string' && path.length <= CACHED_LENGTH) {
    if (cache.size === CACHED_PATHS) cache.clear()
    cache.set(path, keys)
  }
  return keys
}

function parseKey(part) {
  if (typeof part !== 'string' && typeof part !== 'number') throw refusal('the keys of a path', part, 'strings or numbers')
  const text = String(part)
  const cstring = allocate(utf8Length(text) + 1).fill(0)
  const bytes = cstring.subarray(0, putUtf8(text, cstring, 0))
  const index = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : -1
  return { text, bytes, cstring, index }
}

/**
 * A key shared by some paths, and the rest of them.
 *
 * @typedef {object} PathNode
 * @property {Key} key
 * @property {PathTree | null} children null where a path ends: it includes everything below
 * @property {number} foundIn the number of the last document in which it was found
 */

/** With more nodes than this, a node is looked up by its text instead of compared with each. */
const FEW_NODES = 16

/** Paths as a tree. */
class PathTree {
  /** @param {PathTree | null} [base] a tree whose nodes this one has too, except for those that it has itself */
  constructor(base = null) {
    this.base = base
    /** @type {PathNode[]} */
    this.own = []
    /** How many nodes there are. */
    this.count = base === null ? 0 : base.count
    /** The bits of all names. */
    this.bits = base === null ? 0 : base.bits
    /** @type {Map<string, PathNode> | null} only for more than a few nodes: making it takes as long as a small pick */
    this.byText = null
    /** @type {PathTree | null | undefined} */
    this.ofNames = undefined
  }

  /** @returns {PathNode[]} all of them: those of a base are listed at each call */
  get nodes() {
    const { base, own } = this
    if (base === null) return own
    const others = base.nodes.map(node => this.ownOf(node.key.text) ?? node)
    return others.concat(own.filter(({ key }) => base.ofText(key.text) === undefined))
  }

  /** @returns {PathTree | null} what goes through arrays: the nodes that are not an index, or null if all are */
  get named() {
    if (this.ofNames === undefined) this.ofNames = this.makeNamed()
    return this.ofNames
  }

  makeNamed() {
    const base = this.base === null ? null : this.base.named
    const nodes = this.own.filter(({ key }) => key.index === -1)
    if (nodes.length === this.own.length && base === this.base) return this
    if (nodes.length === 0) return base
    const tree = new PathTree(base)
    for (const node of nodes) tree.include(node)
    return tree
  }

  /**
   * @param {PathNode | undefined} node of the index of an item
   * @returns {PathTree | null} what is in the item, by its index and by names; null if that is all or nothing
   */
  inItem(node) {
    const { named } = this
    if (node === undefined) return named
    return node.children === null || named === null ? node.children : named.with(node.children)
  }

  /** @param {PathTree} other @returns {PathTree} both; takes as long as `other` is large */
  with(other) {
    const tree = new PathTree(this)
    for (const node of other.nodes) tree.include(both(node, this.ofText(node.key.text)))
    return tree
  }

  /** @param {Key[]} keys of a path; adds nothing if another path already includes it */
  add(keys) {
    /** @type {PathTree | null} */
    let tree = this
    for (let i = 0; i < keys.length && tree !== null; i++) {
      const node = tree.nodeOf(keys[i])
      if (i === keys.length - 1) node.children = null
      tree = node.children
    }
  }

  nodeOf(key) {
    let node = this.ofText(key.text)
    if (node === undefined) {
      node = { key, children: new PathTree(), foundIn: 0 }
      this.include(node)
    }
    return node
  }

  include(node) {
    const { bytes, text } = node.key
    this.bits |= nameBit(bytes, bytes.length, bytes.length)
    if (this.base?.ofText(text) === undefined) this.count++
    this.own.push(node)
    if (this.own.length > FEW_NODES) this.index(node)
  }

  /** @param {PathNode} node the last one added */
  index(node) {
    if (this.byText === null) this.byText = new Map(this.own.map(each => [each.key.text, each]))
    else this.byText.set(node.key.text, node)
  }

  /** @param {string} text @returns {PathNode | undefined} */
  ofText(text) {
    return this.ownOf(text) ?? this.base?.ofText(text)
  }

  ownOf(text) {
    return this.byText === null ? this.own.find(({ key }) => key.text === text) : this.byText.get(text)
  }

  /** @param {number} index of an item @returns {PathNode | undefined} */
  ofIndex(index) {
    const { base, own, byText } = this
    const node = byText === null ? own.find(({ key }) => key.index === index) : byText.get(String(index))
    return node ?? base?.ofIndex(index)
  }

  /** @param {import('../elements').ElementCursor} cursor @returns {PathNode | undefined} the node of its name */
  ofName(cursor) {
    const { base, own, byText } = this
    if ((this.bits & cursor.nameBit) === 0) return undefined
    if (byText !== null) {
      const node = byText.get(getUtf8Lossy(cursor.buf, cursor.pos + 1, cursor.nameEnd))
      if (node !== undefined && cursor.isNamed(node.key.bytes)) return node
    } else {
      for (let i = 0; i < own.length; i++) {
        if (cursor.isNamed(own[i].key.bytes)) return own[i]
      }
    }
    return base === null ? undefined : base.ofName(cursor)
  }
}

/** @param {PathNode} node @param {PathNode | undefined} other of the same name @returns {PathNode} */
function both(node, other) {
  if (other === undefined) return node
  const isWhole = node.children === null || other.children === null
  return { key: node.key, children: isWhole ? null : other.children.with(node.children), foundIn: 0 }
}

function pathTree(paths) {
  if (!Array.isArray(paths)) throw refusal('paths', paths, 'an array')
  const tree = new PathTree()
  for (const path of paths) tree.add(parsePath(path))
  return tree
}

/** @param {string} into @param {string} field @param {number} offset of the element @returns {BSONError} */
function cannotSet(into, field, offset) {
  return errorAtOffset(`cannot set ${shownName(field)} in ${shownName(into)}, which is not a document`, offset)
}

module.exports = { PathTree, parsePath, pathTree, cannotSet }
