'use strict'

// Documents in groups, each of which becomes tables by itself, so that threads can share the work: the same groups give
// the same tables, whoever reads them.

const { GrowingBytes } = require('../bytes')

/** The most rows of a group, unless one chunk has more. */
const ROWS = 65_536

/** The bytes of a group's memory at first. */
const MEMORY = 1 << 16

/** Numbers for each document, or several consecutive ones, in `places`. */
const WIDTH = 5

/**
 * @typedef {object} Chunk documents
 * @property {Uint8Array} bytes may be overwritten when the next one is requested
 * @property {number} count of them
 * @property {number} document documents of the file before it
 * @property {number} offset in the file
 * @property {number[]} [places] the number and the offset of each document, where they are not neighbours in the file
 * @property {string} file
 *
 * @typedef {object} Group documents that a thread can be sent
 * @property {Uint8Array} bytes
 * @property {number} count of them
 * @property {number[]} ends of its chunks, in `bytes`: a table may end there
 * @property {Float64Array} places for each document, or several consecutive ones: its index, where it starts in
 *   `bytes`, the index of its file, its number there, and its offset there
 * @property {string[]} files
 *
 * @typedef {object} Parts a form of columns, of which threads make parts
 * @property {(tables: import('./layout/table').Table[]) => any} make a part of the tables of a group
 * @property {(part: any) => Uint8Array} pack for another thread
 * @property {(bytes: Uint8Array) => any} unpack the next one may overwrite it
 * @property {boolean} [isView] whether a part is in the memory of its tables
 * @property {() => Writer} writer of a file
 *
 * @typedef {object} Writer both methods return bytes of the file; they may be overwritten by those of the next call,
 *   or by the next piece of the same call if the format is asked to reuse memory
 * @property {(part: any) => Iterable<Uint8Array>} add
 * @property {() => Iterable<Uint8Array>} end
 */

/** Puts the documents of a table into groups; each is overwritten by the next. */
class Groups {
  /** @param {number} size bytes after which a group ends @param {number} [most] rows */
  constructor(size, most = ROWS) {
    this.most = size
    this.rows = Math.min(most, ROWS)
    this.memory = new GrowingBytes(MEMORY) // most collections of a folder are small
    this.isAny = false
    this.begin()
  }

  begin() {
    this.memory.pos = 0
    /** Those of its only chunk, if that is large: they are not copied. @type {Uint8Array | null} */
    this.bytes = null
    this.count = 0
    /** @type {number[]} */
    this.ends = []
    /** @type {number[]} */
    this.places = []
    /** @type {string[]} */
    this.files = []
  }

  get size() {
    return this.bytes?.length ?? this.memory.pos
  }

  /** @param {Chunk} chunk @returns {Generator<Group, void>} those that are complete */
  *add(chunk) {
    if (chunk.count === 0) return
    if (this.count > 0 && (chunk.bytes.length > this.most || this.count + chunk.count > this.rows)) yield this.take()
    this.put(chunk)
    // at once: a large chunk is not copied, and the next one overwrites it
    if (this.size >= this.most) yield this.take()
  }

  /** @returns {Generator<Group, void>} what is left, and at least one group in all */
  *end() {
    if (this.count > 0 || !this.isAny) yield this.take()
  }

  /** @param {Chunk} chunk */
  put({ bytes, count, document, offset, places, file }) {
    if (this.files.at(-1) !== file) this.files.push(file)
    if (places === undefined) this.place(this.count, this.size, document + 1, offset)
    else this.placeEach(bytes, places)
    if (bytes.length > this.most && this.count === 0) this.bytes = bytes
    else this.memory.copy(bytes, 0, bytes.length)
    this.count += count
    this.ends.push(this.size)
  }

  placeEach(bytes, places) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let pos = 0, i = 0, end = -1; pos < bytes.length; i++) {
      const [document, offset] = [places[2 * i], places[2 * i + 1]]
      if (offset !== end) this.place(this.count + i, this.size + pos, document, offset)
      const size = view.getInt32(pos, true)
      pos += size
      end = offset + size
    }
  }

  place(index, start, document, offset) {
    this.places.push(index, start, this.files.length - 1, document, offset)
  }

  /** @returns {Group} */
  take() {
    const { bytes, count, ends, places, files } = this
    const group = { bytes: bytes ?? this.memory.bytes, count, ends, places: Float64Array.from(places), files }
    this.isAny = true
    this.begin()
    return group
  }
}

/** @param {Chunk[]} chunks @returns {Group} all of them */
function groupOf(chunks) {
  const own = new Groups(Infinity)
  for (const chunk of chunks) own.put(chunk)
  return own.take()
}

/** @returns {Generator<import('./read/runs').Run, void>} its chunks */
function* runsOf(group) {
  const { bytes, ends } = group
  const place = (number, offset) => placeIn(group, number - 1, offset)
  let start = 0
  for (const end of ends) {
    yield { bytes, start, end, base: 0, place }
    start = end
  }
}

/** @param {Group} group @param {number} index of a document @param {number} at offset in the group */
function placeIn({ places, files }, index, at) {
  let low = 0
  for (let high = places.length / WIDTH - 1; low < high; ) {
    const middle = (low + high + 1) >> 1
    if (places[WIDTH * middle] <= index) low = middle
    else high = middle - 1
  }
  const [first, start, file, document, offset] = places.subarray(WIDTH * low, WIDTH * (low + 1))
  return { document: document + index - first, offset: offset + at - start, file: files[file] }
}

/** @typedef {Omit<import('./read/report').Report, 'documents' | 'rejected'>} Lost */

/** The most fields that are named in a report; the others are counted together. */
const MAX_NAMED = 1000

/** Reports of groups, in their order, as one. */
class Reports {
  constructor() {
    /** @type {Map<string, import('./read/report').Note>} */
    this.mismatches = new Map()
    /** @type {Map<string, number>} */
    this.replaced = new Map()
    /** @type {Map<string, number>} */
    this.farDates = new Map()
    this.withoutItems = 0
  }

  add({ mismatches, replaced, farDates, withoutItems = 0 }) {
    for (const mismatch of mismatches) this.addMismatch(mismatch)
    for (const { path, count } of replaced) this.replaced.set(path, (this.replaced.get(path) ?? 0) + count)
    for (const { path, count } of farDates) this.farDates.set(path, (this.farDates.get(path) ?? 0) + count)
    this.withoutItems += withoutItems
  }

  addMismatch(mismatch) {
    const { path, type, column } = mismatch
    const key = JSON.stringify([path, column === null || type, column])
    const isFull = column === null && this.mismatches.size >= MAX_NAMED
    if (isFull && !this.mismatches.has(key) && path !== '\u2026') return this.addMismatch({ ...mismatch, path: '\u2026' })
    const known = this.mismatches.get(key)
    if (known === undefined) this.mismatches.set(key, { ...mismatch })
    else known.count += mismatch.count
  }

  get report() {
    const counted = counts => Array.from(counts, ([path, count]) => ({ path, count }))
    const { replaced, farDates, withoutItems } = this
    const mismatches = [...this.mismatches.values()]
    return { mismatches, replaced: counted(replaced), farDates: counted(farDates), withoutItems }
  }
}

module.exports = { Groups, groupOf, runsOf, Reports }
