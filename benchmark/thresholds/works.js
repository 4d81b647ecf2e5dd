'use strict'

const documents = require('../data/documents')
const { small } = require('../data/small')
const adversarial = require('../data/adversarial')
const { bsonTypes } = require('../data/types')

/** Documents of a subject: a kind of data/documents, `small` for the seven small ones, `all` for all kinds mixed. */
function documentsOf(subject, qbson) {
  if (adversarial.subjects.includes(subject)) return adversarial.adversarial(subject).slice(0, 5000)
  if (subject === 'small') return Array.from({ length: 10 }, () => Object.values(small).map(make => make())).flat()
  if (subject !== 'all') return documents.load(subject, bsonTypes(qbson))
  const kinds = documents.kinds.map(kind => documents.load(kind, bsonTypes(qbson)).slice(0, 100))
  return kinds[0].flatMap((_, i) => kinds.map(kind => kind[i]))
}

/**
 * Work of qbson as a threshold has prepared it, for the subjects `encode KIND` and `decode KIND`, KIND also one of
 * data/adversarial.
 * @param {string} subject such as `encode order`, `decode small`, `decode all`
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
