'use strict'

// What is learned of objects, and its bounds. That learning changes no result is shown by test-shapes-encode.js.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const { compile } = require('../lib/codegen')
const { TABLE_SIZE, MAX_LIVE_KEYS, Writers } = require('../lib/writers')
const { SCOPE, KIND_SOURCE, writerSource } = require('../lib/writers/source')
const { learningCodec, generic } = require('./fixtures/codecs')
const { many } = require('./fixtures/long')
const { skip } = require('./skip')

/** Stands for the encoder: its functions are not called. */
const encoder = {
  objectPrototype: Object.prototype, datePrototype: Date.prototype, idPrototype: null, putElement: (out, key, value, pos) => pos
}

function hasty() {
  const writers = new Writers(encoder)
  writers.hurry()
  return writers
}

/** Gives back what may be compiled: a process has one budget. */
function clear(writers) {
  for (const shape of writers.shapes.values()) writers.drop(shape)
}

/** As the encoder asks. @returns {boolean} whether there was a function */
function meet(writers, doc) {
  if (writers.isUsed && writers.find(doc, false) !== null) return true
  if (--writers.wait < 0) writers.sample(doc)
  return false
}

function times(writers, n, make) {
  let found = 0
  for (let i = 0; i < n; i++) if (meet(writers, make(i))) found++
  return found
}

const documentWith = (keys, prefix) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`${prefix}${i}`, i]))

/** Documents after which a shape that is met alone has a function, for certain. */
const MANY = 500_000

/** Other shapes that are met. */
const SHAPES = many(5000, 20_000)

module.exports = {
  'a shape gets a function when the encoder has spent enough on it, however many others there are': t => {
    const writers = new Writers(encoder)
    t.strictEqual(times(writers, 20_000, i => ({ a: i, b: i })), 0)
    t.ok(times(writers, MANY, i => ({ a: i, b: i })) > 0)
    t.ok(times(writers, MANY, i => ({ a: i, b: i, c: i })) > 0)
    const fields = documentWith(20, 'k')
    t.ok(times(new Writers(encoder), MANY / 5, () => fields) > MANY / 20, 'fields count, not documents')
    t.done()
  },

  'a function for many keys costs more for each of them': t => {
    const fields = documentWith(120, 'k')
    const wide = new Writers(encoder)
    wide.price = 120_000
    t.strictEqual(times(wide, 4000, () => fields), 0)
    t.ok(times(wide, 6000, () => fields) > 0)
    t.done()
  },

  'objects that follow no rhythm of the samples are met too': t => {
    const writers = new Writers(encoder)
    writers.price = 10_000
    const found = new Set()
    for (let i = 0; i < 400_000; i++) if (meet(writers, { x: i, [`k${i % 16}`]: i, y: 1, z: 2 })) found.add(i % 16)
    t.strictEqual(found.size, 16)
    t.done()
  },

  'the table is bounded, whatever is met': t => {
    const writers = hasty()
    for (let i = 0; i < SHAPES; i++) meet(writers, documentWith(1 + i % 40, `shape${i}_`))
    t.ok(writers.tableSize <= TABLE_SIZE && writers.tableSize > TABLE_SIZE / 2)
    t.strictEqual(writers.tableSize, [...writers.shapes.keys()].reduce((sum, { length }) => sum + length, 0))
    t.ok(writers.liveKeys <= MAX_LIVE_KEYS)
    clear(writers)
    t.deepEqual([writers.liveKeys, nodes(writers.root)], [0, 0])
    t.done()
  },

  'what is used stays in the table, however many others are met once': t => {
    const writers = hasty()
    times(writers, 20, i => ({ used: i }))
    times(writers, 20, i => ({ unused: i }))
    for (let i = 0; i < 4 * TABLE_SIZE / 4000; i++) {
      meet(writers, { [`${i}`.padEnd(4000, 'x')]: 1 })
      t.ok(meet(writers, { used: i }), `after ${i}`)
    }
    t.deepEqual([writers.shapes.has('used'), writers.shapes.has('unused')], [true, false])
    clear(writers)
    t.done()
  },

  'the functions are bounded: what was used last stays': t => {
    const writers = hasty()
    const usual = i => ({ usual: i, fields: i })
    times(writers, 20, usual)
    for (let i = 0; i < 300; i++) {
      times(writers, 10, () => documentWith(20, `shape${i}_`))
      t.ok(times(writers, 70, usual) > 0, `after ${i}`)
      assert.ok(writers.liveKeys <= MAX_LIVE_KEYS)
    }
    const live = [...writers.shapes.values()].filter(({ write }) => write !== null)
    t.strictEqual(live.reduce((sum, { keys }) => sum + keys.length + 8, 0), writers.liveKeys)
    t.strictEqual(nodes(writers.root), new Set(live.flatMap(({ keys }) => keys.map((_, i) => keys.slice(0, i + 1).join('\0')))).size)
    clear(writers)
    t.done()
  },

  'a collection with ids as keys costs itself, and what is met later is learned as ever': t => {
    for (const ids of [24, 512, 4096, 1e9]) {
      const writers = hasty()
      for (let i = 0; i < SHAPES; i++) meet(writers, { [`id${i * 7919 % ids}`]: 1, [`id${i * 104729 % ids}`]: 2 })
      t.ok(times(writers, 2000, i => ({ later: i, met: i })) > 1000, `${ids} ids`)
      clear(writers)
    }
    t.done()
  },

  'where functions are seldom found, they are seldom looked for': t => {
    const writers = hasty()
    times(writers, 20, i => ({ a: i, b: i }))
    let looked = 0
    const strange = new Proxy({ a: 1, x: 1 }, { ownKeys: target => (looked++, Reflect.ownKeys(target)) })
    for (let i = 0; i < 6400; i++) writers.find(strange, false)
    t.ok(looked < 300, String(looked))
    t.ok(times(writers, 200, i => ({ a: i, b: i })) > 100)
    t.done()
  },

  'objects whose values have kinds that no function is made for get none': t => {
    const writers = hasty()
    t.strictEqual(times(writers, 100, i => ({ a: 1, b: 'x', big: BigInt(i) })), 0)
    t.ok(times(writers, 100, i => ({ a: 1, b: 'x', c: null, d: 2.5, big: BigInt(i) })) > 0)
    t.done()
  },

  'a function whose values are of other kinds is given up, and costs more the next time': t => {
    const writers = hasty()
    times(writers, 20, i => ({ a: i, b: i }))
    const [shape] = writers.shapes.values()
    const { write } = shape
    t.strictEqual(typeof write, 'function')
    shape.uses = 100
    shape.strange = 1000
    writers.reconsider(shape)
    t.deepEqual([shape.write, shape.dearness, writers.liveKeys, writers.isUsed], [null, 4, 0, false])
    shape.uses = 1e6
    writers.buy(shape)
    shape.uses = 1e6
    shape.strange = 1000
    writers.reconsider(shape)
    t.strictEqual(typeof shape.write, 'function')
    t.done()
  },

  'a key whose values change for good gets another function': t => {
    const codec = learningCodec(true)
    const docs = [i => ({ a: i, b: 'x' }), i => ({ a: `${i}`, b: null })]
    for (const make of docs) {
      for (let i = 0; i < 5000; i++) assert.ok(codec.encode(make(i)).equals(generic.encode(make(i))))
    }
    t.done()
  },

  'what is not learned: no keys, too many, too long, with a NUL in them': t => {
    const writers = hasty()
    for (const doc of [{}, documentWith(201, 'k'), { ['k'.repeat(5000)]: 1 }, { 'a\0b': 1 }]) times(writers, 20, () => doc)
    t.deepEqual([writers.shapes.size, writers.tableSize], [0, 0])
    t.done()
  },

  'no getter is asked to learn': t => {
    const writers = hasty()
    let asked = 0
    times(writers, 50, () => ({ get a() { return asked++ }, b: 1 }))
    t.strictEqual(asked, 0)
    t.done()
  },

  'a Proxy that has a field when its keys are listed, and then has not': t => {
    const writers = hasty()
    let looked = 0
    const target = { a: 1, b: 2, c: 3, d: 4, e: 5 }
    const moody = new Proxy(target, {
      getOwnPropertyDescriptor: (_, key) => (key === 'a' && looked++ % 2 ? undefined : Object.getOwnPropertyDescriptor(target, key))
    })
    for (let i = 0; i < 10; i++) writers.sample(moody)
    t.deepEqual([...writers.shapes.values()].map(({ keys, kinds }) => [keys, kinds[0]]), [[Object.keys(target), 0]])
    clear(writers)
    t.done()
  },

  'values are of one kind, or of none': t => {
    const kindOf = compile({ ...SCOPE, ...encoder }, KIND_SOURCE)
    const kinds = new Map()
    for (const value of ['x', 1, 1.5, true, null, new Date(), [], {}]) {
      const kind = kindOf(value)
      t.ok(kind !== 0 && !kinds.has(kind))
      kinds.set(kind, value)
    }
    for (const value of [undefined, -0, 5n, Symbol('s'), () => 1, new Map(), { toBSON: 1 }, /x/]) t.strictEqual(kindOf(value), 0)
    t.done()
  },

  'keys cannot become code': t => {
    const keys = ['"', '\\', '`', '${x}', '\u2028', "']; throw 1; //", '*/', '\n', '__proto__']
    const source = writerSource(keys, keys.map(() => 3))
    new Function(`return ${source}`) // eslint-disable-line no-new-func
    t.done()
  },

  'where code is forbidden, from the start or later, everything is written all the same': t => {
    if (process.env.NYC_CONFIG) skip(t, 'nyc itself makes code in every file that it counts')
    for (const when of ['load', 'later']) {
      const script = `
        const forbid = () => { globalThis.Function = function () { throw new EvalError('no') } }
        ${when === 'load' ? 'forbid()' : ''}
        const { encode, startLearning } = require(${JSON.stringify(require.resolve('../lib/encode'))})
        const { decode } = require(${JSON.stringify(require.resolve('../lib/decode'))})
        startLearning()
        ${when === 'later' ? 'for (let i = 0; i < 50; i++) encode({ early: i }); forbid()' : ''}
        for (let i = 0; i < 500; i++) require('assert').deepStrictEqual(decode(encode({ a: i, b: [i, { c: 'x' }] })), { a: i, b: [i, { c: 'x' }] })`
      const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
      t.strictEqual(status, 0, stderr)
    }
    t.done()
  },

  'a maxDepth holds in functions too, and every option is the encoder\'s own': t => {
    const codec = learningCodec(true)
    const doc = { a: { b: { c: { d: 1 } } }, u: undefined, f: () => 1, $x: 1 }
    for (let i = 0; i < 100; i++) codec.encode(doc)
    for (const maxDepth of [1, 2, 3]) assert.throws(() => codec.encode(doc, { maxDepth }), /nested deeper than/)
    assert.throws(() => codec.encode(doc, { checkKeys: true }), /must not start with '\$'/)
    for (const options of [{ maxDepth: 4 }, { ignoreUndefined: false }, { serializeFunctions: true }]) {
      t.ok(codec.encode(doc, options).equals(generic.encode(doc, options)))
    }
    t.done()
  }
}

/** The keys in the tree below a node. */
function nodes({ children }) {
  return [...children.values()].reduce((sum, child) => sum + 1 + nodes(child), 0)
}
