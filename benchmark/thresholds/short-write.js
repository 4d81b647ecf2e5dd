'use strict'

const { measureThreshold } = require('../runner/threshold')

const COUNT = 256

/** Strings like in documents: of about the length, ASCII, all different. */
const strings = length => Array.from({ length: COUNT }, (_, i) => `${i}`.padEnd(length, 'abcdefghij').slice(0, length))

measureThreshold({
  title: 'strings of up to SHORT_WRITE units are written by a loop, longer ones natively',
  constant: { file: 'lib/utf8.js', name: 'SHORT_WRITE', values: [0, 8, 16, 24, 32, 48, 64] },
  subjects: ['4 characters', '12', '20', '28', '40', '56'],
  work(subject) {
    const { putUtf8 } = require('../../lib/utf8')
    const buf = Buffer.alloc(4096)
    const texts = strings(parseInt(subject, 10))
    return {
      ops: COUNT,
      run() {
        for (let i = 0; i < COUNT; i++) putUtf8(texts[i], buf, i)
      }
    }
  }
}, __filename)
