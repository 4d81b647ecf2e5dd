'use strict'

// The kinds of root documents of a process that reads several. Documents whose first names are the same are of one
// kind, and have a key of their own, so that each kind may get a reader (learn.js).

const { endOfValue } = require('../elements')
const { rootKey } = require('./keys')
const { learning } = require('./learning')

/** @typedef {import('./keys').Key} Key */

/** Names that tell kinds apart: `_id` and the two after it. More would divide kinds by their optional fields. */
const NAMES = 3

/** The key of root documents whose kind is not known. */
const ROOT = rootKey()

/** By the hash of their first names. @type {Map<number, Key>} */
const kinds = new Map()

/** Whether a kind has got a reader: before, to tell kinds apart would cost the first 10,000 documents a tenth. */
let hasReaders = false

/** The key of the next document's kind, if that is taken for granted. @type {Key | null} */
let expected = null

/** The last kind, and the number of its documents in a row. */
let last = ROOT
let streak = 0

/**
 * @param {Uint8Array} buf
 * @param {number} pos of the first element of a root document
 * @param {number} end offset of its closing 0x00
 * @returns {Key} that of its kind, if it is known; a wrong one costs only time
 */
function rootKeyOf(buf, pos, end) {
  return expected ?? (hasReaders ? kindOf(buf, pos, end) : ROOT)
}

/** @returns {Key} */
function kindOf(buf, pos, end) {
  const key = kinds.get(firstNames(buf, pos, end))
  if (key === undefined) return ROOT
  streak = key === last ? streak + 1 : 0
  last = key
  if (streak > learning.streak) expected = key
  return key
}

/** A kind has got a reader. */
function useKinds() {
  hasReaders = true
}

/** Documents have not been of the kind that was expected. @returns {boolean} whether one was */
function endStreak() {
  const wasExpected = expected !== null
  expected = null
  streak = 0
  return wasExpected
}

/** The hash of the first names, as a small integer. */
function firstNames(buf, pos, end) {
  let hash = 0
  for (let i = 1; pos < end; i++) {
    const type = buf[pos++]
    for (let byte = buf[pos++]; byte > 0; byte = buf[pos++]) hash = (Math.imul(hash, 31) + byte) | 0
    hash = Math.imul(hash, 31)
    if (i === NAMES) break
    pos = endOfValue(type, buf, pos, end)
    if (pos === -1) break
  }
  return hash & 0x3fffffff
}

/** The key of the kind of a root document, which is added if it is new. @returns {Key} */
function addKind(buf, pos, end) {
  const hash = firstNames(buf, pos, end)
  const key = kinds.get(hash) ?? rootKey()
  key.hash = hash
  kinds.set(hash, key)
  return key
}

/** @param {Key} key @returns {boolean} whether it is that of root documents */
function isRoot(key) {
  return key === ROOT || (key.size === 0 && kinds.get(key.hash) === key)
}

module.exports = { ROOT, kinds, rootKeyOf, useKinds, endStreak, addKind, isRoot }
