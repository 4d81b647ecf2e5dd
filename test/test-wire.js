'use strict'

const zlib = require('node:zlib')
const { serialize } = require('bson')
const { RawDocument, BSONError, Long, decode } = require('../qbson')
const wire = require('../lib/wire')
const { checkLimits } = require('../lib/wire/limits')
const {
  OPCODE,
  MSG_FLAG,
  QUERY_FLAG,
  REPLY_FLAG,
  COMPRESSOR,
  WireError,
  crc32c,
  compressors,
  MessageSplitter,
  PendingRequests,
  decodeHeader,
  decodeMessage,
  decodeBatch,
  decodeDocuments,
  compressMessage,
  encodeMsg,
  encodeBatches,
  encodeQuery,
  encodeGetMore,
  encodeKillCursors,
  encodeReply
} = wire

const hasZstd = typeof zlib.zstdCompressSync === 'function'

// ---- messages written by hand, to compare with: the layout in the server's manual

const int32 = (...values) => Buffer.concat(values.map(value => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}))

function int64(value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return bytes
}

const cstring = text => Buffer.from(text + '\0')

function frame(requestId, responseTo, opCode, ...parts) {
  const body = Buffer.concat(parts)
  return Buffer.concat([int32(16 + body.length, requestId, responseTo, opCode), body])
}

const kind = (...bytes) => Buffer.from(bytes)

function sequence(identifier, ...documents) {
  const content = Buffer.concat([cstring(identifier), ...documents])
  return Buffer.concat([kind(1), int32(content.length + 4), content])
}

/** CRC-32C bit by bit, as in the definition. */
function slowCrc32c(bytes) {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return ~crc >>> 0
}

function withChecksum(message) {
  const whole = Buffer.concat([message, int32(0)])
  whole.writeInt32LE(whole.length, 0)
  whole.writeInt32LE(whole.readInt32LE(16) | 1, 16)
  whole.writeUInt32LE(slowCrc32c(whole.subarray(0, -4)), whole.length - 4)
  return whole
}

const INSERT = { insert: 'c', $db: 'd' }
const A = { _id: 1, a: 'x' }
const B = { _id: 2, b: [1.5, null] }

/** [what, built, by hand, decoded] */
const MESSAGES = [
  [
    'OP_MSG',
    encodeMsg({ requestId: 7, responseTo: 3, body: { ok: 1 } }),
    frame(7, 3, 2013, int32(0), kind(0), serialize({ ok: 1 })),
    { requestId: 7, responseTo: 3, opCode: 2013, compressor: null, flags: 0, body: { ok: 1 }, sequences: [] }
  ],
  [
    'OP_MSG with flags and documents',
    encodeMsg({ requestId: 7, flags: MSG_FLAG.MORE_TO_COME | MSG_FLAG.EXHAUST_ALLOWED, body: INSERT, sequences: [{ identifier: 'documents', documents: [A, B] }, { identifier: 'é', documents: new Set([RawDocument.from(B)]) }] }),
    frame(7, 0, 2013, int32(0x10002), kind(0), serialize(INSERT), sequence('documents', serialize(A), serialize(B)), sequence('é', serialize(B))),
    { requestId: 7, responseTo: 0, opCode: 2013, compressor: null, flags: 0x10002, body: INSERT, sequences: [{ identifier: 'documents', documents: [A, B] }, { identifier: 'é', documents: [B] }] }
  ],
  [
    'OP_MSG with a checksum',
    encodeMsg({ requestId: 7, body: INSERT, checksum: true, sequences: [{ identifier: 'documents', documents: [] }] }),
    withChecksum(frame(7, 0, 2013, int32(0), kind(0), serialize(INSERT), sequence('documents'))),
    { requestId: 7, responseTo: 0, opCode: 2013, compressor: null, flags: 1, body: INSERT, sequences: [{ identifier: 'documents', documents: [] }] }
  ],
  [
    'OP_QUERY',
    encodeQuery({ requestId: -1, fullCollectionName: 'd.c', query: A }),
    frame(-1, 0, 2004, int32(0), cstring('d.c'), int32(0, 0), serialize(A)),
    { requestId: -1, responseTo: 0, opCode: 2004, compressor: null, flags: 0, fullCollectionName: 'd.c', numberToSkip: 0, numberToReturn: 0, query: A, returnFieldsSelector: null }
  ],
  [
    'OP_QUERY with all its fields',
    encodeQuery({ requestId: 1, flags: QUERY_FLAG.SECONDARY_OK, fullCollectionName: 'd.c', numberToSkip: 5, numberToReturn: -10, query: A, returnFieldsSelector: { a: 1 } }),
    frame(1, 0, 2004, int32(4), cstring('d.c'), int32(5, -10), serialize(A), serialize({ a: 1 })),
    { requestId: 1, responseTo: 0, opCode: 2004, compressor: null, flags: 4, fullCollectionName: 'd.c', numberToSkip: 5, numberToReturn: -10, query: A, returnFieldsSelector: { a: 1 } }
  ],
  [
    'OP_GET_MORE',
    encodeGetMore({ requestId: 2, fullCollectionName: 'd.c', numberToReturn: 3, cursorId: 2n ** 62n }),
    frame(2, 0, 2005, int32(0), cstring('d.c'), int32(3), int64(2n ** 62n)),
    { requestId: 2, responseTo: 0, opCode: 2005, compressor: null, fullCollectionName: 'd.c', numberToReturn: 3, cursorId: 2n ** 62n }
  ],
  [
    'OP_KILL_CURSORS',
    encodeKillCursors({ requestId: 2, cursorIds: [1, -2n, Long.fromString('9223372036854775807')] }),
    frame(2, 0, 2007, int32(0, 3), int64(1), int64(-2), int64(2n ** 63n - 1n)),
    { requestId: 2, responseTo: 0, opCode: 2007, compressor: null, cursorIds: [1n, -2n, 2n ** 63n - 1n] }
  ],
  [
    'OP_REPLY',
    encodeReply({ requestId: 9, responseTo: 8, flags: REPLY_FLAG.AWAIT_CAPABLE, cursorId: -3, startingFrom: 4, documents: [A, B] }),
    frame(9, 8, 1, int32(8), int64(-3), int32(4, 2), serialize(A), serialize(B)),
    { requestId: 9, responseTo: 8, opCode: 1, compressor: null, flags: 8, cursorId: -3n, startingFrom: 4, documents: [A, B] }
  ],
  [
    'OP_REPLY that is empty',
    encodeReply({ requestId: 9, responseTo: 8, documents: [] }),
    frame(9, 8, 1, int32(0), int64(0), int32(0, 0)),
    { requestId: 9, responseTo: 8, opCode: 1, compressor: null, flags: 0, cursorId: 0n, startingFrom: 0, documents: [] }
  ]
]

/** A decoded message with its raw documents as objects. */
function plain(value) {
  if (value instanceof RawDocument) return value.toObject()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

const tests = {}

for (const [what, built, byHand, decoded] of MESSAGES) {
  tests[what] = {
    'is built as laid out': function (t) {
      t.deepEqual([...built], [...byHand])
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
        cut.writeInt32LE(size) // and says so
        if (whole.includes(size)) t.equal(decodeMessage(cut).length, size)
        else t.throws(() => decodeMessage(cut), WireError, `${size} bytes that say so`)
      }
      t.done()
    }
  }
}

/** Where a message can end before its end: after a section of OP_MSG, after the query of OP_QUERY. */
function wholeSizes(message) {
  const opCode = message.readInt32LE(12)
  if (opCode === OPCODE.QUERY) return [32 + message.readInt32LE(32)]
  if (opCode !== OPCODE.MSG || message.readInt32LE(16) & MSG_FLAG.CHECKSUM_PRESENT) return []
  const sizes = []
  for (let pos = 20; pos < message.length; sizes.push(pos)) pos += 1 + message.readInt32LE(pos + 1)
  return sizes
}

/** What reading `bytes` throws. */
function failure(bytes, options) {
  try {
    decodeMessage(bytes, 0, options)
  } catch (error) {
    if (error instanceof WireError && error instanceof BSONError && error.name === 'WireError') return error
    throw error
  }
  throw new Error('it was read')
}

const body = Buffer.concat([kind(0), serialize({ ok: 1 })])
const ok = Buffer.from(serialize({ ok: 1 }))
const lying = size => Buffer.concat([int32(size), ok.subarray(4)])
const deflated = zlib.deflateSync(frame(0, 0, 0, int32(0), body).subarray(16))
const bomb = zlib.deflateSync(Buffer.alloc(100e6))
const squeezed = (opCode, size, id, data) => frame(5, 4, 2012, int32(opCode, size), kind(id), data)
const msg = (...parts) => frame(5, 4, 2013, int32(0), ...parts)
const unterminated = Buffer.concat([ok.subarray(0, -1), kind(7)])
const wrongSum = withChecksum(msg(body))
wrongSum[22] ^= 1

/** [what, message, text, offset] */
const BROKEN = [
  ['a length below 16', int32(15, 5, 4, 2013), 'OP_MSG 5 in reply to 4: length 15 is not between 16 and 48000000', 0],
  ['a negative length', int32(-1, 5, 0, 2004), 'OP_QUERY 5: length -1 is not between 16 and 48000000', 0],
  ['a length above the limit', int32(48000001, 5, 4, 1), 'OP_REPLY 5 in reply to 4: length 48000001 is not', 0],
  ['an opcode that is unknown', frame(5, 4, 7, int32(0)), 'opcode 7 5 in reply to 4: is no message that is known here', 12],
  ['no flags', frame(5, 4, 2013), 'flags takes 4 bytes, 0 are left', 16],
  ['no body', msg(), 'has no body', 20],
  ['no body but documents', msg(sequence('d', ok)), 'has no body', 20 + sequence('d', ok).length],
  ['two bodies', msg(body, body), 'has two bodies', 20 + body.length],
  ['a section of unknown kind', msg(body, kind(2), ok), 'section kind 2 is unknown', 20 + body.length],
  ['a required flag that is unknown', frame(5, 4, 2013, int32(0x8004), body), 'flag 0x8004 is unknown', 16],
  ['a body that is too long for its message', msg(kind(0), lying(100)), 'body says it has 100 bytes, there are 13', 21],
  ['a body of negative size', msg(kind(0), lying(-5)), 'body says it has -5 bytes', 21],
  ['a body that is too short', msg(kind(0), lying(4)), 'body says it has 4 bytes', 21],
  ['a body without an end', msg(kind(0), unterminated), 'body does not end with a 0x00', 21 + ok.length - 1],
  ['a section that is too long', msg(body, kind(1), int32(100), cstring('d')), 'section says it has 100 bytes, there are 6', 21 + body.length],
  ['a section that is too short', msg(body, kind(1), int32(4), cstring('d')), 'section says it has 4 bytes', 21 + body.length],
  ['a section whose identifier leaves it', msg(body, kind(1), int32(6), Buffer.from('ab\0')), 'section identifier has no end', 25 + body.length],
  ['a section whose identifier has no end', msg(body, kind(1), int32(6), Buffer.from('ab')), 'section identifier has no end', 25 + body.length],
  ['a section whose identifier is not UTF-8', msg(body, kind(1), int32(6), Buffer.from([0xff, 0])), 'section identifier is not UTF-8', 25 + body.length],
  ['a section that is there twice', msg(body, sequence('d'), sequence('d')), 'd is there twice', 27 + body.length + 1],
  ['a document that leaves its section', msg(body, kind(1), int32(15), cstring('d'), ok), 'd[0] says it has 13 bytes, there are 9', 27 + body.length],
  ['a document of which there are 3 bytes', msg(body, kind(1), int32(9), cstring('d'), kind(9, 0, 0)), 'd[0] is a document, of which only 3 bytes are here', 27 + body.length],
  ['a checksum that is wrong', wrongSum, 'checksum is 0x', wrongSum.length - 4],
  ['a checksum that is cut off', frame(5, 4, 2013, int32(1), kind(0)), 'checksum is cut off', 20],
  ['more documents than numberReturned', frame(5, 4, 1, int32(0), int64(0), int32(0, 1), ok, ok), 'numberReturned is 1, there are 2', 32],
  ['fewer documents than numberReturned', frame(5, 4, 1, int32(0), int64(0), int32(0, 3), ok), 'numberReturned is 3, there are 1', 32],
  ['a negative numberReturned', frame(5, 4, 1, int32(0), int64(0), int32(0, -1)), 'numberReturned is -1, there are 0', 32],
  ['a reply that is too short', frame(5, 4, 1, int32(0), int32(0)), 'cursorId takes 8 bytes, 4 are left', 20],
  ['bytes after a query', frame(5, 0, 2004, int32(0), cstring('c'), int32(0, 0), ok, ok, kind(1)), '1 bytes are left at its end', 30 + 2 * ok.length],
  ['a collection name without an end', frame(5, 0, 2004, int32(0), Buffer.from('c')), 'fullCollectionName has no end', 20],
  ['bytes after OP_GET_MORE', frame(5, 0, 2005, int32(0), cstring('c'), int32(0), int64(0), kind(0)), '1 bytes are left', 34],
  ['more cursors than said', frame(5, 0, 2007, int32(0, 1), int64(0), int64(0)), 'numberOfCursorIDs is 1, there are 2', 20],
  ['two thousand million cursors', frame(5, 0, 2007, int32(0, 0x7fffffff), int64(0)), 'numberOfCursorIDs is 2147483647, there are 1', 20],
  ['minus one cursor', frame(5, 0, 2007, int32(0, -1)), 'numberOfCursorIDs is -1, there are 0', 20],

  ['compressed twice', squeezed(2012, 30, 0, Buffer.alloc(30)), 'OP_COMPRESSED 5 in reply to 4: is compressed twice', 16],
  ['an uncompressedSize below 0', squeezed(2013, -1, 2, deflated), 'uncompressedSize -1 is not between 0 and 47999984', 20],
  ['an uncompressedSize beyond the limit', squeezed(2013, 48e6, 2, deflated), 'uncompressedSize 48000000 is not between', 20],
  ['an uncompressedSize that is too small', squeezed(2013, 10, 2, deflated), 'decompresses to more than the 10 bytes it says', 25],
  ['an uncompressedSize of 0', squeezed(2013, 0, 2, deflated), 'decompresses to', 25],
  ['an uncompressedSize that is too large', squeezed(2013, 1000, 2, deflated), 'decompresses to 18 bytes, not the 1000 it says', 25],
  ['noop data of another size', squeezed(2013, 10, 0, Buffer.alloc(11)), 'decompresses to 11 bytes, not the 10 it says', 25],
  ['a bomb', squeezed(2013, 1000, 2, bomb), 'decompresses to more than the 1000 bytes it says', 25],
  ['a bomb that admits it', squeezed(2013, 100e6, 2, bomb), 'uncompressedSize 100000000 is not between', 20],
  ['zlib data that are broken', squeezed(2013, 22, 2, Buffer.from('nonsense')), 'zlib data is broken: incorrect header check', 25],
  ['zlib data that are cut off', squeezed(2013, 22, 2, deflated.subarray(0, -5)), 'zlib data is broken: unexpected end of file', 25],
  ['bytes after the zlib data', squeezed(2013, 22, 2, Buffer.concat([deflated, kind(1, 2)])), '2 bytes follow the zlib data', 25],
  ['snappy', squeezed(2013, 22, 1, deflated), 'compressor snappy is not available here', 25],
  ['a compressor that is unknown', squeezed(2013, 22, 77, deflated), 'compressor 77 is not available here', 25],
  ['a compressed message that is cut off', frame(5, 4, 2012, int32(2013, 10)), 'compressorId takes 1 bytes, 0 are left', 24],
  ['a body that is wrong inside', squeezed(2013, 5, 0, Buffer.concat([int32(0), kind(9)])), 'OP_MSG 5 in reply to 4: section kind 9 is unknown', 20],
  ['an opcode that is wrong inside', squeezed(99, 0, 0, Buffer.alloc(0)), 'opcode 99 5 in reply to 4: is no message that is known here', 12]
]

for (const [what, bytes, text, offset] of BROKEN) {
  tests[`bad input: ${what}`] = function (t) {
    const error = failure(bytes)
    t.ok(error.message.includes(text), error.message)
    t.ok(error.message.endsWith(`(at offset ${offset})`), error.message)
    t.equal(error.offset, offset)
    t.equal(error.requestId, 5)
    t.equal(error.responseTo, bytes.readInt32LE(8))
    t.equal(typeof error.opCode, 'number')
    t.done()
  }
}

if (hasZstd) {
  tests['bad input: zstd'] = function (t) {
    const bytes = frame(0, 0, 0, int32(0), body).subarray(16)
    const data = zlib.zstdCompressSync(bytes)
    const large = zlib.zstdCompressSync(Buffer.alloc(10e6))
    const cases = [
      [squeezed(2013, 22, 3, Buffer.from('nonsense')), /zstd data is broken/],
      [squeezed(2013, 1000, 3, large), /decompresses to more than the 1000 bytes it says/],
      [squeezed(2013, 17, 3, data), /decompresses to more than the 17 bytes it says/],
      [squeezed(2013, 22, 3, Buffer.concat([data, kind(1)])), /1 bytes follow the zstd data/],
      [squeezed(2013, 22, 3, data.subarray(0, -6)), /zstd data is broken|decompresses to \d+ bytes, not the 22/]
    ]
    for (const [message, expected] of cases) t.ok(expected.test(failure(message).message), failure(message).message)
    t.done()
  }
}

Object.assign(tests, {
  'limits': {
    'of messages and documents are settable': function (t) {
      const bytes = msg(body)
      t.ok(/length 34 is not between 16 and 33/.test(failure(bytes, { maxMessageSizeBytes: 33 }).message))
      t.equal(decodeMessage(bytes, 0, { maxMessageSizeBytes: 34 }).body.get('ok'), 1)

      const large = encodeMsg({ requestId: 5, body: { x: 'x'.repeat(16384) } })
      t.ok(/body is 16397 bytes, maxBsonObjectSize allows 16396/.test(failure(large, { maxBsonObjectSize: 12 }).message))
      t.equal(decodeMessage(large, 0, { maxBsonObjectSize: 13 }).body.size, 16397)
      t.done()
    },

    'have the defaults of servers': function (t) {
      t.deepEqual(checkLimits(), { message: 48000000, document: 16777216 + 16384, batch: 100000 })
      t.done()
    },

    'must be numbers': function (t) {
      for (const name of ['maxMessageSizeBytes', 'maxBsonObjectSize', 'maxWriteBatchSize']) {
        for (const value of [0, -1, 1.5, NaN, '5', null]) {
          t.throws(() => checkLimits({ [name]: value }), new RegExp(`${name} must be a whole number above 0`))
        }
      }
      t.done()
    },

    'are kept when building': function (t) {
      const requestId = 1
      const body = { x: 'x'.repeat(20000) }
      const small = { maxBsonObjectSize: 1000 }
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
    'refuses what cannot be said': function (t) {
      const requestId = 1
      const body = { a: 1 }
      const none = { identifier: 'd', documents: [] }
      const cases = [
        [() => encodeMsg({ requestId: 1.5, body }), /requestId must be an int32: 1.5/],
        [() => encodeMsg({ requestId: undefined, body }), /requestId must be an int32/],
        [() => encodeMsg({ requestId, responseTo: 2 ** 31, body }), /responseTo must be an int32/],
        [() => encodeMsg({ requestId, flags: '1', body }), /flags must be an int32/],
        [() => encodeMsg({ requestId, body: undefined }), /OP_MSG 1: body must be a document/],
        [() => encodeMsg({ requestId, body: null }), /OP_MSG 1: body must be a document/],
        [() => encodeMsg({ requestId, body: [] }), /OP_MSG 1: body: /],
        [() => encodeMsg({ requestId, body: new Date() }), /OP_MSG 1: body: /],
        [() => encodeMsg({ requestId, body, sequences: [none, none] }), /OP_MSG 1: d is there twice/],
        [() => encodeMsg({ requestId, body: { d: 1 }, sequences: [none] }), /OP_MSG 1: d is there twice/],
        [() => encodeMsg({ requestId, body: RawDocument.from({ d: 1 }), sequences: [none] }), /OP_MSG 1: d is there twice/],
        [() => encodeMsg({ requestId, body: new Map([['d', 1]]), sequences: [none] }), /OP_MSG 1: d is there twice/],
        [() => encodeMsg({ requestId, body, sequences: [{ identifier: 'a\0', documents: [] }] }), /identifier must be a string without a 0x00/],
        [() => encodeMsg({ requestId, body, sequences: [{ identifier: 1, documents: [] }] }), /identifier must be a string/],
        [() => encodeMsg({ requestId, body, sequences: [{ identifier: 'd', documents: [A, 5] }] }), /d\[1\] must be a document/],
        [() => encodeQuery({ requestId, fullCollectionName: 'a\0b', query: A }), /fullCollectionName must be a string without a 0x00/],
        [() => encodeQuery({ requestId, fullCollectionName: 'c', numberToSkip: 2 ** 40, query: A }), /numberToSkip must be an int32/],
        [() => encodeGetMore({ requestId, fullCollectionName: 'c', cursorId: 'x' }), /a cursorId must be an int64: x/],
        [() => encodeGetMore({ requestId, fullCollectionName: 'c', cursorId: 1.5 }), /a cursorId must be an int64: 1.5/],
        [() => encodeKillCursors({ requestId, cursorIds: [2n ** 63n] }), /a cursorId must be an int64/],
        [() => encodeReply({ requestId, startingFrom: NaN, documents: [] }), /startingFrom must be an int32/],
        [() => compressMessage(frame(1, 0, 2013), 'snappy'), /compressor snappy is not available here: there is noop, zlib/],
        [() => compressMessage(compressMessage(msg(kind(0), ok), 'noop'), 'noop'), /OP_COMPRESSED 5 in reply to 4: is compressed already/],
        [() => compressMessage(Buffer.alloc(3), 'noop'), /a message header has 16 bytes, there are 3/]
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
      t.deepEqual(plain(decodeMessage(encodeMsg({ requestId: 3, body: A })).body), A)
      t.done()
    },

    'a toBSON may build messages itself': function (t) {
      const inner = encodeMsg({ requestId: 1, body: { inner: 'y'.repeat(1000) } })
      const doc = { toBSON: () => ({ bytes: encodeMsg({ requestId: 1, body: { inner: 'y'.repeat(1000) } }) }) }
      const message = decodeMessage(encodeMsg({ requestId: 2, body: { a: 'x'.repeat(1000), doc, b: 1 } }))
      t.deepEqual([...message.body.get('doc.bytes').buffer], [...inner])
      t.equal(message.body.get('b'), 1)
      t.done()
    },

    'the flag of the checksum goes with the checksum': function (t) {
      t.equal(decodeMessage(encodeMsg({ requestId: 1, flags: 1, body: A })).flags, 0)
      t.equal(decodeMessage(encodeMsg({ requestId: 1, flags: 2, body: A, checksum: true })).flags, 3)
      t.done()
    },

    'takes encode options': function (t) {
      const message = encodeMsg({ requestId: 1, body: { a: undefined } }, { ignoreUndefined: false })
      t.deepEqual(decodeMessage(message).body.toObject(), { a: null })
      t.done()
    },

    'large messages': function (t) {
      const documents = Array.from({ length: 5000 }, (_, i) => ({ _id: i, text: 'é'.repeat(i) }))
      const message = decodeMessage(encodeMsg({ requestId: 1, body: INSERT, checksum: true, sequences: [{ identifier: 'documents', documents }] }))
      t.ok(message.length > 25e6)
      t.deepEqual(plain(message.sequences[0].documents), documents)
      t.done()
    }
  },

  'batches': {
    'of as many documents as fit': function (t) {
      const documents = Array.from({ length: 1000 }, (_, i) => ({ _id: i, text: 'x'.repeat(i % 100) }))
      let id = 10
      const request = { nextId: () => id++, body: INSERT, sequence: { identifier: 'documents', documents } }
      for (const checksum of [false, true]) {
        const seen = []
        let before = null
        for (const { requestId, first, count, message } of encodeBatches({ ...request, checksum }, { maxMessageSizeBytes: 2000 })) {
          const read = decodeMessage(message)
          const list = plain(read.sequences[0].documents)
          t.ok(message.length <= 2000)
          t.equal(read.requestId, requestId)
          t.equal(first, seen.length)
          t.equal(count, list.length)
          if (before !== null) t.ok(before + serialize(list[0]).length > 2000, 'one more would not have fitted')
          before = message.length
          seen.push(...list)
        }
        t.deepEqual(seen, documents)
      }
      t.done()
    },

    'encode every document once': function (t) {
      let calls = 0
      const documents = Array.from({ length: 100 }, (_, i) => ({ toBSON: () => ({ i, n: ++calls, x: 'x'.repeat(50) }) }))
      const sequence = { identifier: 'documents', documents: documents.values() }
      const batches = [...encodeBatches({ nextId: () => 1, body: INSERT, sequence }, { maxMessageSizeBytes: 500 })]
      t.equal(calls, 100)
      const read = batches.flatMap(({ message }) => plain(decodeMessage(message).sequences[0].documents))
      t.deepEqual(read.map(({ i, n }) => [i, n]), documents.map((_, i) => [i, i + 1]))
      t.done()
    },

    'of at most maxWriteBatchSize': function (t) {
      const sequence = { identifier: 'documents', documents: Array.from({ length: 25 }, (_, i) => ({ i })) }
      const batches = [...encodeBatches({ nextId: () => 1, body: INSERT, sequence }, { maxWriteBatchSize: 10 })]
      t.deepEqual(batches.map(({ first, count }) => [first, count]), [[0, 10], [10, 10], [20, 5]])
      t.done()
    },

    'of nothing are none': function (t) {
      const sequence = { identifier: 'documents', documents: [] }
      t.deepEqual([...encodeBatches({ nextId: () => 1, body: INSERT, sequence })], [])
      t.done()
    },

    'stop at a document that fits into none': function (t) {
      const sequence = { identifier: 'documents', documents: [A, { x: 'x'.repeat(1000) }] }
      const batches = encodeBatches({ nextId: () => 1, body: INSERT, sequence }, { maxMessageSizeBytes: 500 })
      t.equal(batches.next().value.count, 1)
      t.throws(() => batches.next(), /OP_MSG 1: is longer than maxMessageSizeBytes/)
      t.done()
    }
  },

  'CRC-32C': function (t) {
    // RFC 3720, B.4, and the usual check value
    t.equal(crc32c(Buffer.alloc(32)), 0x8a9136aa)
    t.equal(crc32c(Buffer.alloc(32, 0xff)), 0x62a8ab43)
    t.equal(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => i))), 0x46dd794e)
    t.equal(crc32c(Buffer.from('123456789')), 0xe3069283)
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, i) => (i * 37) & 255))
    for (let end = 0; end <= 100; end++) {
      t.ok(crc32c(bytes, 0, end) === slowCrc32c(bytes.subarray(0, end)))
      t.ok(crc32c(bytes, end, 100, crc32c(bytes, 0, end)) === slowCrc32c(bytes), 'in two parts')
    }
    t.done()
  },

  'compression': {
    'is what this runtime has': function (t) {
      t.deepEqual(compressors(), hasZstd ? ['noop', 'zlib', 'zstd'] : ['noop', 'zlib'])
      t.deepEqual(COMPRESSOR, { noop: 0, snappy: 1, zlib: 2, zstd: 3 })
      t.done()
    },

    'makes messages smaller, by level': function (t) {
      const message = encodeMsg({ requestId: 1, body: { text: Array.from({ length: 20000 }, (_, i) => `text ${i * i}`).join(' ') } })
      for (const compressor of compressors().slice(1)) {
        const fast = compressMessage(message, compressor, 1)
        const best = compressMessage(message, compressor, compressor === 'zlib' ? 9 : 19)
        t.ok(best.length < fast.length && fast.length < message.length / 2)
        t.deepEqual(plain(decodeMessage(best)), { ...plain(decodeMessage(message)), compressor })
      }
      t.done()
    },

    'keeps the checksum of what it holds': function (t) {
      const message = encodeMsg({ requestId: 1, body: A, checksum: true })
      t.deepEqual(plain(decodeMessage(compressMessage(message, 'zlib')).body), A)
      message[25] ^= 1
      t.ok(/checksum/.test(failure(compressMessage(message, 'zlib')).message))
      t.done()
    },

    'of large messages': function (t) {
      const text = 'text '.repeat(1e6)
      for (const compressor of compressors()) {
        t.equal(decodeMessage(compressMessage(encodeMsg({ requestId: 1, body: { text } }), compressor)).body.get('text'), text)
      }
      t.done()
    },

    'a bomb costs no more than its announced size': function (t) {
      const before = process.memoryUsage().arrayBuffers
      for (let i = 0; i < 20; i++) failure(squeezed(2013, 1000, 2, bomb))
      const grown = process.memoryUsage().arrayBuffers - before
      t.ok(grown < 10e6, `${grown} bytes`)
      t.done()
    }
  }
})

// ---- splitter

const STREAM = MESSAGES.map(([, built]) => built)

/** All messages of a stream that comes in chunks of these sizes, over and over. */
function split(bytes, sizes) {
  const splitter = new MessageSplitter()
  const messages = []
  for (let pos = 0, i = 0; pos < bytes.length; i++) {
    const size = sizes[i % sizes.length]
    splitter.write(bytes.subarray(pos, pos + size))
    messages.push(...splitter)
    pos += size
  }
  splitter.end()
  return messages
}

Object.assign(tests, {
  'splitter': {
    'finds the messages however they are cut': function (t) {
      const bytes = Buffer.concat([...STREAM, frame(1, 2, 3), frame(4, 5, 6)])
      const expected = [...STREAM, frame(1, 2, 3), frame(4, 5, 6)].map(message => message.toString('hex'))
      for (let size = 1; size <= bytes.length; size++) {
        t.ok(split(bytes, [size]).map(message => message.toString('hex')).join() === expected.join(), `chunks of ${size}`)
      }
      for (let a = 1; a < 40; a++) {
        for (let b = 0; b < 40; b++) t.ok(split(bytes, [a, b]).length === expected.length)
      }
      t.done()
    },

    'does not copy a message that lies in one chunk': function (t) {
      const bytes = Buffer.concat(STREAM)
      for (const message of split(bytes, [bytes.length])) t.equal(message.buffer, bytes.buffer)
      const splitter = new MessageSplitter()
      splitter.write(STREAM[0])
      t.strictEqual(splitter.read(), STREAM[0])
      t.strictEqual(splitter.read(), null)
      t.done()
    },

    'takes plain Uint8Arrays': function (t) {
      const splitter = new MessageSplitter()
      splitter.write(new Uint8Array(STREAM[0].subarray(0, 5)))
      t.equal(splitter.read(), null)
      splitter.write(new Uint8Array(STREAM[0].subarray(5)))
      t.deepEqual([...splitter.read()], [...STREAM[0]])
      t.done()
    },

    'counts what it holds': function (t) {
      const splitter = new MessageSplitter()
      const large = encodeMsg({ requestId: 1, body: { x: 'x'.repeat(100) } })
      splitter.write(large.subarray(0, 10))
      t.equal(splitter.pendingBytes, 10)
      t.equal(splitter.read(), null)
      t.equal(splitter.pendingBytes, 10)
      splitter.write(large.subarray(10, 50))
      t.equal(splitter.read(), null)
      t.equal(splitter.pendingBytes, 50)
      splitter.write(Buffer.concat([large.subarray(50), large]))
      t.equal(splitter.pendingBytes, 2 * large.length)
      t.equal(splitter.read().length, large.length)
      t.equal(splitter.pendingBytes, large.length)
      t.equal(splitter.read().length, large.length)
      t.equal(splitter.pendingBytes, 0)
      splitter.end()
      t.done()
    },

    'a loop that is left loses nothing': function (t) {
      const splitter = new MessageSplitter()
      splitter.write(Buffer.concat(STREAM))
      for (const message of splitter) {
        t.deepEqual([...message], [...STREAM[0]])
        break
      }
      t.equal([...splitter].length, STREAM.length - 1)
      t.done()
    },

    'gives out the messages before a length that lies, then lets go of everything': function (t) {
      for (const length of [-1, 0, 15, 48000001, 0x7fffffff]) {
        for (const size of [1, 7, 1000]) {
          const bytes = Buffer.concat([STREAM[0], STREAM[1], int32(length, 5, 4, 2013), Buffer.alloc(100)])
          const splitter = new MessageSplitter()
          const messages = []
          const attempt = () => {
            for (let pos = 0; pos < bytes.length; pos += size) {
              splitter.write(bytes.subarray(pos, pos + size))
              for (const message of splitter) messages.push(message)
            }
          }
          const expected = `OP_MSG 5 in reply to 4: length ${length} is not between 16 and 48000000 (at offset 0)`
          t.throws(attempt, error => error instanceof WireError && error.message === expected)
          t.equal(messages.length, 2)
          t.equal(splitter.pendingBytes, 0)
          t.throws(() => splitter.write(STREAM[0]), WireError, 'nothing can be found after it')
          t.throws(() => splitter.read(), WireError)
        }
      }
      t.done()
    },

    'has a limit that can be set': function (t) {
      const splitter = new MessageSplitter({ maxMessageSizeBytes: 100 })
      splitter.write(int32(101, 0, 0, 0))
      t.throws(() => splitter.read(), /length 101 is not between 16 and 100/)
      t.done()
    },

    'a message that is broken inside leaves the others unharmed': function (t) {
      const broken = msg(body, kind(9))
      const splitter = new MessageSplitter()
      splitter.write(Buffer.concat([STREAM[0], broken, STREAM[1]]))
      const results = []
      for (const message of splitter) {
        try {
          results.push(decodeMessage(message).opCode)
        } catch (error) {
          results.push(error.name)
        }
      }
      t.deepEqual(results, [2013, 'WireError', 2013])
      t.done()
    },

    'says when the connection ends in the middle': function (t) {
      const splitter = new MessageSplitter()
      splitter.write(STREAM[0].subarray(0, 20))
      t.deepEqual([...splitter], [])
      t.throws(() => splitter.end(), /the connection ended after 20 bytes of a message/)
      t.equal(splitter.pendingBytes, 0)
      t.done()
    }
  },

  'pending requests': {
    'find who waits': function (t) {
      const pending = new PendingRequests()
      const first = pending.nextId()
      const second = pending.nextId()
      pending.add(first, 'a')
      pending.add(second, 'b')
      const reply = (requestId, responseTo, flags) => decodeMessage(encodeMsg({ requestId, responseTo, flags, body: { ok: 1 } }))
      t.equal(pending.take(reply(100, second)), 'b')
      t.equal(pending.size, 1)
      const nobody = reply(101, second)
      t.throws(() => pending.take(nobody), error => error instanceof WireError && error.message === `OP_MSG 101 in reply to ${second}: no request waits for this reply (at offset 8)`)
      t.throws(() => pending.take(reply(101, 0)), /no request waits/)
      t.equal(pending.size, 1, 'the others still wait')
      t.equal(pending.take(reply(102, first, MSG_FLAG.MORE_TO_COME)), 'a')
      t.equal(pending.take(reply(103, 102, MSG_FLAG.MORE_TO_COME)), 'a')
      t.throws(() => pending.take(reply(104, 102)), /no request waits/)
      t.equal(pending.take(reply(104, 103)), 'a')
      t.equal(pending.size, 0)
      t.done()
    },

    'take an OP_REPLY': function (t) {
      const pending = new PendingRequests()
      pending.add(1, 'a')
      t.equal(pending.take(decodeMessage(encodeReply({ requestId: 5, responseTo: 1, flags: 2, documents: [A] }))), 'a')
      t.equal(pending.size, 0)
      t.done()
    },

    'are let go all at once': function (t) {
      const pending = new PendingRequests()
      pending.add(1, 'a')
      pending.add(2, 'b')
      t.deepEqual(pending.takeAll(), ['a', 'b'])
      t.equal(pending.size, 0)
      t.done()
    },

    'ids start again, and leave out those that wait': function (t) {
      const pending = new PendingRequests()
      pending.lastId = 0x7ffffffe
      pending.add(1, 'old')
      t.deepEqual([pending.nextId(), pending.nextId(), pending.nextId()], [0x7fffffff, 2, 3])
      t.done()
    }
  },

  'a header': function (t) {
    t.deepEqual(decodeHeader(int32(1, 2, 3, 4)), { length: 1, requestId: 2, responseTo: 3, opCode: 4 })
    t.deepEqual(decodeHeader(Buffer.concat([kind(9), int32(1, -2, 3, 4)]), 1), { length: 1, requestId: -2, responseTo: 3, opCode: 4 })
    t.throws(() => decodeHeader(int32(1, 2, 3)), /a message header has 16 bytes, there are 12/)
    t.throws(() => decodeHeader(int32(1, 2, 3, 4), 1), WireError)
    t.done()
  },

  'batches of a cursor': {
    'as objects or raw': function (t) {
      for (const name of ['firstBatch', 'nextBatch']) {
        const reply = { cursor: { id: Long.fromString('123456789012345678'), ns: 'd.c', [name]: [A, B] }, ok: 1 }
        const { body } = decodeMessage(encodeMsg({ requestId: 1, body: reply }))
        t.deepEqual(decodeBatch(body), { cursorId: 123456789012345678n, namespace: 'd.c', documents: [A, B] })
        const { documents } = decodeBatch(body, { rawDocuments: true })
        t.ok(documents.every(doc => doc instanceof RawDocument && doc.buf === body.buf))
        t.deepEqual(plain(documents), [A, B])
        t.deepEqual(decodeDocuments(documents), [A, B])
      }
      t.done()
    },

    'with options': function (t) {
      const body = RawDocument.from({ cursor: { firstBatch: [{ n: Long.fromNumber(1) }], id: 0, ns: 'd.c' } })
      const options = { useBigInt64: true }
      t.deepStrictEqual(decodeBatch(body, options), { cursorId: 0n, namespace: 'd.c', documents: [{ n: 1n }] })
      t.deepStrictEqual(decodeDocuments(decodeBatch(body, { rawDocuments: true }).documents, options), [{ n: 1n }])
      t.done()
    },

    'where there is none': function (t) {
      const cursor = { id: 0, ns: 'd.c', firstBatch: [] }
      const others = [1, {}, { id: 0 }, { firstBatch: [] }, { ...cursor, firstBatch: {} }, { ...cursor, id: 'x' }, { ...cursor, id: 1.5 }]
      const bodies = [{ ok: 1 }, ...others.map(other => ({ cursor: other }))]
      for (const body of bodies) t.throws(() => decodeBatch(RawDocument.from(body)), /the reply holds no cursor/)
      const expected = /item 1 of the batch is no document \(at offset \d+ in field cursor.firstBatch\[1\]\)/
      t.throws(() => decodeBatch(RawDocument.from({ cursor: { ...cursor, firstBatch: [A, 1] } })), expected)
      t.done()
    },

    'that is broken': function (t) {
      const body = RawDocument.from({ cursor: { id: 0, ns: 'd.c', firstBatch: [A, { text: 'zzzz' }] } })
      const at = body.buf.indexOf('zzzz') - 4
      body.buf[at] = 99
      t.throws(() => decodeBatch(body), error => error instanceof BSONError && error.offset === at && error.path.endsWith('text'))
      t.equal(decodeBatch(body, { rawDocuments: true }).documents[0].get('a'), 'x', 'the others are unharmed')
      t.done()
    }
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

  'documents are read in place': function (t) {
    const bytes = Buffer.from(STREAM[1])
    const message = decodeMessage(bytes)
    t.strictEqual(message.body.buf, bytes)
    t.strictEqual(message.sequences[0].documents[1].buf, bytes)
    t.deepEqual(decode(message.sequences[0].documents[1].bytes), B)
    t.done()
  }
})

module.exports = tests
