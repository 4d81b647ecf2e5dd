'use strict'

// How deserialize reads its options: the constant of lib/compat/read-options.js.

const { measureThresholds } = require('../runner/threshold')

/** Enough that every sample includes the garbage collections that such objects cause. */
const COUNT = 10_000

/** The options of a cursor of the official driver. */
const CURSOR = {
  readPreference: {}, fieldsAsRaw: {}, useBigInt64: false, promoteValues: true, promoteBuffers: false, promoteLongs: true,
  serializeFunctions: false, ignoreUndefined: false, bsonRegExp: false, raw: false, enableUtf8Validation: true,
  tailable: undefined, awaitData: undefined, validation: { utf8: true }
}

const options = {
  'a new object each': index => ({ ...CURSOR, index, allowObjectSmallerThanBufferSize: true }),
  'the same object': () => CURSOR
}

function work(subject) {
  const { deserialize, serialize } = require('../../qbson')
  const inputs = Array.from({ length: COUNT }, (_, n) => serialize({ n, text: `text ${n}` }))
  const kept = new Array(64)
  const make = options[subject]
  return {
    ops: inputs.length,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i % 64] = deserialize(inputs[i], make(0))
    }
  }
}

measureThresholds([
  {
    title: 'versions of V8 before which options are copied: on Node 20 with 12 and 99, on later ones with 99',
    constant: { file: 'lib/compat/read-options.js', name: 'SAME_CLASS', values: [0, 12, 99] },
    subjects: Object.keys(options),
    work
  }
], __filename)
