'use strict'

// Trails to fields that are read repeatedly: the constants of lib/raw/trail.js.

const { measureThresholds } = require('../runner/threshold')
const { timeOf } = require('../runner/measure')
const { bytesOf, each } = require('./raw-works')

const trail = 'lib/raw/trail.js'

/** `field 20`: the 20th field of documents with 400; `, first 100`: times the first 100 searches once. */
function get(subject) {
  const { RawDocument } = require('../../qbson')
  const field = `field_${subject.match(/\d+/)[0]}`
  const inputs = bytesOf(400)
  const [, count] = subject.match(/first (\d+)/) ?? []
  if (count === undefined) return each(inputs, bytes => new RawDocument(bytes).get(field))
  return {
    once: () => timeOf(() => {
      for (let i = 0; i < Number(count); i++) new RawDocument(inputs[i % 64]).get(field)
    }).seconds * 1e9 / Number(count)
  }
}

/** `10 fields`: 10 different fields in turn. */
function getSeveral(subject) {
  if (subject.startsWith('field')) return get(subject)
  const { RawDocument } = require('../../qbson')
  const count = parseInt(subject, 10)
  const fields = Array.from({ length: count }, (_, i) => `field_${20 + i}`)
  const inputs = Array.from({ length: 10 }, () => bytesOf(100)).flat()
  return each(inputs, (bytes, i) => new RawDocument(bytes).get(fields[i % count]))
}

/** `3 kinds`: the documents of one kind after those of another; timed after all kinds but the last are done. */
function getOfKinds(subject) {
  const { RawDocument } = require('../../qbson')
  const kinds = parseInt(subject, 10)
  const inputs = Array.from({ length: kinds }, (_, i) => bytesOf(60, 30 - i))
  for (const kind of inputs.slice(0, -1)) {
    for (let i = 0; i < 2000; i++) new RawDocument(kind[i % 64]).get('field_60')
  }
  return each(inputs.at(-1), bytes => new RawDocument(bytes).get('field_60'))
}

/** `2 in turn`, `1 of 10 differs`: documents of several kinds, mixed. */
function getMixed(subject) {
  const { RawDocument } = require('../../qbson')
  const [count] = subject.match(/\d+ (?=in turn)/) ?? [10]
  const kinds = Array.from({ length: Number(count) }, (_, i) => bytesOf(60, 30 - i))
  const kindOf = n => subject.endsWith('in turn') ? n % count : n % 10 === 9 ? 1 : 0
  const inputs = Array.from({ length: 320 }, (_, n) => kinds[kindOf(n)][n % 64])
  return each(inputs, bytes => new RawDocument(bytes).get('field_60'))
}

measureThresholds([
  {
    title: 'searches before a trail is compiled',
    constant: { file: trail, name: 'HOT', values: [200, 5000, 20000, 'Infinity'] },
    subjects: ['field 20', 'field 100', 'field 20, first 100', 'field 20, first 1000', 'field 20, first 30000'],
    work: get
  },
  {
    title: 'bytes up to a field that is near enough',
    constant: { file: trail, name: 'NEAR', values: [0, 100, 200, 1000] },
    subjects: ['field 2', 'field 5', 'field 10', 'field 50'],
    work: get
  },
  {
    title: 'elements before a field to which a trail is compiled',
    constant: { file: trail, name: 'MAX_ELEMENTS', values: [50, 150, 250, 400] },
    subjects: ['field 80', 'field 140', 'field 200', 'field 240', 'field 300'],
    work: get
  },
  {
    title: 'trails in all',
    constant: { file: trail, name: 'MAX_TRAILS', values: [0, 16, 100] },
    subjects: ['field 20', '10 fields', '60 fields'],
    work: getSeveral
  },
  {
    title: 'searches that a trail may miss',
    constant: { file: trail, name: 'MAX_MISSES', values: [0, 50, 5000] },
    subjects: ['1 of 10 differs', '2 in turn', '2 kinds, one after another'],
    work: (subject, ...rest) => subject.endsWith('another') ? getOfKinds(subject, ...rest) : getMixed(subject, ...rest)
  },
  {
    title: 'trails given up before it is final',
    constant: { file: trail, name: 'MAX_ROUNDS', values: [1, 3, 10] },
    subjects: ['2 kinds, one after another', '3 kinds, one after another', '6 kinds, one after another'],
    work: getOfKinds
  }
], __filename)
