'use strict'

// Extended JSON: the constants of lib/ejson/.

const { measureThresholds } = require('../runner/threshold')

const COUNT = 100

const documents = {
  'strings of 40': n => Array.from({ length: 12 }, (_, i) => `${n + i}`.padEnd(40, 'some text ')),
  'strings of 80': n => Array.from({ length: 12 }, (_, i) => `${n + i}`.padEnd(80, 'some text ')),
  'strings of 160': n => Array.from({ length: 12 }, (_, i) => `${n + i}`.padEnd(160, 'some text ')),
  'strings of 640': n => Array.from({ length: 12 }, (_, i) => `${n + i}`.padEnd(640, 'some text ')),
  'umlauts, 160': n => Array.from({ length: 12 }, (_, i) => `${n + i}`.padEnd(160, 'some text, ein Stück ')),
  'umlauts, 640': n => Array.from({ length: 12 }, (_, i) => `${n + i}`.padEnd(640, 'some text, ein Stück ')),
  '200 bytes': n => ({ name: 'some text', number: n, list: Array.from({ length: 12 }, (_, i) => `item ${n + i}`) }),
  '3,000 bytes': n => Array.from({ length: 250 }, (_, i) => `item ${n + i}`),
  '100,000 bytes': n => Array.from({ length: 9000 }, (_, i) => `item ${n + i}`),
  '30 bytes of binary': n => Array.from({ length: 12 }, () => Buffer.alloc(30, n)),
  '90 bytes of binary': n => Array.from({ length: 12 }, () => Buffer.alloc(90, n)),
  '400 bytes of binary': n => Array.from({ length: 12 }, () => Buffer.alloc(400, n))
}

function stringify(subject) {
  const { EJSON } = require('../../qbson')
  const docs = Array.from({ length: COUNT }, (_, n) => ({ value: documents[subject](n) }))
  const kept = new Array(docs.length)
  return {
    ops: docs.length,
    run() {
      for (let i = 0; i < docs.length; i++) kept[i] = EJSON.stringify(docs[i])
    }
  }
}

/** Text in which every `LONG`-th character is checked before JSON.parse. */
function parse(subject) {
  const { EJSON } = require('../../qbson')
  const value = {
    'short numbers': i => i,
    'long doubles': i => Math.sin(i),
    'long integers': i => BigInt(2 ** 53) + BigInt(i)
  }[subject]
  const text = n => `{${Array.from({ length: 20 }, (_, i) => `"field${i}":${value(n + i)},"name${i}":"some text"`).join()}}`
  const texts = Array.from({ length: COUNT }, (_, n) => text(n))
  const kept = new Array(COUNT)
  return {
    ops: COUNT,
    run() {
      for (let i = 0; i < COUNT; i++) kept[i] = EJSON.parse(texts[i])
    }
  }
}

/** Texts that have to be walked, with runs of texts that contain a long integer. */
function parseSome(subject) {
  const { EJSON } = require('../../qbson')
  const { length = 1, every = Infinity } = LONGS[subject]
  const texts = Array.from({ length: 600 }, (_, n) => {
    const value = n % every < length && every < Infinity ? 9007199254740993n + BigInt(n) : n
    const fields = Array.from({ length: 10 }, (_, i) => `"field${i}":${n + i},"name${i}":"some text"`)
    return `{"_id":{"$oid":"0123456789abcdef01234567"},${fields.join()},"last":${value}}`
  })
  const kept = new Array(64)
  return {
    ops: texts.length,
    warmUp: 2,
    run() {
      for (let i = 0; i < texts.length; i++) kept[i % 64] = EJSON.parse(texts[i], { relaxed: false })
    }
  }
}

const LONGS = {
  'none long': {},
  '1 of 100': { every: 100 },
  '1 of 10': { every: 10 },
  '1 of 3': { every: 3 },
  '20 of 40, in a row': { length: 20, every: 40 },
  'all': { every: 1 }
}

measureThresholds([
  {
    title: 'units of a string that is written into the buffer by a loop',
    constant: { file: 'lib/text/quote.js', name: 'SHORT', values: [0, 32, 64, 96, 128, 256] },
    subjects: ['strings of 40', 'strings of 80', 'strings of 160'],
    work: stringify
  },
  {
    title: 'units of a string that is copied into the buffer; longer ones are written separately',
    constant: { file: 'lib/text/quote.js', name: 'MIDDLE', values: [96, 256, 1024, 4096] },
    subjects: ['strings of 160', 'strings of 640', 'umlauts, 160', 'umlauts, 640'],
    work: stringify
  },
  {
    title: 'bytes of the buffer',
    constant: { file: 'lib/text/output.js', name: 'SIZE', values: [2048, 4096, 8192, 16384, 65536] },
    subjects: ['200 bytes', '3,000 bytes', '100,000 bytes'],
    work: stringify
  },
  {
    title: 'bytes whose base64 is written into the buffer; that of more bytes is written separately',
    constant: { file: 'lib/text/forms.js', name: 'SHORT_BINARY', values: [0, 64, 128, 256, 1024] },
    subjects: ['30 bytes of binary', '90 bytes of binary', '400 bytes of binary'],
    work: stringify
  },
  {
    title: 'digits of a number that may be inexact as a double: below 16 none is, above 16 some are overlooked',
    constant: { file: 'lib/ejson/numbers.js', name: 'LONG', values: [1, 4, 8, 16] },
    subjects: ['short numbers', 'long doubles', 'long integers'],
    work: parse
  },
  {
    title: 'texts that are searched for long integers after one that had some',
    constant: { file: 'lib/ejson/parse.js', name: 'PRESCANS', values: [0, 1, 4, 16, 64] },
    subjects: Object.keys(LONGS),
    work: parseSome
  }
], __filename)
