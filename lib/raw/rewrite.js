'use strict'

// Changes some fields of documents: one walk copies the unchanged parts and calls an edit for each changed value.

const { ELEMENT } = require('../spec')
const { BSONError, errorAtOffset, shownName } = require('../errors')
const { GrowingBytes, allocate } = require('../bytes')
const { ElementCursor } = require('../elements')
const { parsePath } = require('./path')

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
 * @typedef {object} EditNode
 * @property {Uint8Array} name
 * @property {number} index of the item of an array that it stands for; -1 for another name
 * @property {Edit | null} edit
 * @property {EditNode[]} children
 * @property {import('./path').Path} [path] of the edit
 */

/** Returned by an edit to be called for each value of a document or array. */
const EACH = Symbol('each')

const INDEX = /^(0|[1-9]\d{0,8})$/

/** The most items to add before one that is set, as on the server. */
const MAX_ADDED = 1_500_000

/** Initial size of the output, in bytes. */
const FIRST_SIZE = 1 << 16

/**
 * @param {{path: import('./path').Path, edit: Edit}[]} edits
 * @returns {EditNode[]}
 * @throws {BSONError} on a path that is repeated, or in another one
 */
function editTree(edits) {
  const root = { name: allocate(0), index: -1, edit: null, children: [] }
  for (const { path, edit } of edits) {
    let node = root
    for (const { bytes, text } of parsePath(path)) {
      if (node.edit !== null) throw conflict(node, path)
      let child = node.children.find(({ name }) => Buffer.compare(name, bytes) === 0)
      if (child === undefined) {
        child = { name: bytes, index: INDEX.test(text) ? Number(text) : -1, edit: null, children: [] }
        node.children.push(child)
      }
      node = child
    }
    if (node.edit !== null || node.children.length > 0) throw conflict(node, path)
    Object.assign(node, { edit, path })
  }
  checkItems(root.children)
  return root.children
}

/** @param {EditNode} node with an edit, or with nodes that have edits @param {import('./path').Path} path */
function conflict(node, path) {
  return new BSONError(`conflicting edits: ${shownName(String(firstPath(node)))}, ${shownName(String(path))}`)
}

/** @param {EditNode} node @returns {import('./path').Path} of the first edit in it */
function firstPath(node) {
  while (node.edit === null) node = node.children[0]
  return node.path
}

/** @param {EditNode[]} nodes @throws {BSONError} on edits of one item that conflict with those of each item */
function checkItems(nodes) {
  const each = nodes.filter(({ index }) => index === -1)
  for (const { index, children, edit, path } of nodes) {
    checkItems(children)
    if (index === -1 || each.length === 0) continue
    if (edit?.derives) throw conflict(each[0], path)
    checkItem(each, children)
    checkItems(together(each, children))
  }
}

/** @param {EditNode[]} each of each item @param {EditNode[]} own of one */
function checkItem(each, own) {
  for (const node of own) {
    const same = each.find(isSame(node))
    if (same !== undefined && (same.edit !== null || node.edit !== null)) throw conflict(same, firstPath(node))
    if (same !== undefined) checkItem(same.children, node.children)
  }
}

/** @param {EditNode} node */
function isSame({ name }) {
  return (/** @type {EditNode} */ other) => Buffer.compare(other.name, name) === 0
}

/** The nodes of each item and of one, without names that repeat. @param {EditNode[]} each @param {EditNode[]} own */
function together(each, own) {
  const others = own.filter(node => !each.some(isSame(node)))
  return [...others, ...each.map(node => {
    const same = own.find(isSame(node))
    return same === undefined ? node : { ...node, children: together(node.children, same.children) }
  })]
}

/** Writes consecutive documents into growing memory. */
class Rewriter extends GrowingBytes {
  /** @param {EditNode[]} tree */
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

  /** @param {number} start of the document that the cursor has entered @param {EditNode[]} nodes */
  document(start, nodes) {
    const { cursor } = this
    const { buf } = cursor
    const head = this.hole()
    const found = nodes.map(() => false)
    let run = start + 4
    let seen = run
    while (cursor.nextSibling()) {
      const { pos, end } = cursor
      const index = nodes.findIndex(({ name }) => cursor.isNamed(name))
      const isRepeated = index !== -1 && found[index]
      if (index !== -1) found[index] = true
      const inner = index === -1 ? null : nodes[index].children
      const edit = index === -1 ? null : nodes[index].edit
      if (edit !== null || (inner !== null && cursor.isContainer)) {
        this.copy(buf, run, pos)
        run = end
        if (edit === null) this.entered(inner)
        else if (!isRepeated || edit.added === undefined) this.edited(edit) // a field that is set is written once
      } else if (inner !== null && isAdding(nodes[index])) throw cannotSet(nodes[index], pos)
      seen = end
    }
    this.copy(buf, run, seen)
    this.add(nodes, found)
    this.endFrame(head)
  }

  /**
   * Nodes of an index apply to that item, all others to each item.
   *
   * @param {number} start of the array that the cursor has entered
   * @param {EditNode[]} nodes
   */
  items(start, nodes) {
    const { cursor } = this
    const { buf } = cursor
    const head = this.hole()
    const each = nodes.filter(({ index }) => index === -1)
    const indexed = nodes.filter(({ index }) => index !== -1).sort((a, b) => a.index - b.index)
    let run = start + 4
    let seen = run
    let count = 0
    for (let next = 0; cursor.nextSibling(); count++) {
      const { pos, value, end } = cursor
      const own = indexed[next]?.index === count ? indexed[next++] : null
      const inner = own === null ? each : together(each, own.children)
      if (own?.edit || (inner.length > 0 && cursor.isContainer)) {
        this.copy(buf, run, pos)
        run = end
        if (!own?.edit) this.entered(inner)
        else if (!this.edited(own.edit)) this.nothing(buf, pos + 1, value)
      } else if (own !== null && isAdding(own)) throw cannotSet(own, pos)
      seen = end
    }
    this.copy(buf, run, seen)
    for (const node of indexed) if (node.index >= count && isAdding(node)) count = this.append(node, count)
    this.endFrame(head)
  }

  /** Adds an item, and null before it where items are missing. @param {EditNode} node @param {number} count of items */
  append(node, count) {
    const { index } = node
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

  /** Writes the element, whose value has edits inside. @param {EditNode[]} nodes */
  entered(nodes) {
    const { cursor } = this
    const { buf, type, pos, value } = cursor
    this.copy(buf, pos, value)
    cursor.enter()
    if (type === ELEMENT.ARRAY) this.items(value, nodes)
    else this.document(value, nodes)
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

  /** Adds the missing fields that have a value to set. @param {EditNode[]} nodes @param {boolean[]} found */
  add(nodes, found) {
    for (let i = 0; i < nodes.length; i++) {
      if (!found[i] && isAdding(nodes[i])) this.addNode(nodes[i])
    }
  }

  /** @param {EditNode} node */
  addNode({ name, edit, children }) {
    this.byte(edit === null ? ELEMENT.DOCUMENT : edit.added.type)
    this.copy(name, 0, name.length)
    this.byte(0)
    if (edit !== null) {
      this.count(edit)
      return this.copy(edit.added.buf, edit.added.start, edit.added.end)
    }
    const head = this.hole()
    this.add(children, children.map(() => false))
    this.endFrame(head)
  }
}

/** @param {EditNode} node whether it, or a node in it, adds a missing field */
function isAdding({ edit, children }) {
  return edit === null ? children.some(isAdding) : edit.added !== undefined
}

/** @param {EditNode} node of a value that is no document @param {number} offset of its element */
function cannotSet({ name, children }, offset) {
  const [into, field] = [name, children.find(isAdding).name].map(bytes => shownName(Buffer.from(bytes).toString()))
  return errorAtOffset(`cannot set ${field} in ${into}, which is not a document`, offset)
}

module.exports = { EACH, editTree, Rewriter }
