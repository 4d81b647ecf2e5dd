'use strict'

// Wrong messages: the errors and their places.

const zlib = require('node:zlib')
const { BSONError, RawDocument } = require('../../qbson')
const wire = require('../../lib/wire')
const { assertCheap } = require('../fixtures/cost')
const {
  int32, int64, cstring, frame, kind, sequence, withChecksum, plain, failure, msg, compressed, STREAM, ok, body
} = require('../fixtures/wire')

const { WireError, MessageSplitter, decodeHeader, decodeMessage, decodeBatch, compressMessage } = wire
const { encodeMsg, encodeBatches, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply } = wire

const hasZstd = typeof zlib.zstdCompressSync === 'function'

const tests = {}

const lying = size => Buffer.concat([int32(size), ok.subarray(4)])
const deflated = zlib.deflateSync(frame(0, 0, 0, int32(0), body).subarray(16))
const bomb = zlib.deflateSync(Buffer.alloc(100e6))
const unterminated = Buffer.concat([ok.subarray(0, -1), kind(7)])
const wrongSum = withChecksum(msg(body))
wrongSum[22] ^= 1

/** [what, message, text, offset] */
const BROKEN = [
  ['a length below 16', int32(15, 5, 4, 2013), 'OP_MSG 5 in reply to 4: length 15 is not between 16 and 48000000', 0],
  ['a negative length', int32(-1, 5, 0, 2004), 'OP_QUERY 5: length -1 is not between 16 and 48000000', 0],
  ['a length above the limit', int32(48000001, 5, 4, 1), 'OP_REPLY 5 in reply to 4: length 48000001 is not', 0],
  ['an opcode that is unknown', frame(5, 4, 7, int32(0)), 'opcode 7 5 in reply to 4: unknown opCode', 12],
  ['no flags', frame(5, 4, 2013), 'flags needs 4 bytes, only 0 are left', 16],
  ['no body', msg(), 'has no body', 20],
  ['no body but documents', msg(sequence('d', ok)), 'has no body', 20 + sequence('d', ok).length],
  ['two bodies', msg(body, body), 'has two bodies', 20 + body.length],
  ['a section of unknown kind', msg(body, kind(2), ok), 'section kind 2 is unknown', 20 + body.length],
  ['a required flag that is unknown', frame(5, 4, 2013, int32(0x8004), body), 'flag 0x8004 is unknown', 16],
  ['a body that is too long for its message', msg(kind(0), lying(100)), 'body has the length 100, but 13 bytes are left', 21],
  ['a body of negative size', msg(kind(0), lying(-5)), 'body has the length -5', 21],
  ['a body that is too short', msg(kind(0), lying(4)), 'body has the length 4', 21],
  ['a body without an end', msg(kind(0), unterminated), 'body does not end with a 0x00', 21 + ok.length - 1],
  ['a section that is too long', msg(body, kind(1), int32(100), cstring('d')), 'section has the length 100, but 6 bytes are left', 21 + body.length],
  ['a section that is too short', msg(body, kind(1), int32(4), cstring('d')), 'section has the length 4', 21 + body.length],
  ['a section whose identifier leaves it', msg(body, kind(1), int32(6), Buffer.from('ab\0')), 'section identifier is not terminated', 25 + body.length],
  ['a section whose identifier has no end', msg(body, kind(1), int32(6), Buffer.from('ab')), 'section identifier is not terminated', 25 + body.length],
  ['a section whose identifier is not UTF-8', msg(body, kind(1), int32(6), Buffer.from([0xff, 0])), 'section identifier is not UTF-8', 25 + body.length],
  ['a section that is there twice', msg(body, sequence('d'), sequence('d')), 'duplicate identifier d', 34 + body.length],
  ['a document that leaves its section', msg(body, kind(1), int32(15), cstring('d'), ok), 'd[0] has the length 13, but 9 bytes are left', 27 + body.length],
  ['a document of which there are 3 bytes', msg(body, kind(1), int32(9), cstring('d'), kind(9, 0, 0)), 'd[0] needs at least 5 bytes, only 3 are left', 27 + body.length],
  ['a checksum that is wrong', wrongSum, 'checksum is 0x', wrongSum.length - 4],
  ['a checksum that is cut off', frame(5, 4, 2013, int32(1), kind(0)), 'checksum is cut off', 20],
  ['more documents than numberReturned', frame(5, 4, 1, int32(0), int64(0), int32(0, 1), ok, ok), 'numberReturned is 1, but there are 2', 32],
  ['fewer documents than numberReturned', frame(5, 4, 1, int32(0), int64(0), int32(0, 3), ok), 'numberReturned is 3, but there are 1', 32],
  ['a negative numberReturned', frame(5, 4, 1, int32(0), int64(0), int32(0, -1)), 'numberReturned is -1, but there are 0', 32],
  ['a reply that is too short', frame(5, 4, 1, int32(0), int32(0)), 'cursorId needs 8 bytes, only 4 are left', 20],
  ['bytes after a query', frame(5, 0, 2004, int32(0), cstring('c'), int32(0, 0), ok, ok, kind(1)), '1 bytes are left at its end', 30 + 2 * ok.length],
  ['a collection name without an end', frame(5, 0, 2004, int32(0), Buffer.from('c')), 'fullCollectionName is not terminated', 20],
  ['bytes after OP_GET_MORE', frame(5, 0, 2005, int32(0), cstring('c'), int32(0), int64(0), kind(0)), '1 bytes are left', 34],
  ['more cursors than said', frame(5, 0, 2007, int32(0, 1), int64(0), int64(0)), 'numberOfCursorIDs is 1, but there are 2', 20],
  ['two thousand million cursors', frame(5, 0, 2007, int32(0, 0x7fffffff), int64(0)), 'numberOfCursorIDs is 2147483647, but there are 1', 20],
  ['minus one cursor', frame(5, 0, 2007, int32(0, -1)), 'numberOfCursorIDs is -1, but there are 0', 20],

  ['compressed twice', compressed(2012, 30, 0, Buffer.alloc(30)), 'OP_COMPRESSED 5 in reply to 4: is compressed twice', 16],
  ['an uncompressedSize below 0', compressed(2013, -1, 2, deflated), 'uncompressedSize -1 is not between 0 and 47999984', 20],
  ['an uncompressedSize beyond the limit', compressed(2013, 48e6, 2, deflated), 'uncompressedSize 48000000 is not between', 20],
  ['an uncompressedSize that is too small', compressed(2013, 10, 2, deflated), 'decompresses to more than the stated 10 bytes', 25],
  ['an uncompressedSize of 0', compressed(2013, 0, 2, deflated), 'decompresses to', 25],
  ['an uncompressedSize that is too large', compressed(2013, 1000, 2, deflated), 'decompresses to 18 bytes instead of the stated 1000', 25],
  ['noop data of another size', compressed(2013, 10, 0, Buffer.alloc(11)), 'decompresses to 11 bytes instead of the stated 10', 25],
  ['a bomb', compressed(2013, 1000, 2, bomb), 'decompresses to more than the stated 1000 bytes', 25],
  ['a bomb that admits it', compressed(2013, 100e6, 2, bomb), 'uncompressedSize 100000000 is not between', 20],
  ['zlib data that are broken', compressed(2013, 22, 2, Buffer.from('nonsense')), 'invalid zlib data: incorrect header check', 25],
  ['zlib data that are cut off', compressed(2013, 22, 2, deflated.subarray(0, -5)), 'invalid zlib data: unexpected end of file', 25],
  ['bytes after the zlib data', compressed(2013, 22, 2, Buffer.concat([deflated, kind(1, 2)])), '2 bytes follow the zlib data', 25],
  ['snappy', compressed(2013, 22, 1, deflated), 'compressor "snappy" is not available here', 25],
  ['a compressor that is unknown', compressed(2013, 22, 77, deflated), 'compressor "77" is not available here', 25],
  ['a compressed message that is cut off', frame(5, 4, 2012, int32(2013, 10)), 'compressorId needs 1 bytes, only 0 are left', 24],
  ['a body that is wrong inside', compressed(2013, 5, 0, Buffer.concat([int32(0), kind(9)])), 'OP_MSG 5 in reply to 4: section kind 9 is unknown', 20],
  ['an opcode that is wrong inside', compressed(99, 0, 0, Buffer.alloc(0)), 'opcode 99 5 in reply to 4: unknown opCode', 12]
]

for (const [what, bytes, text, offset] of BROKEN) {
  tests[`bad input: ${what}`] = function (t) {
    const error = failure(bytes)
    t.ok(error.message.includes(text), error.message)
    t.ok(error.message.endsWith(`(at offset ${offset})`), error.message)
    t.strictEqual(error.offset, offset)
    t.strictEqual(error.requestId, 5)
    t.strictEqual(error.responseTo, bytes.readInt32LE(8))
    t.strictEqual(typeof error.opCode, 'number')
    t.done()
  }
}

if (hasZstd) {
  tests['bad input: zstd'] = function (t) {
    const bytes = frame(0, 0, 0, int32(0), body).subarray(16)
    const data = zlib.zstdCompressSync(bytes)
    const large = zlib.zstdCompressSync(Buffer.alloc(10e6))
    const cases = [
      [compressed(2013, 22, 3, Buffer.from('nonsense')), /invalid zstd data/],
      [compressed(2013, 1000, 3, large), /decompresses to more than the stated 1000 bytes/],
      [compressed(2013, 17, 3, data), /decompresses to more than the stated 17 bytes/],
      [compressed(2013, 22, 3, Buffer.concat([data, kind(1)])), /1 bytes follow the zstd data/],
      [compressed(2013, 22, 3, data.subarray(0, -6)), /invalid zstd data|decompresses to \d+ bytes instead of the stated 22/]
    ]
    for (const [message, expected] of cases) t.ok(expected.test(failure(message).message), failure(message).message)
    t.done()
  }
}

Object.assign(tests, {
  'a header': function (t) {
    t.deepStrictEqual(decodeHeader(int32(1, 2, 3, 4)), { length: 1, requestId: 2, responseTo: 3, opCode: 4 })
    t.deepStrictEqual(decodeHeader(Buffer.concat([kind(9), int32(1, -2, 3, 4)]), 1), { length: 1, requestId: -2, responseTo: 3, opCode: 4 })
    t.throws(() => decodeHeader(int32(1, 2, 3)), /a message header needs 16 bytes, only 12 are left/)
    t.throws(() => decodeHeader(int32(1, 2, 3, 4), 1), WireError)
    t.done()
  },

  'what a compressed message says of its size is not reserved at once': function (t) {
    const { inflateSync } = zlib
    let reserved = 0
    zlib.inflateSync = (bytes, options) => {
      reserved = options.chunkSize
      return inflateSync(bytes, options)
    }
    try {
      t.ok(/decompresses to \d+ bytes instead of the stated 47000000/.test(failure(compressed(2013, 47e6, 2, deflated)).message))
    } finally {
      zlib.inflateSync = inflateSync
    }
    t.strictEqual(reserved, 1 << 20)
    t.done()
  },

  'whatever is changed in a message, reading it ends with a BSONError or a message': function (t) {
    const messages = [...STREAM, compressMessage(STREAM[1], 'zlib')]
    let errors = 0
    let count = 0
    for (const message of messages) {
      for (let i = 0; i < message.length; i++) {
        for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
          const changed = Buffer.from(message)
          changed[i] = byte
          count++
          try {
            plain(decodeMessage(changed))
          } catch (error) {
            if (!(error instanceof BSONError)) throw error
            errors++
          }
        }
      }
    }
    t.ok(errors > count / 4 && errors < count, `${errors} of ${count}`)
    t.done()
  },

  // 40,000 took 11 s
  'many sequences take linear time': function (t) {
    const count = 90_000
    const sequences = Array.from({ length: count }, (_, i) => sequence(i.toString(36)))
    const message = msg(body, Buffer.concat(sequences))
    assertCheap(5000, () => t.strictEqual(decodeMessage(message).sequences.length, count), 'many sequences')
    t.done()
  },

  // 5 MB of a million made 116 MB of objects
  'documents and sequences have a limit': function (t) {
    const empty = Buffer.from([5, 0, 0, 0, 0])
    const documents = count => sequence('d', Buffer.alloc(5 * count, empty))
    const limit = { maxWriteBatchSize: 10 }
    const expected = /has more than 10 documents, the limit of maxWriteBatchSize \(at offset \d+\)$/
    t.strictEqual(decodeMessage(msg(body, documents(10)), 0, limit).sequences[0].documents.length, 10)
    t.ok(expected.test(failure(msg(body, documents(11)), limit).message))
    t.ok(expected.test(failure(msg(body, documents(7), sequence('e', empty, empty, empty, empty)), limit).message))
    const many = count => msg(body, ...Array.from({ length: count }, (_, i) => sequence(`${i}`)))
    t.strictEqual(decodeMessage(many(10), 0, limit).sequences.length, 10)
    t.ok(/has more than 10 sequences/.test(failure(many(11), limit).message))
    const written = (...counts) => encodeMsg({ requestId: 1, body: {}, sequences: counts.map((count, i) => ({ identifier: `${i}`, documents: Array(count).fill({}) })) }, limit)
    t.strictEqual(decodeMessage(written(4, 6), 0, limit).sequences.length, 2)
    t.strictEqual(decodeMessage(written(...Array(10).fill(1)), 0, limit).sequences.length, 10)
    for (const [counts, what] of [[[11], 'documents'], [[5, 6], 'documents'], [Array(11).fill(0), 'sequences']]) {
      t.throws(() => written(...counts), new RegExp(`has more than 10 ${what}, the limit of maxWriteBatchSize$`))
    }
    t.throws(() => encodeReply({ requestId: 1, documents: Array(11).fill({}) }, limit), /more than 10 documents/)
    t.throws(() => encodeMsg({ requestId: 1, body: {}, flags: 4 }), /OP_MSG 1: flag 0x4 is unknown/)
    const reply = count => frame(5, 4, 1, int32(0), int64(0), int32(0, count), Buffer.alloc(5 * count, empty))
    t.strictEqual(decodeMessage(reply(10), 0, limit).documents.length, 10)
    t.ok(expected.test(failure(reply(11), limit).message))
    t.ok(/more than 100000 documents/.test(failure(msg(body, documents(1e6))).message))
    t.done()
  },

  'long identifiers are cut in errors': function (t) {
    const long = 'x'.repeat(1e6)
    t.ok(failure(msg(body, sequence(long, kind(1)))).message.length < 300)
    t.ok(failure(msg(body, sequence(long), sequence(long))).message.length < 300)
    const documents = [1]
    t.throws(() => encodeMsg({ requestId: 1, body: {}, sequences: [{ identifier: long, documents }] }), error => error.message.length < 300)
    const twice = { identifier: long, documents: [] }
    t.throws(() => encodeMsg({ requestId: 1, body: {}, sequences: [twice, twice] }), error => error.message.length < 300)
    t.done()
  },

  'arguments that make no sense are BSONErrors': function (t) {
    const message = Buffer.from(STREAM[0])
    const ids = { requestId: 1, responseTo: 0 }
    const odd = [NaN, -1, 1.5, '5', Infinity, 2 ** 53, {}, [], true, 5n, Symbol('s'), () => 1, Object.create(null)]
    const calls = [
      ...[null, undefined, ...odd].flatMap(value => [
        () => decodeBatch(value), () => wire.decodeHeader(value), () => wire.decodeDocuments(value), () => wire.decodeDocuments([value])
      ]),
      ...[null, ...odd].map(value => () => decodeMessage(message, value)),
      ...[null, undefined, ...odd].map(value => () => decodeMessage(value)),
      ...[null, ...odd].flatMap(value => [
        () => decodeMessage(message, 0, { maxMessageSizeBytes: value }),
        () => encodeMsg({ requestId: value, body: {} }),
        () => encodeMsg({ ...ids, body: {}, flags: value }),
        () => encodeKillCursors({ ...ids, cursorIds: value }),
        () => encodeGetMore({ ...ids, fullCollectionName: 'c', cursorId: value }),
        () => encodeReply({ ...ids, documents: value }),
        () => encodeReply({ ...ids, documents: [value] }),
        () => encodeMsg({ ...ids, body: {}, sequences: [{ identifier: value, documents: [] }] }),
        () => encodeMsg({ ...ids, body: {}, sequences: [{ identifier: 'd', documents: value }] }),
        () => [...encodeBatches({ nextId: () => 1, body: {}, sequence: { identifier: 'd', documents: value } })],
        () => new MessageSplitter().write(value),
        () => new MessageSplitter({ maxMessageSizeBytes: value })
      ]),
      ...[encodeMsg, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply].flatMap(encode => [() => encode(), () => encode(null)]),
      () => [...encodeBatches(null)],
      () => compressMessage(message, 'zlib', 77),
      () => compressMessage(message, Symbol('s'))
    ]
    for (const call of calls) {
      try {
        call()
      } catch (error) {
        if (!(error instanceof BSONError)) t.fail(`${call}: ${error.stack}`)
      }
    }
    t.strictEqual(decodeMessage(message, 0, null).opCode, 2013)
    t.strictEqual(encodeMsg({ ...ids, body: {} }, null).length, 26)
    t.strictEqual(new MessageSplitter(null).pendingBytes, 0)
    t.done()
  },

  'what was put on the prototype of all objects is no option': function (t) {
    const run = () => [
      encodeMsg({ requestId: 1, body: { a: undefined } }, {}).toString('hex'),
      encodeMsg({ requestId: 1, body: { a: undefined } }).toString('hex'),
      [...encodeBatches({ nextId: () => 1, body: {}, sequence: { identifier: 'd', documents: [{}, {}] } }, {})].length,
      encodeReply({ requestId: 1, documents: [] }).toString('hex'),
      encodeQuery({ requestId: 1, fullCollectionName: 'c', query: {} }).toString('hex'),
      decodeMessage(STREAM[1], 0, {}).sequences.length,
      decodeBatch(RawDocument.from({ cursor: { id: 0, ns: 'c', firstBatch: [{}] } }), {}).documents[0] instanceof RawDocument,
      new MessageSplitter({}).maxMessageSizeBytes
    ]
    const clean = run()
    const pollution = {
      checksum: true, flags: 2, responseTo: 9, ignoreUndefined: false, maxWriteBatchSize: 1, rawDocuments: true,
      maxMessageSizeBytes: 5, maxBsonObjectSize: 1, startingFrom: 7, numberToSkip: 3, returnFieldsSelector: {}
    }
    for (const [name, value] of Object.entries(pollution)) {
      Object.prototype[name] = value
      let dirty
      try {
        dirty = run()
      } finally {
        delete Object.prototype[name]
      }
      t.deepStrictEqual(dirty, clean, name)
    }
    t.done()
  }
})

module.exports = tests
