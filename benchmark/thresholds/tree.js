'use strict'

// Which keys are learned: constants of lib/shapes/tree.js. Those of its growth are in growth.js.

const { measureThresholds } = require('../runner/threshold')
const { random } = require('../data/random')
const { prepare, times, work } = require('./works')

const file = 'lib/shapes/tree.js'

/** `decode 20 keys after one`: documents that part after their first key, `decode 20 first keys`: at once. */
function branches(subject) {
  const { operate } = prepare(subject.slice(0, 6), 'small')
  const generic = require('../../lib/encode')
  const [count] = subject.match(/\d+/)
  const common = subject.endsWith('after one') ? { _id: 1 } : {}
  const next = random(9)
  const docs = times(2000, n => ({ ...common, [`key${next() % count}`]: n, total: n / 2, name: 'text' }))
  const inputs = subject.startsWith('decode') ? docs.map(doc => generic.encode(doc)) : docs
  const kept = new Array(64)
  return {
    ops: inputs.length,
    warmUp: 4,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i % 64] = operate(inputs[i])
    }
  }
}

measureThresholds([
  {
    title: 'keys that may follow one another at one place',
    constant: { file, name: 'MAX_CHILDREN', values: [16, 64, 256] },
    subjects: ['decode 12 keys after one', 'decode 60 keys after one', 'decode 200 keys after one', 'encode 200 keys after one'],
    work: branches
  },
  {
    title: 'the same, where keys are data',
    constant: { file, name: 'MAX_CHILDREN', values: [16, 64, 256] },
    subjects: ['decode dictionary', 'encode dictionary'],
    work
  },
  {
    title: 'keys that may be the first',
    constant: { file, name: 'MAX_FIRST_KEYS', values: [64, 512, 4096] },
    subjects: ['decode 400 first keys', 'decode 1000 first keys', 'encode 400 first keys'],
    work: branches
  },
  {
    title: 'keys that are compared one by one before they are hashed',
    constant: { file, name: 'FEW_CHILDREN', values: [2, 6, 12, 24] },
    subjects: ['decode 4 keys after one', 'decode 8 keys after one', 'decode 20 keys after one', 'encode 8 keys after one'],
    work: branches
  },
  {
    title: 'keys of a shape that is learned',
    constant: { file, name: 'MAX_KEYS', values: [128, 256, 512] },
    subjects: ['decode 100 keys of 8 bytes', 'decode 220 keys of 8 bytes', 'decode 400 keys of 8 bytes', 'encode 400 keys of 8 bytes'],
    work
  },
  {
    title: 'bytes of a key that is learned',
    constant: { file, name: 'MAX_KEY_LENGTH', values: [16, 64, 128, 512] },
    subjects: ['decode 8 keys of 40 bytes', 'decode 8 keys of 100 bytes', 'decode 8 keys of 400 bytes', 'encode 8 keys of 400 bytes'],
    work
  }
], __filename)
