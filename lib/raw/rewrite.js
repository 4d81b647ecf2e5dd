'use strict'

// Changes some fields of documents: one walk copies the unchanged parts and calls an edit for each changed value.

const { ELEMENT } = require('../spec')
const { BSONError, shownName, pathOf } = require('../errors')
const { GrowingBytes } = require('../bytes')
const { ElementCursor } = require('../elements')
const { parsePath, pathTree, cannotSet } = require('./path')

/** @typedef {import('./path').PathTree} PathTree */

/**
 * The value of an element: bytes `start` to `end` of `buf`.
 *
 * @typedef {object} RawValue
 * @property {number} type element type
 * @property {Uint8Array} buf
 * @property {number} start
 * @property {number} end
 *
 * @typedef {object} Edit
 * @property {(value: RawValue) => RawValue | typeof EACH | null} of returns the new value, valid until the next call;
 *   null to remove the field; EACH to keep a document or array and edit each of its values
 * @property {RawValue} [added] the value for a missing field
 * @property {boolean} [derives] whether the new value depends on what is in the old one
 * @property {number} [count] in how many documents it changed something, added to by the rewriter
 * @property {number} [last] the number of the last of them
 *
 * @typedef {import('./path').PathNode & {edit?: Edit, path?: import('./path').Path}} EditNode with an edit at its end
 */

/** Returned by an edit to be called for each value of a document or array. */
const EACH = Symbol('each')

/** The most items to add before one that is set, as on the server. */
const MAX_ADDED = 1_500_000

/** Initial size of the output, in bytes. */
const FIRST_SIZE = 1 << 16

/**
 * @param {{path: import('./path').Path, edit: Edit}[]} edits
 * @returns {PathTree} of EditNodes
 * @throws {BSONError} on a path that is repeated, or in another one
 */
function editTree(edits) {
  const tree = pathTree([])
  for (const { path, edit } of edits) {
    let node = /** @type {EditNode} */ ({ children: tree })
    for (const key of parsePath(path)) {
      if (node.children === null) throw conflict(node, path)
      node = node.children.nodeOf(key)
    }
    if (node.children === null || node.children.nodes.length > 0) throw conflict(node, path)
    Object.assign(node, { children: null, edit, path })
  }
  checkItems(tree)
  return tree
}

/** @param {EditNode} node with an edit, or with nodes that have edits @param {import('./path').Path} path */
function conflict(node, path) {
  const texts = [firstPath(node), path].map(each => shownName(typeof each === 'string' ? each : pathOf(each)))
  return new BSONError(`conflicting edits: ${texts.join(', ')}`)
}

/** @param {EditNode} node @returns {import('./path').Path} of the first edit in it */
function firstPath(node) {
  while (node.children !== null) [node] = node.children.nodes
  return node.path
}

/** @param {PathTree} tree @throws {BSONError} on edits of one item that conflict with those of each item */
function checkItems({ nodes, named }) {
  for (const { key, children, edit, path } of /** @type {EditNode[]} */ (nodes)) {
    if (children !== null) checkItems(children)
    if (key.index === -1 || named === null) continue
    if (edit?.derives) throw conflict(named.nodes[0], path)
    if (children === null) continue
    checkItem(named, children)
    checkItems(named.with(children))
  }
}

/** @param {PathTree} each of each item @param {PathTree} own of one */
function checkItem(each, own) {
  for (const node of own.nodes) {
    const same = each.ofText(node.key.text)
    if (same === undefined) continue
    if (same.children === null || node.children === null) throw conflict(same, firstPath(node))
    checkItem(same.children, node.children)
  }
}

/** The number of the document in which nodes are marked as found. */
let serial = 0

/** Writes consecutive documents into growing memory. */
class Rewriter extends GrowingBytes {
  /** @param {PathTree} tree */
  constructor(tree) {
    super(FIRST_SIZE)
    this.tree = tree
    /** The number of the document. */
    this.number = 0
    this.cursor = new ElementCursor()
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} [start] of a document
   * @param {number} [end] of it
   * @throws {BSONError} on bytes that are not BSON among those walked over; then nothing is written
   */
  write(buf, start = 0, end = buf.length) {
    const before = this.pos
    this.number++
    try {
      this.cursor.open(buf, start, end - 1)
      this.document(start, this.tree)
    } catch (error) {
      this.pos = before
      throw error
    }
  }

  /** @param {number} start of the document that the cursor has entered @param {PathTree} tree */
  document(start, tree) {
    const { cursor } = this
    const { buf } = cursor
    const head = this.hole()
    const own = ++serial
    let run = start + 4
    let seen = run
    while (cursor.nextSibling()) {
      const { pos, end } = cursor
      const node = /** @type {EditNode | undefined} */ (tree.ofName(cursor))
      seen = end
      if (node === undefined) continue
      const isRepeated = node.foundIn === own
      node.foundIn = own
      const { edit, children } = node
      if (edit !== undefined || cursor.isContainer) {
        this.copy(buf, run, pos)
        run = end
        if (edit === undefined) this.entered(children)
        else if (!isRepeated || edit.added === undefined) this.edited(edit) // a field that is set is written once
      } else if (isAdding(node)) throw notDocument(node, pos)
    }
    this.copy(buf, run, seen)
    for (const node of tree.nodes) if (node.foundIn !== own && isAdding(node)) this.addNode(node)
    this.endFrame(head)
  }

  /** Writes an array that the cursor has entered: nodes of an index apply to that item, all others to each item. */
  items(start, tree) {
    const { cursor } = this
    const { buf } = cursor
    const head = this.hole()
    let run = start + 4
    let seen = run
    let count = 0
    for (; cursor.nextSibling(); count++) {
      const { pos, value, end } = cursor
      const own = /** @type {EditNode | undefined} */ (tree.ofIndex(count))
      const edit = own?.edit
      const inner = tree.inItem(own)
      if (edit !== undefined || (inner !== null && cursor.isContainer)) {
        this.copy(buf, run, pos)
        run = end
        if (edit === undefined) this.entered(inner)
        else if (!this.edited(edit)) this.nothing(buf, pos + 1, value)
      } else if (own !== undefined && isAdding(own)) throw notDocument(own, pos)
      seen = end
    }
    this.copy(buf, run, seen)
    const added = tree.nodes.filter(node => node.key.index >= count && isAdding(node))
    for (const node of added.sort((a, b) => a.key.index - b.key.index)) count = this.append(node, count)
    this.endFrame(head)
  }

  /** Adds an item, and null before it where items are missing. @param {EditNode} node @param {number} count of items */
  append(node, count) {
    const { index } = node.key
    if (index > count + MAX_ADDED) throw new BSONError(`the array has ${count} items, too few to set item ${index}`)
    for (; count < index; count++) {
      const name = Buffer.from(`${count}\0`)
      this.nothing(name, 0, name.length)
    }
    this.addNode(node)
    return count + 1
  }

  /** Writes null under a name with its 0x00: an item that is removed, as on the server. */
  nothing(buf, start, end) {
    this.byte(ELEMENT.NULL)
    this.copy(buf, start, end)
  }

  /** Writes the element, whose value has edits inside. @param {PathTree} tree */
  entered(tree) {
    const { cursor } = this
    const { buf, type, pos, value } = cursor
    this.copy(buf, pos, value)
    cursor.enter()
    if (type === ELEMENT.ARRAY) this.items(value, tree)
    else this.document(value, tree)
    cursor.leave()
  }

  /** Writes the element, whose value an edit changes. @param {Edit} edit @returns {boolean} whether it stays */
  edited(edit) {
    const { buf, type, pos, value, end } = this.cursor
    const changed = edit.of({ type, buf, start: value, end })
    this.count(edit)
    if (changed === null) return false
    this.byte(changed === EACH ? type : changed.type)
    this.copy(buf, pos + 1, value)
    if (changed === EACH) this.each(edit)
    else this.copy(changed.buf, changed.start, changed.end)
    return true
  }

  /** @param {Edit} edit that changes something in this document */
  count(edit) {
    if (edit.last === this.number) return
    edit.last = this.number
    edit.count = (edit.count ?? 0) + 1
  }

  /** Writes a document or array, and edits each of its values. @param {Edit} edit */
  each(edit) {
    const { cursor } = this
    const head = this.hole()
    cursor.enter()
    while (cursor.nextSibling()) this.edited(edit)
    cursor.leave()
    this.endFrame(head)
  }

  /** @param {EditNode} node */
  addNode({ key, edit, children }) {
    this.byte(edit === undefined ? ELEMENT.DOCUMENT : edit.added.type)
    this.copy(key.cstring, 0, key.cstring.length)
    if (edit !== undefined) {
      this.count(edit)
      return this.copy(edit.added.buf, edit.added.start, edit.added.end)
    }
    const head = this.hole()
    for (const node of children.nodes) if (isAdding(node)) this.addNode(node)
    this.endFrame(head)
  }
}

/** @param {EditNode} node whether it, or a node in it, adds a missing field */
function isAdding({ edit, children }) {
  return children === null ? edit.added !== undefined : children.nodes.some(isAdding)
}

/** @param {EditNode} node of a value that is no document @param {number} offset of its element */
function notDocument({ key, children }, offset) {
  return cannotSet(key.text, children.nodes.find(isAdding).key.text, offset)
}

module.exports = { EACH, editTree, Rewriter }
