'use strict'

// Every async generator that users get releases its source as soon as it is closed: before its first `next`, while that
// waits for a silent source, and between two items.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { PassThrough } = require('node:stream')
const { BSONError, encode, documentStream } = require('../qbson')
const { columns, toArrowIPC, toCSV, toParquet } = require('../lib/columns')
const { openDump, readChunks, splits } = require('../lib/dump')
const { ClosableIterator, closing, itemsOf } = require('../lib/iterators')
const { collect, rejected } = require('./fixtures/streams')

const chunk = encode({ a: 1 })
const DONE = { value: undefined, done: true }

/** What users iterate over, made of a source of bytes. `items`: of one chunk, before the source falls silent. */
const WAYS = {
  documentStream: { items: 1, of: source => documentStream(source) },
  columns: { items: 1, of: source => columns(source, { rows: 1, sample: 1 }) },
  toCSV: { items: 2, of: source => toCSV(columns(source, { rows: 1, sample: 1 })) },
  toArrowIPC: { items: 1, of: source => toArrowIPC(columns(source, { rows: 1, sample: 1 })) },
  toParquet: { items: 0, of: source => toParquet(columns(source, { rows: 1, sample: 1 })) },
  'dump batches': { items: 1, of: source => openDump(source).batches() },
  'dump parts': { items: 1, of: source => openDump(source)[Symbol.asyncIterator]() },
  'dump with onError': { items: 0, of: source => openDump(source, { onError: fail }).batches() },
  readChunks: { items: 1, of: source => readChunks(source), first: Buffer.from('{"a":1}{"a":2}') }
}

/** Must not be called once the iterator is closed. */
function fail() {
  throw new Error('called after the end')
}

/** Sources that give one chunk, and then none, but do not end. `isReleased`: at once. */
const SOURCES = {
  'Node stream': first => {
    const source = new PassThrough()
    if (first) source.write(first)
    return { source, isReleased: () => source.destroyed }
  },
  'web stream': first => {
    let isReleased = false
    const source = new ReadableStream({
      start: controller => first && controller.enqueue(first),
      cancel: () => { isReleased = true }
    })
    return { source, isReleased: () => isReleased }
  },
  iterator: first => {
    const returned = []
    const source = {
      next: async () => first ? { done: false, value: first.splice(0)[0] ?? await new Promise(() => {}) } : new Promise(() => {}),
      return: async () => { returned.push(1) },
      [Symbol.asyncIterator]() { return this }
    }
    if (first) first = [first]
    return { source, isReleased: () => returned.length === 1 }
  },
  cursor: first => {
    let isReleased = false
    const source = {
      rewind() {},
      close: async () => { isReleased = true },
      [Symbol.asyncIterator]: async function* () {
        try {
          if (first) yield first
          await new Promise(() => {})
        } finally {
          isReleased = true
        }
      }
    }
    return { source, isReleased: () => isReleased }
  }
}

const ENDS = {
  return: async iterator => iterator.return('x'),
  throw: async iterator => iterator.throw(new Error('x')).catch(error => ({ value: error.message, done: true }))
}

const turns = () => new Promise(resolve => setTimeout(resolve, 5))

const cases = Object.keys(WAYS).flatMap(way => Object.keys(SOURCES).flatMap(kind => Object.keys(ENDS).map(end => [way, kind, end])))

module.exports = {
  'before the first item': async function (t) {
    for (const [way, kind, end] of cases) {
      const { source, isReleased } = SOURCES[kind]()
      const iterator = WAYS[way].of(source)
      t.deepStrictEqual(await ENDS[end](iterator), { value: 'x', done: true }, `${way}, ${kind}`)
      t.ok(isReleased(), `${end} of ${way} does not release the ${kind}`)
      t.deepStrictEqual(await iterator.next(), DONE)
    }
    t.done()
  },

  'while an item is awaited': async function (t) {
    for (const [way, kind, end] of cases) {
      const { source, isReleased } = SOURCES[kind]()
      const iterator = WAYS[way].of(source)
      const waiting = [iterator.next(), iterator.next()]
      await turns()
      t.deepStrictEqual(await ENDS[end](iterator), { value: 'x', done: true }, `${way}, ${kind}`)
      t.ok(isReleased(), `${end} of ${way} does not release the ${kind}`)
      t.deepStrictEqual(await Promise.all(waiting), [DONE, DONE], `${way}, ${kind}`)
      t.deepStrictEqual(await iterator.next(), DONE)
    }
    t.done()
  },

  'after an item, and while the one after it is awaited': async function (t) {
    for (const [way, kind, end] of cases.filter(([way]) => WAYS[way].items > 0)) {
      for (const waits of [false, true]) {
        const { source, isReleased } = SOURCES[kind](WAYS[way].first ?? chunk)
        const iterator = WAYS[way].of(source)
        for (let i = 0; i < WAYS[way].items; i++) t.strictEqual((await iterator.next()).done, false, `${way}, ${kind}`)
        const waiting = waits ? [iterator.next()] : []
        await turns()
        t.deepStrictEqual(await ENDS[end](iterator), { value: 'x', done: true }, `${way}, ${kind}`)
        t.ok(isReleased(), `${end} of ${way} does not release the ${kind}`)
        for (const next of waiting) t.deepStrictEqual(await next, DONE, `${way}, ${kind}`)
      }
    }
    t.done()
  },

  'a document that is cut short by closing is no error': async function (t) {
    for (const way of Object.keys(WAYS)) {
      const { source } = SOURCES['Node stream'](chunk.subarray(0, 6))
      const iterator = WAYS[way].of(source)
      const waiting = iterator.next()
      await turns()
      await iterator.return()
      t.deepStrictEqual(await waiting, DONE, way)
    }
    t.done()
  },

  'splits: no more is read': async function (t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-'))
    for (const name of ['a', 'b']) fs.writeFileSync(path.join(folder, `${name}.bson`), Buffer.concat(Array(1e5).fill(chunk)))
    const iterator = splits(folder, 1e9)
    const waiting = iterator.next()
    await new Promise(setImmediate)
    await iterator.return()
    t.deepStrictEqual(await waiting, DONE)
    t.deepStrictEqual(await splits(folder, 1e9).return(), DONE)
    fs.rmSync(folder, { recursive: true })
    t.done()
  },

  'all are async generators, as far as users can see': function (t) {
    const { prototype } = Object.getPrototypeOf(async function* () {})
    for (const [way, { of }] of Object.entries(WAYS)) {
      const iterator = of([].values())
      t.ok(Object.prototype.isPrototypeOf.call(prototype, iterator) && iterator[Symbol.asyncIterator]() === iterator, way)
      t.strictEqual(Object.prototype.toString.call(iterator), '[object AsyncGenerator]', way)
    }
    t.done()
  },

  'errors of the source': async function (t) {
    const failing = { next: async () => { throw new Error('gone') }, return: fail, [Symbol.asyncIterator]() { return this } }
    const iterator = documentStream(failing)
    t.strictEqual((await rejected(iterator.next())).message, 'gone')
    t.deepStrictEqual(await iterator.return(), DONE) // it has ended by itself
    const unwilling = { next: async () => ({ done: false, value: chunk }), return: async () => { throw new Error('stuck') } }
    for (const way of ['documentStream', 'columns', 'dump batches', 'toCSV']) {
      const own = WAYS[way].of({ ...unwilling, [Symbol.asyncIterator]() { return this } })
      await own.next()
      t.strictEqual((await rejected(own.return())).message, 'stuck', way)
    }
    t.done()
  },

  'a source that fails with undefined or null has failed: columns ended as if that were all': async function (t) {
    for (const [way, { of, first = chunk }] of Object.entries(WAYS).filter(([way]) => way !== 'dump with onError')) {
      for (const reason of [undefined, null]) {
        const web = new ReadableStream({
          start: controller => controller.enqueue(first),
          pull: controller => controller.error(reason)
        })
        const error = await rejected(collect(of(web)))
        t.ok(error instanceof BSONError && error.message.includes(`what was thrown is not an Error: ${reason}`), way)
      }
    }
    t.done()
  },

  'a web stream is locked only while it is read': async function (t) {
    const source = new Blob([chunk]).stream()
    const iterator = documentStream(source)
    t.ok(!source.locked)
    await iterator.next()
    t.ok(source.locked)
    t.deepStrictEqual(await iterator.next(), DONE)
    t.ok(!source.locked)
    t.done()
  },

  'a web stream that fails is not locked any more, as in for await': async function (t) {
    const failing = new ReadableStream({ pull: controller => controller.error(new Error('gone')) })
    t.strictEqual((await rejected(documentStream(failing).next())).message, 'gone')
    const unwilling = new ReadableStream({ pull: controller => controller.enqueue(chunk), cancel: async () => { throw new Error('stuck') } })
    const iterator = documentStream(unwilling)
    await iterator.next()
    t.strictEqual((await rejected(iterator.return())).message, 'stuck')
    t.deepStrictEqual([failing.locked, unwilling.locked], [false, false])
    t.done()
  },

  'items of an array, which may hold promises': async function (t) {
    const items = itemsOf([Promise.resolve(1), 2])
    const given = [await items.next(), await items.next(), await items.next()]
    t.deepStrictEqual(given, [{ value: 1, done: false }, { value: 2, done: false }, DONE])
    t.ok(items instanceof ClosableIterator && !items.isClosed)
    const order = []
    const generator = closing((async function* () { yield 1 })(), () => order.push('closed'))
    t.deepStrictEqual(await generator.return(2), { value: 2, done: true })
    t.deepStrictEqual(order, ['closed'])
    t.done()
  },

  'the prototypes of the language may be frozen': t => {
    const script = `
      const { encode, documentStream, documents } = require('./qbson')
      const bytes = encode({ a: 1 })
      const list = async () => { for await (const { a } of documentStream([bytes])) console.log(a, [...documents(bytes)].length) }
      list()`
    const args = ['--frozen-intrinsics', '--no-warnings', '-e', script]
    t.strictEqual(execFileSync(process.execPath, args, { cwd: path.dirname(__dirname), encoding: 'utf8' }), '1 1\n')
    t.done()
  }
}
