'use strict'

// Names of collections: which of them --ns chooses, and what --name or --ns-from and --ns-to call them.

const { Namespace, parseNamespace } = require('../../dump')
const { BUCKETS } = require('../../dump/namespace')
const { UsageError } = require('../terminal/messages')
const { collectionName } = require('../options')

/** @param {Record<string, any>} options @returns {((name: string) => boolean) | undefined} undefined for all */
function wantedOf({ ns }) {
  if (ns === undefined) return undefined
  const names = new Set(ns) // there may be as many as collections
  const patterns = ns.filter(hasAsterisk).map(patternOf)
  const isWanted = name => names.has(name) || patterns.some(pattern => pattern.test(name))
  return name => isWanted(name) || isWanted(seriesOf(name))
}

function hasAsterisk(text) {
  return text.includes('*')
}

/** @param {string} name @returns {string} that of the time series whose documents the collection has, or the same */
function seriesOf(name) {
  const { db, collection } = parseNamespace(name)
  return collection.startsWith(BUCKETS) ? `${db}.${collection.slice(BUCKETS.length)}` : name
}

/** @param {string} text `shop.*` @returns {RegExp} with a group for each asterisk */
function patternOf(text) {
  return new RegExp(`^${text.split('*').map(part => part.replace(/[^\w]/g, '\\$&')).join('(.*)')}$`, 's')
}

/** What is missing of the collections that --ns names. @param {string[]} names of all collections of the input */
function missingOf(ns, names) {
  const all = new Set(names.flatMap(name => [name, seriesOf(name)]))
  const isThere = text => {
    if (!hasAsterisk(text)) return all.has(text)
    const pattern = patternOf(text)
    return [...all].some(name => pattern.test(name))
  }
  const missing = ns.filter(text => !isThere(text))
  if (missing.length === 0) return null
  const known = [...new Set(names)].map(name => name || 'one without a name (see --name)').sort()
  return `no collection ${missing.join(', ')}: there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ') || 'none'}`
}

/**
 * @param {Record<string, any>} options
 * @returns {((namespace: Namespace) => Namespace) | null} what it is called in the output; null when names are kept
 * @throws {UsageError} when the options make no sense, or two collections would have one name
 */
function renamerOf({ name, 'ns-from': from = [], 'ns-to': to = [] }) {
  if (from.length !== to.length) throw new UsageError('each --ns-from needs a --ns-to')
  if (name === undefined && from.length === 0) return null
  const rename = name === undefined ? byPatterns(from, to) : toOne(name)
  /** @type {Map<Namespace, Namespace>} */
  const known = new Map()
  /** The old names by the new ones. @type {Map<string, string>} */
  const origins = new Map()
  return namespace => {
    if (known.has(namespace)) return known.get(namespace)
    const own = renamed(namespace, rename(namespace.name))
    const other = origins.get(own.name) ?? namespace.name
    if (name === undefined && other !== namespace.name) {
      throw new UsageError(`both ${other} and ${namespace.name} would become ${own.name}`)
    }
    origins.set(own.name, namespace.name)
    known.set(namespace, own)
    return own
  }
}

/** @param {string} name the new one */
function toOne(name) {
  /** @type {string | undefined} */
  let first
  return old => {
    if (old !== name && old !== '' && (first ??= old) !== old) {
      throw new UsageError(`--name names one collection, but there are ${first} and ${old}: choose one with --ns`)
    }
    return name
  }
}

/** As mongorestore: what an asterisk matches replaces the asterisk at the same place. */
function byPatterns(from, to) {
  const pairs = from.map((text, i) => {
    if (text.split('*').length !== to[i].split('*').length) {
      throw new UsageError(`--ns-from ${text} and --ns-to ${to[i]} need the same number of asterisks`)
    }
    return { pattern: patternOf(text), parts: to[i].split('*') }
  })
  const rename = old => {
    const pair = pairs.find(({ pattern }) => pattern.test(old))
    if (pair === undefined) return old
    const [, ...groups] = pair.pattern.exec(old)
    const name = pair.parts.map((part, i) => part + (groups[i] ?? '')).join('')
    return collectionName(name, 'ns-to')
  }
  return old => {
    const series = seriesOf(old)
    const [name, own] = [rename(old), rename(series)]
    if (name !== old || own === series) return name
    const { db, collection } = parseNamespace(own)
    return `${db}.${BUCKETS}${collection}` // a time series keeps its documents
  }
}

function renamed(namespace, name) {
  if (namespace.name === name) return namespace
  const { db, collection } = parseNamespace(name)
  const { metadata } = namespace
  return new Namespace(db, collection, { ...namespace, metadata: withName(metadata, name, collection) })
}

/** @param {string | undefined} metadata JSON; mongorestore reads the name in it, too */
function withName(metadata, name, collection) {
  if (metadata === undefined) return undefined
  try {
    const found = JSON.parse(metadata)
    if (found.collectionName !== undefined) found.collectionName = collection
    for (const index of found.indexes ?? []) if (index.ns !== undefined) index.ns = name
    return JSON.stringify(found)
  } catch {
    return metadata // it is not JSON, and nothing reads a name in it
  }
}

module.exports = { wantedOf, missingOf, renamerOf }
