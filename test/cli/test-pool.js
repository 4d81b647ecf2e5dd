'use strict'

// Several threads write the same bytes in the same order as one.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { encode, decode } = require('../../qbson')
const { Batch } = require('../../lib/batch')
const { Pool } = require('../../lib/cli/tasks/pool')
const { many } = require('../fixtures/long')
const { skip, notCovered } = require('../skip')
const { bin, folder, run, lines } = require('../fixtures/cli')
const { runOnThreads, endThreads } = require('../fixtures/threads')

const file = path.join(folder, 'large.bson')
const COUNT = 1000
const BROKEN = 800
const TEXT = 'x'.repeat(4000)

/** 4 MB: several blocks for each thread. */
function makeFile() {
  if (fs.existsSync(file)) return
  fs.writeFileSync(file, Buffer.concat(Array.from({ length: COUNT }, (_, i) => encode({ _id: i, text: TEXT, odd: i % 2 }))))
}

/** The same with a text that is too long. @returns {string} */
function brokenFile() {
  const bytes = fs.readFileSync(file)
  const size = encode({ _id: 0, text: TEXT, odd: 0 }).length
  bytes.writeInt32LE(99_999, BROKEN * size + 4 + 9 + 6)
  const bad = path.join(folder, 'bad-large.bson')
  fs.writeFileSync(bad, bytes)
  return bad
}

/** A block per document; the second one waits until the other threads have started. */
async function* blocksOf(documents, pool) {
  for (const [i, bytes] of documents.entries()) {
    if (i === 1) await ready(pool)
    yield new Batch(bytes, { document: i, count: 1 })
  }
}

async function ready({ members }) {
  const isWaiting = () => members.some(({ isReady, error }) => !isReady && error === undefined)
  while (isWaiting()) await new Promise(resolve => setTimeout(resolve, 10))
}

const runWithAll = (args, how) => runOnThreads(args, ({ member }) => member !== undefined, how)

module.exports = {
  after: function (done) {
    endThreads().then(done, done)
  },

  'print, check and edit': async function (t) {
    makeFile()
    const key = path.join(folder, 'pool.key')
    fs.writeFileSync(key, 'k'.repeat(32))
    const runs = [['--canonical', '--array', '--match', '{"odd":1}'], ['edit', '--hash', '_id', '--unset', 'odd', '--key-file', key]]
    for (const args of many(runs, [...runs, ['--canonical', '--array'], ['check'], ['--match', '{"odd":1}', '--fields', '_id']])) {
      const one = await run([...args, '--workers', '1', file])
      const three = await runWithAll([...args, file])
      t.strictEqual(three.code, 0)
      t.ok(three.given > 4, `${three.given} blocks`)
      t.ok(one.bytes.length > 0 && one.bytes.equals(three.bytes), args.join(' '))
    }
    t.done()
  },

  'what edits meet is the same with other threads': async function (t) {
    const documentOf = i => encode({ _id: i, text: TEXT, ...(i % 3 === 0 ? { a: i } : {}) })
    const edited = path.join(folder, 'edited.bson')
    fs.writeFileSync(edited, Buffer.concat(Array.from({ length: COUNT }, (_, i) => documentOf(i))))
    const args = ['edit', '--unset', 'a', '--match', '{"_id":{"$gte":450}}', '--out', os.devNull, edited]
    const { err, given } = await runWithAll(args)
    t.strictEqual(err, 'qbson: edited 550 of 1000 documents: --unset a in 184\n')
    t.strictEqual((await run([...args, '--workers', '1'])).err, err)
    t.ok(given > 0, 'threads get work')
    t.done()
  },

  'what this thread does until the others are ready': async function (t) {
    makeFile()
    const { give } = Pool.prototype
    const runs = [['--keep-going', '--replace-invalid', '--to', 'bson'], ['check']]
    for (const args of many(runs, [...runs, ['--replace-invalid', '--to', 'bson'], ['--to', 'json']])) {
      const one = await run([...args, '--workers', '1', file])
      let started = 0
      Pool.prototype.give = function (...of) {
        const step = give.apply(Object.assign(this, { inline: 0 }), of)
        started = this.members.length
        return step
      }
      const three = await run([...args, '--workers', '3', file])
      Pool.prototype.give = give
      t.deepStrictEqual([three.bytes.equals(one.bytes), three.code, three.err, started], [true, 0, '', 2], args.join(' '))
    }
    t.done()
  },

  'the schema of all documents, also where threads alone cannot tell it': async function (t) {
    makeFile()
    const places = path.join(folder, 'places.bson')
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`b${k}`, k]))
    const documents = Array.from({ length: COUNT }, (_, i) => encode({ [`a${i % 400}`]: fields, text: TEXT }))
    fs.writeFileSync(places, Buffer.concat(documents)) // more places than are described
    const broken = path.join(folder, 'broken-large.bson')
    documents[700][documents[700].length - 2] = 1
    fs.writeFileSync(broken, Buffer.concat(documents))
    const match = JSON.stringify({ odd: 1 })
    const bad = brokenFile()
    const runs = [['--keep-going', broken, file]]
    for (const args of many(runs, [...runs, [places], ['--match', match, '--fields', '_id', file], [file], [bad, file]])) {
      const one = await run(['schema', '--workers', '1', ...args])
      const three = await runWithAll(['schema', ...args])
      t.ok(three.given > 4, `${three.given} blocks`)
      t.strictEqual(three.out, one.out, args.join(' '))
      t.strictEqual(three.err, one.err)
      t.strictEqual(three.code, one.code)
      t.strictEqual(one.code, Number(args.includes(broken) || args.includes(bad)))
    }
    t.done()
  },

  'text to BSON': async function (t) {
    makeFile()
    const text = (await run(['--canonical', file])).bytes
    const input = Array.from({ length: Math.ceil(text.length / 2e5) }, (_, i) => text.subarray(2e5 * i, 2e5 * (i + 1)))
    const { bytes, code, given } = await runWithAll(['to-bson'], { input })
    t.ok(given > 4, `${given} blocks`)
    t.ok(bytes.equals(fs.readFileSync(file)))
    t.strictEqual(code, 0)
    t.done()
  },

  'a fault in the middle: what is before it, and the place': async function (t) {
    makeFile()
    const bad = brokenFile()
    const { out, err, code, given } = await runWithAll([bad])
    t.ok(given > 4, `${given} blocks`)
    t.strictEqual(lines(out).length, BROKEN)
    t.ok(err.includes(`in field text of document ${BROKEN + 1})`), err)
    t.strictEqual(code, 1)
    const kept = await runWithAll(['--keep-going', bad])
    t.strictEqual(lines(kept.out).length, COUNT - 1)
    t.done()
  },

  'other threads take their part, and all comes in order': async function (t) {
    const documents = Array.from({ length: 200 }, (_, i) => encode({ i, text: 'x'.repeat(i % 7 === 0 ? 400_000 : 100) }))
    let here = 0
    const work = ({ bytes }) => {
      here++
      return { output: Buffer.from(`${JSON.stringify(decode(bytes))}\n`), count: 1, size: bytes.length, error: null, rejects: [] }
    }
    const pool = new Pool({ task: 'write', format: { name: 'relaxed' } }, work, 3, Infinity)
    const numbers = []
    for await (const { block, result } of pool.results(blocksOf(documents, pool))) {
      const { i, text } = JSON.parse(Buffer.from(result.output).toString())
      t.strictEqual(block.document, i)
      t.strictEqual(text.length, i % 7 === 0 ? 400_000 : 100)
      numbers.push(i)
    }
    t.deepStrictEqual(numbers, documents.map((_, i) => i))
    t.ok(here > 0 && here < 150, `${here} here`)
    await pool.close()
    t.done()
  },

  'a mistake of our own in a thread is not hidden': async function (t) {
    for (const plan of [{ task: 'no such task' }, { task: 'write', format: { name: 'relaxed' } }]) {
      const pool = new Pool(plan, () => ({ output: null }), 2, Infinity)
      const read = async () => {
        for await (const { block } of pool.results(blocksOf(Array(1000).fill(encode({ a: 1 })), pool))) {
          if (block.document === 10 && plan.format) await pool.members[0].worker.terminate()
        }
      }
      await read().then(() => t.fail('it was not thrown'), error => t.ok(/task|thread ended/.test(error.message), String(error)))
      await pool.close()
    }
    t.done()
  },

  'memory stays below 200 MB with two threads': notCovered(function (t) {
    if (process.platform !== 'linux') skip(t, 'needs /proc')
    makeFile()
    const large = path.join(folder, 'larger.bson')
    const part = fs.readFileSync(file)
    for (let i = 0; i < 17; i++) fs.appendFileSync(large, part) // 69 MB: threads start at 64 MiB
    const script = path.join(folder, 'peak-pool.js')
    fs.writeFileSync(script, `require(${JSON.stringify(bin)})
      // not resourceUsage(), in which Linux counts what the parent had when it forked
      process.on('exit', () => console.error(Number(/VmHWM:\\s*(\\d+)/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]) / 1024))`)
    const child = spawnSync(process.execPath, [script, '--canonical', '--workers', '2', large], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
    t.ok(Number(child.stderr) < 200, `${child.stderr} MB`)
    t.done()
  })
}
