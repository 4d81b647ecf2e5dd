'use strict'

const { measureThreshold } = require('../runner/threshold')
const { work } = require('./works')

measureThreshold({
  title: 'results up to SLAB_MAX_RESULT bytes may live on the slab',
  constant: { file: 'lib/output.js', name: 'SLAB_MAX_RESULT', values: [256, 1024, 2048, 4096, 8192] },
  subjects: ['encode sensor', 'encode order', 'encode dictionary', 'encode wide'],
  work
}, __filename)
