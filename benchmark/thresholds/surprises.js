'use strict'

// What becomes of a compiled function whose keys get values of other types: constants of lib/shapes/shape.js. Documents
// of one shape first have the types it is compiled for, then others for 3,000 documents; the figures are from then on.

const { measureThresholds } = require('../runner/threshold')
const { times } = require('./works')

const file = 'lib/shapes/shape.js'

const VALUES = [n => n, n => `text ${n}`, () => null, () => true, () => new Date(0), n => n + 0.5]
const [INT32, TEXT, NULL] = [0, 1, 2]

/** Which of VALUES the key number `i` of eight has in the document number `n`; before 200 all are int32. */
const CHANGES = {
  'none': () => INT32,
  'null in 1 of 100': (n, i) => n % 100 === 12 * i ? NULL : INT32,
  '1 key to text': (n, i) => i === 0 ? TEXT : INT32,
  '3 keys, in turn, to text': (n, i) => i < 3 && n > 300 * i ? TEXT : INT32,
  '8 keys, in turn, to text': (n, i) => n > 300 * i ? TEXT : INT32,
  'a few of 5 types, then to text': (n, i) => n >= 2000 ? TEXT : n % 100 < 5 && n % 8 === i ? 1 + n % 5 : INT32,
  'any type': (n, i) => (n * 7 + i * 3 + (n >> 3)) % 6
}

function work(subject) {
  const generic = require('../../lib/encode')
  require('../../lib/shapes').startLearning()
  const { encode, decode } = require('../..')
  const op = subject.slice(0, 6)
  const typeAt = CHANGES[subject.slice(8)]
  const operate = op === 'encode' ? encode : decode
  const documentOf = n => Object.fromEntries(times(8, i => [`field${i}`, VALUES[n < 200 ? INT32 : typeAt(n, i)](n)]))
  const inputs = times(4000, n => op === 'encode' ? documentOf(n) : generic.encode(documentOf(n)))
  const kept = new Array(64).fill(null)
  const handle = (from, to) => {
    for (let n = from; n < to; n++) kept[n % 64] = operate(inputs[n])
  }
  handle(0, 3000)
  return { ops: 1000, warmUp: 2, run: () => handle(3000, 4000) }
}

const DECODED = Object.keys(CHANGES).map(change => `decode, ${change}`)

measureThresholds([
  {
    title: 'values of new types before a function is compiled again',
    constant: { file, name: 'SURPRISES', values: [1, 4, 16, 64, 1000000] },
    subjects: [...DECODED.slice(1), 'encode, 1 key to text'],
    work
  },
  {
    title: 'how often a shape may be compiled',
    constant: { file, name: 'MAX_COMPILATIONS', values: [1, 2, 4, 16] },
    subjects: [...DECODED.slice(2), 'encode, 3 keys, in turn, to text'],
    work
  }
], __filename)
