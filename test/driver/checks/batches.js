'use strict'

const assert = require('assert')
const crypto = require('crypto')
const { describe } = require('../describe')

const count = 100_000

/** Documents that differ, and some in their shape. */
function makeDocument(i, { ObjectId }) {
  const doc = {
    _id: i,
    owner: new ObjectId(`${i.toString(16).padStart(8, '0')}0123456789abcdef`),
    name: `name ${i * 7919 % 1000}`,
    at: new Date(1.6e12 + i * 1000),
    amount: i / 4,
    flags: [i % 2 === 0, i % 3 === 0]
  }
  if (i % 5 === 0) doc.note = 'ä'.repeat(i % 40)
  if (i % 7 === 0) doc.inner = { a: i, b: { c: String(i) } }
  return doc
}

/** A collection of 100,000 documents, made once in this process. */
let filling
function filled(context) {
  filling = filling || fill(context)
  return filling
}

async function fill(context) {
  const collection = await context.fresh('batches')
  const docs = Array.from({ length: count }, (_, i) => makeDocument(i, context.bson))
  const result = await collection.insertMany(docs)
  assert.strictEqual(result.insertedCount, count)
  return collection
}

/** A hash of all documents of an iterable, and their number. */
async function digest(iterable) {
  const hash = crypto.createHash('sha256')
  let n = 0
  for await (const doc of iterable) {
    hash.update(describe(doc))
    n += 1
  }
  return { n, hash: hash.digest('hex') }
}

function expectedDigest(context) {
  return digest(Array.from({ length: count }, (_, i) => makeDocument(i, context.bson)))
}

module.exports = {
  'insertMany of 100,000 documents': async context => {
    const collection = await filled(context)
    assert.strictEqual(await collection.countDocuments(), count)
  },

  'a cursor over 100,000 documents in batches of 1,000': async context => {
    const collection = await filled(context)
    const found = await digest(collection.find({}, { batchSize: 1000 }))
    assert.deepStrictEqual(found, await expectedDigest(context))
    return found
  },

  'toArray of 100,000 documents': async context => {
    const collection = await filled(context)
    const docs = await collection.find().toArray()
    assert.strictEqual(docs.length, count)
    return digest(docs)
  },

  'a cursor with raw: true in batches of 20,000': async context => {
    const collection = await filled(context)
    return digest(collection.find({}, { raw: true, batchSize: 20_000 }))
  },

  'a stream, next, hasNext, tryNext, map and rewind': async context => {
    const collection = await filled(context)
    const some = () => collection.find({ _id: { $lt: 500 } }, { batchSize: 99 }).sort({ _id: 1 })
    const cursor = some()
    const results = [await digest(some().stream()), await cursor.next(), await cursor.hasNext(), await cursor.tryNext()]
    cursor.rewind()
    results.push(await cursor.next())
    await cursor.close()
    results.push(await digest(some().map(doc => [doc._id, doc.name])))
    return results
  },

  'a cursor that is closed half way': async context => {
    const collection = await filled(context)
    const cursor = collection.find({}, { batchSize: 100 })
    for (let i = 0; i < 150; i++) assert.ok(await cursor.next())
    await cursor.close()
    return [cursor.closed, await cursor.next().catch(err => err)]
  },

  'batches of documents of very different sizes': async context => {
    const collection = await context.fresh('sizes')
    const sizes = [1, 100_000, 10, 1_000_000, 0, 4_000_000, 33]
    const docs = sizes.map((size, i) => ({ _id: i, text: 'é'.repeat(size), bytes: Buffer.alloc(size, i) }))
    await collection.insertMany(docs)
    return digest(collection.find({}, { batchSize: 3 }).sort({ _id: 1 }))
  },

  'bulkWrite of 20,000 operations': async context => {
    const collection = await context.fresh('bulk')
    const insert = Array.from({ length: 20_000 }, (_, i) => ({
      insertOne: { document: makeDocument(i, context.bson) } }))
    const result = await collection.bulkWrite(insert, { ordered: false })
    assert.strictEqual(result.insertedCount, 20_000)
    return digest(collection.find().sort({ _id: 1 }))
  }
}
