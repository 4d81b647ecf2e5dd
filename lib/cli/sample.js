'use strict'

// Keeps some documents while all are read: a random sample, the last ones, or the largest. Of a plain file it keeps
// where they are, and reads them again.

const { copyOf, getInt32 } = require('../bytes')
const { BSONError } = require('../errors')
const { Batch } = require('../batch')
const { PlainFiles } = require('../dump/files')
const { Heap } = require('./heap')

/** Kept documents are worked on together up to this many bytes: one by one, small ones take many times as long. */
const GATHERED = 1 << 18

/**
 * @typedef {object} Kept
 * @property {Origin} origin the same object for all documents of a block
 * @property {Uint8Array | null} bytes null if they are read again
 * @property {number} size bytes
 * @property {number} number among the candidates
 * @property {number} document its number in the file
 * @property {number} offset its offset in the file
 *
 * @typedef {object} Origin
 * @property {string} file
 * @property {any} namespace
 * @property {string} from
 * @property {string | null} again the plain file to read documents from again
 */

/**
 * Keeps documents.
 *
 * @typedef {object} Keeper
 * @property {(
 *   file: string, block: import('../batch').Batch, result: import('./documents').Result, again?: string | null
 * ) => void} add `again`: the plain file where the documents are
 * @property {() => Iterable<{file: string, block: import('../batch').Batch, error?: BSONError}>} blocks in their order;
 *   `error`: why documents could not be read again
 * @property {import('./documents').Plan['probe']} [probe]
 */

/**
 * Each set of N documents is as likely as any other (Vitter's algorithm R).
 *
 * @param {number} count
 * @param {number} seed
 * @returns {Keeper}
 */
function sampled(count, seed) {
  const random = randomOf(seed)
  const kept = []
  let seen = 0
  return keeper((document, number) => {
    const place = seen < count ? seen : Math.floor(random() * (seen + 1))
    seen++
    if (place < count) kept[place] = document(number)
  }, () => kept.sort((a, b) => a.number - b.number))
}

/** @param {number} count @returns {Keeper} */
function lastOf(count) {
  const kept = []
  return keeper((document, number) => {
    if (count > 0) kept[number % count] = document(number)
  }, () => kept.sort((a, b) => a.number - b.number))
}

/** @param {number} count @returns {Keeper} the largest documents, the very largest first */
function largestOf(count) {
  /** @type {Heap<Kept>} */
  const heap = new Heap((a, b) => b.size - a.size || a.number - b.number)
  return keeper((document, number, size) => {
    if (count === 0 || (heap.list.length === count && size <= heap.list[0].size)) return
    heap.add(document(number))
    if (heap.list.length > count) heap.takeLast()
  }, () => heap.list.sort(heap.compare))
}

/**
 * @param {(document: (number: number) => Kept, number: number, size: number) => void} visit
 * @param {() => Kept[]} all
 * @returns {Keeper}
 */
function keeper(visit, all) {
  let number = 0
  return {
    add: (file, block, { output, places }, again = null) => {
      const origin = { file, namespace: block.namespace, from: block.from, again }
      for (let pos = 0, index = 0; output !== null && pos < output.length; index++) {
        const start = pos
        const size = getInt32(output, start)
        const document = places?.[2 * index] ?? block.document + index + 1
        const offset = places?.[2 * index + 1] ?? block.offset + start
        pos += size
        const bytesOf = () => (again === null ? copyOf(output, start, start + size) : null)
        visit(own => ({ origin, bytes: bytesOf(), size, number: own, document, offset }), number++, size)
      }
    },
    blocks: () => gathered(all())
  }
}

/** @param {Kept[]} all in their order @returns {ReturnType<Keeper['blocks']>} */
function* gathered(all) {
  const files = new PlainFiles()
  try {
    for (const group of groupsOf(all)) yield together(group, files)
  } finally {
    files.close()
  }
}

/** Documents of one collection of a file that are worked on together. @param {Kept[]} all */
function* groupsOf(all) {
  /** @type {Kept[]} */
  let group = []
  let size = 0
  for (const kept of all) {
    if (group.length > 0 && (size >= GATHERED || !isBeside(group[0].origin, kept.origin))) {
      yield group
      group = []
      size = 0
    }
    group.push(kept)
    size += kept.size
  }
  if (group.length > 0) yield group
}

/** Whether both are of one collection of a file. @param {Origin} a @param {Origin} b */
function isBeside(a, b) {
  return a === b || (a.file === b.file && a.namespace === b.namespace && a.from === b.from)
}

/**
 * Puts kept documents together, and reads those that are not in memory.
 *
 * @param {Kept[]} group
 * @param {PlainFiles} files
 */
function together(group, files) {
  const [{ origin: { file, namespace, from, again }, document, offset }] = group
  const places = group.flatMap(kept => [kept.document, kept.offset])
  const origin = { namespace, from, document: document - 1, offset, count: group.length, places }
  const bytes = Buffer.allocUnsafeSlow(group.reduce((sum, { size }) => sum + size, 0))
  const isThere = again === null ? copyAll(bytes, group) : readAll(bytes, group, piece => files.read(again, ...piece))
  const error = isThere ? undefined : new BSONError('the file changed while it was read')
  return { file, block: new Batch(isThere ? bytes : bytes.subarray(0, 0), origin), error }
}

/** @param {Uint8Array} bytes @param {Kept[]} group */
function copyAll(bytes, group) {
  let pos = 0
  for (const kept of group) {
    bytes.set(kept.bytes, pos)
    pos += kept.size
  }
  return true
}

/**
 * @param {Uint8Array} bytes
 * @param {Kept[]} group
 * @param {(piece: [bytes: Uint8Array, offset: number]) => boolean} read fills bytes from an offset of the file
 * @returns {boolean} whether there are documents of these sizes
 */
function readAll(bytes, group, read) {
  let pos = 0
  for (let i = 0; i < group.length;) {
    const [start, { offset }] = [pos, group[i]]
    do pos += group[i++].size; while (i < group.length && group[i].offset === offset + pos - start) // neighbours
    if (!read([bytes.subarray(start, pos), offset])) return false
  }
  pos = 0
  return group.every(({ size }) => getInt32(bytes, (pos += size) - size) === size)
}

/** Numbers from 0 to 1, reproducible from a seed: sfc32. @param {number} seed */
function randomOf(seed) {
  let [a, b, c, d] = [seed | 0, Math.floor(seed / 4294967296) | 0, 0x9e3779b9 | 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum | 0
    return (sum >>> 0) / 4294967296
  }
  for (let i = 0; i < 12; i++) next()
  return next
}

module.exports = { sampled, lastOf, largestOf, keeper, randomOf }
