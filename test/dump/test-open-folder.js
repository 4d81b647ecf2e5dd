'use strict'

// Folders of small files, which the command reads at once.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { encode } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { archive, folder, orders } = require('../fixtures/dumps')

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

module.exports = {
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
