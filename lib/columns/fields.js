'use strict'

// Selects fields.

const { BSONError } = require('../errors')
const { KIND } = require('./kinds')

/** @typedef {Map<string, Selection | null>} Selection the selected fields inside each field, by name; null for all */

/**
 * @param {(string | string[])[] | undefined} fields paths: `a.b`, or `['a.b']` for a name with a dot in it
 * @param {string} [option] its name, for errors
 * @returns {Selection | null} null for all fields
 * @throws {BSONError} when it is not a list of paths
 */
function selectionOf(fields, option = 'fields') {
  if (fields === undefined || fields === null) return null
  if (!Array.isArray(fields)) throw new BSONError(`${option} must be a list of paths`)
  const selection = new Map()
  for (const path of fields) addPath(selection, keysOf(path, option))
  return selection
}

/** @param {unknown} path @param {string} option @returns {string[]} */
function keysOf(path, option) {
  const keys = typeof path === 'string' ? path.split('.') : path
  if (Array.isArray(keys) && keys.length > 0 && keys.every(key => typeof key === 'string')) return keys
  throw new BSONError(`a path in ${option} must be a string or a list of names`)
}

/** @param {Selection} selection @param {string[]} keys */
function addPath(selection, keys) {
  let at = selection
  keys.forEach((key, i) => {
    const known = at.get(key)
    if (known === null) return
    if (i === keys.length - 1) at.set(key, null)
    else at.set(key, known ?? new Map())
    at = at.get(key) ?? new Map()
  })
}

/**
 * A type with only the selected fields, in their order. A field that the type does not have is always null.
 *
 * @param {import('./kinds').Type} type
 * @param {Selection | null} selection
 * @returns {import('./kinds').Type}
 */
function choose(type, selection) {
  if (selection === null) return type
  if (type.kind === KIND.LIST) return { ...type, items: choose(type.items, selection) }
  if (type.kind !== KIND.STRUCT) return type
  const fields = new Map()
  for (const [name, inner] of selection) {
    const field = type.fields.get(name)
    fields.set(name, field === undefined ? { kind: KIND.NULL } : choose(field, inner))
  }
  return { ...type, fields, isWhole: false, isChosen: true }
}

module.exports = { selectionOf, keysOf, choose }
