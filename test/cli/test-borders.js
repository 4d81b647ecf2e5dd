'use strict'

// A fault beside the border of two pieces that different threads work on: output, messages, what is rejected and the
// exit code are those of one thread.

const fs = require('node:fs')
const path = require('node:path')
const { encode } = require('../../qbson')
const threads = require('../../lib/columns/threads')
const { READ_SIZE } = require('../../lib/dump/window')
const { many } = require('../fixtures/long')
const { folder, run } = require('../fixtures/cli')
const { runOnThreads, endThreads } = require('../fixtures/threads')

/** Bytes of a document: pieces of a file that is intact end where a document does. */
const SIZE = 4096
const IN_PIECE = READ_SIZE / SIZE
const BORDER = 2 * IN_PIECE
const COUNT = 2 * BORDER

const text = 'x'.repeat(SIZE - encode({ _id: 0, text: '', n: 0 }).length)
const documents = Array.from({ length: COUNT }, (_, _id) => Buffer.from(encode({ _id, text, n: _id % 7 })))

/** What happens to a document. @type {Record<string, (document: Buffer) => Buffer[]>} */
const DAMAGE = {
  'invalid UTF-8': document => [Buffer.from(document).fill(0xff, 100, 101)],
  'a length that is too small': document => [changed(document, 4)],
  'a length that is too large': document => [changed(document, 2 ** 29)],
  'the length of two': document => [changed(document, 2 * SIZE)],
  zeros: document => [Buffer.alloc(SIZE), document],
  'a line of a log': document => [Buffer.from('2024-01-31T10:00:00.000+0000\twriting\n'), document],
  'bytes that are missing': document => [document.subarray(0, -100)],
  'two that are bad': document => [changed(document, 3), changed(document, 2)]
}

function changed(document, length) {
  const copy = Buffer.from(document)
  copy.writeInt32LE(length)
  return copy
}

const runWithAll = args => runOnThreads(args, ({ member }) => member !== undefined)

const COMMANDS = [
  ['--canonical'], ['to-csv'], ['count'], ['check'], ['to-parquet'], ['--to', 'bson'], ['edit', '--set', 'n=1'], ['schema'], ['distinct', 'n'],
  ['--match', '{"n":{"$gt":2}}', '--fields', '_id']
]

const rejects = path.join(folder, 'borders-rejects')
const { groupsOf } = threads

/** @param {(args: string[]) => Promise<any>} runner @param {string[]} args */
async function outcome(runner, args) {
  fs.rmSync(rejects, { force: true })
  const { code, err, bytes, given } = await runner(args)
  return { code, err, bytes, given, rejected: fs.existsSync(rejects) ? fs.readFileSync(rejects) : null }
}

const tests = {
  after: function (done) {
    endThreads().then(done, done)
  },

  setUp: function (done) {
    threads.groupsOf = (chunks, size, rows) => groupsOf(chunks, size / 16, rows)
    done()
  },

  tearDown: function (done) {
    threads.groupsOf = groupsOf
    done()
  }
}

/** @param {string} name @param {number} at the document that is damaged */
function damagedFile(name, at) {
  const file = path.join(folder, 'borders.bson')
  fs.writeFileSync(file, Buffer.concat(documents.map((document, i) => (i === at ? DAMAGE[name](document) : [document])).flat()))
  return file
}

for (const [i, name] of many(['invalid UTF-8', 'two that are bad'], Object.keys(DAMAGE)).entries()) {
  tests[`${name} beside a border`] = async function (t) {
    for (const at of many([BORDER], [BORDER - 1, BORDER, COUNT - 1])) {
      const file = damagedFile(name, at)
      for (const command of many([COMMANDS[i]], COMMANDS)) {
        for (const keeping of [[], ['--keep-going', '--rejects', rejects]]) {
          const args = [...command, ...keeping, file]
          const { given: none, bytes, ...one } = await outcome(own => run([...own, '--workers', '1']), args)
          const three = await outcome(runWithAll, args)
          t.deepStrictEqual({ code: three.code, err: three.err, rejected: three.rejected }, one, `${at}: ${args.join(' ')}`)
          t.ok(three.bytes.equals(bytes), `${at}: ${args.join(' ')}`)
          t.ok(three.given > 0 || ['count', '--to', 'distinct'].includes(command[0]) || keeping.length === 0, `${args}: threads get work`)
        }
      }
    }
    t.done()
  }
}

module.exports = tests
