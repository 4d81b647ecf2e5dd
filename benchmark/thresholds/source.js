'use strict'

// What documents are read from: the constant of lib/decode/reader.js. Each document comes in a Buffer of its own, as
// from a network, but for `again`: the same Buffers once more.

const { measureThresholds } = require('../runner/threshold')
const { times } = require('./works')

/** A document of about so many bytes. */
function documentOf(bytes, n) {
  if (bytes < 20) return { a: n }
  if (bytes < 200) return { _id: n, name: `name ${n}`, total: n / 2, ok: true, state: 'a little text' }
  return { _id: n, items: times(Math.ceil(bytes / 80), i => ({ number: i, name: `name ${i + n}`, total: i / 2, text: 'a little text' })) }
}

/** `400 bytes`, `8000 bytes, again` */
function work(subject) {
  const { encode, decode } = require('../..')
  const size = parseInt(subject, 10)
  const count = Math.max(20, Math.min(1000, Math.floor(2e6 / size)))
  const inputs = times(count, n => encode(documentOf(size, n)))
  const memory = Buffer.concat(inputs)
  const offsets = inputs.map((_, i) => inputs.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  const sizes = inputs.map(({ length }) => length)
  const isAgain = subject.endsWith('again')
  const kept = new Array(64)
  return {
    ops: count,
    warmUp: 3,
    run() {
      for (let i = 0; i < count; i++) {
        kept[i & 63] = decode(isAgain ? inputs[i] : memory.subarray(offsets[i], offsets[i] + sizes[i]))
      }
    }
  }
}

measureThresholds([{
  title: 'documents of up to so many bytes are copied to where there is a DataView of them',
  constant: { file: 'lib/decode/views.js', name: 'COPIED', values: [0, 64, 512, 2048, 8192, 65536] },
  subjects: ['12 bytes', '100 bytes', '400 bytes', '2000 bytes', '8000 bytes', '32000 bytes', '400 bytes, again', '32000 bytes, again'],
  work
}], __filename)
