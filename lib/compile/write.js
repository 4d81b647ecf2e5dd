'use strict'

// Writes documents by a schema. Documents and arrays that match the schema are written by functions generated for each
// kind of them (codegen/write-source.js). Other values are written by the function of `encode`, and then the resulting
// type is checked. If that type is not allowed, the schema determines what the value becomes. Rules beyond types are
// checked on the value if that is fast, otherwise on the bytes written, so that getters and proxies cannot change the
// result.

const { ELEMENT, FIXED_SIZE } = require('../spec')
const { BSONError, atKey } = require('../errors')
const { getUtf8Lossy } = require('../bytes')
const codegen = require('../codegen')
const { Decimal128, dbRefDocument } = require('../types')
const {
  WRITING, OMIT, typeOf, isInt32, isDBRef, rawBytes, dbRefPlan, begin, enter, leave, prependPath, describeError,
  checkRoot, applyToBSON, checkLength, isPlainObject, putDocument, putElement, leaveOut, putName,
  putValue, closeDocument
} = require('../encode')
const { ElementCursor, locateInside } = require('../elements')
const { NUMBERS, Checker, isBetween, typesOf, expected, show, newNode, lengthOf, textOf } = require('../schema')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype

/** @typedef {import('../encode/output').Output} Output */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} Shape */
/** @typedef {import('../codegen/slots').Slot} Slot */
/** @typedef {import('../codegen/slots').Layout} Layout */
/** @typedef {import('../codegen/slots').ListLayout} ListLayout */

/** For places where any value is allowed, and where none is. */
const ANY = { ...newNode(-1, -1), plain: -1 }
const FORBIDDEN = newNode(-1, -1)

/** The types of numbers, as bits. */
const NUMERIC = NUMBERS.reduce((bits, type) => bits | (1 << type), 0)

/** @param {Node | boolean} node @returns {Node} */
function nodeOf(node) {
  return typeof node === 'object' ? node : node ? ANY : FORBIDDEN
}

class Writer {
  /** @param {import('./plan').Plan} plan @param {import('../schema/schema').Schema} schema */
  constructor(plan, schema) {
    this.plan = plan
    this.schema = schema
    /** @type {Slot | null} of the root, created with the first document */
    this.root = null
  }

  /** @returns {Slot} of the root */
  prepare() {
    const { root, layouts, listLayouts } = codegen.makeSlots(this.schema, nodeOf)
    for (const layout of layouts) {
      layout.writeAny = this.anyWriter(layout)
      layout.write = (out, doc, pos, check) => this.makeDocumentWriter(layout)(out, doc, pos, check)
    }
    for (const list of listLayouts) {
      list.write = (out, slot, array, pos, check) => this.makeListWriter(list)(out, slot, array, pos, check)
    }
    return root
  }

  /** Called with the first document of a shape. @param {Layout} layout @returns {Layout['write']} */
  makeDocumentWriter(layout) {
    const { checkKeys } = this.plan.encodePlan
    const isAllowed = name => !checkKeys || /^[^$.][^.]*$/.test(name)
    const { slots, rest } = layout
    const lines = codegen.documentWriter(layout, isAllowed)
    const made = codegen.compile({ ...PARTS, writer: this, layout, slots, rest }, codegen.textOf(lines))
    return (layout.write = /** @type {Layout['write']} */ (made) ?? layout.writeAny)
  }

  /** Called with the first array of a list. @param {ListLayout} list @returns {ListLayout['write']} */
  makeListWriter(list) {
    const { slots, rest } = list
    const isAlike = slots.length === 0 && rest.node !== FORBIDDEN
    const made = isAlike
      ? codegen.compile({ ...PARTS, writer: this, rest }, codegen.textOf(codegen.listWriter(list)))
      : undefined
    const interpreted = (out, slot, array, pos, check) => this.putList(out, slot, array, pos, check)
    return (list.write = /** @type {ListLayout['write']} */ (made) ?? interpreted)
  }

  /** Appends a whole document. @param {Output} out @returns {number} the offset after it */
  append(out, doc, pos, check) {
    begin(out, this.plan.encodePlan)
    try {
      const { node, layout } = (this.root ??= this.prepare())
      const isPlain = isPlainObject(doc)
      const own = isPlain ? doc : checkRoot(doc)
      const raw = isPlain ? undefined : rawBytes(own)
      if (raw !== undefined) return this.putRaw(out, raw, node, ELEMENT.DOCUMENT, pos)
      const end = layout.write(out, own, pos, check)
      if (check && node.isRuled) this.checkWritten(out, node, ELEMENT.DOCUMENT, pos, end)
      return end
    } catch (error) {
      throw describeError(error)
    }
  }

  /**
   * Writes any object or Map: int32 size | elements | 0x00. `source` identifies it for cycle detection.
   *
   * @param {Layout} layout @returns {Layout['writeAny']}
   */
  anyWriter(layout) {
    return (out, doc, pos, check, source = doc) => {
      let missing = layout.required
      const start = pos
      pos = putDocument(out, doc, pos, source, (out, name, value, pos) => {
        const slot = layout.slotOf(name)
        const end = this.putElement(out, slot, name, value, pos, check)
        if (end !== pos && slot.isRequired) missing--
        return end
      })
      if (missing > 0) throw missingField(out, layout.shape, start + 4, pos - 1)
      return pos
    }
  }

  /** Any array. @param {Slot} slot */
  putList(out, slot, array, pos, check) {
    const cycleCheckpoint = enter(out, array)
    checkLength(array)
    const { slots, rest } = slot.list
    const start = pos
    out.reserve(pos, 5)
    pos += 4
    let i = 0
    try {
      for (; i < array.length; i++) pos = this.putItem(out, i < slots.length ? slots[i] : rest, i, array[i], pos, check)
    } catch (error) {
      throw prependPath(error, array, i)
    }
    leave(out, cycleCheckpoint)
    return this.endList(out, slot, i, start, pos, check)
  }

  putItem(out, slot, i, item, pos, check) {
    if (slot.node === FORBIDDEN) throw new BSONError('this item is not in the schema (additionalItems: false)')
    const end = this.putElement(out, slot, i, item, pos, check)
    if (end === pos) throw new BSONError(`a ${typeof item} cannot be an item: it would be left out`)
    return end
  }

  /** Closes an array of `count` items. */
  endList(out, slot, count, start, pos, check) {
    const end = closeDocument(out, start, pos)
    const { node } = slot
    if (check && node.isRuled && !isCounted(slot, count)) this.checkWritten(out, node, ELEMENT.ARRAY, start, end)
    return end
  }

  /**
   * One element.
   *
   * @param {Output} out
   * @param {Slot} slot
   * @param {string | number} key
   * @returns {number} the offset after it, or `pos` if it is left out
   */
  putElement(out, slot, key, value, pos, check) {
    const { node, layout, list } = slot
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      if (typeof value.toBSON === 'function') return this.putAs(out, slot, key, applyToBSON(value), pos, check)
      if (layout !== null && getPrototypeOf(value) === objectPrototype && !Array.isArray(value)) {
        const start = putName(out, slot.documentType, key, pos)
        const end = layout.write(out, value, start, check)
        if (check && node.isRuled) this.checkWritten(out, node, ELEMENT.DOCUMENT, start, end)
        return end
      }
      if (list !== null && Array.isArray(value)) {
        return list.write(out, slot, value, putName(out, ELEMENT.ARRAY, key, pos), check)
      }
      if (!node.isFlat) return this.putAs(out, slot, key, value, pos, check)
    }
    const end = putElement(out, key, value, pos)
    if (end === pos) return pos
    const type = out.buf[pos]
    if ((slot.plain & (1 << type)) === 0) return this.putAs(out, slot, key, value, pos, check)
    if (check && node.isRuled) this.checkValue(out, slot, type, value, valueAt(out, pos, end), end)
    return end
  }

  /**
   * Writes a value as the type that the schema requires. Its `toBSON`, if any, has already been called.
   *
   * @param {Slot} slot
   */
  putAs(out, slot, key, value, pos, check) {
    const { node, layout, list } = slot
    const type = pickType(node === FORBIDDEN ? ANY : node, value, out.plan, typeof key === 'number')
    if (type === OMIT) return leaveOut(out, key, pos)
    if (node === FORBIDDEN) throw new BSONError('this field is not in the schema (additionalProperties: false)')
    const start = putName(out, type === ELEMENT.DOCUMENT ? slot.documentType : type, key, pos)
    const isDescribed = (type === ELEMENT.DOCUMENT && layout !== null) || (type === ELEMENT.ARRAY && list !== null)
    const end = isDescribed
      ? this.putContainer(out, slot, type, value, start, check)
      : putValue(out, type, convert(type, value), start)
    if (check) this.checkValue(out, slot, type, value, start, end)
    return end
  }

  putContainer(out, slot, type, value, pos, check) {
    const raw = rawBytes(value)
    if (raw !== undefined) return this.putRaw(out, raw, slot.node, type, pos)
    const { layout, list } = slot
    if (type === ELEMENT.ARRAY) return list.write(out, slot, value, pos, check)
    if (!isDBRef(value)) return layout.write(out, value, pos, check)
    const { plan } = out
    out.plan = dbRefPlan(plan)
    pos = layout.writeAny(out, dbRefDocument(value), pos, check, value)
    out.plan = plan
    return pos
  }

  /** A document or an array that is already encoded. */
  putRaw(out, raw, node, type, pos) {
    try {
      const checker = new Checker(this.schema, raw, this.plan.maxDepth, null, false, this.plan.utf8)
      checker.check(node, type, 0, 0, raw.length, out.depth)
    } catch (error) {
      throw locateInside(error, raw, 0, type === ELEMENT.ARRAY)
    }
    out.reserve(pos, raw.length).set(raw, pos)
    return pos + raw.length
  }

  /** Checks the rules of a string written from `start` to `end`. */
  checkText(out, { node, bounds }, value, start, end) {
    if (!isTextMet(bounds, value, end - start - 5)) this.checkWritten(out, node, ELEMENT.STRING, start, end)
  }

  /**
   * Checks the rules of any value. Numbers that are objects are compared with their bounds directly.
   *
   * @param {Slot} slot
   */
  checkValue(out, slot, type, value, start, end) {
    const { node, ruled, bounds } = slot
    if ((ruled & (1 << type)) === 0) return
    if (type === ELEMENT.STRING && typeof value === 'string') return this.checkText(out, slot, value, start, end)
    const isNumber = bounds !== null && (NUMERIC & (1 << type)) !== 0
    const isMet = isNumber && isBetween(type, out, start, bounds.least, bounds.most)
    if (!isMet) this.checkWritten(out, node, type, start, end)
  }

  /** Checks the rules of a written value, except its type, and those of its contents. @throws {BSONError} */
  checkWritten(out, node, type, value, end) {
    out.memo ??= new Checker(this.schema, out.buf, Infinity, null, true)
    out.memo.use(out.buf)
    try {
      out.memo.checkWritten(node, type, value, end)
    } catch (error) {
      error.offset = undefined // the caller does not have these bytes
      throw error
    }
  }
}

/**
 * Whether a text has a valid length and is one of the allowed strings. Characters are counted only if necessary: there
 * are at most as many as UTF-16 units, and at least half as many.
 *
 * @param {import('../schema/schema').Bounds | null} bounds
 */
function isTextMet(bounds, value, size) {
  if (bounds === null) return false
  const { shortest, longest, texts } = bounds
  const units = value.length
  const isClear = size === units || (units >= 2 * shortest && units <= longest)
  const length = isClear ? units : lengthOf(value)
  return length >= shortest && length <= longest && (texts === null || texts.has(value))
}

/**
 * Whether only the number of items of an array is restricted, and `count` is allowed.
 *
 * @param {Slot} slot
 * @param {number} count
 */
function isCounted({ isCountOnly, node: { list } }, count) {
  return isCountOnly && count >= list.least && count <= list.most
}

/** The offset of the value of the element from `pos` to `end`. */
function valueAt({ buf }, pos, end) {
  const fixed = FIXED_SIZE[buf[pos]]
  return fixed === -1 ? buf.indexOf(0, pos + 1) + 1 : end - fixed
}

/** Checks that all required fields are present, and closes the document. */
function endDocument(out, layout, start, pos, missing) {
  if (missing > 0) throw missingField(out, layout.shape, start + 4, pos)
  return closeDocument(out, start, pos)
}

/** What generated writers use. */
const PARTS = { ...WRITING, endDocument, putName }

/**
 * The error about a document from `pos` to `end` that lacks a required field.
 *
 * @param {Output} out @param {Shape} shape
 */
function missingField({ buf }, { fields }, pos, end) {
  const names = new Set()
  const cursor = new ElementCursor().open(buf, pos - 4, end)
  while (cursor.next()) names.add(getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd))
  const { name } = fields.find(field => field.isRequired && !names.has(field.name)) ?? fields[0]
  return missingError(name)
}

/** @param {string} name of a field that the schema requires */
function missingError(name) {
  return atKey(new BSONError('the field is missing'), name)
}

/** @param {Node} node @param {import('../encode/options').EncodePlan} plan @returns {number} element type, or OMIT */
function pickType(node, value, plan, isItem) {
  if (typeof value === 'number') return numberType(node, value)
  const isNull = value === undefined && (isItem || !plan.ignoreUndefined)
  const type = isNull ? ELEMENT.NULL : typeOf(value, plan.serializeFunctions)
  if (type === OMIT || node.isOpen || node.typeRules.has(type)) return type
  throw new BSONError(expected(node, type))
}

/**
 * The type that `encode` writes, if allowed, otherwise the first type in the schema's order that can hold the number.
 */
function numberType(node, number) {
  const natural = isInt32(number) ? ELEMENT.INT32 : ELEMENT.DOUBLE
  if (node.isOpen || node.typeRules.has(natural)) return natural
  for (const type of node.typeRules.keys()) {
    if (type === ELEMENT.DOUBLE || type === ELEMENT.DECIMAL128) return type
    if (type === ELEMENT.INT64 && isExactInt64(number)) return type
  }
  throw new BSONError(`expected ${typesOf(node)}, found the number ${Object.is(number, -0) ? '-0' : show(number)}`)
}

/** Integers up to 2^53. An int64 cannot represent -0. @param {number} number */
function isExactInt64(number) {
  return Number.isInteger(number) && Math.abs(number) <= 9007199254740992 && !Object.is(number, -0)
}

/** Converts a plain number where the schema requires long or decimal. */
function convert(type, value) {
  if (typeof value !== 'number') return value
  if (type === ELEMENT.INT64) return BigInt(value)
  return type === ELEMENT.DECIMAL128 ? Decimal128.fromString(Object.is(value, -0) ? '-0' : textOf(value)) : value
}

module.exports = { PARTS, Writer, missingError }
