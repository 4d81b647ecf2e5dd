'use strict'

// Output buffers: the constants of lib/encode/output.js.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

measureThresholds([
  {
    title: 'bytes of a chunk for small results',
    constant: { file: 'lib/encode/output.js', name: 'CHUNK_SIZE', values: [1016, 2040, 4088] },
    subjects: ['encode small', 'encode sensor'],
    work
  },
  {
    title: 'a document starts in a chunk only if this many bytes are left',
    constant: { file: 'lib/encode/output.js', name: 'CHUNK_RESERVE', values: [64, 256, 512, 1024, 2048] },
    subjects: ['encode small', 'encode sensor'],
    work
  },
  {
    title: 'documents start in a chunk after results of up to this many bytes',
    constant: { file: 'lib/encode/output.js', name: 'CHUNK_RESULT', values: [0, 128, 256, 512, 1024, 4096] },
    subjects: ['encode small', 'encode sensor', 'encode order'],
    work
  },
  {
    title: 'strings up to this many units reserve three bytes each',
    constant: { file: 'lib/encode/put.js', name: 'MEASURED_STRING', values: [64, 512, 4096, 16384] },
    subjects: ['encode post', 'encode log'],
    work
  },
  {
    title: 'a scratch larger than this many bytes is kept until memory is collected',
    constant: { file: 'lib/encode/output.js', name: 'SCRATCH_KEEP', values: ['1 << 12', '1 << 16', '1 << 20', '1 << 24'] },
    subjects: ['encode ints', 'encode doubles'],
    work
  },
  {
    title: 'a scratch of more than this many bytes is the large one that was kept',
    constant: { file: 'lib/encode/output.js', name: 'LARGE', values: ['1 << 12', '1 << 16', '1 << 20'] },
    subjects: ['encode ints', 'encode doubles'],
    work
  }
], __filename)
