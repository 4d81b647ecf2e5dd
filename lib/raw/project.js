'use strict'

// Makes a new document of some fields of another, or of all except some: ranges of bytes are copied, no value is
// decoded.

const { ELEMENT } = require('../spec')
const { copyBytes } = require('../bytes')
const { acquireOutput, releaseOutput, putName, closeDocument } = require('../encode')
const { WALKED, ElementCursor, isContainer, scanRoot } = require('../elements')
const { pathTree } = require('./path')

/** @typedef {import('./path').PathNode} PathNode */

/**
 * Keeps the elements in the tree (`isPick`) or all others. An array stays an array, and the remaining items close up.
 * As in MongoDB projections, a name goes through arrays to the documents in them, and a pick through an array leaves
 * out items that are not documents. A pick takes the last of several elements with the same name, as decode does.
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

/** Picks fields of many documents, and writes the results one after another. */
class Picker {
  /** @param {import('./path').PathTree} tree */
  constructor(tree) {
    this.tree = tree
    this.cursor = new ElementCursor()
    /** Never released: the memory is this picker's own. */
    this.out = acquireOutput()
    this.out.beginScratch()
    this.projection = new Projection(this.out, this.cursor, true)
    /** The end of the written bytes; set it to 0 to reuse the memory. */
    this.pos = 0
  }

  /** @returns {Uint8Array} the written bytes, good until `pos` is set to 0 */
  get bytes() {
    return this.out.buf.subarray(0, this.pos)
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} [start] of a document
   * @param {number} [end]
   * @throws {import('../errors').BSONError} on bytes that are not BSON; then nothing is written
   */
  write(buf, start = 0, end = buf.length) {
    scanRoot(buf, start, true)
    this.cursor.open(buf, start, end - 1)
    this.projection.buf = buf
    this.projection.hasRepeated = false
    this.pos = this.projection.document(this.pos, start, false, this.tree)
  }
}

/** @param {import('./path').Path[]} paths @returns {Picker} of these fields */
function pickerOf(paths) {
  return new Picker(pathTree(paths))
}

/** The number of the document, or array, for which nodes are marked as found. */
let serial = 0

class Projection {
  constructor(out, cursor, isPick) {
    this.out = out
    this.cursor = cursor
    this.buf = cursor.buf
    this.isPick = isPick
    /** Whether a name has repeated. To begin each inner document twice, too, would double the work at every level. */
    this.hasRepeated = false
  }

  /** Writes what is wanted of the document at `start`, which the cursor has entered. */
  document(pos, start, isArray, tree) {
    const { out, buf, isPick, cursor } = this
    if (this.hasRepeated && !isArray) return this.lastOnes(pos, start, tree)
    const docStart = pos
    const own = ++serial
    let missing = isPick ? tree.count : -1
    let since = 0 // the elements after the last one that was missing
    let kept = 0
    let run = start + 4 // the start of bytes to keep unchanged, not copied yet
    let seen = run
    out.reserve(pos, 4)
    pos += 4
    for (let index = 0; (missing !== 0 || this.mayRepeat(tree, isArray, since++)) && cursor.nextSibling(); index++) {
      const { type, pos: element, value, end: next } = cursor
      const node = isArray ? tree.ofIndex(index) : tree.ofName(cursor)
      if (node !== undefined && isPick) {
        if (node.foundIn === own && !isArray) return this.lastOnes(docStart, start, tree)
        node.foundIn = own
        missing--
      }
      const inner = !isContainer(type) ? null : isArray ? tree.inItem(node) : innerTree(node)
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

  /** Whether a name of a document in which all have been found may come again. */
  mayRepeat(tree, isArray, since) {
    if (isArray) return false
    return since !== WALKED || tree.nodes.some(({ key }) => this.cursor.mayFollow(key.cstring, 0))
  }

  entered(pos, start, isArray, tree) {
    this.cursor.enter()
    const next = this.document(pos, start, isArray, tree)
    this.cursor.leave()
    return next
  }

  /** Picks from a document in which a name repeats. */
  lastOnes(docStart, start, tree) {
    const { out, buf, cursor } = this
    this.hasRepeated = true
    /** @type {Map<PathNode, number>} the offset of the last element of each name */
    const last = new Map()
    cursor.rewind(start)
    while (cursor.nextSibling()) {
      const node = tree.ofName(cursor)
      if (node !== undefined) last.set(node, cursor.pos)
    }
    out.reserve(docStart, 4)
    let pos = docStart + 4
    for (const [node, element] of [...last].sort((a, b) => a[1] - b[1])) {
      cursor.moveTo(element)
      const { type, value, end } = cursor
      const inner = isContainer(type) ? innerTree(node) : null
      if (isWhole(node)) pos = putRange(out, pos, buf, element, end)
      else if (inner !== null) {
        pos = this.entered(putRange(out, pos, buf, element, value), value, type === ELEMENT.ARRAY, inner)
      }
    }
    return closeDocument(out, docStart, pos)
  }
}

/** @returns {boolean} whether a path ends here; one that goes on finds nothing in a scalar */
function isWhole(node) {
  return node !== undefined && node.children === null
}

/** The paths that lead further into a document or array, if any. @param {PathNode | undefined} node */
function innerTree(node) {
  return node === undefined ? null : node.children
}

function putRange(out, pos, buf, from, to) {
  return copyBytes(buf, from, to, out.reserve(pos, to - from), pos)
}

module.exports = { project, pickerOf }
