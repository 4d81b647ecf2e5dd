'use strict'

// One loop over elements for everything that is not hot.

const { MAX_DEPTH } = require('../spec')
const { errorAtOffset } = require('../errors')
const { NodeBuffer } = require('../bytes')
const { innerDocument, tooDeep } = require('./scan')
const { endOfElement, isContainer } = require('./layout')

/** The elements to walk over after one was found, before the others are searched for another of its name. */
const WALKED = 16

/** More elements than a document has: with Infinity, a look-up of a field takes up to 1.4 times as long. */
const ALL = 2 ** 30

/** The most bytes to search: a walk skips a long value at once. */
const MOST_SEARCHED = 16384

const NO_BYTES = new Uint8Array(0)

/**
 * Visits elements without allocating: after `next()` returned true, the properties say where the element lies. Use
 * `enter()` to go into its value. Keep one for all documents that are not walked at the same time.
 *
 *     cursor.open(buf, start, end)
 *     while (cursor.next()) if (cursor.isContainer) cursor.enter()
 */
class ElementCursor {
  constructor() {
    /** @type {Uint8Array} */
    this.buf = NO_BYTES
    /** The element's type, or 0. */
    this.type = 0
    /** The offset of the element: of its type byte, which precedes its name. */
    this.pos = 0
    /** The offset of the 0x00 after the name. */
    this.nameEnd = 0
    /** The offset of the value. */
    this.value = 0
    /** The offset after the value. */
    this.end = 0
    /** The number of documents and arrays around the element. */
    this.depth = 0
    /** The offset of the closing 0x00 of what holds the element. @private */
    this.limit = 0
    /** The offset of the next element. @private */
    this.at = 0
    /** The limits around. @private @type {number[]} */
    this.limits = []
    /** @private */
    this.maxDepth = MAX_DEPTH
    /** @private */
    this.around = 0
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} start of a document whose size and closing 0x00 have been checked
   * @param {number} end the offset of its closing 0x00
   * @param {number} [maxDepth] levels that may be entered, with this one and those around it
   * @param {number} [around] levels around it
   * @throws {import('../errors').BSONError} when the document itself is too deep
   */
  open(buf, start, end, maxDepth = MAX_DEPTH, around = 0) {
    if (around >= maxDepth) throw errorAtOffset(tooDeep(maxDepth), start)
    this.buf = buf
    this.maxDepth = maxDepth
    this.around = around
    this.depth = around + 1
    this.at = start + 4
    this.limit = end
    return this
  }

  /** @param {Uint8Array} name in UTF-8 @returns {boolean} whether the element has this name */
  isNamed(name) {
    const { buf, pos, nameEnd } = this
    return nameEnd - pos - 1 === name.length && isSame(buf, pos + 1, name)
  }

  /** One of 32 bits, for the name. */
  get nameBit() {
    return nameBit(this.buf, this.nameEnd, this.nameEnd - this.pos - 1)
  }

  /** Whether the value is a document or an array. */
  get isContainer() {
    return isContainer(this.type)
  }

  /**
   * Goes to the next element: the first one inside after `enter`, and after the last one of a document to the one
   * behind the document.
   *
   * @returns {boolean} false after the last
   * @throws {import('../errors').BSONError} with the offset
   */
  next() {
    while (this.at >= this.limit) {
      if (this.depth === this.around + 1) return false
      this.leave()
    }
    return this.read()
  }

  /** Like `next`, but stays inside what was entered last: for recursion, between `enter` and `leave`. */
  nextSibling() {
    return this.at < this.limit && this.read()
  }

  /**
   * Goes to the last element of that name in what was entered last: one that repeats means its last value.
   *
   * @param {Uint8Array} name in UTF-8, with its 0x00
   * @returns {boolean} false if there is none
   * @throws {import('../errors').BSONError} with the offset, on bytes before it
   */
  toLastNamed(name) {
    let found = -1
    let most = ALL
    while (true) {
      const pos = this.skipTo(name, most)
      if (pos !== -1) {
        found = pos
        most = WALKED
      } else if (most === WALKED && this.mayOccur(name)) most = ALL
      else break
    }
    return found !== -1 && this.moveTo(found)
  }

  /**
   * @param {Uint8Array} name with its 0x00
   * @param {number} [walked] siblings to look at before the others are searched, which takes 150 ns to start
   * @returns {boolean} false if none of the next siblings has it
   * @throws {import('../errors').BSONError} with the offset, on bytes of the siblings that it looks at
   */
  mayFollow(name, walked = WALKED) {
    const { at } = this
    const mayFollow = this.skipTo(name, walked) !== -1 || this.mayOccur(name)
    this.at = at
    return mayFollow
  }

  /**
   * Goes past the next sibling of that name, or past as many as there are, up to `most`.
   *
   * @private
   * @param {Uint8Array} name with its 0x00
   * @param {number} most
   * @returns {number} the offset of the one of that name, or -1
   */
  skipTo(name, most) {
    const { buf, limit } = this
    const length = name.length
    let found = -1
    let { at } = this
    for (let i = 0; i < most && at < limit && found === -1; i++) {
      const nameEnd = endOfName(buf, at + 1)
      if (nameEnd - at === length && isSame(buf, at + 1, name)) found = at
      at = endOfElement(buf, at, nameEnd, limit)
    }
    this.at = at
    return found
  }

  /**
   * Whether the bytes of a name occur from here on, if a native search for them is quick. Most names do not repeat, and
   * then it saves the walk over all other elements.
   *
   * @private
   */
  mayOccur(name) {
    const { buf, at, limit } = this
    if (at >= limit) return false
    if (NodeBuffer === undefined || limit - at > MOST_SEARCHED) return true
    return NodeBuffer.prototype.includes.call(buf.subarray(at, limit), name)
  }

  /** Goes to an element of what was entered last. @param {number} pos its offset @returns {true} */
  moveTo(pos) {
    this.at = pos
    return this.read()
  }

  /** Goes back to before the first element of what was entered last. @param {number} start of that document */
  rewind(start) {
    this.at = start + 4
  }

  /** @private @returns {true} */
  read() {
    const { buf, at } = this
    const i = endOfName(buf, at + 1)
    this.pos = at
    this.type = buf[at]
    this.nameEnd = i
    this.value = i + 1
    this.at = this.end = endOfElement(buf, at, i, this.limit)
    return true
  }

  /**
   * Goes into the document or array, or the scope of code, that is the element's value.
   *
   * @throws {import('../errors').BSONError} when it is too deep
   */
  enter() {
    const inner = innerDocument(this.type, this.buf, this.value)
    if (this.depth >= this.maxDepth) throw errorAtOffset(tooDeep(this.maxDepth), inner)
    this.limits[this.depth++ - this.around - 1] = this.limit
    this.at = inner + 4
    this.limit = this.end - 1
  }

  /** Releases the memory, for a cursor that outlives it. */
  close() {
    this.buf = NO_BYTES
  }

  /** Leaves what was entered last, with all elements that have not been visited. */
  leave() {
    this.at = this.limit + 1
    this.limit = this.limits[--this.depth - this.around - 1]
  }
}

/**
 * A bit for a name, by its length and its last byte: of the names that are none of a few, most have none of their bits.
 *
 * @param {Uint8Array} buf
 * @param {number} end of the name
 * @param {number} size of the name
 */
function nameBit(buf, end, size) {
  return 1 << (size === 0 ? 0 : size + buf[end - 1])
}

/**
 * The offset of the first 0x00 at or after `pos`, or of the end of the memory: four bytes a turn, which saves a quarter
 * of a walk over 150 fields on Node 20.
 *
 * @param {Uint8Array} buf
 * @param {number} pos
 * @returns {number}
 */
function endOfName(buf, pos) {
  let i = pos
  while (true) {
    if (!(buf[i] > 0)) return i
    if (!(buf[i + 1] > 0)) return i + 1
    if (!(buf[i + 2] > 0)) return i + 2
    if (!(buf[i + 3] > 0)) return i + 3
    i += 4
  }
}

/** Whether the bytes from `pos` are these, from their end: names often begin alike. */
function isSame(buf, pos, bytes) {
  let i = bytes.length
  while (--i >= 0) if (bytes[i] !== buf[pos + i]) return false
  return true
}

module.exports = { WALKED, ElementCursor, nameBit, endOfName }
