'use strict'

// Changes some fields of documents: one walk copies the unchanged parts and calls an edit for each changed value.

const { ELEMENT, INT32_MAX } = require('../spec')
const { BSONError, errorAtOffset, shownName } = require('../errors')
const { BufferView, allocate, putInt32 } = require('../bytes')
const { scanName, tooDeep } = require('../decode')
const { skipElement, isContainer } = require('./find')
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
 *
 * @typedef {object} EditNode
 * @property {Uint8Array} name
 * @property {Edit | null} edit
 * @property {EditNode[]} children
 */

/** Returned by an edit to be called for each value of a document or array. */
const EACH = Symbol('each')

/** Initial size of the output, in bytes. */
const FIRST_SIZE = 1 << 16

/** The most levels to enter. */
const MAX_LEVELS = 1000

/**
 * @param {{path: import('./path').Path, edit: Edit}[]} edits
 * @returns {EditNode[]}
 * @throws {BSONError} on a repeated path
 */
function editTree(edits) {
  const root = { name: allocate(0), edit: null, children: [] }
  for (const { path, edit } of edits) {
    let node = root
    for (const { bytes, text } of parsePath(path)) {
      if (node.edit !== null) throw new BSONError(`${shownName(text)} is inside a value that is changed as a whole`)
      let child = node.children.find(({ name }) => Buffer.compare(name, bytes) === 0)
      if (child === undefined) {
        child = { name: bytes, edit: null, children: [] }
        node.children.push(child)
      }
      node = child
    }
    if (node.edit !== null || node.children.length > 0) throw new BSONError(`${shownName(String(path))} is changed twice`)
    node.edit = edit
  }
  return root.children
}

/** Writes consecutive documents into growing memory. */
class Rewriter {
  /** @param {EditNode[]} tree */
  constructor(tree) {
    this.tree = tree
    this.out = allocate(FIRST_SIZE)
    /** The end of the written bytes; set it to 0 to reuse the memory. */
    this.pos = 0
    this.level = 0
  }

  /** @returns {Uint8Array} the written bytes */
  get bytes() {
    return this.out.subarray(0, this.pos)
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} [start] of a document
   * @param {number} [end] of it
   * @throws {BSONError} on bytes that are not BSON among those walked over; then nothing is written
   */
  write(buf, start = 0, end = buf.length) {
    const before = this.pos
    try {
      this.level = 0
      this.document(buf, start, end - 1, this.tree, false)
    } catch (error) {
      this.pos = before
      throw error
    }
  }

  /** @param {Uint8Array} buf @param {number} start @param {number} end the offset of the closing 0x00 */
  document(buf, start, end, nodes, isArray) {
    if (++this.level > MAX_LEVELS) throw errorAtOffset(tooDeep(MAX_LEVELS), start)
    const head = this.open()
    const met = isArray ? null : nodes.map(() => false)
    let run = start + 4
    for (let pos = run; pos < end; ) {
      const nameEnd = scanName(buf, pos + 1, end)
      const next = skipElement(buf, pos, nameEnd, end)
      const type = buf[pos]
      const index = met === null ? -1 : indexOfName(nodes, buf, pos + 1, nameEnd)
      if (met !== null && index !== -1) met[index] = true
      const inner = met === null ? nodes : index === -1 ? null : nodes[index].children
      const edit = index === -1 ? null : nodes[index].edit
      if (edit !== null || (inner !== null && isContainer(type))) {
        this.copy(buf, run, pos)
        run = next
        if (edit !== null) this.edited(edit, { type, buf, start: nameEnd + 1, end: next }, pos + 1, nameEnd)
        else this.entered(buf, pos, nameEnd, next, inner)
      }
      pos = next
    }
    this.copy(buf, run, end)
    if (met !== null) this.add(nodes, met)
    this.close(head)
    this.level--
  }

  /**
   * Writes a document or array, and edits each of its values.
   *
   * @param {Uint8Array} buf
   * @param {number} start
   * @param {number} end the offset of the closing 0x00
   * @param {Edit} edit
   */
  each(buf, start, end, edit) {
    if (++this.level > MAX_LEVELS) throw errorAtOffset(tooDeep(MAX_LEVELS), start)
    const head = this.open()
    for (let pos = start + 4; pos < end; ) {
      const nameEnd = scanName(buf, pos + 1, end)
      const next = skipElement(buf, pos, nameEnd, end)
      this.edited(edit, { type: buf[pos], buf, start: nameEnd + 1, end: next }, pos + 1, nameEnd)
      pos = next
    }
    this.close(head)
    this.level--
  }

  /** Writes an element whose value has edits inside. */
  entered(buf, pos, nameEnd, next, nodes) {
    this.copy(buf, pos, nameEnd + 1)
    this.document(buf, nameEnd + 1, next - 1, nodes, buf[pos] === ELEMENT.ARRAY)
  }

  /** @param {Edit} edit @param {RawValue} value @param {number} name @param {number} nameEnd */
  edited(edit, value, name, nameEnd) {
    const changed = edit.of(value)
    if (changed === null) return
    this.byte(changed === EACH ? value.type : changed.type)
    this.copy(value.buf, name, nameEnd + 1)
    if (changed === EACH) this.each(value.buf, value.start, value.end - 1, edit)
    else this.copy(changed.buf, changed.start, changed.end)
  }

  /** Adds the missing fields that have a value to set. @param {EditNode[]} nodes @param {boolean[]} met */
  add(nodes, met) {
    for (let i = 0; i < nodes.length; i++) {
      if (!met[i] && isAdding(nodes[i])) this.addNode(nodes[i])
    }
  }

  /** @param {EditNode} node */
  addNode({ name, edit, children }) {
    this.byte(edit === null ? ELEMENT.DOCUMENT : edit.added.type)
    this.copy(name, 0, name.length)
    this.byte(0)
    if (edit !== null) return this.copy(edit.added.buf, edit.added.start, edit.added.end)
    const head = this.open()
    this.add(children, children.map(() => false))
    this.close(head)
  }

  open() {
    const head = this.pos
    this.reserve(4)
    this.pos += 4
    return head
  }

  /** @param {number} head */
  close(head) {
    this.byte(0)
    if (this.pos - head > INT32_MAX) throw new BSONError('the document has become too long')
    putInt32(this.pos - head, this.out, head)
  }

  byte(value) {
    this.reserve(1)
    this.out[this.pos++] = value
  }

  copy(buf, from, to) {
    const length = to - from
    this.reserve(length)
    const { out, pos } = this
    if (length > 48) out.set(new BufferView(buf.buffer, buf.byteOffset + from, length), pos)
    else for (let i = 0; i < length; i++) out[pos + i] = buf[from + i]
    this.pos += length
  }

  reserve(length) {
    if (this.pos + length <= this.out.length) return
    const larger = allocate(Math.max(2 * this.out.length, this.pos + length))
    larger.set(this.out.subarray(0, this.pos))
    this.out = larger
  }
}

/** @param {EditNode} node whether it, or a node in it, adds a missing field */
function isAdding({ edit, children }) {
  return edit === null ? children.some(isAdding) : edit.added !== undefined
}

/** @param {EditNode[]} nodes @returns {number} -1 if no node has that name */
function indexOfName(nodes, buf, start, end) {
  for (let i = 0; i < nodes.length; i++) {
    const { name } = nodes[i]
    let at = start
    while (at < end && name[at - start] === buf[at]) at++
    if (at === end && name.length === end - start) return i
  }
  return -1
}

module.exports = { EACH, editTree, Rewriter }
