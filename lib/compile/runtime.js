'use strict'

// What compiled codecs are made of: qbson's own primitives, for code that is made at run time and for modules that were
// written ahead of time. Those are for the fastest start: what is not needed to read or to write every document is in
// late.js, or is loaded by what is there.

const { getInt32, getUint32, getInt64 } = require('../bytes')
const { getDouble, setDouble } = require('../bytes/float')
const { putUtf8, getUtf8Lossy } = require('../bytes/utf8')
const { scanElement, itemAt } = require('../decode/scan')
const { putIndexName } = require('../bytes/index-names')
const { getText, readFrom, readSmall } = require('./input')
const { makeDecoder } = require('./decoder')
const { Slow, makeDocument, OPTIONAL, REQUIRED, OPTIONAL_PLACE, REQUIRED_PLACE, ITEM } = require('./slow')
const {
  isObjectId, isLong, isDecimal128, isBinary, isMap, getObjectId, getLong, getInt32Object, getDoubleObject,
  getPromotedInt64, getDecimal128, getTimestamp, getBinary, roomOf, putObjectId, putDate, putDecimal128, putBinary,
  cameThrough
} = require('./late')

const hasOwn = Object.prototype.hasOwnProperty

/** 0x12 "0" 0x00, as the upper three bytes of a word. */
const FINGERPRINT_HEAD = 0x003012 << 8

/** Whether a positional document begins with a fingerprint: int64 "0", and its lower and upper half. */
function startsWith(buf, index, end, low, high) {
  return (
    index + 15 < end &&
    getInt32(buf, index + 4) << 8 === FINGERPRINT_HEAD &&
    getInt32(buf, index + 7) === low &&
    getInt32(buf, index + 11) === high
  )
}

/** Where a function for some of the fields stopped: a negative number, and the place. */
function leave(i, place, values) {
  values.place = place
  return -1 - i
}

/**
 * What a module that was written ahead of time leaves to the interpreter, which is loaded when it is needed.
 *
 * @param {any} schema
 * @param {import('./interpret').CompileOptions} options
 */
function slowOf(schema, options) {
  return new Slow(() => require('./interpret').makeInterpreter(schema, options))
}

/**
 * The codec of such a module. What writes is loaded when it is needed.
 *
 * @param {import('./interpret').Core} core
 * @param {Slow} slow
 * @param {import('../encode/options').EncodeOptions} options
 * @returns {import('./decoder').Codec}
 */
function codecOf({ writeRoot, readRoot }, slow, options) {
  /** @type {ReturnType<typeof import('./encoder').makeEncoder> | undefined} */
  let encoder
  const checkRaw = raw => slow.checkRaw(raw)
  function encoding() {
    return (encoder ??= require('./encoder').makeEncoder({ writeRoot, plan: planFor(options), checkRaw }))
  }
  return {
    ...makeDecoder(readRoot),
    encode: (doc, options) => encoding().encode(doc, options),
    encodeInto: (doc, target, offset, options) => encoding().encodeInto(doc, target, offset, options),
    sizeOf: (doc, options) => encoding().sizeOf(doc, options),
    isCompiled: true
  }
}

function planFor(options) {
  return require('../encode/options').planOf(options)
}

module.exports = {
  slowOf, codecOf, OPTIONAL, REQUIRED, OPTIONAL_PLACE, REQUIRED_PLACE, ITEM, hasOwn, isObjectId, isLong, isDecimal128,
  isBinary, isMap, cameThrough, putUtf8, roomOf, putObjectId, putDate, putDecimal128, putBinary, putIndexName,
  scanElement, getText, getUtf8Lossy, getObjectId, getLong, getInt32Object, getDoubleObject, getPromotedInt64,
  getDecimal128, getTimestamp, getBinary, itemAt, startsWith, leave, makeDocument, readFrom, readSmall, getInt32,
  getUint32, getInt64, getDouble, setDouble
}
