'use strict'

// The names of the qmongo driver, and the example client against servers that misbehave. driver/qmongo.js tests both
// with real servers.

const net = require('node:net')
const bson = require('bson')
const qbson = require('../../qbson')
const wire = require('../../lib/wire')
const { connect } = require('../../examples/qmongo')
const { person, people } = require('../qmongo/documents')
const { buildQuery, buildGetMore, buildKillCursors, decodeReply } = require('../qmongo/calls')
const { withConnection, rejection } = require('../qmongo/connection')

const { encode, decode, RawDocument, BSONError } = qbson

const tests = {
  'names': {
    'encodeEntities writes into the target and answers the offset after it': function (t) {
      const target = Buffer.alloc(200, 0xee)
      const end = encode.encodeEntities(person(5), Buffer.alloc(1000), 10)
      t.strictEqual(end, 10 + bson.serialize(person(5)).length)
      const next = encode.encodeEntities({ b: 2 }, target, encode.encodeEntities({ a: 1 }, target, 7))
      const expected = Buffer.concat([bson.serialize({ a: 1 }), bson.serialize({ b: 2 })])
      t.deepStrictEqual([...target.subarray(7, next)], [...expected])
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
        t.strictEqual(encode.putInt32(n, buf, 3), 7)
        t.strictEqual(buf.readInt32LE(3), n)
        t.strictEqual(decode.getUInt32(buf, 3), n >>> 0)
      }
      t.done()
    },

    'getBsonEntities reads the elements between two offsets into the target': function (t) {
      const doc = Buffer.from(bson.serialize({ a: 1, b: { c: [true, 'x'] }, $ref: 'r' }))
      const buf = Buffer.concat([Buffer.alloc(9, 1), doc, Buffer.alloc(9, 1)])
      const target = { z: 0, a: 'old' }
      t.strictEqual(decode.getBsonEntities(buf, 13, 9 + doc.length - 1, target), target)
      t.deepStrictEqual(target, { z: 0, a: 1, b: { c: [true, 'x'] }, $ref: 'r' })

      const array = Buffer.from(bson.serialize({ 0: 'a', 1: 'b' }))
      const list = ['first']
      t.strictEqual(decode.getBsonEntities(array, 4, array.length - 1, list, true), list)
      t.deepStrictEqual(list, ['first', 'a', 'b'])
      t.deepStrictEqual(decode.getBsonEntities(array, 4, 4, {}), {})
      t.deepStrictEqual(decode.getBsonEntities(array, 4, array.length - 1, {}, false), { 0: 'a', 1: 'b' })
      t.throws(() => decode.getBsonEntities(array, 4, array.length - 2, {}), BSONError)
      t.done()
    },

    'build the messages that wire reads': function (t) {
      const query = wire.decodeMessage(buildQuery(3, 'd.c', { skip: 1, limit: -2 }, { a: 1 }, { b: 1 }))
      t.deepStrictEqual([query.requestId, query.fullCollectionName, query.numberToSkip, query.numberToReturn], [3, 'd.c', 1, -2])
      t.deepStrictEqual([query.query.toObject(), query.returnFieldsSelector.toObject()], [{ a: 1 }, { b: 1 }])
      const id = qbson.Long.fromString('-1234567890123456789')
      const { cursorId, numberToReturn } = wire.decodeMessage(buildGetMore(4, 'd.c', 5, id))
      t.deepStrictEqual([cursorId, numberToReturn], [-1234567890123456789n, 5])
      t.deepStrictEqual(wire.decodeMessage(buildKillCursors(4, [id, id])).cursorIds, [cursorId, cursorId])
      const reply = decodeReply(wire.encodeReply({ requestId: 1, responseTo: 9, cursorId: id, documents: [{ a: 1 }, { b: 2 }] }))
      t.deepStrictEqual(reply, { responseTo: 9, flags: 0, cursorId: id, numberReturned: 2, documents: [{ a: 1 }, { b: 2 }] })
      t.done()
    },

    'classes': function (t) {
      for (const name of ['Long', 'Timestamp', 'ObjectId', 'ObjectID', 'DbRef', 'Decimal128', 'MinKey', 'MaxKey']) {
        t.strictEqual(typeof qbson[name], 'function', name)
      }
      t.strictEqual(qbson.ObjectID, qbson.ObjectId)
      t.strictEqual(qbson.DbRef, qbson.DBRef)
      t.done()
    }
  }
}

// ---- a server that misbehaves

/** The header of a request, from which the reply is made. */
const answer = (request, fields) => wire.encodeMsg({ requestId: 1000, responseTo: request.requestId, ...fields })

const helloReply = request => wire.encodeReply({ requestId: 999, responseTo: request.requestId, documents: [{ ok: 1 }] })

/** Starts a server that replies to hello as usual, and to the rest as `misbehave(request, socket)` does; resolves with its uri. */
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
  }, /decompresses to more than the stated 1000 bytes/]
]

for (const [what, misbehave, expected] of MISBEHAVIOURS) {
  tests[`a server that ${what}`] = async function (t) {
    const server = await startMisbehaving(misbehave)
    const connection = await connect(server.uri)
    const both = [connection.command({ ping: 1, $db: 'd' }), connection.command({ ping: 2, $db: 'd' })]
    for (const result of await Promise.allSettled(both)) {
      t.strictEqual(result.status, 'rejected')
      t.ok(expected.test(result.reason.message), result.reason.message)
    }
    t.strictEqual(connection.pending.size, 0)
    t.strictEqual(connection.splitter.pendingBytes, 0)
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
      t.deepStrictEqual(replies.map(reply => reply.get('ping')), [1, 2, 3])
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
      t.strictEqual(await connection.insertMany('d.c', people(200)), 200)
    })
    t.ok(sizes.length > 8 && sizes.length < 15, sizes.join())
    t.strictEqual(sizes.reduce((a, b) => a + b), 200)
    server.close()
    t.done()
  }
})

module.exports = tests
