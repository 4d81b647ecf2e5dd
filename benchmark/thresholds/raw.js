'use strict'

// Fields found in bytes: the constants of lib/raw.js and lib/raw/.

const { measureThresholds } = require('../runner/threshold')

const trail = 'lib/raw/trail.js'

/** Documents of so many fields, their names of one length, values of several types. */
function bytesOf(fields, offset = 0) {
  const { encode } = require('../..')
  return Array.from({ length: 64 }, (_, n) => {
    const value = i => i % 3 === 0 ? n + i : i % 3 === 1 ? `text ${n}` : n + 0.5
    return encode(Object.fromEntries(Array.from({ length: fields }, (_, i) => [`field_${i + offset}`, value(i)])))
  })
}

function each(inputs, operate) {
  const kept = new Array(inputs.length)
  return {
    ops: inputs.length,
    warmUp: 2,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i] = operate(inputs[i], i)
    }
  }
}

/** `field 20`: the field of that number, in documents of 400. */
function get(subject) {
  const { RawDocument } = require('../..')
  const field = `field_${subject.split(' ')[1]}`
  return each(bytesOf(400), bytes => new RawDocument(bytes).get(field))
}

/** `2 kinds`: the same field, behind other ones in documents of each kind. */
function getOfKinds(subject) {
  const { RawDocument } = require('../..')
  const kinds = parseInt(subject, 10)
  const inputs = Array.from({ length: kinds }, (_, i) => bytesOf(40 + i, 30 - i)).flatMap((list, i) =>
    list.map((bytes, n) => ({ bytes, order: n * kinds + i })))
  const inTurn = inputs.sort((a, b) => a.order - b.order).map(({ bytes }) => bytes)
  return each(inTurn, bytes => new RawDocument(bytes).get('field_60'))
}

/** `3 of 150`: so many fields of so many. */
function pick(subject) {
  const { RawDocument } = require('../..')
  const [count, fields] = subject.split(' of ').map(Number)
  const paths = Array.from({ length: count }, (_, i) => `field_${Math.floor((i + 0.5) * fields / count)}`)
  return each(bytesOf(fields), bytes => new RawDocument(bytes).pick(paths).bytes)
}

/** `20 bytes`: documents with binaries of so many bytes, every other one taken. */
function copy(subject) {
  const { encode, RawDocument } = require('../..')
  const size = parseInt(subject, 10)
  const names = Array.from({ length: 12 }, (_, i) => `field_${i}`)
  const inputs = Array.from({ length: 64 }, (_, n) => encode(Object.fromEntries(names.map(name => [name, Buffer.alloc(size, n)]))))
  const paths = names.filter((_, i) => i % 2 === 0)
  return each(inputs, bytes => new RawDocument(bytes).pick(paths).bytes)
}

/** `100 paths`: so many different ones in turn. */
function paths(subject) {
  const { RawDocument } = require('../..')
  const count = parseInt(subject, 10)
  const [bytes] = bytesOf(10)
  const all = Array.from({ length: count }, (_, i) => `field_${i % 10}.part.${i}`)
  return each(all, path => new RawDocument(bytes).has(path))
}

/** `path of 60`: units. */
function longPath(subject) {
  const { RawDocument } = require('../..')
  const [bytes] = bytesOf(10)
  const path = `field_2.${'part.'.repeat(200)}`.slice(0, parseInt(subject.split(' ')[2], 10) - 1) + 'x'
  return each(new Array(64).fill(bytes), input => new RawDocument(input).has(path))
}

measureThresholds([
  {
    title: 'so many fields are picked by finding each by itself',
    constant: { file: 'lib/raw.js', name: 'FEW', values: [0, 2, 4, 8, 16] },
    subjects: ['2 of 150', '4 of 150', '8 of 150', '16 of 150', '4 of 12'],
    work: pick
  },
  {
    title: 'searches before a way is compiled',
    constant: { file: trail, name: 'HOT', values: [10, 200, 1000, 'Infinity'] },
    subjects: ['field 8', 'field 20', 'field 100', 'field 240'],
    work: get
  },
  {
    title: 'bytes up to a field that is near enough',
    constant: { file: trail, name: 'NEAR', values: [0, 50, 100, 200, 1000] },
    subjects: ['field 2', 'field 5', 'field 10', 'field 20', 'field 50'],
    work: get
  },
  {
    title: 'elements before a field that a way is compiled to',
    constant: { file: trail, name: 'MAX_ELEMENTS', values: [50, 100, 250, 400] },
    subjects: ['field 80', 'field 200', 'field 300', 'field 390'],
    work: get
  },
  {
    title: 'ways in all',
    constant: { file: trail, name: 'MAX_TRAILS', values: [0, 10, 100, 1000] },
    subjects: ['field 20', 'field 100'],
    work: get
  },
  {
    title: 'searches that a way may miss',
    constant: { file: trail, name: 'MAX_MISSES', values: [5, 50, 500] },
    subjects: ['1 kinds', '2 kinds', '8 kinds'],
    work: getOfKinds
  },
  {
    title: 'ways given up before it is for good',
    constant: { file: trail, name: 'MAX_ROUNDS', values: [1, 3, 10] },
    subjects: ['1 kinds', '2 kinds', '8 kinds'],
    work: getOfKinds
  },
  {
    title: 'bytes of a range that is copied by a loop',
    constant: { file: 'lib/raw/project.js', name: 'SHORT_COPY', values: [0, 32, 64, 128, 256] },
    subjects: ['8 bytes', '30 bytes', '60 bytes', '120 bytes', '250 bytes'],
    work: copy
  },
  {
    title: 'paths that are remembered',
    constant: { file: 'lib/raw/path.js', name: 'CACHED_PATHS', values: [1, 50, 500, 5000] },
    subjects: ['20 paths', '200 paths', '2000 paths'],
    work: paths
  },
  {
    title: 'units of a path that is remembered',
    constant: { file: 'lib/raw/path.js', name: 'CACHED_LENGTH', values: [50, 200, 1000] },
    subjects: ['path of 30', 'path of 150', 'path of 600'],
    work: longPath
  }
], __filename)
