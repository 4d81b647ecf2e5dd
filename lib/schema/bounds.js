'use strict'

// The bounds of the values under a field, for its schema: the least and the largest number, the lengths of strings, and
// so on.

const { ELEMENT, MAX_TIME } = require('../spec')
const { compareBytes, getInt32, getUint32, getDouble } = require('../bytes')
const { doubleAt, numberAt, compareNumbers } = require('./numbers')

/** Limits of an enum: strings, and characters per text. */
const MAX_TEXTS = 8
const MAX_TEXT = 40

class Bounds {
  constructor() {
    /** For numbers. NaN once a number occurs that no bound can represent. */
    this.least = Infinity
    this.most = -Infinity
    /** For dates, in ms. NaN once a Date cannot hold one. */
    this.earliest = Infinity
    this.latest = -Infinity
    /** For strings, in characters. */
    this.shortest = Infinity
    this.longest = 0
    /**
     * @type {{bytes: Uint8Array, first: number}[] | null} strings in UTF-8, and where each first occurred; null once
     * there are too many
     */
    this.texts = []
    /** For arrays, in items. */
    this.fewest = Infinity
    this.fullest = 0
  }
}

/** What nothing is known of. */
const NO_BOUNDS = Object.freeze(new Bounds())

/** Adds a value of each type. */
const ADD = {
  [ELEMENT.INT32]: (bounds, buf, value) => addNumber(bounds, getInt32(buf, value)),
  [ELEMENT.DOUBLE]: (bounds, buf, value) => addNumber(bounds, finite(getDouble(buf, value))),
  [ELEMENT.INT64]: (bounds, buf, value) => addLong(bounds, ELEMENT.INT64, buf, value),
  [ELEMENT.DECIMAL128]: (bounds, buf, value) => addLong(bounds, ELEMENT.DECIMAL128, buf, value),
  [ELEMENT.STRING]: (bounds, buf, value, next, base) => addString(bounds, buf, value + 4, next - 1, base + value),
  [ELEMENT.DATETIME]: addTime
}

/** @type {import('./field-stats').ValueStats} */
const BOUNDS = {
  maxLevels: 40,
  maxNames: 500,
  types: Object.keys(ADD).map(Number),

  add(field, type, buf, value, next, base) {
    ADD[type](boundsOf(field), buf, value, next, base)
  },

  addArray(field, items) {
    const bounds = boundsOf(field)
    if (items < bounds.fewest) bounds.fewest = items
    if (items > bounds.fullest) bounds.fullest = items
  },

  merge(into, from) {
    for (const key of ['least', 'earliest', 'shortest', 'fewest']) into[key] = Math.min(into[key], from[key])
    for (const key of ['most', 'latest', 'longest', 'fullest']) into[key] = Math.max(into[key], from[key])
    if (from.texts === null) into.texts = null
    for (const { bytes, first } of from.texts ?? []) {
      if (into.texts !== null) addText(into, bytes, 0, bytes.length, first)
    }
  }
}

function boundsOf(field) {
  return (field.facts ??= new Bounds())
}

/** Counts characters only if the result could change: a character has up to four bytes. */
function addString(bounds, buf, start, end, first) {
  if (bounds.texts !== null) addText(bounds, buf, start, end, first)
  const size = end - start
  if (size <= bounds.longest && size >= 4 * bounds.shortest) return
  const length = lengthOfText(buf, start, end)
  if (length < bounds.shortest) bounds.shortest = length
  if (length > bounds.longest) bounds.longest = length
}

/** In ms; NaN where a Date cannot hold it. */
function addTime(bounds, buf, value) {
  const ms = getInt32(buf, value + 4) * 4294967296 + getUint32(buf, value)
  const time = Math.abs(ms) > MAX_TIME ? NaN : ms
  if (time >= bounds.earliest && time <= bounds.latest) return
  bounds.earliest = Math.min(bounds.earliest, time)
  bounds.latest = Math.max(bounds.latest, time)
}

function addLong(bounds, type, buf, value) {
  if (bounds.least === bounds.least) addNumber(bounds, exactAt(type, buf, value))
}

function addNumber(bounds, number) {
  if (number >= bounds.least && number <= bounds.most) return
  bounds.least = Math.min(bounds.least, number)
  bounds.most = Math.max(bounds.most, number)
}

/** @returns {number} NaN if no bound can represent it */
function finite(number) {
  return Number.isFinite(number) ? number : NaN
}

/**
 * The number as a bound; NaN if no double is exactly that number. MongoDB takes the bound 0.1 for all the digits of the
 * double, and so refuses the decimal 0.1.
 */
function exactAt(type, buf, pos) {
  const double = doubleAt(type, buf, pos)
  if (double === double && (type === ELEMENT.INT64 || Number.isInteger(double))) return double
  const text = String(numberAt(type, buf, pos))
  const number = finite(Number(text))
  return compareNumbers(text, number.toPrecision(100)) === 0 ? number : NaN
}

function isText(bytes, buf, start, end) {
  return bytes.length === end - start && compareBytes(bytes, 0, bytes.length, buf, start, end) === 0
}

/** The number of code points in valid UTF-8: all bytes except continuation bytes. */
function lengthOfText(buf, start, end) {
  let length = 0
  for (let i = start; i < end; i++) if ((buf[i] & 0xc0) !== 0x80) length++
  return length
}

/** Of bounds whose strings are still known. @param {number} first where the text first occurred */
function addText(bounds, buf, start, end, first) {
  const { texts } = bounds
  let i = 0
  while (i < texts.length && !isText(texts[i].bytes, buf, start, end)) i++
  if (i < texts.length) texts[i].first = Math.min(texts[i].first, first)
  else if (i === MAX_TEXTS || lengthOfText(buf, start, end) > MAX_TEXT) bounds.texts = null
  else texts.push({ bytes: new Uint8Array(buf.subarray(start, end)), first })
}

module.exports = { BOUNDS, NO_BOUNDS }
