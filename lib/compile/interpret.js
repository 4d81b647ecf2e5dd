'use strict'

// The complete codec of a schema without code made at run time.

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')
const { getInt64 } = require('../bytes')
const { BSONError, errorAtOffset } = require('../errors')
const { makePlan } = require('./plan')
const { parseSchema } = require('../schema/schema')
const { Reader } = require('./read')
const { Writer } = require('./write')
const { HEAD, fingerprintOf, nameOf } = require('./fingerprint')

/**
 * What a codec is made of. Compiled ones have the same functions.
 *
 * @typedef {object} Core
 * @property {(out: import('../encode/output').Output, doc: any, pos: number, check: boolean) => number} writeRoot
 * @property {(buf: Uint8Array, index: number, end: number, check: boolean) => any} readRoot
 */

class Interpreter {
  /**
   * @param {import('../schema/schema').Schema} schema
   * @param {import('./plan').Plan} plan
   * @param {boolean} isPositional
   * @param {Map<bigint, Core>} older codecs whose bytes are read too, by fingerprint
   */
  constructor(schema, plan, isPositional, older) {
    this.schema = schema
    this.form = schema.root.forms.get(ELEMENT.DOCUMENT)
    this.plan = plan
    this.isPositional = isPositional
    this.older = older
    this.fingerprint = isPositional ? fingerprintOf(schema) : 0n
    this.reader = new Reader(plan)
    this.writer = new Writer(plan, this.fingerprint, (raw, form) => this.checkRaw(raw, form))
  }

  /** @param {any} doc a root as `checkRoot` leaves it @returns {number} the offset after it */
  writeRoot(out, doc, pos, check) {
    return this.writer.run(out, this.writer.begin(out, this.schema.shape, this.isPositional, doc, pos, 1), check)
  }

  /** @param {number} end offset after the document @returns {any} */
  readRoot(buf, index, end, check) {
    const frame = this.reader.openFrame(this.form, {}, index, end - 1, 1)
    if (this.isPositional) {
      const fingerprint = fingerprintAt(buf, index + 4, end)
      if (fingerprint !== this.fingerprint) return this.readOlder(fingerprint, buf, index, end, check)
      frame.isPositional = true
      frame.pos = index + FINGERPRINT_END
    }
    return this.reader.run(frame, buf, check)
  }

  readOlder(fingerprint, buf, index, end, check) {
    const codec = this.older.get(fingerprint)
    if (codec !== undefined) return codec.readRoot(buf, index, end, check)
    const own = nameOf(this.fingerprint)
    throw errorAtOffset(`written with the schema ${nameOf(fingerprint)}, this is a codec for the schema ${own}`, index)
  }

  /**
   * @param {Uint8Array} raw a document or an array
   * @param {import('../schema/schema').Form} [form] what it should be, the whole schema's if nothing is said
   * @throws {BSONError} when it is something else
   */
  checkRaw(raw, form = this.form) {
    if (this.isPositional) throw new BSONError("raw documents cannot be written in the layout 'array'")
    this.reader.run(this.reader.openFrame(form, form.list === null ? {} : [], 0, raw.length - 1, 1), raw, true)
  }
}

/** After the document's size, this head and the number. */
const FINGERPRINT_END = 15

/** @throws {BSONError} when there is none */
function fingerprintAt(buf, pos, end) {
  const isThere = pos + 11 < end && HEAD.every((byte, i) => buf[pos + i] === byte)
  if (!isThere) throw errorAtOffset("not of the layout 'array': no fingerprint of a schema comes first", pos)
  return getInt64(buf, pos + 3)
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
 * @returns {Interpreter}
 * @throws {BSONError} that names the place in the schema, and on options that cannot be had
 */
function makeInterpreter(schema, options) {
  const { layout = 'document', upgrade = [], ...others } = ownFields(options)
  if (!LAYOUTS.includes(layout)) throw new BSONError(`there is no layout ${layout}`)
  const isPositional = layout === 'array'
  if (!Array.isArray(upgrade)) throw new BSONError('upgrade must be a list of schemas')
  if (upgrade.length > 0 && !isPositional) throw new BSONError("upgrade is for the layout 'array'")
  const plan = makePlan(others)
  const older = upgrade.map(old => new Interpreter(parseSchema(old, true), plan, true, new Map()))
  const byFingerprint = new Map(older.map(one => [one.fingerprint, one]))
  return new Interpreter(parseSchema(schema, isPositional), plan, isPositional, byFingerprint)
}

module.exports = { makeInterpreter }
