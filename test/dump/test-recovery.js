'use strict'

// What it costs to find documents after damage: in proportion to the bytes, whatever they are.

const { encode, Binary, BSONRegExp, Code, EJSON } = require('../../qbson')
const { openDump, ArchiveWriter, Namespace } = require('../../lib/dump')
const { pieces } = require('../fixtures/dumps')
const { seededRandom } = require('../fixtures/random-document')

const MB = 1 << 20
const DOCS = Buffer.concat(Array.from({ length: 10 }, (_, i) => encode({ _id: i, text: 'hello', n: i + 0.5 })))
const MIXED = Array.from({ length: 6 }, (_, i) => encode({ _id: i, list: [{ a: 'x'.repeat(9 * i) }, /x+/i, Buffer.alloc(i, 1)], n: i + 0.5 }))
const INSERTED = encode({ _id: 7, text: 'between' })

/** A file, and an archive, in which bytes lie between documents. @param {Uint8Array} bytes @returns {Buffer[]} */
function around(bytes) {
  const namespace = new Namespace('shop', 'orders')
  const writer = new ArchiveWriter([namespace])
  const archive = [writer.begin(), ...writer.add(namespace, DOCS).slice(0, 2), bytes, ...writer.add(namespace, DOCS), writer.end()]
  return [Buffer.concat([DOCS, bytes, DOCS]), Buffer.concat(archive)]
}

/** @returns {Promise<{count: number, errors: string[], ms: number}>} `ms`: of processor time */
async function read(bytes) {
  const errors = []
  let count = 0
  const start = process.cpuUsage()
  for await (const batch of openDump([bytes], { onError: error => errors.push(error.message) }).batches()) count += batch.count
  const { user, system } = process.cpuUsage(start)
  return { count, errors, ms: (user + system) / 1000 }
}

/** @returns {Promise<string[]>} what each document, and what was left out, is: from which byte to which */
async function rangesOf(chunks) {
  const found = []
  const onError = ({ message }, { offset, bytes }) => {
    if (bytes.length > 0) found.push(`${/searchSize/.test(message) ? 'given up' : 'left out'}: ${offset} to ${offset + bytes.length}`)
  }
  for await (const batch of openDump(chunks, { onError }).batches()) {
    let end = batch.offset
    for (const document of batch) found.push(`${end} to ${end += document.length}`)
  }
  return found
}

/** Text without a 0x00 for 17 MB, in which documents seem to begin: each with a name up to the 0x00 at the end. */
function longNames() {
  const bytes = Buffer.alloc(17 * MB, 'a')
  bytes[bytes.length - 1] = 0
  for (let at = 1; at < 5000; at += 5) {
    bytes.writeInt32LE(bytes.length - at, at)
    bytes[at + 4] = 1
  }
  return bytes
}

/** Documents whose first value is said to reach into a later one, with whole ones between: all would end there. */
function overlapping() {
  const target = encode({ _id: 1, bytes: Buffer.alloc(20 * MB, 1) })
  const size = 12 + INSERTED.length
  const parts = []
  for (let left = 10; left > 0; left--) {
    const head = Buffer.from([0, 0, 0, 0, 5, 0x61, 0, 0, 0, 0, 0, 0])
    head.writeInt32LE(left * size + target.length - 1)
    head.writeInt32LE(left * size + target.length - 8 - head.length, 7)
    parts.push(head, INSERTED)
  }
  return Buffer.concat([...parts, target])
}

module.exports = {
  'bytes that may all begin a document, or a mark': async function (t) {
    let total = 0
    for (const pattern of ['01', '0102030405010403020501', 'ff', '02030100']) {
      for (const bytes of around(Buffer.alloc(3 * MB, Buffer.from(pattern, 'hex')))) {
        const { count, errors, ms } = await read(bytes)
        t.deepStrictEqual([count, errors.length], [20, 1], pattern)
        total += ms
      }
    }
    t.ok(total < 4000, `${total} ms`)
    t.done()
  },

  'bytes that hold many documents with wrong values': async function (t) {
    for (const pattern of ['0c0c0000', '0f0c0000']) {
      const { count, ms } = await read(around(Buffer.alloc(MB / 8, Buffer.from(pattern, 'hex')))[0])
      t.ok(count >= 20 && ms < 4000, `${pattern}: ${count} documents, ${ms} ms`)
    }
    t.done()
  },

  'damage is the same in pieces of any size, and one byte at the end is some': async function (t) {
    const random = seededRandom(7)
    const below = n => Math.floor(random() * n)
    for (let i = 0; i < 400; i++) {
      const bytes = Buffer.concat([...MIXED, ...MIXED, Buffer.alloc(i % 2)])
      for (let left = 1 + below(3); left > 0; left--) {
        const at = below(bytes.length)
        bytes.fill(below(4) === 0 ? below(256) : below(20), at, Math.min(bytes.length, at + 1 + below(6)))
      }
      const whole = await rangesOf([bytes])
      t.ok(!whole.some(range => range.startsWith('given up')))
      t.strictEqual(whole.at(-1).split(' ').at(-1), String(bytes.length), 'all bytes are documents or left out')
      const size = 1 + below(60)
      t.deepStrictEqual(await rangesOf(pieces(bytes, size)), whole, `${i}: ${size}`)
    }
    t.done()
  },

  'a document is found wherever the pieces end in which it comes': async function (t) {
    const text = 'x'.repeat(1_200_000)
    const rows = [text, { text }, [text], new BSONRegExp(text), new Code(text, { a: 1 }), new Binary(Buffer.alloc(text.length))]
    for (const value of rows) {
      const bytes = Buffer.concat([DOCS, Buffer.alloc(20), encode({ _id: 1, value }), DOCS])
      t.deepStrictEqual(await rangesOf(pieces(bytes, 100_000)), await rangesOf([bytes]), value.constructor.name)
    }
    const short = EJSON.toBSON(`{"_id":1,"pointer":{"$dbPointer":{"$ref":"a","$id":{"$oid":"65a0c0de0000000000000001"}}},"regex":{"$regex":"x+","$options":"i"},
      "code":{"$code":"x","$scope":{"a":1}},"old":{"$binary":{"base64":"AQEBAQEB","subType":"02"}},"n":1}`)
    const bytes = Buffer.concat([DOCS, DOCS, Buffer.alloc(20), short, DOCS])
    const whole = await rangesOf([bytes])
    for (let at = 2 * DOCS.length; at < bytes.length - DOCS.length; at++) {
      t.deepStrictEqual(await rangesOf([bytes.subarray(0, at), bytes.subarray(at)]), whole, `${at}`)
    }
    t.done()
  },

  'a document without _id is found before one whose text is invalid, or another one': async function (t) {
    const [one, two] = [encode({ a: 1, b: 'text' }), encode({ a: 'some text' })]
    const invalid = Buffer.from(two).fill(0xff, 12, 13)
    for (const [next, isFound] of [[two, true], [invalid, true], [two.subarray(0, -1), false]]) {
      const bytes = Buffer.concat([DOCS, Buffer.alloc(20), one, next, DOCS])
      const found = await rangesOf([bytes])
      const start = DOCS.length + 20
      t.strictEqual(found.includes(`${start} to ${start + one.length}`), isFound, found.slice(10, 14).join())
    }
    t.done()
  },

  'names that are long, in what only seems to be documents': async function (t) {
    const { count, ms } = await read(around(longNames())[0])
    t.strictEqual(count, 20)
    t.ok(ms < 4000, `${ms} ms`)
    t.done()
  },

  'documents that overlap again and again end the search': async function (t) {
    const { count, errors } = await read(overlapping())
    t.ok(count > 1 && count < 10, `${count}`)
    t.ok(/^no document is sought after so much damage/.test(errors.at(-1)), errors.at(-1))
    t.done()
  }
}
