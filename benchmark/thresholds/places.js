'use strict'

// When a place expects a shape, and when no longer: constants of lib/shapes/shape.js. A document that was not the
// expected one costs a look at its first keys; one that was saves the search through the tree.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

const file = 'lib/shapes/shape.js'

measureThresholds([
  {
    title: 'misses after which a place expects no shape',
    constant: { file, name: 'MAX_MISSES', values: [2, 8, 32, 128, 1000000] },
    subjects: ['decode one of 10 is rare', 'decode 2 shapes in runs of 50', 'decode 2 shapes in turn', 'decode 10 shapes in turn',
      'encode 10 shapes in turn'],
    work
  },
  {
    title: 'documents of one shape in a row before it is expected again',
    constant: { file, name: 'STREAK', values: [1, 4, 16, 64, 1000000] },
    subjects: ['decode one of 10 is rare', 'decode 2 shapes in runs of 5', 'decode 2 shapes in runs of 50',
      'decode 2 shapes in runs of 500', 'encode 2 shapes in runs of 50'],
    work
  }
], __filename)
