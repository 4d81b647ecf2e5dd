'use strict'

// Counts values that do not fit the columns, by field and type, with the place of the first.

const { pathOf } = require('../../errors')
const { getUtf8Lossy } = require('../../bytes')
const { noName } = require('../../elements')
const { NAME_BY_TYPE } = require('../../schema')
const { FORM, KIND, KIND_NAMES } = require('../layout/kinds')

/** The most names without a column that are counted separately at a place; others are counted together. */
const MAX_UNKNOWN = 1000

/**
 * @typedef {object} Note
 * @property {string} path of the field; `[]` stands for the items of an array, `{}` for the values of a map
 * @property {string} type of the values, by its MongoDB name
 * @property {string | null} column the kind of the column; null if the field has none
 * @property {number} count
 * @property {number} document the number of the first one, from 1
 * @property {number} offset of the first one, in bytes from the start
 * @property {string} [file] of the first one, if the documents come from several
 */

/**
 * @typedef {object} Report
 * @property {number} documents read, including those left out
 * @property {number} rejected broken documents left out
 * @property {Note[]} mismatches values that do not fit the columns
 * @property {number} [withoutItems] with the option `unwind`: documents that give no row
 * @property {{path: string, count: number}[]} replaced values that are left out because their field's name repeats in
 *   the document, and the last value of a name counts
 * @property {{path: string, count: number}[]} farDates dates that microseconds in 64 bits cannot hold
 */

/** The path of a field, or inside it. @param {import('../layout/builder').Builder} builder @param {string[]} inside */
function pathTo(builder, ...inside) {
  const keys = inside
  for (let at = builder; at.parent !== null; at = at.parent) {
    keys.unshift(at === at.parent.items ? (at.parent.kind === KIND.MAP ? '{}' : '[]') : at.name)
  }
  return showPath(keys)
}

/** Counts a value, or undoes that. @param {import('../layout/builder').Builder} builder @param {number} at element */
function countMismatch(r, builder, at) {
  const notes = (builder.notes ??= new Map())
  const type = r.buf[at]
  if (!notes.has(type)) {
    const column = showType(builder.type)
    notes.set(type, { path: pathTo(builder), type: NAME_BY_TYPE.get(type), column, count: 0, ...r.placeOf(at) })
  }
  const note = notes.get(type)
  note.count += r.memory.step
  if (note.count === 0) notes.delete(type)
}

/** Notes where a field without a column first occurs. @param {number} at */
function placeUnknown(r, name, at) {
  name.note = { ...name.note, type: NAME_BY_TYPE.get(r.buf[at]), ...r.placeOf(at) }
}

/** Adds the name of a field without a column; returns it, or one that stands for all further names. */
function addUnknown(builder, buf, pos, nameEnd, previous) {
  const { names, children } = builder
  const isFull = names.size - children.length >= MAX_UNKNOWN
  if (isFull && names.more !== null) return names.more
  const name = isFull ? (names.more = noName()) : names.add(buf, pos, nameEnd + 1, null, previous)
  const path = pathTo(builder, isFull ? '\u2026' : getUtf8Lossy(buf, pos, nameEnd))
  name.note = { path, type: '', column: null, count: 0, document: 0, offset: 0 }
  return name
}

/** @param {import('../layout/kinds').Type} type */
function showType({ kind, form, decimal }) {
  if (form === FORM.DECIMAL) return `decimal(${decimal.precision},${decimal.scale})`
  return form === FORM.WKB ? 'geometry' : KIND_NAMES[kind]
}

function showPath(keys) {
  return pathOf(keys).replaceAll('["[]"]', '[]').replaceAll('["{}"]', '{}')
}

/** @returns {import('../layout/builder').Builder[]} this one and all in it */
function allIn(builder, all = []) {
  all.push(builder)
  for (const child of builder.children) allIn(child, all)
  if (builder.items !== null) allIn(builder.items, all)
  return all
}

/** @returns {Note[]} in the order of the columns */
function mismatchesOf(root) {
  return allIn(root).flatMap(({ notes, names, isChosen }) => {
    if (notes === null && names === null) return []
    const others = names === null || isChosen ? [] : names.counting
    const unknown = others.filter(({ count, target }) => count > 0 && target === null)
    const counted = unknown.map(({ note, count }) => ({ ...note, count }))
    return [...(notes?.values() ?? []), ...counted].map(note => ({ ...note }))
  })
}

/** What each of some columns has counted, if any. @param {any[]} builders @param {'replaced' | 'far'} what */
function countedIn(builders, what) {
  const some = builders.filter(builder => builder[what] > 0)
  return some.map(builder => ({ path: pathTo(builder), count: builder[what] }))
}

/** Beyond these upper halves of a time in ms, microseconds do not fit 64 bits. */
const FAR_AFTER = 2147483
const FAR_BEFORE = -2147484

/** Counts the dates of a table that readers with microseconds refuse. */
function countFarDates(dates) {
  for (const date of dates) {
    for (let i = 1; i < 2 * date.length; i += 2) {
      if (date.words[i] > FAR_AFTER || date.words[i] < FAR_BEFORE) date.far++
    }
  }
}

module.exports = { countMismatch, placeUnknown, addUnknown, mismatchesOf, countedIn, countFarDates, allIn, showPath }
