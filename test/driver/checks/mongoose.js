'use strict'

const assert = require('assert')

/** Call `use` with a connection of mongoose and the models of a little shop. */
async function withModels(context, use) {
  const mongoose = context.requireHere('mongoose')
  const connection = await mongoose.createConnection(context.uri, { dbName: context.databaseName }).asPromise()
  try {
    const models = makeModels(mongoose, connection, context.kind)
    for (const model of Object.values(models)) await model.collection.drop().catch(() => {})
    return await use(models, mongoose)
  } finally {
    await connection.close()
  }
}

function makeModels({ Schema }, connection, kind) {
  const shop = new Schema({ _id: Schema.Types.ObjectId, name: String }, { autoIndex: false })
  const item = new Schema({
    _id: Schema.Types.ObjectId,
    shop: { type: Schema.Types.ObjectId, ref: 'Shop' },
    name: { type: String, required: true },
    price: kind === 'ferretdb' ? Number : Schema.Types.Decimal128,
    stock: BigInt,
    weight: Schema.Types.Double,
    rank: Schema.Types.Int32,
    serial: Schema.Types.UUID,
    picture: Buffer,
    made: Date,
    tags: [String],
    sizes: { type: Map, of: Number },
    parts: [new Schema({ name: String, count: Number }, { _id: false })],
    any: Schema.Types.Mixed
  }, { autoIndex: false, timestamps: false })
  item.virtual('label').get(function() { return `${this.name} (${this.tags.join()})` })
  return { Shop: connection.model('Shop', shop), Item: connection.model('Item', item) }
}

const shopId = '0123456789abcdef01234567'

function itemFields(i) {
  return {
    _id: `0123456789abcdef${i.toString(16).padStart(8, '0')}`,
    shop: shopId,
    name: `item ${i}`,
    price: '19.5',
    stock: 2n ** 53n + BigInt(i),
    weight: 2,
    rank: i,
    serial: '00102030-4050-6070-8090-a0b0c0d0e0f0',
    picture: Buffer.from([1, 2, 3, i]),
    made: new Date(1.6e12 + i),
    tags: ['a', `b${i}`],
    sizes: { s: 1, m: i },
    parts: [{ name: 'screw', count: i }],
    any: { deep: [{ er: i }] }
  }
}

/** What a document of mongoose says as a plain object, without mongoose's own classes around it. */
const plain = document => document.toObject({ flattenMaps: true, virtuals: ['label'] })

module.exports = {
  'mongoose: documents of every type, there and back': context => withModels(context, async ({ Shop, Item }, mongoose) => {
    await Shop.create({ _id: shopId, name: 'corner' })
    for (let i = 0; i < 3; i++) await new Item(itemFields(i)).save()
    const found = await Item.find().sort({ rank: 1 })
    assert.ok(found[0]._id instanceof context.bson.ObjectId)
    assert.strictEqual(mongoose.Types.ObjectId, context.bson.ObjectId)
    assert.strictEqual(found[1].label, 'item 1 (a,b1)')
    return [found.map(plain), JSON.stringify(found.map(one => ({ ...one.toJSON(), stock: String(one.stock) })))]
  }),

  'mongoose: lean, populate, updates and aggregation': context => withModels(context, async ({ Shop, Item }) => {
    await Shop.create({ _id: shopId, name: 'corner' })
    await Item.insertMany([1, 2, 3].map(itemFields))
    const item = await Item.findOne({ rank: 2 }).populate('shop')
    item.tags.push('new')
    item.parts[0].count = 99
    item.sizes.set('xl', 9)
    await item.save()
    await Item.updateMany({ rank: { $gte: 2 } }, { $inc: { rank: 10 } })
    return [
      plain(item),
      await Item.find().sort({ rank: 1 }).lean(),
      await Item.findOne({ serial: itemFields(0).serial, name: 'item 2' }).lean(),
      await Item.aggregate([{ $group: { _id: '$shop', count: { $sum: 1 } } }]),
      await Item.bulkWrite([{ deleteOne: { filter: { rank: 1 } } }]).then(({ deletedCount }) => deletedCount)
    ]
  }),

  'mongoose: what is wrong is said': context => withModels(context, async ({ Item }) => {
    const errorOf = promise => promise.then(() => 'no error', err => [err.name, err.message])
    await Item.create(itemFields(1))
    return [
      await errorOf(Item.create({ ...itemFields(2), name: undefined })),
      await errorOf(Item.create({ ...itemFields(2), _id: 'no id' })),
      await errorOf(Item.create({ ...itemFields(2), serial: 'no uuid' })),
      await errorOf(Item.findById('no id')),
      (await errorOf(Item.create(itemFields(1))))[0]
    ]
  })
}
