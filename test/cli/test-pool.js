'use strict'

// Several threads give the same bytes in the same order as one.

const fs = require('node:fs')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { encode } = require('../../qbson')
const { Pool } = require('../../lib/cli/pool')
const { bin, folder, run, lines } = require('../fixtures/cli')
const { notCovered } = require('../skip')

const file = path.join(folder, 'large.bson')
const COUNT = 20_000
const BROKEN = 15_000

/** 4 MB. */
function makeFile() {
  if (fs.existsSync(file)) return
  const text = 'x'.repeat(150)
  fs.writeFileSync(file, Buffer.concat(Array.from({ length: COUNT }, (_, i) => encode({ _id: i, text, odd: i % 2 }))))
}

module.exports = {
  'print, check, edit and count': async function (t) {
    makeFile()
    const key = path.join(folder, 'pool.key')
    fs.writeFileSync(key, 'k'.repeat(32))
    const runs = [
      ['--canonical'], ['--array'], ['check'], ['count', '--match', '{"odd":1}'], ['--match', '{"odd":1}', '--fields', '_id'],
      ['edit', '--hash', 'text', '--unset', 'odd', '--key-file', key]
    ]
    for (const args of runs) {
      const one = await run([...args, '--workers', '1', file])
      const three = await run([...args, '--workers', '3', file])
      t.strictEqual(three.code, 0)
      t.ok(one.bytes.length > 0 && one.bytes.equals(three.bytes), args.join(' '))
    }
    t.done()
  },

  'text to BSON': async function (t) {
    makeFile()
    const text = (await run(['--canonical', file])).bytes
    const { bytes, code } = await run(['to-bson', '--workers', '2'], { input: text })
    t.ok(bytes.equals(fs.readFileSync(file)))
    t.strictEqual(code, 0)
    t.done()
  },

  'a fault in the middle: what is before it, and the place': async function (t) {
    makeFile()
    const bytes = fs.readFileSync(file)
    const size = encode({ _id: 0, text: 'x'.repeat(150), odd: 0 }).length
    bytes.writeInt32LE(9999, BROKEN * size + 4 + 9 + 6)
    const bad = path.join(folder, 'bad-large.bson')
    fs.writeFileSync(bad, bytes)
    for (const workers of ['1', '3']) {
      const { out, err, code } = await run(['--workers', workers, bad])
      t.strictEqual(lines(out).length, BROKEN)
      t.ok(err.includes(`in field text of document ${BROKEN + 1})`), err)
      t.strictEqual(code, 1)
      const kept = await run(['--workers', workers, '--keep-going', bad])
      t.strictEqual(lines(kept.out).length, COUNT - 1)
    }
    t.done()
  },

  'a mistake of our own in a thread is not hidden': async function (t) {
    const pool = new Pool({ task: 'no such task' }, () => t.fail('it was done here'), 2)
    pool.inline = 0
    const block = { bytes: Buffer.from(encode({ a: 1 })), offset: 0, document: 0, count: 1 }
    await pool.give(block).then(() => t.fail('it was not rejected'), error => t.ok(error instanceof TypeError, String(error)))
    const next = await pool.give(block).catch(error => error)
    t.ok(next instanceof Error)
    await pool.close()
    t.done()
  },

  'memory stays below 200 MB with two threads': notCovered(function (t) {
    makeFile()
    const large = path.join(folder, 'larger.bson')
    const part = fs.readFileSync(file)
    for (let i = 0; i < 24; i++) fs.appendFileSync(large, part)
    const script = path.join(folder, 'peak-pool.js')
    fs.writeFileSync(script, `require(${JSON.stringify(bin)})
      process.on('exit', () => console.error(Math.round(process.resourceUsage().maxRSS / 1024)))`)
    const child = spawnSync(process.execPath, [script, '--canonical', '--workers', '2', large], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
    t.ok(Number(child.stderr) < 200, `${child.stderr} MB`)
    t.done()
  })
}
