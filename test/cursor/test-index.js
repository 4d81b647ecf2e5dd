'use strict'

// The batches of a fake cursor; test/driver has real ones.

const { Readable } = require('node:stream')
const { decode, encode, BSONError, RawDocument } = require('../../qbson')
const { batches, jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable } = require('../../lib/cursor')
const { FakeCursor, people } = require('../fixtures/cursor')
const { collect, rejected } = require('../fixtures/streams')

const seven = people(7)

async function textOf(stream) {
  return Buffer.concat(await collect(stream)).toString()
}

/** Takes chunks until the stream fails. @returns {Promise<{text: string, error: any}>} */
async function untilError(stream) {
  const parts = []
  try {
    for await (const part of stream) parts.push(part)
  } catch (error) {
    return { text: Buffer.concat(parts).toString(), error }
  }
  throw new Error('no error')
}

/** The four ways to get text, by name. */
const STREAMS = { jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable }

/** The same, three documents at once. */
const inThrees = Object.fromEntries(Object.entries(STREAMS).map(([name, make]) => {
  return [name, (cursor, options) => make(cursor, { batchSize: 3, ...options })]
}))

/** A document whose string is longer than it. */
function brokenDocument() {
  const bytes = Buffer.from(encode({ a: 1, text: 'abc' }))
  bytes[bytes.indexOf('text') + 5] = 99
  return bytes
}

const turn = () => new Promise(resolve => setImmediate(resolve))

module.exports = {
  'a batchSize is a whole number': async function (t) {
    for (const [name, make] of Object.entries({ batches, jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable })) {
      for (const batchSize of [null, -1, 1.5, '5', NaN, Infinity, {}]) {
        t.throws(() => make(new FakeCursor(seven), { batchSize }), /^BSONError: batchSize must be a non-negative integer/, name)
      }
    }
    t.done()
  },

  'what is no AbortSignal is refused at once, and the cursor can still be read': async function (t) {
    for (const make of [batches, ...Object.values(STREAMS)]) {
      const cursor = new FakeCursor(seven)
      for (const signal of [{}, 5, 'x', true, new AbortController()]) {
        t.throws(() => make(cursor, { signal }), error => error instanceof BSONError && error.message.startsWith('signal must be an AbortSignal, not '))
      }
      t.strictEqual(cursor.closed, false)
      t.ok((await collect(make(cursor, { signal: null }))).length > 0)
    }
    t.done()
  },

  'batches have the documents in their order, as they are asked for': async function (t) {
    for (const closesLate of [false, true]) {
      const cursor = new FakeCursor(seven, { closesLate })
      const all = await collect(batches(cursor))
      t.deepStrictEqual(all.map(batch => [batch.first, batch.length]), [[0, 3], [3, 3], [6, 1]])
      t.deepStrictEqual(all.flatMap(batch => batch.documents()), seven)
      t.deepStrictEqual(all.flatMap(batch => batch.raw().map(view => decode(view))), seven)
      t.deepStrictEqual(all.map(batch => JSON.parse(batch.json())).flat(), JSON.parse(JSON.stringify(seven)))
      t.strictEqual(all.map(batch => batch.lines().toString()).join(''), seven.map(one => `${JSON.stringify(one)}\n`).join(''))
      t.strictEqual(cursor.closed, true)
    }
    t.done()
  },

  'nothing is copied, and a document is a RawDocument on demand': async function (t) {
    const [batch] = await collect(batches(new FakeCursor(seven, { batchSize: 10 })))
    t.strictEqual(batch.raw()[0].buffer, batch.raw()[6].buffer)
    t.ok(batch.at(2) instanceof RawDocument)
    t.strictEqual(batch.at(2).get('name'), 'person 2')
    t.strictEqual(batch.at(2).bytes.buffer, batch.raw()[2].buffer)
    t.strictEqual(batch.at(-1).get('_id'), 6)
    t.strictEqual(batch.at(7), undefined)
    t.strictEqual(batch.at(-8), undefined)
    t.strictEqual(batch.at(0.5), undefined)
    const parts = [batch.slice(), batch.slice(-2), batch.slice(-9, 3), batch.slice(8), batch.slice(2.5, -1), batch.slice(NaN, 1)]
    t.deepStrictEqual(parts.map(({ first, length }) => [first, length]), [[0, 7], [5, 2], [0, 3], [7, 0], [2, 4], [0, 1]])
    t.done()
  },

  'options: of decode, of the text, and the batch size': async function (t) {
    const big = 2n ** 60n
    const [batch] = await collect(batches(new FakeCursor([{ big }]), { batchSize: 5 }))
    t.deepStrictEqual(batch.documents({ useBigInt64: true }), [{ big }])
    t.strictEqual(batch.json({ int64: 'string' }).toString(), '[{"big":"1152921504606846976"}]')
    t.throws(() => batch.json({ int64: 'other' }), error => error instanceof BSONError && error.document === undefined)
    t.strictEqual(batch.lines({ int64: 'number' }).toString(), '{"big":1152921504606846976}\n')
    const lengths = (await collect(batches(new FakeCursor(seven), { batchSize: 5 }))).map(({ length }) => length)
    t.deepStrictEqual(lengths, [5, 2])
    const text = await textOf(jsonArray(new FakeCursor(seven), { batchSize: 3, indent: 2 }))
    t.strictEqual(text, JSON.stringify(JSON.parse(text), null, 2))
    t.strictEqual(JSON.parse(text).length, 7)
    t.done()
  },

  'a cursor without documents has no batch': async function (t) {
    for (const closesLate of [false, true]) {
      t.deepStrictEqual(await collect(batches(new FakeCursor([], { closesLate }))), [])
      for (const [name, make] of Object.entries(STREAMS)) {
        t.strictEqual(await textOf(make(new FakeCursor([], { closesLate }))), name.includes('Array') ? '[]' : '', name)
      }
    }
    t.done()
  },

  'a loop that is left closes the cursor, and so does one that throws': async function (t) {
    const cursor = new FakeCursor(seven)
    for await (const batch of batches(cursor)) {
      t.strictEqual(batch.length, 3)
      break
    }
    t.deepStrictEqual([cursor.closed, cursor.fetches, cursor.closes], [true, 1, 1])
    const slow = new FakeCursor(seven)
    const { close } = slow
    let isOver = false
    slow.close = async () => {
      await close.call(slow)
      await new Promise(resolve => setTimeout(resolve, 5))
      isOver = true
    }
    for await (const batch of batches(slow)) if (batch) break
    t.ok(isOver, 'the loop ends when the cursor is closed')
    const other = new FakeCursor(seven)
    const error = await rejected((async () => {
      for await (const batch of batches(other)) throw new Error(String(batch.length))
    })())
    t.strictEqual(error.message, '3')
    t.strictEqual(other.closed, true)
    t.done()
  },

  // a generator by itself runs its `finally` only if it has begun, and after what it waits for
  'an iterator that is ended closes the cursor, whatever it is at': async function (t) {
    const WHEN = {
      'before the first batch': async () => {},
      'after a batch': async iterator => iterator.next(),
      'while the server is asked': async iterator => {
        await iterator.next()
        return { pending: iterator.next() }
      },
      'after the end': async iterator => { for (let next; !next?.done;) next = await iterator.next() }
    }
    const END = {
      return: async iterator => t.deepStrictEqual(await iterator.return(), { value: undefined, done: true }),
      throw: async iterator => t.strictEqual((await rejected(iterator.throw(new Error('mine')))).message, 'mine'),
      'Readable.from': async iterator => {
        const stream = Readable.from(iterator).destroy()
        await new Promise(resolve => stream.on('close', resolve))
      }
    }
    for (const [when, begin] of Object.entries(WHEN)) {
      for (const [way, end] of Object.entries(END)) {
        const onFetch = when.startsWith('while') ? sent => sent > 0 && new Promise(() => {}) : undefined
        const cursor = new FakeCursor(seven, { onFetch })
        const iterator = batches(cursor)
        const { pending } = (await begin(iterator)) ?? {}
        await end(iterator)
        if (pending) t.deepStrictEqual(await pending, { value: undefined, done: true })
        await turn()
        t.deepStrictEqual([cursor.closed, cursor.closes], [true, 1], `${when}: ${way}`)
      }
    }
    t.done()
  },

  'what is no cursor, is closed, or gives objects is refused': async function (t) {
    const partial = { hasNext() {}, next() {}, close() {} } // Mongoose's, for one
    for (const cursor of [undefined, null, 5, {}, [], partial]) {
      for (const make of [batches, ...Object.values(STREAMS)]) {
        const message = /^BSONError: needs a cursor of the MongoDB driver, 6 or later: collection\.find\(filter, { raw: true }\)/
        t.throws(() => make(cursor), message)
      }
    }
    const closed = new FakeCursor(seven)
    await closed.close()
    t.throws(() => batches(closed), /^BSONError: the cursor is closed/)
    const empty = new FakeCursor([])
    await empty.hasNext()
    t.throws(() => batches(empty), /^BSONError: the cursor is closed: it has no more documents/)
    const objects = new FakeCursor(seven, { raw: false })
    const error = await rejected(collect(batches(objects)))
    t.ok(error instanceof BSONError)
    t.strictEqual(error.message, 'the cursor returns objects, not bytes: collection.find(filter, { raw: true })')
    t.strictEqual(objects.closed, true)
    t.done()
  },

  'the reply of the server, which older drivers take for a document of aggregate': async function (t) {
    const reply = { cursor: { firstBatch: [{ a: 1 }], id: 0n, ns: 'd.c' }, ok: 1 }
    const cursor = new FakeCursor([reply])
    const error = await rejected(collect(batches(cursor)))
    t.ok(error instanceof BSONError)
    t.ok(error.message.startsWith('the cursor returns the reply of the server as a document: '))
    t.strictEqual(cursor.closed, true)
    for (const documents of [[reply, reply], [{ ...reply, cursor: 5 }], [Buffer.from([5, 0, 0, 0, 1])]]) {
      t.strictEqual((await collect(batches(new FakeCursor(documents)))).length, 1)
    }
    t.done()
  },

  'a cursor that was begun is read on': async function (t) {
    const cursor = new FakeCursor(seven)
    t.strictEqual(decode(await cursor.next())._id, 0)
    const ids = (await collect(batches(cursor))).flatMap(batch => batch.documents().map(({ _id }) => _id))
    t.deepStrictEqual(ids, [1, 2, 3, 4, 5, 6])
    t.done()
  },

  'a cursor that is used elsewhere meanwhile is noticed': async function (t) {
    const uses = [
      [3, 'was consumed by other code', cursor => cursor.next()],
      [3, 'by other code: documents are missing', async cursor => [await cursor.next(), await cursor.next()]], // one is left
      ...[1, 3].flatMap(size => [
        [size, 'was closed elsewhere', cursor => cursor.close()],
        [size, 'documents are missing', cursor => { cursor.id = undefined }] // as rewind() does
      ])
    ]
    for (const [batchSize, message, use] of uses) {
      const cursor = new FakeCursor(seven, { batchSize })
      let seen = 0
      const error = await rejected((async () => {
        for await (const batch of batches(cursor)) {
          seen += batch.length
          await use(cursor)
        }
      })())
      t.ok(error instanceof BSONError && error.message.includes(message), error.message)
      t.strictEqual(seen, batchSize)
    }
    t.done()
  },

  'and so is one that is used while the server is asked': async function (t) {
    const taken = new FakeCursor(seven, { onFetch: sent => sent === 3 && setImmediate(() => taken.readBufferedDocuments()) })
    const hasNext = taken.hasNext.bind(taken)
    taken.hasNext = async () => {
      const has = await hasNext()
      await turn()
      return has
    }
    t.ok((await rejected(collect(batches(taken)))).message.includes('was consumed by other code'))
    const closed = new FakeCursor(seven, { onFetch: () => { closed.closed = true } })
    t.ok((await rejected(collect(batches(closed)))).message.includes('was closed elsewhere'))
    const early = new FakeCursor([], { onFetch: async () => { early.closed = true; early.fetch = async () => {} } })
    early.fetch = async () => { early.closed = true }
    t.ok((await rejected(collect(batches(early)))).message.includes('was closed elsewhere'), 'before its first reply')
    t.done()
  },

  'two that read one cursor: the second is refused, the first goes on': async function (t) {
    const cursor = new FakeCursor(seven)
    let seen = 0
    for await (const batch of batches(cursor)) {
      seen += batch.length
      if (seen > 3) continue
      const error = await rejected(collect(batches(cursor)))
      t.strictEqual(error.message, 'the cursor is already being read')
      const { error: other } = await untilError(jsonArray(cursor))
      t.strictEqual(other.message, 'the cursor is already being read')
    }
    t.strictEqual(seen, 7)
    t.done()
  },

  'a broken document: which one, and where': async function (t) {
    const documents = [...seven.slice(0, 4), brokenDocument(), seven[5]]
    const expected = { document: 5, offset: 17, path: 'text' }
    const [, batch] = await collect(batches(new FakeCursor(documents)))
    for (const call of [() => batch.documents(), () => batch.json(), () => batch.lines()]) {
      t.throws(call, error => {
        t.ok(error instanceof BSONError, String(error))
        t.deepStrictEqual({ document: error.document, offset: error.offset, path: error.path }, expected)
        t.ok(error.message.endsWith(' (at offset 17 in field text of document 5)'), error.message)
        return true
      })
    }
    t.throws(() => batch.at(1).get('a'), /in field text/)
    const cut = new FakeCursor([seven[0], seven[1], Buffer.from([9, 0, 0, 0, 0])])
    const [first] = await collect(batches(cut))
    t.throws(() => first.at(2), /of document 3\)$/)
    for (const [name, make] of Object.entries(inThrees)) {
      const cursor = new FakeCursor(documents)
      const { text, error } = await untilError(make(cursor))
      t.ok(error instanceof BSONError)
      t.deepStrictEqual({ document: error.document, offset: error.offset, path: error.path }, expected)
      t.ok(!text.endsWith(']'), text)
      if (!name.endsWith('Readable')) t.ok(text.includes('person 2')) // Node's streams drop what they have buffered
      t.strictEqual(cursor.closed, true)
    }
    t.done()
  },

  // a cursor of which the server has more, so that only closing it ends it
  'whatever fails, the cursor is closed once, and can then be read by others': async function (t) {
    const FAILURES = {
      'a broken document': documents => new FakeCursor([documents[0], brokenDocument(), ...documents]),
      'objects': documents => new FakeCursor(documents, { raw: false }),
      'the server': documents => new FakeCursor(documents, { onFetch: sent => { if (sent === 3) throw new Error('gone') } }),
      'the first reply': documents => new FakeCursor(documents, { onFetch: () => { throw new Error('gone') } })
    }
    const read = { ...inThrees, batches: async function* (cursor) { for await (const batch of batches(cursor)) yield batch.lines() } }
    for (const [failure, make] of Object.entries(FAILURES)) {
      for (const [name, open] of Object.entries(read)) {
        const cursor = make([...people(20)])
        await untilError(open(cursor))
        await turn()
        t.deepStrictEqual([cursor.closed, cursor.closes], [true, 1], `${failure}: ${name}`)
        cursor.closed = false
        const error = await collect(batches(cursor)).catch(error => error)
        t.ok(error.message !== 'the cursor is already being read', `${failure}: ${name}`)
      }
    }
    t.done()
  }
}
