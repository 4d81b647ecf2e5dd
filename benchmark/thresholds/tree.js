'use strict'

// How large what is known of shapes may grow: the constants of lib/shapes/tree.js.

const { measureThresholds } = require('../runner/threshold')
const adversarial = require('../data/adversarial')
const { work } = require('./works')

const file = 'lib/shapes/tree.js'

/** So many kinds of documents in turn, which have only their first key in common; other keys in every run. */
function kindsInTurn(subject) {
  const generic = require('../../lib/encode')
  const { encode, decode } = require('../..')
  const kinds = parseInt(subject, 10)
  const COUNT = 1200
  let turn = 0
  return {
    ops: COUNT,
    warmUp: 0.1,
    run() {
      const first = `run${turn++}`
      const inputs = Array.from({ length: kinds }, (_, i) =>
        generic.encode({ [first]: i, [`kind${i}`]: i, [`name${i}`]: 'text', [`total${i}`]: i / 2, last: true }))
      for (let i = 0; i < COUNT; i++) encode(decode(inputs[i % kinds]))
    }
  }
}

/** Documents of one new kind, after documents of a thousand shapes have filled the tree. */
function newKind() {
  const generic = require('../../lib/encode')
  const { decode } = require('../..')
  for (const doc of adversarial.adversarial('a thousand shapes')) decode(generic.encode(doc))
  const inputs = Array.from({ length: 500 }, (_, i) => generic.encode({ newId: i, newName: `name ${i}`, newTotal: i / 2 }))
  return {
    ops: inputs.length,
    warmUp: 4,
    run() {
      for (let i = 0; i < inputs.length; i++) decode(inputs[i])
    }
  }
}

const workOf = subject => subject.startsWith('decode a new kind') ? newKind() : work(subject)

measureThresholds([
  {
    title: 'keys that may follow one another at one place',
    constant: { file, name: 'MAX_CHILDREN', values: [8, 32, 64, 256] },
    subjects: ['decode event', 'decode dictionary', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys that may be the first',
    constant: { file, name: 'MAX_FIRST_KEYS', values: [64, 256, 512, 2048] },
    subjects: ['decode all', 'decode different keys', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys that are compared one by one before they are hashed',
    constant: { file, name: 'FEW_CHILDREN', values: [2, 6, 12, 24] },
    subjects: ['decode event', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'unknown keys that a place remembers; kinds in turn, each 1,200 documents anew, encoded and decoded',
    constant: { file, name: 'CANDIDATES', values: [1, 4, 16, 64] },
    subjects: ['2 kinds', '8 kinds', '24 kinds'],
    work: kindsInTurn
  },
  {
    title: 'keys of a shape that is learned',
    constant: { file, name: 'MAX_KEYS', values: [64, 128, 256, 512] },
    subjects: ['decode wide', 'encode wide', 'decode dictionary', 'decode 400 keys of 8 bytes'],
    work
  },
  {
    title: 'bytes of a key that is learned',
    constant: { file, name: 'MAX_KEY_LENGTH', values: [16, 64, 128, 512] },
    subjects: ['decode 8 keys of 32 bytes', 'decode 8 keys of 100 bytes', 'decode 8 keys of 400 bytes',
      'encode 8 keys of 100 bytes', 'encode 8 keys of 400 bytes'],
    work
  },
  {
    title: 'nodes of all shapes',
    constant: { file, name: 'MAX_NODES', values: [512, 1024, 4096, 16384] },
    subjects: ['decode all', 'decode different keys', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'documents after which a full tree is dropped',
    constant: { file, name: 'REPLANT', values: ['1_000', '10_000', '100_000', '10_000_000'] },
    subjects: ['decode a thousand shapes', 'encode a thousand shapes', 'decode a new kind after a thousand shapes'],
    work: workOf
  }
], __filename)
