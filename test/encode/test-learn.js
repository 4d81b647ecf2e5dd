'use strict'

// What encoding learns: when it begins and when it ends. That the bytes are the same is tested by test-shapes.js and
// the fuzz target `learned`.

const assert = require('node:assert')
const { Code, MinKey } = require('../../qbson')
const { functionsOf, generic, learningCodec, withoutCodeGeneration } = require('../fixtures/codecs')

const SCHEDULE = { sampleEvery: 2, itemsEvery: 16, window: 32, alike: 29, share: 0.5, lists: 2, trial: 100 }

/** A fresh codec with the schedule above, for long arrays of 16 items. */
const codec = schedule => learningCodec(true, undefined, { ...SCHEDULE, ...schedule }, 16)

/** Encodes what `make` returns for 0, 1, 2, ... and compares the bytes. @returns {number} functions made */
function write(encode, count, make) {
  return functionsOf(() => {
    for (let i = 0; i < count; i++) assert.deepStrictEqual(encode(make(i)), generic.encode(make(i)))
  })
}

const order = i => ({ _id: i, text: `text ${i}`, price: i / 4, paid: i % 2 === 0, lines: [{ sku: 'a', n: i }], tags: ['x', 'y'], at: new Date(i) })
const other = i => ({ kind: 'other', level: i, message: null })
const item = i => ({ id: i, name: `name ${i}`, place: { x: i, y: i / 2 } })
const list = (count, make = item) => ({ list: Array.from({ length: count }, (_, i) => make(i)) })

module.exports = {
  'a process that writes one kind gets a writer of it': function (t) {
    const { encode } = codec()
    t.ok(write(encode, 400, order) > 0)
    t.strictEqual(write(encode, 200, order), 0)
    t.done()
  },

  'optional fields do not make another kind': function (t) {
    t.ok(write(codec().encode, 400, i => (i % 3 === 0 ? { ...order(i), note: 'n' } : order(i))) > 0)
    t.done()
  },

  'values without code of their own do not end a writer': function (t) {
    const { encode } = codec()
    const rare = i => ({ a: new Code('f'), b: new MinKey(), c: [i, i / 2], d: [new Date(i)], n: i })
    t.ok(write(encode, 400, rare) > 0)
    t.strictEqual(write(encode, 400, rare), 0)
    t.done()
  },

  'a process that writes two kinds in turn gets none': function (t) {
    t.strictEqual(write(codec().encode, 600, i => (i % 2 === 0 ? order(i) : other(i))), 0)
    t.done()
  },

  'a writer ends when other documents come, and another begins': function (t) {
    const { encode } = codec()
    write(encode, 400, order)
    t.ok(write(encode, 600, other) > 0)
    t.strictEqual(write(encode, 100, other), 0)
    t.ok(write(encode, 400, order) > 0)
    // the names stay, their types do not
    t.ok(write(encode, 400, i => ({ a: i, b: i, c: i, d: i })) > 0)
    t.ok(write(encode, 2000, i => ({ a: `${i}`, b: 'b', c: 'c', d: 'd' })) > 0)
    t.done()
  },

  'long arrays of like documents get a writer, when most bytes are in them': function (t) {
    const { encode } = codec({ window: Infinity })
    t.strictEqual(write(encode, 50, () => list(15)), 0)
    t.strictEqual(write(encode, 100, i => (i % 2 === 0 ? list(16) : { text: 'x'.repeat(5000) })), 0)
    t.ok(write(encode, 50, () => list(100)) > 0)
    t.strictEqual(write(encode, 50, () => list(100)), 0)
    t.done()
  },

  'several kinds of arrays have writers at the same time': function (t) {
    const { encode } = codec({ window: Infinity })
    const kinds = [() => list(40), () => list(40, other), () => list(40, i => ({ id: i, other: 'x' }))]
    t.ok(write(encode, 60, i => kinds[i % 3]()) >= 3)
    t.strictEqual(write(encode, 60, i => kinds[i % 3]()), 0)
    t.done()
  },

  'arrays whose items are of many kinds, and dictionaries, are written as before': function (t) {
    const { encode } = codec({ window: Infinity })
    write(encode, 60, () => list(40))
    const mixed = [item, other, () => 1, () => 'text', () => null, () => [item(1)], () => new Map([['a', 1]]), () => ({ toBSON: () => item(1) })]
    write(encode, 60, i => list(40, k => mixed[(i + k) % mixed.length](k)))
    write(encode, 60, i => list(40, k => ({ [`k${i}-${k}`]: k })))
    t.done()
  },

  'no getter is called twice': function (t) {
    const { encode } = codec()
    let calls = 0
    const doc = { get a() { return ++calls }, list: Array.from({ length: 20 }, () => ({ get b() { return ++calls } })) }
    for (let i = 0; i < 200; i++) encode(doc)
    t.strictEqual(calls, 200 * 21)
    t.done()
  },

  'names are checked as before once a writer has been learned': function (t) {
    const { encode } = codec()
    const make = () => ({ 'a.b': 1, list: Array.from({ length: 20 }, () => ({ $c: 1 })) })
    write(encode, 400, make)
    t.throws(() => encode(make(), { checkKeys: true }), /must not contain/)
    t.throws(() => encode({ list: make().list }, { checkKeys: true }), /must not start/)
    t.done()
  },

  'nothing is learned where code may not be generated': function (t) {
    const { encode } = withoutCodeGeneration(() => codec())
    t.strictEqual(write(encode, 300, order), 0)
    t.strictEqual(write(encode, 50, () => list(100)), 0)
    t.done()
  },

  'documents of endless new kinds do not keep writers': function (t) {
    const { encode } = codec({ trial: 0 })
    for (let kind = 0; kind < 50; kind++) write(encode, 60, i => ({ [`a${kind}`]: i, [`b${kind}`]: 'x', list: list(20, k => ({ [`c${kind}`]: k })).list }))
    t.done()
  }
}
