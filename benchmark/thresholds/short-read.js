'use strict'

const { measureThreshold } = require('../runner/threshold')

const COUNT = 256

measureThreshold({
  title: 'strings of up to SHORT_READ bytes are read by a loop, longer ones natively',
  constant: { file: 'lib/utf8.js', name: 'SHORT_READ', values: [0, 4, 7, 10, 14, 18, 24] },
  subjects: ['3 characters', '6', '9', '12', '16', '22'],
  work(subject) {
    const { getUtf8 } = require('../../lib/utf8')
    const length = parseInt(subject, 10)
    const buf = Buffer.from(Array.from({ length: COUNT }, (_, i) => `${i}`.padEnd(length, 'abcdefghij').slice(0, length)).join(''))
    const kept = new Array(COUNT)
    return {
      ops: COUNT,
      run() {
        for (let i = 0; i < COUNT; i++) kept[i] = getUtf8(buf, i * length, (i + 1) * length)
      }
    }
  }
}, __filename)
