'use strict'

// The code of a row in codecs of a schema reads as the loop of decode does: valid bytes, and bytes with any one
// changed.

const { ROWS } = require('../../lib/codegen/types')
const { compile } = require('../../lib/compile')
const { schemaOf } = require('../../lib/schema')
const { TYPES, documentsOf, checkDecode } = require('../fixtures/each-type')

module.exports = {
  'each type with a row is tested': t => {
    t.deepStrictEqual([...ROWS.keys()].sort((a, b) => a - b), TYPES)
    t.done()
  },

  ...Object.fromEntries(TYPES.map(type => [`type ${type}, alone, first and last`, t => {
    for (const bytes of documentsOf(type)) {
      const codec = compile(schemaOf([bytes], { bounds: false }))
      t.ok(codec.isCompiled)
      checkDecode(codec.decode, bytes)
    }
    t.done()
  }]))
}
