'use strict'

// Bytes -> documents by a schema, without code made at run time: complete, and what compiled readers leave to. They
// hand over what they have read so far with the place where they stopped, so that nothing is read twice. The levels are
// in a chain of frames.

const { ELEMENT } = require('../spec')
const { setOwn } = require('../properties')
const { BSONError, errorAtOffset, joinPath } = require('../errors')
const { getUtf8, getUtf8Lossy } = require('../bytes/utf8')
const { scanName, scanElement, tooDeep } = require('../decode/scan')
const { decodeElementBy } = require('../decode/decode')
const { isDBRefKey, toDBRef } = require('../types/db-ref')
const { ANY } = require('./slow')
const { expected } = require('./values')

/**
 * @typedef {object} Frame
 * @property {import('../schema/schema').Shape | null} shape of a document
 * @property {import('../schema/schema').List | null} list of an array
 * @property {boolean} isPositional whether the document is written as an array
 * @property {any} value what is being filled
 * @property {number} index elements so far
 * @property {string | number} at the key of the element that is being read, where it is known
 * @property {number} start offset of the document's size
 * @property {number} pos of its first element
 * @property {number} end offset of its closing 0x00
 * @property {number} depth
 * @property {boolean} isDBRef whether it has a field of a DBRef
 * @property {boolean} isOther whether it has another field that begins with $
 * @property {boolean} isRest whether its fields belong to the document around it
 * @property {Frame | null} parent
 * @property {string | number} key in the parent
 *
 * @typedef {object} Element one that is read alone
 * @property {Uint8Array} buf
 * @property {number} pos
 * @property {number} value offset of its value
 * @property {number} next offset after it
 * @property {number} depth of the document that holds it
 * @property {boolean} check
 */

class Reader {
  /** @param {import('./plan').Plan} plan */
  constructor(plan) {
    this.plan = plan
  }

  /**
   * Of a document or an array of which nothing has been read.
   *
   * @param {{shape: Frame['shape'], list: Frame['list']}} form
   * @param {any} value what is to be filled
   * @param {number} start offset of its size
   * @param {number} end offset of the closing 0x00
   * @param {number} depth the root's being 1
   * @returns {Frame}
   * @throws {BSONError} when that is too deep
   */
  openFrame({ shape, list }, value, start, end, depth) {
    if (depth > this.plan.maxDepth) throw errorAtOffset(tooDeep(this.plan.maxDepth), start)
    return {
      shape, list, isPositional: false, value, index: 0, at: '', start, pos: start + 4, end, depth,
      isDBRef: false, isOther: false, isRest: false, parent: null, key: ''
    }
  }

  /** Of the element of another frame that is being read. */
  openInner(parent, form, start, end) {
    const frame = this.openFrame(form, form.list === null ? {} : [], start, end, parent.depth + 1)
    frame.parent = parent
    frame.key = parent.at
    return frame
  }

  /** Of the fields beyond the schema in a positional document, which become fields of the same object. */
  openRest(parent, start, end) {
    const frame = this.openFrame(parent, parent.value, start, end, parent.depth)
    frame.parent = parent
    frame.isRest = true
    return frame
  }

  /**
   * Reads from a frame's place to its end.
   *
   * @param {Frame} frame
   * @param {Uint8Array} buf
   * @param {boolean} check whether the schema's rules are checked
   * @returns {any}
   * @throws {BSONError} with the offset
   */
  run(frame, buf, check) {
    let pos = frame.pos
    try {
      while (true) {
        if (pos === frame.end) {
          frame.at = ''
          const value = close(frame, check)
          if (frame.parent === null) return value
          pos = frame.end + 1
          if (!frame.isRest) setIn(frame.parent, frame.key, value)
          frame = frame.parent
          continue
        }
        frame.at = keyAt(frame)
        const type = buf[pos]
        const nameEnd = scanName(buf, pos + 1, frame.end)
        const next = scanElement(type, buf, pos, nameEnd, frame.end)
        frame.pos = pos
        const { key, node } = this.placeOf(frame, buf, pos, nameEnd, check)
        frame.at = key
        frame.index++
        const inner = this.open(frame, type, node, nameEnd + 1, next, check)
        if (inner !== null) {
          frame = inner
          pos = frame.pos
          continue
        }
        const isMissing = frame.isPositional && type === ELEMENT.UNDEFINED
        if (!isMissing) {
          const form = node.forms.get(type)
          const value = this.readValue(form, buf, pos, next, frame.depth)
          if (check) checkRules(form, value, nameEnd + 1)
          setIn(frame, key, value)
        }
        pos = next
      }
    } catch (error) {
      throw placeError(error, frame)
    }
  }

  /** The key of the element that begins at `pos`, and what is allowed there. */
  placeOf(frame, buf, pos, nameEnd, check) {
    const { shape, list, isPositional, index } = frame
    if (list !== null) return { key: index, node: allowed(list.prefix[index] ?? list.items, 'item', pos, check) }
    if (isPositional) {
      if (index < shape.fields.length) return this.noteKey(frame, shape.fields[index].name, shape.fields[index].node)
      if (index === shape.fields.length && buf[pos] === ELEMENT.DOCUMENT) return { key: '', node: ANY }
      throw errorAtOffset(`more than the ${index} values of the schema`, pos)
    }
    const key = this.plan.utf8 ? getUtf8(buf, pos + 1, nameEnd) : getUtf8Lossy(buf, pos + 1, nameEnd)
    const field = shape.byName.get(key)
    const node = field === undefined ? allowed(shape.additional, 'field', pos, check) : field.node
    return this.noteKey(frame, key, node)
  }

  noteKey(frame, key, node) {
    if (key[0] === '$') noteDollar(frame, key)
    return { key, node }
  }

  /** The frame of a document that the schema describes, or null. */
  open(frame, type, node, value, next, check) {
    if (frame.isPositional && frame.index > frame.shape.fields.length) return this.openRest(frame, value, next - 1)
    const isPositional = type === ELEMENT.ARRAY && node.isPositional
    const form = node.forms.get(isPositional ? ELEMENT.DOCUMENT : type)
    if (form === undefined) {
      const isMissing = frame.isPositional && type === ELEMENT.UNDEFINED
      if (check && !node.isOpen && !isMissing) throw errorAtOffset(expected(node, type), frame.pos)
      return null
    }
    if (form.shape === null && form.list === null) return null
    const inner = this.openInner(frame, form, value, next - 1)
    inner.isPositional = isPositional
    return inner
  }

  /**
   * The value of one element.
   *
   * @param {import('../schema/schema').Node} node
   * @param {Element} element
   */
  readElement(node, { buf, pos, value, next, depth, check }) {
    const type = buf[pos]
    const place = this.openFrame(NOTHING, null, pos - 4, next, depth)
    const inner = this.open(place, type, node, value, next, check)
    if (inner !== null) {
      inner.parent = null
      return this.run(inner, buf, check)
    }
    const form = node.forms.get(type)
    const read = this.readValue(form, buf, pos, next, depth)
    if (check) checkRules(form, read, value)
    return read
  }

  /** A value that the schema says no more of than its type and its rules. */
  readValue(form, buf, pos, next, depth) {
    const plan = this.plan.plansAs.get(form === undefined ? null : form.as)
    return decodeElementBy(plan, buf, pos, next, depth)
  }
}

/** What an element stands in that is read alone. */
const NOTHING = { shape: null, list: null }

/** @param {boolean | import('../schema/schema').Node} node */
function allowed(node, what, pos, check) {
  if (node === false && check) throw errorAtOffset(`this ${what} is not allowed`, pos)
  return typeof node === 'boolean' ? ANY : node
}

/** @param {import('../schema/schema').Form | undefined} form @throws {BSONError} */
function checkRules(form, value, pos) {
  if (form === undefined) return
  for (const rule of form.rules) {
    if (!rule.test(value)) throw errorAtOffset(`expected ${rule.text}`, pos)
  }
}

function noteDollar(frame, key) {
  if (isDBRefKey(key)) frame.isDBRef = true
  else frame.isOther = true
}

function setIn({ list, value }, key, item) {
  if (list !== null) value.push(item)
  else setOwn(value, key, item)
}

/** @param {Frame} frame */
function close(frame, check) {
  const { shape, list, value, isPositional, isRest, parent } = frame
  if (isRest) {
    parent.isDBRef = parent.isDBRef || frame.isDBRef
    parent.isOther = parent.isOther || frame.isOther
    return value
  }
  if (list !== null) {
    if (check) checkCount(value.length, list, 'items', frame.start)
    return value
  }
  if (isPositional && frame.index < shape.fields.length) {
    throw errorAtOffset(`there are ${frame.index} values, the schema has ${shape.fields.length}`, frame.start)
  }
  if (check) checkShape(shape, value, frame.start)
  return frame.isDBRef && !frame.isOther ? toDBRef(value) : value
}

/** @throws {BSONError} */
function checkShape(shape, doc, offset) {
  for (const { name, isRequired } of shape.fields) {
    if (isRequired && !Object.hasOwn(doc, name)) throw errorAtOffset(`the field ${JSON.stringify(name)} is missing`, offset)
  }
  if (shape.least > 0 || shape.most < Infinity) checkCount(Object.keys(doc).length, shape, 'fields', offset)
}

/** @throws {BSONError} */
function checkCount(count, { least, most }, what, offset) {
  if (count >= least && count <= most) return
  const bound = count < least ? `at least ${least}` : `at most ${most}`
  throw Object.assign(new BSONError(`expected ${bound} ${what}, there are ${count}`), { offset })
}

/** In positional documents the bytes have no names: the path is that of the frames. @param {Frame | null} frame */
function placeError(error, frame) {
  if (!(error instanceof BSONError) || error.path !== undefined) return error
  let path = ''
  let isPositional = false
  let key = frame.at
  for (let at = frame; at !== null; at = at.parent) {
    if (key !== '') path = joinPath(key, path)
    isPositional = isPositional || at.isPositional
    key = at.key
  }
  if (isPositional) error.path = path
  return error
}

/** The key of the element that comes next, as far as it does not depend on its name. @returns {string | number} */
function keyAt({ list, shape, index, isPositional }) {
  if (list !== null) return index
  return isPositional ? shape.fields[index]?.name ?? '' : ''
}

module.exports = { Reader, checkCount }
