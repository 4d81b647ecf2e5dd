'use strict'

// Everything that can be decompressed before a fault comes out, from whatever the compressed bytes are read.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { Readable } = require('node:stream')
const { encode } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { many } = require('../fixtures/long')
const { folder } = require('../fixtures/dumps')

const { zstdCompressSync } = zlib
const ways = { gzip: bytes => zlib.gzipSync(bytes, { level: 1 }), ...(zstdCompressSync && { zstd: bytes => zstdCompressSync(bytes) }) }

/** Documents that compress to about half. @param {number} count */
function documentsOf(count) {
  let seed = 1
  const next = () => (seed = (seed * 48271) % 0x7fffffff)
  return Buffer.concat(Array.from({ length: count }, (_, _id) => encode({ _id, text: `order ${next()} of customer ${next()}` })))
}

const pieces = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
const file = path.join(folder, 'faulty')

/** What compressed bytes may be read from. @type {Record<string, (bytes: Buffer) => any>} */
const SOURCES = {
  'a file': bytes => { fs.writeFileSync(file, bytes); return file },
  'an array': bytes => pieces(bytes, 70_000),
  'a stream': bytes => Readable.from(pieces(bytes, 50_000))
}

/**
 * An error before anything that could be read is thrown.
 *
 * @param {any} source
 * @returns {Promise<{bytes: Buffer, errors: string[]}>} the documents, with what is left out
 */
async function readAll(source) {
  const found = []
  const errors = []
  const onError = ({ message }, { bytes }) => {
    found.push(Buffer.from(bytes))
    errors.push(message)
  }
  try {
    for await (const { bytes } of openDump(source, { onError, reuse: true, sync: true }).batches()) found.push(Buffer.from(bytes))
  } catch (error) {
    if (found.length > 0) throw error
    errors.push(error.message)
  }
  return { bytes: Buffer.concat(found), errors }
}

/** What Node gives if it gets one byte at a time. @param {any} stream @param {Buffer} bytes */
async function byteByByte(stream, bytes) {
  const found = []
  stream.on('data', piece => found.push(piece))
  await new Promise(resolve => {
    stream.on('error', resolve)
    const write = at => stream.write(bytes.subarray(at, at + 1), error => (at < bytes.length && !error ? write(at + 1) : resolve(error)))
    write(0)
  })
  return Buffer.concat(found)
}

const tests = {}
for (const [kind, pack] of Object.entries(ways)) {
  for (const count of many([3, 3000], [3, 3000, 60_000])) {
    tests[`${kind}: what comes before a broken part, of ${count} documents`] = async function (t) {
      const whole = documentsOf(count)
      const broken = Buffer.concat([pack(whole), pack(whole.subarray(0, 90_000)).fill(0xff, 10, 40)])
      for (const [name, of] of Object.entries(SOURCES)) {
        const { bytes, errors } = await readAll(of(broken))
        t.ok(bytes.equals(whole), `${name}: ${bytes.length} of ${whole.length} bytes`)
        t.ok(errors.length === 1 && errors[0].startsWith(`${kind}: `) && errors[0].includes(`after ${whole.length} decompressed`), errors.join())
      }
      t.done()
    }
  }

  tests[`${kind}: as much as of one byte at a time`] = async function (t) {
    const packed = pack(documentsOf(200))
    const part = share => Math.floor(share * packed.length)
    for (const [from, to, end] of [[0.5, 0.51, 1], [0.999, 1, 1], [1, 1, 0.7]]) {
      const broken = Buffer.from(packed).fill(0xff, part(from), part(to)).subarray(0, part(end))
      const expected = await byteByByte(kind === 'gzip' ? zlib.createGunzip() : zlib.createZstdDecompress(), broken)
      for (const [name, of] of Object.entries(SOURCES)) {
        const { bytes } = await readAll(of(broken))
        t.ok(bytes.equals(expected), `${from}, ${end}, ${name}: ${bytes.length} of ${expected.length} bytes`)
      }
    }
    t.done()
  }

  tests[`${kind}: a cut anywhere, in one member or frame or in the last`] = async function (t) {
    const whole = documentsOf(3)
    const noise = encode({ _id: 0, bytes: Uint8Array.from({ length: 90 }, (_, i) => (i * 7919) % 251) })
    for (const first of [Buffer.alloc(0), pack(whole)]) {
      for (const bytes of [whole, noise]) {
        const packed = Buffer.concat([first, pack(bytes)])
        for (let end = packed.length - 1, i = 0; end >= first.length + 4; end -= 7, i++) {
          for (const [name, of] of [Object.entries(SOURCES)[i % 3]]) {
            const found = await readAll(of(packed.subarray(0, end)))
            t.ok(found.errors.length > 0, `${name}, ${end} of ${packed.length}: ${found.errors}`)
            t.ok(found.bytes.length >= (first.length > 0 ? whole.length : 0), `${name}, ${end}: ${found.bytes.length}`)
          }
        }
        for (const [name, of] of Object.entries(SOURCES)) t.deepStrictEqual((await readAll(of(packed))).errors, [], name)
      }
    }
    t.done()
  }

  tests[`${kind}: several members or frames, wherever they end`] = async function (t) {
    const parts = [3, 40, 3000, 1].map(documentsOf)
    const packed = Buffer.concat(parts.map(pack))
    const ends = Array.from({ length: 60 }, (_, at) => at + 1)
    const all = { ...SOURCES, ...Object.fromEntries(ends.map(at => [`cut at ${at}`, bytes => [bytes.subarray(0, at), bytes.subarray(at)]])) }
    for (const [name, of] of Object.entries(all)) {
      const { bytes, errors } = await readAll(of(packed))
      t.ok(bytes.equals(Buffer.concat(parts)), `${name}: ${bytes.length} bytes`)
      t.deepStrictEqual(errors, [], name)
    }
    t.done()
  }

  tests[`${kind}: a fault in data that is compressed twice`] = async function (t) {
    const whole = documentsOf(3000)
    const inner = zlib.gzipSync(Buffer.concat([pack(whole), pack(whole).fill(0xff, 10, 40)]))
    const outer = zlib.gzipSync(Buffer.concat([pack(whole), Buffer.alloc(9, 0xff)]), { level: 0 }).subarray(0, -16)
    for (const [name, of] of Object.entries(SOURCES)) {
      for (const broken of [inner, outer]) t.ok((await readAll(of(broken))).bytes.equals(whole), name)
    }
    t.done()
  }
}

module.exports = tests
