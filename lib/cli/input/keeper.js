'use strict'

// Keeps some documents while all are read: a sample, the last ones, the largest, the first in an order. Of a plain file
// it keeps where they are, and reads them again.

const fs = require('node:fs')
const { allocate, concat, copyOf, getInt32 } = require('../../bytes')
const { BSONError } = require('../../errors')
const { Batch } = require('../../batch')
const { withFile } = require('../../dump/files')
const { CHANGED, QueryError, asUsage } = require('../terminal/messages')

/** Kept documents are worked on together up to this many bytes: one by one, small ones take many times as long. */
const GATHERED = 1 << 18

/** The most bytes of documents to sort, and those that each takes besides its own. */
const MAX_SIZE = 256 * 1024 * 1024
const OVERHEAD = 500

/**
 * @typedef {object} Kept
 * @property {{file: string, namespace: any, from: string, again: string | null}} origin the same object for all
 *   documents of a block; `again`: the plain file to read them from again
 * @property {Uint8Array | null} bytes null if they are read again
 * @property {number} size bytes
 * @property {number} number among the candidates
 * @property {any} rank the lowest are kept, of equal ones those that come first
 * @property {number} document its number in the file
 * @property {number} offset its offset in the file
 *
 * @typedef {object} Choice
 * @property {number} most documents
 * @property {(document: {number: number, buf: Uint8Array, start: number, end: number}) => any} rankOf
 * @property {(a: any, b: any) => number} [compare] ranks; default: they are numbers
 * @property {boolean} [isInBytes] whether ranks refer to the bytes of documents
 * @property {boolean} [isOrder] whether documents come out in the order of their ranks, not in that of the files
 * @property {number} [maxSize] bytes of all that are kept
 * @property {import('../tasks/documents').Probe} [probe] throws on a document without a rank
 */

/** @type {Record<string, (options: any) => Choice>} */
const CHOICES = {
  /** Each set of N documents is as likely as any other. */
  sample: ({ sample: most, seed }) => ({ most, rankOf: randomOf(seed) }),
  tail: ({ tail: most }) => ({ most, rankOf: ({ number }) => -number }),
  largest: ({ largest: most }) => ({ most, rankOf: ({ start, end }) => start - end, isOrder: true }),
  sort: ({ sort, skip = 0, limit = Infinity }) => {
    const { Sorter } = require('../../query')
    const sorter = asUsage(() => new Sorter(sort), '--sort: ')
    const rankOf = ({ buf, start, end }) => sorter.keysOf(buf, start, end - 1)
    const probe = (buf, start, end) => void sorter.keysOf(buf, start, end - 1)
    const compare = (a, b) => sorter.compare(a, b)
    return { most: skip + limit, rankOf, probe, compare, isOrder: true, isInBytes: true, maxSize: MAX_SIZE }
  }
}

/** @param {Record<string, any>} options @returns {Keeper | null} null if none asks for a choice @throws {UsageError} */
function keeperOf(options) {
  const name = Object.keys(CHOICES).find(each => options[each] !== undefined)
  return name === undefined ? null : new Keeper(CHOICES[name](options))
}

class Keeper {
  /** @param {Choice} choice */
  constructor({ most, rankOf, compare = (a, b) => a - b, isInBytes, isOrder, maxSize = Infinity, probe }) {
    this.most = most
    this.rankOf = rankOf
    this.isInBytes = isInBytes
    this.compare = (a, b) => compare(a.rank, b.rank) || a.number - b.number
    this.isOrder = isOrder
    this.maxSize = maxSize
    this.probe = probe
    /** How many documents there are when those with the highest ranks are dropped. */
    this.full = most + Math.floor(most / 4) + 16
    /** Those kept, and some more. @type {Kept[]} */
    this.list = []
    /** The one with the highest rank when some were dropped last. @type {Kept | undefined} */
    this.last = undefined
    this.size = 0
    this.number = 0
  }

  /** Keeps chosen documents: the output of a block's result. @param {string | null} [again] their plain file */
  add(file, block, { output: buf, places }, again = null) {
    if (buf === null || this.most === 0) return
    if (this.isInBytes) again = null
    const origin = { file, namespace: block.namespace, from: block.from, again }
    for (let start = 0, index = 0, end; start < buf.length; start = end, index++) {
      end = start + getInt32(buf, start)
      const number = this.number++
      const size = end - start
      let rank = this.rankOf({ number, buf, start, end })
      if (this.last !== undefined && this.compare({ rank, number }, this.last) > 0) continue
      const document = places?.[2 * index] ?? block.document + index + 1
      const offset = places?.[2 * index + 1] ?? block.offset + start
      const bytes = again === null ? copyOf(buf, start, end) : null
      if (this.isInBytes) rank = this.rankOf({ number, buf: bytes, start: 0, end: size })
      this.keep({ origin, bytes, size, number, rank, document, offset })
    }
  }

  /** @param {Kept} kept @throws {QueryError} when there are too many bytes */
  keep(kept) {
    this.list.push(kept)
    this.size += kept.size + OVERHEAD
    if (this.list.length >= this.full || this.size > 1.5 * this.maxSize) this.drop()
    if (this.size <= this.maxSize || this.list.length > this.most) return
    throw new QueryError(`--sort keeps more than ${MAX_SIZE} bytes of documents: choose fewer with --limit or --match`)
  }

  /** Drops those with the highest ranks. */
  drop() {
    this.list.sort(this.compare)
    for (const { size } of this.list.splice(this.most)) this.size -= size + OVERHEAD
    if (this.list.length === this.most) this.last = this.list.at(-1)
  }

  /** @returns {Generator<{file: string, read: () => Batch}>} documents of one collection of a file */
  *groups() {
    this.drop()
    if (!this.isOrder) this.list.sort((a, b) => a.number - b.number)
    const { list } = this
    for (let i = 0; i < list.length;) {
      const first = i
      const { file, namespace, from } = list[first].origin
      const isBeside = ({ origin }) => origin.file === file && origin.namespace === namespace && origin.from === from
      for (let size = 0; i < list.length && size < GATHERED && isBeside(list[i]); i++) size += list[i].size
      const group = list.slice(first, i)
      yield { file, read: () => together(group) }
    }
  }
}

/** Those that are not in memory are read again. @param {Kept[]} group @throws {BSONError} when they changed */
function together(group) {
  const [{ origin: { namespace, from, again }, document, offset }] = group
  const places = group.flatMap(kept => [kept.document, kept.offset])
  const isKept = again === null
  const bytes = isKept ? concat(group.map(kept => kept.bytes)) : withFile(again, handle => readAll(group, handle))
  return new Batch(bytes, { namespace, from, document: document - 1, offset, count: group.length, places })
}

/** @param {Kept[]} group @param {number} handle of a file @returns {Uint8Array} @throws {BSONError} when it changed */
function readAll(group, handle) {
  const bytes = allocate(group.reduce((sum, { size }) => sum + size, 0))
  let pos = 0
  for (let i = 0; i < group.length;) {
    const [start, { offset }] = [pos, group[i]]
    do pos += group[i++].size; while (i < group.length && group[i].offset === offset + pos - start) // neighbours
    if (fs.readSync(handle, bytes, start, pos - start, offset) < pos - start) throw new BSONError(CHANGED)
  }
  pos = 0
  if (group.every(({ size }) => getInt32(bytes, (pos += size) - size) === size)) return bytes
  throw new BSONError(CHANGED)
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

module.exports = { keeperOf, randomOf }
