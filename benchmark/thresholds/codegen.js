'use strict'

// How much is compiled in a process: the constants of lib/codegen.js. Of 3,000 shapes the tree of keys has no room for
// more than 600.

const { measureThresholds } = require('../runner/threshold')
const { life, prepare, work } = require('./works')

const constant = { file: 'lib/codegen.js', name: 'MAX_COMPILED', values: [0, 30, 300, 1000, 10000] }

/** KiB that a process holds after 50,000 documents, less what it held before. */
function keptBy(subject, _variant, cache) {
  const { inputs, operate } = prepare(subject.slice(0, 6), subject.slice(7), cache)
  const used = () => {
    globalThis.gc()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1024
  }
  return {
    once() {
      const before = used()
      for (let i = 0; i < 50000; i++) operate(inputs[i % inputs.length])
      return Math.max(0, used() - before)
    }
  }
}

measureThresholds([
  {
    title: 'functions that may be compiled in a process; first 50,000 documents',
    constant,
    subjects: ['decode all, first 50000', 'decode 20 shapes at random, first 50000', 'decode 400 shapes at random, first 50000',
      'decode 3000 shapes at random, first 50000', 'encode 400 shapes at random, first 50000'],
    work: life
  },
  {
    title: 'the same: memory kept after 50,000 documents',
    unit: 'KiB',
    constant,
    flags: ['--expose-gc'],
    subjects: ['decode 20 shapes at random', 'decode 400 shapes at random', 'decode 3000 shapes at random', 'encode 400 shapes at random'],
    work: keptBy
  },
  {
    title: 'characters of source of one function',
    constant: { file: 'lib/codegen.js', name: 'MAX_SOURCE', values: ['10_000', '30_000', '100_000', '1_000_000'] },
    subjects: ['decode wide', 'decode 20 keys of 100 bytes', 'decode 100 keys of 60 bytes', 'encode 100 keys of 60 bytes'],
    work
  }
], __filename)
