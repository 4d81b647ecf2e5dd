'use strict'

const vm = require('node:vm')
const documents = require('../data/documents')
const { small } = require('../data/small')
const adversarial = require('../data/adversarial')
const { bsonTypes } = require('../data/types')
const { random } = require('../data/random')
const { timeOf } = require('../runner/measure')

const COUNT = 100

const times = (count, make) => Array.from({ length: count }, (_, i) => make(i))

const VALUES = [n => n, n => `text ${n}`, n => n + 0.5, n => n % 2 === 0, n => `a longer text, ${n}`]

/** `12 keys of 40 bytes`: documents of one shape with 12 values of several types under keys of 40 bytes. */
function keysOf(count, length) {
  const keys = times(count, i => `k${i}`.padEnd(length, 'abcdefghij').slice(0, length))
  // not by Object.fromEntries, which would make slow dictionaries in V8 if there are many keys
  const make = vm.runInThisContext(`(values, n) => ({ ${keys.map((key, i) => `${key}: values[${i % 5}](n)`).join(', ')} })`)
  return times(COUNT, n => make(VALUES, n))
}

/** `lists of 4`: documents with three arrays of 4 numbers. */
function listsOf(length) {
  const list = n => times(length, i => n + i + (i % 2) / 2)
  return times(COUNT, n => ({ first: list(n), second: list(2 * n), third: list(3 * n) }))
}

/** `2 types a key`: documents whose eight values have 2 types in turn. */
function typesOf(count) {
  const values = [1, 'text', 2.5, true, null, new Date(0)].slice(0, count)
  return times(COUNT, n => Object.fromEntries(times(8, i => [`field${i}`, values[(n + i * 7) % count]])))
}

/** A document of the given shape: eight keys, of which some other shapes share the first. */
function ofShape(shape, n) {
  const names = ['kind', 'name', 'total', 'ok', 'title', 'count', 'rate', 'isLast'].map((name, i) => `${name}_${i ? shape : shape % 16}`)
  return Object.fromEntries(names.map((name, i) => [name, VALUES[i % 4](n)]))
}

/** `40 shapes in turn` */
const shapesInTurn = shapes => times(Math.max(1000, shapes * 5), n => ofShape(n % shapes, n))

/** `40 shapes at random` */
function shapesAtRandom(shapes) {
  const next = random(3)
  return times(Math.max(1000, shapes * 10), n => ofShape(next() % shapes, n))
}

/** `2 shapes in runs of 50` */
const shapesInRuns = (shapes, length) => times(shapes * length * 2, n => ofShape(Math.floor(n / length) % shapes, n))

/** `a rare shape of 100`: documents of one shape, but every 100th has another shape. */
const rareShape = share => times(Math.max(1000, share * 5), n => ofShape(n % share === share - 1 ? 1 : 0, n))

const MADE = [
  [/^(\d+) keys of (\d+) bytes$/, keysOf],
  [/^lists of (\d+)$/, listsOf],
  [/^(\d) types a key$/, typesOf],
  [/^(\d+) shapes in turn$/, shapesInTurn],
  [/^(\d+) shapes at random$/, shapesAtRandom],
  [/^(\d+) shapes in runs of (\d+)$/, shapesInRuns],
  [/^one of (\d+) is rare$/, rareShape]
]

function madeOf(subject) {
  for (const [pattern, make] of MADE) {
    const match = pattern.exec(subject)
    if (match) return make(...match.slice(1).map(Number))
  }
  return null
}

function loadKind(kind, qbson, cache) {
  documents.prepare(cache, [kind])
  return documents.load(kind, bsonTypes(qbson), cache)
}

/** The documents of a subject: a kind of data/documents, `small` for the seven small ones, `all` for all mixed. */
function documentsOf(subject, qbson, cache) {
  const made = madeOf(subject)
  if (made) return made
  if (adversarial.subjects.includes(subject)) return adversarial.adversarial(subject).slice(0, 5000)
  if (subject === 'small') return times(10, () => Object.values(small).map(make => make())).flat()
  if (subject !== 'all') return loadKind(subject, qbson, cache)
  const kinds = documents.kinds.map(kind => loadKind(kind, qbson, cache).slice(0, 100))
  return kinds[0].flatMap((_, i) => kinds.map(kind => kind[i]))
}

/** The function `encode` or `decode` and its inputs; nothing has been learned yet. */
function prepare(op, kind, cache) {
  const generic = require('../../lib/encode/encode')
  const { encode, decode, ...types } = require('../../qbson')
  const docs = documentsOf(kind, types, cache)
  if (op === 'encode') return { inputs: docs, operate: encode }
  return { inputs: docs.map(doc => Buffer.from(generic.encode(doc))), operate: decode }
}

/**
 * The work of qbson for the subjects `encode KIND` and `decode KIND`. KIND may also be one of data/adversarial or one of
 * those made above.
 * @param {string} subject such as `encode order`, `decode small`, `decode all`, `decode lists of 4`
 * @param {string} _variant
 * @param {string} cache directory for generated documents
 * @returns {import('../runner/measure').Work}
 */
function work(subject, _variant, cache) {
  const { inputs, operate } = prepare(subject.slice(0, 6), subject.slice(7), cache)
  const kept = new Array(64).fill(null)
  return {
    ops: inputs.length,
    warmUp: 4,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i % 64] = operate(inputs[i])
    }
  }
}

/**
 * Handles each of the first documents once, while learning: shows what learning costs and gains.
 * @param {string} subject such as `decode event, first 2000`
 * @param {string} _variant
 * @param {string} cache directory for generated documents
 * @returns {{once(): number}} ns per document
 */
function life(subject, _variant, cache) {
  const [, op, kind, count] = /^(encode|decode) (.*), first (\d+)$/.exec(subject)
  const { inputs, operate } = prepare(op, kind, cache)
  const kept = new Array(64).fill(null)
  return {
    once() {
      const { seconds } = timeOf(() => {
        for (let i = 0; i < Number(count); i++) kept[i % 64] = operate(inputs[i % inputs.length])
      })
      return seconds * 1e9 / Number(count)
    }
  }
}

module.exports = { work, life, prepare, documentsOf, ofShape, times }
