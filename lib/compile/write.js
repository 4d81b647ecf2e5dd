'use strict'

// Documents -> bytes by a schema. A value is written by `encode`'s own function; then the type that it got is looked
// at, which says most often that all is well. Else the schema says what the value becomes. What it says beyond types is
// asked of the value where that is quick and else of the bytes that have been written, whatever getters and proxies
// say later.

const { ELEMENT } = require('../spec')
const { BSONError, prependKey } = require('../errors')
const { setDouble, getUtf8Lossy, putIndexName } = require('../bytes')
const { Decimal128, dbRefDocument } = require('../types')
const {
  OMIT, typeOf, isInt32, isMap, entriesOf, isDBRef, rawBytes, dbRefPlan, begin, enter, leave, prependPath,
  describeError, checkRoot, applyToBSON, isGone, checkLength, checkMapKey, putElement, putName, putValue, closeDocument
} = require('../encode')
const { scanName, scanElement } = require('../decode')
const { newNode, Checker, typesOf, expected, show } = require('../schema')
const { ITEM_ROOM, isMet, isCounted, plainType, putKey, putNumber, putText, valueAt, wordsOf } = require('./put')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype

/** @typedef {import('../encode/output').Output} Output */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} Shape */

class Writer {
  /**
   * @param {import('./plan').Plan} plan
   * @param {import('../schema/schema').Schema} schema
   * @param {boolean} isPositional whether names are left out afterwards
   */
  constructor(plan, schema, isPositional) {
    this.plan = plan
    this.schema = schema
    this.isPositional = isPositional
    // names that may not be allowed are left to `encode`
    const fields = plan.encodePlan.checkKeys ? [] : schema.shapes.flatMap(shape => shape.fields)
    for (const field of fields) field.words = wordsOf(field.name)
  }

  /**
   * Appends a whole document.
   *
   * @param {Output} out
   * @param {any} doc
   * @param {number} pos where to begin
   * @param {boolean} check whether rules about values are checked
   * @returns {number} the offset after it
   * @throws {BSONError} with the path
   */
  append(out, doc, pos, check) {
    begin(out, this.plan.encodePlan)
    try {
      const { root, shape } = this.schema
      const isPlain = typeof doc === 'object' && doc !== null && typeof doc.toBSON !== 'function' &&
        getPrototypeOf(doc) === objectPrototype && !Array.isArray(doc)
      const own = isPlain ? doc : checkRoot(doc)
      const raw = isPlain ? undefined : rawBytes(own)
      if (raw !== undefined) return this.putRaw(out, raw, root, ELEMENT.DOCUMENT, pos)
      const end = this.putDocument(out, shape, own, pos, check)
      if (check && root.isRuled) this.checkWritten(out, root, ELEMENT.DOCUMENT, pos, end)
      return end
    } catch (error) {
      throw describeError(error)
    }
  }

  /**
   * int32 size | elements | 0x00, of any object. It is long because there must be few functions for each level: so the
   * stack lasts for 1,500 of them.
   */
  // eslint-disable-next-line max-lines-per-function -- see above
  putDocument(out, shape, doc, pos, check) {
    if (!out.forIn || getPrototypeOf(doc) !== objectPrototype) return this.putOther(out, shape, doc, pos, check, doc)
    if (shape.fields.length === 0 && shape.patterns.length === 0) return this.putMap(out, shape, doc, pos, check)
    const cycleCheckpoint = enter(out, doc)
    const { fields } = shape
    const beyond = asNode(shape.additional)
    const start = pos
    let next = 0
    let missing = shape.required
    let isOrdered = true
    let key = ''
    if (pos + 5 > out.buf.length) out.grow(pos, 5)
    pos += 4
    try {
      for (const name in doc) {
        key = name
        const value = doc[name]
        if (value === undefined && isGone(doc, name, value)) continue
        let field = next < fields.length ? fields[next] : undefined
        if (field === undefined || field.name !== name) {
          field = shape.byName.get(name)
          if (field !== undefined && field.index < next) isOrdered = false
        }
        const node = field !== undefined ? field.node : shape.patterns.length > 0 ? nodeFor(shape, name) : beyond
        let end = pos
        if (field !== undefined && typeof value === 'number') end = putNumber(out, field, value, pos, check)
        else if (field !== undefined && typeof value === 'string') end = putText(out, field, value, pos, check)
        else if (node.isFlat) {
          end = putElement(out, name, value, pos)
          if (end === pos) continue
          const type = out.buf[pos]
          const isDone = ((1 << type) & node.plain) !== 0 && (!check || (node.ruled & (1 << type)) === 0)
          if (!isDone) end = pos
        }
        if (end === pos) end = this.putElement(out, node, name, value, pos, check)
        if (end === pos) continue
        pos = end
        next = field === undefined ? BEYOND : field.index + 1
        if (field !== undefined && field.isRequired) missing--
      }
    } catch (error) {
      throw prependPath(error, doc, key)
    }
    leave(out, cycleCheckpoint)
    if (missing > 0) throw missingField(out, shape, start + 4, pos)
    if (!isOrdered) arrange(out, shape, start + 4, pos)
    return closeDocument(out, start, pos)
  }

  /** The same, where no field has a name. As one function with that maps take 1.2 times as long. */
  putMap(out, shape, doc, pos, check) {
    const cycleCheckpoint = enter(out, doc)
    const node = asNode(shape.additional)
    const { isFlat, plain } = node
    const isQuick = isFlat && (!check || !node.isRuled)
    const start = pos
    let key = ''
    if (pos + 5 > out.buf.length) out.grow(pos, 5)
    pos += 4
    try {
      for (const name in doc) {
        key = name
        const value = doc[name]
        if (value === undefined && isGone(doc, name, value)) continue
        let end = pos
        if (isQuick) {
          end = putElement(out, name, value, pos)
          const isDone = end === pos || ((1 << out.buf[pos]) & plain) !== 0
          if (!isDone) end = this.putElement(out, node, name, value, pos, check)
        } else end = this.putElement(out, node, name, value, pos, check)
        pos = end
      }
    } catch (error) {
      throw prependPath(error, doc, key)
    }
    leave(out, cycleCheckpoint)
    return closeDocument(out, start, pos)
  }

  /** The same, of a Map or an instance of a class. `source` is what it is known by where it may be met again. */
  putOther(out, shape, doc, pos, check, source) {
    const cycleCheckpoint = enter(out, source)
    const isOther = isMap(doc)
    const start = pos
    let missing = shape.required
    /** @type {any} */
    let key = null
    out.reserve(pos, 5)
    pos += 4
    try {
      for (const entry of isOther ? entriesOf(doc) : Object.keys(doc)) {
        key = null // until it is known to be a string, it has no name in a path
        key = isOther ? checkMapKey(entry[0]) : entry
        const value = isOther ? entry[1] : doc[key]
        if (!isOther && isGone(doc, key, value)) continue
        const field = shape.byName.get(key)
        const node = field === undefined ? nodeFor(shape, key) : field.node
        const end = this.putElement(out, node, key, value, pos, check)
        if (end !== pos && field !== undefined && field.isRequired) missing--
        pos = end
      }
    } catch (error) {
      throw prependPath(error, source, key)
    }
    leave(out, cycleCheckpoint)
    if (missing > 0) throw missingField(out, shape, start + 4, pos)
    arrange(out, shape, start + 4, pos)
    return closeDocument(out, start, pos)
  }

  /** The same, with the indexes as names. @param {Node} node */
  putList(out, node, array, pos, check) {
    const { list } = node
    const cycleCheckpoint = enter(out, array)
    checkLength(array)
    const items = asNode(list.items)
    const start = pos
    out.reserve(pos, 5)
    pos += 4
    let i = 0
    try {
      for (; i < array.length; i++) {
        const inner = i < list.prefix.length ? list.prefix[i] : items
        if (inner === FORBIDDEN) throw new BSONError('this item is not allowed')
        const item = array[i]
        let end = pos
        const type = typeof item === 'number' ? plainType(inner, item, check) : OMIT
        if (type !== OMIT) {
          // in line, where V8 does not make an object of a double: see putArray() in encode.js
          if (pos + ITEM_ROOM > out.buf.length) out.grow(pos, ITEM_ROOM)
          end = putIndexName(type, i, out.view, pos) + (type === ELEMENT.DOUBLE ? 8 : 4)
          if (type === ELEMENT.DOUBLE) setDouble(out.view, end - 8, item)
          else out.view.setInt32(end - 4, item, true)
        }
        if (end === pos) end = this.putElement(out, inner, i, item, pos, check)
        if (end === pos) throw new BSONError(`a ${typeof item} cannot be an item: it would be left out`)
        pos = end
      }
    } catch (error) {
      throw prependPath(error, array, i)
    }
    leave(out, cycleCheckpoint)
    const end = closeDocument(out, start, pos)
    if (check && !isCounted(node, i)) this.checkWritten(out, node, ELEMENT.ARRAY, start, end)
    return end
  }

  /**
   * One element.
   *
   * @param {Output} out
   * @param {Node} node
   * @param {string | number} name a number in arrays
   * @param {any} value
   * @param {number} pos
   * @param {boolean} check
   * @returns {number} the offset after it, `pos` when it is left out
   */
  putElement(out, node, name, value, pos, check) {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      if (typeof value.toBSON === 'function') return this.putAs(out, node, name, applyToBSON(value), pos, check)
      const { shape, list } = node
      if (shape !== null && getPrototypeOf(value) === objectPrototype && !Array.isArray(value)) {
        const start = putKey(out, ELEMENT.DOCUMENT, name, pos)
        const end = this.putDocument(out, shape, value, start, check)
        if (check && node.isRuled) this.checkWritten(out, node, ELEMENT.DOCUMENT, start, end)
        return end
      }
      if (list !== null && Array.isArray(value)) {
        return this.putList(out, node, value, putKey(out, ELEMENT.ARRAY, name, pos), check)
      }
      if (!node.isFlat) return this.putAs(out, node, name, value, pos, check)
    }
    const end = putElement(out, name, value, pos)
    if (end === pos) return pos
    const type = out.buf[pos]
    if (((1 << type) & node.plain) === 0) return this.putAs(out, node, name, value, pos, check)
    if (!check || isMet(node, type, value)) return end
    this.checkWritten(out, node, type, valueAt(out, pos, end), end)
    return end
  }

  /** A value, not asked for a `toBSON`, as the type that the schema says. */
  putAs(out, node, name, value, pos, check) {
    const type = pickType(node === FORBIDDEN ? ANY : node, value, out.plan, typeof name === 'number')
    if (type === OMIT) return pos
    if (node === FORBIDDEN) throw new BSONError('this field is not allowed')
    const { shape = null, list = null } = node.forms.get(type) ?? {}
    const start = putName(out, type, name, pos)
    const end = shape === null && list === null
      ? putValue(out, type, convert(type, value), start)
      : this.putContainer(out, node, type, value, start, check)
    if (check) this.checkWritten(out, node, type, start, end)
    return end
  }

  putContainer(out, node, type, value, pos, check) {
    const raw = rawBytes(value)
    if (raw !== undefined) return this.putRaw(out, raw, node, type, pos)
    const { shape, list } = node.forms.get(type)
    if (list !== null) return this.putList(out, node, value, pos, check)
    if (!isDBRef(value)) return this.putDocument(out, shape, value, pos, check)
    const { plan } = out
    out.plan = dbRefPlan(plan)
    pos = this.putOther(out, shape, dbRefDocument(value), pos, check, value)
    out.plan = plan
    return pos
  }

  /** A document or an array that is bytes already. */
  putRaw(out, raw, node, type, pos) {
    if (this.isPositional) throw new BSONError("raw documents cannot be written in the layout 'array'")
    new Checker(this.schema, raw, this.plan.maxDepth, null).check(node, type, 0, 0, raw.length, out.depth)
    out.reserve(pos, raw.length).set(raw, pos)
    return pos + raw.length
  }

  /** The rules of a value that has been written, types excepted, and those of what it holds. @throws {BSONError} */
  checkWritten(out, node, type, value, end) {
    if (!node.isRuled) return
    out.memo ??= new Checker(this.schema, out.buf, Infinity, null, true)
    out.memo.use(out.buf)
    try {
      out.memo.checkWritten(node, type, value, end)
    } catch (error) {
      error.offset = undefined // there are no bytes that the caller knows
      throw error
    }
  }
}

/** Behind the fields that the schema names: others come there. */
const BEYOND = 2 ** 30

/** Where anything may stand. */
const ANY = { ...newNode(-1, -1), plain: -1 }

/** Where nothing may. */
const FORBIDDEN = newNode(-1, -1)

/** @param {Node | boolean} node @returns {Node} */
function asNode(node) {
  return typeof node === 'object' ? node : node ? ANY : FORBIDDEN
}

/** What is written of a field that is not named. @param {Shape} shape @param {string} name */
function nodeFor({ patterns, additional }, name) {
  return asNode(patterns.find(({ pattern }) => pattern.test(name))?.node ?? additional)
}

/**
 * The error about a document from `pos` to `end` in which a required field is not.
 *
 * @param {Output} out
 * @param {Shape} shape
 */
function missingField({ buf }, { fields }, pos, end) {
  const names = new Set(elementsIn(buf, pos, end).map(({ name }) => name))
  const { name } = fields.find(field => field.isRequired && !names.has(field.name)) ?? fields[0]
  return prependKey(new BSONError('the field is missing'), name)
}

/**
 * Puts the elements from `pos` to `end` into the schema's order; others come last, in theirs.
 *
 * @param {Output} out
 * @param {Shape} shape
 */
function arrange({ buf }, { byName, fields }, pos, end) {
  const elements = elementsIn(buf, pos, end)
  const places = new Map(elements.map(element => [element, byName.get(element.name)?.index ?? fields.length]))
  for (const { bytes } of elements.sort((a, b) => places.get(a) - places.get(b))) {
    buf.set(bytes, pos)
    pos += bytes.length
  }
}

function elementsIn(buf, pos, end) {
  const elements = []
  while (pos < end) {
    const nameEnd = scanName(buf, pos + 1, end)
    const next = scanElement(buf[pos], buf, pos, nameEnd, end)
    elements.push({ name: getUtf8Lossy(buf, pos + 1, nameEnd), bytes: Uint8Array.prototype.slice.call(buf, pos, next) })
    pos = next
  }
  return elements
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

module.exports = { Writer }
