'use strict'

// The fuzzer itself: it finds faults, shrinks and saves their inputs, and repeats them.

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const fc = require('fast-check')
const { main } = require('../../fuzz')
const { fuzz, minimise, Found } = require('../../fuzz/run')
const { save, read, kept } = require('../../fuzz/save')
const { smallerBytes, smallerIn, smallerList, smallerObject } = require('../../fuzz/shrink')
const { targets } = require('../../fuzz/targets')
const { many } = require('../fixtures/long')

const quiet = () => {}
const names = Object.keys(targets)
/** One round of these takes longer than several of others. */
const SLOW = many(['documents', 'encode', 'learned'], ['encode'])

const fuzzers = names.filter(name => !targets[name].run)

/** A target that fails if its bytes contain 0x13 and 0x37. */
const planted = {
  name: 'planted',
  *inputs(random) {
    const byte = () => Math.floor(random() * 256)
    for (let i = 0; i < 20; i++) yield { bytes: Buffer.from(Array.from({ length: 40 }, byte)), options: { a: 1 } }
  },
  check({ bytes }) {
    assert.ok(!(bytes.includes(0x13) && bytes.includes(0x37)), 'planted')
    return 'fine'
  },
  smaller: input => smallerIn(input, { options: smallerObject, bytes: smallerBytes })
}

const caught = promise => promise.then(() => assert.fail('nothing found'), error => error)

module.exports = {
  'a planted fault is found from a seed, found again, and made as small as it gets': async t => {
    const plan = { minutes: 1, runs: 1000, seed: 5 }
    const found = await caught(fuzz(planted, plan, quiet))
    assert.ok(found instanceof Found)
    const again = await caught(fuzz(planted, { ...plan, seed: found.seed, runs: 1 }, quiet))
    assert.deepStrictEqual(again.input, found.input)
    const { input, isAlone } = await minimise(planted, found.input)
    assert.deepStrictEqual([...input.bytes].sort(), [0x13, 0x37])
    assert.strictEqual(input.options, undefined)
    assert.ok(isAlone)
    t.done()
  },

  'a fault that needs what came before is kept with that': async t => {
    let seen = []
    const target = {
      name: 'planted',
      arbitrary: fc.nat({ max: 9 }),
      check(n) {
        seen.push(n)
        assert.ok(!(n === 7 && seen.includes(3)), 'after a 3')
        return 'fine'
      },
      checkAlone({ n, before = [] }) {
        assert.ok(!(n === 7 && before.includes(3)), 'after a 3')
      },
      alone: input => typeof input === 'number' ? { n: input } : input,
      withHistory: n => ({ n, before: [...seen] }),
      smaller: input => smallerIn(input, { before: list => smallerList(list ?? []) })
    }
    const found = await caught(fuzz(target, { minutes: 1, runs: 10, seed: 1 }, quiet))
    seen = []
    const { input, isAlone } = await minimise(target, found.input, found.history)
    assert.deepStrictEqual(input, { n: 7, before: [3] })
    assert.ok(isAlone)
    t.done()
  },

  'what was found is kept and read again': t => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-test-'))
    const input = { bytes: Buffer.from('00ff', 'hex'), options: undefined, list: [Buffer.alloc(1), null, 'x'] }
    const file = save({ target: 'decode', input, message: 'one\ntwo' }, directory)
    t.deepStrictEqual(kept(directory), [file])
    const back = read(file)
    t.strictEqual(back.target + back.said, 'decodeone')
    assert.deepStrictEqual(back.input, { bytes: input.bytes, list: input.list })
    fs.rmSync(directory, { recursive: true })
    t.done()
  },

  'the command: a run of a target, and what it can not do is an error': async t => {
    const args = [path.join(__dirname, '..', '..', 'fuzz'), '--target', 'raw', '--runs', '3', '--seed', '9']
    const once = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' }).replace(/ in .*a second/, '')
    t.ok(/^seed 9\nok {3}raw: \d+ inputs \(/.test(once), once)
    const { log } = console
    const lines = []
    console.log = text => lines.push(text)
    try {
      for (const option of ['--list', '--help']) await main([option])
    } finally {
      console.log = log
    }
    t.strictEqual(lines[0], names.join('\n'))
    t.ok(lines[1].startsWith('usage'))
    await assert.rejects(() => main(['--target', 'nothing']), /no target nothing/)
    t.done()
  },

  ...Object.fromEntries(fuzzers.map(name => [`a few rounds of ${name}`, async t => {
    const seed = Number(process.env.QBSON_SEED) || 1
    const { inputs } = await fuzz(targets[name], { minutes: 1, runs: SLOW.includes(name) ? 1 : many(1, 8), seed }, quiet)
    assert.ok(inputs >= many(10, 100), String(inputs))
    t.done()
  }]))
}
