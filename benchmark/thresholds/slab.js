'use strict'

// Where results are written: the constants of lib/output.js.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

measureThresholds([
  {
    title: 'bytes of a slab for results',
    constant: { file: 'lib/output.js', name: 'SLAB_SIZE', values: [2048, 4096, 8192, 16384, 32768, 65536] },
    subjects: ['encode small', 'encode sensor', 'encode order'],
    work
  },
  {
    title: 'a document starts on a slab only where so many bytes are left',
    constant: { file: 'lib/output.js', name: 'SLAB_RESERVE', values: [64, 256, 512, 1024, 2048] },
    subjects: ['encode small', 'encode sensor', 'encode order'],
    work
  },
  {
    title: 'results up to so many bytes may live on a slab',
    constant: { file: 'lib/output.js', name: 'SLAB_MAX_RESULT', values: [256, 1024, 2048, 4096, 8192] },
    subjects: ['encode order', 'encode dictionary', 'encode wide'],
    work
  },
  {
    title: 'strings up to so many units reserve three bytes each',
    constant: { file: 'lib/output.js', name: 'MEASURED_STRING', values: [64, 512, 4096, 16384] },
    subjects: ['encode post', 'encode log'],
    work
  },
  {
    title: 'a scratch larger than so many bytes is not kept',
    constant: { file: 'lib/output.js', name: 'SCRATCH_KEEP', values: ['1 << 12', '1 << 16', '1 << 20', '1 << 24'] },
    subjects: ['encode ints', 'encode doubles'],
    work
  }
], __filename)
