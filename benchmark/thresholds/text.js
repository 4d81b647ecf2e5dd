'use strict'

// Strings out of documents: the constants of lib/shapes/text.js and short-text.js.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

measureThresholds([
  {
    title: 'bytes of the window that strings are cut from',
    constant: { file: 'lib/shapes/text.js', name: 'WINDOW', values: [128, 256, 512, 1024, 2048, 4096] },
    subjects: ['decode order', 'decode log', 'decode post', 'decode wide'],
    work
  },
  {
    title: 'strings longer than so many bytes are read by a call of their own',
    constant: { file: 'lib/shapes/text.js', name: 'LONG', values: [16, 32, 64, 128, 256] },
    subjects: ['decode order', 'decode log', 'decode post'],
    work
  },
  {
    title: 'strings of up to so many bytes are made of their characters',
    constant: { file: 'lib/shapes/short-text.js', name: 'SHORT', values: [0, 4, 8, 12, 16] },
    subjects: ['decode small', 'decode order', 'decode wide'],
    work
  }
], __filename)
