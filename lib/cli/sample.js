'use strict'

// Keeps some documents while all are read: a random sample, the last ones, or the largest.

const { concat, copyOf, getInt32 } = require('../bytes')
const { Batch } = require('../batch')

/** Kept documents are worked on together up to this many bytes: one by one, small ones take many times as long. */
const GATHERED = 1 << 18

/**
 * @typedef {object} Kept
 * @property {string} file
 * @property {any} namespace
 * @property {string} from
 * @property {Uint8Array} bytes
 * @property {number} number among the candidates
 * @property {number} document its number in the file
 * @property {number} offset its offset in the file
 */

/**
 * Keeps documents.
 *
 * @typedef {object} Keeper
 * @property {(file: string, block: import('../batch').Batch, result: import('./documents').Result) => void} add
 * @property {() => Iterable<{file: string, block: import('../batch').Batch}>} blocks in their order
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
  let met = 0
  return keeper((document, number) => {
    const place = met < count ? met : Math.floor(random() * (met + 1))
    met++
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
  const kept = []
  return keeper((document, number, size) => {
    if (kept.length === count && !(size > kept.at(-1)?.bytes.length)) return
    kept.push(document(number))
    kept.sort((a, b) => b.bytes.length - a.bytes.length || a.number - b.number)
    kept.length = Math.min(count, kept.length)
  }, () => kept)
}

/**
 * @param {(document: (number: number) => Kept, number: number, size: number) => void} visit
 * @param {() => Kept[]} all
 */
function keeper(visit, all) {
  let number = 0
  return {
    /** @type {Keeper['add']} */
    add: (file, block, { output, places }) => {
      for (let pos = 0, index = 0; output !== null && pos < output.length; index++) {
        const start = pos
        pos += getInt32(output, start)
        const document = places?.[2 * index] ?? block.document + index + 1
        const offset = places?.[2 * index + 1] ?? block.offset + start
        const { namespace, from } = block
        const where = { file, namespace, from, document, offset }
        const end = pos
        visit(own => ({ ...where, bytes: copyOf(output, start, end), number: own }), number++, end - start)
      }
    },
    *blocks() {
      /** @type {Kept[]} */
      let group = []
      let size = 0
      for (const kept of all()) {
        if (group.length > 0 && (size >= GATHERED || !isBeside(group[0], kept))) {
          yield gathered(group)
          group = []
          size = 0
        }
        group.push(kept)
        size += kept.bytes.length
      }
      if (group.length > 0) yield gathered(group)
    }
  }
}

/** Whether both are of one collection of a file. @param {Kept} a @param {Kept} b */
function isBeside(a, b) {
  return a.file === b.file && a.namespace === b.namespace && a.from === b.from
}

/** @param {Kept[]} group */
function gathered(group) {
  const { file, namespace, from, document, offset } = group[0]
  const bytes = concat(group.map(kept => kept.bytes))
  const places = group.flatMap(kept => [kept.document, kept.offset])
  const origin = { namespace, from, document: document - 1, offset, count: group.length, places }
  return { file, block: new Batch(bytes, origin) }
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
