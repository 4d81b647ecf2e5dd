'use strict'

const { measureThreshold } = require('../runner/threshold')
const { work } = require('./works')

measureThreshold({
  title: 'strings longer than LONG bytes are read by a call of their own',
  constant: { file: 'lib/shapes/text.js', name: 'LONG', values: [16, 32, 64, 128, 256] },
  subjects: ['decode order', 'decode log', 'decode post'],
  work
}, __filename)
