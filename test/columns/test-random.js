'use strict'

// Columns of random documents, of the corpus and of dumps: all values are the same as from `decode`.

const fs = require('node:fs')
const path = require('node:path')
const { encode, BSONError } = require('../../qbson')
const types = require('../../lib/types')
const { columns } = require('../../lib/columns')
const { documents } = require('../../lib/batch')
const { check, assertSame, assertLayout } = require('../fixtures/columns')
const { many } = require('../fixtures/long')
const { seededRandom, randomDocument, below } = require('../fixtures/random-document')
const { randomSchema, randomDocumentOf } = require('../fixtures/random-schema')
const { sharedFolder, sharedJson, testsWith } = require('../fixtures/shared')

const SEED = Number(process.env.QBSON_SEED ?? 1)

/** Documents of a collection. */
const MOST = 24

/** The most documents of a collection, so that no test takes too long. */
const PARTS = many(4, 8)

/** Those that can be encoded. @returns {Uint8Array[]} */
function encoded(count, make) {
  const made = []
  for (let i = 0; i < count; i++) {
    try {
      made.push(encode(make()))
    } catch (error) {
      if (!(error instanceof BSONError)) throw error
    }
  }
  return made
}

/** A few documents can have more fields than a table has columns; nothing else may go wrong. */
function isTooMany(error) {
  return error instanceof BSONError && /more than 10000 columns/.test(error.message)
}

function unlessTooMany(work) {
  try {
    return work()
  } catch (error) {
    if (!isTooMany(error)) throw error
  }
}

/** @param {any} random @param {any} schema of the documents */
function checkSchema(random, schema) {
  const made = encoded(1 + below(random, MOST), () => randomDocumentOf(random, schema, schema))
  unlessTooMany(() => check(made))
  if (Object.keys(schema.properties).length === 0) return 'none'
  const table = unlessTooMany(() => columns(Buffer.concat(made), { schema }))
  if (table === undefined) return 'too many'
  assertLayout(table.inner)
  if (table.report.mismatches.length > 0) return 'mismatches'
  assertSame(table, made)
  return 'same'
}

const dumps = sharedFolder('dumps')
const corpus = sharedJson('bson-corpus')

module.exports = {
  'random documents': t => {
    let count = 0
    for (let i = 0; i < many(20, 3000); i++) {
      const random = seededRandom(SEED + i)
      const made = encoded(1 + below(random, MOST), () => randomDocument(random, types, below(random, 4)))
      unlessTooMany(() => check(made))
      count += made.length
    }
    t.ok(count > many(120, 20_000))
    t.done()
  },

  'random documents of random schemas': Object.fromEntries(Array.from({ length: PARTS }, (_, part) => [`part ${part + 1}`, t => {
    const results = {}
    for (let i = 0; i < many(7, 600); i++) {
      const random = seededRandom(SEED * 100_000 + part * 600 + i)
      const result = checkSchema(random, randomSchema(random))
      results[result] = (results[result] ?? 0) + 1
    }
    t.ok(results.mismatches > 0 && (results.same ?? 0) >= many(0, 1), JSON.stringify(results))
    t.done()
  }])),

  corpus: testsWith(corpus, 'bson-corpus', {
    'every valid document, alone and together': t => {
      const all = corpus.flatMap(({ content }) => content.valid ?? [])
        .flatMap(({ canonical_bson: canonical, degenerate_bson: degenerate }) => [canonical, degenerate])
        .filter(Boolean).map(hex => Buffer.from(hex, 'hex'))
      t.ok(all.length > 100)
      for (const bytes of all) check([bytes, bytes])
      check(all)
      t.done()
    },

    'every document that cannot be decoded is an error': t => {
      const errors = corpus.flatMap(({ content }) => content.decodeErrors ?? []).map(({ bson }) => Buffer.from(bson, 'hex'))
      t.ok(errors.length > 50)
      for (const bytes of errors) t.throws(() => columns(bytes), BSONError, bytes.toString('hex'))
      t.done()
    }
  }),

  dumps: testsWith(dumps, 'dumps', {
    'every file': t => {
      for (const file of fs.readdirSync(dumps).filter(name => name.endsWith('.bson') && name !== 'random_bytes.bson')) {
        check([...documents(fs.readFileSync(path.join(dumps, file)), { bytes: true })])
      }
      t.throws(() => columns(fs.readFileSync(path.join(dumps, 'random_bytes.bson'))), BSONError)
      t.done()
    }
  })
}
