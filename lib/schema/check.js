'use strict'

// Checks whether bytes match a schema, in one recursive walk that creates no values. Other schemas that a value must
// match (anyOf, not, ...) are checked once for each value and schema, so that no schema takes exponential time.

const { ELEMENT } = require('../spec')
const { errorAtOffset, pathOf } = require('../errors')
const { getUtf8, getUtf8Lossy } = require('../bytes')
const { ElementCursor } = require('../elements')
const { NAME_BY_TYPE, BARE } = require('./allowed')
const { NUMBERS, numberAt } = require('./numbers')
const { show } = require('./rules')
const { Keys } = require('./keys')

/** @typedef {import('./schema').Node} Node */

/**
 * @typedef {object} Violation
 * @property {string} path of the field; empty for the document itself
 * @property {string} rule the keyword of the schema that is violated
 * @property {string} message
 * @property {number} offset in the bytes
 */

/** Factor that keeps the keys of 31-bit offsets separate for each schema. */
const OFFSETS = 2 ** 31

class Checker {
  /**
   * @param {import('./schema').Schema} schema
   * @param {Uint8Array} buf
   * @param {number} maxDepth levels
   * @param {Violation[] | null} violations receives all violations; if null, the first one is thrown
   * @param {boolean} [isShallow] whether containers are checked as a whole, without their contents
   * @param {boolean} [utf8] whether invalid UTF-8 in text that a rule reads is an error, otherwise U+FFFD
   */
  constructor({ hasParts }, buf, maxDepth, violations, isShallow = false, utf8 = true) {
    this.hasParts = hasParts
    this.buf = buf
    this.maxDepth = maxDepth
    this.violations = violations
    this.isShallow = isShallow
    /** Reads text and names. @type {(buf: Uint8Array, start: number, end: number) => string} */
    this.read = utf8 ? getUtf8 : getUtf8Lossy
    this.keys = new Keys(buf, maxDepth, this.read)
    /** @type {ElementCursor[]} one for each level */
    this.cursors = []
    /** For each level, by the index of a field, the last document that had it, or 0. @type {number[][]} */
    this.present = []
    /** By level: offsets of the last elements by name, once asked. @type {(Map<string, number> | null)[]} */
    this.lasts = []
    /** The last violation that was thrown. @type {Error | null} */
    this.thrown = null
    this.documents = 0
    /** @type {(string | number)[]} */
    this.path = []
    /** Above 0 while only testing whether something matches. */
    this.quiet = 0
    /** @type {Map<number, boolean>} cached results of the schemas in rules, for documents and arrays */
    this.asked = new Map()
    /** The same for the last other value, and its offset: a document may have millions. @type {Map<number, boolean>} */
    this.askedLast = new Map()
    this.last = -1
  }

  /** Whether the document from `start` to `next` matches, with the memory of the last one. @param {Node} node */
  matchesAnother(node, buf, start, next) {
    this.use(buf)
    this.keys = this.keys.emptied(buf)
    if (this.asked.size > 0) this.asked.clear() // takes 100 ns where nothing is in it
    if (this.askedLast.size > 0) this.askedLast.clear()
    this.last = -1
    if (this.path.length > 0) this.path.length = 0
    this.quiet = 0
    try {
      return this.matches(node, ELEMENT.DOCUMENT, start, next, 0)
    } finally {
      for (const cursor of this.cursors) cursor.close()
    }
  }

  /** Switches to other bytes, which must contain the checked bytes unchanged and at the same offsets. */
  use(buf) {
    this.buf = buf
    this.keys.buf = buf
  }

  /**
   * Checks a value.
   *
   * @param {Node} node
   * @param {number} type
   * @param {number} pos offset of its element
   * @param {number} value offset
   * @param {number} next offset after it
   * @param {number} depth of its container
   * @returns {boolean} whether it matches the schema
   * @throws {import('../errors').BSONError} with offset and path: the first violation if violations are not collected
   */
  check(node, type, pos, value, next, depth) {
    const asked = this.askedOf(node, type, value)
    const key = asked === null ? 0 : (node.number * OFFSETS + value) * 2 + (this.quiet > 0 ? 1 : 0)
    const known = asked?.get(key)
    if (known !== undefined) return known
    asked?.set(key, false) // until it is known, and if the violation is thrown
    const typeRule = node.typeRules.get(type)
    if (typeRule === undefined && !node.isOpen) return this.fail('bsonType', expected(node, type), pos)
    let isAllowed = this.checkRules(node, type, value, next, depth)
    if (typeRule !== undefined && !this.isShallow) {
      const { shape, list } = typeRule
      if (shape !== null && !this.checkShape(shape, value, next, depth)) isAllowed = false
      if (list !== null && !this.checkList(list, value, next, depth)) isAllowed = false
    }
    asked?.set(key, isAllowed)
    return isAllowed
  }

  /** Where results about a value are cached; null if none are. */
  askedOf(node, type, value) {
    if (!this.hasParts || this.isShallow) return null
    if (type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY) return this.asked
    if (!node.hasNestedParts) return null
    if (value !== this.last && this.askedLast.size > 0) this.askedLast.clear()
    this.last = value
    return this.askedLast
  }

  /** Checks the rules of a value whose type is allowed. */
  checkRules(node, type, value, next, depth) {
    const rules = node.typeRules.get(type)?.rules
    let isAllowed = true
    for (const rule of rules === undefined ? node.rules : node.rules.length === 0 ? rules : [...rules, ...node.rules]) {
      if (rule.test(this, type, value, next, depth)) continue
      // a part of allOf has reported its own error
      isAllowed = rule.keyword === 'allOf' ? false : this.quiet === 0 && this.refuse(rule, type, value, next)
    }
    return isAllowed
  }

  /** Reports a rule that a value breaks. */
  refuse({ keyword, text }, type, value, next) {
    const { buf } = this
    const isString = type === ELEMENT.STRING
    const found = isString ? show(getUtf8Lossy(buf, value + 4, next - 1)) : NUMBERS.includes(type) ? numberAt(type, buf, value) : ''
    return this.fail(keyword, `expected ${text}${found === '' ? '' : `, found ${found}`}`, value)
  }

  /** Checks a value written by the schema: its own rules, and those about a container as a whole. */
  checkWritten(node, type, value, next) {
    const { shape, list } = node.typeRules.get(type) ?? BARE
    if (list !== null && list.isRuled) this.checkList(list, value, next, 0)
    this.checkRules(node, type, value, next, 0)
    if (shape !== null && shape.isRuled) this.checkShape(shape, value, next, 0)
  }

  /** @returns {ElementCursor} the one of this level @throws {import('../errors').BSONError} when it is too deep */
  cursorIn(start, next, depth) {
    while (this.cursors.length <= depth) this.cursors.push(new ElementCursor())
    return this.cursors[depth].open(this.buf, start, next - 1, this.maxDepth, depth)
  }

  /** The fields present at this level. Without holes, which would be looked up in the prototype of all objects. */
  presentIn(depth, fields) {
    while (this.present.length <= depth) this.present.push([])
    while (this.lasts.length <= depth) this.lasts.push(null)
    this.lasts[depth] = null
    const present = this.present[depth]
    while (present.length < fields) present.push(0)
    return present
  }

  checkShape(shape, start, next, depth) {
    const cursor = this.cursorIn(start, next, depth)
    const seen = shape.isRuled ? new Set() : null
    const present = this.presentIn(depth, shape.fields.length)
    const document = ++this.documents
    /** @type {import('./schema').Field | undefined} */
    let field
    let isAllowed = true
    while (cursor.next()) {
      field = fieldAt(shape, cursor, field)
      if (field !== undefined) present[field.index] = document
      else if (seen === null && shape.additional === true) continue
      const name = field === undefined ? this.read(cursor.buf, cursor.pos + 1, cursor.nameEnd) : field.name
      if (seen !== null) seen.add(name)
      if (this.isShallow && shape.patterns.length === 0) continue
      if (this.quiet === 0) this.path.push(name)
      if (!this.checkElement(shape, field, name, cursor, start, depth)) isAllowed = false
      if (this.quiet === 0) this.path.pop()
      if (!isAllowed && this.quiet > 0) return false // nothing else is asked
    }
    if (!this.isShallow && !this.checkRequired(shape, present, document, start)) isAllowed = false
    return (seen === null || this.checkSeen(shape, seen, start, next, depth)) && isAllowed
  }

  /** Checks an element of the document at `start`. If its name repeats, the last counts: errors are forgotten. */
  checkElement(shape, field, name, cursor, start, depth) {
    const { violations, path, isShallow } = this
    const count = violations === null ? 0 : violations.length
    const { length } = path
    let error = null
    try {
      if (this.checkField(shape, field, name, cursor, depth + 1)) return true
    } catch (caught) {
      if (caught !== this.thrown) throw caught
      error = caught
    }
    if (!this.isReplaced(cursor, name, start, depth)) {
      if (error !== null) throw error
      return false
    }
    if (violations !== null) violations.length = count
    path.length = length
    this.isShallow = isShallow
    return true
  }

  /** Whether one of that name follows. All names are read once, and only if the bytes of this one occur again. */
  isReplaced(cursor, name, start, depth) {
    const { buf, pos, nameEnd } = cursor
    if (!cursor.mayFollow(buf.subarray(pos + 1, nameEnd + 1))) return false
    this.lasts[depth] ??= this.lastNames(cursor, start)
    return this.lasts[depth].get(name) !== pos
  }

  /** @returns {Map<string, number>} by the name of each field around the cursor, the offset of its last element */
  lastNames(cursor, start) {
    const names = new Map()
    const { pos } = cursor
    cursor.rewind(start)
    while (cursor.next()) names.set(this.read(cursor.buf, cursor.pos + 1, cursor.nameEnd), cursor.pos)
    cursor.moveTo(pos)
    return names
  }

  /** Checks an element, whose field is undefined if the schema does not name it. */
  checkField(shape, field, name, element, depth) {
    const node = this.isShallow || (field === undefined ? nodeBeyond(shape, name) : field.node)
    const { type, pos, value, end } = element
    const isAllowed = node === false
      ? this.fail('additionalProperties', 'this field is not in the schema (additionalProperties: false)', pos)
      : node === true || this.check(node, type, pos, value, end, depth)
    if (shape.patterns.length === 0) return isAllowed
    return this.followsPatterns(shape, this.isShallow && field === undefined, name, element, depth) && isAllowed
  }

  /** Apart from `checkField`, whose calls are nested: 1,000 levels need frames that are small. */
  followsPatterns({ patterns }, isFirstWritten, name, { type, pos, value, end }, depth) {
    let isAllowed = true
    let isWritten = isFirstWritten // by the first pattern that matches
    for (const { pattern, node } of patterns) {
      if (!pattern.test(name)) continue
      if (!isWritten && !this.follows(node, type, value, end, depth, pos)) isAllowed = false
      isWritten = false
    }
    return isAllowed
  }

  /** `present`: by the index of a field, the last document that had it. */
  checkRequired({ fields }, present, document, start) {
    let isAllowed = true
    for (let i = 0; i < fields.length; i++) {
      const { name, isRequired } = fields[i]
      const isMissing = isRequired && present[i] !== document
      if (isMissing) isAllowed = this.fail('required', `the field ${JSON.stringify(name)} is missing`, start)
    }
    return isAllowed
  }

  /** Checks the number of fields, and what some of them need. */
  checkSeen(shape, seen, start, next, depth) {
    let isAllowed = this.checkCount(seen.size, shape, ['minProperties', 'maxProperties', 'fields'], start)
    for (const { name, names, node } of shape.dependencies) {
      if (!seen.has(name)) continue
      const missing = names.find(other => !seen.has(other))
      const needed = `which ${JSON.stringify(name)} needs`
      const message = `the field ${JSON.stringify(missing)} is missing, ${needed}`
      if (missing !== undefined) isAllowed = this.fail('dependencies', message, start)
      else if (node !== null && !this.follows(node, ELEMENT.DOCUMENT, start, next, depth)) isAllowed = false
    }
    return isAllowed
  }

  checkCount(count, { least, most }, [leastRule, mostRule, what], offset) {
    if (count < least) return this.fail(leastRule, `expected at least ${least} ${what}, found ${count}`, offset)
    return count <= most || this.fail(mostRule, `expected at most ${most} ${what}, found ${count}`, offset)
  }

  checkList(list, start, next, depth) {
    const cursor = this.cursorIn(start, next, depth)
    const firsts = new Map()
    let isAllowed = true
    let index = 0
    for (; cursor.next(); index++) {
      const { type, pos, value, end } = cursor
      const node = this.isShallow ? true : index < list.prefix.length ? list.prefix[index] : list.items
      if (node !== true) {
        this.path.push(index)
        if (node === false) isAllowed = this.fail('additionalItems', 'this item is not in the schema (additionalItems: false)', pos)
        else if (!this.check(node, type, pos, value, end, depth + 1)) isAllowed = false
        this.path.pop()
      }
      if (list.isUnique) {
        const key = this.keys.keyOf(type, cursor.buf, value, end, depth + 1)
        const first = firsts.get(key)
        if (first === undefined) firsts.set(key, index)
        else isAllowed = this.fail('uniqueItems', `expected unique items, but item ${index} equals item ${first}`, start)
      }
    }
    return this.checkCount(index, list, ['minItems', 'maxItems', 'items'], start) && isAllowed
  }

  /** Whether a value matches a schema in a rule. Violations are not reported. */
  matches(node, type, value, next, depth) {
    this.quiet++
    const isMatch = this.follows(node, type, value, next, depth)
    this.quiet--
    return isMatch
  }

  /** Like `check`, for a schema in a rule, and of a pattern: a value is written by one schema, and follows others. */
  follows(node, type, value, next, depth, pos = value) {
    const { isShallow } = this
    this.isShallow = false
    const isAllowed = this.check(node, type, pos, value, next, depth)
    this.isShallow = isShallow
    return isAllowed
  }

  fail(rule, message, offset) {
    if (this.quiet > 0) return false
    const path = pathOf(this.path)
    if (this.violations === null) throw (this.thrown = Object.assign(errorAtOffset(message, offset), { path }))
    this.violations.push({ path, rule, message, offset })
    return false
  }
}

/** The field of the element at the cursor; undefined if the schema does not name it. `previous`: the one before it. */
function fieldAt({ fields, byName, bits }, cursor, previous) {
  if ((bits & cursor.nameBit) === 0) return undefined
  const next = previous === undefined ? 0 : previous.index + 1
  if (next < fields.length && cursor.isNamed(fields[next].utf8)) return fields[next]
  const field = byName.get(getUtf8Lossy(cursor.buf, cursor.pos + 1, cursor.nameEnd))
  return field !== undefined && cursor.isNamed(field.utf8) ? field : undefined
}

/** What a field that the schema does not name may hold. */
function nodeBeyond({ patterns, additional }, name) {
  return patterns.some(({ pattern }) => pattern.test(name)) || additional
}

/** The types that a place allows, in words. @param {Node} node */
function typesOf(node) {
  return [...node.typeRules.keys()].map(type => NAME_BY_TYPE.get(type)).join(' or ')
}

/** @param {Node} node @param {number} type the actual type */
function expected(node, type) {
  return `expected ${typesOf(node)}, found ${NAME_BY_TYPE.get(type)}`
}

/**
 * Checks a document whose frame has been checked.
 *
 * @param {import('./schema').Schema} schema
 * @param {Uint8Array} buf
 * @param {number} start offset of its size
 * @param {number} end offset after it
 * @param {{maxDepth: number, utf8?: boolean, violations?: Violation[] | null}} how
 * @throws {import('../errors').BSONError} with offset and path
 */
function checkDocument(schema, buf, start, end, { maxDepth, utf8 = true, violations = null }) {
  new Checker(schema, buf, maxDepth, violations, false, utf8).check(schema.root, ELEMENT.DOCUMENT, start, start, end, 0)
}

module.exports = { Checker, checkDocument, typesOf, expected }
