'use strict'

const { measureThreshold } = require('../runner/threshold')
const { work } = require('./works')

measureThreshold({
  title: 'bytes of a slab for results',
  constant: { file: 'lib/output.js', name: 'SLAB_SIZE', values: [2048, 4096, 8192, 16384, 32768, 65536] },
  subjects: ['encode small', 'encode sensor', 'encode order'],
  work
}, __filename)
