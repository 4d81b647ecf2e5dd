'use strict'

const assert = require('assert')

const errorOf = promise => promise.then(value => { throw new Error(`no error, but ${value}`) }, err => err)

/** An error of the server, which comes as a document. */
function serverError(send) {
  return async context => {
    const collection = await context.fresh('errors')
    await collection.insertMany([{ _id: 1, text: 'a' }, { _id: 2, text: 'b' }])
    const error = await errorOf(send(collection, context))
    assert.ok(error instanceof context.mongodb.MongoServerError, error.stack)
    return error
  }
}

/** An error of the BSON library, before anything is sent. */
function bsonError(makeDocument) {
  return async context => {
    const collection = await context.fresh('errors')
    const error = await errorOf(collection.insertOne(makeDocument(context)))
    assert.ok(error instanceof context.bson.BSONError || error instanceof TypeError, error.stack)
    assert.strictEqual(await collection.countDocuments(), 0)
    await collection.insertOne({ _id: 1 }) // the connection is as good as before
    return error
  }
}

module.exports = {
  'an error of the server: duplicate key': serverError(collection => collection.insertOne({ _id: 1 })),
  'an error of the server: duplicate key among many': serverError(collection => (
    collection.insertMany([{ _id: 5 }, { _id: 1 }, { _id: 2 }, { _id: 6 }], { ordered: false }))),
  'an error of the server: unknown operator': serverError(collection => collection.findOne({ a: { $nope: 1 } })),
  'an error of the server: unknown command': serverError((collection, { db }) => db.command({ nopeNope: 1 })),
  'an error of the server: change of _id': serverError(collection => (
    collection.updateOne({ _id: 1 }, { $set: { _id: 7 } }))),
  'an error of the server: $inc of a string': serverError(collection => (
    collection.updateOne({ _id: 1 }, { $inc: { text: 1 } }))),
  'an error of the server: unknown stage': serverError(collection => collection.aggregate([{ $nope: 1 }]).toArray()),

  'an error of the library: a document that contains itself': bsonError(() => {
    const doc = { a: { b: [] } }
    doc.a.b.push(doc)
    return doc
  }),
  'an error of the library: a key with a 0 byte': bsonError(() => ({ 'a\0b': 1 })),
  'an error of the library: a pattern with a 0 byte': bsonError(() => ({ a: new RegExp('a\0') })),
  'an error of the library: a bigint of more than 64 bits': async context => {
    const collection = await context.fresh('errors')
    const outcome = await collection.insertOne({ _id: 1, a: 2n ** 64n }).then(() => 'taken', err => err)
    if (outcome === 'taken') assert.strictEqual((await collection.findOne({}, { useBigInt64: true })).a, 0n)
  },

  'documents that are refused before they are sent': async context => {
    const collection = await context.fresh('errors')
    return [
      await errorOf(collection.insertOne(null)),
      await errorOf(collection.insertOne('text')),
      await errorOf(collection.insertMany([])),
      await errorOf(collection.updateOne({}, { a: 1 })),
      await errorOf(collection.replaceOne({}, { $set: { a: 1 } })),
      await errorOf(collection.bulkWrite([{ nope: {} }]))
    ]
  }
}
