'use strict'

// Dumps of every form: their contents, and the errors of broken ones.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const { Readable } = require('node:stream')
const { pathToFileURL } = require('node:url')
const { encode, documents: documentsOf, BSONError } = require('../../qbson')
const { openDump, splits, ArchiveWriter, Namespace } = require('../../lib/dump')
const { ALL, METADATA, archive, contents, customers, folder, folderDump, orders, pieces } = require('../fixtures/dumps')
const { sharedFolder } = require('../fixtures/shared')
const { skip } = require('../skip')

/** @returns {Promise<Error>} what reading a dump throws */
async function failure(source, options) {
  try {
    await contents(source, options)
  } catch (error) {
    return error
  }
  throw new Error('it was read')
}

function write(name, bytes) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, bytes)
  return file
}

async function all(iterable) {
  const list = []
  for await (const item of iterable) list.push(item)
  return list
}

module.exports = {
  'an archive, in chunks of any size': async function (t) {
    const bytes = archive()
    for (const size of [1, 3, 100, 1000, bytes.length]) t.deepStrictEqual(await contents(pieces(bytes, size)), ALL)
    t.deepStrictEqual(await contents(bytes), ALL)
    t.deepStrictEqual(await contents(Readable.from(pieces(bytes, 777))), ALL)
    t.deepStrictEqual(await contents(new Blob([bytes]).stream()), ALL)
    t.deepStrictEqual(await contents([zlib.gzipSync(bytes)]), ALL)
    t.deepStrictEqual(await contents(pathToFileURL(write('a.archive', bytes))), ALL)
    t.done()
  },

  'a folder, compressed or not, and that of one database': async function (t) {
    for (const gzip of [false, true]) {
      const dump = folderDump({ gzip })
      t.deepStrictEqual(await contents(dump), ALL)
      const shop = await contents(path.join(dump, 'shop'))
      t.deepStrictEqual(Object.keys(shop).sort(), ['shop.cheap', 'shop.customers', 'shop.orders'])
      t.deepStrictEqual(shop['shop.orders'], ALL['shop.orders'])
    }
    t.done()
  },

  'collections of a folder come by their names': async function (t) {
    const names = Array.from({ length: 20 }, (_, i) => `db${(i * 7) % 20}`)
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-order-'))
    for (const name of names) {
      fs.mkdirSync(path.join(root, name))
      for (const collection of ['b', 'a']) fs.writeFileSync(path.join(root, name, `${collection}.bson`), encode({ name }))
    }
    const found = []
    for await (const { namespace } of openDump(root).blocks()) found.push(`${namespace.db}.${namespace.collection}`)
    fs.rmSync(root, { recursive: true })
    t.deepStrictEqual(found, [...found].sort())
    t.strictEqual(found.length, 40)
    t.done()
  },

  'the namespaces that were read are told': async function (t) {
    for (const source of [archive(), folderDump(), [customers[0]]]) {
      const dump = openDump(source)
      const seen = new Set()
      for await (const { namespace } of dump.blocks()) seen.add(namespace)
      t.deepStrictEqual([...seen].filter(namespace => !dump.namespaces.includes(namespace)), [])
      t.strictEqual(new Set(dump.namespaces).size, dump.namespaces.length)
    }
    t.done()
  },

  'a file has the names that its path says, or those that are given': async function (t) {
    const dump = folderDump()
    t.deepStrictEqual(Object.keys(await contents(path.join(dump, 'shop', 'orders.bson'))), ['shop.orders'])
    t.deepStrictEqual(Object.keys(await contents(path.join(dump, 'shop', 'orders.bson'), { namespace: 'x.y.z' })), ['x.y.z'])
    t.deepStrictEqual(Object.keys(await contents(Buffer.concat(orders))), [''])
    const odd = write('a%2Fb%zz.bson', orders[0])
    t.deepStrictEqual(Object.keys(await contents(odd)), [`${path.basename(folder)}.a%2Fb%zz`])
    t.done()
  },

  'metadata': async function (t) {
    for (const source of [archive(), folderDump(), folderDump({ gzip: true })]) {
      const found = new Map()
      for await (const part of openDump(source)) found.set(part.name, part.metadata)
      t.strictEqual(found.get('shop.orders'), METADATA)
      t.strictEqual(found.get('shop.customers'), undefined)
      t.ok(found.get('shop.cheap').startsWith('{"type":"view"'))
    }
    const dump = openDump(archive())
    await all(dump.blocks())
    t.strictEqual(dump.header.server_version, '7.0.0')
    t.strictEqual(dump.namespaces.length, 4)
    t.done()
  },

  'some namespaces only': async function (t) {
    for (const source of [archive(), folderDump()]) {
      t.deepStrictEqual(await contents(source, { namespaces: ['shop.customers'] }), { 'shop.customers': Buffer.concat(customers) })
      t.deepStrictEqual(Object.keys(await contents(source, { namespaces: name => name.startsWith('blog.') })), ['blog.empty'])
    }
    t.throws(() => openDump(archive(), { namespaces: 'shop.orders' }), BSONError)
    t.done()
  },

  'blocks: documents of a part together, with their place': async function (t) {
    const bytes = archive()
    const blocks = await all(openDump(bytes).blocks())
    const own = blocks.filter(({ namespace, count }) => namespace.name === 'shop.orders' && count > 0)
    t.deepStrictEqual(own.map(({ document, count }) => [document, count]), [[0, 20], [20, 10]])
    for (const { offset, bytes: part } of own) t.ok(bytes.subarray(offset, offset + part.length).equals(part))
    t.deepStrictEqual([...own[1]].map(document => Buffer.from(document)), orders.slice(20))
    t.done()
  },

  'an archive that is cut off anywhere is an error': async function (t) {
    const bytes = archive()
    for (let length = 4; length < bytes.length; length += 13) {
      const error = await failure([bytes.subarray(0, length)])
      if (!(error instanceof BSONError)) t.fail(`${length}: ${error.stack}`)
    }
    t.done()
  },

  'an archive with one byte changed is an error, or says the same': async function (t) {
    const bytes = archive()
    const start = bytes.indexOf(Buffer.concat(orders.slice(0, 20)))
    for (let at = start; at < start + 500; at += 3) {
      const changed = Buffer.from(bytes)
      changed[at] ^= 1 << (at % 8)
      const error = await failure(changed)
      if (!(error instanceof BSONError)) t.fail(`${at}: ${error.stack}`)
    }
    const changed = Buffer.from(bytes)
    changed[start + 20] ^= 1
    const { message } = await failure(changed)
    t.ok(/^broken archive: the checksum of shop.orders is .+, but that of its 30 documents is \w+ \(at offset \d+\)$/.test(message))
    const others = await contents(changed, { namespaces: ['shop.customers'] })
    t.deepStrictEqual(Object.keys(others), ['shop.customers'], 'what is not wanted is not checked')
    t.done()
  },

  'what is wrong with an archive is said': async function (t) {
    const bytes = archive()
    const end = Buffer.from([0xff, 0xff, 0xff, 0xff])
    const header = bytes.subarray(0, 4 + bytes.readInt32LE(4))
    const own = { db: 'a', collection: 'b', EOF: false, CRC: 0n }
    const segment = (values, ...rest) => Buffer.concat([header, end, encode({ ...own, ...values }), ...rest])
    const rows = [
      [bytes.subarray(0, 4), /ends before its first collection/], [Buffer.concat([bytes.subarray(0, 4), end]), /it has no header/],
      [Buffer.concat([header, end, end]), /^broken archive: there is a terminator where a collection should begin \(at offset \d+\)$/],
      [Buffer.concat([header, encode({ db: 1 })]), /names no collection/],
      [Buffer.concat([bytes, Buffer.alloc(1)]), /it ends in a header/],
      [Buffer.concat([bytes, bytes]), /another archive begins here: read each from a file of its own/],
      [segment({}, orders[0], end), /before the end of a\.b, after 1 of its documents/], [segment({}, orders[0]), /in the middle of a\.b/],
      [segment({ EOF: true }, end, encode({ db: 'a', collection: 'b', EOF: false }), end), /more of a\.b after its end/],
      [segment({ EOF: true }), /it ends before the terminator of a\.b \(/],
      [segment({ EOF: true }, orders[0]), /more of a\.b after its end/], [segment({ EOF: true, CRC: 'x' }), /the checksum of a\.b is not a number/],
      [segment({}, orders[0], Buffer.from([1, 0, 0, 0])), /^a\.b: BSON size must be >= 5, is 1 \(at offset \d+ of document 2\)$/],
      [segment({}, orders[0], orders[1].subarray(0, 9)), /^a\.b: BSON document is cut short: .* \(at offset \d+ of document 2\)/],
      [Buffer.concat([header, Buffer.from([0, 0, 0, 0x70])]), /\d+ is not a valid size of a header/],
      [Buffer.concat([header, Buffer.from([8, 0, 0, 0, 99, 97, 0, 0])]), /a header cannot be read: /]
    ]
    for (const [broken, message] of rows) t.ok(message.test((await failure(broken)).message), `${message}: ${(await failure(broken)).message}`)
    t.done()
  },

  'compressed data that is cut short or broken': async function (t) {
    const packed = zlib.gzipSync(Buffer.concat(orders))
    const cut = await failure([packed.subarray(0, -20)])
    const message = /^(shop\.orders: )?gzip: the compressed data is truncated, after \d+ decompressed bytes \(at .* of document \d+\)$/
    t.ok(message.test(cut.message) && cut.document > 1 && cut.document <= orders.length, cut.message)
    const whole = archive()
    const stored = zlib.gzipSync(whole, { level: 0 })
    const inOrders = await failure([stored.subarray(0, whole.lastIndexOf(orders[2]))])
    t.ok(message.test(inOrders.message) && inOrders.message.startsWith('shop.orders: '), inOrders.message)
    packed[40] ^= 0xff
    t.ok((await failure(packed)) instanceof BSONError)
    const odd = new Error('odd')
    const failing = async function* () { yield packed.subarray(0, 20); throw odd }
    t.strictEqual(await failure(failing()), odd)
    t.done()
  },

  'zstd, where Node has it': async function (t) {
    const head = Buffer.from('28b52ffd0000000000000000', 'hex')
    if (zlib.zstdCompressSync === undefined) {
      const source = Readable.from([head])
      t.ok(/^zstd needs Node\.js 22\.15 or later, this is v/.test((await failure(source)).message))
      t.ok(source.destroyed)
    } else {
      t.deepStrictEqual(await contents(zlib.zstdCompressSync(archive())), ALL)
      if (process.versions.node.startsWith('22.')) t.strictEqual(Object.values(await contents(head)).join(''), '') // not noticed
      else t.ok((await failure(head)) instanceof BSONError)
    }
    t.done()
  },

  'a document whose length looks like gzip': async function (t) {
    const size = 0x00088b1f
    const document = encode({ _id: 1, text: 'x'.repeat(size - encode({ _id: 1, text: '' }).length) })
    t.strictEqual(document.length, size)
    t.ok((await contents(document))[''].equals(document))
    t.done()
  },

  'documents cut short, or too long': async function (t) {
    const bytes = Buffer.concat(orders)
    const { length } = orders[29]
    for (let left = 1; left < length; left++) {
      const missing = left < 4 ? 'its length is' : `${length - left} of its ${length} bytes are`
      const cut = await failure(bytes.subarray(0, left - length))
      t.strictEqual(cut.message, `BSON document is cut short: ${missing} missing (at offset ${bytes.length - length} of document 30)`)
    }
    const long = await failure(bytes, { maxDocumentSize: 40 })
    t.ok(/^BSON size \d+ is more than maxDocumentSize 40 \(at offset 0 of document 1\)$/.test(long.message), long.message)
    const big = encode({ text: 'x'.repeat(3_000_000) })
    t.deepStrictEqual(await contents(pieces(Buffer.concat([orders[0], big, orders[1]]), 65_536)), { '': Buffer.concat([orders[0], big, orders[1]]) })
    t.done()
  },

  'invalid sources': async function (t) {
    for (const source of [5, null, undefined, {}, [5], [null], [{}], ['abc'], (async function* () { yield undefined })()]) {
      t.ok((await failure(source)) instanceof BSONError)
    }
    for (const source of [new Uint8Array(customers[0]).buffer, [new Uint8Array(customers[0]).buffer], new Response(customers[0]).body]) {
      t.ok((await contents(source))[''].equals(customers[0]), 'bytes in other memory')
    }
    t.ok(/a range needs a file/.test((await failure(customers[0], { range: { offset: 0, length: 5 } })).message))
    for (const namespaces of [['a.b'], [{ db: 'a', collection: 'b' }], [null]]) t.throws(() => new ArchiveWriter(namespaces), BSONError)
    t.ok((await failure(['text'])) instanceof BSONError)
    t.ok(/contain no \.bson file/.test((await failure(fs.mkdtempSync(path.join(folder, 'none-')))).message))
    t.strictEqual((await failure(path.join(folder, 'none.bson'))).code, 'ENOENT')
    t.done()
  },

  'a folder with a broken file names it': async function (t) {
    const dump = folderDump()
    const file = path.join(dump, 'shop', 'orders.bson')
    fs.appendFileSync(file, 'x')
    t.ok((await failure(dump)).message.startsWith(`${file}: shop.orders: BSON document is cut short`))
    const packed = folderDump({ gzip: true })
    fs.writeFileSync(path.join(packed, 'shop', 'orders.metadata.json.gz'), 'x')
    t.deepStrictEqual(await contents(packed), ALL)
    fs.writeFileSync(path.join(dump, 'shop', 'orders.metadata.json'), 'no JSON')
    t.deepStrictEqual(Object.keys(await contents(dump, { namespaces: ['shop.customers'] })), ['shop.customers'])
    t.done()
  },

  'a long name is the one that the metadata says': async function (t) {
    const dump = folderDump()
    fs.renameSync(path.join(dump, 'shop', 'orders.bson'), path.join(dump, 'shop', 'ord%24abc.bson'))
    fs.renameSync(path.join(dump, 'shop', 'orders.metadata.json'), path.join(dump, 'shop', 'ord%24abc.metadata.json'))
    t.deepStrictEqual(await contents(dump), ALL)
    t.done()
  },

  'documents of any size, with memory that is reused or not': async function (t) {
    const sizes = [10, 300_000, 524_288, 20, 700_000, 1_048_576, 2_500_000, 30, 40]
    const documents = [...sizes, ...Array(20_000).fill(50)].map((size, i) => encode({ i, bytes: Buffer.alloc(size, i) }))
    const bytes = Buffer.concat(documents)
    const file = write('sizes.bson', bytes)
    const packed = write('sizes.bson.gz', zlib.gzipSync(bytes))
    for (const source of [file, packed, pieces(bytes, 99_999)]) {
      for (const [reuse, sync] of [[true, true], [true, false], [false, true]]) {
        const kept = []
        for await (const block of openDump(source, { reuse, sync }).blocks()) kept.push(reuse ? Buffer.from(block.bytes) : block.bytes)
        t.ok(Buffer.concat(kept).equals(bytes), `${source} ${reuse} ${sync}`)
      }
    }
    t.done()
  },

  'a file that shrinks while it is read': async function (t) {
    const file = write('shrinks.bson', Buffer.concat(Array(100_000).fill(orders[0])))
    const error = await (async () => {
      for await (const part of openDump(file)) {
        for await (const block of part.blocks()) if (block.document === 0) fs.truncateSync(file, 1.5e6)
      }
    })().catch(thrown => thrown)
    const message = /^the file shrank while it was read, from \d+ to 1500000 bytes \(at offset \d+ of document \d+\)$/
    t.ok(message.test(error.message), error.message)
    t.done()
  },

  'a file is closed, however reading it ends': async function (t) {
    if (!fs.existsSync('/proc/self/fd')) skip(t, 'no /proc')
    const open = () => fs.readdirSync('/proc/self/fd').length
    const [plain, packed] = [write('open.archive', archive()), write('open.archive.gz', zlib.gzipSync(archive()))]
    const before = open()
    for (const file of [plain, packed, write('open.bson', Buffer.concat(orders))]) {
      await openDump(file, { range: { offset: 0, length: 10 } }).blocks().next().catch(() => {})
      for await (const part of openDump(file, { namespaces: ['no.such'] })) t.fail(part.name)
      for await (const part of openDump(file)) if (part.name !== '') break
    }
    t.strictEqual(open(), before)
    t.done()
  },

  'ranges and splits': async function (t) {
    const bytes = Buffer.concat(orders)
    const file = write('ranges.bson', bytes)
    const found = await all(splits(file, 200))
    t.ok(found.length > 3)
    t.strictEqual(found.reduce((sum, { documents }) => sum + documents, 0), 30)
    const parts = await Promise.all(found.map(({ offset, length }) => contents(file, { range: { offset, length } })))
    t.ok(Buffer.concat(parts.map(part => Object.values(part)[0])).equals(bytes))
    for (const range of found) t.strictEqual((await openDump(file, { range }).batches().next()).value.offset, range.offset)
    t.strictEqual((await all(splits(file, 1e9))).length, 1)
    t.strictEqual((await all(splits(write('empty.bson', ''), 1))).length, 0)
    const packed = write('ranges.gz', zlib.gzipSync(bytes))
    const whole = write('r.archive', archive())
    for (const [source, offset, message] of [
      [packed, 0, /a compressed file has one range, 0 and its length/], [whole, 0, /ranges of an archive begin at a collection/],
      [folder, 0, /not a folder/],
      [whole, 20, /broken archive/]
    ]) t.ok(message.test((await failure(source, { range: { offset, length: 40 } })).message), String(message))
    t.ok(/a range needs a regular file/.test((await all(splits(os.devNull, 1)).catch(error => error)).message)) // nor a pipe
    for (const size of [0, -1, NaN, 1.5]) t.throws(() => splits(file, size), /^BSONError: size must be a positive integer/)
    for (const range of [{ offset: 0, length: -1 }, { offset: 0.5, length: 1 }, { offset: 0 }]) {
      t.throws(() => openDump(file, { range }), /^BSONError: range must be/)
    }
    t.ok(/the file has \d+ bytes, the range ends at/.test((await failure(file, { range: { offset: 0, length: 1e6 } })).message))
    t.ok(/bytes are missing \(at offset \d+/.test((await failure(file, { range: { offset: 0, length: bytes.length - 1 } })).message))
    t.done()
  },

  'ranges of archives and folders have all documents, each once': async function (t) {
    const archiveFile = write('ranges.archive', archive())
    for (const source of [archiveFile, folderDump(), folderDump({ gzip: true }), write('ranges.archive.gz', zlib.gzipSync(archive()))]) {
      for (const size of [1, 300, 1e9]) {
        for (const namespaces of [undefined, ['shop.orders'], ['no.such']]) {
          const found = {}
          for (const { file, offset, length, documents } of await all(splits(source, size, { namespaces }))) {
            const part = await contents(file, { range: { offset, length }, namespaces })
            const counted = Object.values(part).reduce((sum, bytes) => sum + [...documentsOf(bytes)].length, 0)
            t.ok(documents === undefined || counted === documents, `${source} ${size}`)
            for (const [name, bytes] of Object.entries(part)) found[name] = Buffer.concat([found[name] ?? Buffer.alloc(0), bytes])
          }
          const wanted = Object.entries(ALL).filter(([name, bytes]) => bytes.length > 0 && (namespaces?.includes(name) ?? true))
          const read = Object.entries(found).filter(([, bytes]) => bytes.length > 0)
          t.deepStrictEqual(Object.fromEntries(read), Object.fromEntries(wanted), `${source} ${size} ${namespaces}`)
        }
      }
    }
    t.ok((await all(splits(archiveFile, 1, { namespaces: name => name in ALL || t.fail(name) }))).length > 2)
    t.done()
  },

  'ranges of an archive have the size that is asked for': async function (t) {
    const names = ['a', 'b'].map(name => new Namespace('shop', name))
    const writer = new ArchiveWriter(names)
    const parts = [writer.begin(), ...orders.flatMap((bytes, i) => writer.add(names[i % 2], bytes)), writer.end()]
    const found = await all(splits(write('segments.archive', Buffer.concat(parts)), 500))
    t.ok(found.length > 3)
    for (const { length } of found.slice(0, -1)) t.ok(length >= 500 && length < 700, `${length}`)
    t.done()
  },

  'how much has been read of files': async function (t) {
    let read = 0
    const dump = folderDump()
    await contents(dump, { onRead: bytes => { read += bytes } })
    t.strictEqual(read, ALL['shop.orders'].length + ALL['shop.customers'].length)
    t.done()
  },

  'the dumps that mongodump made': async function (t) {
    const dumps = sharedFolder('dumps')
    if (dumps === undefined) return skip(t, 'no ../shared/dumps')
    const counts = { 'shop.orders': 1500, 'shop.customers': 300, 'blog.posts': 200, 'blog.empty': 0 }
    const names = ['two-databases.archive', 'two-databases.archive.gz', 'folder-gzip']
    const forms = await Promise.all(names.map(name => contents(path.join(dumps, name))))
    for (const form of forms) {
      for (const [name, bytes] of Object.entries(form)) t.strictEqual((await all(openDump(bytes).blocks()))[0].count, counts[name])
      t.deepStrictEqual(form, forms[0])
    }
    t.done()
  }
}
