'use strict'

// BSON bytes -> JSON text as bytes, in one loop. It makes no values, and strings only for rare types. Levels are kept
// in a list of integers, so that deep nesting cannot overflow the stack.

const { FIXED_SIZE } = require('../spec')
const { scanElement, innerDocument } = require('../elements')
const { BROKEN, needsEscapeMask, wordAt, putText, putName } = require('./strings')
const { putIdDigits, putInt } = require('./digits')
const { putDoubleAt } = require('./doubles')
const { putTimeAt } = require('./iso-time')
const { QUOTE, COMMA, NINE, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT } = require('./ascii')

/** The kinds of a level: the fields of a document, the fields of a scope, the items of an array. */
const FIELDS = 0
const SCOPE = 1
const ITEMS = 2

/** In an `arms` table: the type is written by the plan's form. */
const FORM = 0

/** Integers per level in the list of open levels. */
const FRAME = 6

/** The rank of a name that is no array index, and of one that is not, or may not be, in order: see order.js. */
const OTHER = 0x7fffffff
const UNORDERED = -2

/** Room in bytes beyond the number of bytes left to read: a mark, the quotes of a name and a number take less. */
const SLACK = 512

/** Little-endian words. */
const TRUE = 0x65757274
const FALS = 0x736c6166
const NULL = 0x6c6c756e
const E = 0x65

/**
 * The resolved options.
 *
 * @typedef {object} TextPlan
 * @property {Uint8Array} arms by element type: itself where putDocument() has an arm for it, or `FORM`
 * @property {Record<number, Form>} forms by element type, for types that have no arm; for code with scope, the form
 *   writes the part before the scope
 * @property {typeof import('./order').ordering | null} ordering to write the fields that a decoded object would have,
 *   in its order; null to write all as they come. Not required here, so that bundles without `qbson/json` lack it
 * @property {boolean} utf8 whether text that is not UTF-8 is an error; otherwise it becomes U+FFFD
 * @property {boolean} isValidated whether each document is validated first, because only some of its text must be UTF-8
 * @property {number} maxDepth
 */

/**
 * Writes a value that lies from `start` to `next` in `w.buf`.
 *
 * @typedef {(w: import('./writer').Writer, start: number, next: number, pos: number) => number} Form
 */

/**
 * Writes the document from `root` to `next` in `w.buf`, whose size and last byte have been checked. Returns the offset
 * after the text. An error says only that the bytes are wrong or that memory is exhausted.
 *
 * @param {import('./writer').Writer} w
 */
function putDocument(w, root, next, pos) {
  const { buf, view, plan, out: output } = w
  const { arms, ordering, maxDepth } = plan
  let { stack, hashes, names } = w
  const lastWord = next - 4
  const ordersFirst = w.isAgain || (ordering !== null && !plan.utf8) // invalid names may become equal
  let budget = next - root
  const first = pos
  let begin = pos
  let from = root
  let p = root + 4
  let end = next - 1
  let kind = FIELDS
  let mark = OPEN_DOCUMENT
  let depth = 1
  let base = 0
  let top = 0
  let last = -1
  /** @type {import('./order').Order | null} */
  let order = null
  let ordered = 0
  if (maxDepth < 1) throw BROKEN
  if (ordersFirst) {
    last = UNORDERED
    p = end
  }
  while (true) {
    if (pos + (next - p) + SLACK > output.size) output.grow(pos, next - p + SLACK)
    let { buf: out, view: outView } = output
    if (p >= end) {
      if (p > end) throw BROKEN
      const mayDiffer = ordering !== null && order === null && kind !== ITEMS
      if (mayDiffer && (last === UNORDERED || (top - base > 1 && ordering.hasDuplicateKeys(w, base, top)))) {
        if (!ordersFirst) budget -= end - from
        // limits what is written twice to the size of the document
        if (budget < 0) return w.putOrdered(root, next, first)
        pos = begin
        order = ordering.orderOf(w, from, kind, depth)
        ordered++
        mark = OPEN_DOCUMENT
        top = base
        p = end
      }
      if (order !== null) {
        const field = order.fields[order.next++]
        if (field !== undefined) {
          p = field.at
          end = field.next
          continue
        }
        p = order.end
        ordered--
        order = null
      }
      if (mark !== COMMA) out[pos++] = mark
      out[pos++] = kind === ITEMS ? CLOSE_ARRAY : CLOSE_DOCUMENT
      if (kind === SCOPE) out[pos++] = CLOSE_DOCUMENT
      if (--depth === 0) return pos
      p++
      top = base
      const frame = depth * FRAME
      end = stack[frame]
      kind = stack[frame + 1]
      base = stack[frame + 2]
      begin = stack[frame + 3]
      from = stack[frame + 4]
      last = stack[frame + 5]
      if (ordered > 0) order = w.orders[depth] ?? null
      mark = COMMA
      continue
    }
    const at = p
    const before = pos
    const beforeMark = mark
    const type = buf[p++]
    out[pos++] = mark
    mark = COMMA
    if (kind === ITEMS) {
      while (buf[p++] > 0);
    } else {
      const name = p
      let hash = 0
      out[pos++] = QUOTE
      let odd
      do {
        const word = p < lastWord ? view.getInt32(p, true) : wordAt(buf, p, next)
        odd = needsEscapeMask(word)
        // stores four bytes; those after the name are overwritten later
        outView.setInt32(pos, word, true)
        const size = odd === 0 ? 4 : (31 - Math.clz32(odd & -odd)) >> 3
        hash = Math.imul(hash ^ (size === 4 ? word : word & ((1 << (8 * size)) - 1)), 0x9e3779b1)
        p += size
        pos += size
      } while (odd === 0)
      if (buf[p] !== 0) {
        pos = putName(w, p, end, pos, hash)
        p = w.pos
        hash = w.hash
        out = output.buf
        outView = output.view
      }
      out[pos] = QUOTE
      out[pos + 1] = COLON
      pos += 2
      if (ordering !== null && order === null) {
        last = buf[name] > NINE ? OTHER : ordering.rankOf(buf, name, p, last, kind === FIELDS)
        if (last === UNORDERED) {
          p = end
          continue
        }
        if (top === hashes.length) {
          w.growNames()
          hashes = w.hashes
          names = w.names
        }
        hashes[top] = hash
        names[top++] = name
      }
      p++
    }
    if (p > end) throw BROKEN
    let inner = -1
    switch (arms[type]) { // numbers, as in decode/read.js
      case 0x01: // DOUBLE
        if (p + 8 > end) throw BROKEN
        pos = putDoubleAt(view, p, outView, pos)
        p += 8
        if (kind === ITEMS && buf[p] === 0x01) {
          pos = putRun(w, 0x01, p, end, pos)
          p = w.pos
        }
        break
      case 0x02: { // STRING
        const start = p + 4
        p = start < end ? start + view.getInt32(p, true) : 0
        if (p <= start || p > end || buf[p - 1] !== 0) throw BROKEN
        pos = putText(w, start, p - 1, pos)
        break
      }
      case 0x0f: { // CODE_WITH_SCOPE
        scanElement(type, buf, at, p - 1, end)
        inner = innerDocument(type, buf, p)
        pos = plan.forms[type](w, p, inner, pos)
        break
      }
      case 0x03: // DOCUMENT
      case 0x04: // ARRAY
        inner = p
        break
      case 0x06: // UNDEFINED
        if (kind === ITEMS) {
          outView.setInt32(pos, NULL, true)
          pos += 4
        } else {
          pos = before
          mark = beforeMark
        }
        break
      case 0x07: // OBJECT_ID
        if (p + 12 > end) throw BROKEN
        outView.setUint8(pos, QUOTE)
        pos = putIdDigits(buf, p, outView, pos + 1)
        outView.setUint8(pos++, QUOTE)
        p += 12
        break
      case 0x08: // BOOLEAN
        if (p >= end || buf[p] > 1) throw BROKEN
        if (buf[p++] === 1) {
          outView.setInt32(pos, TRUE, true)
          pos += 4
        } else {
          outView.setInt32(pos, FALS, true)
          outView.setUint8(pos + 4, E)
          pos += 5
        }
        break
      case 0x09: // DATETIME
        if (p + 8 > end) throw BROKEN
        pos = putTimeAt(view, p, outView, pos)
        p += 8
        break
      case 0x0a: // NULL
        outView.setInt32(pos, NULL, true)
        pos += 4
        break
      case 0x10: // INT32
        if (p + 4 > end) throw BROKEN
        pos = putInt(view.getInt32(p, true), outView, pos)
        p += 4
        if (kind === ITEMS && buf[p] === 0x10) {
          pos = putRun(w, 0x10, p, end, pos)
          p = w.pos
        }
        break
      case 0x12: { // INT64
        if (p + 8 > end) throw BROKEN
        const low = view.getInt32(p, true)
        const isInt32 = view.getInt32(p + 4, true) === low >> 31
        pos = isInt32 ? putInt(low, outView, pos) : plan.forms[type](w, p, p + 8, pos)
        p += 8
        break
      }
      default: {
        const start = p
        const size = FIXED_SIZE[type]
        p = size > 0 ? p + size : scanElement(type, buf, at, p - 1, end)
        if (p > end) throw BROKEN
        pos = plan.forms[type](w, start, p, pos)
      }
    }
    if (inner === -1) continue
    const after = inner + 4 < end ? inner + view.getInt32(inner, true) : 0
    if (after < inner + 5 || after > end || buf[after - 1] !== 0 || depth >= maxDepth) throw BROKEN
    const frame = depth * FRAME
    if (frame + FRAME > stack.length) stack = w.growStack()
    stack[frame] = end
    stack[frame + 1] = kind
    stack[frame + 2] = base
    stack[frame + 3] = begin
    stack[frame + 4] = from
    stack[frame + 5] = last
    if (ordered > 0) {
      w.orders[depth] = order
      order = null
    }
    depth++
    begin = pos
    from = inner
    p = inner + 4
    end = after - 1
    base = top
    last = -1
    kind = type === 0x04 ? ITEMS : type === 0x03 ? FIELDS : SCOPE
    mark = kind === ITEMS ? OPEN_ARRAY : OPEN_DOCUMENT
    if (ordersFirst && kind !== ITEMS) {
      last = UNORDERED
      p = end
    }
  }
}

/**
 * Writes consecutive items of an array that are doubles or int32s. In the loop above, half of an item's time goes to
 * other things than the number. Sets `w.pos` to the offset after the last.
 */
function putRun(w, type, p, end, pos) {
  const { buf, view, out: { view: text, size } } = w
  const width = FIXED_SIZE[type]
  while (buf[p] === type && pos + SLACK <= size) {
    let start = p + 1
    while (buf[start++] > 0);
    const next = start + width
    if (next > end) break // the loop above then throws
    text.setUint8(pos, COMMA)
    pos = type === 0x10 ? putInt(view.getInt32(start, true), text, pos + 1) : putDoubleAt(view, start, text, pos + 1)
    p = next
  }
  w.pos = p
  return pos
}

module.exports = { FORM, OTHER, UNORDERED, SLACK, putDocument }
