'use strict'

const { measureThreshold } = require('../runner/threshold')
const { work } = require('./works')

measureThreshold({
  title: 'bytes of the window that strings are cut from',
  constant: { file: 'lib/shapes/text.js', name: 'WINDOW', values: [128, 256, 512, 1024, 2048, 4096] },
  subjects: ['decode order', 'decode log', 'decode post', 'decode wide'],
  work
}, __filename)
