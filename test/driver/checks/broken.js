'use strict'

const assert = require('assert')
const { replaceOnce, throughProxy: throughProxyWith } = require('../through-proxy')
const { startServer } = require('../servers')

const docs = Array.from({ length: 3000 }, (_, i) => ({ _id: i, text: `document ${i}`, inner: { list: [i, i + 1] } }))

const throughProxy = (context, use) => throughProxyWith(context, docs, use)

/** Take documents until the error; each must be whole. */
async function takeUntilError(cursor, onDocument) {
  let n = 0
  try {
    for await (const doc of cursor) {
      assert.deepStrictEqual(doc, docs[n])
      n += 1
      await onDocument(n)
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return { n, error }
  }
  throw new Error(`no error, after ${n} documents`)
}

/** An error of the BSON library for bytes that were changed on the way, and good answers after it. */
function spoiltReply(find, replacement) {
  return context => throughProxy(context, async (collection, proxy) => {
    await collection.findOne()
    proxy.spoil(replaceOnce(Buffer.from(find, 'latin1'), Buffer.from(replacement, 'latin1')))
    const error = await collection.find({ _id: { $lt: 3 } }).toArray().then(found => found, err => err)
    assert.ok(error instanceof context.bson.BSONError, require('../describe').describe(error))
    proxy.spoil(undefined)
    assert.deepStrictEqual(await collection.findOne({ _id: 5 }), docs[5])
  })
}

module.exports = {
  'a server killed in mid-cursor gives a clear error and only whole documents': async context => {
    if (context.kind === 'uri') context.skip('the server is not ours to kill')
    const server = await startServer(context.kind)
    const client = new context.mongodb.MongoClient(server.uri, { serverSelectionTimeoutMS: 3000 })
    try {
      const collection = client.db('killed').collection('docs')
      await collection.insertMany(docs)
      const cursor = collection.find({}, { batchSize: 1000 }).sort({ _id: 1 })
      const { n, error } = await takeUntilError(cursor, async taken => { if (taken === 1500) await server.kill() })
      assert.strictEqual(n, 2000)
      const { MongoNetworkError, MongoServerSelectionError } = context.mongodb
      assert.ok(error instanceof MongoNetworkError || error instanceof MongoServerSelectionError, error.stack)
      assert.match(error.message, /closed|ECONNREFUSED|ECONNRESET/)
      return n
    } finally {
      await client.close()
      await server.stop()
    }
  },

  'a connection cut in the middle of a reply gives a clear error and only whole documents': context => (
    throughProxy(context, async (collection, proxy) => {
      const cutHalf = (chunk, near) => {
        near.end(chunk.subarray(0, chunk.length >>> 1))
        return null
      }
      const cursor = collection.find({}, { batchSize: 1000 }).sort({ _id: 1 })
      const { n, error } = await takeUntilError(cursor, taken => { if (taken === 900) proxy.spoil(cutHalf) })
      assert.strictEqual(n, 1000)
      assert.ok(error instanceof context.mongodb.MongoNetworkError, error.stack)
      return n
    })
  ),

  'invalid UTF-8 in a reply': spoiltReply('document 1', 'docum\xff\xff 1'),
  'invalid UTF-8 in a reply is taken with enableUtf8Validation: false': context => (
    throughProxy(context, async (collection, proxy) => {
      await collection.findOne()
      proxy.spoil(replaceOnce(Buffer.from('document 1'), Buffer.from('docum\xff\xff 1', 'latin1')))
      return collection.find({ _id: { $lt: 3 } }, { enableUtf8Validation: false }).toArray()
    })
  ),
  'an unknown type in a reply': spoiltReply('\x02text\0', '\x30text\0'),
  'a string longer than its document in a reply': spoiltReply('text\0\x0b\0\0\0', 'text\0\xff\xff\0\0'),
  'a string of negative length in a reply': spoiltReply('text\0\x0b\0\0\0', 'text\0\xff\xff\xff\xff')
}
