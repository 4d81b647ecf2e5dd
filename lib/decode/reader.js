'use strict'

// What one decode works with: the bytes, a DataView of the same bytes, the options. One is kept between calls; a decode
// within a decode, by a setter that somebody put on Object.prototype, gets one of its own.

const { allocate } = require('../bytes')
const { COPIED, getView, viewOf } = require('./views')
const { noKey } = require('./keys')
const { DEFAULT_PLAN } = require('./options')
const { readArray } = require('./read')
const { readDocument } = require('./learn')
const { readDeep } = require('./deep')

/** Stands for the key of documents that stand under none. */
const ROOT = noKey()

class Reader {
  constructor() {
    this.scratch = allocate(COPIED)
    this.scratchView = viewOf(this.scratch)
    this.buf = this.scratch
    this.view = this.scratchView
    /** What is to be added to an offset in the bytes that are read to find the same byte in `buf`. */
    this.shift = 0
    /** @type {import('./options').DecodePlan} */
    this.plan = DEFAULT_PLAN
    /** @type {Function} reads what is deeper than the recursion may go */
    this.readDeep = readDeep
    /** @type {Function} reads by what is learned */
    this.readDocument = readDocument
    /** @type {Function} */
    this.readArray = readArray
    /** The key under which what is read next stands. */
    this.site = ROOT
    /** A second answer: the offset after what was read. */
    this.pos = 0
    /** A third: the fields that were read. */
    this.width = 0
  }
}

/** @type {Reader | null} the one that is not in use */
let idle = null

/**
 * To be given back with `releaseReader`. Of `bytes`, what is from `start` to `end` is read: there is a 0x00 behind it.
 *
 * @param {import('./options').DecodePlan} plan
 * @param {boolean} [mayComeAgain] whether the same object may come again, for another document in it: who reads by an
 *   index goes through it, but of bytes that come once to keep a view takes 1 us
 */
function acquireReader(bytes, start, end, plan, mayComeAgain = false) {
  const reader = idle === null ? new Reader() : idle
  idle = null
  const size = mayComeAgain && start > 0 ? bytes.length : end - start
  // most often they are already: to compare takes less than a store, of which V8's collector keeps a record
  if (reader.plan !== plan) reader.plan = plan
  if (reader.site !== ROOT) reader.site = ROOT
  if (size <= COPIED && !plan.keepsBytes) {
    reader.shift = 0 - start // not -0, with which all offsets would be floating-point numbers: 1.3 times as long
    reader.scratch.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
  } else {
    reader.shift = 0
    reader.buf = bytes
    reader.view = getView(bytes)
  }
  return reader
}

/** @param {Reader} reader */
function releaseReader(reader) {
  if (reader.buf !== reader.scratch) {
    reader.buf = reader.scratch
    reader.view = reader.scratchView
  }
  idle = reader
}

module.exports = { ROOT, Reader, acquireReader, releaseReader }
