'use strict'

// Memory of every kind that is read more than once, and changes its size meanwhile.

const json = require('../../lib/json')
const { compile } = require('../../lib/compile')
const { validate } = require('../../lib/elements')
const { decode } = require('../../lib/decode')
const { encode } = require('../../lib/encode')
const { COPIED, getView } = require('../../lib/decode/views')
const { outcome } = require('../fixtures/outcome')

/** Documents up to and beyond the size from which a view is kept. */
const DOCUMENTS = [10, COPIED - 100, COPIED + 100, 3 * COPIED].map(length => {
  return { text: 'x'.repeat(length), date: new Date(length), list: [length / 7, { d: -0.25 }], n: 1.5 }
})

const schema = { properties: { n: { bsonType: 'double' }, text: {}, date: { bsonType: 'date' }, list: { bsonType: 'array', items: {} } } }
const READERS = { decode, 'codec.decode': compile(schema).decode, 'json.text': bytes => JSON.parse(json.text(bytes)) }

/** As `reader` gives it. */
function expected(name, doc) {
  return name === 'json.text' ? JSON.parse(JSON.stringify(doc)) : doc
}

module.exports = {
  'memory that has grown or shrunk is read as it is': t => {
    for (const [name, read] of Object.entries(READERS)) {
      for (const first of DOCUMENTS) {
        for (const second of DOCUMENTS) {
          const buffer = new ArrayBuffer(encode(first).length, { maxByteLength: 8 * COPIED })
          const bytes = Object.setPrototypeOf(new Uint8Array(buffer), Buffer.prototype) // follows the buffer's size
          for (const doc of [first, second, first]) {
            buffer.resize(encode(doc).length)
            bytes.set(encode(doc))
            t.deepStrictEqual(read(bytes), expected(name, doc), name)
          }
          buffer.resize(3)
          t.strictEqual(outcome(() => read(bytes)).error.message, outcome(() => validate(bytes)).error.message, name)
        }
      }
    }
    t.done()
  },

  'memory that is read again has its present content': t => {
    const bytes = Buffer.alloc(4 * COPIED)
    t.strictEqual(getView(bytes), getView(bytes), 'one view')
    for (const doc of DOCUMENTS) {
      const part = bytes.subarray(0, encode(doc).length)
      part.set(encode(doc))
      for (const [name, read] of Object.entries(READERS)) t.deepStrictEqual(read(part), expected(name, doc), name)
    }
    t.done()
  }
}
