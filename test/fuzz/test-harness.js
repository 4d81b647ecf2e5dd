'use strict'

// The fuzzer itself: it finds what is wrong, makes it small, keeps it, and shows it again.

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const fc = require('fast-check')
const bson = require('bson')
const qbson = require('../../qbson')
const { parse } = require('../../fuzz/args')
const { validDocument, splice } = require('../../fuzz/inputs')
const { known, knownFault } = require('../../fuzz/known')
const { attempt, checkPlace, checkPrototypes, checkSameOutcome, compareWithBson } = require('../../fuzz/oracle')
const { fuzz, minimise, Found } = require('../../fuzz/run')
const { same } = require('../../fuzz/same')
const { save, read, kept } = require('../../fuzz/save')
const { shrink, smallerBytes, smallerIn, smallerList, smallerObject } = require('../../fuzz/shrink')
const { build, document, edit } = require('../../fuzz/specs')
const { targets } = require('../../fuzz/targets')
const { many } = require('../fixtures/long')
const { seededRandom } = require('../fixtures/random-document')
const { colliding, hashes } = require('../../fuzz/families/collisions')

const quiet = () => {}
const names = Object.keys(targets)
const fuzzers = names.filter(name => !targets[name].run)

/** A target that fails where its bytes hold 0x13 and 0x37. */
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

  'what an asynchronous check finds is made as small': async t => {
    const target = { ...planted, check: async input => planted.check(input) }
    const found = await caught(fuzz(target, { minutes: 1, runs: 1000, seed: 5 }, quiet))
    const { input, isAlone } = await minimise(target, found.input)
    assert.deepStrictEqual([...input.bytes].sort(), [0x13, 0x37])
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

  'the command: a seed gives the same run again; what it can not do is an error': t => {
    const run = args => execFileSync(process.execPath, [path.join(__dirname, '..', '..', 'fuzz'), ...args], { encoding: 'utf8', stdio: 'pipe' })
    const once = run(['--target', 'raw', '--runs', '3', '--seed', '9']).replace(/ in .*a second/, '')
    t.ok(/^seed 9\nok {3}raw: \d+ inputs \(/.test(once), once)
    if (many(false, true)) t.strictEqual(run(['--target', 'raw', '--runs', '3', '--seed', '9']).replace(/ in .*a second/, ''), once)
    t.strictEqual(run(['--list']).trim().split('\n').join(), names.join())
    t.ok(run(['--help']).startsWith('usage'))
    t.throws(() => run(['--target', 'nothing']), /no target nothing/)
    t.throws(() => parse(['--minutes', 'x'], names), /--minutes wants a number/)
    t.deepStrictEqual(parse(['--target', 'raw,wire', '--target', 'ejson'], names).targets, ['raw', 'wire', 'ejson'])
    t.strictEqual(parse([], names).targets.includes('memory'), false)
    t.strictEqual(parse([], names).minutes, 1)
    t.strictEqual(parse(['--runs', '5'], names).minutes, Infinity)
    t.deepStrictEqual([parse(['--fixed'], names)].map(({ minutes, seed, fixed }) => ({ minutes, seed, fixed })), [{ minutes: Infinity, seed: 1, fixed: true }])
    for (const name of fuzzers) t.ok(targets[name].rounds > 0, `rounds of ${name}`)
    t.done()
  },

  'shrinking ends, and lists and options lose what is not needed': async t => {
    assert.deepStrictEqual(await shrink([1, 2, 3, 4, 5], smallerList, list => list.includes(4)), [4])
    assert.deepStrictEqual(await shrink({ a: 1, b: 2 }, smallerObject, options => options?.b === 2), { b: 2 })
    const bytes = await shrink(Buffer.from(bson.serialize({ a: 1, b: 'x' })), smallerBytes, each => {
      try { return bson.deserialize(each).b === 'x' } catch { return false }
    })
    assert.ok(bytes.length < bson.serialize({ a: 1, b: 'x' }).length && bson.deserialize(bytes).b === 'x')
    t.done()
  },

  'oracles: what is no BSONError, has no place, or is not the same is wrong': t => {
    t.throws(() => attempt(() => null.x), /not a BSONError but TypeError/)
    t.strictEqual(attempt(() => 5).value, 5)
    t.throws(() => checkPlace(Object.assign(new qbson.BSONError('x'), { offset: 9 }), 8), /offset 9 of 8/)
    t.throws(() => checkPlace(new qbson.BSONError('x'), 8), /offset undefined/)
    t.throws(() => checkSameOutcome({ value: { a: -0 } }, { value: { a: 0 } }, 'x'), /gives/)
    t.strictEqual(compareWithBson({ error: 1 }, { error: 2 }, []), 'both err')
    t.throws(() => compareWithBson({ value: 1 }, { error: new Error('e') }, []), /bson throws Error: e/)
    checkPrototypes()
    Object.prototype.polluted = 1
    t.throws(checkPrototypes, /a prototype was changed/)
    delete Object.prototype.polluted
    t.done()
  },

  'same: as the descriptions say': t => {
    const pairs = [
      [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[1, undefined], [1]], [[undefined], new Array(1)], [new Date(5), new Date(6)], [/a/g, /a/],
      [Buffer.from('a'), new Uint8Array([97])], [NaN, 0], [null, undefined], [{}, Object.create(null)], [new qbson.Int32(1), new qbson.Double(1)]
    ]
    pairs.forEach(([a, b], i) => assert.ok(!same(a, b), `pair ${i}`))
    const id = '0123456789abcdef01234567'
    t.ok(same({ a: [new Date(NaN), /x/i, Buffer.from('x'), new qbson.ObjectId(id), NaN] }, { a: [new Date(NaN), /x/i, Buffer.from('x'), new bson.ObjectId(id), NaN] }))
    t.done()
  },

  'a known fault is told by its target and what it says': t => {
    for (const { target, name } of known) t.ok(names.includes(target) && name.length > 0)
    t.strictEqual(knownFault('nothing', {}, new Error('x')), undefined)
    t.done()
  },

  'descriptions make the same values for both libraries, and can be changed in places': t => {
    fc.assert(fc.property(document, spec => {
      build(spec, qbson)
      build(spec, bson)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(edit(spec, []))), JSON.parse(JSON.stringify(spec)))
    }), { numRuns: 50 })
    assert.deepStrictEqual(edit(['object', [['a', ['int', 1]], ['b', ['array', [['int', 2]]]]]], [[2, ['null']]]),
      ['object', [['a', ['int', 1]], ['b', ['array', [['null']]]]]])
    t.throws(() => build(['nothing'], qbson), /no maker/)
    t.done()
  },

  'valid documents are valid, splices have the length they say': t => {
    const random = seededRandom(3)
    for (let i = 0; i < 50; i++) {
      const [one, other] = [validDocument(random), validDocument(random)]
      qbson.decode(one)
      const whole = splice(random, one, other)
      t.ok(whole.length < 4 || whole.readInt32LE() === whole.length)
    }
    t.done()
  },

  'names that collide do': t => {
    t.strictEqual(hashes.fnv('costarring'), hashes.fnv('liquid'))
    const list = Array.from({ length: 2000 }, (_, i) => colliding(i))
    t.strictEqual(new Set(list).size, 2000)
    t.strictEqual(new Set(list.filter(name => /^(Aa|BB){10}$/.test(name)).map(hashes[31])).size, 1)
    t.strictEqual(new Set(list.filter(name => name[0] === 'n' && !name.includes('Aa')).map(name => hashes.fnv(name) & 0x3ff)).size, 1)
    t.done()
  },

  ...Object.fromEntries(fuzzers.map(name => [`a few rounds of ${name}`, async t => {
    const seed = Number(process.env.QBSON_SEED) || 1
    const { inputs } = await fuzz(targets[name], { minutes: 1, runs: name === 'encode' ? 1 : many(3, 8), seed }, quiet)
    assert.ok(inputs >= many(30, 100), String(inputs))
    t.done()
  }]))
}
