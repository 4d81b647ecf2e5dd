'use strict'

// A schema with the options of a codec, and everything a codec does when no code is generated: the loop of `decode`
// reads, write.js writes, and the schema checks the bytes in a walk of its own.

const { ownFields } = require('../properties')
const { BSONError, atPlace } = require('../errors')
const { onlyOptions, optionsOf, oneOf, refusal } = require('../options')
const { locate } = require('../elements')
const { decodeAt } = require('../decode')
const { parseSchema, checkDocument } = require('../schema')
const { KNOWN, REFUSED, makePlan } = require('./plan')
const { Positional } = require('./positional')
const { Reader } = require('./read')

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
    this.reader = new Reader(plan)
  }

  readRoot(buf, index, end) {
    if (!this.isOwn) return decodeAt(buf, index, true, this.plan.plansAs.get(null))
    return this.reader.readDocument(this.schema.shape, {}, buf, index + 4, end - 1, 1)
  }

  /**
   * Checks a document against the schema. Its frame has been checked.
   *
   * @param {import('../schema/check').Violation[] | null} violations
   */
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

/** @param {string} owner */
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
  return new Core(parsed, plan, isPositional ? new Positional(parsed, upgrade.map(parseSchema), plan.maxDepth) : null)
}

module.exports = { Core, makeCore, withNames }
