'use strict'

// The options of deserialize, of which the official driver makes a new object for every document: by `...` from some
// twenty fields.

/** @typedef {import('../decode/decode').DecodeOptions} DecodeOptions */

/**
 * The first version of V8 for which all objects that are spread from one have the same hidden class. Before, as on
 * Node 20, each has its own: to read eleven options of it takes 800 ns, and by names that vary 250.
 */
const SAME_CLASS = 12

/** @param {string | undefined} version of V8; of other engines there is none */
function optionsReader(version) {
  return parseInt(version ?? '') < SAME_CLASS ? copyOptions : same
}

/** @type {(options: DecodeOptions) => DecodeOptions} options that are quick to read, with inherited ones too */
const readOptions = optionsReader(globalThis.process?.versions?.v8)

function same(options) {
  return options
}

/** @param {DecodeOptions} options without an index they are not the driver's @returns {DecodeOptions} */
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
    maxDepth: 'maxDepth' in options ? options.maxDepth : undefined // the driver has none, and to read that takes 150 ns
  }
}

/** The one place that reads them all, so that the engine does not look for one name in every class. */
function optionOf(options, name) {
  return options[name]
}

module.exports = { optionsReader, readOptions }
