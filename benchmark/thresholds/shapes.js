'use strict'

// When a shape is learned, compiled and expected: the constants of lib/shapes/shape.js.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

const file = 'lib/shapes/shape.js'

measureThresholds([
  {
    title: 'documents of a shape before the object literal is compiled for it',
    constant: { file, name: 'WARM', values: [1, 2, 8, 32] },
    subjects: ['decode event', 'decode all', 'decode a thousand shapes', 'decode different keys'],
    work
  },
  {
    title: 'documents of a shape before a function is compiled for it',
    constant: { file, name: 'HOT', values: [4, 16, 50, 100, 400, 1000000] },
    subjects: ['decode small', 'decode event', 'decode all', 'encode event', 'encode all'],
    work
  },
  {
    title: 'documents in which a shape must get hot to be compiled',
    constant: { file, name: 'HOT_WINDOW', values: ['4 * HOT', '40 * HOT', '400 * HOT', '4000 * HOT'] },
    subjects: ['decode all', 'encode all', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'values of new types before a function is compiled again',
    constant: { file, name: 'SURPRISES', values: [1, 4, 16, 64] },
    subjects: ['decode event', 'encode event', 'encode types that change', 'decode types that change'],
    work
  },
  {
    title: 'how often a shape may be compiled',
    constant: { file, name: 'MAX_COMPILATIONS', values: [1, 2, 4, 16] },
    subjects: ['decode event', 'encode event', 'encode types that change', 'decode types that change'],
    work
  },
  {
    title: 'misses after which a place expects no shape',
    constant: { file, name: 'MAX_MISSES', values: [4, 16, 32, 128] },
    subjects: ['decode event', 'encode event', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'documents of one shape in a row before it is expected again',
    constant: { file, name: 'STREAK', values: [2, 8, 16, 64] },
    subjects: ['decode event', 'encode event', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  }
], __filename)
