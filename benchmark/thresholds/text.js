'use strict'

// Strings out of documents: the constants of lib/shapes/text.js and short-text.js.

const vm = require('node:vm')
const { measureThresholds, replaceConstant } = require('../runner/threshold')
const { times, work } = require('./works')

/** Documents of twelve strings, every other one of the second length; `, 600 apart`: with binaries between them. */
function strings(subject) {
  const { encode, decode } = require('../..')
  require('../../lib/shapes').startLearning()
  const [, length, second = length, apart = 0] = /of (\d+)(?: and (\d+))?(?:, (\d+) apart)?$/.exec(subject)
  const text = (n, size) => `${n}`.padEnd(size, 'abcdefghij').slice(0, size)
  const inputs = times(100, n => encode(Object.fromEntries(times(12, i => [
    [`field${i}`, text(n + i, Number(i % 2 ? second : length))],
    ...apart > 0 ? [[`other${i}`, Buffer.alloc(Number(apart))]] : []
  ]).flat())))
  const kept = new Array(64)
  return {
    ops: inputs.length,
    warmUp: 4,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i % 64] = decode(inputs[i])
    }
  }
}

/** Bytes that one string of 20 characters of each of 2,000 documents of 4 KB keeps in memory. */
function keptBy() {
  const { encode, decode } = require('../..')
  require('../../lib/shapes').startLearning()
  const inputs = times(100, n => encode(Object.fromEntries(times(80, i => [`field${i}`, `a text of the number ${n + i}`]))))
  const names = new Array(2000).fill('')
  const used = () => {
    globalThis.gc()
    return process.memoryUsage().heapUsed
  }
  const keep = () => names.forEach((_, i) => (names[i] = decode(inputs[i % 100]).field40))
  return {
    once() {
      keep()
      names.fill('')
      const before = used()
      keep()
      return (used() - before) / names.length
    }
  }
}

const SHORT = { file: 'lib/shapes/short-text.js', name: 'SHORT' }

/** Ways to make a string of so many bytes. The first is as lib/shapes/short-text.js has it, but for the search by length. */
const WAYS = {
  'characters written out': length => {
    const bytes = times(length, i => `const b${i} = buf[p + ${i}]`).join('; ')
    const names = times(length, i => `b${i}`)
    const { getUtf8 } = require('../../lib/utf8')
    return vm.runInThisContext(`(getUtf8, chars) => (buf, view, p) => {
      ${bytes}
      return (${names.join(' | ')}) < 0x80 ? chars(${names.join()}) : getUtf8(buf, p, p + ${length})
    }`)(getUtf8, String.fromCharCode)
  },
  'cut from a window': length => {
    replaceConstant(SHORT, 0)
    const { beginText, getText } = require('../../lib/shapes/text')
    return (buf, view, p) => {
      if (p === 0) beginText(buf.length)
      return getText(buf, view, p, p + length)
    }
  },
  'native': length => {
    const { getUtf8 } = require('../../lib/utf8')
    return (buf, view, p) => getUtf8(buf, p, p + length)
  }
}

function ways(subject, way) {
  const length = parseInt(subject, 10)
  const get = WAYS[way](length)
  const count = Math.floor(1000 / length)
  const inputs = times(20, n => Buffer.from(times(count, i => `${n * i}`.padEnd(length, 'abcdefghij').slice(0, length)).join('')))
  const views = inputs.map(({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength))
  const kept = new Array(count)
  let turn = 0
  return {
    ops: count,
    run() {
      const buf = inputs[++turn % 20]
      const view = views[turn % 20]
      for (let i = 0; i < count; i++) kept[i] = get(buf, view, i * length)
    }
  }
}

const file = 'lib/shapes/text.js'

measureThresholds([
  {
    title: 'bytes of the window that strings are cut from',
    constant: { file, name: 'WINDOW', values: [128, 256, 1024, 4096] },
    subjects: ['strings of 20', 'strings of 40', 'strings of 20, 600 apart', 'strings of 20, 4000 apart'],
    work: strings
  },
  {
    title: 'the same: memory kept by one string of each document',
    unit: 'bytes a string',
    constant: { file, name: 'WINDOW', values: [128, 256, 1024, 4096] },
    flags: ['--expose-gc'],
    subjects: ['1 of 80'],
    work: keptBy
  },
  {
    title: 'no window is opened for strings longer than so many bytes',
    constant: { file, name: 'LONG', values: [16, 32, 64, 128, 256] },
    subjects: ['strings of 30', 'strings of 60', 'strings of 100', 'strings of 200', 'strings of 100, 600 apart'],
    work: strings
  },
  {
    title: 'strings longer than so many bytes are not cut out of a window either',
    constant: { file, name: 'LONGEST', values: [64, 128, 192, 256, 512] },
    subjects: ['strings of 20 and 100', 'strings of 20 and 200', 'strings of 20 and 400'],
    work: strings
  },
  {
    title: 'strings of up to so many bytes are made of their characters',
    constant: { ...SHORT, values: [0, 4, 8, 12] },
    subjects: ['decode small', 'decode order', 'decode wide'],
    work
  },
  {
    title: 'the same, up to more bytes than lib/shapes/short-text.js has written out',
    variants: Object.keys(WAYS),
    subjects: ['4 bytes', '8 bytes', '12 bytes', '16 bytes', '20 bytes', '24 bytes'],
    work: ways
  }
], __filename)
