'use strict'

// What it takes to check what has to be checked: small documents by code that was written by hand for exactly them,
// without a check (`limit` of the suite small), with those that nobody who reads or writes them can go without, and by a
// codec compiled from a schema. The memory for results is that of `limit` in both that are written by hand.

const { limits } = require('../data/limit')
const { small } = require('../data/small')
const { small: schemas } = require('../data/schemas')
const { measureThresholds } = require('../runner/threshold')
const { KEPT } = require('../runner/codec')
const { compile } = require('../../lib/compile')
const { encode } = require('../../lib/encode/encode')

const COUNT = 64

const SUBJECTS = { '{"a":1234}': 0, '{"a":{"a":1,…"e":5}}': 3 }

const getInt32 = (b, i) => b[i] | b[i + 1] << 8 | b[i + 2] << 16 | b[i + 3] << 24

const isInt = value => typeof value === 'number' && (value | 0) === value && (value !== 0 || 1 / value > 0)

/** Whether it is a document and nothing else; its fields are those of `names` and no others. */
function hasOnly(doc, names) {
  if (typeof doc !== 'object' || doc === null || Object.getPrototypeOf(doc) !== Object.prototype) return false
  let count = 0
  for (const name in doc) if (!Object.hasOwn(doc, name) || name !== names[count++]) return false
  return count === names.length
}

/** Type, the name of one letter, 0x00. */
const isField = (b, i, type, letter) => b[i] === type && b[i + 1] === letter && b[i + 2] === 0

/** Whether it is bytes, of that size and closed. */
const isWhole = (b, size) => b instanceof Buffer && b.length === size && getInt32(b, 0) === size && b[size - 1] === 0

const ONE = ['a']
const FIVE = ['a', 'b', 'c', 'd', 'e']

const checks = {
  0: {
    decode: b => isWhole(b, 12) && isField(b, 4, 16, 97),
    encode: doc => hasOnly(doc, ONE) && isInt(doc.a)
  },
  3: {
    decode: b => isWhole(b, 48) && isField(b, 4, 3, 97) && getInt32(b, 7) === 40 && b[46] === 0 && isField(b, 11, 16, 97) &&
      isField(b, 18, 16, 98) && isField(b, 25, 16, 99) && isField(b, 32, 16, 100) && isField(b, 39, 16, 101),
    encode: doc => hasOnly(doc, ONE) && hasOnly(doc.a, FIVE) && isInt(doc.a.a) && isInt(doc.a.b) && isInt(doc.a.c) &&
      isInt(doc.a.d) && isInt(doc.a.e)
  }
}

const ways = {
  'nothing checked': (i, op) => limits[i][op],
  'checked, by hand': (i, op) => {
    const { [op]: isRight } = checks[i]
    const { [op]: operate } = limits[i]
    return input => {
      if (!isRight(input)) throw new Error('another document')
      return operate(input)
    }
  },
  compiled: (i, op) => compile(schemas[i])[op]
}

function work(op) {
  return (subject, way) => {
    const i = SUBJECTS[subject]
    const make = small[subject]
    const inputs = Array.from({ length: COUNT }, () => (op === 'encode' ? make() : Buffer.from(encode(make()))))
    const operate = ways[way](i, op)
    const kept = new Array(KEPT).fill(null)
    return {
      ops: COUNT,
      run() {
        for (let k = 0; k < COUNT; k++) kept[k % KEPT] = operate(inputs[k])
      }
    }
  }
}

measureThresholds(['decode', 'encode'].map(op => ({
  title: `checks: ${op}`,
  variants: Object.keys(ways),
  subjects: Object.keys(SUBJECTS),
  work: work(op)
})), __filename)
