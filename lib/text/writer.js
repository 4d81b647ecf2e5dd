'use strict'

// What one text from bytes is written with. One is kept between calls; a call within a call gets one of its own.

const { allocate } = require('../bytes')
const { COPIED, getView, viewOf } = require('../decode')
const { TextOutput, KEEP } = require('./output')
const { write } = require('./write')

/** Integers in each of the lists at first, and as many as are kept. */
const LIST = 256
const KEPT = 1 << 16

class Writer {
  constructor() {
    this.out = new TextOutput()
    this.scratch = allocate(COPIED)
    this.scratchView = viewOf(this.scratch)
    /** What is read. */
    this.buf = this.scratch
    this.view = this.scratchView
    /** What is to be added to an offset in the bytes that are read to find the same byte in `buf`. */
    this.shift = 0
    /** @type {import('./write').TextPlan} */
    this.plan = null
    /** The levels that are open, some integers each. */
    this.stack = new Int32Array(LIST)
    /** @type {(import('./order').Order | null)[]} of those that are not written as they stand */
    this.orders = []
    /** Of the names of the documents that are open: a hash, and where it is. */
    this.hashes = new Int32Array(LIST)
    this.names = new Int32Array(LIST)
    /** Where names are looked up: see order.js. */
    this.table = new Int32Array(LIST)
    this.serial = 1
    /** Second answers: an offset, and the hash of a name. */
    this.pos = 0
    this.hash = 0
  }

  growStack() {
    return (this.stack = longer(this.stack))
  }

  growNames() {
    this.hashes = longer(this.hashes)
    this.names = longer(this.names)
  }

  /**
   * Begins to read bytes: small ones are copied to where there is a DataView.
   *
   * @param {Uint8Array} bytes
   * @param {number} start of what is read
   * @param {number} next after it
   */
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

  /** The document from `start` to `next` of the bytes. @param {number} pos in the text @returns {number} after it */
  put(start, next, pos) {
    return write(this, start + this.shift, next + this.shift, pos)
  }
}

/** @param {Int32Array} list */
function longer(list) {
  const copy = new Int32Array(2 * list.length)
  copy.set(list)
  return copy
}

/** @type {Writer | null} the one that is not in use */
let idle = null

/** To be given back with `releaseWriter`, whatever happens. @param {import('./write').TextPlan} plan */
function acquireWriter(plan) {
  const writer = idle ?? new Writer()
  idle = null
  writer.plan = plan
  return writer
}

/** @param {Writer} writer */
function releaseWriter(writer) {
  const { out, scratch, scratchView } = writer
  out.isAscii = true
  writer.buf = scratch
  writer.view = scratchView
  if (writer.orders.length > 0) writer.orders = []
  if (out.size <= KEEP && writer.stack.length <= KEPT && writer.hashes.length <= KEPT) idle = writer
}

module.exports = { Writer, acquireWriter, releaseWriter }
