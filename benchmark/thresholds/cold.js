'use strict'

// How many documents of a fresh process are left to the generic paths: the constants of lib/shapes.js. All are handled
// once, those before learning begins included; cold-start.js has the same next to bson.

const { measureThresholds } = require('../runner/threshold')
const { timeOf } = require('../runner/measure')
const { documentsOf, ofShape, times } = require('./works')

const file = 'lib/shapes.js'

/** `20 of 1 MB`: so many documents with arrays of documents that make up so many kilobytes. */
function largeDocuments(count, kilobytes) {
  return times(count, n => ({ items: times(Math.ceil(kilobytes * 1024 / 170), i => ofShape(0, n + i)) }))
}

/** `nine kinds, first 1000`, `large: 5 of 2000 KB` */
function work(subject, _variant, cache) {
  const generic = require('../../lib/encode')
  const { decode, ...types } = require('../..')
  const [, kind, first] = /^(.*), first (\d+)$/.exec(subject) ?? []
  const [, count, kilobytes] = /(\d+) of (\d+) KB/.exec(subject) ?? []
  const docs = kind ? documentsOf(kind, types, cache) : largeDocuments(Number(count), Number(kilobytes))
  const inputs = docs.map(doc => Buffer.from(generic.encode(doc)))
  const total = Number(first ?? count)
  const kept = new Array(16)
  return {
    once: () => timeOf(() => {
      for (let i = 0; i < total; i++) kept[i % 16] = decode(inputs[i % inputs.length])
    }).seconds * 1000
  }
}

measureThresholds([
  {
    title: 'documents of a fresh process before learning begins',
    unit: 'ms for all',
    constant: { file, name: 'COLD', values: [0, 100, 1000, 10000] },
    subjects: ['all, first 100', 'all, first 1000', 'all, first 10000', 'sensor, first 1000', 'sensor, first 30000'],
    work
  },
  {
    title: 'bytes for which a large document counts as one',
    unit: 'ms for all',
    constant: { file, name: 'PIECE', values: [256, 1024, 4096, 32768, '1 << 30'] },
    subjects: ['10 of 20 KB', '10 of 200 KB', '10 of 2000 KB', '100 of 200 KB'],
    work
  }
], __filename)
