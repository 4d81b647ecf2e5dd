'use strict'

// qbson schema, which writes the schema in examples/.

const fs = require('node:fs')
const path = require('node:path')
const { bookshop, run, write, broken } = require('../fixtures/cli')

module.exports = {
  'schema prints the $jsonSchema of a file': async function (t) {
    const plain = await run(['schema', '--no-bounds', '--no-descriptions', bookshop])
    t.strictEqual(plain.out, fs.readFileSync(path.join(__dirname, '..', '..', 'examples', 'bookshop.schema.json'), 'utf8'))
    t.strictEqual(plain.code, 0)
    const { pages } = JSON.parse((await run(['schema', bookshop])).out).properties
    t.deepStrictEqual(pages, { bsonType: 'int', description: 'in 4 of 6', minimum: 96, maximum: 488 })
    t.done()
  },

  'schema says what is wrong with a file': async function (t) {
    const { code, err } = await run(['schema', write('broken.bson', broken().bytes)])
    t.strictEqual(code, 1)
    t.ok(err.startsWith('qbson: '), err)
    t.done()
  }
}
