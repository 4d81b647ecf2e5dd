'use strict'

// Some fields of a document, or all but some, as a new document: ranges of bytes are copied, no value is decoded.

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
 * Keeps the elements that are in the tree (`isPick`) or those that are not. An array stays one: what is left of it
 * moves together. As in a projection of MongoDB, a name goes through arrays to the documents in them, and a pick that
 * goes through one leaves out what is no document. Of elements with the same name a pick takes the first.
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
 * A pick of few fields, each of which has been found by itself.
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

/** Levels that are entered: a name goes through any number of arrays. */
const MAX_LEVELS = 1000

class Projection {
  /** @param {Output} out @param {Uint8Array} buf @param {boolean} isPick */
  constructor(out, buf, isPick) {
    this.out = out
    this.buf = buf
    this.isPick = isPick
    this.level = 0
  }

  /** @param {number} pos where to write @param {PathTree} tree @returns {number} offset after what has been written */
  document(pos, start, end, isArray, tree) {
    const { out, buf, isPick } = this
    if (++this.level > MAX_LEVELS) throw errorAtOffset(tooDeep(MAX_LEVELS), start)
    const docStart = pos
    const found = new Set()
    let kept = 0
    let element = start + 4
    let run = element // the start of what is kept as it is, and not copied yet
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
      // In an array whose earlier items are gone the others get new names.
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

  /** The node of an element, for a pick only at its first. @param {number} index -1 in a document */
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

/** @param {PathNode | undefined} node @returns {boolean} whether a path ends here; into a scalar it finds nothing */
function isWhole(node) {
  return node !== undefined && node.children === null
}

/** @param {PathNode | undefined} node @returns {PathTree | null} the paths that go on inside a value */
function innerTree(node, type) {
  return node !== undefined && isContainer(type) ? node.children : null
}

/** @param {PathTree} tree of an array @returns {PathTree | null} the paths that go on inside an item without index */
function innerNamed(tree, type) {
  return isContainer(type) ? tree.named : null
}

/** Ranges of up to so many bytes are copied by a loop: `subarray` and `set` cost 60 ns together. */
const SHORT_COPY = 64

function putRange(out, pos, buf, from, to) {
  const target = out.reserve(pos, to - from)
  if (to - from > SHORT_COPY) target.set(buf.subarray(from, to), pos)
  else for (let i = from; i < to; i++) target[pos + i - from] = buf[i]
  return pos + to - from
}

module.exports = { project, pickFound }
