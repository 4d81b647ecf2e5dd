'use strict'

// Documents in bytes: the constants of lib/raw/path.js and lib/raw/project.js. MAX_KEYS is in
// depth.js.

const { measureThresholds } = require('../runner/threshold')
const { bytesOf, each } = require('./raw-works')

/** `20 bytes`: documents with binaries of 20 bytes; takes every other one. */
function copy(subject) {
  const { encode, RawDocument } = require('../../qbson')
  const size = parseInt(subject, 10)
  const names = Array.from({ length: 12 }, (_, i) => `field_${i}`)
  const inputs = Array.from({ length: 64 }, (_, n) => encode(Object.fromEntries(names.map(name => [name, Buffer.alloc(size, n)]))))
  const paths = names.filter((_, i) => i % 2 === 0)
  return each(inputs, bytes => new RawDocument(bytes).pick(paths).bytes)
}

/** `100 paths`: 100 different paths in turn. */
function paths(subject) {
  const { RawDocument } = require('../../qbson')
  const count = parseInt(subject, 10)
  const [bytes] = bytesOf(10)
  const all = Array.from({ length: count }, (_, i) => `field_${i % 10}.part.${i}`)
  return each(all, path => new RawDocument(bytes).has(path))
}

/** `path of 60`: units. */
function longPath(subject) {
  const { RawDocument } = require('../../qbson')
  const [bytes] = bytesOf(10)
  const path = `field_2.${'part.'.repeat(200)}`.slice(0, parseInt(subject.split(' ')[2], 10) - 1) + 'x'
  return each(new Array(64).fill(bytes), input => new RawDocument(input).has(path))
}

measureThresholds([
  {
    title: 'bytes of a range that is copied by a loop',
    constant: { file: 'lib/bytes/memory.js', name: 'SHORT_COPY', values: [0, 24, 48, 96, 256] },
    subjects: ['8 bytes', '60 bytes', '250 bytes'],
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
