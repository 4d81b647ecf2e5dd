'use strict'

// What recurring documents look like: a tree of keys. A node is a key after the keys above it; where a document ends,
// its node stands for the document's shape. Decoder and encoder each have a tree of their own.

/** Children of a node. More than that, and the keys are data (ids, dates): they are not learned. */
const MAX_CHILDREN = 64

/** Children of the root: the first keys of all shapes. */
const MAX_FIRST_KEYS = 512

/** Children that are searched one by one; more are found by a hash. */
const FEW_CHILDREN = 6

/**
 * Unknown keys that a node remembers, a power of two: with one only, two kinds of documents in turn would never be
 * learned.
 */
const CANDIDATES = 64

/** Keys of a shape; longer documents end in the generic path. */
const MAX_KEYS = 256

/** Bytes of a key that is worth learning. */
const MAX_KEY_LENGTH = 128

/** Nodes of a tree, some 300 bytes each. */
const MAX_NODES = 4096

/**
 * Documents after which a full tree is dropped and learned anew, so that a process that once saw strange documents does
 * not stay slow.
 */
const REPLANT = 100_000

class Node {
  /**
   * @param {Node | null} parent
   * @param {string} key
   * @param {Uint8Array} bytes the key's
   */
  constructor(parent, key, bytes) {
    this.parent = parent
    this.key = key
    this.bytes = bytes
    /** @type {number} keys above it */
    this.depth = parent === null ? 0 : parent.depth + 1
    /** @type {Node | null} the key that came next last time */
    this.next = null
    /** @type {Node[]} */
    this.children = []
    /** @type {Map<string | number, Node> | null} the children by key or by hash, when there are many */
    this.index = null
    /** @type {Int32Array | null} hashes of keys that came here unknown: they are learned when they come again */
    this.candidates = null
    /** Bit by element type: the types that the value under this key has had. */
    this.types = 0
    /** @type {any} what is known of documents (or arrays) that are the value here */
    this.site = null
    /** @type {any} the shape of documents that end here */
    this.shape = null
  }
}

class Tree {
  constructor() {
    this.root = new Node(null, '', EMPTY)
    this.nodes = 0
    /** Documents that were not read or written by what is expected of them. */
    this.met = 0
    this.planted = 0
  }

  /**
   * @param {Node} node
   * @param {number} hash of a key that is not among its children
   * @returns {boolean} whether it may become one: the first child at once, others when they come again
   */
  admits(node, hash) {
    if (this.nodes >= MAX_NODES) return false
    const count = node.children.length
    if (count === 0) return node.depth < MAX_KEYS
    if (count >= (node === this.root ? MAX_FIRST_KEYS : MAX_CHILDREN)) return false
    node.candidates ??= new Int32Array(CANDIDATES)
    const slot = hash & (CANDIDATES - 1)
    if (node.candidates[slot] === hash) return true
    node.candidates[slot] = hash
    return false
  }

  /**
   * @param {Node} parent
   * @param {string} key
   * @param {Uint8Array} bytes the key's
   * @param {(node: Node) => string | number} indexKey what a child is found by among many
   * @returns {Node} the new child
   */
  add(parent, key, bytes, indexKey) {
    const node = new Node(parent, key, bytes)
    parent.children.push(node)
    parent.next = node
    this.nodes++
    if (parent.index !== null) parent.index.set(indexKey(node), node)
    else if (parent.children.length > FEW_CHILDREN) {
      parent.index = new Map(parent.children.map(child => [indexKey(child), child]))
    }
    return node
  }

  /** Counts a document; a full tree is planted anew, but not so often that learning costs more than it saves. */
  count() {
    this.met++
    if (this.nodes < MAX_NODES || this.met - this.planted < REPLANT) return
    this.root = new Node(null, '', EMPTY)
    this.nodes = 0
    this.planted = this.met
  }
}

const EMPTY = new Uint8Array(0)

/** The nodes from the first key to `node`. @param {Node} node @returns {Node[]} */
function pathTo(node) {
  const path = new Array(node.depth)
  for (let n = node; n.parent !== null; n = n.parent) path[n.depth - 1] = n
  return path
}

module.exports = { MAX_CHILDREN, MAX_KEYS, MAX_KEY_LENGTH, MAX_NODES, Node, Tree, pathTo }
