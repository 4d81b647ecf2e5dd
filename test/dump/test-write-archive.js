'use strict'

// The order of the calls that write an archive, and what they take. test-open.js reads such archives.

const { BSONError, decode, encode } = require('../../qbson')
const { ArchiveWriter, Namespace } = require('../../lib/dump')
const { TERMINATOR } = require('../../lib/dump/archive')

const orders = new Namespace('shop', 'orders')
const document = encode({ _id: 1 })
const empty = encode({})

/** @param {Buffer} bytes of an archive @returns {any[][]} its documents between the terminators */
function blocksOf(bytes) {
  const blocks = [[]]
  for (let pos = 4; pos < bytes.length;) {
    const size = bytes.readInt32LE(pos)
    if (size === TERMINATOR) blocks.push([])
    else blocks.at(-1).push(decode(bytes.subarray(pos, pos + size)))
    pos += size === TERMINATOR ? 4 : size
  }
  return blocks
}

module.exports = {
  'all collections are listed and ended, and a time series by that of its documents, as mongorestore wants it': function (t) {
    const of = (collection, type, metadata = type && '{}') => new Namespace('shop', collection, { type, metadata })
    const [series, buckets, view] = [of('metrics', 'timeseries'), of('system.buckets.metrics'), of('cheap', 'view')]
    const rows = [
      // namespaces, those of documents; what is listed, what is ended
      [[orders, view], [orders], 'orders cheap', 'orders cheap'],
      [[orders, view], [view], 'orders cheap', 'orders cheap'],
      [[series, orders], [buckets], 'metrics orders', 'orders system.buckets.metrics'],
      [[series], [], 'metrics', 'system.buckets.metrics'],
      [[buckets, series], [buckets], 'metrics', 'system.buckets.metrics'],
      [[series], [series], 'metrics', 'metrics'],
      [[buckets], [buckets], 'system.buckets.metrics', 'system.buckets.metrics'],
      [[of('system.buckets.metrics', 'collection'), series], [buckets], 'system.buckets.metrics metrics', 'system.buckets.metrics']
    ]
    for (const [namespaces, added, listed, ended] of rows) {
      const writer = new ArchiveWriter(namespaces)
      const parts = [writer.begin(), ...added.flatMap(each => writer.add(each, document)), writer.end()]
      const [[, ...about], ...blocks] = blocksOf(Buffer.concat(parts))
      const segments = blocks.flatMap(([header, ...documents]) => (header?.EOF === false ? [[header.collection, documents.length]] : []))
      t.strictEqual(about.map(({ collection }) => collection).join(' '), listed)
      t.deepStrictEqual(segments, added.map(({ collection }) => [collection, 1]))
      t.strictEqual(blocks.flatMap(([header]) => (header?.EOF ? [header.collection] : [])).join(' '), ended)
    }
    t.done()
  },

  'documents of any size': function (t) {
    const writer = new ArchiveWriter([orders])
    const bytes = Buffer.concat([writer.begin(), ...writer.add(orders, Buffer.concat([empty, document, empty])), writer.end()])
    t.deepStrictEqual(blocksOf(bytes)[1].slice(1), [{}, { _id: 1 }, {}])
    t.done()
  },

  'calls in a wrong order, or with something else, are errors': function (t) {
    const notWhole = offset => `add needs whole documents, one after another (at offset ${offset})`
    const cases = {
      'add: the archive has not begun': writer => writer.add(orders, document),
      'end: the archive has not begun': writer => writer.end(),
      'begin: the archive has begun': writer => [writer.begin(), writer.begin()],
      'add: the archive has ended': writer => [writer.begin(), writer.end(), writer.add(orders, document)],
      'end: the archive has ended': writer => [writer.begin(), writer.end(), writer.end()],
      'the archive has no shop.items': writer => [writer.begin(), writer.add(new Namespace('shop', 'items'), document)],
      'a namespace must be a Namespace, not "shop.orders"': writer => [writer.begin(), writer.add('shop.orders', document)],
      'documents must be a Uint8Array, not an array': writer => [writer.begin(), writer.add(orders, [document])],
      [notWhole(0)]: writer => [writer.begin(), writer.add(orders, document.subarray(0, -1))],
      [notWhole(document.length)]: writer => [writer.begin(), writer.add(orders, Buffer.concat([document, document.subarray(0, 3)]))],
      [notWhole(empty.length)]: writer => [writer.begin(), writer.add(orders, Buffer.concat([empty, empty.subarray(0, -1)]))],
      [notWhole(2 * document.length)]: writer => [writer.begin(), writer.add(orders, Buffer.concat([document, document, Buffer.alloc(9)]))]
    }
    for (const [message, call] of Object.entries(cases)) {
      t.throws(() => call(new ArchiveWriter([orders])), error => error instanceof BSONError && error.message === message, message)
    }
    for (const wrong of ['shop.orders', null, { name: 'a' }, { db: 'shop', name: 'shop' }, { db: 5, collection: 'a', name: 'a' }]) {
      t.throws(() => new ArchiveWriter([wrong]), /^BSONRuntimeError: a namespace must be a Namespace/)
    }
    t.done()
  }
}
