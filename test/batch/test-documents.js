'use strict'

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Readable } = require('node:stream')
const { encode, documents, documentStream, BSONError, Long } = require('../../qbson')
const { DocumentSplitter } = require('../../lib/batch/splitter')
const { columns } = require('../../lib/columns')
const { openDump } = require('../../lib/dump')
const { assertCheap } = require('../fixtures/cost')
const { values, decoded, dump, starts, cut, collect, rejected } = require('../fixtures/streams')

function caught(work) {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

module.exports = {
  'documents of a buffer': function (t) {
    t.deepStrictEqual([...documents(dump)], decoded)
    t.deepStrictEqual([...documents(new Uint8Array(dump))], decoded)
    t.deepStrictEqual([...documents([...dump])], decoded)
    t.deepStrictEqual([...documents(new Uint8Array(0))], [])
    t.done()
  },

  'documents are decoded one by one, when they are asked for': function (t) {
    const broken = Buffer.from(dump)
    broken.fill(0, starts[2] + 10, starts[2] + 14) // the length of `text`
    const iterator = documents(broken)
    t.deepStrictEqual(iterator.next().value, decoded[0])
    t.deepStrictEqual(iterator.next().value, decoded[1])
    const error = caught(() => iterator.next())
    t.ok(error instanceof BSONError)
    t.strictEqual(error.document, 3)
    t.strictEqual(error.offset, starts[2] + 10)
    t.strictEqual(error.path, 'text')
    t.ok(error.message.endsWith(` (at offset ${starts[2] + 10} in field text of document 3)`), error.message)
    t.done()
  },

  'options reach decode': function (t) {
    const [, , , long] = [...documents(dump, { promoteLongs: false })]
    t.ok(Long.isLong(long.big))
    const again = [...documents(dump, { useBigInt64: true })]
    t.strictEqual(again[3].big, 2n ** 40n)
    t.done()
  },

  'bytes: each document as a view, not decoded': function (t) {
    const views = [...documents(dump, { bytes: true })]
    t.deepStrictEqual(views.map(view => view.byteOffset - dump.byteOffset), starts)
    t.ok(views.every(view => view.buffer === dump.buffer))
    t.deepStrictEqual(Buffer.concat(views), dump)
    t.done()
  },

  'a document that is cut short is an error, wherever it is cut': function (t) {
    for (let size = 1; size < dump.length; size++) {
      const whole = starts.filter(start => start <= size).length - 1
      if (starts.includes(size)) continue
      const seen = []
      const error = caught(() => {
        for (const document of documents(dump.subarray(0, size))) seen.push(document)
      })
      t.ok(error instanceof BSONError)
      t.ok(/cut short/.test(error.message), error.message)
      t.strictEqual(error.offset, starts[whole])
      t.strictEqual(error.document, whole + 1)
      t.strictEqual(seen.length, whole)
    }
    t.done()
  },

  'how much is missing is said': function (t) {
    const first = encode({ n: 1 })
    const body = caught(() => [...documents(first.subarray(0, 10))])
    t.strictEqual(body.message, 'BSON document is cut short: 2 of its 12 bytes are missing (at offset 0 of document 1)')
    const header = caught(() => [...documents(Buffer.concat([first, first.subarray(0, 3)]))])
    t.strictEqual(header.message, 'BSON document is cut short: its length is missing (at offset 12 of document 2)')
    t.done()
  },

  'lengths that cannot be': function (t) {
    for (const length of [0, 4, -1, -0x80000000]) {
      const bytes = Buffer.alloc(64)
      encode({ n: 1 }).copy(bytes)
      bytes.writeInt32LE(length, 12)
      const error = caught(() => [...documents(bytes)])
      t.strictEqual(error.message, `BSON size must be >= 5, is ${length} (at offset 12 of document 2)`)
      t.strictEqual(error.offset, 12)
      t.strictEqual(error.document, 2)
    }
    t.done()
  },

  'maxDocumentSize': function (t) {
    const size = encode(values[2]).length
    const error = caught(() => [...documents(dump, { maxDocumentSize: size - 1 })])
    const place = `(at offset ${starts[2]} of document 3)`
    t.strictEqual(error.message, `BSON size ${size} is more than maxDocumentSize ${size - 1} ${place}`)
    t.strictEqual([...documents(dump.subarray(0, starts[3]), { maxDocumentSize: size })].length, 3)
    t.done()
  },

  'a length that lies does not take memory': function (t) {
    const splitter = new DocumentSplitter()
    const before = process.memoryUsage().arrayBuffers
    t.deepStrictEqual([...splitter.push(Buffer.from('ffffff7f00', 'hex'))], [])
    t.ok(process.memoryUsage().arrayBuffers - before < 1e6)
    t.ok(/2147483642 of its 2147483647 bytes are missing/.test(caught(() => splitter.end()).message))
    t.done()
  },

  'chunks may end anywhere': async function (t) {
    for (const size of [1, 2, 3, 4, 5, 7, 12, 13, 100, 1000, dump.length]) {
      t.deepStrictEqual(await collect(documentStream(cut(dump, size))), decoded, `chunks of ${size}`)
    }
    const withEmpty = cut(dump, 11).flatMap(chunk => [Buffer.alloc(0), chunk, new Uint8Array(0)])
    t.deepStrictEqual(await collect(documentStream(withEmpty)), decoded)
    t.deepStrictEqual(await collect(documentStream([])), [])
    t.done()
  },

  'every cut in two': async function (t) {
    for (let size = 0; size <= dump.length; size++) {
      const splitter = new DocumentSplitter()
      const parts = [...splitter.push(dump.subarray(0, size)), ...splitter.push(dump.subarray(size))]
      splitter.end()
      if (!Buffer.concat(parts).equals(dump) || parts.length !== values.length) t.fail(`cut at ${size}`)
    }
    t.done()
  },

  'a chunk that is not bytes is an error': async function (t) {
    const error = await rejected(collect(documentStream(['text'])))
    t.ok(error instanceof BSONError)
    t.done()
  },

  'errors of a stream tell the place in the stream': async function (t) {
    const broken = Buffer.from(dump)
    broken.fill(0, starts[4] + 11, starts[4] + 15) // the length of `bytes`
    for (const size of [3, 50, dump.length]) {
      const error = await rejected(collect(documentStream(cut(broken, size))))
      t.strictEqual(error.offset, starts[4] + 11)
      t.strictEqual(error.document, 5)
      t.strictEqual(error.path, 'bytes')
    }
    const tail = await rejected(collect(documentStream(cut(dump.subarray(0, -1), 9))))
    t.strictEqual(tail.offset, starts[4])
    t.strictEqual(tail.document, 5)
    t.done()
  },

  'errors that are not about bytes pass unchanged': async function (t) {
    const failure = new Error('the disk is gone')
    async function* failing() {
      yield dump.subarray(0, 20)
      throw failure
    }
    t.strictEqual(await rejected(collect(documentStream(failing()))), failure)
    t.throws(() => documents(dump, { useBigInt64: true, promoteLongs: false }).next(), /bigint or Long/)
    t.done()
  },

  // 61 s for 200 kB when the place was searched in the message; now 3 ms
  'the error of a field with a long name takes no long time': function (t) {
    for (const name of [' (at offset 1'.repeat(20_000), ' (at offset 1'.repeat(20_000) + '\n', '\x1b'.repeat(200_000)]) {
      const bytes = Buffer.concat([encode({ a: 1 }), encode({ [name]: 1 })])
      bytes[12 + 4] = 0x20 // no type
      let error
      assertCheap(1000, () => { error = caught(() => [...documents(bytes)]) }, 'a long name')
      t.ok(error.message.length < 1500, `${error.message.length} characters`)
      t.ok(error.message.endsWith(' of document 2)'), error.message)
      t.strictEqual(error.offset, 16)
    }
    t.done()
  },

  'Node streams, and leaving early closes them': async function (t) {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-')), 'dump.bson')
    fs.writeFileSync(file, dump)
    const whole = fs.createReadStream(file, { highWaterMark: 17 })
    t.deepStrictEqual(await collect(documentStream(whole)), decoded)
    const source = fs.createReadStream(file, { highWaterMark: 17 })
    for await (const document of documentStream(source)) {
      t.deepStrictEqual(document, decoded[0])
      break
    }
    t.ok(source.destroyed)
    fs.rmSync(path.dirname(file), { recursive: true })
    t.done()
  },

  'what gives its bytes once is not read twice: it would seem to be empty': async function (t) {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-')), 'dump.bson')
    fs.writeFileSync(file, dump)
    const readers = [documentStream, async function* (source) { yield* columns(source) }, source => openDump(source)]
    for (const stream of [fs.createReadStream(file), Readable.from([dump]), new Blob([dump]).stream(), cut(dump, 9).values()]) {
      t.deepStrictEqual(await collect(documentStream(stream)), decoded)
      for (const read of readers) t.strictEqual(String(await rejected((async () => collect(read(stream)))())), 'BSONError: the source has been read before: open it again')
    }
    const [array, elsewhere] = [[dump], Readable.from([dump])]
    for (const source of [array, array]) t.deepStrictEqual(await collect(documentStream(source)), decoded)
    const cursor = { next() {}, rewind() {}, [Symbol.asyncIterator]: () => Readable.from([dump])[Symbol.asyncIterator]() }
    for (const source of [cursor, cursor]) t.deepStrictEqual(await collect(documentStream(source)), decoded)
    await collect(elsewhere)
    t.ok(/read before/.test((await rejected((async () => collect(documentStream(elsewhere)))())).message))
    fs.rmSync(path.dirname(file), { recursive: true })
    t.done()
  },

  'web streams, also where they are not iterable': async function (t) {
    t.deepStrictEqual(await collect(documentStream(new Blob([dump]).stream())), decoded)
    const cancelled = []
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of cut(dump, 20)) controller.enqueue(new Uint8Array(chunk))
        controller.close()
      },
      cancel: reason => cancelled.push(reason)
    })
    const plain = { getReader: () => stream.getReader() }
    t.deepStrictEqual(await collect(documentStream(plain)), decoded)
    const endless = new ReadableStream({
      pull: controller => controller.enqueue(new Uint8Array(dump)),
      cancel: reason => cancelled.push(reason)
    })
    for await (const document of documentStream({ getReader: () => endless.getReader() })) {
      t.deepStrictEqual(document, decoded[0])
      break
    }
    t.strictEqual(cancelled.length, 1)
    t.done()
  },

  'a large document in small chunks is copied once': function (t) {
    const document = encode({ bytes: Buffer.alloc(1 << 20) })
    const set = Uint8Array.prototype.set
    let copied = 0
    Uint8Array.prototype.set = function (source, offset) {
      copied += source.length
      return set.call(this, source, offset)
    }
    try {
      const splitter = new DocumentSplitter()
      const whole = cut(document, 1000).flatMap(chunk => [...splitter.push(chunk)])
      t.strictEqual(whole.length, 1)
      t.ok(whole[0].equals(document))
    } finally {
      Uint8Array.prototype.set = set
    }
    t.strictEqual(copied, document.length)
    t.done()
  },

  'documents decodes no further than it is asked': function (t) {
    const bytes = Buffer.concat([dump, Buffer.alloc(20)])
    const iterator = documents(bytes)
    for (const document of decoded) t.deepStrictEqual(iterator.next().value, document)
    t.throws(() => iterator.next(), BSONError)
    t.deepStrictEqual(iterator.next(), { value: undefined, done: true })
    t.done()
  },

  'options that make no sense': async function (t) {
    t.deepStrictEqual([...documents(dump, null)], decoded)
    t.deepStrictEqual(await collect(documentStream([dump], null)), decoded)
    for (const maxDocumentSize of [NaN, 0, 1.5, -1, '5', 5n, Symbol('s'), {}]) {
      t.throws(() => [...documents(dump, { maxDocumentSize })], /maxDocumentSize must be a positive integer, not /)
    }
    for (const bytes of [null, undefined, 5, 'abc', {}, ['x']]) t.throws(() => [...documents(bytes)], BSONError)
    for (const source of [null, undefined, 5, 'abc', {}, [5], ['x'], [null], Symbol('s'), () => 1]) {
      t.ok(await rejected((async () => collect(documentStream(source)))()) instanceof BSONError)
    }
    t.done()
  },

  'what was put on the prototype of all objects is no option': async function (t) {
    const options = { useBigInt64: true, bytes: true, maxDocumentSize: 6, promoteValues: false }
    for (const [name, value] of Object.entries(options)) {
      Object.prototype[name] = value
      try {
        t.deepStrictEqual([...documents(dump)], decoded, name)
        t.deepStrictEqual([...documents(dump, {})], decoded, name)
        t.deepStrictEqual(await collect(documentStream([dump], {})), decoded, name)
      } finally {
        delete Object.prototype[name]
      }
    }
    t.done()
  },

  'bytes that have been transferred': function (t) {
    const bytes = new Uint8Array(dump)
    const memory = bytes.buffer
    structuredClone(memory, { transfer: [memory] })
    for (const gone of [bytes, memory]) t.throws(() => [...documents(gone)], BSONError)
    t.done()
  }
}
