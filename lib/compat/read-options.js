'use strict'

// Copies the options of deserialize where that makes them faster to read. The official driver spreads some twenty
// fields into a new options object for every document.

const { NodeBuffer } = require('../bytes')

/** @typedef {import('../decode/decode').DecodeOptions} DecodeOptions */

/**
 * The first version of V8 in which all objects spread from the same one share a hidden class. In earlier versions, as
 * in Node 20, each has its own: reading eleven options takes 800 ns, but 250 by names that vary.
 */
const SAME_CLASS = 12

/** @param {string | undefined} version of V8; undefined in other engines */
function optionsReader(version) {
  return NodeBuffer !== undefined && parseInt(version ?? '') < SAME_CLASS ? copyOptions : options => options
}

/** @type {(options: DecodeOptions) => DecodeOptions} includes inherited options */
const readOptions = optionsReader(globalThis.process?.versions?.v8)

/** @param {DecodeOptions} options from the driver if they have an index @returns {DecodeOptions} */
function copyOptions(options) {
  const { index } = options
  return index === undefined ? options : {
    index,
    allowObjectSmallerThanBufferSize: optionOf(options, 'allowObjectSmallerThanBufferSize'),
    useBigInt64: optionOf(options, 'useBigInt64'),
    promoteLongs: optionOf(options, 'promoteLongs'),
    promoteBuffers: optionOf(options, 'promoteBuffers'),
    promoteValues: optionOf(options, 'promoteValues'),
    fieldsAsRaw: optionOf(options, 'fieldsAsRaw'),
    bsonRegExp: optionOf(options, 'bsonRegExp'),
    raw: optionOf(options, 'raw'),
    validation: optionOf(options, 'validation'),
    maxDepth: 'maxDepth' in options ? options.maxDepth : undefined // the driver has none; reading it would take 150 ns
  }
}

/** All options are read here, with varying names, so that V8 does not cache a lookup per hidden class. */
function optionOf(options, name) {
  return options[name]
}

module.exports = { optionsReader, readOptions }
