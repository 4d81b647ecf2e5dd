'use strict'

// The documents of a fake cursor as streams of JSON, and how these end.

const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { once } = require('node:events')
const { pipeline } = require('node:stream/promises')
const { Writable } = require('node:stream')
const { batches, jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable } = require('../../lib/cursor')
const { BusyCursor, FakeCursor, people } = require('../fixtures/cursor')
const { collect, rejected } = require('../fixtures/streams')

const seven = people(7)

async function textOf(stream) {
  return Buffer.concat(await collect(stream)).toString()
}

/** The four ways to get text, by name. */
const STREAMS = { jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable }

/** The same, three documents at once. */
const inThrees = Object.fromEntries(Object.entries(STREAMS).map(([name, make]) => {
  return [name, (cursor, options) => make(cursor, { batchSize: 3, ...options })]
}))

/** A promise and its functions. */
function deferred() {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}

const turn = () => new Promise(resolve => setImmediate(resolve))

/** As a cursor of mongodb 6 and 7, which tells the server that it is closed only if its id is known, and only once. */
class SlowCursor {
  /** @param {Error} [error] instead of the reply */
  constructor(error) {
    this.id = undefined
    this.closed = this.isKilled = false
    this.documents = []
    this.reply = deferred()
    this.error = error
  }

  answer() {
    if (this.error === undefined) {
      this.id = { isZero: () => false }
      this.documents = [Uint8Array.of(5, 0, 0, 0, 0)]
      this.reply.resolve(true)
    } else this.reply.reject(this.error)
  }

  hasNext() {
    return this.reply.promise
  }

  readBufferedDocuments() {
    return this.documents.splice(0)
  }

  bufferedCount() {
    return this.documents.length
  }

  async close() {
    if (!this.closed && this.id !== undefined) this.isKilled = true
    this.closed = true
  }

  batchSize() {}
}

/** Ways to leave a cursor that has been asked. @type {Record<string, (cursor: SlowCursor) => Promise<unknown>>} */
const LEAVING = {
  'a web stream is cancelled': async cursor => {
    const reader = jsonArray(cursor).getReader()
    const pending = reader.read()
    await turn()
    await reader.cancel()
    return (await pending).value
  },
  'a Node stream is destroyed': async cursor => {
    const stream = jsonLinesReadable(cursor)
    stream.resume()
    await turn()
    stream.destroy()
    await new Promise(resolve => stream.on('close', resolve))
  },
  'the signal is aborted': async cursor => {
    const controller = new AbortController()
    const loop = rejected(collect(batches(cursor, { signal: controller.signal })))
    await turn()
    controller.abort()
    await loop
  }
}

module.exports = {
  'a cursor that is left before its first reply is killed when that comes': async function (t) {
    for (const [way, leave] of Object.entries(LEAVING)) {
      for (const error of [undefined, new Error('of the server')]) {
        const cursor = new SlowCursor(error)
        t.strictEqual(await leave(cursor), undefined, way) // without waiting for a server that says nothing
        t.strictEqual(cursor.closed, false, way)
        cursor.answer()
        await turn()
        t.deepStrictEqual([cursor.closed, cursor.isKilled], [true, error === undefined], way)
        t.throws(() => batches(cursor), /the cursor is closed/)
      }
    }
    t.done()
  },

  'a cursor that is left while the server is asked again is killed, with a reply and without one': async function (t) {
    const ways = Object.entries({ batches, ...inThrees }).flatMap(way => [[...way, true], [...way, false]])
    await Promise.all(ways.map(async ([name, make, isAnswered]) => {
      const cursor = new BusyCursor(seven)
      const source = make(cursor)
      const reader = source.getReader?.() ?? source[Symbol.asyncIterator]()
      const next = () => (reader.read ?? reader.next).call(reader)
      await next()
      next().catch(() => {})
      await turn()
      if (reader.cancel) reader.cancel()
      else if (source.destroy) source.destroy()
      else reader.return()
      if (isAnswered) cursor.answer()
      await new Promise(resolve => setTimeout(resolve, 250))
      t.deepStrictEqual([name, cursor.closed, cursor.isKilled], [name, true, true])
    }))
    t.done()
  },

  'streams ask for 200 documents at once, where that can be said': async function (t) {
    const documents = people(480)
    for (const make of Object.values(STREAMS)) {
      const cursor = new FakeCursor(documents, { batchSize: 1e6 })
      await textOf(make(cursor))
      t.strictEqual(cursor.fetches, 3)
      const begun = new FakeCursor(documents, { batchSize: 160 })
      await begun.hasNext()
      await textOf(make(begun))
      t.strictEqual(begun.fetches, 3)
      t.throws(() => make(begun, { batchSize: 3 }), /already initialized|is closed/)
    }
    t.strictEqual((await collect(batches(new FakeCursor(documents, { batchSize: 1e6 })))).length, 1)
    t.done()
  },

  'streams: the text of JSON.stringify, whatever the batches are': async function (t) {
    for (const count of [1, 2, 3, 7]) {
      for (const batchSize of [1, 2, 3, 100]) {
        const documents = people(count)
        for (const [name, make] of Object.entries(STREAMS)) {
          const text = await textOf(make(new FakeCursor(documents), { batchSize }))
          const expected = name.includes('Array') ? JSON.stringify(documents) : documents.map(one => `${JSON.stringify(one)}\n`).join('')
          t.strictEqual(text, expected, `${name}, ${count} in batches of ${batchSize}`)
        }
      }
    }
    const indented = await textOf(jsonArray(new FakeCursor(seven), { indent: 2 }))
    t.strictEqual(indented, JSON.stringify(seven, null, 2))
    t.strictEqual(await textOf(jsonArray(new FakeCursor([]), { indent: 2 })), '[]')
    t.strictEqual(await new Response(jsonArray(new FakeCursor(seven))).text(), JSON.stringify(seven))
    t.done()
  },

  'a large batch becomes several chunks': async function (t) {
    const documents = Array.from({ length: 30 }, (_, i) => ({ i, text: 'x'.repeat(50_000) }))
    const chunks = await collect(jsonArray(new FakeCursor(documents, { batchSize: 30 })))
    t.strictEqual(Buffer.concat(chunks).toString(), JSON.stringify(documents))
    t.ok(chunks.length > 5 && chunks.every(({ length }) => length < 400_000), String(chunks.map(({ length }) => length)))
    const huge = [{ text: 'é'.repeat(8_000_000) }, { last: true }]
    t.strictEqual(await textOf(jsonLines(new FakeCursor(huge))), huge.map(one => `${JSON.stringify(one)}\n`).join(''))
    t.done()
  },

  '400,000 documents take 60 MB at most, without those of the driver': t => {
    const file = path.join(__dirname, '..', 'fixtures', 'cursor-memory.js')
    const megabytes = Number(execFileSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' }))
    t.ok(megabytes > 0 && megabytes < 60, `${megabytes} MB`)
    t.done()
  },

  'the server is asked when somebody reads, and for no more than that': async function (t) {
    for (const make of [inThrees.jsonArray, inThrees.jsonArrayReadable]) {
      const cursor = new FakeCursor(seven)
      const stream = make(cursor)
      await turn()
      t.strictEqual(cursor.fetches, 0)
      const iterator = stream[Symbol.asyncIterator]()
      await iterator.next()
      await turn()
      t.ok(cursor.fetches <= (make === inThrees.jsonArray ? 1 : 3))
      await iterator.return()
      t.strictEqual(cursor.closed, true)
    }
    t.done()
  },

  'without the streams of Node there are those of the web': t => {
    const { getBuiltinModule } = process
    process.getBuiltinModule = undefined
    try {
      t.throws(() => jsonArrayReadable(new FakeCursor(seven)), /Node\.js 20\.16 or later: use Readable\.fromWeb/)
    } finally {
      process.getBuiltinModule = getBuiltinModule
    }
    t.done()
  },

  'a reader that goes away closes the cursor, also while the server is asked': async function (t) {
    const { promise, resolve } = deferred()
    const cursor = new FakeCursor(seven, { onFetch: sent => sent > 0 && promise })
    const reader = inThrees.jsonArray(cursor).getReader()
    await reader.read()
    const pending = reader.read()
    await turn()
    await reader.cancel(new Error('gone'))
    t.deepStrictEqual([cursor.closed, await pending], [true, { done: true, value: undefined }])
    resolve()
    await turn()

    const late = deferred()
    const slow = new FakeCursor(seven, { onFetch: sent => sent > 0 && late.promise })
    const stream = inThrees.jsonArrayReadable(slow)
    const events = []
    for (const event of ['data', 'error', 'end', 'close']) stream.on(event, () => events.push(event))
    await turn()
    stream.destroy()
    late.resolve()
    for (let i = 0; i < 3; i++) await turn()
    t.deepStrictEqual([slow.closed, events], [true, ['data', 'close']])

    const other = new FakeCursor(seven, { batchSize: 1 })
    const failing = new Writable({ write: (chunk, encoding, done) => done(new Error('reset by peer')) })
    const error = await rejected(pipeline(inThrees.jsonArrayReadable(other), failing))
    t.strictEqual(error.message, 'reset by peer')
    await turn()
    t.strictEqual(other.closed, true)
    t.done()
  },

  'a signal stops all at once, and its reason is the error': async function (t) {
    for (const [name, make] of Object.entries({ batches, ...inThrees })) {
      const { promise, resolve } = deferred()
      const cursor = new FakeCursor(seven, { onFetch: sent => sent > 0 && promise })
      const controller = new AbortController()
      const reason = new Error('enough')
      const pending = rejected(collect(make(cursor, { signal: controller.signal })))
      await turn()
      controller.abort(reason)
      t.strictEqual(await pending, reason, name)
      resolve()
      await turn()
      t.strictEqual(cursor.closed, true, name)
    }
    t.done()
  },

  // text that is made already, of a client that reads no more: nothing is asked of the stream again
  'a signal fails a stream at once, also one in the middle of a batch': async function (t) {
    const large = Array.from({ length: 9 }, (_, i) => ({ i, text: 'x'.repeat(200_000) }))
    for (const [name, make] of Object.entries(STREAMS)) {
      for (const [what, documents] of Object.entries({ large, small: people(4000) })) { // more than Node 26 reads ahead
        const cursor = new FakeCursor(documents)
        const controller = new AbortController()
        const stream = make(cursor, { signal: controller.signal })
        const failed = name.endsWith('Readable') && rejected(pipeline(stream, new Writable({ write() {} })))
        const reader = failed || stream.getReader()
        if (!failed) await reader.read()
        for (let i = 0; i < 3; i++) await turn()
        const reason = new Error('enough')
        controller.abort(reason)
        t.strictEqual(await (failed || rejected(reader.read())), reason, `${name}, ${what}`)
        t.strictEqual(cursor.closed, true, `${name}, ${what}`)
      }
    }
    const unread = new AbortController()
    const stream = jsonArrayReadable(new FakeCursor(seven), { signal: unread.signal })
    unread.abort(new Error('enough'))
    await turn() // without an uncaught error
    t.strictEqual((await rejected(collect(stream))).message, 'enough')
    const [error] = await once(jsonArrayReadable(new FakeCursor(seven), { signal: AbortSignal.abort(null) }).resume(), 'error')
    t.strictEqual(error.message, 'what was thrown is not an Error: null') // a stream that ends with null does not say that
    t.done()
  },

  'a signal that was given before, or between two batches': async function (t) {
    const reason = new Error('enough')
    for (const make of [batches, ...Object.values(inThrees)]) {
      const cursor = new FakeCursor(seven)
      t.strictEqual(await rejected(collect(make(cursor, { signal: AbortSignal.abort(reason) }))), reason)
      t.deepStrictEqual([cursor.closed, cursor.fetches], [true, 0])
    }
    const unread = new FakeCursor(seven)
    const early = new AbortController()
    const stream = jsonArray(unread, { signal: early.signal })
    early.abort(reason)
    t.strictEqual(unread.closed, true)
    t.strictEqual(await rejected(collect(stream)), reason)
    const controller = new AbortController()
    const cursor = new FakeCursor(seven)
    const error = await rejected((async () => {
      for await (const batch of batches(cursor, { signal: controller.signal })) controller.abort(new Error(String(batch.length)))
    })())
    t.strictEqual(error.message, '3')
    t.strictEqual(cursor.closed, true)
    t.done()
  },

  'a signal that outlives the cursor keeps nothing of it': async function (t) {
    const { signal } = new AbortController()
    const added = []
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (type, listener) => { added.push(listener); addEventListener.call(signal, type, listener) }
    signal.removeEventListener = (type, listener) => {
      added.splice(added.indexOf(listener), 1)
      removeEventListener.call(signal, type, listener)
    }
    await collect(batches(new FakeCursor(seven), { signal }))
    for (const [name, make] of Object.entries(STREAMS)) {
      await textOf(make(new FakeCursor(seven), { signal }))
      const cursor = new FakeCursor(seven)
      const other = batches(cursor)
      await other.next()
      await rejected(collect(make(cursor, { signal }))) // is already being read
      t.deepStrictEqual(added, [], name)
    }
    await batches(new FakeCursor(seven), { signal }).return()
    await turn()
    t.deepStrictEqual(added, [])
    t.done()
  },

  'an error of the server is the error, and nothing comes after it': async function (t) {
    for (const [name, make] of Object.entries({ batches, ...inThrees })) {
      const failure = new Error('connection 7 closed')
      const cursor = new FakeCursor(seven, { onFetch: sent => { if (sent === 3) throw failure } })
      cursor.close = async () => { throw new Error('cannot be reached') }
      t.strictEqual(await rejected(collect(make(cursor))), failure, name)
      t.strictEqual(cursor.fetches, 2)
    }
    t.done()
  },

  'no promise is rejected unheard': async function (t) {
    const unheard = []
    const listen = error => unheard.push(error)
    process.on('unhandledRejection', listen)
    const { promise, reject } = deferred()
    const cursor = new FakeCursor(seven, { onFetch: sent => sent > 0 && promise })
    const controller = new AbortController()
    const reader = inThrees.jsonArray(cursor, { signal: controller.signal }).getReader()
    await reader.read()
    reader.read().catch(() => {})
    await turn()
    controller.abort()
    reject(new Error('too late'))
    const failing = new FakeCursor(seven)
    failing.close = async () => { throw new Error('cannot be closed') }
    await jsonArray(failing).cancel()
    jsonArrayReadable(failing).destroy()
    for (let i = 0; i < 3; i++) await turn()
    process.off('unhandledRejection', listen)
    t.deepStrictEqual(unheard, [])
    t.done()
  }
}
