'use strict'

// Documents from seeds: every run, contender and Node version gets the same ones. Generators make marked JSON
// (`{"$": [type, argument…]}` where JSON has no value); `load` turns it into a contender's values.

const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const mark = (...parts) => ({ $: parts })
const objectId = faker => mark('objectId', faker.string.hexadecimal({ length: 24, casing: 'lower', prefix: '' }))
const date = faker => mark('date', faker.date.between({ from: '2020-01-01', to: '2026-01-01' }).getTime())
const hex = (faker, bytes) => faker.string.hexadecimal({ length: 2 * bytes, casing: 'lower', prefix: '' })
const maybe = (faker, chance, make) => faker.datatype.boolean(chance) ? make() : {}
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i))
const money = (faker, max = 500) => Number(faker.commerce.price({ min: 1, max }))

/**
 * @typedef {object} Collection
 * @property {string} name the prefix of its file names
 * @property {Record<string, (faker: any, shared: any) => any>} kinds the generator of each kind
 * @property {Record<string, (faker: any) => any>} [before] makes the data shared by the documents of a kind
 * @property {(kind: string) => number} countOf
 */

/**
 * @param {Collection} collection
 * @returns {{
 *   generate: (kind: string, count?: number) => any[],
 *   prepare: (directory: string, wanted?: string[]) => void,
 *   load: (kind: string, contender: import('./types').Types, directory?: string) => any[]
 * }} `generate` returns marked documents; `prepare` writes those of some kinds to a directory, once, for the processes that
 *   will time them; `load` returns them as a contender's values, from that directory or newly generated
 */
function collectionOf({ name, kinds, before = {}, countOf }) {
  const fileOf = (directory, kind) => path.join(directory, `${name}-${kind}.json`)
  const generate = (kind, count = countOf(kind)) => {
    const { faker } = require('@faker-js/faker')
    faker.seed(1 + Object.keys(kinds).indexOf(kind))
    faker.setDefaultRefDate('2026-01-01T00:00:00.000Z')
    const shared = before[kind]?.(faker)
    return times(count, () => kinds[kind](faker, shared))
  }
  const prepare = (directory, wanted = Object.keys(kinds)) => {
    for (const kind of wanted) {
      const file = fileOf(directory, kind)
      if (!fs.existsSync(file)) fs.writeFileSync(file, JSON.stringify(generate(kind)))
    }
  }
  const load = (kind, contender, directory) => {
    const marked = directory ? JSON.parse(fs.readFileSync(fileOf(directory, kind), 'utf8')) : generate(kind)
    const documents = revive(marked, contender)
    return Object.keys(documents[0]).length > FAST_KEYS ? documents.map(literal(documents[0])) : documents
  }
  return { generate, prepare, load }
}

/** If an object has more keys, JSON.parse makes it a slow dictionary in V8. */
const FAST_KEYS = 128

/** Makes objects with the keys of a document by an object literal, as application code does. */
function literal(doc) {
  const fields = Object.keys(doc).map(key => `${JSON.stringify(key)}: doc[${JSON.stringify(key)}]`)
  return vm.runInThisContext(`doc => ({ ${fields.join(', ')} })`)
}

/** Replaces the marks in a value by values of a contender, in place. */
function revive(value, contender) {
  if (typeof value !== 'object' || value === null) return value
  if (value.$) return make(value.$, contender)
  for (const key of Object.keys(value)) {
    if (typeof value[key] === 'object') value[key] = revive(value[key], contender)
  }
  return value
}

function make([type, ...args], contender) {
  if (contender[type]) return contender[type](...args)
  return makeBson(type, args, contender.bson)
}

function makeBson(type, args, bson) {
  switch (type) {
    case 'regexp': return new RegExp(args[0], args[1])
    case 'code': return new bson.Code(args[0], args[1])
    case 'timestamp': return new bson.Timestamp({ t: args[0], i: args[1] })
    case 'dbref': return new bson.DBRef(args[0], new bson.ObjectId(args[1]))
    case 'minKey': return new bson.MinKey()
    case 'maxKey': return new bson.MaxKey()
    default: throw new Error(`no such type: ${type}`)
  }
}

module.exports = { mark, objectId, date, hex, maybe, times, money, collectionOf }
