'use strict'

// Strings from documents: the constants of lib/bytes/utf8/text.js.

const vm = require('node:vm')
const { measureThresholds } = require('../runner/threshold')
const { times, work } = require('./works')

const SHORT = { file: 'lib/bytes/utf8/text.js', name: 'SHORT' }

/** Ways to make a string of a given length. The first is that of lib/bytes/utf8/text.js, without the lookup by length. */
const WAYS = {
  'characters written out': length => {
    const bytes = times(length, i => `const b${i} = buf[p + ${i}]`).join('; ')
    const names = times(length, i => `b${i}`)
    const { getUtf8 } = require('../../lib/bytes/utf8')
    return vm.runInThisContext(`(getUtf8, chars) => (buf, p) => {
      ${bytes}
      return (${names.join(' | ')}) < 0x80 ? chars(${names.join()}) : getUtf8(buf, p, p + ${length})
    }`)(getUtf8, String.fromCharCode)
  },
  'native': length => {
    const { getUtf8 } = require('../../lib/bytes/utf8')
    return (buf, p) => getUtf8(buf, p, p + length)
  }
}

function ways(subject, way) {
  const length = parseInt(subject, 10)
  const get = WAYS[way](length)
  const count = Math.floor(1000 / length)
  const inputs = times(20, n => Buffer.from(times(count, i => `${n * i}`.padEnd(length, 'abcdefghij').slice(0, length)).join('')))
  const kept = new Array(count)
  let turn = 0
  return {
    ops: count,
    run() {
      const buf = inputs[++turn % 20]
      for (let i = 0; i < count; i++) kept[i] = get(buf, i * length)
    }
  }
}

measureThresholds([
  {
    title: 'strings of up to this many bytes are made from their characters',
    constant: { ...SHORT, values: [0, 4, 8, 12] },
    subjects: ['decode small', 'decode order', 'decode wide'],
    work
  },
  {
    title: 'the same without documents: up to MIDDLE in functions made for a shape',
    variants: Object.keys(WAYS),
    subjects: ['4 bytes', '8 bytes', '12 bytes', '16 bytes', '20 bytes', '24 bytes'],
    work: ways
  }
], __filename)
