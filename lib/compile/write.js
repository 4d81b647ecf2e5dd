'use strict'

// Documents -> bytes by a schema, without code made at run time: complete, and what compiled writers leave to. The
// levels are in a chain of frames.

const { ELEMENT } = require('../spec')
const { BSONError, prependPath } = require('../errors')
const { OMIT, isMap, entriesOf, isDBRef, rawBytes } = require('../encode/value-type')
const { putBigInt } = require('../encode/put')
const { dbRefDocument } = require('../types/db-ref')
const { dbRefPlan } = require('../encode/options')
const { enter, leave, cameThroughFrames, answerOf, checkLength, checkMapKey } = require('../encode/containers')
const { putName, putValue, closeDocument } = require('../encode/encode')
const { checkCount } = require('./read')
const { ANY, ITEM, OPTIONAL, REQUIRED, OPTIONAL_PLACE, REQUIRED_PLACE } = require('./slow')
const { pickType, convert } = require('./values')

/**
 * A document or array that is being written.
 *
 * @typedef {object} Frame
 * @property {any} doc
 * @property {(key: string | number) => any} get the value of a field or an item
 * @property {string[]} keys of a document, in the order in which they are written
 * @property {number} size keys or items
 * @property {number} next which of them comes next
 * @property {string | number} key of the element that is being written
 * @property {import('../schema/schema').Shape | null} shape of a document
 * @property {import('../schema/schema').List | null} list of an array
 * @property {boolean} isPositional whether it is written as an array
 * @property {Set<import('../schema/schema').Field>} present
 * @property {number} first index of the first value of a positional document
 * @property {number} start offset of the size
 * @property {number} bodyStart offset of the first element
 * @property {number} restStart where the document of the fields beyond the schema begins, in a positional one, or -1
 * @property {number} written fields and items that are there
 * @property {import('../encode/options').EncodePlan} plan of what is around it
 * @property {object | null} landmark for `leave`
 * @property {Frame | null} parent
 *
 * @typedef {object} Element
 * @property {string | number} name a number for an item, or a value without a name
 * @property {any} value
 * @property {import('./slow').How} how
 */

class Writer {
  /**
   * @param {import('./plan').Plan} plan
   * @param {bigint} fingerprint
   * @param {(raw: Uint8Array, form: import('../schema/schema').Form) => void} checkRaw throws when bytes are not as
   *   they should
   */
  constructor(plan, fingerprint, checkRaw) {
    this.plan = plan.encodePlan
    this.fingerprint = fingerprint
    this.checkRaw = checkRaw
  }

  /**
   * Begins a document of a shape.
   *
   * @param {import('../encode/output').Output} out
   * @param {import('../schema/schema').Shape} shape
   * @param {boolean} isPositional
   * @param {any} doc after its `toBSON`
   * @param {number} pos where to begin
   * @param {number} depth the root's being 1: of a positional one the fingerprint comes first
   * @returns {Frame} for `run`
   * @throws {BSONError} with the path
   */
  begin(out, shape, isPositional, doc, pos, depth) {
    out.depth = depth - 1
    const frame = openShape(out, shape, isPositional, doc, pos, null)
    if (isPositional && depth === 1) {
      frame.first = 1
      const start = putName(out, ELEMENT.INT64, 0, frame.bodyStart)
      frame.bodyStart = putBigInt(this.fingerprint, out.buf, start)
    }
    return frame
  }

  /** Begins an array. @returns {Frame} for `run` */
  beginList(out, list, array, pos, depth) {
    out.depth = depth - 1
    return openList(out, list, array, pos, null)
  }

  /**
   * One element.
   *
   * @param {import('../encode/output').Output} out
   * @param {import('../schema/schema').Node} node
   * @param {Element} element
   * @param {number} pos
   * @param {number} depth of the document that holds it
   * @param {boolean} check whether rules about values are checked
   * @returns {number} the offset after it
   * @throws {BSONError} whose path is the caller's to complete
   */
  writeElement(out, node, { name, value, how }, pos, depth, check) {
    out.depth = depth
    const inner = this.startElement(out, node, name, answerOf(value), pos, how, check, null)
    return typeof inner === 'number' ? inner : this.run(out, inner, check)
  }

  /**
   * Has eight parameters: with an object for node, name, value and how encoding without code takes 4 % longer.
   *
   * @returns {any} the offset after the element, or the frame of a document that was begun
   */
  startElement(out, node, name, value, pos, how, check, parent) {
    const type = pickType(node, value, out.plan, how.isItem)
    if (type === OMIT) {
      if (how.isRequired) throw new BSONError('the field is missing')
      // what is read by its place would be read by that of another
      if (how.isItem) throw new BSONError(`a ${typeof value} cannot be an item: it would be left out`)
      return how.isPositional ? putName(out, ELEMENT.UNDEFINED, name, pos) : pos
    }
    if (parent !== null) parent.written++
    const form = node.forms.get(type)
    if (form !== undefined && check) checkRules(form, type === ELEMENT.NULL ? null : value)
    const isDescribed = form !== undefined && (form.shape !== null || form.list !== null)
    if (!isDescribed) return putValue(out, type, convert(type, value), putName(out, type, name, pos))
    const start = putName(out, node.isPositional ? ELEMENT.ARRAY : type, name, pos)
    const raw = rawBytes(value)
    if (raw !== undefined) return this.writeRaw(out, form, raw, start)
    if (form.list !== null) return openList(out, form.list, value, start, parent)
    if (!isDBRef(value)) return openShape(out, form.shape, node.isPositional, value, start, parent)
    const frame = openShape(out, form.shape, node.isPositional, dbRefDocument(value), start, parent)
    out.plan = dbRefPlan(out.plan)
    return frame
  }

  /** A document that is bytes already. */
  writeRaw(out, form, raw, pos) {
    this.checkRaw(raw, form)
    out.reserve(pos, raw.length).set(raw, pos)
    return pos + raw.length
  }

  /**
   * @param {import('../encode/output').Output} out
   * @param {any} base the frame that was begun
   * @param {boolean} check whether rules about values are checked
   * @returns {number} the offset after its document
   * @throws {BSONError} with the path
   */
  run(out, base, check) {
    let frame = base
    let pos = base.bodyStart
    try {
      while (true) {
        if (frame.next < frame.size) {
          const inner = this.writeNext(out, frame, frame.next++, pos, check)
          pos = typeof inner === 'number' ? inner : inner.bodyStart
          if (typeof inner !== 'number') frame = inner
          continue
        }
        const ended = frame
        frame = frame.parent // what is wrong with a document is said of its place
        pos = close(out, ended, pos, check)
        if (ended === base) return pos
      }
    } catch (error) {
      throw cameThroughFrames(error, frame)
    }
  }

  /** The key or item number `i` of a frame; as `startElement`. */
  writeNext(out, frame, i, pos, check) {
    const { shape, list, isPositional } = frame
    frame.key = list === null ? frame.keys[i] : i
    if (isAbsent(frame, i)) return putName(out, ELEMENT.UNDEFINED, i + frame.first, pos)
    const value = answerOf(frame.get(frame.key))
    if (list !== null) {
      const node = list.prefix[i] ?? list.items
      if (node === false) throw new BSONError('this item is not allowed')
      return this.startElement(out, node === true ? ANY : node, i, value, pos, ITEM, check, frame)
    }
    const field = shape.byName.get(frame.key)
    if (field === undefined) return this.writeRest(out, frame, value, pos, check)
    const name = isPositional ? i + frame.first : field.name
    return this.startElement(out, field.node, name, value, pos, howOf(field, isPositional), check, frame)
  }

  /** A field beyond the schema. */
  writeRest(out, frame, value, pos, check) {
    const { shape, key } = frame
    if (pickType(ANY, value, out.plan, false) === OMIT) return pos
    if (shape.additional === false) throw new BSONError('this field is not allowed')
    if (frame.isPositional && frame.restStart === -1) {
      frame.restStart = putName(out, ELEMENT.DOCUMENT, shape.fields.length + frame.first, pos)
      pos = frame.restStart + 4
    }
    const node = shape.additional === true ? ANY : shape.additional
    return this.startElement(out, node, key, value, pos, OPTIONAL, check, frame)
  }
}

/** @param {import('../schema/schema').Field} field @param {boolean} isPositional */
function howOf({ isRequired }, isPositional) {
  if (isPositional) return isRequired ? REQUIRED_PLACE : OPTIONAL_PLACE
  return isRequired ? REQUIRED : OPTIONAL
}

/** @returns {Frame} of a document or an array that is entered @throws {BSONError} as `enter` */
function openFrame(out, doc, pos, parent) {
  const landmark = enter(out, doc)
  out.reserve(pos, 5)
  return {
    doc, get: key => doc[key], keys: [], size: 0, next: 0, key: '', shape: null, list: null, isPositional: false,
    present: new Set(), first: 0, start: pos, bodyStart: pos + 4, restStart: -1, written: 0,
    plan: out.plan, landmark, parent
  }
}

/** @returns {Frame} */
function openShape(out, shape, isPositional, doc, pos, parent) {
  const frame = openFrame(out, doc, pos, parent)
  const isEntries = isMap(doc)
  if (isEntries) frame.get = key => doc.get(key)
  const fields = []
  const rest = []
  for (const key of isEntries ? Array.from(entriesOf(doc), ([key]) => checkMapKey(key)) : Object.keys(doc)) {
    const field = shape.byName.get(key)
    if (field === undefined) rest.push(key)
    else fields.push(field)
  }
  fields.sort((a, b) => a.index - b.index)
  checkRequired(shape, fields)
  frame.shape = shape
  frame.isPositional = isPositional
  frame.present = new Set(fields)
  frame.keys = [...(isPositional ? shape.fields : fields).map(field => field.name), ...rest]
  frame.size = frame.keys.length
  return frame
}

/** @returns {Frame} */
function openList(out, list, array, pos, parent) {
  checkLength(array)
  const frame = openFrame(out, array, pos, parent)
  frame.list = list
  frame.size = array.length
  return frame
}

/** Whether the field has a place and the document has no such field. */
function isAbsent({ shape, isPositional, present }, i) {
  return isPositional && i < shape.fields.length && !present.has(shape.fields[i])
}

/** @throws {BSONError} */
function checkRequired(shape, fields) {
  let i = 0
  for (const field of shape.fields) {
    if (fields[i] === field) i++
    else if (field.isRequired) throw prependPath(new BSONError('the field is missing'), field.name)
  }
}

/** @throws {BSONError} */
function checkRules(form, value) {
  for (const rule of form.rules) if (!rule.test(value)) throw new BSONError(`expected ${rule.text}`)
}

/** Ends the document, or the two of a positional one that has fields beyond the schema. */
function close(out, frame, pos, check) {
  if (check && frame.shape !== null) checkCount(frame.written, frame.shape, 'fields')
  if (check && frame.list !== null) checkCount(frame.size, frame.list, 'items')
  leave(out, frame.landmark)
  out.plan = frame.plan
  if (frame.restStart !== -1) pos = closeDocument(out, frame.restStart, pos)
  return closeDocument(out, frame.start, pos)
}

module.exports = { Writer }
