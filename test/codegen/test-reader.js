'use strict'

// The code generated for documents of one shape reads as the loop of decode does: valid bytes, and bytes with any one
// changed.

const { learningCodec, functionsOf } = require('../fixtures/codecs')
const { TYPES, documentsOf, checkDecode } = require('../fixtures/each-type')

module.exports = Object.fromEntries(TYPES.map(type => [`type ${type}, alone, first and last`, t => {
  for (const bytes of documentsOf(type)) {
    const { decode } = learningCodec(true)
    const made = functionsOf(() => { for (let i = 0; i < 40; i++) decode(bytes) })
    t.ok(made > 0, 'nothing was compiled')
    checkDecode(decode, bytes)
  }
  t.done()
}]))
