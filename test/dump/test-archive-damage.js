'use strict'

// A byte of an archive changes: no document gets into another collection, no header becomes a document, and metadata that
// cannot be right are said.

const { encode } = require('../../qbson')
const { openDump, ArchiveWriter, Namespace } = require('../../lib/dump')
const { some } = require('../fixtures/long')

const NAMES = ['orders', 'people'].map(name => new Namespace('shop', name))
/** Bytes after a block. */
const TERMINATOR = 4
const listOf = kind => Array.from({ length: 8 }, (_, i) => encode({ _id: `${kind} ${i}`, n: i + 0.5 }))

/** @param {Namespace[]} names of collections whose segments alternate @returns {Buffer} */
function archiveOf(names) {
  const writer = new ArchiveWriter(names)
  const parts = [writer.begin()]
  for (let i = 0; i < 8; i += 2) {
    for (const name of names) parts.push(...writer.add(name, Buffer.concat(listOf(name.collection).slice(i, i + 2))))
  }
  return Buffer.concat([...parts, writer.end()])
}

/** @returns {Promise<{kept: Record<string, number>, strange: string[], errors: number, lost: number}>} `strange`: what no collection had */
async function readAll(archive, searchSize = undefined) {
  let errors = 0
  let lost = 0
  const onError = (_, { bytes }) => {
    errors++
    lost += bytes.length
  }
  const kept = {}
  const strange = []
  for await (const { namespace: { name }, bytes } of openDump([archive], { onError, searchSize }).batches()) {
    kept[name] ??= 0
    for (let at = 0, end; at < bytes.length; at = end) {
      end = at + Buffer.from(bytes).readInt32LE(at)
      const isOwn = listOf(name.slice(5)).some(own => own.equals(bytes.subarray(at, end)))
      if (isOwn) kept[name]++
      else strange.push(`${name}: ${Buffer.from(bytes.subarray(at, end)).toString('latin1')}`)
    }
  }
  return { kept, strange, errors, lost }
}

/** Each byte of an archive between documents, changed in some ways, and a terminator before each. @param {Buffer} whole */
function* changesBetween(whole) {
  const documents = NAMES.flatMap(({ collection }) => listOf(collection)).map(own => [whole.indexOf(own), own.length])
  for (const [start] of documents.filter(([start]) => start !== -1)) {
    const parts = [whole.subarray(0, start), Buffer.alloc(TERMINATOR, 0xff), whole.subarray(start)]
    yield { changed: Buffer.concat(parts), about: `a terminator at ${start}` }
  }
  for (let at = documents[0][0]; at < whole.length; at++) {
    if (documents.some(([start, length]) => start <= at && at < start + length)) continue
    for (const bits of some([1, 0x80, 0xff], at)) {
      const changed = Buffer.from(whole)
      changed[at] ^= bits
      yield { changed, about: `${bits} at ${at}` }
    }
  }
}

module.exports = {
  'what is between the segments of one or two collections': async function (t) {
    for (const { changed, about } of [...changesBetween(archiveOf(NAMES)), ...changesBetween(archiveOf(NAMES.slice(0, 1)))]) {
      const { kept, strange, errors } = await readAll(changed)
      const counts = Object.values(kept)
      const isRenamed = Object.keys(kept).some(name => name !== NAMES[0].name && name !== NAMES[1].name)
      t.ok(isRenamed || strange.length === 0, `${about}: ${strange}`)
      t.ok(counts.every(count => count === 8) || errors > 0, `${about}: ${counts}`)
      t.ok(counts[0] >= 6 && (counts[1] ?? 8) >= 6 || isRenamed, `${about}: ${counts}`) // a block is lost at most
    }
    t.done()
  },

  'a length of -1 far from a header is no terminator': async function (t) {
    const all = Array.from({ length: 20 }, (_, _id) => encode({ _id, text: 'x'.repeat(100) }))
    const writer = new ArchiveWriter(NAMES)
    const whole = Buffer.concat([writer.begin(), ...writer.add(NAMES[0], Buffer.concat(all)), writer.end()])
    for (const own of all.slice(0, 8)) {
      const changed = Buffer.from(whole)
      changed.fill(0xff, whole.indexOf(own), whole.indexOf(own) + 4)
      let count = 0
      for await (const batch of openDump([changed], { onError: () => {} }).batches()) count += batch.count
      t.strictEqual(count, all.length - 1)
    }
    t.done()
  },

  'a changed bit in the name of a field of metadata, of its JSON, or of an index is said': async function (t) {
    const metadata = '{"options":{"validator":{}},"indexes":[{"key":{"a":1},"name":"a_1"}]}'
    const namespace = new Namespace('shop', 'orders', { metadata, type: 'collection' })
    const writer = new ArchiveWriter([namespace])
    const whole = Buffer.concat([writer.begin(), ...writer.add(namespace, listOf('orders')[0]), writer.end()])
    for (const name of ['metadata', 'options', 'indexes', 'key', 'name']) {
      const start = whole.indexOf(name)
      for (let bit = 0; bit < 8 * name.length; bit++) {
        const changed = Buffer.from(whole)
        changed[start + (bit >> 3)] ^= 1 << (bit & 7)
        let errors = 0
        const dump = openDump([changed], { onError: () => errors++ })
        for await (const batch of dump.batches()) t.ok(batch.count <= 1)
        t.ok(errors > 0 || dump.namespaces[0].metadataFault !== undefined, `${name}: bit ${bit}`)
      }
    }
    t.done()
  },

  'damage that is longer than the search costs a block at most, and all of it is counted': async function (t) {
    const whole = archiveOf(NAMES)
    const at = whole.indexOf(listOf('people')[2])
    for (const size of [500, 5000]) {
      const { kept, lost } = await readAll(Buffer.concat([whole.subarray(0, at), Buffer.alloc(size), whole.subarray(at)]), 1000)
      const [, doc] = listOf('people')
      t.deepStrictEqual([kept, lost], size < 1000 ? [{ 'shop.orders': 8, 'shop.people': 8 }, size] : [{ 'shop.orders': 8, 'shop.people': 6 }, size + 2 * doc.length + TERMINATOR])
    }
    t.done()
  }
}
