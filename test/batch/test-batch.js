'use strict'

// The documents of a batch, and the place of each in errors.

const { encode, BSONError } = require('../../qbson')
const { Batch } = require('../../lib/batch')

const documents = [{ a: 1 }, { b: 'text' }, {}].map(document => encode(document))
const bytes = Buffer.concat(documents)

/** @returns {[number | undefined, number | undefined, string]} offset, document, message without them */
function placeOf(batch, pos, index) {
  const error = batch.place(Object.assign(new BSONError('wrong'), { offset: 4 }), pos, index)
  return [error.offset, error.document, error.message.split(' (')[0]]
}

module.exports = {
  'each document is a view, no more than there are': t => {
    const found = [...new Batch(bytes, { count: 3 })]
    t.deepStrictEqual(found.map(each => Buffer.from(each)), documents.map(each => Buffer.from(each)))
    t.ok(found.every(each => each.buffer === bytes.buffer))
    t.deepStrictEqual([...new Batch(bytes, { count: 2 })].length, 2)
    t.deepStrictEqual([...new Batch(bytes, { count: 9 })].length, 3)
    t.deepStrictEqual([...new Batch(bytes, {})], [])
    t.done()
  },

  'an error gets the offset and the number of its document in the file': t => {
    const next = documents[0].length
    t.deepStrictEqual(placeOf(new Batch(bytes, { count: 3 }), next, 1), [next + 4, 2, 'wrong'])
    t.deepStrictEqual(placeOf(new Batch(bytes, { count: 3, offset: 100, document: 7, from: 'x.bson' }), next, 1), [next + 104, 9, 'x.bson: wrong'])
    t.deepStrictEqual(placeOf(new Batch(bytes, { count: 2, places: [5, 500, 9, 900] }), next, 1), [904, 9, 'wrong'])
    t.done()
  },

  'an origin that makes no sense is refused': t => {
    t.throws(() => new Batch('text', {}), /^BSONError: bytes must be a Uint8Array, not "text"$/)
    for (const origin of [{ offset: -1 }, { document: 1.5 }, { count: NaN }]) t.throws(() => new Batch(bytes, origin), BSONError)
    t.done()
  }
}
