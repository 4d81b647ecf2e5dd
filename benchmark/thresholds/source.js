'use strict'

// How documents and lists of int32s are read: constants of lib/decode/. Each document is in a Buffer of its own, as
// from a network; with `again` the same Buffers are reused, and with `in one` all are in one Buffer, as in a reply.

const { measureThresholds } = require('../runner/threshold')
const { times } = require('./works')

/** A document of about this many bytes. */
function documentOf(bytes, n) {
  if (bytes < 20) return { a: n }
  if (bytes < 200) return { _id: n, name: `name ${n}`, total: n / 2, ok: true, state: 'a little text' }
  return { _id: n, items: times(Math.ceil(bytes / 80), i => ({ number: i, name: `name ${i + n}`, total: i / 2, text: 'a little text' })) }
}

/** `400 bytes`, `8000 bytes, again`, `400 bytes, in one` */
function work(subject) {
  const { encode, decode } = require('../../qbson')
  const size = parseInt(subject, 10)
  const count = Math.max(20, Math.min(1000, Math.floor(2e6 / size)))
  const inputs = times(count, n => encode(documentOf(size, n)))
  const memory = Buffer.concat(inputs)
  const offsets = inputs.map((_, i) => inputs.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  const sizes = inputs.map(({ length }) => length)
  const options = { index: 0, allowObjectSmallerThanBufferSize: true }
  const ways = {
    again: i => decode(inputs[i]),
    'in one': i => decode(memory, Object.assign(options, { index: offsets[i] })),
    'in its own': i => decode(memory.subarray(offsets[i], offsets[i] + sizes[i]))
  }
  const read = ways[subject.split(', ')[1] ?? 'in its own']
  const kept = new Array(64)
  return {
    ops: count,
    warmUp: 3,
    run() {
      for (let i = 0; i < count; i++) kept[i & 63] = read(i)
    }
  }
}

/** `40 int32s`, `40 int32s and a text` */
function workOnLists(subject) {
  const { encode, decode } = require('../../qbson')
  const length = parseInt(subject, 10)
  const count = Math.max(20, Math.min(1000, Math.floor(1e5 / length)))
  const last = subject.endsWith('text') ? ['text'] : []
  const inputs = times(count, n => encode({ list: [...times(length, i => i * n), ...last] }))
  const kept = new Array(64)
  return {
    ops: count,
    warmUp: 3,
    run() {
      for (let i = 0; i < count; i++) kept[i & 63] = decode(inputs[i])
    }
  }
}

measureThresholds([
  {
    title: 'documents of up to this many bytes are copied to memory that has a DataView',
    constant: { file: 'lib/decode/views.js', name: 'COPIED', values: [0, 64, 512, 2048, 8192, 65536] },
    subjects: ['12 bytes', '100 bytes', '400 bytes', '2000 bytes', '8000 bytes', '32000 bytes', '400 bytes, again', '32000 bytes, again', '400 bytes, in one'],
    work
  },
  {
    title: 'lists of int32s with more bytes are read by a separate loop',
    constant: { file: 'lib/decode/read.js', name: 'LONG', values: [0, 64, 256, 1024, 1e9] },
    subjects: ['4 int32s', '20 int32s', '100 int32s', '1000 int32s', '20 int32s and a text', '100 int32s and a text'],
    work: workOnLists
  }
], __filename)
