'use strict'

// Finds where documents go on after bytes that hold none: a wrong length, zeros, a line of a log.
//
// A document is found where one validates whole and is followed by another one or by the end, or has `_id` first.
// Nothing inside a document is taken for one: neither its own documents nor a number that looks like a length.

const { ELEMENT, FIXED_SIZE, MIN_DOCUMENT_SIZE } = require('../spec')
const { BSONError } = require('../errors')
const { findInvalidUtf8, getInt32 } = require('../bytes')
const { endOfValue, isContainer, quickValidate, scanElement, utf8Plan, validateElements } = require('../elements')

/** How far to search, in bytes, unless an option says so. */
const SEARCH_SIZE = 64 * 1024 * 1024

/** The largest document that is looked for: its bytes have to be in memory. */
const LARGEST = 128 * 1024 * 1024

/** Up to this size, in bytes, what follows the name of a number is taken for that number, not for a document. */
const SMALL = 64

/** How many documents have to follow one another by their lengths, if their contents are wrong. */
const CHAIN = 3

/** What checking may cost, in bytes: a multiple of those searched, and some for the first ones. Keeps it linear. */
const CHECKS = 32
const CHECKS_AT_FIRST = 16 * 1024 * 1024

/** The most bytes of a name to look for before a value. */
const NAME = 100

/** Types whose values may begin like the length of a document. @type {Set<number>} */
const NUMBERS = new Set([ELEMENT.INT32, ELEMENT.INT64, ELEMENT.TIMESTAMP, ELEMENT.DATETIME, ELEMENT.DOUBLE])

/** Types whose values `endOfValue` leaves to others, always or at times. */
const RARE = [ELEMENT.REGEX, ELEMENT.DB_POINTER, ELEMENT.CODE_WITH_SCOPE, ELEMENT.BINARY]

/** Whether a byte is the type of an element. */
const IS_TYPE = Uint8Array.from({ length: 256 }, (_, type) => {
  return Number(type !== 0 && (FIXED_SIZE[type] !== -1 || type <= ELEMENT.CODE_WITH_SCOPE))
})

const UTF8 = utf8Plan()
const NO_UTF8 = utf8Plan({ utf8: false })

/** Whether a document is valid, at any depth. */
function isValid(buf, start, end, utf8 = true) {
  if (quickValidate(buf, start, end)) return true
  const last = end - 1
  return buf[last] === 0 && endOfElements(buf, start, last, end) === last && areValid(buf, start, last, utf8)
}

/** @param {Uint8Array} buf @param {number} start of a document @param {number} end of its closing 0x00 */
function areValid(buf, start, end, utf8 = true) {
  try {
    validateElements(buf, start + 4, end, utf8 ? UTF8 : NO_UTF8, Infinity)
    return true
  } catch (error) {
    if (error instanceof BSONError) return false
    throw error
  }
}

/** Bytes that walks over elements have looked at, of names and patterns: values are passed over. */
let looked = 0

/** What an error costs, in bytes of names. */
const ERROR_COST = 200

/**
 * Passes over the elements of a document, by their lengths only.
 *
 * @param {number} start of the document
 * @param {number} end the offset of its closing 0x00
 * @param {number} known the end of the bytes that are there
 * @returns {number} `end` if all are right; `known` or more if that cannot be told yet; otherwise where a wrong one is
 */
function endOfElements(buf, start, end, known) {
  let pos = start + 4
  while (pos < end && pos < known) {
    if (IS_TYPE[buf[pos]] === 0) return pos
    let nameEnd = pos + 1
    while (nameEnd < known && nameEnd < end && buf[nameEnd] !== 0) nameEnd++
    looked += nameEnd - pos
    if (nameEnd >= end) return pos
    if (nameEnd + 6 > known && end > known) return known
    const next = endOfElement(buf, pos, nameEnd, end, known)
    if (next === -1) return end > known && mayReach(buf, pos, nameEnd, known) ? known : pos
    pos = next
  }
  return pos
}

/** Whether a value that is not right yet may be so with the bytes that are not there yet. */
function mayReach(buf, pos, nameEnd, known) {
  const isLong = nameEnd + 5 + getInt32(buf, nameEnd + 1) >= known
  return isLong || (buf[pos] !== ELEMENT.BINARY && RARE.includes(buf[pos]))
}

/** @returns {number} the offset after an element, or -1 if it is wrong */
function endOfElement(buf, pos, nameEnd, end, known) {
  const next = endOfValue(buf[pos], buf, nameEnd + 1, end)
  if (next !== -1 || !RARE.includes(buf[pos])) return next
  let last = Math.min(end, known)
  try {
    last = scanElement(buf[pos], buf, pos, nameEnd, last)
    return last
  } catch {
    looked += ERROR_COST
    return -1
  } finally {
    if (buf[pos] === ELEMENT.REGEX) looked += last - nameEnd
  }
}

/**
 * Where the element begins whose value is at `start`, if what precedes it, not before `first`, looks like the type and
 * the name of a document, an array or a number; otherwise -1.
 */
function elementBefore(buf, first, start) {
  const least = Math.max(first, start - NAME)
  let pos = start - 2
  while (pos > least && buf[pos] >= 0x20 && buf[pos] !== 0x7f) pos--
  if (pos < first || pos === start - 2 || buf[start - 1] !== 0) return -1
  const isKnown = NUMBERS.has(buf[pos]) || isContainer(buf[pos])
  return isKnown && findInvalidUtf8(buf, pos + 1, start - 1) === -1 ? pos : -1
}

/** Whether the elements of a document, and those inside the last of them, lead to one at an offset. */
function leadsTo(buf, start, at) {
  let pos = endOfElements(buf, start, at, at)
  while (pos < at && isContainer(buf[pos])) pos = endOfElements(buf, buf.indexOf(0, pos + 1) + 1, at, at)
  return pos === at
}

/** Whether the first name in a document is that of an item. */
function isArray(buf, start) {
  return buf[start + 5] === 0x30 && buf[start + 6] === 0
}

/** Whether the first field of a document is `_id`. */
function startsWithId(buf, start) {
  return buf[start + 5] === 0x5f && buf[start + 6] === 0x69 && buf[start + 7] === 0x64 && buf[start + 8] === 0
}

class Recovery {
  /**
   * @param {import('./window').ByteSource} source its window begins with the damage
   * @param {object} how
   * @param {number} how.maxDocumentSize bytes
   * @param {number} how.searchSize bytes
   * @param {((at: number) => Promise<boolean>) | null} [how.isMark] whether something else than a document lies so many
   *   bytes after the damage from which reading can go on; it begins with 0xff
   * @param {boolean} [how.onlyMarks] whether no document is sought
   */
  constructor(source, { maxDocumentSize, searchSize, isMark = null, onlyMarks = false }) {
    this.source = source
    this.window = source.window
    this.maxDocumentSize = Math.min(maxDocumentSize, LARGEST)
    this.searchSize = searchSize
    this.isMark = isMark
    this.onlyMarks = onlyMarks
    /** Bytes that have been checked in vain. */
    this.spent = 0
    /** The candidate whose elements have been passed over last, and what that has cost. */
    this.candidate = -1
    this.cost = 0
  }

  /**
   * @returns {Promise<{length: number, isFound: boolean}>} the bytes of the damage; not found: up to the end, or as far
   *   as the search goes
   */
  async find() {
    if (!this.onlyMarks) {
      const ends = [await this.endByElements(), await this.endByLength()]
      for (const end of ends.sort((a, b) => a - b)) {
        if (end > 0 && (await this.isBoundary(end))) return { length: await this.startOfChain(end), isFound: true }
      }
    }
    for (let at = this.onlyMarks ? 0 : 1; at <= this.searchSize; at++) {
      at = this.nextCandidate(at)
      if (at > this.searchSize) break
      if (at + MIN_DOCUMENT_SIZE <= this.window.size) {
        if (await this.isStart(at)) return { length: at, isFound: true }
      } else if (await this.source.need(at + MIN_DOCUMENT_SIZE)) at--
      else return { length: this.window.size, isFound: false }
    }
    return { length: Math.min(this.searchSize, this.window.size), isFound: false }
  }

  /** Whether documents go on there. @param {number} at @returns {Promise<boolean>} */
  async isStart(at) {
    if (this.window.buf[this.window.start + at] === 0xff && (await this.isMark?.(at))) return true
    const end = this.onlyMarks ? -1 : await this.endOfDocument(at)
    if (end === -1) return false
    if (await this.isFree(at, end)) return true
    this.spent += end - at
    return false
  }

  /** @param {number} at @param {number} end of a valid document: whether it is not a value of another one */
  async isFree(at, end) {
    const { buf, start } = this.window
    const element = elementBefore(buf, start, start + at)
    const type = element === -1 ? 0 : buf[element]
    const hasId = startsWithId(buf, start + at)
    if (isArray(buf, start + at)) return false
    if (hasId && !isContainer(type)) return true
    if (NUMBERS.has(type) && end - at <= SMALL) return false
    if (type === 0 && end - at > MIN_DOCUMENT_SIZE) return this.isContinued(end, false)
    if (hasId && (await this.isEnd(end))) return !leadsTo(this.window.buf, this.window.start, element)
    const next = await this.endOfDocument(end) // nothing like a document follows a value
    if (type === 0) return next !== -1
    return next !== -1 && !isArray(this.window.buf, this.window.start + end) && this.isContinued(next)
  }

  /**
   * Looks for a document that begins within the last valid one, at `last`, and ends after it, where damage begins: then
   * that one has swallowed it. Returns where it begins, or -1.
   */
  async swallowed(last, end) {
    for (let at = this.nextCandidate(last + 1, end); at < end; at = this.nextCandidate(at + 1, end)) {
      const next = await this.endOfDocument(at)
      if (next > end && (await this.isFree(at, next))) return at
    }
    return -1
  }

  /**
   * @param {number} at
   * @param {number} [before] where to stop
   * @returns {number} the next offset at which a document or a mark may begin, or the end of what is there
   */
  nextCandidate(at, before = Infinity) {
    const { buf, start, end } = this.window
    const { source, maxDocumentSize, isMark, onlyMarks } = this
    const last = Math.min(end - MIN_DOCUMENT_SIZE, start + Math.min(this.searchSize, before))
    let pos = start + at
    for (; pos <= last; pos++) {
      const high = buf[pos + 3]
      if (high > 0x7f) {
        if (isMark !== null && getInt32(buf, pos) === -1 && (pos + 8 > end || buf[pos + 7] <= 0x7f)) break
        continue
      }
      if (onlyMarks) continue
      const size = getInt32(buf, pos)
      if (size < MIN_DOCUMENT_SIZE || size > maxDocumentSize) continue
      if (size === MIN_DOCUMENT_SIZE ? buf[pos + 4] !== 0 : IS_TYPE[buf[pos + 4]] === 0) continue
      if (pos + size > end ? source.isOver : buf[pos + size - 1] !== 0) continue
      this.cost = this.walk(pos - start, size)
      if (this.cost === -1) continue
      this.candidate = pos - start
      break
    }
    return pos - start
  }

  /** @param {number} at @returns {Promise<number>} the offset after a valid document, or -1 if there is none */
  async endOfDocument(at) {
    const size = await this.lengthAt(at)
    const cost = size === -1 ? -1 : this.walk(at, size)
    this.candidate = -1
    if (cost === -1) return -1
    const { window } = this
    if (window.size < at + size && !(await this.source.need(at + size))) return -1
    const start = window.start + at
    if (isValid(window.buf, start, start + size)) {
      this.spent -= cost
      return at + size
    }
    this.spent += size
    return -1
  }

  /**
   * Passes over the elements of what may be a document, as far as they are there.
   *
   * @returns {number} what that has cost, in bytes, which is counted as spent; -1 if one is wrong, or if too much has
   *   been spent
   */
  walk(at, size) {
    const { buf, start, end } = this.window
    if (at === this.candidate) return this.cost
    if (this.spent > CHECKS * at + CHECKS_AT_FIRST) return -1
    const first = start + at
    const before = looked
    const reached = endOfElements(buf, first, first + size - 1, end)
    const cost = 4 + looked - before
    this.spent += cost
    return reached < first + size - 1 && reached < end ? -1 : cost
  }

  /** @param {number} at @returns {Promise<number>} the length of a document there; -1 if it is impossible */
  async lengthAt(at) {
    if (this.window.size < at + MIN_DOCUMENT_SIZE && !(await this.source.need(at + MIN_DOCUMENT_SIZE))) return -1
    const size = getInt32(this.window.buf, this.window.start + at)
    return size < MIN_DOCUMENT_SIZE || size > this.maxDocumentSize ? -1 : size
  }

  /**
   * @param {boolean} [anyNames] whether the first name may be that of an item
   * @returns {Promise<boolean>} whether a document, whose strings may be invalid, a mark or the end is there
   */
  async isContinued(at, anyNames = true) {
    if (await this.isEnd(at)) return true
    const isThere = (await this.endOfDocument(at)) !== -1 || (await this.hasElements(at))
    return isThere && (anyNames || !isArray(this.window.buf, this.window.start + at))
  }

  /** @param {number} at @returns {Promise<boolean>} whether elements are there that end where a document should */
  async hasElements(at) {
    const size = await this.lengthAt(at)
    if (size <= MIN_DOCUMENT_SIZE || this.spent > CHECKS * at + CHECKS_AT_FIRST) return false
    if (!(await this.source.need(at + size))) return false
    this.spent += size
    const { buf, start } = this.window
    const last = start + at + size - 1
    return buf[last] === 0 && endOfElements(buf, start + at, last, last + 1) === last
  }

  /** @param {number} at whether the bytes end there, or a mark begins */
  async isEnd(at) {
    if (this.window.size === at && !(await this.source.need(at + 1))) return true
    return this.isMark !== null && this.isMark(at)
  }

  /** @param {number} end a boundary @returns {Promise<number>} where a mark or documents begin that reach up to it */
  async startOfChain(end) {
    for (let at = this.nextCandidate(1, end); at < end; at = this.nextCandidate(at + 1, end)) {
      if (await this.isMark?.(at)) return at
      let next = at
      while (next !== -1 && next < end) next = await this.endOfDocument(next)
      const { buf, start } = this.window
      const isNumber = NUMBERS.has(buf[elementBefore(buf, start, start + at)]) && !startsWithId(buf, start + at)
      if (next === end && !isNumber) return at
    }
    return end
  }

  /** Whether documents go on there, valid or at least one after another. @param {number} at */
  async isBoundary(at) {
    if (await this.isEnd(at)) return true
    const end = await this.endOfDocument(at)
    if (end === -1 && this.window.buf[this.window.start + at - 1] !== 0) return false
    if (end !== -1) return startsWithId(this.window.buf, this.window.start + at) || this.isContinued(end)
    for (let i = 0; i < CHAIN; i++) {
      const size = await this.lengthAt(at)
      if (size === -1 || !(await this.source.need(at + size))) return false
      at += size
      if (this.window.buf[this.window.start + at - 1] !== 0) return false
      if (await this.isEnd(at)) return true
    }
    return true
  }

  /** @returns {Promise<number>} where the elements end, whatever the length says; 0 if one of them is wrong */
  async endByElements() {
    while (true) {
      const { buf, start, end } = this.window
      const pos = endOfElements(buf, start, start + this.maxDocumentSize, end)
      if (pos < end && buf[pos] === 0) return areValid(buf, start, pos) ? pos + 1 - start : 0
      if (pos < end || !(await this.source.need(pos - start + 1))) return 0
    }
  }

  /** @returns {Promise<number>} where the document ends by its length; 0 if that is impossible */
  async endByLength() {
    const size = await this.lengthAt(0)
    return size === -1 || !(await this.source.need(size)) ? 0 : size
  }
}

module.exports = { Recovery, SEARCH_SIZE, isValid, endOfElements }
