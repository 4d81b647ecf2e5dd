'use strict'

// Selects fields.

const { refusal } = require('../../options')
const { KIND } = require('./kinds')

/** @typedef {Map<string, Selection | null>} Selection the selected fields inside each field, by name; null for all */

/**
 * @template T
 * @typedef {import('../../options').OptionReader<T | null>} OptionReader null for what is not given
 */

/** An option: `a.b`, or `['a.b']` for a name with a dot in it. @type {OptionReader<string[]>} */
function onePath(path, name) {
  if (path === undefined) return null
  const keys = typeof path === 'string' ? path.split('.') : path
  if (Array.isArray(keys) && keys.length > 0 && keys.every(key => typeof key === 'string')) return keys.map(asWritten)
  throw refusal(name, path, 'a path: a string, or a list of names')
}

/** The name that `encode` writes: half a surrogate pair becomes U+FFFD. @param {string} key */
function asWritten(key) {
  return key.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The same, but not as $unwind writes it. @type {OptionReader<string[]>} */
function listPath(path, name) {
  if (typeof path !== 'string' || path[0] !== '$') return onePath(path, name)
  throw refusal(name, path, 'a path without the $, or a list of names for a field whose name begins with it')
}

/** An option: a list of paths. @type {OptionReader<string[][]>} */
function pathList(paths, name) {
  if (paths === undefined || paths === null) return null
  if (!Array.isArray(paths)) throw refusal(name, paths, 'a list of paths')
  return paths.map(path => onePath(path ?? null, name))
}

/** An option: a list of paths, as the fields they select. @type {OptionReader<Selection>} */
function selectedBy(paths, name) {
  const list = pathList(paths, name)
  if (list === null) return null
  const selection = new Map()
  for (const keys of list) addPath(selection, keys)
  return selection
}

function addPath(selection, keys) {
  /** @type {Selection | null} null where another path has selected all */
  let at = selection
  for (const [i, key] of keys.entries()) {
    if (i === keys.length - 1) at.set(key, null)
    else if (!at.has(key)) at.set(key, new Map())
    at = at.get(key)
    if (at === null) return
  }
}

/**
 * A type with only the selected fields, in their order. A field that the type does not have is always null, and so is
 * one inside values that are no documents. @returns {import('./kinds').Type}
 */
function choose(type, selection) {
  if (selection === null) return type
  if (type.kind === KIND.LIST) return { ...type, items: choose(type.items, selection), selection }
  if (type.kind === KIND.JSON) return { ...type, selection }
  const typeOf = type.kind === KIND.MAP ? () => type.items : name => type.fields?.get(name)
  const fields = new Map()
  for (const [name, inner] of selection) fields.set(name, choose(typeOf(name) ?? NOTHING, inner))
  return { kind: KIND.STRUCT, fields, isWhole: false, isChosen: true, selection }
}

/** @type {import('./kinds').Type} */
const NOTHING = { kind: KIND.NULL }

/** @param {Selection} selection @param {string[]} around the keys before it @returns {string[][]} its paths */
function pathsOf(selection, around) {
  return [...selection].flatMap(([name, inner]) => {
    const path = [...around, name]
    return inner === null ? [path] : pathsOf(inner, path)
  })
}

module.exports = { listPath, pathList, selectedBy, choose, pathsOf }
