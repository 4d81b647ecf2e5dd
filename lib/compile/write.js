'use strict'

// Documents -> bytes by a schema, by recursion: what a value becomes is said by the schema, and `encode`'s functions
// write it. What is allowed is checked in the bytes that have been written, whatever getters and proxies say later.

const { ELEMENT } = require('../spec')
const { BSONError, prependKey } = require('../errors')
const {
  OMIT, typeOf, isInt32, isMap, entriesOf, isDBRef, rawBytes, putBigInt, dbRefPlan, enter, leave, prependPath,
  applyToBSON, checkLength, checkMapKey, putName, putValue, closeDocument
} = require('../encode')
const { dbRefDocument, Decimal128 } = require('../types')
const { Checker, typesOf, expected, show } = require('../schema')

/** @typedef {import('../encode/output').Output} Output */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} Shape */

/**
 * Where to write, and how.
 *
 * @typedef {object} To
 * @property {Output} out
 * @property {boolean} check whether rules about values are checked
 */

/** What is known of the place of a value, as bits: it is an item, required, has a place when it is missing. */
const OPTIONAL = 0
const ITEM = 1
const REQUIRED = 2
const PLACE = 4

/** Bytes before the first value of a positional root: its size, and the fingerprint. */
const ROOT_HEAD = 15

/** Where everything is allowed. @type {Node} */
const ANY = { id: -1, number: -1, isOpen: true, forms: new Map(), rules: [], isPositional: false }

class Writer {
  /**
   * @param {import('./plan').Plan} plan
   * @param {import('../schema/schema').Schema} schema
   * @param {bigint | null} fingerprint of positional documents
   */
  constructor(plan, schema, fingerprint) {
    this.plan = plan
    this.schema = schema
    this.fingerprint = fingerprint
  }

  /**
   * A whole document.
   *
   * @param {To} to
   * @param {any} doc as `checkRoot` leaves it
   * @param {number} pos where to begin
   * @returns {number} the offset after it
   * @throws {BSONError} with the path
   */
  writeRoot(to, doc, pos) {
    const { root, shape } = this.schema
    const end = this.writeDocument(to, shape, this.fingerprint !== null, this.fingerprint, doc, pos)
    if (to.check) this.checkWritten(to.out, root, ELEMENT.DOCUMENT, pos, end)
    return end
  }

  /** @param {To} to @param {Shape} shape @param {bigint | null} fingerprint that comes first, of a root */
  writeDocument(to, shape, isPositional, fingerprint, doc, pos) {
    const { out } = to
    const cycleCheckpoint = enter(out, doc)
    const start = pos
    const first = fingerprint === null ? 0 : 1
    out.reserve(pos, 5)
    pos += 4
    let key = null
    try {
      if (fingerprint !== null) {
        pos = putName(out, ELEMENT.INT64, 0, pos)
        pos = putBigInt(fingerprint, out.buf, pos)
      }
      const fields = fieldsOf(doc)
      checkRequired(shape, fields.names)
      for (const { name, index, node, isRequired } of shape.fields) {
        key = name
        const isThere = fields.names.delete(name)
        if (!isThere && !isPositional) continue
        const how = (isRequired ? REQUIRED : OPTIONAL) | (isPositional ? PLACE : 0)
        const label = isPositional ? index + first : name
        if (isThere) pos = this.writeElement(to, node, label, fields.get(name), pos, how)
        else pos = putName(out, ELEMENT.UNDEFINED, label, pos)
      }
      key = null
      if (fields.names.size > 0) pos = this.writeRest(to, shape, isPositional ? first : -1, fields, pos)
    } catch (error) {
      throw prependPath(error, doc, key)
    }
    leave(out, cycleCheckpoint)
    return closeDocument(out, start, pos)
  }

  /** The fields beyond the schema; in a positional document they are in one of their own, which comes last. */
  writeRest(to, shape, first, { doc, names, get }, pos) {
    const { out } = to
    let start = -1
    for (const name of names) {
      try {
        const value = applyToBSON(get(name))
        if (pickType(ANY, value, out.plan, false) === OMIT) continue
        const node = nodeFor(shape, name)
        if (node === false) throw new BSONError('this field is not allowed')
        if (first !== -1 && start === -1) {
          start = putName(out, ELEMENT.DOCUMENT, shape.fields.length + first, pos)
          pos = start + 4
        }
        pos = this.putResolved(to, node === true ? ANY : node, name, value, pos, OPTIONAL)
      } catch (error) {
        throw prependPath(error, doc, name)
      }
    }
    return start === -1 ? pos : closeDocument(out, start, pos)
  }

  /** @param {To} to @param {import('../schema/schema').List} list */
  writeList(to, list, array, pos) {
    const { out } = to
    const cycleCheckpoint = enter(out, array)
    checkLength(array)
    const start = pos
    out.reserve(pos, 5)
    pos += 4
    let i = 0
    try {
      for (; i < array.length; i++) {
        const node = list.prefix[i] ?? list.items
        if (node === false) throw new BSONError('this item is not allowed')
        pos = this.writeElement(to, node === true ? ANY : node, i, array[i], pos, ITEM)
      }
    } catch (error) {
      throw prependPath(error, array, i)
    }
    leave(out, cycleCheckpoint)
    return closeDocument(out, start, pos)
  }

  /**
   * One element.
   *
   * @param {To} to
   * @param {Node} node
   * @param {string | number} name a number for an item, or a value without a name
   * @param {any} value
   * @param {number} pos
   * @param {number} how
   * @returns {number} the offset after it
   */
  writeElement(to, node, name, value, pos, how) {
    return this.putResolved(to, node, name, applyToBSON(value), pos, how)
  }

  /** The same of a value that has been asked for its `toBSON`. */
  putResolved(to, node, name, value, pos, how) {
    const { out } = to
    const type = pickType(node, value, out.plan, how === ITEM)
    if (type === OMIT) {
      if (how & REQUIRED) throw new BSONError('the field is missing')
      // what is read by its place would be read by that of another
      if (how & ITEM) throw new BSONError(`a ${typeof value} cannot be an item: it would be left out`)
      return how & PLACE ? putName(out, ELEMENT.UNDEFINED, name, pos) : pos
    }
    const form = node.forms.get(type)
    const isPositional = type === ELEMENT.DOCUMENT && node.isPositional
    const start = putName(out, isPositional ? ELEMENT.ARRAY : type, name, pos)
    const isDescribed = form !== undefined && (form.shape !== null || form.list !== null)
    const end = isDescribed
      ? this.writeContainer(to, node, form, value, start)
      : putValue(out, type, convert(type, value), start)
    if (to.check) this.checkWritten(out, node, type, start, end)
    return end
  }

  writeContainer(to, node, form, value, pos) {
    const { out } = to
    const raw = rawBytes(value)
    if (raw !== undefined) {
      this.checkRaw(raw, node, form.type, out.depth)
      out.reserve(pos, raw.length).set(raw, pos)
      return pos + raw.length
    }
    if (form.list !== null) return this.writeList(to, form.list, value, pos)
    if (!isDBRef(value)) return this.writeDocument(to, form.shape, node.isPositional, null, value, pos)
    const { plan } = out
    out.plan = dbRefPlan(plan)
    pos = this.writeDocument(to, form.shape, node.isPositional, null, dbRefDocument(value), pos)
    out.plan = plan
    return pos
  }

  /**
   * @param {Uint8Array} raw a document or an array
   * @param {Node} [node] what it should be, the whole document if nothing is said
   * @throws {BSONError} when it is something else
   */
  checkRaw(raw, node = this.schema.root, type = ELEMENT.DOCUMENT, depth = 0) {
    if (this.fingerprint !== null) throw new BSONError("raw documents cannot be written in the layout 'array'")
    new Checker(this.schema, raw, this.plan.maxDepth, null).check(node, type, 0, 0, raw.length, depth)
  }

  /** The rules of a value that has been written, types excepted, and those of what it holds. @throws {BSONError} */
  checkWritten(out, node, type, value, end) {
    const form = node.forms.get(type)
    const isRuled = node.rules.length > 0 || (form !== undefined && isFormRuled(form))
    if (!isRuled) return
    out.memo ??= new Checker(this.schema, out.buf, Infinity, null, true)
    out.memo.use(out.buf)
    const isPositional = type === ELEMENT.DOCUMENT && node.isPositional
    try {
      out.memo.checkWritten(node, type, !isPositional ? 0 : out.depth === 0 ? ROOT_HEAD : 4, value, end)
    } catch (error) {
      error.offset = undefined // there are no bytes that the caller knows
      throw error
    }
  }
}

/** @param {import('../schema/schema').Form} form */
function isFormRuled({ rules, shape, list }) {
  return rules.length > 0 || shape?.isRuled === true || list?.isRuled === true
}

/** What is written of a field that is not named. @param {Shape} shape @param {string} name */
function nodeFor({ patterns, additional }, name) {
  return patterns.find(({ pattern }) => pattern.test(name))?.node ?? additional
}

/** What a document or a Map holds: the names are asked for once. */
function fieldsOf(doc) {
  if (!isMap(doc)) return { doc, names: new Set(Object.keys(doc)), get: name => doc[name] }
  return { doc, names: new Set(Array.from(entriesOf(doc), ([name]) => checkMapKey(name))), get: name => doc.get(name) }
}

/** @param {Shape} shape @param {Set<string>} names @throws {BSONError} */
function checkRequired(shape, names) {
  for (const { name, isRequired } of shape.fields) {
    if (isRequired && !names.has(name)) throw prependKey(new BSONError('the field is missing'), name)
  }
}

/**
 * @param {Node} node
 * @param {any} value after its `toBSON`
 * @param {import('../encode/options').EncodePlan} plan
 * @param {boolean} isItem whether it is an item of an array
 * @returns {number} element type, or OMIT
 * @throws {BSONError} when the value has no type that is allowed here
 */
function pickType(node, value, plan, isItem) {
  if (typeof value === 'number') return numberType(node, value)
  const isNull = value === undefined && (isItem || !plan.ignoreUndefined)
  const type = isNull ? ELEMENT.NULL : typeOf(value, plan.serializeFunctions)
  if (type === OMIT || node.isOpen || node.forms.has(type)) return type
  throw new BSONError(expected(node, type))
}

/** What `encode` writes where that is allowed, else the first type in the schema's order that can hold the number. */
function numberType(node, number) {
  const natural = isInt32(number) ? ELEMENT.INT32 : ELEMENT.DOUBLE
  if (node.isOpen || node.forms.has(natural)) return natural
  for (const type of node.forms.keys()) {
    if (type === ELEMENT.DOUBLE || type === ELEMENT.DECIMAL128) return type
    if (type === ELEMENT.INT64 && isExactInt64(number)) return type
  }
  throw new BSONError(`expected ${typesOf(node)}, found the number ${Object.is(number, -0) ? '-0' : show(number)}`)
}

/** Integers up to 2^53; -0 has no int64. @param {number} number */
function isExactInt64(number) {
  return Number.isInteger(number) && Math.abs(number) <= 9007199254740992 && !Object.is(number, -0)
}

/** A plain number where the schema says long or decimal. */
function convert(type, value) {
  if (typeof value !== 'number') return value
  if (type === ELEMENT.INT64) return BigInt(value)
  return type === ELEMENT.DECIMAL128 ? Decimal128.fromString(Object.is(value, -0) ? '-0' : String(value)) : value
}

module.exports = { ROOT_HEAD, OPTIONAL, ITEM, REQUIRED, PLACE, ANY, Writer }
