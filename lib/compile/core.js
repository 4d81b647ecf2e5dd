'use strict'

// A schema with the options of a codec, and all that a codec does where no code is made for it: `decode`'s own loop
// reads, write.js writes, and the schema's walk over the bytes checks.

const { ownFields } = require('../properties')
const { getInt64 } = require('../bytes')
const { BSONError, errorAtOffset } = require('../errors')
const { decodeAt } = require('../decode')
const { parseSchema, checkDocument } = require('../schema')
const { makePlan } = require('./plan')
const { Reader, hasFingerprint } = require('./read')
const { ROOT_HEAD, Writer } = require('./write')
const { fingerprintOf, nameOf } = require('./fingerprint')

class Core {
  /**
   * @param {import('../schema/schema').Schema} schema
   * @param {import('./plan').Plan} plan
   * @param {boolean} isPositional
   * @param {Map<bigint, Core>} older codecs whose bytes are read too, by fingerprint
   */
  constructor(schema, plan, isPositional, older) {
    this.schema = schema
    this.plan = plan
    this.isPositional = isPositional
    this.older = older
    this.fingerprint = isPositional ? fingerprintOf(schema) : null
    /** Whether `decode` would read something else. */
    this.isOwn = isPositional || schema.nodes.some(({ forms }) => [...forms.values()].some(form => form.as !== null))
    this.reader = new Reader(plan, isPositional)
    this.writer = new Writer(plan, schema, this.fingerprint)
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} index where the document begins
   * @param {number} end offset after it, of a document whose frame is right
   * @returns {any}
   * @throws {BSONError} with the offset
   */
  readRoot(buf, index, end) {
    if (!this.isOwn) return decodeAt(buf, index, true, this.plan.plansAs.get(null))
    const { schema: { shape }, reader } = this.coreOf(buf, index, end)
    const head = this.isPositional ? ROOT_HEAD : 4
    return reader.readDocument(shape, {}, this.isPositional ? 0 : -1, buf, index + head, end - 1, 1)
  }

  /**
   * Checks a document whose frame is right against the schema.
   *
   * @param {import('../schema/check').Violation[] | null} violations where all are put; without, the first is thrown
   * @throws {BSONError} with offset and path
   */
  check(buf, index, end, violations = null) {
    const { schema, plan: { maxDepth }, isPositional } = this.coreOf(buf, index, end)
    checkDocument(schema, buf, index, end, { maxDepth, first: isPositional ? ROOT_HEAD : 0, violations })
  }

  /** The core of the schema that the bytes were written with. @returns {Core} */
  coreOf(buf, index, end) {
    if (this.fingerprint === null) return this
    const pos = index + 4
    if (!hasFingerprint(buf, pos, end)) {
      throw errorAtOffset("not of the layout 'array': no fingerprint of a schema comes first", pos)
    }
    const fingerprint = getInt64(buf, pos + 3)
    const core = fingerprint === this.fingerprint ? this : this.older.get(fingerprint)
    if (core !== undefined) return core
    const own = nameOf(this.fingerprint)
    throw errorAtOffset(`written with the schema ${nameOf(fingerprint)}, this is a codec for the schema ${own}`, index)
  }
}

const LAYOUTS = ['document', 'array']

/**
 * @typedef {object} CompileOptions
 * @property {'document' | 'array'} [layout] `array` writes documents as arrays of their values, without names, after a
 *   fingerprint of the schema; default `document`
 * @property {any[]} [upgrade] older schemas whose bytes are read too, in the layout `array`
 */

/** @typedef {import('../decode/decode').DecodeOptions & import('../encode/options').EncodeOptions} BSONOptions */

/**
 * @param {any} schema
 * @param {CompileOptions & BSONOptions} options
 * @returns {Core}
 * @throws {BSONError} that names the place in the schema, and on options that cannot be had
 */
function makeCore(schema, options) {
  const { layout = 'document', upgrade = [], ...others } = ownFields(options)
  if (!LAYOUTS.includes(layout)) throw new BSONError(`there is no layout ${layout}`)
  const isPositional = layout === 'array'
  if (!Array.isArray(upgrade)) throw new BSONError('upgrade must be a list of schemas')
  if (upgrade.length > 0 && !isPositional) throw new BSONError("upgrade is for the layout 'array'")
  const plan = makePlan(others)
  const older = upgrade.map(old => new Core(parseSchema(old, true), plan, true, new Map()))
  const byFingerprint = new Map(older.map(one => [one.fingerprint, one]))
  return new Core(parseSchema(schema, isPositional), plan, isPositional, byFingerprint)
}

module.exports = { Core, makeCore }
