'use strict'

const assert = require('assert')

const people = [
  { _id: 1, name: 'Ada', born: 1815, tags: ['math', 'poetry'], home: { city: 'London', zip: 'W1' } },
  { _id: 2, name: 'Grace', born: 1906, tags: ['navy'], home: { city: 'New York', zip: '10001' } },
  { _id: 3, name: 'Ålan', born: 1912, tags: [], home: { city: 'Wilmslow', zip: 'SK9' } },
  { _id: 4, name: '林', born: 1955, tags: ['navy', 'math'], home: { city: '台北', zip: '100' } }
]

async function filled(context) {
  const collection = await context.fresh('people')
  await collection.insertMany(structuredClone(people))
  return collection
}

const all = collection => collection.find().sort({ _id: 1 }).toArray()

module.exports = {
  'insertOne and findOne': async context => {
    const collection = await context.fresh('people')
    return [await collection.insertOne({ ...people[0] }), await collection.findOne({ _id: 1 })]
  },

  'insertMany and find give the documents back': async context => {
    const collection = await filled(context)
    const found = await all(collection)
    assert.deepStrictEqual(found, people)
    return found
  },

  'a generated _id is an ObjectId': async context => {
    const collection = await context.fresh('people')
    const { insertedId } = await collection.insertOne({ a: 1 })
    const found = await collection.findOne({ _id: insertedId })
    assert.ok(insertedId.equals(found._id))
    assert.strictEqual(found._id._bsontype, 'ObjectId')
    assert.ok(Math.abs(found._id.getTimestamp() - Date.now()) < 60_000)
  },

  'find with filters, sort, skip and limit': async context => {
    const collection = await filled(context)
    return [
      await collection.find({ born: { $gt: 1900 } }).sort({ born: -1 }).toArray(),
      await collection.find({ 'home.city': '台北' }).toArray(),
      await collection.find({ tags: 'navy' }).sort({ _id: 1 }).toArray(),
      await collection.find({ name: /^[AG]/ }).sort({ _id: 1 }).toArray(),
      await collection.find({ $or: [{ _id: 1 }, { tags: { $size: 0 } }] }).sort({ _id: 1 }).toArray(),
      await collection.find().sort({ _id: 1 }).skip(1).limit(2).toArray(),
      await collection.find({ _id: { $in: [] } }).toArray()
    ]
  },

  'projections': async context => {
    const collection = await filled(context)
    return [
      await collection.find({}, { projection: { name: 1 } }).sort({ _id: 1 }).toArray(),
      await collection.find({}, { projection: { _id: 0, born: 1 } }).sort({ born: 1 }).toArray(),
      await collection.find({}, { projection: { tags: 0, home: 0 } }).sort({ _id: 1 }).toArray(),
      await collection.find({}, { projection: { 'home.city': 1 } }).sort({ _id: 1 }).toArray()
    ]
  },

  'updateOne, updateMany, replaceOne and upserts': async context => {
    const collection = await filled(context)
    return [
      await collection.updateOne({ _id: 1 }, { $set: { 'home.zip': 'W2' }, $inc: { born: 1 } }),
      await collection.updateMany({ tags: 'math' }, { $push: { tags: 'done' }, $unset: { home: '' } }),
      await collection.replaceOne({ _id: 3 }, { name: 'replaced' }),
      await collection.updateOne({ _id: 9 }, { $set: { name: 'new' } }, { upsert: true }),
      await all(collection)
    ]
  },

  'deleteOne and deleteMany': async context => {
    const collection = await filled(context)
    return [
      await collection.deleteOne({ _id: 2 }),
      await collection.deleteMany({ born: { $lt: 1920 } }),
      await all(collection)
    ]
  },

  'findOneAndUpdate, findOneAndReplace and findOneAndDelete': async context => {
    const collection = await filled(context)
    return [
      await collection.findOneAndUpdate({ _id: 1 }, { $set: { name: 'x' } }, { returnDocument: 'after' }),
      await collection.findOneAndUpdate({ _id: 1 }, { $set: { name: 'y' } }, { includeResultMetadata: true }),
      await collection.findOneAndReplace({ _id: 2 }, { name: 'z' }),
      await collection.findOneAndDelete({ _id: 3 }),
      await collection.findOneAndDelete({ _id: 77 }),
      await all(collection)
    ]
  },

  'counts and distinct': async context => {
    const collection = await filled(context)
    return [
      await collection.countDocuments({ born: { $gte: 1906 } }),
      await collection.estimatedDocumentCount(),
      await collection.distinct('name', { born: { $lt: 1912 } })
    ]
  },

  'bulkWrite in order': async context => {
    const collection = await filled(context)
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 10, name: 'ten' } } },
      { updateOne: { filter: { _id: 1 }, update: { $set: { name: 'one' } } } },
      { updateMany: { filter: {}, update: { $inc: { count: 1 } } } },
      { replaceOne: { filter: { _id: 2 }, replacement: { name: 'two' } } },
      { updateOne: { filter: { _id: 11 }, update: { $set: { name: 'eleven' } }, upsert: true } },
      { deleteOne: { filter: { _id: 3 } } },
      { deleteMany: { filter: { _id: { $gt: 10 } } } }
    ])
    return [result, await all(collection)]
  },

  'bulkWrite without order goes on after an error': async context => {
    const collection = await filled(context)
    const operations = [
      { insertOne: { document: { _id: 20 } } },
      { insertOne: { document: { _id: 1 } } },
      { insertOne: { document: { _id: 21 } } }
    ]
    const error = await collection.bulkWrite(operations, { ordered: false }).catch(err => err)
    assert.ok(error instanceof context.mongodb.MongoBulkWriteError)
    return [error, await all(collection)]
  },

  'aggregation': async context => {
    const collection = await filled(context)
    return [
      await collection.aggregate([{ $match: { born: { $gt: 1900 } } }, { $sort: { born: -1 } }]).toArray(),
      await collection.aggregate([{ $unwind: '$tags' }, { $group: { _id: '$tags', n: { $sum: 1 } } },
        { $sort: { _id: 1 } }]).toArray(),
      await collection.aggregate([{ $sort: { _id: 1 } }, { $project: { name: 1 } }, { $limit: 2 }]).toArray(),
      await collection.aggregate([{ $match: { _id: 4 } }], { promoteValues: false }).toArray(),
      await collection.aggregate([{ $count: 'n' }]).toArray()
    ]
  },

  'aggregation with $lookup and $facet': async context => {
    if (context.kind === 'ferretdb') context.skip('FerretDB has no $lookup and no $facet')
    const collection = await filled(context)
    return [
      await collection.aggregate([{ $sort: { _id: 1 } }, { $lookup: {
        from: 'people', localField: 'tags', foreignField: 'tags', as: 'friends' } }]).toArray(),
      await collection.aggregate([{ $facet: { old: [{ $match: { born: { $lt: 1900 } } }], n: [{ $count: 'n' }] } }])
        .toArray()
    ]
  },

  'values that come as a Map': async context => {
    const collection = await context.fresh('maps')
    await collection.insertOne(new Map([['_id', 1], ['inner', new Map([['a', 1], ['b', [new Map()]]])]]))
    return collection.findOne()
  },

  'values with toBSON': async context => {
    const collection = await context.fresh('toBSON')
    class Money {
      constructor(cents) { this.cents = cents }
      toBSON() { return { cents: this.cents, currency: 'EUR' } }
    }
    await collection.insertOne({ _id: 1, price: new Money(199), list: [new Money(1)] })
    return collection.findOne({ price: new Money(199) })
  },

  'the inserted document is given its _id and is not changed otherwise': async context => {
    const collection = await context.fresh('people')
    const doc = { name: 'x', when: new Date(0) }
    const { insertedId } = await collection.insertOne(doc)
    assert.strictEqual(doc._id, insertedId)
    assert.deepStrictEqual(Object.keys(doc), ['name', 'when', '_id'])
  }
}
