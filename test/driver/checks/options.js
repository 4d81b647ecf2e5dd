'use strict'

const assert = require('assert')

/** Each option with the value that is not its default, and whether it is about reading or writing. */
const readOptions = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: true,
  useBigInt64: true,
  bsonRegExp: true,
  raw: true,
  enableUtf8Validation: false
}

const writeOptions = { ignoreUndefined: true }

const levels = ['client', 'db', 'collection', 'operation']

const document = ({ Long }) => ({
  _id: 1, int: 3, long: Long.fromNumber(2 ** 35), double: 2.5, bytes: Buffer.from('abc'), text: 'txt',
  regexp: /a/i, when: new Date(0), inner: { long: [Long.fromNumber(1)] }
})

/**
 * Call `use(collection, operationOptions)` with `options` given at one level.
 * A client of its own is connected for the client's level.
 */
async function withOptionsAt(level, options, context, use) {
  const at = name => (name === level ? options : {})
  const client = level === 'client' ? new context.mongodb.MongoClient(context.uri, options) : context.client
  try {
    const db = client.db(context.databaseName, at('db'))
    return await use(db.collection('options', at('collection')), at('operation'))
  } finally {
    if (client !== context.client) await client.close()
  }
}

async function filled(context) {
  const collection = await context.fresh('options')
  await collection.insertOne(document(context.bson))
  return collection
}

const checks = {}

for (const [name, value] of Object.entries(readOptions)) {
  for (const level of levels) {
    checks[`${name}: ${value} at the level of the ${level}`] = async context => {
      await filled(context)
      return withOptionsAt(level, { [name]: value }, context, async (collection, options) => [
        await collection.find({}, options).toArray(),
        await collection.findOne({}, options),
        await collection.aggregate([{ $match: { _id: 1 } }], options).toArray(),
        name === 'raw' ? null : await collection.findOneAndUpdate({ _id: 1 }, { $inc: { int: 1 } }, options)
      ])
    }
  }
}

for (const [name, value] of Object.entries(writeOptions)) {
  for (const level of levels) {
    checks[`${name}: ${value} at the level of the ${level}`] = async context => {
      const plain = await context.fresh('options')
      await withOptionsAt(level, { [name]: value }, context, async (collection, options) => {
        await collection.insertOne({ _id: 1, a: undefined, b: { c: undefined, d: 1 }, e: [undefined] }, options)
        await collection.insertMany([{ _id: 2, a: undefined }], options)
        await collection.replaceOne({ _id: 2 }, { a: undefined, b: 2 }, options)
        await collection.bulkWrite([{ insertOne: { document: { _id: 3, a: undefined } } }], options)
      })
      return plain.find().sort({ _id: 1 }).toArray()
    }
  }
}

module.exports = {
  ...checks,

  'undefined becomes null when it is not ignored': async context => {
    const collection = await context.fresh('options')
    await collection.insertOne({ _id: 1, a: undefined, b: { c: undefined }, d: [undefined] })
    return collection.findOne()
  },

  'an inner level overrides an outer one': async context => {
    await filled(context)
    const client = new context.mongodb.MongoClient(context.uri, { promoteValues: false, useBigInt64: false })
    try {
      const db = client.db(context.databaseName, { promoteValues: true, promoteLongs: false })
      const collection = db.collection('options', { promoteLongs: true, promoteBuffers: true })
      return [
        await client.db(context.databaseName).collection('options').findOne(),
        await db.collection('options').findOne(),
        await collection.findOne(),
        await collection.findOne({}, { promoteBuffers: false, useBigInt64: true })
      ]
    } finally {
      await client.close()
    }
  },

  'fieldsAsRaw': async context => {
    const collection = await filled(context)
    return [
      await collection.findOne({}, { fieldsAsRaw: { inner: true } }),
      await collection.findOne({}, { fieldsAsRaw: { none: true } }),
      await collection.find({}, { fieldsAsRaw: { long: true } }).toArray()
    ]
  },

  'raw: true gives the bytes of each document and no more': async context => {
    const collection = await context.fresh('options')
    const docs = Array.from({ length: 50 }, (_, i) => ({ _id: i, text: 'x'.repeat(i) }))
    await collection.insertMany(docs)
    const raws = await collection.find({}, { raw: true, batchSize: 20 }).sort({ _id: 1 }).toArray()
    raws.forEach((raw, i) => {
      assert.strictEqual(raw.length, context.bson.calculateObjectSize(docs[i]))
      assert.deepStrictEqual(context.bson.deserialize(raw), docs[i])
    })
    return raws
  },

  'options that can not go together': async context => {
    const collection = await filled(context)
    const error = options => collection.findOne({}, options).then(doc => doc, err => err)
    return [
      await error({ useBigInt64: true, promoteLongs: false }),
      await error({ useBigInt64: true, promoteValues: false }),
      await error({ useBigInt64: true, promoteLongs: true, promoteValues: true })
    ]
  },

  'serializeFunctions': async context => {
    if (context.kind === 'ferretdb') context.skip('FerretDB closes the connection on Code')
    const collection = await context.fresh('options')
    const add = (a, b) => a + b
    await collection.insertOne({ _id: 1, add, inner: { add } })
    await collection.insertOne({ _id: 2, add, inner: { add } }, { serializeFunctions: true })
    return [await collection.find().sort({ _id: 1 }).toArray(), await collection.findOne({ _id: 2 }, { raw: true })]
  },

  'forceServerObjectId and pkFactory': async context => {
    let n = 0
    const pkFactory = { createPk: () => new context.bson.UUID(Buffer.alloc(16, ++n)) }
    const client = new context.mongodb.MongoClient(context.uri, { pkFactory })
    try {
      await context.fresh('options')
      const collection = client.db(context.databaseName).collection('options')
      const results = [await collection.insertOne({ a: 1 }), await collection.insertMany([{ a: 2 }, { a: 3 }])]
      return [results, await collection.find().sort({ a: 1 }).toArray()]
    } finally {
      await client.close()
    }
  }
}
