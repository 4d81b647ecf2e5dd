'use strict'

// Infers the types of documents in one pass, from the element types at each place. Looks at values only if the element
// type is not enough.

const { ELEMENT, SUBTYPE, FIXED_SIZE } = require('../spec')
const { BSONError } = require('../errors')
const { getInt32, isExactInt64, getUtf8, checkUtf8 } = require('../bytes')
const { scanName, scanElement, validate, locate } = require('../elements')
const { DecimalStats } = require('./decimal')
const { Documents } = require('./documents')
const { MAX_COLUMNS, MAX_LEVELS } = require('./kinds')
const { Names, isNameAt } = require('../elements')
const { Place, BIT, DEEP, VARIED, bitOf, makeMap, isMap, keysTo, select } = require('./place')
const { showPath } = require('./report')

/** The most names at one place within a document: a place with more is a map. */
const MAX_NAMES = 2000

/** From this many names on, a place may be a map. */
const LARGE = 128

class Inference extends Documents {
  /**
   * @param {import('./fields').Selection | null} selection
   * @param {import('./fields').Selection | null} json the fields that are one text each, whatever they hold
   * @param {boolean} validatesFirst whether documents may be left out: broken ones then do not count for types
   */
  constructor(selection, json, validatesFirst) {
    super()
    this.validatesFirst = validatesFirst
    /** Gets errors, and may throw them. @type {((error: BSONError, bytes: Uint8Array) => void) | null} */
    this.onBroken = null
    this.root = newRoot(selection, json)
    this.places = 0
    /** A second result: the offset after a name. */
    this.pos = 0
  }

  /** Ignores broken documents: they are reported when they are read, unless nobody will. */
  leaveOut(error, start, next) {
    if (!(error instanceof BSONError) || error.offset === undefined) throw error
    this.rejected++
    if (this.onBroken === null) return
    const bytes = this.buf.subarray(start, next)
    error.offset -= start
    this.onBroken(this.placed(locate(error, bytes, 0), start), bytes)
  }

  readDocument(start, end) {
    if (this.validatesFirst) validate(this.buf, { index: start, allowObjectSmallerThanBufferSize: true })
    this.root.documents++
    this.readFields(this.buf, start + 4, end, this.root)
  }

  readFields(buf, pos, end, parent) {
    const { view } = this
    let name = parent.names === null ? null : parent.names.start
    while (pos < end) {
      const at = pos++
      if (name !== null && isNameAt(name.next, buf, view, pos)) {
        name = name.next
        pos += name.size
      } else {
        name = this.lookUp(buf, at, end, parent, name)
        pos = this.pos
      }
      pos = this.note(name === null ? parent.values : name.target, buf, at, pos, end)
    }
  }

  readItems(buf, pos, end, place) {
    while (pos < end) {
      const at = pos++
      while (buf[pos++] > 0);
      if (buf[at] === ELEMENT.DOUBLE && pos + 8 <= end) {
        place.count++
        place.types |= BIT.DOUBLE
        pos += 8
      } else {
        pos = this.note(place, buf, at, pos, end)
      }
    }
  }

  /** The name of the element at `at`; null if names are data. */
  lookUp(buf, at, end, parent, previous) {
    const known = previous === null ? null : parent.names.find(buf, this.view, at + 1, end, previous)
    if (known !== null) {
      this.pos = at + 1 + known.size
      return known
    }
    const nameEnd = scanName(buf, at + 1, end)
    this.pos = nameEnd + 1
    if (parent.names !== null) return this.addName(buf, at + 1, nameEnd, parent, previous)
    checkUtf8(buf, at + 1, nameEnd)
    return null
  }

  addName(buf, start, end, parent, previous) {
    const { names, selection } = parent
    const text = getUtf8(buf, start, end)
    const isWanted = selection === null || selection.has(text)
    if (!isWanted && names.size >= MAX_NAMES) return names.start
    if (isWanted && this.becomesMap(parent)) return null
    const place = isWanted ? this.newPlace(parent, text) : null
    if (isWanted && selection !== null) place.selection = selection.get(text)
    if (isWanted && parent.json !== null) place.setJson(parent.json.get(text))
    return names.add(buf.subarray(start, end + 1), place, previous)
  }

  /** Makes a place a map if it has too many names. */
  becomesMap(place) {
    const { size } = place.names
    if (place.parent === null || place.selection !== null || size < LARGE) return false
    if (size < MAX_NAMES && ((size & (size - 1)) !== 0 || !isMap(place))) return false
    makeMap(place)
    this.places = countPlaces(this.root)
    return true
  }

  newPlace(parent, name) {
    if (this.places++ < MAX_COLUMNS) return new Place(parent, name)
    throw tooManyColumns(keysTo(parent).concat(name))
  }

  /** @returns {number} the offset after the value @throws {BSONError} when it is broken */
  note(place, buf, at, pos, end) {
    const type = buf[at]
    const fixed = FIXED_SIZE[type]
    const next = fixed === -1 || pos + fixed > end ? scanElement(type, buf, at, pos - 1, end) : pos + fixed
    if (place === null) return next
    place.count++
    place.types |= bitOf(type)
    if (fixed === -1) this.noteLong(place, type, buf, pos, next)
    else if (type === ELEMENT.INT64) place.isExact &&= isExactInt64(getInt32(buf, pos), getInt32(buf, pos + 4))
    else if (type === ELEMENT.DECIMAL128) (place.decimals ??= new DecimalStats()).note(buf, pos)
    return next
  }

  noteLong(place, type, buf, pos, next) {
    if (type === ELEMENT.BINARY) noteBinary(place, buf[pos + 4], next - pos - 5)
    else if (place.isJson || (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY)) return
    else if (place.level >= MAX_LEVELS) place.types |= DEEP
    else if (type === ELEMENT.ARRAY) {
      place.items ??= this.newItems(place)
      this.readItems(buf, pos + 4, next - 1, place.items)
    } else {
      if (place.names === null && place.values === null) place.names = new Names()
      place.documents++
      this.readFields(buf, pos + 4, next - 1, place)
    }
  }

  newItems(place) {
    const items = this.newPlace(place, '[]')
    items.selection = place.selection
    items.json = place.json
    return items
  }
}

/** @param {string[]} keys of one of them */
function tooManyColumns(keys) {
  return new BSONError(`the documents have more than ${MAX_COLUMNS} columns, one of them is ${showPath(keys)}: ` +
    'choose some with the option fields, or pass a schema, where additionalProperties describes documents whose keys are data')
}

/**
 * Applies to places that were merged what inference applies to those it adds.
 *
 * @param {Place} root
 * @param {import('./fields').Selection | null} selection
 * @throws {BSONError} on too many columns
 */
function settle(root, selection) {
  if (selection !== null) select(root, selection)
  settlePlace(root)
  if (countPlaces(root) > MAX_COLUMNS) throw tooManyColumns(keysTo(root.names.list.at(-1).target))
}

/** @param {Place} place */
function settlePlace(place) {
  const { names, parent, selection } = place
  const isLarge = parent !== null && selection === null && names !== null && names.size >= LARGE
  if (isLarge && (names.size >= MAX_NAMES || isMap(place))) makeMap(place)
  for (const inner of below(place)) settlePlace(inner)
}

function newRoot(selection, json) {
  const root = new Place(null, '')
  root.types = BIT.DOCUMENT
  root.names = new Names()
  root.selection = selection
  root.json = json
  return root
}

function noteBinary(place, subtype, size) {
  if (subtype !== SUBTYPE.UUID || size !== 16) place.isUuid = false
  if (place.subtype !== subtype) place.subtype = place.subtype === -1 ? subtype : VARIED
}

/** @param {Place} place @returns {number} the places below */
function countPlaces(place) {
  return below(place).reduce((sum, inner) => sum + 1 + countPlaces(inner), 0)
}

/** @param {Place} place @returns {Place[]} right below */
function below({ names, items, values }) {
  const fields = names === null ? [] : names.list.map(name => name.target)
  return [items, values, ...fields].filter(place => place !== null)
}

/** One stays alive so that its compiled code does: see reader.js. */
const keptInference = new Inference(null, null, false)

module.exports = { Inference, keptInference, settle }
