'use strict'

// Many documents as one text: arrays, lines and streams, with invalid bytes, and with readers that stop early.

const { Readable, Transform } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const json = require('../../lib/json')
const { BSONError } = require('../../lib/errors')
const { EJSON, extendedJSONBytes, extendedJSONLines } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { documents } = require('../../lib/batch')
const { requireWithoutBuffer } = require('../without-buffer')
const { errorOf } = require('../fixtures/error-of')
const { cut, collect, rejected } = require('../fixtures/streams')

const values = [{ a: 1 }, { text: 'é"'.repeat(200), list: [1, [], {}] }, {}, { b: new Date(0), 5: null, x: { y: 'z' } }]
const list = values.map(value => encode(value))
const dump = Buffer.concat(list)
const decoded = list.map(bytes => decode(bytes))
const ARRAY = JSON.stringify(decoded)
const LINES = decoded.map(doc => `${JSON.stringify(doc)}\n`).join('')

/** The second of three documents has a string that is not UTF-8. */
const WRONG = [encode({ a: 1 }), encode({ a: { b: ['xyz'] } }), encode({ c: 1 })]
WRONG[1][WRONG[1].indexOf('xyz')] = 0xff
const WRONG_OFFSET = WRONG[0].length + WRONG[1].indexOf('yz') - 1

/** The text of a stream before it failed, and the error. */
async function outcomeOf(stream) {
  const chunks = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
    return { text: Buffer.concat(chunks).toString() }
  } catch (error) {
    return { text: Buffer.concat(chunks).toString(), error }
  }
}

/** Through the web's TransformStream. */
function webText(chunks, transform) {
  return outcomeOf(ReadableStream.from(chunks).pipeThrough(transform))
}

module.exports = {
  'array and lines: of a buffer, of an iterable': t => {
    const memory = dump.buffer.slice(dump.byteOffset, dump.byteOffset + dump.length)
    for (const given of [dump, new Uint8Array(dump), memory, new DataView(memory), list, new Set(list), documents(dump, { bytes: true }),
      list.map(bytes => [...bytes])]) {
      if (given[Symbol.toStringTag] === 'Generator') {
        t.strictEqual(json.array(given).toString(), ARRAY)
        continue
      }
      t.strictEqual(json.array(given).toString(), ARRAY)
      t.strictEqual(json.lines(given).toString(), LINES)
    }
    t.strictEqual(json.array(Buffer.alloc(0)).toString(), '[]')
    t.strictEqual(json.array([]).toString(), '[]')
    t.strictEqual(json.array([], { indent: 2 }).toString(), '[]')
    t.strictEqual(json.lines([]).toString(), '')
    t.ok(Buffer.isBuffer(json.lines([])))
    t.done()
  },

  'more documents than are copied, and options': t => {
    const many = Buffer.concat(Array(500).fill(dump))
    const all = Array(500).fill(decoded).flat()
    t.strictEqual(json.array(many).toString(), JSON.stringify(all))
    t.strictEqual(json.array(many, { indent: 1 }).toString(), JSON.stringify(all, null, 1))
    const dates = decoded.map(doc => (doc.b ? { ...doc, b: 0 } : doc))
    t.strictEqual(json.array(list, { date: 'number' }).toString(), JSON.stringify(dates))
    t.done()
  },

  'what is no list': t => {
    for (const given of [undefined, null, 5, 'text', {}]) t.ok(errorOf(() => json.array(given)) instanceof BSONError)
    t.strictEqual(errorOf(() => json.lines([list[0], 'text'])).document, 2)
    const own = { [Symbol.iterator]() { throw new TypeError('mine') } }
    t.strictEqual(errorOf(() => json.lines(own)).message, 'mine')
    t.done()
  },

  'array and lines: what is wrong, in which document, at which offset': t => {
    const inBuffer = errorOf(() => json.array(Buffer.concat(WRONG)))
    t.deepStrictEqual([inBuffer.document, inBuffer.path, inBuffer.offset], [2, 'a.b[0]', WRONG_OFFSET])
    t.strictEqual(inBuffer.message, `Invalid UTF-8 string in BSON document (at offset ${WRONG_OFFSET} in field a.b[0] of document 2)`)
    const inList = errorOf(() => json.lines(WRONG))
    t.deepStrictEqual([inList.document, inList.path, inList.offset], [2, 'a.b[0]', WRONG_OFFSET - WRONG[0].length])
    for (let size = 1; size < dump.length; size++) {
      const isWhole = [0, 1, 2, 3].some(count => Buffer.concat(list.slice(0, count)).length === size)
      if (!isWhole) t.ok(errorOf(() => json.array(dump.subarray(0, size))) instanceof BSONError)
    }
    const shown = errorOf(() => json.array(Buffer.concat([list[0], Buffer.alloc(20)])))
    t.deepStrictEqual([shown.offset, shown.document], [list[0].length, 2])
    t.ok(errorOf(() => json.array([dump])) instanceof BSONError, 'two documents where one should be')
    t.strictEqual(json.array(list).toString(), ARRAY, 'and all is well afterwards')
    t.done()
  },

  'arrayStream and lineStream: chunks may end anywhere': async t => {
    t.ok(json.arrayStream() instanceof Transform)
    for (const size of [1, 2, 3, 7, 100, dump.length]) {
      const array = await outcomeOf(Readable.from(cut(dump, size)).pipe(json.arrayStream()))
      t.strictEqual(array.text, ARRAY)
      const lines = await outcomeOf(Readable.from(cut(dump, size)).pipe(json.lineStream()))
      t.strictEqual(lines.text, LINES)
      t.strictEqual((await webText(cut(dump, size), json.arrayTransformStream())).text, ARRAY)
      t.strictEqual((await webText(cut(dump, size), json.lineTransformStream())).text, LINES)
      const indented = await outcomeOf(Readable.from(cut(dump, size)).pipe(json.arrayStream({ indent: 2 })))
      t.strictEqual(indented.text, JSON.stringify(decoded, null, 2))
    }
    t.strictEqual((await outcomeOf(Readable.from([]).pipe(json.arrayStream()))).text, '[]')
    t.strictEqual((await webText([], json.lineTransformStream())).text, '')
    t.done()
  },

  'a wrong document: the text before it, then the error, and nothing that closes it': async t => {
    const bytes = Buffer.concat(WRONG)
    for (const size of [1, 10, bytes.length]) {
      const ways = {
        array: [json.arrayStream, json.arrayTransformStream, '[{"a":1}'],
        lines: [json.lineStream, json.lineTransformStream, '{"a":1}\n']
      }
      for (const [node, web, before] of Object.values(ways)) {
        const results = [await outcomeOf(Readable.from(cut(bytes, size)).compose(node())), await webText(cut(bytes, size), web())]
        for (const { text, error } of results) {
          t.ok(error instanceof BSONError, String(error))
          t.deepStrictEqual([error.document, error.path, error.offset], [2, 'a.b[0]', WRONG_OFFSET])
          t.ok(before.startsWith(text), text)
        }
      }
    }
    t.done()
  },

  'a stream that ends in a document, and a size that is invalid or too large': async t => {
    for (const make of [json.arrayStream, json.lineStream]) {
      const short = await rejected(pipeline(Readable.from([dump.subarray(0, -3)]), make(), collect))
      t.ok(short instanceof BSONError && short.document === 4, short.message)
      const none = await rejected(pipeline(Readable.from([Buffer.alloc(10)]), make(), collect))
      t.strictEqual(none.message, 'BSON size must be >= 5, is 0 (at offset 0 of document 1)')
      const large = await rejected(pipeline(Readable.from([dump]), make({ maxDocumentSize: 100 }), collect))
      t.strictEqual(large.document, 2)
    }
    const web = await webText([dump.subarray(0, -3)], json.arrayTransformStream())
    t.ok(web.error instanceof BSONError && !web.text.endsWith(']'))
    t.ok(errorOf(() => json.arrayStream({ int64: 'none' })) instanceof BSONError)
    t.done()
  },

  'a stream writes what there is room for': async t => {
    const document = encode({ text: 'x'.repeat(10_000) })
    const chunk = Buffer.concat(Array(2000).fill(document))
    const stream = json.lineStream()
    stream.write(chunk)
    await new Promise(resolve => setImmediate(resolve))
    t.ok(stream.readableLength < 500_000, `${stream.readableLength} bytes wait`)
    let size = 0
    stream.end()
    for await (const piece of stream) size += piece.length
    t.strictEqual(size, 2000 * (10_000 + '{"text":""}\n'.length))
    t.done()
  },

  'a reader that stops': async t => {
    const source = Readable.from(Array(1000).fill(dump))
    for await (const piece of source.pipe(json.lineStream())) {
      t.ok(piece.length > 0)
      break
    }
    let given = 0
    const chunks = new ReadableStream({ pull: controller => controller.enqueue((given++, dump)) })
    const reader = chunks.pipeThrough(json.lineTransformStream()).getReader()
    await reader.read()
    await reader.cancel()
    t.ok(given < 20, `${given} chunks were read`)
    t.done()
  },

  'two at a time do not disturb one another': async t => {
    const [one, other] = [json.arrayStream(), json.lineStream()]
    for (const document of list) {
      one.write(document)
      t.strictEqual(json.text(document), JSON.stringify(decode(document)))
      other.write(document)
    }
    one.end()
    other.end()
    t.strictEqual((await outcomeOf(one)).text, ARRAY)
    t.strictEqual((await outcomeOf(other)).text, LINES)
    t.done()
  },

  'Extended JSON as bytes': t => {
    for (const options of [undefined, { relaxed: false }, { legacy: true }, { space: 2 }, { relaxed: false, space: '\t' }]) {
      for (const bytes of list) t.strictEqual(extendedJSONBytes(bytes, options).toString(), EJSON.fromBSON(bytes, options))
      const lines = list.map(bytes => `${EJSON.fromBSON(bytes, options)}\n`).join('')
      t.strictEqual(extendedJSONLines(dump, options).toString(), lines)
    }
    const error = errorOf(() => extendedJSONLines(WRONG, { relaxed: false }))
    t.deepStrictEqual([error.document, error.path], [2, 'a.b[0]'])
    t.done()
  },

  'without Buffer, and without Node': t => {
    for (const names of [[], ['TextDecoder', 'TextEncoder']]) {
      const browser = requireWithoutBuffer('lib/json/index.js', names)
      const plain = list.map(bytes => new Uint8Array(bytes))
      t.strictEqual(browser.text(plain[1]), JSON.stringify(decoded[1]))
      t.strictEqual(Buffer.from(browser.array(plain)).toString(), ARRAY)
      t.strictEqual(Buffer.from(browser.lines(new Uint8Array(dump), { indent: 1 })).toString(), json.lines(dump, { indent: 1 }).toString())
    }
    const transform = globalThis.TransformStream
    try {
      delete globalThis.TransformStream
      t.ok(errorOf(() => json.lineTransformStream()) instanceof BSONError)
    } finally {
      globalThis.TransformStream = transform
    }
    t.done()
  }
}
