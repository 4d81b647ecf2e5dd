'use strict'

// Extended JSON: the constants of lib/ejson/. Their RECURSION_DEPTH is in depth.js.

const { measureThresholds } = require('../runner/threshold')

const COUNT = 100

/** `keys of 40`: documents of one shape with keys so long. */
function keysOf(length) {
  const keys = Array.from({ length: 12 }, (_, i) => `k${i}`.padEnd(length, 'abcdefghij'))
  return Array.from({ length: COUNT }, (_, n) => Object.fromEntries(keys.map((key, i) => [key, n + i])))
}

/** `1000 different`: so many different keys in all. */
function differentKeys(count) {
  return Array.from({ length: count / 10 }, (_, n) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`key_${n * 10 + i}`, i])))
}

function stringify(subject) {
  const { EJSON } = require('../..')
  const [length] = subject.match(/\d+/)
  const docs = subject.startsWith('keys') ? keysOf(Number(length)) : differentKeys(Number(length))
  const kept = new Array(docs.length)
  return {
    ops: docs.length,
    run() {
      for (let i = 0; i < docs.length; i++) kept[i] = EJSON.stringify(docs[i])
    }
  }
}

/** Text of which every `LONG`-th character is looked at before JSON.parse. */
function parse(subject) {
  const { EJSON } = require('../..')
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

/** Texts that have to be walked, of which every so many in a row hold a long integer. */
function parseSome(subject) {
  const { EJSON } = require('../..')
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
    title: 'units of a key that is kept in quotes',
    constant: { file: 'lib/ejson/quote.js', name: 'MAX_KEY', values: [0, 16, 64, 256] },
    subjects: ['keys of 8', 'keys of 40', 'keys of 100', 'keys of 400'],
    work: stringify
  },
  {
    title: 'keys that are kept in quotes',
    constant: { file: 'lib/ejson/quote.js', name: 'MAX_KEYS', values: [64, 512, 4096, 32768] },
    subjects: ['200 different', '2000 different', '20000 different'],
    work: stringify
  },
  {
    title: 'digits of a number that may be no exact double: below 16 none is, above 16 some are overlooked',
    constant: { file: 'lib/ejson/numbers.js', name: 'LONG', values: [1, 4, 8, 16] },
    subjects: ['short numbers', 'long doubles', 'long integers'],
    work: parse
  },
  {
    title: 'texts that are looked through for long integers after one that had some',
    constant: { file: 'lib/ejson/parse.js', name: 'WARY', values: [0, 1, 4, 16, 64] },
    subjects: Object.keys(LONGS),
    work: parseSome
  }
], __filename)
