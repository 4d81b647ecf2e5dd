'use strict'

// The state of writing one text from bytes. One writer is kept between calls; a nested call gets its own.

const { allocate } = require('../bytes')
const { COPIED, getView, viewOf } = require('../decode')
const { TextOutput, KEEP } = require('./output')
const { putDocument } = require('./write')

/** The initial length of each list, and the length up to which lists are kept. */
const LIST = 256
const KEPT = 1 << 16

class Writer {
  constructor() {
    this.out = new TextOutput()
    this.scratch = allocate(COPIED)
    this.scratchView = viewOf(this.scratch)
    /** The bytes that are read. */
    this.buf = this.scratch
    this.view = this.scratchView
    /** The difference between an offset in `buf` and the offset in the caller's bytes. */
    this.shift = 0
    /** @type {import('./write').TextPlan} */
    this.plan = null
    /** The open levels, several integers each. */
    this.stack = new Int32Array(LIST)
    /** @type {(import('./order').Order | null)[]} by level: the order, if it is not that of the bytes */
    this.orders = []
    /** The hash and the offset of each name in the open documents. */
    this.hashes = new Int32Array(LIST)
    this.names = new Int32Array(LIST)
    /** The table for looking up names: see order.js. */
    this.table = new Int32Array(LIST)
    this.serial = 1
    /** Further results of functions: an offset, and the hash of a name. */
    this.pos = 0
    this.hash = 0
    /** Whether the document is begun again, because too many of its fields are out of order. */
    this.isAgain = false
  }

  growStack() {
    return (this.stack = longer(this.stack))
  }

  growNames() {
    this.hashes = longer(this.hashes)
    this.names = longer(this.names)
  }

  /** Begins to read from `start` to `next`. Few bytes are copied to memory that already has a DataView. */
  read(bytes, start, next) {
    if (next - start <= COPIED) {
      this.buf = this.scratch
      this.view = this.scratchView
      this.shift = 0 - start
      this.scratch.set(start === 0 && next === bytes.length ? bytes : bytes.subarray(start, next))
    } else {
      this.buf = bytes
      this.view = getView(bytes)
      this.shift = 0
    }
  }

  /** Begins the document again. */
  putOrdered(root, next, pos) {
    this.isAgain = true
    return putDocument(this, root, next, pos)
  }

  /** Writes the document from `start` to `next`. @param {number} pos in the text @returns {number} after it */
  put(start, next, pos) {
    this.isAgain = false
    return putDocument(this, start + this.shift, next + this.shift, pos)
  }
}

function longer(list) {
  const copy = new Int32Array(2 * list.length)
  copy.set(list)
  return copy
}

/** @type {Writer | null} null while in use */
let idle = null

/** One with much memory, until the next garbage collection. @type {WeakRef<Writer> | undefined} */
let large

/** The caller must call `releaseWriter`, even after an error. @param {import('./write').TextPlan} plan */
function acquireWriter(plan) {
  const writer = large?.deref() ?? idle ?? new Writer()
  if (writer === idle) idle = null
  large = undefined
  writer.plan = plan
  return writer
}

function releaseWriter(writer) {
  const { out, scratch, scratchView } = writer
  out.isAscii = true
  writer.buf = scratch
  writer.view = scratchView
  if (writer.orders.length > 0) writer.orders = []
  if (out.size <= KEEP && writer.stack.length <= KEPT && writer.hashes.length <= KEPT) idle = writer
  else if (typeof WeakRef === 'function') large = new WeakRef(writer)
}

module.exports = { Writer, acquireWriter, releaseWriter }
