'use strict'

// Folders of small files, which the command reads at once.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { encode } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { archive, folder, orders } = require('../fixtures/dumps')
const { skip } = require('../skip')

const latin1 = bytes => Buffer.from(bytes).toString('latin1')

/** @returns {Promise<any>} what a folder has, and what ends reading it */
async function read(dump, options) {
  let size = 0
  const found = []
  const put = ({ namespace, bytes, count, from, offset }, message) => {
    const last = found.at(-1)
    const isMore = last?.name === namespace.name && last.message === undefined && message === undefined && last.end === offset
    const own = { name: namespace.name, text: latin1(bytes), count, from, offset, end: offset + bytes.length, message }
    if (!isMore) return found.push({ ...own, file: opened.plainFile })
    Object.assign(last, { text: last.text + own.text, count: last.count + count, end: own.end })
  }
  const onError = options.recovers ? (error, batch) => put(batch, error.message) : undefined
  const opened = openDump(dump, { sync: options.sync, reuse: options.reuse, onError, onRead: more => { size += more } })
  try {
    for await (const batch of opened.batches()) put(batch)
    return { size, found }
  } catch (error) {
    return { found, message: error.message }
  }
}

/** Makes a folder that cannot be listed, by root neither. */
function deny(name) {
  const { readdirSync } = fs
  fs.mkdirSync(name)
  fs.readdirSync = (folder, ...rest) => {
    if (folder === name) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'scandir', path: name })
    return readdirSync(folder, ...rest)
  }
}

/**
 * What else may be in a folder of a dump: what is read besides shop.a, or the message, with the path that it names,
 * and what is left with `onError`.
 */
const BESIDE = {
  'a link to the folder of a database': { make: at => fs.symlinkSync(at('../elsewhere'), at('blog')), found: ['blog.b', 'shop.a'] },
  'a link to a file': { make: at => fs.symlinkSync(at('../elsewhere/b.bson'), at('shop/c.bson')), found: ['shop.a', 'shop.c'] },
  'links in a circle': { make: at => { fs.symlinkSync('y', at('x')); fs.symlinkSync('x', at('y')); fs.symlinkSync('.', at('shop/z')) }, message: /shop\/z/ },
  'links to nothing': { make: at => { fs.symlinkSync('none', at('x')); fs.symlinkSync('none', at('shop/x')) }, found: ['shop.a'] },
  'other files, and folders of others': { make: at => { fs.mkdirSync(at('shop/old')); fs.writeFileSync(at('shop/old/note.txt'), '') }, found: ['shop.a'] },
  'a folder that is called like a file': { make: at => fs.mkdirSync(at('shop/b.bson')), message: /EISDIR/, path: 'shop/b.bson', left: ['shop.a', 'shop.b'] },
  'a folder that cannot be listed': { make: at => deny(at('blog')), message: /EACCES/, path: 'blog' },
  'a folder within that of a database': { make: at => fs.cpSync(at('../elsewhere'), at('shop/old'), { recursive: true }), message: /shop\/old: shop\.old: a folder inside that of a database is not read/ },
  'a link to such a one': { make: at => fs.symlinkSync(at('../elsewhere'), at('shop/old')), message: /shop\/old: shop\.old: a folder inside/ }
}

const tests = {
  'links are followed, and no document is left out silently': async function (t) {
    if (process.platform === 'win32') skip(t, 'links of POSIX')
    for (const [name, { make, found, message, path: file, left = ['shop.a'] }] of Object.entries(BESIDE)) {
      const root = fs.mkdtempSync(path.join(folder, 'beside-'))
      const at = inner => path.join(root, 'dump', inner)
      for (const inner of ['../elsewhere', 'shop']) fs.mkdirSync(at(inner), { recursive: true })
      for (const inner of ['../elsewhere/b.bson', 'shop/a.bson']) fs.writeFileSync(at(inner), orders[0])
      make(at)
      for (const sync of [true, false]) {
        const read = async onError => {
          const names = []
          for await (const batch of openDump(at(''), { sync, onError }).batches()) names.push(batch.namespace.name)
          return names
        }
        if (found !== undefined) {
          t.deepStrictEqual(await read(), found, name)
          continue
        }
        const error = await read().catch(thrown => thrown)
        t.ok(message.test(error.message) && (file === undefined || error.path === at(file)), `${name}: ${error.message} ${error.path}`)
        const errors = []
        t.deepStrictEqual(await read(fault => errors.push(fault.message)), left, name)
        t.ok(errors.length === 1 && message.test(errors[0]), `${name}: ${errors}`)
      }
    }
    t.done()
  }
}

const two = Buffer.concat(orders.slice(0, 2))
const gz = zlib.gzipSync(two)
const { zstdCompressSync: zstd } = zlib

/** Content of a file by what is broken about it. @type {Record<string, any>} */
const BROKEN = {
  'a byte less': orders[0].subarray(1),
  text: Buffer.from('{"a":1}\n'),
  'a byte more': [orders[0], Buffer.from('x')],
  zeros: Buffer.alloc(20),
  'gzip cut short': gz.subarray(0, -9),
  'gzip without its last byte': gz.subarray(0, -1),
  'a wrong checksum': changed(gz, gz.length - 6),
  'wrong data in gzip': changed(gz, 40),
  'gzip, then other bytes': [gz, Buffer.from('more')],
  'text in gzip': zlib.gzipSync(Buffer.from('{"a":1}\n')),
  'part of a document in gzip': zlib.gzipSync(two.subarray(0, -1)),
  'gzip four times': [1, 2, 3, 4].reduce(bytes => zlib.gzipSync(bytes), two),
  ...(zstd && { 'wrong data in zstd': changed(zstd(two), 12), 'zstd, then other bytes': [zstd(two), Buffer.from('more')] })
}

/** The same of what is valid. @type {Record<string, any>} */
const VALID = {
  'no bytes': [],
  'a document': orders[0],
  'a long document': [...orders, encode({ bytes: Buffer.alloc(600_000) })],
  archive: archive(),
  gzip: gz,
  'two members': [gz, gz],
  'gzip, then zeros': [gz, Buffer.alloc(8)],
  'gzip of no bytes': zlib.gzipSync(Buffer.alloc(0)),
  'gzip twice': zlib.gzipSync(gz),
  'much in gzip': zlib.gzipSync(Buffer.concat([...orders, encode({ bytes: Buffer.alloc(600_000) })])),
  'an archive in gzip': zlib.gzipSync(archive()),
  ...(zstd && { zstd: zstd(two), 'two frames': [zstd(two), zstd(two)], 'zstd in gzip': zlib.gzipSync(zstd(two)) })
}

function changed(bytes, at) {
  const copy = Buffer.from(bytes)
  copy[at] ^= 0xff
  return copy
}

for (const [what, content] of Object.entries({ ...VALID, ...BROKEN })) {
  tests[`blocking calls give the same documents, progress and faults: ${what}`] = async function (t) {
    const dump = fs.mkdtempSync(path.join(folder, 'small-'))
    const put = (name, bytes) => fs.writeFileSync(path.join(dump, `${name}.bson`), Buffer.concat([bytes].flat()))
    for (const [name, bytes] of Object.entries({ a: orders[0], b: content, c: orders })) put(name, bytes)
    for (const recovers of [false, true]) {
      const other = await read(dump, { recovers })
      for (const reuse of [false, true]) t.deepStrictEqual(await read(dump, { recovers, reuse, sync: true }), other)
      const isFine = other.message === undefined && other.found.every(({ message }) => message === undefined)
      t.strictEqual(isFine, what in VALID)
    }
    t.done()
  }
}

module.exports = tests
