'use strict'

// Families of files: chunks of documents and of archives in which something is repeated very often. Some are larger
// when timed: moving a whole list for each of its items only shows with a long list.

const { encode } = require('../../qbson')
const { ArchiveWriter, Namespace } = require('../../lib/dump')
const { element, frame } = require('./parts')

const times = (n, make) => Array.from({ length: Math.ceil(n) }, (_, i) => make(i))

/** @param {Buffer} bytes @param {number} size */
const cut = (bytes, size) => times(bytes.length / size, i => bytes.subarray(size * i, size * (i + 1)))

const BROKEN = frame(element(8, 'b', Buffer.from([2])))

const wide = Buffer.from(encode(Object.fromEntries(times(100, i => [`k${i}`, i]))))

/** Each error counts as this many bytes: its stack alone takes 5 us. */
const ERROR_BYTES = 100

/**
 * `extra`: bytes that are added to those of an input.
 *
 * @type {Record<string, {make: (n: number) => Buffer[], timed?: number, extra?: (n: number) => number}>}
 */
const documents = {
  'very many documents': { make: n => times(n, i => Buffer.from(encode({ i }))), timed: 20_000 },
  'empty documents': { make: n => times(n, () => Buffer.from([5, 0, 0, 0, 0])) },
  'broken documents': { make: n => times(n, () => BROKEN), extra: n => n * ERROR_BYTES },
  'documents with other names each': { make: n => times(n, i => Buffer.from(encode({ [`k${i % 100}`]: i }))) },
  'documents of other types': { make: n => times(n, i => Buffer.from(encode({ a: [i, 'x', null, [i], { i }][i % 5] }))) },
  'documents in small chunks': { make: n => cut(Buffer.concat(times(n, i => Buffer.from(encode({ i })))), 3) },
  'a large document in small chunks': { make: n => cut(Buffer.from(encode({ a: 'x'.repeat(100 * n) })), 100) },
  'small documents and a wide one': {
    make: n => [wide, ...times(8 * n, i => (i % 2 ? BROKEN : Buffer.from(encode({ i }))))], extra: n => 4 * n * ERROR_BYTES
  }
}

function archive(count, segments, documentOf) {
  const namespaces = times(count, i => new Namespace('db', `c${i}`))
  const writer = new ArchiveWriter(namespaces, {})
  const segment = i => writer.add(namespaces[i % namespaces.length], Buffer.from(documentOf(i)))
  return Buffer.concat([writer.begin(), ...times(segments, segment).flat(), writer.end()])
}

/** @type {Record<string, {make: (n: number) => Buffer[]}>} */
const archives = {
  'many collections': { make: n => [archive(4 * n, 4 * n, i => encode({ i }))] },
  'many segments': { make: n => [archive(2, 10 * n, i => encode({ i }))] },
  'many documents in one': { make: n => [archive(1, 1, () => Buffer.concat(times(10 * n, i => Buffer.from(encode({ i })))))] },
  'in small chunks': { make: n => cut(archive(9, n, i => encode({ i })), 3) },
  'a large header in small chunks': { make: n => cut(archive(1, 1, () => encode({ a: 'x'.repeat(100 * n) })), 100) }
}

module.exports = { documents, archives }
