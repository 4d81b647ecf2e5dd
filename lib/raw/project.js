'use strict'

// Makes a new document of some fields of another, or of all except some: ranges of bytes are copied, no value is
// decoded.

const { ELEMENT } = require('../spec')
const { errorAtOffset } = require('../errors')
const { acquireOutput, releaseOutput, putName, closeDocument } = require('../encode')
const { scanName, tooDeep } = require('../decode')
const { skipElement, isContainer } = require('./find')

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
  return write((out, pos) => new Projection(out, buf, isPick).document(pos, start, end, isArray, tree))
}

/**
 * Picks a few fields that have been found one by one.
 *
 * @param {{node: PathNode, offset: number}[]} found in the order of the offsets
 */
function pickFound(buf, end, found) {
  return write((out, start) => {
    const projection = new Projection(out, buf, true)
    out.reserve(start, 4)
    let pos = start + 4
    for (const { node, offset } of found) pos = projection.found(pos, end, node, offset)
    return closeDocument(out, start, pos)
  })
}

/** @param {(out: Output, pos: number) => number} put */
function write(put) {
  const out = acquireOutput()
  try {
    return out.finish(put(out, out.begin()))
  } finally {
    releaseOutput(out)
  }
}

/** The most levels to enter: a name goes through any number of arrays. */
const MAX_LEVELS = 1000

class Projection {
  /** @param {Output} out @param {Uint8Array} buf @param {boolean} isPick */
  constructor(out, buf, isPick) {
    this.out = out
    this.buf = buf
    this.isPick = isPick
    this.level = 0
  }

  /** @param {number} pos where to write @param {PathTree} tree @returns {number} offset after the written bytes */
  document(pos, start, end, isArray, tree) {
    const { out, buf, isPick } = this
    if (++this.level > MAX_LEVELS) throw errorAtOffset(tooDeep(MAX_LEVELS), start)
    const docStart = pos
    const found = new Set()
    let kept = 0
    let element = start + 4
    let run = element // the start of bytes to keep unchanged, not copied yet
    out.reserve(pos, 4)
    pos += 4
    for (let index = 0; element < end && !(isPick && found.size === tree.nodes.length); index++) {
      const type = buf[element]
      const nameEnd = scanName(buf, element + 1, end)
      const next = skipElement(buf, element, nameEnd, end)
      const value = nameEnd + 1
      const node = this.nodeAt(tree, found, isArray ? index : -1, element + 1, nameEnd)
      const inner = isArray && node === undefined ? innerNamed(tree, type) : innerTree(node, type)
      const isKept = inner !== null || isPick === isWhole(node)
      // In an array, items after a removed one get new names.
      if (!isKept || inner !== null || (isArray && kept !== index)) {
        pos = putRange(out, pos, buf, run, element)
        run = next
        if (isKept) pos = isArray ? putName(out, type, kept, pos) : putRange(out, pos, buf, element, value)
        if (inner !== null) pos = this.document(pos, value, next - 1, type === ELEMENT.ARRAY, inner)
        else if (isKept) pos = putRange(out, pos, buf, value, next)
      }
      if (isKept) kept++
      element = next
    }
    this.level--
    return closeDocument(out, docStart, putRange(out, pos, buf, run, element))
  }

  /**
   * The node of an element; a pick uses each node once, for the first element.
   *
   * @param {number} index -1 in a document
   */
  nodeAt(tree, found, index, name, nameEnd) {
    const node = index === -1 ? tree.ofName(this.buf, name, nameEnd) : tree.ofIndex(index)
    if (node === undefined || !this.isPick) return node
    if (found.has(node)) return undefined
    found.add(node)
    return node
  }

  /** @param {number} pos @param {number} end of the document @param {PathNode} node @param {number} offset */
  found(pos, end, node, offset) {
    const { out, buf } = this
    const type = buf[offset]
    const value = offset + node.key.bytes.length + 2
    const next = skipElement(buf, offset, value - 1, end)
    if (isWhole(node)) return putRange(out, pos, buf, offset, next)
    const inner = innerTree(node, type)
    if (inner === null) return pos
    pos = putRange(out, pos, buf, offset, value)
    return this.document(pos, value, next - 1, type === ELEMENT.ARRAY, inner)
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

module.exports = { project, pickFound }
