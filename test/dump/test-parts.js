'use strict'

// Parts of a dump: consecutive documents of one collection.

const { BSONError } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { archive, orders, pieces } = require('../fixtures/dumps')
const { collect, rejected } = require('../fixtures/streams')

const NAMES = ['shop.orders', 'shop.customers', 'shop.orders', 'blog.empty', 'shop.cheap']

/** Three batches of ten documents. */
const chunks = [0, 10, 20].map(at => Buffer.concat(orders.slice(at, at + 10)))

async function firstOf(part) {
  for await (const bytes of part) return bytes
}

/** Ways to read a part that is over, or will be before it has been read: each returns the error. */
const WAYS = {
  'after break': async part => {
    await firstOf(part)
    return rejected(collect(part))
  },
  'two at once': async part => (await Promise.all([collect(part), rejected(collect(part))]))[1],
  'when the dump has been closed': async (part, dump) => {
    await dump.return()
    return rejected(collect(part))
  },
  'while the dump is read on': async (part, dump) => (await Promise.all([rejected(collect(part)), dump.next()]))[0],
  'when the dump has been read on': async (part, dump) => {
    const documents = part.batches()
    await documents.next()
    await dump.next()
    return rejected(collect(documents))
  }
}

module.exports = {
  'a part that is not read is skipped, and reading may stop': async function (t) {
    const names = []
    for await (const part of openDump(pieces(archive(), 50))) names.push(part.name)
    t.deepStrictEqual(names, NAMES)
    for await (const part of openDump(archive())) {
      for await (const document of part) {
        t.ok(orders[0].equals(document))
        break
      }
      break
    }
    t.done()
  },

  'a part that is over is an error, as it would seem to be empty': async function (t) {
    const [before, after] = [[], []]
    for await (const part of openDump(archive())) {
      before.push(part)
      for await (const bytes of part) after.push(bytes)
      t.ok(/^BSONError: a part of \w+\.\w+ is over: it can be read once, before the next part$/.test(await rejected(collect(part))))
    }
    t.ok(before.length > 1 && after.length > 0)
    for (const part of before) t.ok(/is over/.test(await rejected(collect(part))))
    t.done()
  },

  'what has begun to be read is an error then, too: documents were missing, or came twice': async function (t) {
    for (const [name, way] of Object.entries(WAYS)) {
      const dump = openDump(chunks)[Symbol.asyncIterator]()
      const { value: part } = await dump.next()
      const error = await way(part, dump)
      t.ok(error instanceof BSONError && /^a part of .* is over/.test(error.message), name)
    }
    t.done()
  },

  'the next part has all of its documents, whoever still waits for those of the one before': async function (t) {
    const dump = openDump(archive())[Symbol.asyncIterator]()
    const names = []
    for (let part = (await dump.next()).value; part !== undefined; ) {
      names.push(part.name)
      const batches = part.batches()
      await batches.next()
      const waiting = rejected(batches.next())
      part = (await dump.next()).value
      await waiting
    }
    t.deepStrictEqual(names, NAMES)
    t.done()
  }
}
