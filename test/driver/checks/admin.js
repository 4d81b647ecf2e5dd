'use strict'

const assert = require('assert')

/** Without what differs from run to run and says nothing about the library. */
function steady(indexes) {
  return indexes.map(({ ns, ...index }) => index)
}

module.exports = {
  'indexes': async context => {
    const collection = await context.fresh('indexes')
    await collection.insertMany([{ _id: 1, a: 1, b: 'x' }, { _id: 2, a: 2, b: 'y' }])
    const results = [
      await collection.createIndex({ a: 1 }, { unique: true }),
      await collection.createIndex({ b: -1, a: 1 }, { name: 'both' }),
      steady(await collection.listIndexes().toArray()),
      await collection.indexExists('both'),
      await collection.insertOne({ _id: 3, a: 1 }).catch(err => err)
    ]
    await collection.dropIndex('both')
    results.push(steady(await collection.indexes()))
    return results
  },

  'createCollection, listCollections, rename and drop': async context => {
    await context.fresh('made')
    await context.db.collection('made').drop().catch(() => {})
    await context.fresh('renamed')
    await context.db.collection('renamed').drop().catch(() => {})
    const made = await context.db.createCollection('made')
    await made.insertOne({ _id: 1 })
    const names = async () => (await context.db.listCollections({}, { nameOnly: true }).toArray())
      .map(({ name }) => name).filter(name => name === 'made' || name === 'renamed').sort()
    const results = [await names()]
    await made.rename('renamed')
    results.push(await names(), await context.db.collection('renamed').findOne())
    results.push(await context.db.dropCollection('renamed'), await names())
    return results
  },

  'commands': async context => {
    const { version, ...info } = await context.db.admin().serverInfo()
    assert.strictEqual(typeof version, 'string')
    assert.strictEqual(info.ok, 1)
    const names = (await context.db.admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name)
    assert.ok(names.includes(context.databaseName))
    return [await context.db.command({ ping: 1 }), await context.db.command({ ping: 1 }, { promoteValues: false })]
  },

  'a command with a cursor': async context => {
    const collection = await context.fresh('commands')
    await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ _id: i })))
    const cursor = context.db.runCursorCommand({ find: 'commands', batchSize: 3, sort: { _id: 1 } })
    cursor.setBatchSize(4)
    return cursor.toArray()
  },

  'what command monitoring sees': async context => {
    const client = new context.mongodb.MongoClient(context.uri, { monitorCommands: true })
    const seen = []
    const see = event => {
      const { lsid, $clusterTime, ...command } = event.command || {}
      const { ns, electionId, ...reply } = event.reply || {}
      seen.push([event.commandName, command, reply, event.failure])
    }
    for (const name of ['commandStarted', 'commandSucceeded', 'commandFailed']) client.on(name, see)
    try {
      await context.fresh('monitored')
      const collection = client.db(context.databaseName).collection('monitored')
      await collection.insertMany([{ _id: 1, a: [1, 2n] }, { _id: 2, a: undefined }])
      await collection.find({}, { batchSize: 1 }).sort({ _id: 1 }).next()
      await collection.insertOne({ _id: 1 }).catch(() => {})
      return seen.map(([name, command, reply, failure]) => [name, command, failure, Object.keys(reply)])
    } finally {
      await client.close()
    }
  }
}
