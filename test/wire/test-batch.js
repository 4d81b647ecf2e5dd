'use strict'

// Batches of documents: to a server, in as many messages as needed; and from a cursor's reply.

const { serialize } = require('bson')
const { RawDocument, BSONError, Long } = require('../../qbson')
const { decodeMessage, decodeBatch, decodeDocuments, encodeMsg, encodeBatches } = require('../../lib/wire')
const { plain, INSERT, A, B } = require('../fixtures/wire')

module.exports = {
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
          t.strictEqual(read.requestId, requestId)
          t.strictEqual(first, seen.length)
          t.strictEqual(count, list.length)
          if (before !== null) t.ok(before + serialize(list[0]).length > 2000, 'one more would not have fitted')
          before = message.length
          seen.push(...list)
        }
        t.deepStrictEqual(seen, documents)
      }
      t.done()
    },

    'encode every document once': function (t) {
      let calls = 0
      const documents = Array.from({ length: 100 }, (_, i) => ({ toBSON: () => ({ i, n: ++calls, x: 'x'.repeat(50) }) }))
      const sequence = { identifier: 'documents', documents: documents.values() }
      const batches = [...encodeBatches({ nextId: () => 1, body: INSERT, sequence }, { maxMessageSizeBytes: 500 })]
      t.strictEqual(calls, 100)
      const read = batches.flatMap(({ message }) => plain(decodeMessage(message).sequences[0].documents))
      t.deepStrictEqual(read.map(({ i, n }) => [i, n]), documents.map((_, i) => [i, i + 1]))
      t.done()
    },

    'of at most maxWriteBatchSize': function (t) {
      const sequence = { identifier: 'documents', documents: Array.from({ length: 25 }, (_, i) => ({ i })) }
      const batches = [...encodeBatches({ nextId: () => 1, body: INSERT, sequence }, { maxWriteBatchSize: 10 })]
      t.deepStrictEqual(batches.map(({ first, count }) => [first, count]), [[0, 10], [10, 10], [20, 5]])
      t.done()
    },

    'of nothing: no messages': function (t) {
      const sequence = { identifier: 'documents', documents: [] }
      t.deepStrictEqual([...encodeBatches({ nextId: () => 1, body: INSERT, sequence })], [])
      t.done()
    },

    'close the iterator of the documents, unless it has ended': function (t) {
      const cyclic = {}
      cyclic.self = cyclic
      const ITEMS = { // the documents, and how often `return` is called when the first batch is left
        'all in one batch': [[A, B], 0],
        'more than a batch': [[A, B, A, B], 1],
        'one that cannot be encoded': [[A, cyclic, B], 1],
        'one that is too large': [[A, { x: 'x'.repeat(1000) }, B], 1],
        'an iterator that fails': [[A, () => { throw new Error('mine') }, B], 0]
      }
      for (const [what, [items, expected]] of Object.entries(ITEMS)) {
        let closed = 0
        let at = 0
        const next = () => at === items.length ? { done: true } : { done: false, value: typeof items[at++] === 'function' ? items[at - 1]() : items[at - 1] }
        const documents = { [Symbol.iterator]: () => ({ next, return: () => { closed++; return {} } }) }
        const request = { nextId: () => 1, body: INSERT, sequence: { identifier: 'documents', documents } }
        try {
          for (const { count } of encodeBatches(request, { maxWriteBatchSize: 3, maxMessageSizeBytes: 500 })) if (count > 2) break
        } catch {}
        t.strictEqual(closed, expected, what)
      }
      t.done()
    },

    'close it before the first batch': function (t) {
      for (const end of ['return', 'throw']) {
        let closed = 0
        const own = { next: () => ({ done: false, value: A }), return: () => { closed++; return {} } }
        const documents = { ...own, [Symbol.iterator]() { return this } }
        const batches = encodeBatches({ nextId: () => 1, body: INSERT, sequence: { identifier: 'documents', documents } })
        try {
          batches[end](new Error('mine'))
        } catch {}
        t.strictEqual(closed, 1, end)
        t.ok(batches.next().done)
      }
      t.done()
    },

    'stop at a document that fits into no message': function (t) {
      const sequence = { identifier: 'documents', documents: [A, { x: 'x'.repeat(1000) }] }
      const batches = encodeBatches({ nextId: () => 1, body: INSERT, sequence }, { maxMessageSizeBytes: 500 })
      t.strictEqual(batches.next().value.count, 1)
      t.throws(() => batches.next(), /OP_MSG 1: is longer than maxMessageSizeBytes/)
      t.done()
    }
  },

  'batches of a cursor': {
    'as objects or raw': function (t) {
      for (const name of ['firstBatch', 'nextBatch']) {
        const reply = { cursor: { id: Long.fromString('123456789012345678'), ns: 'd.c', [name]: [A, B] }, ok: 1 }
        const { body } = decodeMessage(encodeMsg({ requestId: 1, body: reply }))
        t.deepStrictEqual(decodeBatch(body), { cursorId: 123456789012345678n, namespace: 'd.c', documents: [A, B] })
        const { documents } = decodeBatch(body, { rawDocuments: true })
        t.ok(documents.every(doc => doc instanceof RawDocument && doc.buf === body.buf))
        t.deepStrictEqual(plain(documents), [A, B])
        t.deepStrictEqual(decodeDocuments(documents), [A, B])
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

    'where there is no batch': function (t) {
      const cursor = { id: 0, ns: 'd.c', firstBatch: [] }
      const others = [1, {}, { id: 0 }, { firstBatch: [] }, { ...cursor, firstBatch: {} }, { ...cursor, id: 'x' }, { ...cursor, id: 1.5 }]
      const bodies = [{ ok: 1 }, ...others.map(other => ({ cursor: other }))]
      for (const body of bodies) t.throws(() => decodeBatch(RawDocument.from(body)), /the reply has no cursor$/)
      t.throws(() => decodeBatch(RawDocument.from({ ok: 0, errmsg: 'not primary' })), /the reply has no cursor: not primary$/)
      for (const ns of [undefined, null, 5]) {
        t.throws(() => decodeBatch(RawDocument.from({ cursor: { ...cursor, ns } })), /the cursor of the reply has no namespace/)
      }
      const expected = /item 1 of the batch is not a document \(at offset \d+ in field cursor.firstBatch\[1\]\)/
      t.throws(() => decodeBatch(RawDocument.from({ cursor: { ...cursor, firstBatch: [A, 1] } })), expected)
      t.done()
    },

    'that is broken': function (t) {
      const body = RawDocument.from({ cursor: { id: 0, ns: 'd.c', firstBatch: [A, { text: 'zzzz' }] } })
      const at = body.buf.indexOf('zzzz') - 4
      body.buf[at] = 99
      t.throws(() => decodeBatch(body), error => error instanceof BSONError && error.offset === at && error.path.endsWith('text'))
      t.strictEqual(decodeBatch(body, { rawDocuments: true }).documents[0].get('a'), 'x', 'the others are unharmed')
      t.done()
    }
  }
}
