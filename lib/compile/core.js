'use strict'

// A schema with the options of a codec, and everything a codec does when no code is generated: the loop of `decode`
// reads, but for `as`, write.js writes, and the schema checks the bytes in a walk of its own.

const { ownFields, setOwn } = require('../properties')
const { BSONError, atPlace } = require('../errors')
const { onlyOptions, optionsOf, oneOf, refusal } = require('../options')
const { getUtf8, getUtf8Lossy } = require('../bytes')
const { isDBRefKey, toDBRef } = require('../types')
const { ElementCursor, locate } = require('../elements')
const { decodeAt, decodeElementBy } = require('../decode')
const { parseSchema, checkDocument } = require('../schema')
const { KNOWN, REFUSED, makePlan } = require('./plan')
const { Positional } = require('./positional')

class Core {
  /**
   * @param {import('../schema/schema').Schema} schema
   * @param {import('./plan').Plan} plan
   * @param {Positional | null} positional for the layout 'array'
   */
  constructor(schema, plan, positional) {
    this.schema = schema
    this.plan = plan
    this.positional = positional
    /** Whether the schema has an `as`, so that the result differs from that of `decode`. */
    this.isOwn = schema.nodes.some(({ typeRules }) => [...typeRules.values()].some(typeRule => typeRule.as !== null))
  }

  readRoot(buf, index, end) {
    if (!this.isOwn) return decodeAt(buf, index, true, this.plan.plansAs.get(null))
    return this.readDocument(this.schema.shape, {}, buf, index + 4, end - 1, 1)
  }

  /** What a generated reader leaves of a document; its arguments are those of `fallbacksBy`. */
  readRemainder(id, doc, buf, view, pos, end, depth) {
    return this.readDocument(this.schema.shapes[id], doc ?? {}, buf, pos, end, depth)
  }

  readRemainingItems(id, items, buf, view, pos, end, depth) {
    return this.readItems(this.schema.lists[id], items, buf, pos, end, depth)
  }

  /** @returns {ElementCursor} before the elements from `pos` on */
  cursorAt(buf, pos, end, depth) {
    return new ElementCursor().open(buf, pos - 4, end, this.plan.maxDepth, depth - 1)
  }

  /** Reads the rest of a document. @returns {any} the document, or a DBRef */
  readDocument(shape, doc, buf, pos, end, depth) {
    const cursor = this.cursorAt(buf, pos, end, depth)
    const read = this.plan.utf8 ? getUtf8 : getUtf8Lossy
    while (cursor.next()) {
      const name = read(buf, cursor.pos + 1, cursor.nameEnd)
      setOwn(doc, name, this.readElement(shape.byName.get(name)?.node ?? shape.additional, cursor, depth))
    }
    const names = Object.keys(doc).filter(name => name[0] === '$')
    return names.length > 0 && names.every(isDBRefKey) ? toDBRef(doc) : doc
  }

  /** Reads the items of an array from index `items.length` on. @param {import('../schema/schema').List} list */
  readItems(list, items, buf, pos, end, depth) {
    const cursor = this.cursorAt(buf, pos, end, depth)
    while (cursor.next()) items.push(this.readElement(list.prefix[items.length] ?? list.items, cursor, depth))
    return items
  }

  /** Reads the value of the cursor's element. */
  readElement(node, { buf, type, pos, value, end }, depth) {
    const { shape = null, list = null, as = null } = (typeof node === 'object' && node.typeRules.get(type)) || {}
    if (shape !== null) return this.readDocument(shape, {}, buf, value + 4, end - 1, depth + 1)
    if (list !== null) return this.readItems(list, [], buf, value + 4, end - 1, depth + 1)
    return decodeElementBy(this.plan.plansAs.get(as), buf, pos, end, depth)
  }

  /** Checks a document against the schema. Its frame has been checked. */
  check(buf, index, end, violations = null) {
    const { maxDepth, utf8 } = this.plan
    checkDocument(this.schema, buf, index, end, { maxDepth, utf8, violations })
  }
}

/**
 * Lets code for bytes with names work on positional bytes. Offsets in errors refer to the original bytes.
 *
 * @typedef {(bytes: Uint8Array, index: number, end: number, violations?: any) => any} Work
 * @param {() => Core} core
 * @param {Work} work
 * @returns {Work}
 */
function withNames(core, work) {
  return (buf, index, end, violations) => core().positional.unpack(buf, index, end, (bytes, start, after, placeOf) => {
    try {
      return work(bytes, start, after, violations)
    } catch (error) {
      const { offset } = error
      if (offset === undefined) throw error
      throw atPlace(locate(error, bytes, start), { offset: placeOf(offset) - offset })
    } finally {
      for (const one of violations ?? []) one.offset = placeOf(one.offset)
    }
  })
}

/** @type {import('../options').OptionReader<any[]>} */
function schemas(value = [], name) {
  if (Array.isArray(value)) return value
  throw refusal(name, value, 'a list of schemas')
}

const onlyOf = owner => onlyOptions(owner, ['layout', 'upgrade', ...KNOWN], REFUSED)

const only = { compile: onlyOf('compile'), writeModule: onlyOf('writeModule') }
const readOptions = optionsOf({ layout: oneOf(['document', 'array']), upgrade: schemas })

/**
 * @typedef {object} CompileOptions
 * @property {'document' | 'array'} [layout] `array` writes documents as arrays of their values, after a
 *   fingerprint of the schema; default `document`
 * @property {any[]} [upgrade] older schemas whose bytes can also be read, in the layout `array`; default none
 */

/** @typedef {import('../decode/decode').DecodeOptions & import('../encode/options').EncodeOptions} BSONOptions */

/**
 * @param {CompileOptions & BSONOptions} options
 * @param {'compile' | 'writeModule'} [owner]
 * @returns {Core}
 */
function makeCore(schema, options, owner = 'compile') {
  const { layout, upgrade, ...others } = { ...ownFields(only[owner](options)), ...readOptions(options) }
  const isPositional = layout === 'array'
  if (upgrade.length > 0 && !isPositional) throw new BSONError("upgrade needs the layout 'array'")
  const plan = makePlan(others)
  const parsed = parseSchema(schema)
  const positional = isPositional ? new Positional(parsed, upgrade.map(each => parseSchema(each)), plan.maxDepth) : null
  return new Core(parsed, plan, positional)
}

module.exports = { Core, makeCore, withNames }
