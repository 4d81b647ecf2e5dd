'use strict'

const bson = require('bson')
const { subjects, adversarial } = require('../data/adversarial')
const { loadQbson } = require('../contenders')
const { checkBytes, checkSame } = require('../check')
const { cross, KEPT } = require('../runner/codec')

/** With --quick; the others take too long or show less. */
const QUICK = ['different keys', 'a thousand shapes', 'ids as keys']

/** Operations in a row before the next documents. */
const BLOCK = 200

/** Without code generation nothing is learned. */
const LEARNS_NOTHING = 'qbson (no codegen)'

function workOf({ subject, op }, brief) {
  const codec = loadQbson()
  const all = adversarial(subject)
  const documents = brief ? all.slice(0, 500) : all
  const encoded = documents.map(doc => Buffer.from(bson.serialize(doc)))
  const inputs = op === 'encode' ? documents : encoded
  return {
    ...blocks(codec[op], inputs),
    bytes: encoded.reduce((sum, bytes) => sum + bytes.length, 0) / encoded.length,
    check: () => documents.forEach((doc, i) => {
      checkBytes(codec.encode(doc), encoded[i], `${subject} ${i}`)
      checkSame(codec.decode(encoded[i]), doc, `${subject} ${i}`)
    })
  }
}

/** Each run takes the next documents, so that a document is only repeated after all others. */
function blocks(operate, inputs) {
  const ops = Math.min(BLOCK, inputs.length)
  const kept = new Array(KEPT).fill(null)
  let at = 0
  return {
    ops,
    warmUp: 8,
    run() {
      for (let i = 0; i < ops; i++) {
        kept[i % KEPT] = operate(inputs[at])
        if (++at === inputs.length) at = 0
      }
    }
  }
}

module.exports = {
  name: 'adversarial',
  title: 'Adversarial: documents that have no recurring shape',
  checksBothWays: true,
  baseline: LEARNS_NOTHING,
  docs: false,
  notes: ['Relative rates; 100 is qbson without code generation, where it does not learn shapes. Below 80, ' +
    'learning costs more than is acceptable.'],
  rounds: mode => Math.min(mode.rounds, 3),
  cases: mode => cross(mode.name === 'quick' ? QUICK : subjects,
    ['encode', 'decode'], [LEARNS_NOTHING, 'qbson']),
  prepare: (item, mode) => workOf(item, mode.brief)
}
