'use strict'

const { measureThreshold } = require('../runner/threshold')
const { work } = require('./works')

measureThreshold({
  title: 'documents of a shape before a function is compiled for it',
  constant: { file: 'lib/shapes/shape.js', name: 'HOT', values: [1, 2, 4, 8, 16, 64, 1000000] },
  subjects: ['decode small', 'decode event', 'decode all', 'encode event', 'encode all'],
  work
}, __filename)
