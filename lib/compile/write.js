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
const { dbRefDocument } = require('../types')
const {
  WRITING, OMIT, typeOf, isInt32, isDBRef, rawBytes, dbRefPlan, begin, enter, leave, prependPath, describeError,
  checkRoot, applyToBSON, checkLength, isPlainObject, putDocument, putElement, leaveOut, putName,
  putValue, closeDocument
} = require('../encode')
const { ElementCursor, locateInside } = require('../elements')
const { NUMBERS, Checker, isBetween, typesOf, expected, show, newNode, lengthOf, decimalOf } = require('../schema')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype

/** @typedef {import('../encode/output').Output} Output */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../codegen/fields').Shape} Shape */
/** @typedef {import('../codegen/fields').List} List */

/** For places where any value is allowed, and where none is. */
const ANY = { ...newNode(-1, -1), plain: -1 }
const FORBIDDEN = newNode(-1, -1)

/** The types of numbers, as bits. */
const NUMERIC = NUMBERS.reduce((bits, type) => bits | (1 << type), 0)

function nodeOf(node) {
  return typeof node === 'object' ? node : node ? ANY : FORBIDDEN
}

class Writer {
  /** @param {import('./plan').Plan} plan @param {import('../schema/schema').Schema} schema */
  constructor(plan, schema) {
    this.plan = plan
    this.schema = schema
    const { shapes, lists } = codegen.prepareWriting(schema, nodeOf)
    for (const shape of shapes) {
      shape.writeAny = this.anyWriter(shape)
      shape.write = (out, doc, pos, check) => this.makeDocumentWriter(shape)(out, doc, pos, check)
    }
    for (const list of lists) {
      list.write = (out, node, array, pos, check) => this.makeListWriter(list)(out, node, array, pos, check)
    }
  }

  /** Called with the first document of a shape. @param {Shape} shape @returns {Shape['write']} */
  makeDocumentWriter(shape) {
    const { checkKeys } = this.plan.encodePlan
    const isAllowed = name => !checkKeys || /^[^$.][^.]*$/.test(name)
    return (shape.write = this.made(codegen.documentWriter(shape, isAllowed), shape) ?? shape.writeAny)
  }

  /** @returns {any} the function of a shape; undefined where code cannot be generated */
  made(lines, shape, own = {}) {
    const { fields, rest } = shape
    const scope = { ...PARTS, writer: this, shape, nodes: fields.map(field => field.node), rest: rest.node, ...own }
    return codegen.compile(scope, codegen.textOf(lines))
  }

  /** Called with the first array of a list. @param {List} list @returns {List['write']} */
  makeListWriter(list) {
    const { prefix, rest } = list
    const isAlike = prefix.length === 0 && rest !== FORBIDDEN
    const made = isAlike
      ? codegen.compile({ ...PARTS, writer: this, rest }, codegen.textOf(codegen.listWriter(list)))
      : undefined
    const interpreted = (out, node, array, pos, check) => this.putList(out, node, array, pos, check)
    return (list.write = /** @type {List['write']} */ (made) ?? interpreted)
  }

  /** Appends a whole document. @param {Output} out @returns {number} the offset after it */
  append(out, doc, pos, check) {
    begin(out, this.plan.encodePlan)
    try {
      const { root, shape } = /** @type {any} */ (this.schema)
      const isPlain = isPlainObject(doc)
      const own = isPlain ? doc : checkRoot(doc)
      const raw = isPlain ? undefined : rawBytes(own)
      if (raw !== undefined) return this.putRaw(out, raw, root, ELEMENT.DOCUMENT, pos)
      const end = shape.write(out, own, pos, check)
      if (check && root.isRuled) this.checkWritten(out, root, ELEMENT.DOCUMENT, pos, end)
      return end
    } catch (error) {
      throw describeError(error)
    }
  }

  /** Writes any object or Map: int32 size | elements | 0x00. `source` identifies it for cycle detection. */
  anyWriter(shape) {
    return (out, doc, pos, check, source = doc) => {
      let missing = shape.required
      const start = pos
      pos = putDocument(out, doc, pos, source, (out, name, value, pos) => {
        const { node, isRequired } = codegen.fieldOf(shape, name)
        const end = this.putElement(out, node, name, value, pos, check)
        if (end !== pos && isRequired) missing--
        return end
      })
      if (missing > 0) throw missingField(out, shape, start + 4, pos - 1)
      return pos
    }
  }

  /** Any array. */
  putList(out, node, array, pos, check) {
    const cycleCheckpoint = enter(out, array)
    checkLength(array)
    const { prefix, rest } = node.list
    const start = pos
    out.reserve(pos, 5)
    pos += 4
    let i = 0
    try {
      for (; i < array.length; i++) pos = this.putItem(out, prefix[i] ?? rest, i, array[i], pos, check)
    } catch (error) {
      throw prependPath(error, array, i)
    }
    leave(out, cycleCheckpoint)
    return this.endList(out, node, i, start, pos, check)
  }

  putItem(out, node, i, item, pos, check) {
    if (node === FORBIDDEN) throw new BSONError('this item is not in the schema (additionalItems: false)')
    const end = this.putElement(out, node, i, item, pos, check)
    if (end === pos) throw new BSONError(`a ${typeof item} cannot be an item: it would be left out`)
    return end
  }

  /** Closes an array of `count` items. */
  endList(out, node, count, start, pos, check) {
    const end = closeDocument(out, start, pos)
    if (check && node.isRuled && !isCounted(node, count)) this.checkWritten(out, node, ELEMENT.ARRAY, start, end)
    return end
  }

  /** One element. @returns {number} the offset after it, or `pos` if it is left out */
  putElement(out, node, key, value, pos, check) {
    const { shape, list } = node
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      if (typeof value.toBSON === 'function') return this.putAs(out, node, key, applyToBSON(value), pos, check)
      // without the two frames of the stack that putAs would take: trees may be deep
      if (shape !== null && getPrototypeOf(value) === objectPrototype && !Array.isArray(value)) {
        const start = putName(out, typeOfDocuments(shape), key, pos)
        const end = shape.write(out, value, start, check)
        if (check && node.isRuled) this.checkWritten(out, node, ELEMENT.DOCUMENT, start, end)
        return end
      }
      if (list !== null && Array.isArray(value)) {
        return list.write(out, node, value, putName(out, ELEMENT.ARRAY, key, pos), check)
      }
      if (!node.isFlat) return this.putAs(out, node, key, value, pos, check)
    }
    const end = putElement(out, key, value, pos)
    if (end === pos) return pos
    const type = out.buf[pos]
    if ((node.plain & (1 << type)) === 0) return this.putAs(out, node, key, value, pos, check)
    if (check && node.isRuled) this.checkValue(out, node, type, value, valueAt(out, pos, end), end)
    return end
  }

  /** Writes a value as the type that the schema requires. Its `toBSON`, if any, has already been called. */
  putAs(out, node, key, value, pos, check) {
    const { shape, list } = node
    const type = pickType(node === FORBIDDEN ? ANY : node, value, out.plan, typeof key === 'number')
    if (type === OMIT) return leaveOut(out, key, pos)
    if (node === FORBIDDEN) throw new BSONError('this field is not in the schema (additionalProperties: false)')
    const isShape = type === ELEMENT.DOCUMENT && shape !== null
    const start = putName(out, isShape ? typeOfDocuments(shape) : type, key, pos)
    const isDescribed = isShape || (type === ELEMENT.ARRAY && list !== null)
    if (isDescribed) return this.putContainer(out, node, type, value, start, check)
    const end = putValue(out, type, convert(type, value), start)
    if (check) this.checkValue(out, node, type, value, start, end)
    return end
  }

  putContainer(out, node, type, value, pos, check) {
    const raw = rawBytes(value)
    if (raw !== undefined) return this.putRaw(out, raw, node, type, pos)
    const { shape, list } = node
    if (type === ELEMENT.ARRAY) return list.write(out, node, value, pos, check)
    const end = isDBRef(value) ? this.putDBRef(out, shape, value, pos, check) : shape.write(out, value, pos, check)
    if (check && node.isRuled) this.checkWritten(out, node, type, pos, end)
    return end
  }

  putDBRef(out, shape, ref, pos, check) {
    const { plan } = out
    out.plan = dbRefPlan(plan)
    pos = shape.writeAny(out, dbRefDocument(ref), pos, check, ref)
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
  checkText(out, node, value, start, end) {
    if (!isTextMet(node.bounds, value, end - start - 5)) this.checkWritten(out, node, ELEMENT.STRING, start, end)
  }

  /** Checks the rules of any value. Numbers that are objects are compared with their bounds directly. */
  checkValue(out, node, type, value, start, end) {
    const { ruled, bounds } = node
    if ((ruled & (1 << type)) === 0) return
    if (type === ELEMENT.STRING && typeof value === 'string') return this.checkText(out, node, value, start, end)
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
 */
function isTextMet(bounds, value, size) {
  if (bounds === null) return false
  const { shortest, longest, texts } = bounds
  const units = value.length
  const isClear = size === units || (units >= 2 * shortest && units <= longest)
  const length = isClear ? units : lengthOf(value)
  return length >= shortest && length <= longest && (texts === null || texts.has(value))
}

/** Whether only the number of items of an array is restricted, and `count` is allowed. @param {Node} node */
function isCounted({ isCountOnly, list }, count) {
  return isCountOnly && count >= list.least && count <= list.most
}

/** What documents are written as: arrays, if they have no names. */
function typeOfDocuments({ isPositional }) {
  return isPositional ? ELEMENT.ARRAY : ELEMENT.DOCUMENT
}

/** The offset of the value of the element from `pos` to `end`. */
function valueAt({ buf }, pos, end) {
  const fixed = FIXED_SIZE[buf[pos]]
  return fixed === -1 ? buf.indexOf(0, pos + 1) + 1 : end - fixed
}

/** Checks that all required fields are present, and closes the document. */
function endDocument(out, shape, start, pos, missing) {
  if (missing > 0) throw missingField(out, shape, start + 4, pos)
  return closeDocument(out, start, pos)
}

/** What generated writers use. */
const PARTS = { ...WRITING, endDocument, putName, fieldOf: codegen.fieldOf }

/** The error about a document from `pos` to `end` that lacks a required field. */
function missingField({ buf }, { fields }, pos, end) {
  const names = new Set()
  const cursor = new ElementCursor().open(buf, pos - 4, end)
  while (cursor.next()) names.add(getUtf8Lossy(buf, cursor.pos + 1, cursor.nameEnd))
  const { name } = fields.find(field => field.isRequired && !names.has(field.name)) ?? fields[0]
  return missingError(name)
}

/** About a field that the schema requires. */
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
  return type === ELEMENT.DECIMAL128 ? decimalOf(value) : value
}

module.exports = { Writer, missingError }
