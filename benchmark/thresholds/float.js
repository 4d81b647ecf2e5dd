'use strict'

// Doubles out of bytes and into them: why lib/bytes/float.js reads by a table of powers of two and writes by a scratch.

const { measureThresholds } = require('../runner/threshold')

const COUNT = 1000

const scratch = new Uint8Array(8)
const scratchView = new DataView(scratch.buffer)

const get = {
  'table of powers': () => require('../../lib/bytes/float').getDouble,
  'stores into a scratch, load': () => (buf, offset) => {
    for (let i = 0; i < 8; i++) scratch[i] = buf[offset + i]
    return scratchView.getFloat64(0, true)
  },
  'DataView of the buffer, made each time': () => (buf, offset) =>
    new DataView(buf.buffer, buf.byteOffset, buf.byteLength).getFloat64(offset, true),
  'Buffer.readDoubleLE': () => (buf, offset) => buf.readDoubleLE(offset)
}

const put = {
  'stores into a scratch, load': () => require('../../lib/bytes/float').putDouble,
  'DataView of the buffer, made each time': () => (value, buf, offset) =>
    new DataView(buf.buffer, buf.byteOffset, buf.byteLength).setFloat64(offset, value, true),
  'Buffer.writeDoubleLE': () => (value, buf, offset) => buf.writeDoubleLE(value, offset)
}

const VALUES = {
  'prices': i => i * 0.37,
  'random': i => Math.sin(i) * 10 ** (i % 30 - 15),
  'zeros': i => i % 2 ? 0 : NaN
}

/** Sixteen buffers in turn, as documents are. */
function buffersOf(subject) {
  return Array.from({ length: 16 }, (_, n) => {
    const buf = Buffer.alloc(COUNT * 8)
    for (let i = 0; i < COUNT; i++) buf.writeDoubleLE(VALUES[subject](n + i), i * 8)
    return buf
  })
}

function read(subject, variant) {
  const operate = get[variant]()
  const buffers = buffersOf(subject)
  const sums = new Float64Array(16)
  let turn = 0
  return {
    ops: COUNT,
    run() {
      const buf = buffers[turn++ & 15]
      let sum = 0
      for (let i = 0; i < COUNT; i++) sum += operate(buf, i * 8)
      sums[turn & 15] = sum
    }
  }
}

function write(subject, variant) {
  const operate = put[variant]()
  const buffers = buffersOf(subject)
  const values = Array.from({ length: COUNT }, (_, i) => VALUES[subject](i))
  let turn = 0
  return {
    ops: COUNT,
    run() {
      const buf = buffers[turn++ & 15]
      for (let i = 0; i < COUNT; i++) operate(values[i], buf, i * 8)
    }
  }
}

measureThresholds([
  { title: 'getDouble', variants: Object.keys(get), subjects: Object.keys(VALUES), work: read },
  { title: 'putDouble', variants: Object.keys(put), subjects: Object.keys(VALUES), work: write }
], __filename)
