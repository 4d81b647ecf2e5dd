'use strict'

// MongoDB's order of values, on their bytes: https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/

const { ELEMENT, MAX_DEPTH } = require('../spec')
const { errorAtOffset } = require('../errors')
const { compareBytes, getInt32, getUint32 } = require('../bytes')
const { ElementCursor, innerDocument, tooDeep } = require('../elements')
const { compareNumbers } = require('./numbers')

/**
 * Where a value is. An ElementCursor is one too.
 *
 * @typedef {object} Element
 * @property {number} type 0 for a missing field
 * @property {Uint8Array} buf
 * @property {number} value offset
 * @property {number} end offset after it
 */

/**
 * The groups of types in their order, and how values of one group are compared with each other.
 *
 * @type {{types: number[], compare: (a: Element, b: Element, depth: number) => number}[]}
 */
const GROUPS = [
  { types: [ELEMENT.MIN_KEY], compare: compareContents },
  { types: [0, ELEMENT.UNDEFINED], compare: compareContents },
  { types: [ELEMENT.NULL], compare: compareContents },
  { types: [ELEMENT.INT32, ELEMENT.INT64, ELEMENT.DOUBLE, ELEMENT.DECIMAL128], compare: compareNumbers },
  { types: [ELEMENT.STRING, ELEMENT.SYMBOL], compare: compareTexts },
  { types: [ELEMENT.DOCUMENT], compare: compareContainers },
  { types: [ELEMENT.ARRAY], compare: compareContainers },
  { types: [ELEMENT.BINARY], compare: compareBinaries },
  { types: [ELEMENT.OBJECT_ID], compare: compareContents },
  { types: [ELEMENT.BOOLEAN], compare: compareContents },
  { types: [ELEMENT.DATETIME], compare: (a, b) => compareHalves(getInt32, a, b) },
  { types: [ELEMENT.TIMESTAMP], compare: (a, b) => compareHalves(getUint32, a, b) },
  { types: [ELEMENT.REGEX], compare: compareContents },
  { types: [ELEMENT.DB_POINTER], compare: (a, b) => a.end - a.value - (b.end - b.value) || compareContents(a, b) },
  { types: [ELEMENT.CODE], compare: compareTexts },
  { types: [ELEMENT.CODE_WITH_SCOPE], compare: compareCodesWithScope },
  { types: [ELEMENT.MAX_KEY], compare: compareContents }
]

/** The group of each type. */
const GROUP = Uint8Array.from({ length: 256 }, (_, type) => GROUPS.findIndex(({ types }) => types.includes(type)))

const NUMBER = GROUP[ELEMENT.DOUBLE]

/** Compares two values, inside `depth` levels. @returns {number} negative, 0 or positive @throws on invalid bytes */
function compareElements(a, b, depth = 0) {
  const group = GROUP[a.type]
  return group === GROUP[b.type] ? GROUPS[group].compare(a, b, depth) : group - GROUP[b.type]
}

/** The bytes of an id, a boolean or a regular expression; nothing. */
function compareContents(a, b) {
  return compareBytes(a.buf, a.value, a.end, b.buf, b.value, b.end)
}

/** int32 length | bytes | 0x00 */
function compareTexts(a, b) {
  return compareBytes(a.buf, a.value + 4, a.end - 1, b.buf, b.value + 4, b.end - 1)
}

/** int32 length | subtype | bytes */
function compareBinaries(a, b) {
  return getInt32(a.buf, a.value) - getInt32(b.buf, b.value) ||
    compareBytes(a.buf, a.value + 4, a.end, b.buf, b.value + 4, b.end)
}

/** By 64 bits. @param {typeof getInt32} getHigh reads the upper half */
function compareHalves(getHigh, a, b) {
  return getHigh(a.buf, a.value + 4) - getHigh(b.buf, b.value + 4) ||
    getUint32(a.buf, a.value) - getUint32(b.buf, b.value)
}

/** Field by field: the type, the name, the value. The one that ends first is less. */
function compareContainers(a, b, around) {
  const depth = around + 1
  if (depth > MAX_DEPTH) throw errorAtOffset(tooDeep(MAX_DEPTH), a.value)
  const left = new ElementCursor().open(a.buf, a.value, a.end - 1)
  const right = new ElementCursor().open(b.buf, b.value, b.end - 1)
  const isDocument = a.type !== ELEMENT.ARRAY
  while (left.next()) {
    if (!right.next()) return 1
    const order = GROUP[left.type] - GROUP[right.type] || (isDocument && compareNames(left, right)) ||
      compareElements(left, right, depth)
    if (order !== 0) return order
  }
  return right.next() ? -1 : 0
}

function compareNames(a, b) {
  return compareBytes(a.buf, a.pos + 1, a.nameEnd, b.buf, b.pos + 1, b.nameEnd)
}

/** int32 total size | string | document */
function compareCodesWithScope(a, b, depth) {
  const scope = scopeOf(a)
  const other = scopeOf(b)
  return compareBytes(a.buf, a.value + 8, scope.value - 1, b.buf, b.value + 8, other.value - 1) ||
    compareContainers(scope, other, depth)
}

function scopeOf({ type, buf, value, end }) {
  return { type: ELEMENT.DOCUMENT, buf, value: innerDocument(type, buf, value), end }
}

module.exports = { GROUPS, GROUP, NUMBER, compareElements }
