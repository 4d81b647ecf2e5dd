'use strict'

// What compiled codecs are made of: qbson's own primitives, for code that is made at run time and for modules that were
// written ahead of time. Those are for the fastest start: only what their schema needs is loaded, what writes with the
// first document that is written, and what checks when that is asked for.

const { errorAtOffset } = require('../errors')
const { getInt32, getUint32, getInt64, getDouble, getUtf8Lossy } = require('../bytes')
const { ObjectId, Int32, Double } = require('../types')
const { itemAt, tooDeep: tooDeepMessage } = require('../decode')
const { getText, readFrom, readSmall } = require('./input')
const { makeDecoder } = require('./codec')
const { place, toDecode, toReader } = require('./fallback')

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

/** @param {number} maxDepth @param {number} pos of the first element of what is too deep */
function tooDeep(maxDepth, pos) {
  throw errorAtOffset(tooDeepMessage(maxDepth), pos - 4)
}

function getInt32Object(value) {
  return new Int32(value)
}

function getDoubleObject(value) {
  return new Double(value)
}

/** @type {typeof import('../decode') | undefined} */
let decode

/** With the first value that needs it: it takes most of `qbson` with it. */
function loadDecode() {
  return (decode ??= require('../decode'))
}

/** What reads, by name. @returns {Record<string, () => any>} */
function partsOfReaders() {
  return {
    getInt32: () => getInt32,
    getUint32: () => getUint32,
    getInt64: () => getInt64,
    getDouble: () => getDouble,
    getText: () => getText,
    readFrom: () => readFrom,
    readSmall: () => readSmall,
    getUtf8Lossy: () => getUtf8Lossy,
    itemAt: () => itemAt,
    ObjectId: () => ObjectId,
    longOf: () => (low, high) => loadDecode().longOf(low, high),
    promoted: () => (low, high) => loadDecode().promoted(low, high),
    getTimestamp: () => (buf, pos) => loadDecode().getTimestamp(buf, pos),
    getBinary: () => (buf, pos, next, asBuffer) => loadDecode().getBinary(buf, pos, next, asBuffer),
    getDecimal128: () => (buf, pos) => loadDecode().getDecimal128(buf, pos),
    getInt32Object: () => getInt32Object,
    getDoubleObject: () => getDoubleObject,
    startsWith: () => startsWith,
    tooDeep: () => tooDeep,
    place: () => place
  }
}

/**
 * What code is made for.
 *
 * @typedef {object} Compiled
 * @property {() => import('./core').Core} core made when it is needed
 * @property {boolean} isOwn whether `decode` would read something else
 * @property {() => import('../decode/decode').DecodePlan} decodePlan
 */

/** @param {string[]} names @param {Compiled} compiled @returns {Record<string, any>} what the reading half needs */
function readingScope(names, { core, isOwn, decodePlan }) {
  /** @type {import('../decode/decode').DecodePlan | undefined} */
  let plan
  const own = {
    ...(isOwn ? toReader(core) : toDecode(decodePlan)),
    readFallback: isOwn ? (buf, index, end) => core().readRoot(buf, index, end) : (buf, index) => {
      plan ??= decodePlan()
      return loadDecode().decodeAt(buf, index, true, plan)
    }
  }
  const parts = partsOfReaders()
  return Object.fromEntries(names.map(name => [name, own[name] ?? parts[name]()]))
}

/**
 * The codec of a module that was written ahead of time.
 *
 * @param {object} module
 * @param {any} module.schema
 * @param {import('./core').CompileOptions & import('./core').BSONOptions} module.options
 * @param {boolean} module.isOwn
 * @param {string[]} module.reads names that the reading half needs
 * @param {string[]} module.writes
 * @param {(scope: any) => any} module.makeReader
 * @param {(scope: any) => any} module.makeWriter
 * @returns {import('./codec').Codec}
 */
function codecOf({ schema, options, isOwn, reads, writes, makeReader, makeWriter }) {
  let made
  const core = () => (made ??= require('./core').makeCore(schema, options))
  const decodePlan = () => {
    const { layout, upgrade, ...others } = options
    return loadDecode().planOf(others)
  }
  const readRoot = makeReader(readingScope(reads, { core, isOwn, decodePlan }))
  /** @type {ReturnType<typeof import('./encoder').makeEncoder> | undefined} */
  let encoder
  function encoding() {
    if (encoder !== undefined) return encoder
    const { writingScope } = require('./writing')
    const writeRoot = makeWriter(writingScope(writes, core))
    return (encoder = require('./encoder').makeEncoder({ writeRoot, plan: core().plan.encodePlan, core }))
  }
  return {
    ...makeDecoder({ readRoot, core }),
    encode: (doc, options) => encoding().encode(doc, options),
    encodeInto: (doc, target, offset, options) => encoding().encodeInto(doc, target, offset, options),
    sizeOf: (doc, options) => encoding().sizeOf(doc, options),
    isCompiled: true
  }
}

module.exports = { codecOf, readingScope }
