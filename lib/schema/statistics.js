'use strict'

// What occurs in documents: at each place how often, and within which bounds. Documents are read as bytes, because only
// bytes distinguish int from double. No document is kept. Statistics of parts can be merged: what is listed remembers
// where it first occurred, so that the order in which the parts were read makes no difference.

const { ELEMENT, MAX_DEPTH, MAX_TIME } = require('../spec')
const { getUtf8, getInt32, getUint32, toBytes, getDouble } = require('../bytes')
const { endOfElement, Names, isNameAt, quickValidate, validate } = require('../elements')
const { viewOf } = require('../decode')
const { encode } = require('../encode')
const { doubleAt, numberAt, compareNumbers } = require('./numbers')

/** Levels that are described. Anything deeper is just an object or an array. */
const MAX_LEVELS = 40

/** Maximum number of field names at one place. More make it a map. */
const MAX_NAMES = 500

/** Maximum number of places. Later fields are not named, which a schema allows. */
const MAX_PLACES = 10_000

/** Limits of an enum: texts, and characters per text. */
const MAX_TEXTS = 8
const MAX_TEXT = 40

/** What has occurred at a place. */
class FieldStats {
  /** @param {number} first where it first occurred, in bytes from the start of all documents */
  constructor(first) {
    this.first = first
    this.count = 0
    /** @type {number[]} the element types, the number of occurrences of each, and the first one */
    this.types = []
    this.times = []
    this.firsts = []
    /** For numbers. NaN once a number occurs that no bound can represent. */
    this.least = Infinity
    this.most = -Infinity
    /** For dates, in ms. */
    this.earliest = Infinity
    this.latest = -Infinity
    /** For strings, in characters. */
    this.shortest = Infinity
    this.longest = 0
    /**
     * @type {{bytes: Uint8Array, times: number, first: number}[] | null} texts in UTF-8 and their occurrences; null
     * once there are too many
     */
    this.texts = []
    /** For arrays, in items. */
    this.fewest = Infinity
    this.fullest = 0
    /** @type {FieldStats | null} the items of arrays */
    this.items = null
    /** @type {Map<string, FieldStats> | null} the fields of documents; null if keys are data */
    this.fields = new Map()
    /** @type {FieldStats | null} the values, if keys are data */
    this.values = null
    /** The fields by the bytes of their names. @type {Names | null} */
    this.names = null
    /** The last document that had the field, because a document may hold a name twice. */
    this.document = -1
  }
}

/** Options for checking documents. */
const WHOLE = { maxDepth: MAX_DEPTH }

class DocumentStats {
  constructor() {
    this.root = new FieldStats(0)
    /** @type {DataView | null} of the memory that is read */
    this.view = null
    this.places = 0
    /** Number of documents entered, including nested ones. */
    this.entered = 0
    /** Bytes of all documents before the memory that is read. */
    this.base = 0
    /** Bytes of all documents so far. */
    this.size = 0
  }

  /**
   * @param {any} document bytes, or an object
   * @param {number} [before] bytes of all documents before it; default: of those that were added
   * @throws {import('../errors').BSONError} on bytes that are not BSON
   */
  add(document, before = this.size) {
    const isBytes = ArrayBuffer.isView(document) || document instanceof ArrayBuffer
    const buf = isBytes ? toBytes(document) : encode(document)
    if (!quickValidate(buf, 0, buf.length)) validate(buf, WHOLE)
    this.base = before
    this.size = before + buf.length
    this.view = viewOf(buf)
    this.enter(buf, 0, buf.length)
  }

  /**
   * @param {Uint8Array} documents consecutive ones
   * @param {number} before bytes of all documents before them
   * @throws {import('../errors').BSONError} on bytes that are not BSON; then nothing is added
   */
  addAll(documents, before) {
    const { length } = documents
    for (let pos = 0, end; pos < length; pos = end) {
      end = pos + getInt32(documents, pos)
      if (!quickValidate(documents, pos, end)) validate(documents.subarray(pos, end), WHOLE)
    }
    this.base = before
    this.size = before + length
    this.view = viewOf(documents)
    for (let pos = 0, end; pos < length; pos = end) {
      end = pos + getInt32(documents, pos)
      this.enter(documents, pos, end)
    }
  }

  /** @param {Uint8Array} buf @param {number} start of a valid document @param {number} end */
  enter(buf, start, end) {
    const { root } = this
    root.count++
    countType(root, ELEMENT.DOCUMENT, 1, this.base + start)
    this.walkFields(buf, start + 4, end - 1, root, 1)
  }

  /** Visits the elements of a valid document. */
  walkFields(buf, pos, end, place, level) {
    const document = this.entered++
    const { view } = this
    let name = place.fields === null ? null : (place.names ??= new Names()).start
    while (pos < end) {
      let at
      let nameEnd
      if (name !== null && isNameAt(name.next, buf, view, pos + 1)) {
        name = name.next
        at = name.target
        nameEnd = pos + name.size
      } else {
        nameEnd = endOfName(buf, pos + 1)
        name = name === null || place.fields === null ? null : this.nameAt(place, buf, pos + 1, nameEnd, name)
        at = name === null ? place.values : name.target // null if there are too many places
      }
      const after = endOfElement(buf, pos, nameEnd, end)
      if (at !== null) {
        if (name === null) at.count++
        else countIn(at, document)
        this.note(at, buf, pos, nameEnd + 1, after, level)
      }
      pos = after
    }
  }

  /** Visits the items of a valid array. */
  walkItems(buf, pos, end, place, level) {
    let items = 0
    for (; pos < end; items++) {
      place.items ??= this.newPlace(pos)
      const nameEnd = endOfName(buf, pos + 1)
      const after = endOfElement(buf, pos, nameEnd, end)
      if (place.items !== null) {
        place.items.count++
        this.note(place.items, buf, pos, nameEnd + 1, after, level)
      }
      pos = after
    }
    if (items < place.fewest) place.fewest = items
    if (items > place.fullest) place.fullest = items
  }

  /** @param {FieldStats} place @param {number} pos of the element @param {number} value @param {number} next */
  note(place, buf, pos, value, next, level) {
    const type = buf[pos]
    if (place.types[0] === type) place.times[0]++
    else countType(place, type, 1, this.base + pos)
    if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) noteBounds(place, type, buf, value, next, this.base)
    else if (level >= MAX_LEVELS) return
    else if (type === ELEMENT.DOCUMENT) this.walkFields(buf, value + 4, next - 1, place, level + 1)
    else this.walkItems(buf, value + 4, next - 1, place, level + 1)
  }

  /**
   * The name of a field. Creating a string and looking it up in the Map takes ten times as long.
   *
   * @param {FieldStats} place
   * @param {import('../elements').Name} previous the name before it
   * @returns {import('../elements').Name | null} null if its keys are data
   */
  nameAt(place, buf, start, end, previous) {
    const known = place.names.find(buf, this.view, start, end + 1, previous)
    if (known !== null) return known
    const field = this.fieldOf(place, getUtf8(buf, start, end), start - 1)
    if (place.names === null) return null
    return field === null ? place.names.start : place.names.add(buf.subarray(start, end + 1), field, previous)
  }

  /** @returns {FieldStats | null} */
  fieldOf(place, name, pos) {
    const known = place.fields.get(name)
    if (known !== undefined) return known
    if (place.fields.size >= MAX_NAMES) {
      makeMap(place)
      return null
    }
    const field = this.newPlace(pos)
    if (field !== null) place.fields.set(name, field)
    return field
  }

  /** @param {number} pos of the element @returns {FieldStats | null} null if there are too many places */
  newPlace(pos) {
    return this.places++ < MAX_PLACES ? new FieldStats(this.base + pos) : null
  }

  /** @returns {{root: FieldStats, places: number}} what was found, for those of another thread */
  found() {
    const { root, places } = this
    clearNames(root)
    return { root, places }
  }

  /**
   * Adds what others have found.
   *
   * @param {{root: FieldStats, places: number}} found
   * @returns {boolean} false if there are so many places that those of all documents could have left out others
   */
  join({ root, places }) {
    this.places += places
    clearNames(this.root)
    merge(this.root, root)
    return this.places <= MAX_PLACES
  }
}

/** Drops what only reading needs. @param {FieldStats} place */
function clearNames(place) {
  place.names = null
  place.document = -1
  for (const each of [...(place.fields?.values() ?? []), place.values, place.items]) if (each) clearNames(each)
}

function endOfName(buf, pos) {
  while (buf[pos] !== 0) pos++
  return pos
}

/** @param {FieldStats} place @param {number} type @param {number} more @param {number} first where it first occurred */
function countType(place, type, more, first) {
  const { types, times, firsts } = place
  let i = 0
  while (i < types.length && types[i] !== type) i++
  if (i === types.length) {
    types.push(type)
    times.push(0)
    firsts.push(first)
  }
  times[i] += more
  if (first < firsts[i]) firsts[i] = first
}

/** @param {FieldStats} place @param {number} type @returns {number} how often it occurred */
function timesOf({ types, times }, type) {
  const i = types.indexOf(type)
  return i === -1 ? 0 : times[i]
}

function countIn(place, document) {
  if (place.document !== document) place.count++
  place.document = document
}

/** @param {number} base bytes of all documents before `buf` */
function noteBounds(place, type, buf, value, next, base) {
  switch (type) {
    case ELEMENT.INT32:
      return noteNumber(place, getInt32(buf, value))
    case ELEMENT.DOUBLE:
      return noteNumber(place, finite(getDouble(buf, value)))
    case ELEMENT.INT64:
    case ELEMENT.DECIMAL128: {
      const double = doubleAt(type, buf, value)
      return noteNumber(place, double === double ? double : exactOf(numberAt(type, buf, value)))
    }
    case ELEMENT.STRING:
      if (place.texts !== null) noteText(place, buf, value + 4, next - 1, 1, base + value)
      return noteLength(place, buf, value + 4, next - 1)
    case ELEMENT.DATETIME: {
      const time = getInt32(buf, value + 4) * 4294967296 + getUint32(buf, value)
      return noteTime(place, Math.abs(time) > MAX_TIME ? NaN : time)
    }
  }
}

/** Counts characters only if the result could change: a character has up to four bytes. */
function noteLength(place, buf, start, end) {
  const size = end - start
  if (size <= place.longest && size >= 4 * place.shortest) return
  const length = lengthOfText(buf, start, end)
  if (length < place.shortest) place.shortest = length
  if (length > place.longest) place.longest = length
}

/** @param {FieldStats} place @param {number} time ms; NaN where a Date cannot hold it */
function noteTime(place, time) {
  if (time >= place.earliest && time <= place.latest) return
  place.earliest = Math.min(place.earliest, time)
  place.latest = Math.max(place.latest, time)
}

/** @param {number} number @returns {number} NaN if no bound can represent it */
function finite(number) {
  return Number.isFinite(number) ? number : NaN
}

/**
 * The number as a bound can hold it; NaN if JavaScript cannot represent it exactly.
 *
 * @param {number | bigint | string} value
 */
function exactOf(value) {
  const number = finite(Number(value))
  return compareNumbers(value, number) === 0 ? number : NaN
}

function noteNumber(place, number) {
  if (number >= place.least && number <= place.most) return
  place.least = Math.min(place.least, number)
  place.most = Math.max(place.most, number)
}

function isName(name, buf, start, end) {
  const { length } = name
  if (length !== end - start) return false
  for (let i = 0; i < length; i++) if (name[i] !== buf[start + i]) return false
  return true
}

/** The number of code points in valid UTF-8: all bytes except continuation bytes. */
function lengthOfText(buf, start, end) {
  let length = 0
  for (let i = start; i < end; i++) if ((buf[i] & 0xc0) !== 0x80) length++
  return length
}

/**
 * @param {FieldStats} place a place whose texts are still counted
 * @param {number} times how often it occurred
 * @param {number} first where it first occurred
 */
function noteText(place, buf, start, end, times, first) {
  const { texts } = place
  let i = 0
  while (i < texts.length && !isName(texts[i].bytes, buf, start, end)) i++
  if (i === texts.length) {
    if (i === MAX_TEXTS || lengthOfText(buf, start, end) > MAX_TEXT) place.texts = null
    else texts.push({ bytes: new Uint8Array(buf.subarray(start, end)), times, first })
    return
  }
  const text = texts[i]
  text.times += times
  if (first < text.first) text.first = first
}

/** Treats the keys at a place as data from now on. A key that a document has twice counts twice. */
function makeMap(place) {
  const values = new FieldStats(place.first)
  for (const field of place.fields.values()) merge(values, field)
  values.count = values.times.reduce((sum, times) => sum + times, 0)
  place.fields = null
  place.values = values
  place.names = null
}

/**
 * Adds the statistics of one place to another, which takes over the places below it that it lacks. So each call does
 * away with a place, and maps within maps take no longer than their places.
 *
 * @param {FieldStats} into
 * @param {FieldStats} from no longer valid
 */
function merge(into, from) {
  into.first = Math.min(into.first, from.first)
  into.count += from.count
  from.types.forEach((type, i) => countType(into, type, from.times[i], from.firsts[i]))
  into.least = Math.min(into.least, from.least)
  into.most = Math.max(into.most, from.most)
  into.earliest = Math.min(into.earliest, from.earliest)
  into.latest = Math.max(into.latest, from.latest)
  into.shortest = Math.min(into.shortest, from.shortest)
  into.longest = Math.max(into.longest, from.longest)
  mergeTexts(into, from)
  into.fewest = Math.min(into.fewest, from.fewest)
  into.fullest = Math.max(into.fullest, from.fullest)
  if (into.items === null) into.items = from.items
  else if (from.items !== null) merge(into.items, from.items)
  mergeFields(into, from)
}

function mergeTexts(into, { texts }) {
  if (texts === null) into.texts = null
  for (const { bytes, times, first } of texts ?? []) {
    if (into.texts !== null) noteText(into, bytes, 0, bytes.length, times, first)
  }
}

function mergeFields(into, from) {
  if (from.fields === null && into.fields !== null) makeMap(into)
  if (into.fields === null) return mergeValues(into.values, from)
  for (const [name, field] of from.fields) {
    const known = into.fields.get(name)
    if (known === undefined) into.fields.set(name, field)
    else merge(known, field)
  }
  if (into.fields.size > MAX_NAMES) makeMap(into)
}

/** @param {FieldStats} values of a map @param {FieldStats} from a place that is one, or becomes one */
function mergeValues(values, from) {
  if (from.fields !== null) makeMap(from)
  merge(values, from.values)
}

module.exports = { FieldStats, DocumentStats, makeMap, timesOf }
