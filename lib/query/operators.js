'use strict'

// Tests of one value by what it is: its type, its length, its bits.

const { ELEMENT, BSONType } = require('../spec')
const { BSONError } = require('../errors')
const { copyOf, getInt32, putInt64, getUtf8 } = require('../bytes')
const { ElementCursor } = require('../elements')
const { binaryOverhead } = require('../types')
const { nearestDouble, truncated, isWhole } = require('./numbers')
const { GROUP, NUMBER } = require('./order')

/** @typedef {import('./order').Element} Element */
/** @typedef {import('./path').Test} Test */

/** @param {string} operator @param {Element} element an array, or an error @returns {Element[]} its values */
function itemsOf(operator, { type, buf, value, end }) {
  if (type !== ELEMENT.ARRAY) throw new BSONError(`${operator} needs an array`)
  const items = []
  const cursor = new ElementCursor().open(buf, value, end - 1)
  while (cursor.next()) items.push({ type: cursor.type, buf, value: cursor.value, end: cursor.end })
  return items
}

/** @param {string} what @param {Element} number from 0 to `most`, or an error */
function countOf(what, { type, buf, value }, most = 0x7fffffff) {
  const number = GROUP[type] === NUMBER && isWhole(type, buf, value) ? nearestDouble(type, buf, value) : NaN
  if (number >= 0 && number <= most) return number
  throw new BSONError(`${what} must be a whole number from 0 to ${most}`)
}

/** $exists @param {Element} element */
function isTrue({ type, buf, value }) {
  if (type === ELEMENT.BOOLEAN) return buf[value] === 1
  if (GROUP[type] === NUMBER) return nearestDouble(type, buf, value) !== 0 || !isWhole(type, buf, value)
  return type !== ELEMENT.NULL && type !== ELEMENT.UNDEFINED
}

/** $type @param {Element} element a name, a number, or a list of them @returns {Test} */
function hasType(element) {
  const wanted = new Uint8Array(256)
  const named = element.type === ELEMENT.ARRAY ? itemsOf('$type', element) : [element]
  if (named.length === 0) throw new BSONError('$type needs at least one type')
  for (const type of named.flatMap(typesOf)) wanted[type] = 1
  return type => wanted[type] === 1
}

function typesOf({ type, buf, value, end }) {
  const isText = type === ELEMENT.STRING
  if (!isText && GROUP[type] !== NUMBER) throw new BSONError('$type needs names or numbers of types')
  const given = isText ? getUtf8(buf, value + 4, end - 1) : nearestDouble(type, buf, value)
  if (given === 'number') return [ELEMENT.DOUBLE, ELEMENT.INT32, ELEMENT.INT64, ELEMENT.DECIMAL128]
  const known = isText ? Object.hasOwn(BSONType, given) : Object.values(BSONType).includes(/** @type {any} */ (given))
  if (!known) throw new BSONError(`$type does not know the type ${isText ? JSON.stringify(given) : given}`)
  return [(isText ? BSONType[given] : given) & 0xff]
}

/** $size @param {Element} element @returns {Test} */
function hasSize(element) {
  const size = countOf('$size', element)
  const cursor = new ElementCursor()
  return (type, buf, value, end) => {
    if (type !== ELEMENT.ARRAY) return false
    cursor.open(buf, value, end - 1)
    let count = 0
    while (count <= size && cursor.next()) count++
    cursor.close()
    return count === size
  }
}

/** $mod, of numbers truncated to integers @param {Element} element `[divisor, remainder]` @returns {Test} */
function hasRemainder(element) {
  const items = itemsOf('$mod', element)
  if (items.length !== 2) throw new BSONError('$mod needs a divisor and a remainder')
  const [divisor, remainder] = items.map(({ type, buf, value }) => {
    return GROUP[type] === NUMBER ? truncated(type, buf, value) : null
  })
  if (divisor === null || remainder === null) throw new BSONError('$mod needs two numbers in the range of an int64')
  if (divisor === 0n) throw new BSONError('$mod cannot divide by 0')
  const isSmall = Number.isSafeInteger(Number(divisor))
  const [by, rest] = [Number(divisor), Number(remainder)]
  return (type, buf, value) => {
    if (GROUP[type] !== NUMBER) return false
    if (type === ELEMENT.INT32 && isSmall) return getInt32(buf, value) % by === rest
    const whole = truncated(type, buf, value)
    return whole !== null && whole % divisor === remainder
  }
}

/** The bytes with bits that a list of numbers, a number or a binary value names: their indexes, and their bits. */
function bitsOf(operator, element) {
  const { type, buf, value, end } = element
  if (type === ELEMENT.ARRAY) {
    const bits = itemsOf(operator, element).map(item => countOf(`a bit of ${operator}`, item))
    return { indexes: bits.map(bit => Math.floor(bit / 8)), masks: bits.map(bit => 1 << (bit % 8)) }
  }
  const masks = type === ELEMENT.BINARY ? copyOf(buf, value + binaryOverhead(buf[value + 4]), end) : new Uint8Array(8)
  if (type !== ELEMENT.BINARY) {
    const number = GROUP[type] === NUMBER && isWhole(type, buf, value) ? truncated(type, buf, value) : null
    if (number === null || number < 0n) throw new BSONError(`${operator} needs a positive number, a list of bits or a binary value`)
    putInt64(number, masks, 0)
  }
  const indexes = new Uint32Array(masks.length)
  let count = 0
  for (let i = 0; i < masks.length; i++) { // `filter` takes 20 times as long
    if (masks[i] === 0) continue
    indexes[count] = i
    masks[count++] = masks[i]
  }
  return { indexes: indexes.slice(0, count), masks: masks.slice(0, count) }
}

/** By operator: whether the bits are to be set, and whether all of them. @type {Record<string, [boolean, boolean]>} */
const BIT_TESTS = {
  $bitsAllSet: [true, true], $bitsAnySet: [true, false], $bitsAllClear: [false, true], $bitsAnyClear: [false, false]
}

/** Of whole numbers as int64, and of binary values, whose first byte has the lowest bits. @returns {Test} */
function hasBits(operator, element) {
  const [isWanted, isAll] = BIT_TESTS[operator]
  const { indexes, masks } = bitsOf(operator, element)
  const number = new Uint8Array(8)
  const holds = (buf, start, end, beyond) => {
    for (let i = 0; i < masks.length; i++) {
      const byte = start + indexes[i] < end ? buf[start + indexes[i]] : beyond ? 0xff : 0
      const found = (isWanted ? byte : ~byte) & masks[i]
      if (isAll ? found !== masks[i] : found !== 0) return !isAll
    }
    return isAll
  }
  return (type, buf, value, end) => {
    if (type === ELEMENT.BINARY) return holds(buf, value + binaryOverhead(buf[value + 4]), end, false)
    if (GROUP[type] !== NUMBER || !isWhole(type, buf, value)) return false
    if (type === ELEMENT.INT32 || type === ELEMENT.INT64) return holds(buf, value, end, buf[end - 1] > 127)
    const whole = truncated(type, buf, value)
    if (whole === null) return false
    putInt64(whole, number, 0)
    return holds(number, 0, 8, whole < 0n)
  }
}

module.exports = { itemsOf, isTrue, hasType, hasSize, hasRemainder, BIT_TESTS, hasBits }
