'use strict'

// The unchanged calls of the qmongo driver and the example client, against servers. Run by index.js.

const crypto = require('node:crypto')
const net = require('node:net')
const path = require('node:path')
const bson = require('bson')
const { encode, decode } = require('../../qbson')
const wire = require('../../lib/wire')
const { connect, ServerError } = require('../../examples/qmongo')
const { serverKinds, startServer, Unavailable } = require('./servers')
const { installDrivers } = require('./install')
const { skip } = require('../skip')
const { person, people } = require('../qmongo/documents')
const { buildQuery, decodeReply } = require('../qmongo/calls')
const { withConnection, rejection } = require('../qmongo/connection')
const { COUNT, fill, measure } = require('../qmongo/rate')

// ---- servers: one of each kind for all tests, started when the first of them needs it

const started = new Map()

/** @returns {Promise<any>} a server, or the reason why there is no server */
function serverOf(kind) {
  if (!started.has(kind)) {
    started.set(kind, startServer(kind).catch(error => {
      if (error instanceof Unavailable) return { unavailable: error.message }
      throw error
    }))
  }
  return started.get(kind)
}

/** A test that gets a server of that kind, or is skipped. */
function withServer(kind, test) {
  const run = async t => {
    const server = await serverOf(kind)
    if (server.unavailable) skip(t, server.unavailable)
    await test(t, server)
    t.done()
  }
  return t => { run(t).catch(t.done) }
}

/** Runs `use` on a collection of its own, dropped afterwards. */
async function withCollection(uri, name, use) {
  const collection = `${name}${process.pid}`
  return withConnection(uri, async connection => {
    try {
      return await use(connection, `qbson-test.${collection}`)
    } finally {
      if (connection.failure === null) await connection.command({ drop: collection, $db: 'qbson-test' }).catch(() => {})
    }
  })
}

/** A bare connection: sends a message, resolves with the bytes of the next answer. */
async function bareConnection({ host, port }) {
  const socket = net.connect(port, host)
  const splitter = new wire.MessageSplitter()
  const waiting = []
  socket.on('data', chunk => {
    splitter.write(chunk)
    for (const message of splitter) waiting.shift()(message)
  })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const call = message => new Promise((resolve, reject) => {
    waiting.push(resolve)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    socket.write(message)
  })
  return { call, close: () => socket.destroy() }
}

/** A collection of many documents, and by kind of server what the official driver reads there. */
const large = `qbson-test.large${process.pid}`
const expected = {}

const tests = {
  after: async function (done) {
    for (const server of await Promise.all(started.values())) {
      if (!server.unavailable) await server.stop()
    }
    done()
  }
}

for (const kind of serverKinds()) {
  tests[kind] = {
    'the unchanged calls of qmongo': withServer(kind, async (t, server) => {
      const { call, close } = await bareConnection(server)
      const isMaster = decodeReply(await call(buildQuery(1, 'admin.$cmd', { limit: -1 }, { isMaster: 1 })))
      t.strictEqual(isMaster.responseTo, 1)
      t.strictEqual(isMaster.documents[0].ok, 1)
      t.strictEqual(isMaster.documents[0].maxBsonObjectSize, 16777216)
      // Servers after 5.0 know no other OP_QUERY.
      if (kind === 'java') await legacyFind(t, server, call)
      close()
    }),

    'commands and their errors': withServer(kind, async (t, { uri }) => {
      await withConnection(uri, async connection => {
        t.strictEqual((await connection.command({ ping: 1, $db: 'admin' })).get('ok'), 1)
        const error = await rejection(connection.command({ noSuchCommand: 1, $db: 'admin' }))
        t.ok(error instanceof ServerError && error.code === 59, String(error))
        t.strictEqual((await connection.command({ ping: 1, $db: 'admin' })).get('ok'), 1, 'it goes on')
        t.deepStrictEqual(connection.limits.maxBsonObjectSize, 16777216)
      })
    }),

    'insert, find, aggregate, kill': withServer(kind, ({ strictEqual, deepStrictEqual, ok }, { uri }) =>
      withCollection(uri, 'small', async (connection, namespace) => {
        strictEqual(await connection.insertMany(namespace, []), 0)
        strictEqual(await connection.insertMany(namespace, people(1000)), 1000)
        const some = await connection.find(namespace, { index: { $gte: 995 } }).toArray()
        deepStrictEqual(some, [995, 996, 997, 998, 999].map(i => stored(person(i))))
        strictEqual((await connection.find(namespace, {}, { limit: 7, batchSize: 3 }).toArray()).length, 7)

        const pipeline = [{ $group: { _id: '$eyeColor', count: { $sum: 1 } } }, { $sort: { _id: 1 } }]
        deepStrictEqual(await connection.aggregate(namespace, pipeline).toArray(), [
          { _id: 'blue', count: 334 },
          { _id: 'brown', count: 333 },
          { _id: 'green', count: 333 }
        ])

        const duplicate = await rejection(connection.insertMany(namespace, [person(1)]))
        ok(duplicate instanceof ServerError && duplicate.code === 11000, String(duplicate))

        let seen = 0
        for await (const doc of connection.find(namespace, {}, { batchSize: 10 })) {
          strictEqual(doc.index, seen)
          if (++seen === 25) break // kills the cursor
        }
        strictEqual((await connection.find(namespace, { index: 1 }).toArray()).length, 1, 'it goes on')
        strictEqual(connection.pending.size, 0)
      })
    ),

    [`${COUNT} documents are inserted, and read by the official driver`]: withServer(kind, async (t, { uri }) => {
      const unavailable = installDrivers()
      if (unavailable) skip(t, unavailable)
      await withConnection(uri, async connection => t.strictEqual(await connection.insertMany(large, people(COUNT)), COUNT))
      expected[kind] = await driverDigest(uri, {}, doc => bson.serialize(doc))
      t.strictEqual(expected[kind].count, COUNT)
    }),

    'and read by us, the same': withServer(kind, async (t, { uri }) => {
      if (expected[kind] === undefined) skip(t, 'nothing to compare with')
      await withConnection(uri, async connection => {
        t.deepStrictEqual(await digest(connection.find(large), encode), expected[kind], 'as objects')
        if (kind !== 'ferretdb') { // it is a tenth as fast
          const raw = connection.find(large, {}, { rawDocuments: true })
          const expectedBytes = await driverDigest(uri, { raw: true }, doc => doc)
          t.deepStrictEqual(await digest(raw, doc => doc.bytes), expectedBytes, 'as bytes')
        }
        await connection.command({ drop: large.split('.')[1], $db: large.split('.')[0] })
      })
    })
  }
}

/** OP_QUERY as qmongo finds documents. This server closes the connection on OP_GET_MORE and OP_KILL_CURSORS. */
async function legacyFind(t, { uri }, call) {
  await withCollection(uri, 'legacy', async (connection, namespace) => {
    await connection.insertMany(namespace, people(100))
    const expected = i => ({ _id: person(i)._id, index: i, name: person(i).name })
    const fields = { index: 1, name: 1 }
    let reply = decodeReply(await call(buildQuery(2, namespace, { skip: 5, limit: -20 }, { index: { $gte: 10 } }, fields)))
    t.strictEqual(reply.responseTo, 2)
    t.strictEqual(reply.flags, 0)
    t.strictEqual(reply.numberReturned, 20)
    t.deepStrictEqual(reply.documents, Array.from({ length: 20 }, (_, i) => expected(i + 15)))

    reply = decodeReply(await call(buildQuery(3, namespace, { limit: 10 }, {})))
    t.strictEqual(reply.documents.length, 10)
    t.ok(!reply.cursorId.isZero(), 'there is more')
    t.deepStrictEqual(reply.documents, [...people(10)].map(stored))

    const [db, collection] = namespace.split('.')
    const command = { count: collection, query: { isActive: true } }
    reply = decodeReply(await call(buildQuery(4, `${db}.$cmd`, { limit: -1 }, command)))
    t.strictEqual(reply.documents[0].n, 50)
  })
}

/** A document as it comes back. */
function stored(doc) {
  return decode(encode(doc))
}

async function digest(documents, bytesOf) {
  const hash = crypto.createHash('sha256')
  let count = 0
  for await (const doc of documents) {
    hash.update(bytesOf(doc))
    count++
  }
  return { count, hash: hash.digest('hex') }
}

/** What the official driver on bson reads. */
async function driverDigest(uri, options, bytesOf) {
  const { MongoClient } = require(path.join(__dirname, 'with-bson/node_modules/mongodb'))
  const client = await MongoClient.connect(uri)
  const [db, collection] = large.split('.')
  const cursor = client.db(db).collection(collection).find({}, { batchSize: 1000, ...options })
  const result = await digest(cursor, bytesOf)
  await client.close()
  return result
}

if (serverKinds().includes('java')) {
  tests['a server that is killed in the middle'] = withServer('java', async t => {
    const server = await startServer('java')
    const connection = await connect(server.uri)
    await connection.insertMany('d.c', people(5000))
    let count = 0
    const error = await rejection((async () => {
      for await (const doc of connection.find('d.c', {}, { batchSize: 100 })) {
        t.strictEqual(doc.index, count++)
        if (count === 250) await server.kill()
      }
    })())
    t.ok(error instanceof Error, String(error))
    t.ok(count >= 250 && count < 5000, `${count} documents came before`)
    t.strictEqual(connection.pending.size, 0, 'nobody waits')
    t.strictEqual(connection.splitter.pendingBytes, 0, 'nothing is held')
    await rejection(connection.command({ ping: 1, $db: 'admin' }))
    await rejection(connect(server.uri))
  })

  tests['finds at least 1.5 times the documents a second of the official driver on bson'] = withServer('java', async (t, { uri }) => {
    const unavailable = installDrivers()
    if (unavailable) skip(t, unavailable)
    await fill(uri)
    const { qmongo, driver } = measure(uri, 2, ['qmongo', 'driver'])
    // Per second of the client's own CPU time: on a machine that is busy the server is what both wait for.
    const times = qmongo.perCpuSecond / driver.perCpuSecond
    t.ok(times >= 1.5, `${times.toFixed(2)} times: ${JSON.stringify({ qmongo, driver })}`)
  })
}

module.exports = tests
