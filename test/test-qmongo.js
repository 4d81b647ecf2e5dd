'use strict'

// The names of the qmongo driver, the example client, and both against servers: those of driver/servers.js.

const crypto = require('node:crypto')
const net = require('node:net')
const path = require('node:path')
const bson = require('bson')
const qbson = require('../qbson')
const wire = require('../lib/wire')
const { connect, ServerError } = require('../examples/qmongo')
const { serverKinds, startServer, Unavailable } = require('./driver/servers')
const { installDrivers } = require('./driver/install')
const { skip } = require('./skip')
const { person, people } = require('./qmongo/documents')
const { COUNT, fill, measure } = require('./qmongo/rate')

const { encode, decode, RawDocument, BSONError } = qbson

/** Whether the coverage is being taken. */
const isMeasured = Boolean(process.env.NYC_CONFIG)

// ---- servers: one of each kind for all tests, started when the first of them needs it

const started = new Map()

/** @returns {Promise<any>} a server, or the reason why there is none */
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
  return async function (t) {
    const server = await serverOf(kind)
    if (server.unavailable) return skip(t, server.unavailable)
    await test(t, server)
    t.done()
  }
}

async function withConnection(uri, use) {
  const connection = await connect(uri)
  try {
    return await use(connection)
  } finally {
    connection.close()
  }
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

async function rejection(promise) {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}

// ---- the wire layer of qmongo as it calls this package: none of its calls changed

const { encodeEntities, guessSize, putInt32 } = encode
const { getBsonEntities, getUInt32 } = decode

function buildQuery(requestId, namespace, { skip = 0, limit = 0 }, query, fields) {
  const size = 16 + 4 + Buffer.byteLength(namespace) + 1 + 8 + guessSize(query) + (fields ? guessSize(fields) : 0)
  const message = Buffer.alloc(size)
  let offset = putHeader(message, requestId, 2004)
  offset = putInt32(0, message, offset)
  offset += message.write(namespace + '\0', offset)
  offset = putInt32(skip, message, offset)
  offset = putInt32(limit, message, offset)
  offset = encodeEntities(query, message, offset)
  if (fields) offset = encodeEntities(fields, message, offset)
  putInt32(offset, message, 0)
  return message.subarray(0, offset)
}

function buildGetMore(requestId, namespace, limit, cursorId) {
  const message = Buffer.alloc(16 + 4 + Buffer.byteLength(namespace) + 1 + 12)
  let offset = putHeader(message, requestId, 2005)
  offset = putInt32(0, message, offset)
  offset += message.write(namespace + '\0', offset)
  offset = putInt32(limit, message, offset)
  offset = putInt32(cursorId.low, message, offset)
  offset = putInt32(cursorId.high, message, offset)
  putInt32(offset, message, 0)
  return message
}

function buildKillCursors(requestId, cursorIds) {
  const message = Buffer.alloc(16 + 8 + 8 * cursorIds.length)
  let offset = putInt32(cursorIds.length, message, putInt32(0, message, putHeader(message, requestId, 2007)))
  for (const { low, high } of cursorIds) offset = putInt32(high, message, putInt32(low, message, offset))
  putInt32(offset, message, 0)
  return message
}

function putHeader(message, requestId, opCode) {
  return putInt32(opCode, message, putInt32(0, message, putInt32(requestId, message, putInt32(0, message, 0))))
}

function decodeReply(buf) {
  const reply = {
    responseTo: getUInt32(buf, 8),
    flags: getUInt32(buf, 16),
    cursorId: new qbson.Long(getUInt32(buf, 20) | 0, getUInt32(buf, 24) | 0),
    numberReturned: getUInt32(buf, 32),
    documents: []
  }
  for (let base = 36; base < buf.length; ) {
    const size = getUInt32(buf, base)
    reply.documents.push(getBsonEntities(buf, base + 4, base + size - 1, {}))
    base += size
  }
  return reply
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

// ---- tests

/** A collection of many documents, and by kind of server what the official driver reads there. */
const large = `qbson-test.large${process.pid}`
const expected = {}

const tests = {
  after: async function (done) {
    for (const server of await Promise.all(started.values())) {
      if (!server.unavailable) await server.stop()
    }
    done()
  },

  'names': {
    'encodeEntities writes into the target and answers the offset after it': function (t) {
      const target = Buffer.alloc(200, 0xee)
      const end = encode.encodeEntities(person(5), Buffer.alloc(1000), 10)
      t.equal(end, 10 + bson.serialize(person(5)).length)
      const next = encode.encodeEntities({ b: 2 }, target, encode.encodeEntities({ a: 1 }, target, 7))
      const expected = Buffer.concat([bson.serialize({ a: 1 }), bson.serialize({ b: 2 })])
      t.deepEqual([...target.subarray(7, next)], [...expected])
      t.ok(target.subarray(0, 7).every(byte => byte === 0xee) && target.subarray(next).every(byte => byte === 0xee))
      t.throws(() => encode.encodeEntities({ a: 'x'.repeat(300) }, target, 0), BSONError)
      t.done()
    },

    'guessSize is an upper bound': function (t) {
      for (const doc of [{}, { a: 1 }, { u: undefined, f() {} }, person(7), { s: 'é€😀'.repeat(50) }]) {
        t.ok(encode.guessSize(doc) >= bson.serialize(doc).length)
      }
      t.done()
    },

    'putInt32 and getUInt32': function (t) {
      const buf = Buffer.alloc(10)
      for (const n of [0, 1, -1, 0x12345678, -0x80000000, 0x7fffffff]) {
        t.equal(encode.putInt32(n, buf, 3), 7)
        t.equal(buf.readInt32LE(3), n)
        t.equal(decode.getUInt32(buf, 3), n >>> 0)
      }
      t.done()
    },

    'getBsonEntities reads the elements between two offsets into the target': function (t) {
      const doc = Buffer.from(bson.serialize({ a: 1, b: { c: [true, 'x'] }, $ref: 'r' }))
      const buf = Buffer.concat([Buffer.alloc(9, 1), doc, Buffer.alloc(9, 1)])
      const target = { z: 0, a: 'old' }
      t.strictEqual(decode.getBsonEntities(buf, 13, 9 + doc.length - 1, target), target)
      t.deepEqual(target, { z: 0, a: 1, b: { c: [true, 'x'] }, $ref: 'r' })

      const array = Buffer.from(bson.serialize({ 0: 'a', 1: 'b' }))
      const list = ['first']
      t.strictEqual(decode.getBsonEntities(array, 4, array.length - 1, list, true), list)
      t.deepEqual(list, ['first', 'a', 'b'])
      t.deepEqual(decode.getBsonEntities(array, 4, 4, {}), {})
      t.deepEqual(decode.getBsonEntities(array, 4, array.length - 1, {}, false), { 0: 'a', 1: 'b' })
      t.throws(() => decode.getBsonEntities(array, 4, array.length - 2, {}), BSONError)
      t.done()
    },

    'build the messages that wire reads': function (t) {
      const query = wire.decodeMessage(buildQuery(3, 'd.c', { skip: 1, limit: -2 }, { a: 1 }, { b: 1 }))
      t.deepEqual([query.requestId, query.fullCollectionName, query.numberToSkip, query.numberToReturn], [3, 'd.c', 1, -2])
      t.deepEqual([query.query.toObject(), query.returnFieldsSelector.toObject()], [{ a: 1 }, { b: 1 }])
      const id = qbson.Long.fromString('-1234567890123456789')
      const { cursorId, numberToReturn } = wire.decodeMessage(buildGetMore(4, 'd.c', 5, id))
      t.deepEqual([cursorId, numberToReturn], [-1234567890123456789n, 5])
      t.deepEqual(wire.decodeMessage(buildKillCursors(4, [id, id])).cursorIds, [cursorId, cursorId])
      const reply = decodeReply(wire.encodeReply({ requestId: 1, responseTo: 9, cursorId: id, documents: [{ a: 1 }, { b: 2 }] }))
      t.deepEqual(reply, { responseTo: 9, flags: 0, cursorId: id, numberReturned: 2, documents: [{ a: 1 }, { b: 2 }] })
      t.done()
    },

    'classes': function (t) {
      for (const name of ['Long', 'Timestamp', 'ObjectId', 'ObjectID', 'DbRef', 'Decimal128', 'MinKey', 'MaxKey']) {
        t.equal(typeof qbson[name], 'function', name)
      }
      t.strictEqual(qbson.ObjectID, qbson.ObjectId)
      t.strictEqual(qbson.DbRef, qbson.DBRef)
      t.done()
    }
  }
}

for (const kind of serverKinds()) {
  tests[kind] = {
    'the unchanged calls of qmongo': withServer(kind, async (t, server) => {
      const { call, close } = await bareConnection(server)
      const isMaster = decodeReply(await call(buildQuery(1, 'admin.$cmd', { limit: -1 }, { isMaster: 1 })))
      t.equal(isMaster.responseTo, 1)
      t.equal(isMaster.documents[0].ok, 1)
      t.equal(isMaster.documents[0].maxBsonObjectSize, 16777216)
      // Servers after 5.0 know no other OP_QUERY.
      if (kind === 'java') await legacyFind(t, server, call)
      close()
    }),

    'commands and their errors': withServer(kind, async (t, { uri }) => {
      await withConnection(uri, async connection => {
        t.equal((await connection.command({ ping: 1, $db: 'admin' })).get('ok'), 1)
        const error = await rejection(connection.command({ noSuchCommand: 1, $db: 'admin' }))
        t.ok(error instanceof ServerError && error.code === 59, String(error))
        t.equal((await connection.command({ ping: 1, $db: 'admin' })).get('ok'), 1, 'it goes on')
        t.deepEqual(connection.limits.maxBsonObjectSize, 16777216)
      })
    }),

    'insert, find, aggregate, kill': withServer(kind, ({ equal, deepEqual, ok }, { uri }) =>
      withCollection(uri, 'small', async (connection, namespace) => {
        equal(await connection.insertMany(namespace, []), 0)
        equal(await connection.insertMany(namespace, people(1000)), 1000)
        const some = await connection.find(namespace, { index: { $gte: 995 } }).toArray()
        deepEqual(some, [995, 996, 997, 998, 999].map(i => stored(person(i))))
        equal((await connection.find(namespace, {}, { limit: 7, batchSize: 3 }).toArray()).length, 7)

        const pipeline = [{ $group: { _id: '$eyeColor', count: { $sum: 1 } } }, { $sort: { _id: 1 } }]
        deepEqual(await connection.aggregate(namespace, pipeline).toArray(), [
          { _id: 'blue', count: 334 },
          { _id: 'brown', count: 333 },
          { _id: 'green', count: 333 }
        ])

        const duplicate = await rejection(connection.insertMany(namespace, [person(1)]))
        ok(duplicate instanceof ServerError && duplicate.code === 11000, String(duplicate))

        let seen = 0
        for await (const doc of connection.find(namespace, {}, { batchSize: 10 })) {
          equal(doc.index, seen)
          if (++seen === 25) break // kills the cursor
        }
        equal((await connection.find(namespace, { index: 1 }).toArray()).length, 1, 'it goes on')
        equal(connection.pending.size, 0)
      })
    ),

    [`${COUNT} documents are inserted, and read by the official driver`]: withServer(kind, async (t, { uri }) => {
      if (isMeasured) return skip(t, 'too slow under coverage')
      const unavailable = installDrivers()
      if (unavailable) return skip(t, unavailable)
      await withConnection(uri, async connection => t.equal(await connection.insertMany(large, people(COUNT)), COUNT))
      expected[kind] = await driverDigest(uri, {}, doc => bson.serialize(doc))
      t.equal(expected[kind].count, COUNT)
    }),

    'and read by us, the same': withServer(kind, async (t, { uri }) => {
      if (expected[kind] === undefined) return skip(t, 'nothing to compare with')
      await withConnection(uri, async connection => {
        t.deepEqual(await digest(connection.find(large), encode), expected[kind], 'as objects')
        if (kind !== 'ferretdb') { // it is a tenth as fast
          const raw = connection.find(large, {}, { rawDocuments: true })
          const expectedBytes = await driverDigest(uri, { raw: true }, doc => doc)
          t.deepEqual(await digest(raw, doc => doc.bytes), expectedBytes, 'as bytes')
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
    t.equal(reply.responseTo, 2)
    t.equal(reply.flags, 0)
    t.equal(reply.numberReturned, 20)
    t.deepEqual(reply.documents, Array.from({ length: 20 }, (_, i) => expected(i + 15)))

    reply = decodeReply(await call(buildQuery(3, namespace, { limit: 10 }, {})))
    t.equal(reply.documents.length, 10)
    t.ok(!reply.cursorId.isZero(), 'there is more')
    t.deepEqual(reply.documents, [...people(10)].map(stored))

    const [db, collection] = namespace.split('.')
    const command = { count: collection, query: { isActive: true } }
    reply = decodeReply(await call(buildQuery(4, `${db}.$cmd`, { limit: -1 }, command)))
    t.equal(reply.documents[0].n, 50)
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
  const { MongoClient } = require(path.join(__dirname, 'driver/with-bson/node_modules/mongodb'))
  const client = await MongoClient.connect(uri)
  const [db, collection] = large.split('.')
  const cursor = client.db(db).collection(collection).find({}, { batchSize: 1000, ...options })
  const result = await digest(cursor, bytesOf)
  await client.close()
  return result
}

if (serverKinds().includes('java')) {
  tests['a server that is killed in the middle'] = async function (t) {
    const server = await startServer('java').catch(error => {
      if (error instanceof Unavailable) return null
      throw error
    })
    if (server === null) return skip(t, 'mongo-java-server cannot be started here')
    const connection = await connect(server.uri)
    await connection.insertMany('d.c', people(5000))
    let count = 0
    const error = await rejection((async () => {
      for await (const doc of connection.find('d.c', {}, { batchSize: 100 })) {
        t.equal(doc.index, count++)
        if (count === 250) await server.kill()
      }
    })())
    t.ok(error instanceof Error, String(error))
    t.ok(count >= 250 && count < 5000, `${count} documents came before`)
    t.equal(connection.pending.size, 0, 'nobody waits')
    t.equal(connection.splitter.pendingBytes, 0, 'nothing is held')
    await rejection(connection.command({ ping: 1, $db: 'admin' }))
    await rejection(connect(server.uri))
    t.done()
  }

  tests['finds at least 1.5 times the documents a second of the official driver on bson'] = withServer('java', async (t, { uri }) => {
    if (isMeasured) return skip(t, 'coverage makes qbson slower, not bson')
    const unavailable = installDrivers()
    if (unavailable) return skip(t, unavailable)
    await fill(uri)
    const { qmongo, driver } = measure(uri, 2, ['qmongo', 'driver'])
    // Per second of the client's own processor time: on a machine that is busy the server is what both wait for.
    const times = qmongo.perCpuSecond / driver.perCpuSecond
    t.ok(times >= 1.5, `${times.toFixed(2)} times: ${JSON.stringify({ qmongo, driver })}`)
  })
}

// ---- a server that misbehaves

/** The header of a request; the answers are made with it. */
const answer = (request, fields) => wire.encodeMsg({ requestId: 1000, responseTo: request.requestId, ...fields })

const helloReply = request => wire.encodeReply({ requestId: 999, responseTo: request.requestId, documents: [{ ok: 1 }] })

/** Starts a server that answers hello well and the rest as `misbehave(request, socket)` says; resolves with its uri. */
function startMisbehaving(misbehave) {
  const server = net.createServer(socket => {
    const splitter = new wire.MessageSplitter()
    socket.on('error', () => {})
    socket.on('data', chunk => {
      splitter.write(chunk)
      for (const bytes of splitter) {
        const request = wire.decodeMessage(bytes)
        if (request.opCode === wire.OPCODE.QUERY) socket.write(helloReply(request))
        else misbehave(request, socket)
      }
    })
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve({
    uri: `mongodb://127.0.0.1:${server.address().port}`,
    close: () => server.close()
  })))
}

const wrongSum = message => {
  message[message.length - 1] ^= 1
  return message
}

/** [what, misbehave, error] */
const MISBEHAVIOURS = [
  ['answers nobody', (request, socket) => socket.write(answer({ requestId: 77 }, { body: { ok: 1 } })), /OP_MSG 1000 in reply to 77: no request waits/],
  ['lies about a length', (request, socket) => socket.write(Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 221, 7, 0, 0])), /length 1 is not between/],
  ['has a checksum that is wrong', (request, socket) => socket.write(wrongSum(answer(request, { body: { ok: 1 }, checksum: true }))), /checksum/],
  ['ends in the middle', (request, socket) => socket.end(answer(request, { body: { ok: 1 } }).subarray(0, 20)), /the connection is closed/],
  ['ends at once', (request, socket) => socket.destroy(), /the connection is closed|ECONNRESET/],
  ['sends a bomb', (request, socket) => {
    const message = wire.compressMessage(answer(request, { body: { ok: 1, zeros: Buffer.alloc(10e6) } }), 'zlib')
    message.writeInt32LE(1000, 20)
    socket.write(message)
  }, /decompresses to more than the 1000 bytes it says/]
]

for (const [what, misbehave, expected] of MISBEHAVIOURS) {
  tests[`a server that ${what}`] = async function (t) {
    const server = await startMisbehaving(misbehave)
    const connection = await connect(server.uri)
    const both = [connection.command({ ping: 1, $db: 'd' }), connection.command({ ping: 2, $db: 'd' })]
    for (const result of await Promise.allSettled(both)) {
      t.equal(result.status, 'rejected')
      t.ok(expected.test(result.reason.message), result.reason.message)
    }
    t.equal(connection.pending.size, 0)
    t.equal(connection.splitter.pendingBytes, 0)
    t.ok(expected.test((await rejection(connection.command({ ping: 3, $db: 'd' }))).message), 'and later')
    server.close()
    t.done()
  }
}

Object.assign(tests, {
  'answers that come compressed, with checksums, in small pieces and in another order': async function (t) {
    const requests = []
    const server = await startMisbehaving((request, socket) => {
      requests.push(request)
      if (requests.length < 3) return
      const replies = requests.reverse().map((request, i) => {
        const message = answer(request, { body: { ok: 1, ping: request.body.get('ping') }, checksum: i !== 0 })
        return i === 2 ? message : wire.compressMessage(message, wire.compressors()[i + 1] ?? 'zlib')
      })
      const bytes = Buffer.concat(replies)
      const writeNext = pos => pos < bytes.length && socket.write(bytes.subarray(pos, pos + 7), () => writeNext(pos + 7))
      writeNext(0)
    })
    await withConnection(server.uri, async connection => {
      const replies = await Promise.all([1, 2, 3].map(ping => connection.command({ ping, $db: 'd' })))
      t.deepEqual(replies.map(reply => reply.get('ping')), [1, 2, 3])
      t.ok(replies.every(reply => reply instanceof RawDocument))
    })
    server.close()
    t.done()
  },

  'the batches of an insert': async function (t) {
    const sizes = []
    const server = await startMisbehaving((request, socket) => {
      const { documents } = request.sequences[0]
      sizes.push(documents.length)
      socket.write(answer(request, { body: { ok: 1, n: documents.length } }))
    })
    await withConnection(server.uri, async connection => {
      connection.limits.maxMessageSizeBytes = 10_000
      t.equal(await connection.insertMany('d.c', people(200)), 200)
    })
    t.ok(sizes.length > 8 && sizes.length < 15, sizes.join())
    t.equal(sizes.reduce((a, b) => a + b), 200)
    server.close()
    t.done()
  }
})

module.exports = tests
