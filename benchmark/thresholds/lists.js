'use strict'

// Arrays that are read like shapes: the constants of lib/shapes/read-site.js.

const { measureThresholds } = require('../runner/threshold')
const { life, work } = require('./works')

const file = 'lib/shapes/read-site.js'

measureThresholds([
  {
    title: 'arrays of as many items in a row before a reader is compiled',
    constant: { file, name: 'HOT_LIST', values: [5, 25, 100, 400, 1000000] },
    subjects: ['decode lists of 2, first 500', 'decode lists of 2, first 20000', 'decode order, first 2000', 'decode tree, first 2000'],
    work: life
  },
  {
    title: 'items of an array that is read like a shape',
    constant: { file, name: 'MAX_LIST', values: [0, 2, 4, 8, 10] },
    subjects: ['decode lists of 2', 'decode lists of 4', 'decode lists of 8', 'decode lists of 10', 'decode order'],
    work
  }
], __filename)
