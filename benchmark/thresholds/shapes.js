'use strict'

// Learning of shapes: the constants of lib/shapes/.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

measureThresholds([
  {
    title: 'documents of a shape before a function is compiled for it',
    constant: { file: 'lib/shapes/shape.js', name: 'HOT', values: [1, 2, 4, 8, 16, 64, 1000000] },
    subjects: ['decode small', 'decode event', 'decode all', 'encode event', 'encode all'],
    work
  },
  {
    title: 'values of new types before a function is compiled again',
    constant: { file: 'lib/shapes/shape.js', name: 'SURPRISES', values: [1, 4, 16, 64] },
    subjects: ['decode event', 'encode event', 'encode types that change'],
    work
  },
  {
    title: 'how often a shape may be compiled',
    constant: { file: 'lib/shapes/shape.js', name: 'MAX_COMPILATIONS', values: [1, 2, 4, 16] },
    subjects: ['decode event', 'encode event', 'encode types that change'],
    work
  },
  {
    title: 'misses after which a place expects no shape',
    constant: { file: 'lib/shapes/shape.js', name: 'MAX_MISSES', values: [4, 16, 32, 128] },
    subjects: ['decode event', 'encode event', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'documents of one shape in a row before it is expected again',
    constant: { file: 'lib/shapes/shape.js', name: 'STREAK', values: [2, 8, 16, 64] },
    subjects: ['decode event', 'encode event', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys that may follow one another at one place',
    constant: { file: 'lib/shapes/tree.js', name: 'MAX_CHILDREN', values: [8, 32, 64, 256] },
    subjects: ['decode event', 'decode dictionary', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys that may be the first',
    constant: { file: 'lib/shapes/tree.js', name: 'MAX_FIRST_KEYS', values: [64, 256, 512, 2048] },
    subjects: ['decode all', 'decode different keys', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys that are compared one by one before they are hashed',
    constant: { file: 'lib/shapes/tree.js', name: 'FEW_CHILDREN', values: [2, 6, 12, 24] },
    subjects: ['decode event', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys of a shape that is learned',
    constant: { file: 'lib/shapes/tree.js', name: 'MAX_KEYS', values: [64, 128, 256, 512] },
    subjects: ['decode wide', 'encode wide', 'decode dictionary'],
    work
  },
  {
    title: 'nodes of all shapes',
    constant: { file: 'lib/shapes/tree.js', name: 'MAX_NODES', values: [512, 1024, 4096, 16384] },
    subjects: ['decode all', 'decode different keys', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'keys of a shape that a reader is compiled for',
    constant: { file: 'lib/shapes/reader.js', name: 'MAX_COMPILED_KEYS', values: [50, 100, 200, 400] },
    subjects: ['decode wide', 'decode order'],
    work
  },
  {
    title: 'keys of a shape that a writer is compiled for',
    constant: { file: 'lib/shapes/writer.js', name: 'MAX_COMPILED_KEYS', values: [50, 100, 200, 400] },
    subjects: ['encode wide', 'encode order'],
    work
  }
], __filename)
