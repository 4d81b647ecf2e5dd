'use strict'

// Messages built, compared with those written by hand, and read.

const zlib = require('node:zlib')
const { RawDocument, BSONError, decode } = require('../../qbson')
const wire = require('../../lib/wire')
const { limitsOf } = require('../../lib/wire/limits')
const { errorOf } = require('../fixtures/error-of')
const {
  frame, kind, bitwiseCrc32c, plain, failure, msg, compressed, INSERT, A, B, MESSAGES, STREAM, ok, body
} = require('../fixtures/wire')

const { OPCODE, MSG_FLAG, COMPRESSOR, WireError, crc32c, compressors, decodeMessage, compressMessage } = wire
const { encodeMsg, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply } = wire

const hasZstd = typeof zlib.zstdCompressSync === 'function'

const tests = {}

for (const [what, built, byHand, decoded] of MESSAGES) {
  tests[what] = {
    'is built as laid out': function (t) {
      t.deepStrictEqual([...built], [...byHand])
      t.ok(Buffer.isBuffer(built))
      t.done()
    },

    'is read': function (t) {
      t.deepStrictEqual(plain(decodeMessage(byHand)), { length: byHand.length, ...decoded })
      t.done()
    },

    'is read in the middle of others': function (t) {
      const bytes = Buffer.concat([Buffer.alloc(9, 0xff), byHand, byHand])
      t.deepStrictEqual(plain(decodeMessage(bytes, 9)), { length: byHand.length, ...decoded })
      t.deepStrictEqual(plain(decodeMessage(new Uint8Array(byHand))), { length: byHand.length, ...decoded })
      t.done()
    },

    'survives compression': function (t) {
      for (const compressor of compressors()) {
        const message = decodeMessage(compressMessage(byHand, compressor))
        t.deepStrictEqual(plain(message), { length: byHand.length, ...decoded, compressor })
      }
      t.done()
    },

    'is an error cut at every byte': function (t) {
      const whole = wholeSizes(byHand)
      for (let size = 0; size < byHand.length; size++) {
        const cut = Buffer.from(byHand.subarray(0, size))
        t.throws(() => decodeMessage(cut), WireError, `${size} bytes`)
        if (size < 16) continue
        cut.writeInt32LE(size) // and reports it
        if (whole.includes(size)) t.strictEqual(decodeMessage(cut).length, size)
        else t.throws(() => decodeMessage(cut), WireError, `${size} bytes that say so`)
      }
      t.done()
    }
  }
}

/** Where a message may be cut unnoticed: after a section of OP_MSG, after the query of OP_QUERY. */
function wholeSizes(message) {
  const opCode = message.readInt32LE(12)
  if (opCode === OPCODE.QUERY) return [32 + message.readInt32LE(32)]
  if (opCode !== OPCODE.MSG || message.readInt32LE(16) & MSG_FLAG.CHECKSUM_PRESENT) return []
  const sizes = []
  for (let pos = 20; pos < message.length; sizes.push(pos)) pos += 1 + message.readInt32LE(pos + 1)
  return sizes
}

Object.assign(tests, {
  'sequences and documents that can be read only once': function (t) {
    const documents = function* () { yield* [A, B] }
    const sequences = function* () { yield { identifier: 'documents', documents: documents() } }
    const list = [{ identifier: 'documents', documents: [A, B] }]
    const built = encodeMsg({ requestId: 1, body: INSERT, sequences: sequences() })
    t.deepStrictEqual(built, encodeMsg({ requestId: 1, body: INSERT, sequences: list }))
    t.done()
  },

  'limits': {
    'of messages and documents are settable': function (t) {
      const bytes = msg(body)
      t.ok(/length 34 is not between 16 and 33/.test(failure(bytes, { maxMessageSizeBytes: 33 }).message))
      t.strictEqual(decodeMessage(bytes, 0, { maxMessageSizeBytes: 34 }).body.get('ok'), 1)

      const large = encodeMsg({ requestId: 5, body: { x: 'x'.repeat(16384) } })
      t.ok(/body is 16397 bytes, maxBsonObjectSize allows 16396/.test(failure(large, { maxBsonObjectSize: 12 }).message))
      t.strictEqual(decodeMessage(large, 0, { maxBsonObjectSize: 13 }).body.size, 16397)
      t.done()
    },

    'have the defaults of servers': function (t) {
      t.deepStrictEqual(limitsOf('x')(), { message: 48000000, document: 16777216 + 16384, batch: 100000 })
      t.done()
    },

    'must be numbers': function (t) {
      for (const name of ['maxMessageSizeBytes', 'maxBsonObjectSize', 'maxWriteBatchSize']) {
        for (const value of [0, -1, 1.5, NaN, '5', null]) {
          t.throws(() => limitsOf('x')({ [name]: value }), new RegExp(`${name} must be a positive integer`))
        }
      }
      t.done()
    },

    'are kept when building': function (t) {
      const requestId = 1
      const body = { x: 'x'.repeat(20000) }
      const small = { maxBsonObjectSize: 1000 }
      t.strictEqual(decodeMessage(encodeMsg({ requestId, body: { x: 'x'.repeat(17384 - 13) } }, small)).body.size, 17384)
      t.throws(() => encodeMsg({ requestId, body: { x: 'x'.repeat(17384 - 12) } }, small), /is 17385 bytes/)
      t.throws(() => encodeMsg({ requestId, body }, small), /OP_MSG 1: body is 20013 bytes, maxBsonObjectSize allows 17384/)
      const sequences = [{ identifier: 'documents', documents: [A, body] }]
      t.throws(() => encodeMsg({ requestId, body: INSERT, sequences }, small), /documents\[1\] is 20013 bytes/)
      const short = { maxMessageSizeBytes: 1000 }
      t.throws(() => encodeMsg({ requestId, body }, short), /OP_MSG 1: is longer than maxMessageSizeBytes, 1000 bytes/)
      t.throws(() => encodeMsg({ requestId, body: INSERT, sequences }, short), /is longer than maxMessageSizeBytes/)
      t.throws(() => encodeReply({ requestId, documents: [body] }, short), /is longer than maxMessageSizeBytes/)
      t.done()
    }
  },

  'building': {
    'makes room for names that are not ASCII': function (t) {
      const fullCollectionName = `db.${'世'.repeat(1e6)}`
      t.strictEqual(decodeMessage(encodeQuery({ requestId: 1, fullCollectionName, query: A })).fullCollectionName, fullCollectionName)
      t.done()
    },

    'refuses what cannot be said': function (t) {
      const requestId = 1
      const body = { a: 1 }
      const none = { identifier: 'd', documents: [] }
      const cases = [
        [() => encodeMsg({ requestId: 1.5, body }), /requestId must be an int32, not 1.5/],
        [() => encodeMsg({ requestId: undefined, body }), /requestId must be an int32/],
        [() => encodeMsg({ requestId, responseTo: 2 ** 31, body }), /responseTo must be an int32/],
        [() => encodeMsg({ requestId, flags: '1', body }), /flags must be an int32/],
        [() => encodeMsg({ requestId, body: undefined }), /OP_MSG 1: body must be a document/],
        [() => encodeMsg({ requestId, body: null }), /OP_MSG 1: body must be a document/],
        [() => encodeMsg({ requestId, body: [] }), /OP_MSG 1: body: /],
        [() => encodeMsg({ requestId, body: new Date() }), /OP_MSG 1: body: /],
        [() => encodeMsg({ requestId, body, sequences: [none, none] }), /OP_MSG 1: duplicate identifier d/],
        [() => encodeMsg({ requestId, body: { d: 1 }, sequences: [none] }), /OP_MSG 1: duplicate identifier d/],
        [() => encodeMsg({ requestId, body: RawDocument.from({ d: 1 }), sequences: [none] }), /OP_MSG 1: duplicate identifier d/],
        [() => encodeMsg({ requestId, body: new Map([['d', 1]]), sequences: [none] }), /OP_MSG 1: duplicate identifier d/],
        [() => encodeMsg({ requestId, body: { toBSON: () => ({ d: 1 }) }, sequences: [none] }), /OP_MSG 1: duplicate identifier d/],
        [() => encodeMsg({ requestId, body: { d: undefined }, sequences: [none] }, { ignoreUndefined: false }),
          /OP_MSG 1: duplicate identifier d/],
        [() => encodeMsg({ requestId, body, sequences: [{ identifier: 'a\0', documents: [] }] }), /identifier must be a string without a 0x00/],
        [() => encodeMsg({ requestId, body, sequences: [{ identifier: 1, documents: [] }] }), /identifier must be a string/],
        [() => encodeMsg({ requestId, body, sequences: [{ identifier: 'd', documents: [A, 5] }] }), /d\[1\] must be a document/],
        [() => encodeQuery({ requestId, fullCollectionName: 'a\0b', query: A }), /fullCollectionName must be a string without a 0x00/],
        [() => encodeQuery({ requestId, fullCollectionName: 'c', numberToSkip: 2 ** 40, query: A }), /numberToSkip must be an int32/],
        [() => encodeGetMore({ requestId, fullCollectionName: 'c', cursorId: 'x' }), /a cursorId must be an int64, not x/],
        [() => encodeGetMore({ requestId, fullCollectionName: 'c', cursorId: 1.5 }), /a cursorId must be an int64, not 1.5/],
        [() => encodeKillCursors({ requestId, cursorIds: [2n ** 63n] }), /a cursorId must be an int64/],
        [() => encodeReply({ requestId, startingFrom: NaN, documents: [] }), /startingFrom must be an int32/],
        [() => compressMessage(frame(1, 0, 2013), 'snappy'), /compressor "snappy" is not available here, only noop, zlib/],
        [() => compressMessage(compressMessage(msg(kind(0), ok), 'noop'), 'noop'), /OP_COMPRESSED 5 in reply to 4: is already compressed/],
        [() => compressMessage(Buffer.alloc(3), 'noop'), /a message header needs 16 bytes, only 3 are left/]
      ]
      for (const [attempt, expected] of cases) {
        t.throws(attempt, error => error instanceof BSONError && expected.test(error.message), String(attempt))
      }
      t.done()
    },

    'names the document and the path of a value that cannot be': function (t) {
      const documents = [A, { a: { b: [1, new Date(NaN)] } }]
      const attempt = () => encodeMsg({ requestId: 3, body: INSERT, sequences: [{ identifier: 'documents', documents }] })
      t.throws(attempt, error => error instanceof WireError && /OP_MSG 3: documents\[1\]: Invalid Date/.test(error.message) && error.path === 'a.b[1]' && error.requestId === 3)
      t.done()
    },

    'lets pass what toBSON throws, and works afterwards': function (t) {
      const error = new Error('mine')
      const doc = { toBSON() { throw error } }
      t.throws(() => encodeMsg({ requestId: 3, body: { doc } }), thrown => thrown === error)
      t.deepStrictEqual(plain(decodeMessage(encodeMsg({ requestId: 3, body: A })).body), A)
      t.done()
    },

    'a toBSON may build messages itself': function (t) {
      const inner = encodeMsg({ requestId: 1, body: { inner: 'y'.repeat(1000) } })
      const doc = { toBSON: () => ({ bytes: encodeMsg({ requestId: 1, body: { inner: 'y'.repeat(1000) } }) }) }
      const message = decodeMessage(encodeMsg({ requestId: 2, body: { a: 'x'.repeat(1000), doc, b: 1 } }))
      t.deepStrictEqual([...message.body.get('doc.bytes').buffer], [...inner])
      t.strictEqual(message.body.get('b'), 1)
      t.done()
    },

    'the flag of the checksum goes with the checksum': function (t) {
      t.strictEqual(decodeMessage(encodeMsg({ requestId: 1, flags: 1, body: A })).flags, 0)
      t.strictEqual(decodeMessage(encodeMsg({ requestId: 1, flags: 2, body: A, checksum: true })).flags, 3)
      t.done()
    },

    'takes encode options': function (t) {
      const message = encodeMsg({ requestId: 1, body: { a: undefined } }, { ignoreUndefined: false })
      t.deepStrictEqual(decodeMessage(message).body.toObject(), { a: null })
      t.done()
    },

    'large messages': function (t) {
      const documents = Array.from({ length: 5000 }, (_, i) => ({ _id: i, text: 'é'.repeat(i) }))
      const message = decodeMessage(encodeMsg({ requestId: 1, body: INSERT, checksum: true, sequences: [{ identifier: 'documents', documents }] }))
      t.ok(message.length > 25e6)
      t.deepStrictEqual(plain(message.sequences[0].documents), documents)
      t.done()
    }
  },

  'CRC-32C': function (t) {
    // RFC 3720, B.4, and the usual check value
    for (const wrong of ['123456789', null, undefined, 5, [1, 2], new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Proxy(Buffer.alloc(4), {})]) {
      t.throws(() => crc32c(wrong), /crc32c needs a Uint8Array, not \S/)
    }
    t.strictEqual(crc32c(Buffer.alloc(32)), 0x8a9136aa)
    t.strictEqual(crc32c(Buffer.alloc(32, 0xff)), 0x62a8ab43)
    t.strictEqual(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => i))), 0x46dd794e)
    t.strictEqual(crc32c(Buffer.from('123456789')), 0xe3069283)
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, i) => (i * 37) & 255))
    for (let end = 0; end <= 100; end++) {
      t.ok(crc32c(bytes, 0, end) === bitwiseCrc32c(bytes.subarray(0, end)))
      t.ok(crc32c(bytes, end, 100, crc32c(bytes, 0, end)) === bitwiseCrc32c(bytes), 'in two parts')
    }
    t.done()
  },

  'compression': {
    'is what this runtime has': function (t) {
      t.deepStrictEqual(compressors(), hasZstd ? ['noop', 'zlib', 'zstd'] : ['noop', 'zlib'])
      t.deepStrictEqual(COMPRESSOR, { noop: 0, snappy: 1, zlib: 2, zstd: 3 })
      t.done()
    },

    'makes messages smaller, by level': function (t) {
      const message = encodeMsg({ requestId: 1, body: { text: Array.from({ length: 20000 }, (_, i) => `text ${i * i}`).join(' ') } })
      for (const compressor of compressors().slice(1)) {
        const fast = compressMessage(message, compressor, 1)
        const best = compressMessage(message, compressor, compressor === 'zlib' ? 9 : 19)
        t.ok(best.length < fast.length && fast.length < message.length / 2)
        t.deepStrictEqual(plain(decodeMessage(best)), { ...plain(decodeMessage(message)), compressor })
        for (const level of [1.5, NaN, '1', null]) t.ok(/level must be an integer/.test(errorOf(() => compressMessage(message, compressor, level)).message))
      }
      t.done()
    },

    'keeps the checksum of what it holds': function (t) {
      const message = encodeMsg({ requestId: 1, body: A, checksum: true })
      t.deepStrictEqual(plain(decodeMessage(compressMessage(message, 'zlib')).body), A)
      message[25] ^= 1
      t.ok(/checksum/.test(failure(compressMessage(message, 'zlib')).message))
      t.done()
    },

    'of large messages': function (t) {
      const text = 'text '.repeat(1e6)
      for (const compressor of compressors()) {
        t.strictEqual(decodeMessage(compressMessage(encodeMsg({ requestId: 1, body: { text } }), compressor)).body.get('text'), text)
      }
      t.done()
    },

    'a bomb costs no more than its announced size': function (t) {
      const bomb = zlib.deflateSync(Buffer.alloc(100e6))
      const before = process.memoryUsage().arrayBuffers
      for (let i = 0; i < 20; i++) failure(compressed(2013, 1000, 2, bomb))
      const grown = process.memoryUsage().arrayBuffers - before
      t.ok(grown < 10e6, `${grown} bytes`)
      t.done()
    }
  },

  'documents are read in place': function (t) {
    const bytes = Buffer.from(STREAM[1])
    const message = decodeMessage(bytes)
    t.strictEqual(message.body.buf, bytes)
    t.strictEqual(message.sequences[0].documents[1].buf, bytes)
    t.deepStrictEqual(decode(message.sequences[0].documents[1].bytes), B)
    t.done()
  }
})

module.exports = tests
