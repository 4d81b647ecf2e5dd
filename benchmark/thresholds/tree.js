'use strict'

// Which keys are learned: constants of lib/shapes/tree.js. Those of its growth are in growth.js.

const { measureThresholds } = require('../runner/threshold')
const { random } = require('../data/random')
const { prepare, times, work } = require('./works')

const file = 'lib/shapes/tree.js'

/** `decode 20 keys after one`: documents that part after their first key; `decode 20 first keys`: that have none in common. */
function branches(subject) {
  const { operate } = prepare(subject.slice(0, 6), 'small')
  const generic = require('../../lib/encode')
  const [count] = subject.match(/\d+/)
  const next = random(9)
  const documentOf = subject.endsWith('after one')
    ? (i, n) => Object.fromEntries([['_id', 1], [`key${i}`, n], ['total', n / 2], ['name', 'text']])
    : (i, n) => Object.fromEntries(['id', 'name', 'state', 'total', 'rate', 'ok'].map(key => [`${key}${i}`, n]))
  const docs = times(Math.max(2000, count * 10), n => documentOf(next() % count, n))
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
    subjects: ['decode dictionary'],
    work
  },
  {
    title: 'keys that may be the first',
    constant: { file, name: 'MAX_FIRST_KEYS', values: [64, 512, 4096] },
    subjects: ['decode 300 first keys', 'decode 2000 first keys', 'encode 300 first keys'],
    work: branches
  },
  {
    title: 'keys that are compared one by one before they are hashed',
    constant: { file, name: 'FEW_CHILDREN', values: [2, 6, 1000] },
    subjects: ['decode 5 keys after one', 'decode 20 keys after one', 'decode 60 keys after one'],
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
    constant: { file, name: 'MAX_KEY_LENGTH', values: [64, 128, 512] },
    subjects: ['decode 8 keys of 100 bytes', 'decode 8 keys of 400 bytes', 'encode 8 keys of 400 bytes'],
    work
  }
], __filename)
