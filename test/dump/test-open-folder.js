'use strict'

// Folders of small files, which the command reads at once.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { encode } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { archive, folder, orders } = require('../fixtures/dumps')
const { skip } = require('../skip')

/** @returns {Promise<any>} what a folder has, and what ends reading it */
async function read(dump, options) {
  let size = 0
  const found = []
  const opened = openDump(dump, { ...options, onRead: more => { size += more } })
  try {
    for await (const { bytes, count, namespace, from } of opened.batches()) {
      found.push([namespace.name, Buffer.from(bytes), count, from, opened.plainFile])
    }
    return { size, found }
  } catch (error) {
    return { found, message: error.message }
  }
}

/** What else may be in a folder of a dump: what is read besides shop.a, or the message, with the path that it names. */
const BESIDE = {
  'a link to the folder of a database': { make: at => fs.symlinkSync(at('../elsewhere'), at('blog')), found: ['blog.b', 'shop.a'] },
  'a link to a file': { make: at => fs.symlinkSync(at('../elsewhere/b.bson'), at('shop/c.bson')), found: ['shop.a', 'shop.c'] },
  'links in a circle': { make: at => { fs.symlinkSync('y', at('x')); fs.symlinkSync('x', at('y')); fs.symlinkSync('.', at('shop/z')) }, message: /shop\/z/ },
  'links to nothing': { make: at => { fs.symlinkSync('none', at('x')); fs.symlinkSync('none', at('shop/x')) }, found: ['shop.a'] },
  'other files, and folders of others': { make: at => { fs.mkdirSync(at('shop/old')); fs.writeFileSync(at('shop/old/note.txt'), '') }, found: ['shop.a'] },
  'a folder that is called like a file': { make: at => fs.mkdirSync(at('shop/b.bson')), message: /EISDIR/, path: 'shop/b.bson' },
  'a folder within that of a database': { make: at => fs.cpSync(at('../elsewhere'), at('shop/old'), { recursive: true }), message: /shop\/old: shop\.old: a folder within that of a database is not read/ },
  'a link to such a one': { make: at => fs.symlinkSync(at('../elsewhere'), at('shop/old')), message: /shop\/old: shop\.old: a folder within/ }
}

module.exports = {
  'links are followed, and no document is left out silently': async function (t) {
    if (process.platform === 'win32') skip(t, 'links of POSIX')
    for (const [name, { make, found, message, path: file }] of Object.entries(BESIDE)) {
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
        t.deepStrictEqual(await read(fault => errors.push(fault.message)), ['shop.a'], name)
        t.ok(errors.length === 1 && message.test(errors[0]), `${name}: ${errors}`)
      }
    }
    t.done()
  },

  'blocking calls give the same batches, progress and faults': async function (t) {
    const dump = fs.mkdtempSync(path.join(folder, 'small-'))
    const put = (name, bytes) => fs.writeFileSync(path.join(dump, `${name}.bson`), Buffer.concat([bytes].flat()))
    const long = encode({ bytes: Buffer.alloc(600_000) })
    const whole = { a: orders[0], b: [], c: orders, d: zlib.gzipSync(orders[0]), e: [...orders, long], f: archive(), g: orders[1] }
    for (const [name, bytes] of Object.entries(whole)) put(name, bytes)
    const broken = [orders[0].subarray(1), Buffer.from('{"a":1}\n'), [orders[0], Buffer.from('x')], Buffer.alloc(20)]
    for (const b of [[], ...broken]) {
      put('b', b)
      for (const reuse of [false, true]) {
        const [blocking, other] = [await read(dump, { reuse, sync: true }), await read(dump, { reuse })]
        t.deepStrictEqual(blocking, other)
        t.strictEqual(other.message === undefined, b.length === 0)
      }
    }
    t.done()
  }
}
