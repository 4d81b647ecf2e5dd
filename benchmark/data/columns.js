'use strict'

// The dump for the suite `columns`.

const { encode, ObjectId, Int32, Double } = require('../../qbson')
const { random: seeded } = require('./random')

const COUNT = 200_000

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']

const text = { bsonType: 'string' }
const double = { bsonType: 'double' }

const SCHEMA = {
  bsonType: 'object',
  properties: {
    _id: { bsonType: 'objectId' }, name: text, city: text, price: double, qty: { bsonType: 'int' }, at: { bsonType: 'date' },
    active: { bsonType: 'bool' }, note: { bsonType: ['string', 'null'] }, tags: { bsonType: 'array', items: text },
    addr: { bsonType: 'object', properties: { zip: text, lat: double, lon: double } }
  }
}

/** @param {number} [count] documents @returns {Buffer} */
function dump(count = COUNT) {
  const next = seeded(1)
  const random = () => next() / 2 ** 32
  return Buffer.concat(Array.from({ length: count }, (_, i) => encode({
    _id: ObjectId.createFromTime(1.6e9 + i),
    name: `customer number ${i}`,
    city: `${WORDS[i % 8]} town`,
    price: new Double(Math.round(random() * 1e5) / 100),
    qty: new Int32(random() * 100),
    at: new Date(1.6e12 + i * 1000),
    active: i % 3 === 0,
    note: i % 5 === 0 ? null : `some note about it ${i % 17}`,
    tags: [WORDS[i % 8], WORDS[(i >> 3) % 8]],
    addr: { zip: String(10000 + (i % 90000)), lat: new Double(random() * 90), lon: new Double(random() * 180) }
  })))
}

module.exports = { COUNT, SCHEMA, dump }
