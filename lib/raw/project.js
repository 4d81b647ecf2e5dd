'use strict'

// Makes a new document of some fields of another, or of all except some: ranges of bytes are copied, no value is
// decoded.

const { ELEMENT } = require('../spec')
const { acquireOutput, releaseOutput, putName, closeDocument } = require('../encode')
const { ElementCursor, isContainer } = require('../elements')

/**
 * @typedef {import('./path').PathNode} PathNode
 * @typedef {import('./path').PathTree} PathTree
 * @typedef {import('../encode/output').Output} Output
 */

/**
 * Keeps the elements in the tree (`isPick`) or all others. An array stays an array, and the remaining items close up.
 * As in MongoDB projections, a name goes through arrays to the documents in them, and a pick through an array leaves
 * out items that are not documents. A pick takes the first of several elements with the same name.
 *
 * @param {Uint8Array} buf
 * @param {number} start of the document
 * @param {number} end of the document: the offset of its closing 0x00
 * @param {boolean} isArray
 * @param {PathTree} tree
 * @param {boolean} isPick
 * @returns {Uint8Array} a document
 * @throws {import('../errors').BSONError} on bytes that are not BSON
 */
function project(buf, start, end, isArray, tree, isPick) {
  const out = acquireOutput()
  const cursor = new ElementCursor().open(buf, start, end)
  try {
    return out.finish(new Projection(out, cursor, isPick).document(out.begin(), start, isArray, tree))
  } finally {
    releaseOutput(out)
  }
}

class Projection {
  /** @param {Output} out @param {ElementCursor} cursor @param {boolean} isPick */
  constructor(out, cursor, isPick) {
    this.out = out
    this.cursor = cursor
    this.buf = cursor.buf
    this.isPick = isPick
  }

  /**
   * @param {number} pos where to write
   * @param {number} start of the document that the cursor has entered
   * @param {PathTree} tree
   * @returns {number} offset after the written bytes
   */
  document(pos, start, isArray, tree) {
    const { out, buf, isPick, cursor } = this
    const docStart = pos
    const found = new Set()
    let kept = 0
    let run = start + 4 // the start of bytes to keep unchanged, not copied yet
    let seen = run
    out.reserve(pos, 4)
    pos += 4
    for (let index = 0; !(isPick && found.size === tree.nodes.length) && cursor.nextSibling(); index++) {
      const { type, pos: element, value, end: next } = cursor
      const node = this.nodeAt(tree, found, isArray ? index : -1)
      const inner = isArray && node === undefined ? innerNamed(tree, type) : innerTree(node, type)
      const isKept = inner !== null || isPick === isWhole(node)
      // In an array, items after a removed one get new names.
      if (!isKept || inner !== null || (isArray && kept !== index)) {
        if (run < element) pos = putRange(out, pos, buf, run, element)
        run = next
        if (isKept) pos = isArray ? putName(out, type, kept, pos) : putRange(out, pos, buf, element, value)
        if (inner !== null) pos = this.entered(pos, value, type === ELEMENT.ARRAY, inner)
        else if (isKept) pos = putRange(out, pos, buf, value, next)
      }
      if (isKept) kept++
      seen = next
    }
    return closeDocument(out, docStart, putRange(out, pos, buf, run, seen))
  }

  entered(pos, start, isArray, tree) {
    this.cursor.enter()
    const next = this.document(pos, start, isArray, tree)
    this.cursor.leave()
    return next
  }

  /**
   * The node of an element; a pick uses each node once, for the first element.
   *
   * @param {number} index -1 in a document
   */
  nodeAt(tree, found, index) {
    const node = index === -1 ? tree.ofName(this.cursor) : tree.ofIndex(index)
    if (node === undefined || !this.isPick) return node
    if (found.has(node)) return undefined
    found.add(node)
    return node
  }
}

/**
 * @param {PathNode | undefined} node
 * @returns {boolean} whether a path ends here; one that goes on finds nothing in a scalar
 */
function isWhole(node) {
  return node !== undefined && node.children === null
}

/** @param {PathNode | undefined} node @returns {PathTree | null} the paths that continue inside a value */
function innerTree(node, type) {
  return node !== undefined && isContainer(type) ? node.children : null
}

/**
 * @param {PathTree} tree of an array
 * @returns {PathTree | null} the paths that continue inside an item without an index
 */
function innerNamed(tree, type) {
  return isContainer(type) ? tree.named : null
}

/** Ranges of up to this many bytes are copied in a loop, because `subarray` and `set` together take 60 ns. */
const SHORT_COPY = 64

function putRange(out, pos, buf, from, to) {
  const target = out.reserve(pos, to - from)
  if (to - from > SHORT_COPY) target.set(buf.subarray(from, to), pos)
  else for (let i = from; i < to; i++) target[pos + i - from] = buf[i]
  return pos + to - from
}

module.exports = { project }
