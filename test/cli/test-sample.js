'use strict'

// What a sample and the last documents keep in memory.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { keeperOf } = require('../../lib/cli/input/keeper')
const { encode, decode } = require('../../qbson')
const { folder, run, write } = require('../fixtures/cli')

const namespace = { db: null, collection: null }

/** Documents are kept from a buffer of many. @param {any} keeper */
function keptOf(keeper) {
  const output = Buffer.concat(Array.from({ length: 10_000 }, (_, i) => encode({ _id: i })))
  keeper.add('a.bson', { namespace, offset: 0, document: 0 }, { output, places: null })
  return { output, kept: [...keeper.groups()].map(({ read }) => read()) }
}

module.exports = {
  'documents that are kept do not hold the memory they were read from': function (t) {
    for (const keeper of [keeperOf({ sample: '3' }), keeperOf({ tail: '3' })]) {
      const { output, kept: [block, ...others] } = keptOf(keeper)
      t.deepStrictEqual([block.count, others], [3, []])
      t.notStrictEqual(block.bytes.buffer, output.buffer)
      t.ok(block.bytes.buffer.byteLength <= 65536)
      for (const [index, bytes] of [...block].entries()) {
        const offset = block.offsetOf(0, index)
        t.deepStrictEqual([...bytes], [...output.subarray(offset, offset + bytes.length)])
        t.strictEqual(block.numberOf(index), decode(bytes)._id + 1)
      }
    }
    t.done()
  },

  'of a plain file they are not kept, but read again': t => {
    const documents = Array.from({ length: 3000 }, (_, i) => encode({ _id: i, text: 'x'.repeat((7 * i) % 500) }))
    const output = Buffer.concat(documents)
    const file = write('again.bson', output)
    for (const options of [{ sample: '1500' }, { tail: '2000' }, { largest: '20' }]) {
      const [here, again] = [null, file].map(plain => {
        const keeper = keeperOf(options)
        keeper.add(file, { namespace, from: '', offset: 0, document: 0 }, { output: Buffer.from(output), places: undefined }, plain)
        return [...keeper.groups()].map(({ read }) => read()).map(({ places, bytes }) => [places, Buffer.from(bytes).toString('hex')])
      })
      t.deepStrictEqual(again, here)
    }
    t.done()
  },

  'from files, compressed ones, folders and pipes the same documents are chosen': async t => {
    const documents = Buffer.concat(Array.from({ length: 800 }, (_, i) => encode({ _id: i, text: 'x'.repeat((7 * i) % 500) })))
    const dump = path.join(folder, 'kept', 'shop')
    fs.mkdirSync(dump, { recursive: true })
    for (const name of ['a', 'b']) fs.writeFileSync(path.join(dump, `${name}.bson`), documents)
    const [file, gz] = [write('kept.bson', documents), write('kept.bson.gz', zlib.gzipSync(documents))]
    for (const args of [['--sample', '300'], ['--tail', '300'], ['head', '--largest', '30']]) {
      for (const more of [[], ['--match', '{"_id":{"$gte":300}}', '--skip', '3', '--fields', 'text'], ['--range', `0:${documents.length}`]]) {
        const all = [...args, ...more]
        const { out, err, code } = await run([...all, file])
        t.deepStrictEqual([out.length > 1000, err, code], [true, '', 0], String(all))
        if (more[0] === '--range') continue
        for (const other of [gz, '-']) t.strictEqual((await run([...all, other], { input: documents })).out, out, `${all} ${other}`)
        const joined = await run([...all, file, file])
        t.strictEqual((await run([...all, path.join(folder, 'kept')])).out, joined.out, String(all))
      }
    }
    t.done()
  },

  'a file that changes before it is read again is an error': async t => {
    const file = write('changing.bson', Buffer.concat(Array.from({ length: 50 }, (_, i) => encode({ _id: i }))))
    for (const change of [() => fs.truncateSync(file, 100), () => fs.writeFileSync(file, Buffer.alloc(700)), () => fs.rmSync(file)]) {
      const keeper = keeperOf({ tail: '40' })
      const output = Buffer.concat(Array.from({ length: 50 }, (_, i) => encode({ _id: i })))
      keeper.add(file, { namespace, from: '', offset: 0, document: 0 }, { output, places: undefined }, file)
      change()
      const expected = fs.existsSync(file) ? /^BSONError: the file changed while it was read$/ : /ENOENT/
      for (const { read } of keeper.groups()) t.throws(read, expected)
    }
    t.done()
  },

  'nothing is kept where nothing is asked for': function (t) {
    for (const keeper of [keeperOf({ sample: '0' }), keeperOf({ tail: '0' })]) t.strictEqual(keptOf(keeper).kept.length, 0)
    t.done()
  }
}
