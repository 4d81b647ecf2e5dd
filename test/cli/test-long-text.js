'use strict'

// A single text that is longer than any string can be.

const fs = require('node:fs')
const os = require('node:os')
const { encode } = require('../../qbson')
const { run, write } = require('../fixtures/cli')
const { onlyLong } = require('../fixtures/long')
const { skip } = require('../skip')

const SIZE = 600e6

/** What the machine should have: columns take several times the text. */
const MEMORY = 8e9

/** A document with a text of zeros, of which no disk has to hold any, and another document. */
function fileOfOne() {
  const [whole, last] = [encode({ _id: 1, text: '', n: 5 }), encode({ _id: 2 })]
  const at = whole.indexOf('text\0') + 5
  whole.writeInt32LE(whole.length + SIZE, 0)
  whole.writeInt32LE(SIZE + 1, at)
  const file = write('long-text.bson', whole.subarray(0, at + 4))
  fs.truncateSync(file, at + 4 + SIZE)
  fs.appendFileSync(file, Buffer.concat([whole.subarray(at + 4), last]))
  return file
}

module.exports = onlyLong({
  'a text longer than any string': async t => {
    if (os.totalmem() < MEMORY) skip(t, `needs ${MEMORY / 1e9} GB of memory`)
    const file = fileOfOne()
    const rows = [
      [['count'], /^2 600000\d+ /], [['check'], /2 good documents/], [['--fields', '_id'], /^\{"_id":1\}\n\{"_id":2\}\n$/],
      [['--match', '{"n":5}', '--fields', 'n'], /^\{"n":5\}\n$/], [['edit', '--unset', 'text', '--to', 'json'], /^\{"_id":1,"n":5\}\n\{"_id":2\}\n$/],
      [['edit', '--hash', 'text', '--to', 'json'], /^\{"_id":1,"text":"\w+","n":5\}\n/], [['schema'], /"maximum": 5/],
      [['--keep-going', '--replace-invalid', '--fields', '_id'], /^\{"_id":1\}\n\{"_id":2\}\n$/]
    ]
    for (const [args, expected] of rows) {
      const { out, err, code } = await run([...args, '--max-document-size', '1GB', file])
      t.ok(code === 0 && expected.test(out), `${args}: ${code} ${err} ${out.slice(0, 100)}`)
    }
    for (const args of [['distinct', 'text'], ['--match', '{"text":{"$regex":"x"}}'], ['--match', '{"text":{"$in":["x","y"]}}'], ['--pretty']]) {
      const { err, code } = await run([...args, '--max-document-size', '1GB', file])
      t.ok(code === 1 && /^qbson: .* exceeds the maximum string length .*document 1\)\n$/.test(err), `${args}: ${code} ${err}`)
    }
    const columns = await run(['to-parquet', '--max-document-size', '1GB', '--out', `${file}.parquet`, file])
    t.strictEqual(columns.code, 0, columns.err)
    const { buffer } = Uint8Array.from(fs.readFileSync(`${file}.parquet`))
    const { parquetReadObjects } = await import('hyparquet')
    t.deepStrictEqual(await parquetReadObjects({ file: buffer, columns: ['_id', 'n'] }), [{ _id: 1, n: 5 }, { _id: 2, n: null }])
    const { err, code } = await run(['--fields', '_id', file])
    t.ok(code === 1 && /is more than --max-document-size/.test(err), err)
    fs.rmSync(file)
    t.done()
  }
})
