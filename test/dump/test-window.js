'use strict'

// The memory that a file is read into.

const fs = require('node:fs')
const path = require('node:path')
const { encode } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { Window, READ_SIZE } = require('../../lib/dump/window')
const { folder } = require('../fixtures/dumps')

module.exports = {
  'a long document gets memory of its size': async function (t) {
    const file = path.join(folder, 'long.bson')
    const long = encode({ bytes: Buffer.alloc(37_000_000) })
    fs.writeFileSync(file, Buffer.concat([encode({ a: 1 }), long, encode({ a: 2 })]))
    for (const how of [{ sync: true, reuse: true }, { reuse: true }, {}]) {
      const sizes = []
      for await (const { bytes } of openDump(file, how).batches()) {
        if (bytes.length >= long.length) sizes.push(bytes.buffer.byteLength)
      }
      t.strictEqual(sizes.length, 1)
      t.ok(sizes[0] < 1.3 * long.length, `${JSON.stringify(how)}: ${sizes[0]}`)
    }
    t.done()
  },

  'a length far beyond what has arrived is not believed': function (t) {
    for (const reuse of [true, false]) {
      const window = new Window(reuse)
      window.push(new Uint8Array(READ_SIZE))
      window.expected = 0x7fffffff
      window.push(new Uint8Array(4 * READ_SIZE))
      t.ok(window.buf.length < 10 * READ_SIZE)
      t.strictEqual(window.size, 5 * READ_SIZE)
      window.expected = READ_SIZE + 1 // of a broken document that has arrived
      window.push(new Uint8Array(8 * READ_SIZE))
      t.strictEqual(window.bytes.length, 13 * READ_SIZE)
    }
    t.done()
  }
}
