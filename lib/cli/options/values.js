'use strict'

// What the arguments of options mean. Each kind has a reader, under the name that its arguments have in the help.

const { pathOf } = require('../../errors')
const { copyOf } = require('../../bytes')
const { EJSON } = require('../../ejson')
const { RawDocument } = require('../../raw')
const { QueryError, UsageError, asUsage, readTextFile } = require('../terminal/messages')

/** @typedef {string | string[]} Path the names of fields if one is in brackets; otherwise as given: `a.b` */

/** A name in brackets: `["a.b"]`. */
const BRACKETED = /\[("(?:[^"\\]|\\.)*")\]/

/** A step of a path: a name in brackets, or one with the dot before it. */
const STEP = new RegExp(`${BRACKETED.source}|(?:^|(?<!^)\\.)((?:(?!${BRACKETED.source})[^.])+)`, 'sy')

/** What may divide a list, and what does not, such as a comma in brackets. */
const PIECE = new RegExp(`${BRACKETED.source}|.`, 'gs')

/** An equals sign in brackets belongs to a name. */
const PATH_AND_JSON = new RegExp(`^((?:${BRACKETED.source}|[^=])+)=(.*)$`, 's')

const UNITS = { '': 1, k: 1e3, m: 1e6, g: 1e9, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }

const refusal = (option, wish, text) => new UsageError(`--${option} needs ${wish}, not ${JSON.stringify(text)}`)

/** @type {Record<string, (text: string, option: string, row: import('./index').Option) => any>} */
const READERS = {
  N(text, option, { least = 0 }) {
    if (!/^\d+$/.test(text)) throw refusal(option, 'a whole number', text)
    if (Number(text) < least) throw new UsageError(`--${option} needs at least ${least}, not ${text}`)
    return Number(text)
  },

  /** Bytes: `128MB`, `64MiB`, `1000`. */
  SIZE(text, option) {
    const [, number, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? []
    const size = Math.floor(Number(number) * (UNITS[unit?.toLowerCase()] ?? NaN))
    if (!(size > 0)) throw refusal(option, 'a size such as 64MB', text)
    return size
  },

  FILE: named,
  FIELD: (text, option) => pathIn(named(text, option)),
  PATH: pathIn,
  'DB.COLL': named,
  'A,B.C': fieldsIn,
  'A,B': fieldsIn,
  'A,B:-1': (text, option) => asUsage(() => orderIn(text, option), `--${option}: `),
  'PATH=JSON': assignmentIn,
  QUERY: queryIn,

  'OFFSET:LENGTH'(text, option) {
    const [, offset, length] = /^(?:.+:)?(\d+):(\d+)$/s.exec(text) ?? []
    if (offset === undefined) throw refusal(option, 'OFFSET:LENGTH in bytes', text)
    if (!Number.isSafeInteger(Number(offset) + Number(length))) throw new UsageError(`--${option} ${text} is beyond any file`)
    return { offset: Number(offset), length: Number(length) }
  }
}

/** @param {string} text @param {string} option @param {import('./index').Option} row @returns {any} its value */
function valueOf(text, option, row) {
  const { choices, value, read = READERS[value] } = row
  if (choices === undefined) return read === undefined ? text : read(text, option, row)
  if (choices.includes(text)) return text
  const hint = /^(csv|arrow|parquet)$/.test(text) ? `: qbson to-${text} FILE writes it` : ''
  throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}${hint}`)
}

function named(text, option) {
  if (text === '') throw new UsageError(`--${option} needs a name`)
  return text
}

/** The name of one collection, which has that of its database. */
function collectionName(text, option) {
  if (/^\.|\.$|^$/.test(text)) throw refusal(option, 'DB.COLL', text)
  return text
}

/** @param {string} text as headings of CSV and messages show it: `a["b.c"].d` @returns {Path} @throws {UsageError} */
function pathIn(text) {
  const one = plain => {
    if (plain?.includes(',')) throw new UsageError(`one field is needed, not ${text} (a name with a comma is in brackets: ["a,b"])`)
    return plain
  }
  if (!BRACKETED.test(text)) return one(text)
  const keys = []
  for (STEP.lastIndex = 0; STEP.lastIndex < text.length;) {
    const [step, bracketed, name] = STEP.exec(text) ?? []
    if (step === undefined) throw new UsageError(`${text} is not a path such as a["b.c"].d`)
    keys.push(bracketed === undefined ? one(name) : asUsage(() => JSON.parse(bracketed), `[${bracketed}] is not the name of a field: `))
  }
  return keys
}

/** @param {Path} path @returns {string[]} */
function keysOf(path) {
  return typeof path === 'string' ? path.split('.') : path
}

/** @param {Path} path @returns {string} as messages show it */
function shownPath(path) {
  return typeof path === 'string' ? path : pathOf(path)
}

/** @returns {string[]} what is between commas */
function itemsOf(text) {
  const items = ['']
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ',') items.push('')
    else items[items.length - 1] += piece
  }
  return items.map(item => item.trim())
}

/** @returns {Path[]} those in `a,b.c`, without those in another one */
function fieldsIn(text, option) {
  const items = itemsOf(text).filter(item => item !== '')
  if (items.length === 0) throw new UsageError(`--${option} needs names such as a,b.c`)
  const isOdd = /^\s*(?:\{|\$\.)/.test(text) // a projection of the shell, or a path of JSONPath
  if (isOdd) throw refusal(option, 'names such as a,b.c', text)
  const idOf = keys => JSON.stringify(keys)
  const paths = new Map(items.map(pathIn).map(path => [idOf(keysOf(path)), path]))
  const isInOther = path => keysOf(path).some((_, i, keys) => i > 0 && paths.has(idOf(keys.slice(0, i))))
  return [...paths.values()].filter(path => !isInOther(path))
}

/** @param {string} text `name,price:-1`, or as in the shell `{name: 1, price: -1}` @returns {[Path, any][]} */
function orderIn(text, option) {
  // 1 or -1; anything else as it is, for the sorter to refuse
  const directionOf = value => /^[-+]?\d+$/.test(String(value)) ? Number(value) : value
  if (text.trim()[0] === '{') {
    const fields = new RawDocument(EJSON.toBSON(require('./shell').fromShell(text))) // of which each counts at its place
    return Array.from(fields, ({ name, value }) => [name, directionOf(value)])
  }
  return itemsOf(text).map(field => {
    const [, path, direction = '1'] = /^(.*?)(?::([-+]?\w+))?$/s.exec(field)
    if (path === '' || /^-[^:]*$/.test(field)) throw refusal(option, 'fields such as name,price:-1', text)
    return [pathIn(path), directionOf(direction)]
  })
}

/** @returns {{path: Path, added: import('../../raw/rewrite').RawValue}} the field to set, and its value */
function assignmentIn(text, option) {
  const [, path, , json] = PATH_AND_JSON.exec(text) ?? []
  if (path === undefined) throw refusal(option, 'PATH=JSON', text)
  try {
    if (!/[({'/]/.test(json)) JSON.parse(json) // refuses a word of the shell, such as undefined
    const buf = copyOf(EJSON.toBSON(`{${JSON.stringify(path)}:${extendedJSONOf(json)}}`))
    return { path: pathIn(path), added: { type: buf[4], buf, start: buf.indexOf(0, 5) + 1, end: buf.length - 1 } }
  } catch (error) {
    const hint = error instanceof SyntaxError ? ` (text needs quotes: name='"x"')` : ''
    throw new UsageError(`--${option} ${text}: ${error.message}${hint}`)
  }
}

/** @param {string} text Extended JSON, or as in MongoDB's shell: `ObjectId('...')` */
function extendedJSONOf(text) {
  try {
    JSON.parse(text)
    return text
  } catch {
    return require('./shell').fromShell(text)
  }
}

/** @param {string} text a query, or `@FILE` that has one @returns {Uint8Array} BSON @throws {QueryError} */
function queryIn(text, option) {
  if (text === '@') throw new UsageError(`--${option} needs the name of a file after @`)
  const query = text[0] === '@' ? readTextFile(text.slice(1), `--${option}: `) : text
  const wrong = `--${option} is not a query such as {"price": {"$gt": 5}}: `
  return copyOf(asUsage(() => EJSON.toBSON(extendedJSONOf(query)), wrong, QueryError))
}

module.exports = { valueOf, collectionName, keysOf, shownPath }
