'use strict'

// How the tree of keys grows and when it is dropped: CANDIDATES, MAX_NODES and REPLANT of lib/shapes/tree.js.

const { measureThresholds } = require('../runner/threshold')
const { random } = require('../data/random')
const { timeOf } = require('../runner/measure')
const { ofShape, prepare, times, work } = require('./works')

const file = 'lib/shapes/tree.js'

/** KiB that the tree holds after 50,000 documents. */
function keptBy(subject, _variant, cache) {
  const { inputs, operate } = prepare(subject.slice(0, 6), subject.slice(7), cache)
  const used = () => {
    globalThis.gc()
    return process.memoryUsage().heapUsed / 1024
  }
  return {
    once() {
      const before = used()
      for (let i = 0; i < 50000; i++) operate(inputs[i % inputs.length])
      return Math.max(0, used() - before)
    }
  }
}

/**
 * So many kinds of documents that part after their first key, in turn or at random: how many documents it takes until
 * all of their keys are known, up to 100,000.
 */
function learnedAfter(subject) {
  const generic = require('../../lib/encode')
  const { decode, startLearning } = require('../../lib/shapes')
  const { Tree } = require('../../lib/shapes/tree')
  startLearning()
  const kinds = parseInt(subject, 10)
  const next = subject.endsWith('at random') ? random(7) : (n => () => n++)(0)
  const inputs = times(kinds, i => generic.encode({ type: i, [`kind${i}`]: i, [`name${i}`]: 'text', [`total${i}`]: i / 2 }))
  let added = 0
  const add = Tree.prototype.add
  Tree.prototype.add = function(...args) {
    added++
    return add.apply(this, args)
  }
  return {
    once() {
      let n = 0
      for (; added < 1 + 3 * kinds && n < 100000; n++) decode(inputs[next() % kinds])
      return n
    }
  }
}

/** Regular documents after 5,000 strange ones, or strange ones for ever. Each strange one comes twice. */
function life(subject) {
  const generic = require('../../lib/encode')
  const { decode, startLearning } = require('../../lib/shapes')
  startLearning()
  const count = Number(/\d+$/.exec(subject)[0])
  const strange = times(10000, n => generic.encode(ofShape(n >> 1, n)))
  const regular = times(1000, n => generic.encode(ofShape(n % 4 + 1e6, n)))
  for (const bytes of strange) decode(bytes)
  const inputs = subject.startsWith('regular') ? regular : strange
  const kept = new Array(64)
  return {
    once: () => timeOf(() => {
      for (let i = 0; i < count; i++) kept[i % 64] = decode(inputs[i % inputs.length])
    }).seconds * 1e9 / count
  }
}

measureThresholds([
  {
    title: 'unknown keys that a place remembers; kinds of documents, decoded until all their keys are known',
    unit: 'documents',
    constant: { file, name: 'CANDIDATES', values: [1, 4, 16, 64, 256] },
    subjects: ['2 in turn', '8 in turn', '16 in turn', '30 in turn', '16 at random', '60 at random'],
    work: learnedAfter
  },
  {
    title: 'nodes of all shapes',
    constant: { file, name: 'MAX_NODES', values: [512, 1024, 4096, 16384] },
    subjects: ['decode 50 shapes at random', 'decode 200 shapes at random', 'decode 500 shapes at random',
      'decode 2000 shapes at random'],
    work
  },
  {
    title: 'the same: memory kept after 50,000 documents',
    unit: 'KiB',
    constant: { file, name: 'MAX_NODES', values: [512, 1024, 4096, 16384] },
    flags: ['--expose-gc'],
    subjects: ['decode 200 shapes at random', 'decode 2000 shapes at random', 'encode 2000 shapes at random'],
    work: keptBy
  },
  {
    title: 'documents after which a full tree is dropped',
    constant: { file, name: 'REPLANT', values: ['1_000', '10_000', '100_000', '1_000_000'] },
    subjects: ['regular after strange, first 1000000', 'strange after strange, first 300000'],
    work: life
  }
], __filename)
