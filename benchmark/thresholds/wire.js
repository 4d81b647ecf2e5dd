'use strict'

// Compressed messages: LARGEST_CHUNK of lib/wire/compression.js. A message may announce a larger size than it has; no
// more than one chunk should be allocated for it.

const zlib = require('node:zlib')
const { measureThresholds } = require('../runner/threshold')

const ZLIB = 2

/** `100 KB`; `1 KB that say 40,000 KB`: an error. */
function work(subject) {
  const { decompress } = require('../../lib/wire/compression')
  const [size, said = size] = subject.replaceAll(',', '').match(/\d+/g).map(digits => Number(digits) * 1024)
  const bytes = Buffer.alloc(size)
  for (let i = 0; i < size; i++) bytes[i] = i * i >> 7 & 0x3f
  const squeezed = zlib.deflateSync(bytes)
  return {
    ops: 1,
    run() {
      try {
        decompress(squeezed, ZLIB, said)
      } catch (error) {
        if (size === said) throw error
      }
    }
  }
}

measureThresholds([{
  title: 'bytes allocated at once because a message announces them',
  constant: { file: 'lib/wire/compression.js', name: 'LARGEST_CHUNK', values: ['1 << 12', '1 << 16', '1 << 20', '1 << 24', '1 << 26'] },
  subjects: ['10 KB', '100 KB', '1,000 KB', '10,000 KB', '1 KB that say 40,000 KB'],
  work
}], __filename)
