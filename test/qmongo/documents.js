'use strict'

const { ObjectId, Long, Binary } = require('../../qbson')

const COLOURS = ['blue', 'brown', 'green']

/** Document number `i` of a collection of people: 438 bytes or so, of types that every server takes. */
function person(i) {
  return {
    _id: new ObjectId(i.toString(16).padStart(24, '0')),
    index: i,
    guid: `guid-${(i * 7919).toString(16).padStart(24, '0')}`,
    isActive: i % 2 === 0,
    balance: i * 1.37,
    picture: i % 5 === 0 ? null : 'https://example.com/32x32',
    age: 20 + (i % 40),
    eyeColor: COLOURS[i % 3],
    name: { first: `First${i % 97}`, last: `Läst${i % 89}` },
    company: `COMPANY ${i % 1000}`,
    email: `user${i}@example.com`,
    registered: new Date(1.6e12 + i * 1000),
    tags: ['lorem', 'ipsum', `dolor${i % 10}`],
    latitude: -12.5 + i / 1000,
    longitude: 70.25 - i / 1000,
    greeting: `Hello, you have ${i % 13} unread messages`,
    visits: Long.fromBigInt(BigInt(i) * 10n ** 13n),
    key: new Binary(Buffer.from([i, i >> 8, i >> 16]))
  }
}

/** @param {number} count */
function* people(count) {
  for (let i = 0; i < count; i++) yield person(i)
}

module.exports = { person, people }
