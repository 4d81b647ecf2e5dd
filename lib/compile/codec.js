'use strict'

// The public codec, built from functions that read, write and check documents of its schema.

const { stackError } = require('../errors')
const { ownField } = require('../properties')
const { onlyOptions, optionsOf, flag } = require('../options')
const { toBytes } = require('../bytes')
const { validate: validateBSON, locate } = require('../elements')
const { frameOf } = require('../decode')

/**
 * @template [T=Record<string, any>] the result of decoding
 * @template [I=object] the input of encoding
 * @typedef {object} Codec
 * @property {(doc: I, options?: CodecEncodeOptions) => Buffer} encode a Uint8Array where there is no Buffer
 * @property {(doc: I, target: Uint8Array, offset?: number, options?: CodecEncodeOptions) => number} encodeInto returns
 *   the offset after the document
 * @property {(doc: I, options?: CodecEncodeOptions) => number} sizeOf the bytes that `encode` would write
 * @property {(bytes: Bytes, options?: CodecDecodeOptions) => T} decode
 * @property {Validate} validate checks bytes against BSON and the schema; returns the document's size in bytes, or with
 *   `all: true` a list of all violations of the schema
 * @property {boolean} isCompiled whether code was generated for it; if not, it does the same more slowly
 *
 * @typedef {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} Bytes
 * @typedef {import('../schema/check').Violation} Violation
 * @typedef {{
 *   (bytes: Bytes, options: Omit<CodecDecodeOptions, 'check'> & {all: true}): Violation[]
 *   (bytes: Bytes, options?: Omit<CodecDecodeOptions, 'check'> & {all?: false}): number
 * }} Validate
 *
 * @typedef {object} CodecEncodeOptions
 * @property {boolean} [check] whether the schema's rules about values (enum, bounds, lengths, patterns, ...) are
 *   checked; types, required fields and fields that are not allowed always are; default true
 *
 * @typedef {object} CodecDecodeOptions
 * @property {boolean} [check] whether documents that violate the schema are refused; default false
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow the document; default false
 */

/**
 * The functions that read a document.
 *
 * @typedef {object} Reading
 * @property {(buf: Uint8Array, index: number, end: number) => any} readRoot
 * @property {(buf: Uint8Array, index: number, end: number, violations?: Violation[] | null) => void} check
 * @property {() => import('./core').Core} core
 */

/** The options of a call of `decode` and of `validate`. */
const PLACE = { index: value => value ?? 0, allowObjectSmallerThanBufferSize: flag(false) }
const TABLES = {
  decode: { ...PLACE, check: flag(false) }, validate: { ...PLACE, all: flag(false) }, encode: { check: flag(true) }
}
const doors = Object.fromEntries(Object.entries(TABLES).map(([door, table]) => {
  return [door, { read: optionsOf(table), only: onlyOptions(`${door} of a codec`, Object.keys(table)) }]
}))

/** The own options of a call. What the codec was made with may be said again. */
function callOptions(door, options, planOf) {
  const { read, only } = doors[door]
  const own = read(options)
  const names = typeof options !== 'object' || Array.isArray(options) ? [] : Object.keys(options ?? {})
  // what the codec was made with may be said again
  const isOther = name => !(name in own) && options[name] !== null && ownField(planOf(), name) !== options[name]
  only(names.length === 0 ? options : Object.fromEntries(names.filter(isOther).map(name => [name, options[name]])))
  return /** @type {any} */ (own)
}

/** @param {Reading} reading @returns {Pick<Codec, 'decode' | 'validate'>} */
function makeDecoder({ readRoot, check, core }) {
  const planOf = () => core().plan.plansAs.get(null)

  function decode(bytes, options) {
    const buf = toBytes(bytes)
    let index = 0
    try {
      if (options === undefined || options === null) return readRoot(buf, 0, frameOf(buf, 0, false))
      const { allowObjectSmallerThanBufferSize, ...own } = callOptions('decode', options, planOf)
      index = own.index
      const end = frameOf(buf, index, allowObjectSmallerThanBufferSize)
      if (own.check) check(buf, index, end)
      return readRoot(buf, index, end)
    } catch (error) {
      throw locate(stackError(error), buf, index)
    }
  }

  /** @param {any} bytes @param {any} [options] @returns {any} */
  function validate(bytes, options) {
    const buf = toBytes(bytes)
    const { index, all, allowObjectSmallerThanBufferSize } = callOptions('validate', options, planOf)
    const violations = all ? [] : null
    try {
      const end = frameOf(buf, index, allowObjectSmallerThanBufferSize)
      const { plan: { utf8, maxDepth } } = core()
      validateBSON(buf, { index, validation: { utf8 }, maxDepth, allowObjectSmallerThanBufferSize: true })
      check(buf, index, end, violations)
      return violations ?? end - index
    } catch (error) {
      throw locate(stackError(error), buf, index)
    }
  }

  return { decode, validate: /** @type {Validate} */ (validate) }
}

module.exports = { makeDecoder, callOptions }
