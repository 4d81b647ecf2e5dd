'use strict'

// Random bytes for UUIDs, requested many at a time: the constant of lib/types/random-bytes.js.

const { measureThresholds } = require('../runner/threshold')

const COUNT = 1000

measureThresholds([{
  title: 'random bytes drawn at a time',
  constant: { file: 'lib/types/random-bytes.js', name: 'POOL_SIZE', values: [64, 256, 1024, 4096, 16384] },
  subjects: ['16 bytes', 'UUID'],
  work(subject) {
    const { UUID } = require('../../qbson')
    const { randomBytes } = require('../../lib/types/random-bytes')
    const make = subject === 'UUID' ? () => new UUID() : () => randomBytes(16)
    const kept = new Array(COUNT)
    return {
      ops: COUNT,
      run() {
        for (let i = 0; i < COUNT; i++) kept[i] = make()
      }
    }
  }
}], __filename)
