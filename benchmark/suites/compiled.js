'use strict'

const { loadQbson } = require('../contenders')
const { checkBytes, checkSame } = require('../check')
const { cross } = require('../runner/codec')
const { kindTables } = require('../runner/tables')

const COPIES = 64

const required = ['_id', 'name', 'age', 'score', 'active', 'born']

const USER = {
  bsonType: 'object',
  required,
  properties: {
    _id: { bsonType: 'objectId' },
    name: { bsonType: ['string', 'null'] },
    age: { bsonType: 'int' },
    score: { bsonType: ['double', 'int'] },
    active: { bsonType: 'bool' },
    born: { bsonType: 'date' }
  }
}

/** A document with a map of entries; the schema only describes the entries. */
const mapOf = additionalProperties => ({ bsonType: 'object', properties: { m: { bsonType: 'object', additionalProperties } } })

const ENTRY = { bsonType: 'object', properties: { n: { bsonType: 'int' }, s: { bsonType: 'string' } } }

/** Makes a document that differs by its number. */
const user = ({ ObjectId }, i) => ({
  _id: new ObjectId(), name: `name number ${i}`, age: 20 + i, score: i + 0.5, active: i % 2 === 0, born: new Date(1e12 + i * 1e7)
})

function inOrder(doc, names) {
  return Object.fromEntries(names.map(name => [name, doc[name]]))
}

const entries = (count, make) => ({ m: Object.fromEntries(Array.from({ length: count }, (_, k) => [`key${k}`, make(k)])) })

/** The ways in which a program makes an object. */
const WAYS = {
  literal: doc => doc,
  decoded: (doc, { encode, decode }) => decode(encode(doc)),
  parsed: doc => {
    const parsed = JSON.parse(JSON.stringify(doc))
    for (const key of Object.keys(doc)) if (typeof doc[key] === 'object') parsed[key] = doc[key] // the ids and dates
    return parsed
  },
  spread: doc => ({ ...doc })
}

/** Ways to differ from the schema: the schema, and how to make a document. Some may be decoded but not encoded. */
const KINDS = {
  'as the schema says': [USER, user],
  'a field more at the end': [USER, (types, i) => ({ ...user(types, i), __v: i })],
  'a field more in the middle': [USER, (types, i) => {
    const { _id, name, ...others } = user(types, i)
    return { _id, name, _class: 'User', ...others }
  }],
  'another order': [USER, (types, i) => inOrder(user(types, i), ['_id', 'born', 'active', 'score', 'age', 'name'])],
  'int for double': [USER, (types, i) => ({ ...user(types, i), score: i })],
  'null for a string': [USER, (types, i) => ({ ...user(types, i), name: null })],
  'a required field is missing': [USER, (types, i) => inOrder(user(types, i), required.filter(name => name !== 'age')), 'decode'],
  'an optional field is missing': [{ ...USER, required: ['_id'] }, (types, i) => inOrder(user(types, i), required.filter(name => name !== 'age'))],
  'a map of 3 strings': [mapOf({ bsonType: 'string' }), (types, i) => ({ m: { theme: `dark${i}`, lang: 'en', tz: 'UTC' } })],
  'a map of 5 ints': [mapOf({ bsonType: 'int' }), (types, i) => entries(5, k => i + k)],
  'a map of 20 strings': [mapOf({ bsonType: 'string' }), (types, i) => entries(20, k => `value ${i + k}`)],
  'a map of 3 documents': [mapOf(ENTRY), (types, i) => entries(3, k => ({ n: k, s: `text ${i}` }))]
}

const CONTENDERS = ['qbson', 'qbson compiled']

function codecOf(contender, schema) {
  const qbson = loadQbson()
  if (contender === 'qbson') return qbson
  const { compile } = require('../../lib/compile')
  const { encode, decode } = compile(schema)
  return { encode, decode }
}

function prepare({ subject, op, contender }) {
  const [kind, way = 'literal'] = subject.split(', ')
  const [schema, make] = KINDS[kind]
  const qbson = loadQbson()
  const documents = Array.from({ length: COPIES }, (_, i) => WAYS[way](make(qbson, i), qbson))
  const encoded = documents.map(doc => Buffer.from(qbson.encode(doc)))
  const operate = codecOf(contender, schema)[op]
  const inputs = op === 'encode' ? documents : encoded
  const kept = new Array(COPIES).fill(null)
  return {
    run() {
      for (let i = 0; i < COPIES; i++) kept[i] = operate(inputs[i])
    },
    ops: COPIES,
    warmUp: 8, // `decode` learns documents after some 20,000
    bytes: encoded[0].length,
    check() {
      documents.forEach((doc, i) => {
        if (op === 'encode') checkBytes(operate(doc), encoded[i], `${subject}, document ${i}`)
        else checkSame(operate(encoded[i]), qbson.decode(encoded[i]), `${subject}, document ${i}`)
      })
    }
  }
}

module.exports = {
  name: 'compiled',
  title: 'Compiled codecs and documents that are not as the schema says',
  baseline: 'qbson',
  notes: ['Relative rates, `encode` and `decode` of qbson = 100, more is faster. A document of six fields, with a process for each way ' +
    'in which it differs from the schema, and for encoding for each way in which programs make objects: by a literal, by `decode`, by ' +
    '`JSON.parse`, by spread. Documents that the schema does not allow are only decoded.'],
  cases: () => Object.entries(KINDS).flatMap(([kind, [schema, , only]]) => [
    ...cross([kind], ['decode', 'encode'], CONTENDERS).filter(({ op }) => op === (only ?? op)),
    ...cross(Object.keys(WAYS).slice(1).map(way => `${kind}, ${way}`), ['encode'], CONTENDERS)
      .filter(() => schema.properties === USER.properties && only === undefined)
  ]),
  prepare,
  docs: false,
  tables: results => kindTables(results, 'qbson', 'document')
}
