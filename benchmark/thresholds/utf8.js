'use strict'

// Strings in JavaScript or natively: the constant of lib/bytes/utf8/index.js.

const { measureThresholds } = require('../runner/threshold')

const COUNT = 256

/** Different ASCII strings of a given length. */
const strings = length => Array.from({ length: COUNT }, (_, i) => `${i}`.padEnd(length, 'abcdefghij').slice(0, length))

function write(subject) {
  const { putUtf8 } = require('../../lib/bytes/utf8')
  const buf = Buffer.alloc(4096)
  const texts = strings(parseInt(subject, 10))
  return {
    ops: COUNT,
    run() {
      for (let i = 0; i < COUNT; i++) putUtf8(texts[i], buf, i)
    }
  }
}

measureThresholds([
  {
    title: 'strings of up to this many units are written by a loop, longer ones natively',
    constant: { file: 'lib/bytes/utf8/index.js', name: 'SHORT_WRITE', values: [0, 8, 16, 24, 32, 48, 64] },
    subjects: ['4 characters', '12', '20', '28', '40', '56'],
    work: write
  }
], __filename)
