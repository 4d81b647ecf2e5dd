'use strict'

const documents = require('../data/documents')
const { small } = require('../data/small')
const adversarial = require('../data/adversarial')
const { bsonTypes } = require('../data/types')

const COUNT = 100

/** `12 keys of 40 bytes`: documents of one shape with so many numbers under keys so long. */
function keysOf(count, length) {
  const keys = Array.from({ length: count }, (_, i) => `k${i}`.padEnd(length, 'abcdefghij').slice(0, length))
  return Array.from({ length: COUNT }, (_, n) => Object.fromEntries(keys.map((key, i) => [key, n + i])))
}

/** `lists of 4`: documents with three arrays of so many numbers. */
function listsOf(length) {
  const list = n => Array.from({ length }, (_, i) => n + i + (i % 2) / 2)
  return Array.from({ length: COUNT }, (_, n) => ({ first: list(n), second: list(2 * n), third: list(3 * n) }))
}

/** `2 types a key`: documents whose eight values have so many types in turn. */
function typesOf(count) {
  const values = [1, 'text', 2.5, true, null, new Date(0)].slice(0, count)
  return Array.from({ length: COUNT }, (_, n) => Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`field${i}`, values[(n + i * 7) % count]])))
}

const MADE = [
  [/^(\d+) keys of (\d+) bytes$/, keysOf],
  [/^lists of (\d+)$/, listsOf],
  [/^(\d) types a key$/, typesOf]
]

function madeOf(subject) {
  for (const [pattern, make] of MADE) {
    const match = pattern.exec(subject)
    if (match) return make(...match.slice(1).map(Number))
  }
  return null
}

/** Documents of a subject: a kind of data/documents, `small` for the seven small ones, `all` for all kinds mixed. */
function documentsOf(subject, qbson) {
  const made = madeOf(subject)
  if (made) return made
  if (adversarial.subjects.includes(subject)) return adversarial.adversarial(subject).slice(0, 5000)
  if (subject === 'small') return Array.from({ length: 10 }, () => Object.values(small).map(make => make())).flat()
  if (subject !== 'all') return documents.load(subject, bsonTypes(qbson))
  const kinds = documents.kinds.map(kind => documents.load(kind, bsonTypes(qbson)).slice(0, 100))
  return kinds[0].flatMap((_, i) => kinds.map(kind => kind[i]))
}

/**
 * Work of qbson as a threshold has prepared it, for the subjects `encode KIND` and `decode KIND`, KIND also one of
 * data/adversarial or of those made above.
 * @param {string} subject such as `encode order`, `decode small`, `decode all`, `decode lists of 4`
 * @returns {import('../runner/measure').Work}
 */
function work(subject) {
  const op = subject.slice(0, 6)
  const kind = subject.slice(7)
  const { encode, decode, ...types } = require('../..')
  const docs = documentsOf(kind, types)
  const inputs = op === 'encode' ? docs : docs.map(doc => Buffer.from(encode(doc)))
  const operate = op === 'encode' ? encode : decode
  const kept = new Array(64).fill(null)
  return {
    ops: inputs.length,
    warmUp: 4,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i % 64] = operate(inputs[i])
    }
  }
}

module.exports = { work }
