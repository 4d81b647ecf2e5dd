'use strict'

const { codecWork, cross } = require('../runner/codec')
const { kindTables } = require('../runner/tables')
const { random } = require('../data/random')

const COUNT = 8
const LENGTH = 1000

/** Items as an API returns them. @type {Record<string, (types: any, n: number) => any>} */
const ITEMS = {
  'six fields': ({ ObjectId }, n) => ({
    _id: new ObjectId(n.toString(16).padStart(24, '5')), name: `name number ${n}`, age: n % 90, score: n + 0.5, active: n % 2 === 0,
    born: new Date(1e12 + n * 1000)
  }),
  'nested, with optional fields': (types, n) => ({
    id: n, title: `title ${n}`, tags: ['new', 'red'], price: { amount: n / 4, currency: 'EUR' }, ...(n % 3 === 0 ? { note: 'on sale' } : {})
  })
}

const string = { bsonType: 'string' }
const int = { bsonType: 'int' }
const number = { bsonType: ['double', 'int'] }
const object = properties => ({ bsonType: 'object', properties })
const SCHEMAS = {
  'six fields': object({ _id: { bsonType: 'objectId' }, name: string, age: int, score: number, active: { bsonType: 'bool' }, born: { bsonType: 'date' } }),
  'nested, with optional fields': object({
    id: int, title: string, tags: { bsonType: 'array', items: string }, price: object({ amount: number, currency: string }), note: string
  })
}

function listsOf(subject, types) {
  const next = random(23)
  return Array.from({ length: COUNT }, () => ({
    list: Array.from({ length: LENGTH }, () => ITEMS[subject](types, next() % 1_000_000))
  }))
}

const workload = subject => ({
  documents: ({ bson }) => listsOf(subject, bson),
  warmUp: 6, // lists are learned after some 100,000 items
  schema: object({ list: { bsonType: 'array', items: SCHEMAS[subject] } })
})

module.exports = {
  name: 'list',
  title: 'Lists of like objects',
  baseline: 'bson',
  notes: [`Relative rates, \`bson\` = 100, more is faster. ${COUNT} documents hold a list of ${LENGTH} objects each, all different; a process for ` +
    'each kind and direction. `qbson compiled` is given a schema.'],
  cases: () => cross(Object.keys(ITEMS), ['encode', 'decode'], ['bson', 'qbson', 'qbson compiled']),
  prepare: item => codecWork(item, workload(item.subject)),
  docs: false,
  tables: results => kindTables(results, 'bson', 'items')
}
