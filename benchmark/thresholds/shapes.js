'use strict'

// When a shape is worth compiling: constants of lib/shapes/shape.js. They decide about the first documents
// that are learned from, so these are what is timed; cold-start.js has the same with real documents and next to bson.

const { measureThresholds } = require('../runner/threshold')
const { life, work } = require('./works')

const file = 'lib/shapes/shape.js'

/** `…, first 2000` is timed once, everything else in the long run. */
const workOf = (subject, ...rest) => subject.includes(', first ') ? life(subject, ...rest) : work(subject, ...rest)

measureThresholds([
  {
    title: 'documents of a shape before the object literal is compiled for it',
    constant: { file, name: 'WARM', values: [1, 8, 32, 99] },
    subjects: ['decode 400 shapes in turn, first 8000', 'decode 40 shapes in turn, first 2000', 'decode 5 shapes in turn, first 400'],
    work: life
  },
  {
    title: 'documents in which a shape must get warm for that',
    constant: { file, name: 'WARM_WINDOW', values: ['0', '10 * WARM', '100 * WARM', '10000 * WARM'] },
    subjects: ['decode 60 shapes at random, first 20000', 'decode 400 shapes at random, first 20000', 'decode 400 shapes at random'],
    work: workOf
  },
  {
    title: 'documents of a shape before a function is compiled for it',
    constant: { file, name: 'HOT', values: [4, 100, 400, 1000000] },
    subjects: ['decode sensor, first 2000', 'decode event, first 4000', 'decode event, first 40000', 'decode 10 shapes in turn'],
    work: workOf
  },
  {
    title: 'documents in which a shape must get hot to be compiled',
    constant: { file, name: 'HOT_WINDOW', values: ['0', '10 * HOT', '40 * HOT', '160 * HOT'] },
    subjects: ['decode 5 shapes in turn', 'decode 20 shapes in turn', 'decode 35 shapes in turn', 'decode 60 shapes in turn',
      'encode 35 shapes in turn', 'encode 60 shapes in turn', 'decode 35 shapes in turn, first 20000'],
    work: workOf
  }
], __filename)
