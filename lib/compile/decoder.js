'use strict'

// What is called: a codec around the functions that read and write a document of its schema. This is the half of it
// that reads; encoder.js is the other.

const { ownField } = require('../properties')
const { getInt32, toBytes } = require('../bytes')
const { scanRoot } = require('../decode/scan')
const { locate } = require('./late')

/**
 * @template [T=Record<string, any>] what decoding gives
 * @template [I=object] what encoding takes
 * @typedef {object} Codec
 * @property {(doc: I, options?: EncodeOptions) => Uint8Array} encode a Buffer on Node
 * @property {(doc: I, target: Uint8Array, offset?: number, options?: EncodeOptions) => number} encodeInto returns the
 *   offset after the document
 * @property {(doc: I, options?: EncodeOptions) => number} sizeOf the bytes that `encode` would write
 * @property {(bytes: Bytes, options?: DecodeOptions) => T} decode
 * @property {(bytes: Bytes, options?: DecodeOptions) => number} validate checks bytes against BSON and the schema;
 *   returns the document's size in bytes
 * @property {boolean} isCompiled whether code was made for it; if not it does the same, slower
 *
 * @typedef {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} Bytes
 *
 * @typedef {object} EncodeOptions
 * @property {boolean} [check] whether the schema's rules about values (enum, bounds, lengths, patterns) are checked;
 *   types, required fields and fields that are not allowed always are; default true
 *
 * @typedef {object} DecodeOptions
 * @property {boolean} [check] whether what the schema refuses is refused; default false
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow the document; default false
 */

/**
 * @param {import('./interpret').Core['readRoot']} readRoot
 * @returns {Pick<Codec, 'decode' | 'validate'>}
 */
function makeDecoder(readRoot) {
  function read(bytes, index, isPart, check) {
    const buf = toBytes(bytes)
    try {
      return readRoot(buf, index, scanRoot(buf, index, isPart), check)
    } catch (error) {
      throw locate(error, buf, index)
    }
  }

  function decode(bytes, options) {
    if (options === undefined || options === null) return read(bytes, 0, false, false)
    return read(bytes, indexOf(options), mayBeSmaller(options), ownField(options, 'check') === true)
  }

  function validate(bytes, options) {
    const given = options ?? {}
    read(bytes, indexOf(given), mayBeSmaller(given), true)
    return getInt32(toBytes(bytes), indexOf(given))
  }

  return { decode, validate }
}

/** @param {DecodeOptions} options */
function indexOf(options) {
  return ownField(options, 'index') ?? 0
}

/** @param {DecodeOptions} options whether other bytes may follow the document */
function mayBeSmaller(options) {
  return ownField(options, 'allowObjectSmallerThanBufferSize') === true
}

module.exports = { makeDecoder }
