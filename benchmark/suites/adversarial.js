'use strict'

const { random } = require('../data/random')
const { loadQbson } = require('../contenders')
const { checkBytes, checkSame } = require('../check')
const { cross, KEPT } = require('../runner/codec')

/** Operations in a row; then the next documents have their turn. */
const BLOCK = 200

const key = (next, length = 8) => Array.from({ length }, () => String.fromCharCode(97 + next() % 26)).join('')

const object = keys => Object.fromEntries(keys.map((name, i) => [name, i % 3 === 0 ? `text ${i}` : i]))

/** Takes seconds; left out by --quick. */
const LONGEST = '100,000 keys'

/** Documents that learning from shapes should gain nothing from. */
const subjects = {
  'different keys': next => Array.from({ length: 10000 }, () => object(Array.from({ length: 6 }, () => key(next)))),
  'a thousand shapes': next => {
    const shapes = Array.from({ length: 1000 }, () => Array.from({ length: 4 + next() % 6 }, () => key(next, 3)))
    return Array.from({ length: 10000 }, () => object(shapes[next() % shapes.length]))
  },
  'long prefixes': next => {
    const prefix = 'a.long.common.prefix.of.all.keys.'
    const common = Array.from({ length: 12 }, (_, i) => prefix + i)
    return Array.from({ length: 10000 }, () => object([...common, prefix + key(next, 4), prefix + key(next, 4)]))
  },
  'ids as keys': next => Array.from({ length: 3000 }, () => object(Array.from({ length: 40 }, () => key(next, 24)))),
  'types that change': next => Array.from({ length: 10000 }, () => {
    const values = [1, 'text', null, 2.5, true, { a: 1 }, [1, 2], new Date(0)]
    return Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`field${i}`, values[next() % values.length]]))
  }),
  [LONGEST]: next => Array.from({ length: 2 }, () => object(Array.from({ length: 100000 }, () => key(next))))
}

const codecs = {
  generic: () => ({ encode: require('../../lib/encode').encode, decode: require('../../lib/decode').decode }),
  qbson: loadQbson
}

function workOf({ subject, op, contender }, brief) {
  const generic = codecs.generic()
  const codec = codecs[contender]()
  const all = subjects[subject](random(11))
  const documents = brief ? all.slice(0, 500) : all
  const encoded = documents.map(doc => Buffer.from(generic.encode(doc)))
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

/** Each run takes the next documents, so that none comes again before all others have been. */
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
  baseline: 'generic',
  notes: ['Relative rates, the generic encoder and decoder of qbson = 100, which learn nothing of shapes. Below 80 ' +
    'learning would cost more than it may.'],
  cases: mode => cross(Object.keys(subjects).filter(subject => mode.name !== 'quick' || subject !== LONGEST),
    ['encode', 'decode'], ['generic', 'qbson']),
  prepare: (item, mode) => workOf(item, mode.brief)
}
