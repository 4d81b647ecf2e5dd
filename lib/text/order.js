'use strict'

// The fields that a decoded object would have, in its order: array indexes come first, a duplicate name keeps its first
// place and its last value, and a reference has the order of a DBRef. Most documents are in that order already, and
// checking that must cost next to nothing; the others are ordered before they are written.

const { ELEMENT } = require('../spec')
const { getInt32 } = require('../bytes')
const { ElementCursor, validateElements } = require('../elements')
const { getText } = require('../decode')
const { isDBRefKey } = require('../types')
const { OTHER, UNORDERED } = require('./write')
const { DOLLAR, ZERO } = require('./ascii')

/** Digits of the largest array index. */
const MAX_DIGITS = 10

/** In documents with up to this many fields, each name is compared with every other. */
const FEW = 5

/** Documents with up to this many fields use a table that is kept. */
const KEPT = 1 << 14

/** The rank of a name: an array index, `OTHER`, or `UNORDERED` where it does not follow `last`, at first -1. */
function rankOf(buf, name, end, last, mayBeDBRef) {
  if (buf[name] === DOLLAR) return mayBeDBRef && isRef(buf, name, end) ? UNORDERED : OTHER
  const index = indexOf(buf, name, end)
  if (index === -1) return OTHER
  return index > last && index < OTHER ? index : UNORDERED
}

/** Whether the name is `$ref`; the document may then become a DBRef. */
function isRef(buf, name, end) {
  return end - name === 4 && buf[name + 1] === 0x72 && buf[name + 2] === 0x65 && buf[name + 3] === 0x66
}

/** The array index that a name is, perhaps one that is too large; -1 for other names. */
function indexOf(buf, name, end) {
  const size = end - name
  if (size === 0 || size > MAX_DIGITS || (buf[name] === ZERO && size > 1)) return -1
  let index = 0
  for (let i = name; i < end; i++) {
    const digit = buf[i] - ZERO
    if (!(digit >= 0 && digit <= 9)) return -1
    index = index * 10 + digit
  }
  return index
}

/** Whether one of the names from `base` to `top` is a duplicate, or too many share a place in the table to find out. */
function hasDuplicateKeys(w, base, top) {
  const { hashes } = w
  const count = top - base
  if (count > FEW) return hasDuplicateKeysInTable(w, base, top)
  for (let i = base + 1; i < top; i++) {
    const hash = hashes[i]
    for (let k = base; k < i; k++) if (hashes[k] === hash && isSameName(w, k, i)) return true
  }
  return false
}

function hasDuplicateKeysInTable(w, base, top) {
  const { hashes } = w
  const count = top - base
  const table = tableFor(w, count)
  const shift = Math.clz32(table.length - 1)
  const { serial } = w // lower entries belong to other documents
  w.serial += count
  let steps = 4 * count
  for (let i = 0; i < count; i++) {
    const hash = hashes[base + i]
    // the upper bits of a product, on which every bit has an effect: ids in sequence differ in a few bits only
    let slot = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1) >>> shift
    for (let other = table[slot] - serial; other >= 0; other = table[slot] - serial) {
      if (steps-- === 0 || (hashes[base + other] === hash && isSameName(w, base + other, base + i))) return true
      slot = (slot + 1) & (table.length - 1)
    }
    table[slot] = serial + i
  }
  return false
}

/** A table with four places for each name. */
function tableFor(w, count) {
  if (w.serial + count > OTHER) {
    w.table.fill(0)
    w.serial = 1
  }
  if (4 * count <= w.table.length) return w.table
  const table = new Int32Array(2 ** Math.ceil(Math.log2(4 * count)))
  if (count <= KEPT) w.table = table
  return table
}

function isSameName({ buf, names }, one, other) {
  let a = names[one]
  let b = names[other]
  while (buf[a] === buf[b] && buf[a] !== 0) {
    a++
    b++
  }
  return buf[a] === buf[b]
}

/**
 * A document's fields in the order in which they are written.
 *
 * @typedef {object} Order
 * @property {Field[]} fields
 * @property {number} next index of the next field
 * @property {number} end offset of the 0x00 after them
 */

/** @typedef {{at: number, next: number}} Field where it lies */

/** The order of the document at `from`, which may be a DBRef if `kind` is 0. Validates the fields that are left out. */
function orderOf(w, from, kind, depth) {
  const { buf, plan } = w
  const end = from + getInt32(buf, from) - 1
  const how = { utf8: plan.utf8, utf8Except: null }
  const leaveOut = ({ at, next }) => validateElements(buf, at, next, how, plan.maxDepth, { depth })
  const fields = Object.create(null)
  const cursor = new ElementCursor().open(buf, from, end)
  while (cursor.next()) {
    const name = getText(buf, cursor.pos + 1, cursor.nameEnd, plan.utf8)
    if (fields[name] !== undefined) leaveOut(fields[name])
    fields[name] = { at: cursor.pos, next: cursor.end }
  }
  const list = kind === 0 && isDBRef(fields, buf) ? fieldsOfDBRef(fields) : Object.values(fields)
  return { fields: list.filter(({ at }) => buf[at] !== ELEMENT.UNDEFINED), next: 0, end }
}

/** Decides as decode does: see types/db-ref.js. @param {Record<string, Field>} fields @param {Uint8Array} buf */
function isDBRef(fields, buf) {
  const { $ref, $id, $db } = fields
  if ($ref === undefined || $id === undefined || !isString(buf[$ref.at])) return false
  if (buf[$id.at] === ELEMENT.UNDEFINED || buf[$id.at] === ELEMENT.NULL) return false
  if ($db !== undefined && !isString(buf[$db.at])) return false
  return Object.keys(fields).every(name => name[0] !== '$' || isDBRefKey(name))
}

function isString(type) {
  return type === ELEMENT.STRING || type === ELEMENT.SYMBOL
}

/** The fields as in DBRef.toJSON. @param {Record<string, Field>} fields */
function fieldsOfDBRef({ $ref, $id, $db, ...rest }) {
  return Object.values({ $ref, $id, ...rest, ...($db && { $db }) })
}

/** In a plan of text, to write fields in that order. */
const ordering = { rankOf, hasDuplicateKeys, orderOf }

module.exports = { ordering }
