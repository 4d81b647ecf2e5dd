'use strict'

// qbson/cursor on the driver, with either library: what it reads, and the state of cursor and connection afterwards.

const assert = require('assert')
const { Writable } = require('stream')
const { pipeline } = require('stream/promises')
const { setTimeout: wait } = require('timers/promises')
const { batches, jsonArray, jsonLines, jsonArrayReadable } = require('../../../lib/cursor')
const { BSONError, decode } = require('../../../qbson')
const { startServer } = require('../servers')
const { replaceOnce, throughProxy } = require('../through-proxy')

const COUNT = 5000

function makeDocuments({ ObjectId, Long }) {
  return Array.from({ length: COUNT }, (_, i) => ({
    _id: i,
    owner: new ObjectId(`${i.toString(16).padStart(8, '0')}0123456789abcdef`),
    name: `name "${i}"\n \u2028 é`,
    at: new Date(1.6e12 + i * 1000),
    amount: i / 4,
    large: Long.fromNumber(2 ** 52 + i),
    list: [i, { deep: [null, true] }]
  }))
}

/** A collection of COUNT documents, made once in this process. */
let filling
function filled(context) {
  filling ??= fill(context)
  return filling
}

async function fill(context) {
  const collection = await context.fresh('cursor')
  await collection.insertMany(makeDocuments(context.bson))
  return collection
}

/**
 * Calls `use(collection)` with a client of one connection, and counts: afterwards all that was taken out of the pool is
 * back, no promise was rejected unheard, and the same connection finds something.
 */
async function onOneConnection(context, use) {
  const { collectionName } = await filled(context)
  const client = new context.mongodb.MongoClient(context.uri, { maxPoolSize: 1, waitQueueTimeoutMS: 20_000 })
  const unheard = []
  const listen = error => unheard.push(error)
  process.on('unhandledRejection', listen)
  let out = 0
  client.on('connectionCheckedOut', () => out++)
  client.on('connectionCheckedIn', () => out--)
  try {
    const collection = client.db(context.databaseName).collection(collectionName)
    const result = await use(collection)
    assert.strictEqual((await collection.findOne({ _id: 7 }))._id, 7)
    for (let i = 0; out > 0 && i < 100; i++) await wait(20)
    assert.strictEqual(out, 0, 'connections that were not given back')
    assert.deepStrictEqual(unheard, [])
    return result
  } finally {
    process.off('unhandledRejection', listen)
    await client.close()
  }
}

async function textOf(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const errorOf = promise => promise.then(() => { throw new Error('no error') }, err => err)

/** How far a stream of text comes before its error. */
async function untilError(stream) {
  const chunks = []
  const error = await errorOf((async () => {
    for await (const chunk of stream) chunks.push(chunk)
  })())
  return { error, text: Buffer.concat(chunks).toString() }
}

const find = (collection, options) => collection.find({}, { raw: true, sort: { _id: 1 }, ...options })

module.exports = {
  'batches have what the driver gives with raw: true': async context => {
    const collection = await filled(context)
    const expected = await find(collection).toArray()
    const found = []
    const lengths = []
    for await (const batch of batches(find(collection), { batchSize: 700 })) {
      assert.strictEqual(batch.first, found.length)
      assert.strictEqual(batch.raw()[0].buffer, batch.raw().at(-1).buffer)
      lengths.push(batch.length)
      found.push(...batch.raw())
    }
    assert.strictEqual(Buffer.compare(Buffer.concat(found), Buffer.concat(expected)), 0)
    return lengths
  },

  'batches decode as decode does, and read fields on demand': async context => {
    const collection = await filled(context)
    for await (const batch of batches(find(collection), { batchSize: 1000 })) {
      assert.deepStrictEqual(batch.documents(), batch.raw().map(view => decode(view)))
      assert.strictEqual(batch.at(3).get('list.1.deep.1'), true)
      assert.strictEqual(batch.at(-1).get('_id'), batch.first + batch.length - 1)
    }
  },

  'streams are JSON.stringify of toArray': async context => {
    const collection = await filled(context)
    const documents = (await find(collection).toArray()).map(view => decode(view))
    const expected = JSON.stringify(documents)
    const text = await new Response(jsonArray(find(collection))).text()
    assert.strictEqual(text, expected)
    assert.strictEqual(text, JSON.stringify(await collection.find({}, { sort: { _id: 1 } }).toArray()))
    assert.strictEqual(await textOf(jsonArrayReadable(find(collection), { batchSize: 333 })), expected)
    assert.strictEqual(await textOf(jsonLines(find(collection))), documents.map(one => `${JSON.stringify(one)}\n`).join(''))
    return text.length
  },

  'all kinds of cursors': async context => {
    const collection = await filled(context)
    const match = { _id: { $lt: 250 } }
    const cursors = {
      limit: find(collection, { limit: 100, batchSize: 50 }),
      'limit in one batch': find(collection, { limit: 100 }),
      filter: collection.find(match, { raw: true }),
      aggregate: collection.aggregate([{ $match: match }], { raw: true }),
      'batch of one': find(collection, { limit: 3, batchSize: 1 }),
      nothing: collection.find({ _id: -1 }, { raw: true })
    }
    const counts = {}
    for (const [name, cursor] of Object.entries(cursors)) {
      counts[name] = JSON.parse(await textOf(jsonArray(cursor, { batchSize: 60 }))).length
    }
    assert.deepStrictEqual(counts, { limit: 100, 'limit in one batch': 100, filter: 250, aggregate: 250, 'batch of one': 3, nothing: 0 })
  },

  'a cursor without raw: true is refused': async context => {
    const collection = await filled(context)
    const cursor = collection.find()
    const error = await errorOf(textOf(jsonArray(cursor)))
    assert.ok(error instanceof BSONError)
    assert.strictEqual(error.message, 'the cursor returns objects, not bytes: collection.find(filter, { raw: true })')
    assert.ok(cursor.closed)
    return error
  },

  'a loop that is left gives the connection back': context => onOneConnection(context, async collection => {
    const cursor = find(collection, { batchSize: 100 })
    for await (const batch of batches(cursor)) if (batch.first > 300) break
    assert.ok(cursor.closed && cursor.killed)
  }),

  'a reader that goes away gives the connection back': context => onOneConnection(context, async collection => {
    const first = find(collection)
    const reader = jsonArray(first, { batchSize: 100 }).getReader()
    await reader.read()
    await reader.cancel()
    assert.ok(first.closed)

    const second = find(collection)
    const pending = jsonArray(second, { batchSize: 100 }).getReader()
    await pending.read()
    pending.read().catch(() => {})
    await pending.cancel() // while the server is asked
    assert.ok(second.closed)

    const third = find(collection)
    let written = 0
    const failing = new Writable({
      write(chunk, encoding, done) {
        written += chunk.length
        done(written > 100_000 ? new Error('reset by peer') : null)
      }
    })
    assert.strictEqual((await errorOf(pipeline(jsonArrayReadable(third, { batchSize: 100 }), failing))).message, 'reset by peer')
    for (let i = 0; !third.closed && i < 50; i++) await wait(20) // the next batch may be under way
    assert.ok(third.closed)

    const never = find(collection)
    await jsonArray(never).cancel()
    assert.ok(never.closed)
  }),

  'a signal stops the reading': context => onOneConnection(context, async collection => {
    for (const after of [0, 1, 5]) {
      const controller = new AbortController()
      const reason = new Error('enough')
      const cursor = find(collection)
      const reader = jsonArray(cursor, { batchSize: 50, signal: controller.signal }).getReader()
      for (let i = 0; i < after; i++) await reader.read()
      const pending = reader.read()
      controller.abort(reason)
      assert.strictEqual(await errorOf(pending), reason)
      assert.strictEqual(await errorOf(reader.read()), reason)
      assert.ok(cursor.closed)
    }
  }),

  'a cursor that is used elsewhere meanwhile': context => onOneConnection(context, async collection => {
    const messages = []
    for (const use of [cursor => cursor.next(), cursor => cursor.close(), cursor => cursor.rewind()]) {
      const cursor = find(collection, { batchSize: 100 })
      const error = await errorOf((async () => {
        for await (const batch of batches(cursor)) if (batch.first === 200) await use(cursor)
      })())
      assert.ok(error instanceof BSONError, error.stack)
      messages.push(error.message)
    }
    const closing = find(collection)
    const promise = textOf(jsonArray(closing, { batchSize: 100 }))
    await closing.close() // before its first reply
    messages.push((await errorOf(promise)).message)
    const early = find(collection)
    const stream = jsonArray(early)
    await early.close()
    messages.push((await errorOf(textOf(stream))).message)
    assert.deepStrictEqual(messages, [
      'the cursor was consumed by other code: documents are missing',
      'the cursor was closed elsewhere before its end',
      'the cursor was consumed by other code: documents are missing',
      'the cursor was closed elsewhere before its end',
      'the cursor was closed elsewhere before its end'
    ])
  }),

  'a broken document: which one, and where': context => {
    const docs = Array.from({ length: 300 }, (_, i) => ({ _id: i, text: `document ${i}` }))
    return throughProxy(context, docs, async (collection, proxy) => {
      await collection.findOne()
      const errors = []
      for (const read of [jsonArray, jsonArrayReadable, batches]) {
        proxy.spoil(replaceOnce(Buffer.from('document 150'), Buffer.from('docu\xff\xfft 150', 'latin1')))
        const cursor = find(collection)
        const source = read(cursor, { batchSize: 100 })
        const { error, text } = await untilError(read === batches ? jsonOf(source) : source)
        assert.ok(error instanceof BSONError, error.stack)
        assert.ok(!text.endsWith(']') || read === batches)
        assert.ok(cursor.closed)
        errors.push([error.document, error.offset, error.path])
        proxy.spoil(undefined)
      }
      assert.deepStrictEqual(errors, Array(3).fill([151, 27, 'text']))
      assert.strictEqual(JSON.parse(await textOf(jsonArray(find(collection)))).length, 300)
    })
  },

  'a connection that is cut in the middle of a reply': context => {
    const docs = Array.from({ length: 3000 }, (_, i) => ({ _id: i, text: `document ${i}`.repeat(10) }))
    return throughProxy(context, docs, async (collection, proxy) => {
      await collection.findOne()
      const reader = jsonArray(find(collection), { batchSize: 500 }).getReader()
      const { value } = await reader.read()
      assert.ok(Buffer.from(value).toString().startsWith('[{"_id":0,'))
      proxy.spoil((chunk, near) => {
        near.end(chunk.subarray(0, chunk.length >>> 1))
        return null
      })
      const error = await errorOf((async () => { while (!(await reader.read()).done); })())
      assert.ok(error instanceof context.mongodb.MongoNetworkError, error.stack)
      proxy.spoil(undefined)
      assert.strictEqual(JSON.parse(await textOf(jsonArray(find(collection)))).length, 3000)
    })
  },

  'a server that is killed in the middle': async context => {
    if (context.kind === 'uri') context.skip('the server is not ours to kill')
    const server = await startServer(context.kind)
    const client = new context.mongodb.MongoClient(server.uri, { serverSelectionTimeoutMS: 3000 })
    try {
      const collection = client.db('killed').collection('docs')
      await collection.insertMany(makeDocuments(context.bson))
      const stream = jsonArray(find(collection), { batchSize: 200 })
      const reader = stream.getReader()
      await reader.read()
      await server.kill()
      const error = await errorOf((async () => { while (!(await reader.read()).done); })())
      const { MongoNetworkError, MongoServerSelectionError } = context.mongodb
      assert.ok(error instanceof MongoNetworkError || error instanceof MongoServerSelectionError, error.stack)
    } finally {
      await client.close()
      await server.stop()
    }
  },

  'a cursor that is killed on the server': context => onOneConnection(context, async collection => {
    const cursor = find(collection, { batchSize: 100 })
    const killed = await errorOf((async () => {
      for await (const batch of batches(cursor)) {
        if (batch.first > 0) continue
        const kill = { killCursors: collection.collectionName, cursors: [cursor.id] }
        await collection.db.command(kill).catch(error => context.skip(error.message))
      }
    })())
    if (killed.constructor.name === 'Skip') throw killed
    assert.ok(killed instanceof context.mongodb.MongoServerError, killed.stack)
  }),

  'documents of nearly 16 MB': async context => {
    const collection = await context.fresh('large')
    const sizes = [15_900_000, 2, 15_900_000]
    for (const [i, size] of sizes.entries()) await collection.insertOne({ _id: i, text: 'x'.repeat(size - 2) + '\n"' })
    const documents = JSON.parse(await textOf(jsonArray(find(collection))))
    assert.deepStrictEqual(documents.map(({ text }) => text.length), sizes)
    await collection.drop()
  }
}

/** @param {AsyncIterable<any>} source of batches */
async function* jsonOf(source) {
  for await (const batch of source) yield batch.json()
}
