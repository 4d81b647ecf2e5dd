'use strict'

// createDecodeStream, createEncodeStream: Node's Transforms.

const { Readable, Transform, Writable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const { encode, createDecodeStream, createEncodeStream, documents, BSONError } = require('../../qbson')
const { createReadingTransform } = require('../../lib/batch')
const { values, decoded, dump, cut, collect, rejected } = require('../fixtures/streams')

const EMPTY = Buffer.from([5, 0, 0, 0, 0])

module.exports = {
  'createDecodeStream: bytes in, documents out': async function (t) {
    const stream = Readable.from(cut(dump, 10)).pipe(createDecodeStream())
    t.deepStrictEqual(await collect(stream), decoded)
    const views = Readable.from(cut(dump, 10)).pipe(createDecodeStream({ bytes: true }))
    t.deepStrictEqual(Buffer.concat(await collect(views)), dump)
    t.done()
  },

  'createDecodeStream: errors': async function (t) {
    const cutShort = pipeline(Readable.from(cut(dump.subarray(0, -3), 10)), createDecodeStream(), collect)
    const error = await rejected(cutShort)
    t.ok(error instanceof BSONError)
    t.strictEqual(error.document, 5)
    const wrong = await rejected(pipeline(Readable.from([Buffer.alloc(10)]), createDecodeStream(), collect))
    t.strictEqual(wrong.message, 'BSON size must be >= 5, is 0 (at offset 0 of document 1)')
    const text = await rejected(pipeline(Readable.from([dump.toString('latin1')]), createDecodeStream(), collect))
    t.ok(text.message.endsWith(' (bytes that were read as text: read them without an encoding)'), text.message)
    for (const encoding of ['hex', 'base64', 'latin1']) {
      const encoded = createDecodeStream()
      encoded.write('')
      encoded.end(dump.toString(encoding), encoding)
      t.deepStrictEqual(await collect(encoded), decoded, encoding)
    }
    t.done()
  },

  'what a reader has left at the end comes out too, and its error': async function (t) {
    const reader = { *read(chunk) { yield chunk }, *end() { yield* ['y', 'z'] } }
    const options = { readableObjectMode: true }
    t.deepStrictEqual(await collect(Readable.from(['x']).pipe(createReadingTransform(options, reader))), ['x', 'y', 'z'])
    const failing = { ...reader, end() { throw new BSONError('cut') } }
    const error = await rejected(pipeline(Readable.from(['x']), createReadingTransform(options, failing), collect))
    t.strictEqual(error.message, 'cut')
    t.done()
  },

  'createEncodeStream: documents in, bytes out': async function (t) {
    const parts = await collect(Readable.from(values).pipe(createEncodeStream()))
    t.deepStrictEqual(Buffer.concat(parts), dump)
    const nulls = await collect(Readable.from([{ a: undefined }]).pipe(createEncodeStream({ ignoreUndefined: false })))
    t.deepStrictEqual(nulls[0], encode({ a: null }))
    t.done()
  },

  'createEncodeStream: errors': async function (t) {
    const error = await rejected(pipeline(Readable.from([{ 'a\0b': 1 }]), createEncodeStream(), collect))
    t.ok(error instanceof BSONError)
    t.done()
  },

  'wrong options are refused before the first document': function (t) {
    const wrong = [
      [() => createEncodeStream({ maxDepth: -1 }), 'maxDepth must be a non-negative integer, not -1'],
      [() => createEncodeStream({ maxSize: 0 }), 'maxSize must be a positive integer, not 0'],
      [() => createDecodeStream({ index: 5 }), 'this function knows where each document begins, so index must be left out (or pass a part of the bytes)'],
      [() => createDecodeStream({ typo: 1 }), 'createDecodeStream has no option typo. Its options are promoteValues, promoteLongs, useBigInt64, ' +
        'promoteBuffers, bsonRegExp, raw, fieldsAsRaw, validation, allowObjectSmallerThanBufferSize, maxDepth, bytes, maxDocumentSize'],
      [() => documents(dump, { index: 5 }).next(), 'this function knows where each document begins, so index must be left out (or pass a part of the bytes)']
    ]
    for (const [create, message] of wrong) t.throws(create, error => error instanceof BSONError && error.message === message)
    t.deepStrictEqual([...documents(dump, { index: 0 })], decoded)
    t.done()
  },

  'createEncodeStream fails whatever a getter or toBSON throws': async function (t) {
    for (const thrown of [null, undefined, 0, '', false, NaN]) {
      for (const name of ['x', 'toBSON']) {
        const document = Object.defineProperty({}, name, { enumerable: true, get() { throw thrown } })
        const error = await rejected(pipeline(Readable.from([{ a: 1 }, document, { b: 1 }]), createEncodeStream(), collect))
        t.ok(error instanceof BSONError)
        t.strictEqual(error.message, `what was thrown is not an Error: ${thrown === '' ? '""' : thrown} (of document 2)`)
        t.ok(Object.is(error.cause, thrown))
      }
    }
    t.done()
  },

  'createDecodeStream fails whatever its reader throws': async function (t) {
    const thrower = { read: () => ({ next() { throw null } }), end: () => [] }
    const late = { read: () => [].values(), end() { throw undefined } }
    for (const reader of [thrower, late]) {
      const error = await rejected(pipeline(Readable.from(['x']), createReadingTransform({ objectMode: true }, reader), collect))
      t.ok(error instanceof BSONError)
    }
    t.done()
  },

  'createDecodeStream: chunks may end anywhere': async function (t) {
    const bytes = Buffer.concat(Array(20).fill(dump))
    for (const size of [1, 2, 3, 5, 12, 64, 1000, bytes.length]) {
      const documents = await collect(Readable.from(cut(bytes, size)).pipe(createDecodeStream()))
      t.strictEqual(documents.length, 20 * decoded.length, `chunks of ${size}`)
      t.deepStrictEqual(documents.slice(-decoded.length), decoded)
    }
    t.done()
  },

  // all 400,000 had been decoded and were waiting
  'createDecodeStream decodes what there is room for': async function (t) {
    const count = 400_000
    const stream = createDecodeStream()
    t.ok(stream instanceof Transform)
    stream.write(Buffer.alloc(5 * count, EMPTY))
    await new Promise(setImmediate)
    t.strictEqual(stream.readableLength, stream.readableHighWaterMark)
    t.strictEqual(stream.writableNeedDrain, true)
    stream.end()
    let seen = 0
    for await (const document of stream) seen += document !== null
    t.strictEqual(seen, count)
    t.done()
  },

  'createDecodeStream waits for a slow reader, chunk after chunk': async function (t) {
    const source = cut(Buffer.alloc(5 * 1000, EMPTY), 333)
    let read = 0
    let written = 0
    const counted = function* () {
      for (const chunk of source) {
        read += chunk.length
        yield chunk
      }
    }
    const chunks = Readable.from(counted(), { objectMode: false, highWaterMark: 1 })
    const stream = createDecodeStream()
    const slow = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write(document, encoding, done) {
        written++
        // the queues in between hold 16 documents, and the rest of a stream's chunk of 16 or 64 kB
        t.ok(read <= 5 * (written + 16 + 1) + 64 * 1024)
        setImmediate(done)
      }
    })
    await pipeline(chunks, stream, slow)
    t.strictEqual(written, 1000)
    t.done()
  },

  'createDecodeStream: a listener may read, pause and destroy': async function (t) {
    const paused = createDecodeStream()
    const seen = []
    paused.on('data', document => {
      seen.push(document)
      paused.pause()
      setImmediate(() => paused.resume())
    })
    paused.end(dump)
    await new Promise(resolve => paused.on('end', resolve))
    t.deepStrictEqual(seen, decoded)
    const reading = createDecodeStream()
    const read = []
    reading.on('data', document => read.push(document, reading.read()))
    reading.end(dump)
    await new Promise(resolve => reading.on('end', resolve))
    t.deepStrictEqual(read.filter(Boolean), decoded)
    const destroyed = createDecodeStream()
    let count = 0
    destroyed.on('data', () => ++count === 2 && destroyed.destroy(new Error('mine')))
    destroyed.on('error', error => t.strictEqual(error.message, 'mine'))
    destroyed.write(dump)
    await new Promise(resolve => destroyed.on('close', resolve))
    t.strictEqual(count, 2)
    t.done()
  },

  'createDecodeStream: what a listener throws is not taken for a fault of the bytes': function (t) {
    const stream = createDecodeStream()
    stream.on('data', () => { throw new Error('mine') })
    stream.on('error', error => t.fail(error))
    t.throws(() => stream.write(dump), /mine/)
    t.done()
  },

  'createDecodeStream: the documents before a fault come first': async function (t) {
    const stream = createDecodeStream()
    const seen = []
    stream.on('data', document => seen.push(document))
    stream.end(Buffer.concat([dump, Buffer.alloc(10)]))
    const error = await new Promise(resolve => stream.on('error', resolve))
    t.strictEqual(error.document, values.length + 1)
    t.deepStrictEqual(seen, decoded)
    t.done()
  },

  'createEncodeStream waits for its reader': async function (t) {
    const stream = createEncodeStream()
    const large = { bytes: Buffer.alloc(20_000) }
    let isFull = false
    for (let i = 0; i < 30 && !isFull; i++) isFull = !stream.write(large)
    await new Promise(setImmediate)
    t.ok(isFull)
    t.ok(stream.readableLength <= stream.readableHighWaterMark + encode(large).length)
    stream.destroy()
    t.done()
  },

  'without Node there is a clear error': function (t) {
    const builtin = process.getBuiltinModule
    process.getBuiltinModule = undefined
    try {
      t.throws(() => createDecodeStream(), /documentStream/)
    } finally {
      process.getBuiltinModule = builtin
    }
    t.done()
  }
}
