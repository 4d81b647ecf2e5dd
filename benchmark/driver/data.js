'use strict'

// Documents from a fixed seed, so that every run and both libraries get the same ones.

const COUNT = 10_000

const cities = ['Amsterdam', 'Berlin', 'Cádiz', 'Dublin', 'Edinburgh', 'Firenze', 'Göteborg', 'Helsinki']
const words = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut'.split(' ')

/** A generator of numbers from 0 to n-1 (a 32-bit linear congruence; its high bits are used). */
function dice(seed) {
  let state = seed
  return n => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(state / 2 ** 32 * n)
  }
}

const hex = (roll, digits) => Array.from({ length: digits }, () => roll(16).toString(16)).join('')
const text = (roll, count) => Array.from({ length: count }, () => words[roll(words.length)]).join(' ')

/**
 * A customer as an application stores one: 13 fields of the usual types, about 440 bytes.
 * @param {(n: number) => number} roll
 * @param {any} types the classes of a BSON library
 * @returns {any}
 */
function customer(roll, { ObjectId }) {
  return {
    _id: new ObjectId(hex(roll, 24)),
    name: `${words[roll(14)]} ${words[roll(14)]}`,
    email: `${words[roll(14)]}.${roll(10000)}@example.com`,
    age: 18 + roll(80),
    balance: roll(1_000_000) / 100,
    active: roll(4) > 0,
    createdAt: new Date(1.5e12 + roll(2 ** 31) * 100),
    updatedAt: new Date(1.7e12 + roll(2 ** 31) * 10),
    company: new ObjectId(hex(roll, 24)),
    tags: [words[roll(14)], words[roll(14)], words[roll(14)]],
    address: { street: `${text(roll, 2)} ${roll(200)}`, city: cities[roll(8)], zip: String(10000 + roll(89999)) },
    visits: roll(1000),
    note: text(roll, 18)
  }
}

/**
 * An event with every type that mongo-java-server accepts, in three shapes.
 * @param {(n: number) => number} roll
 * @param {any} types
 * @returns {any}
 */
function event(roll, { ObjectId, Long, Decimal128, UUID, Binary, Timestamp }) {
  const doc = {
    _id: new ObjectId(hex(roll, 24)),
    at: new Date(1.7e12 + roll(2 ** 31) * 10),
    sequence: Long.fromNumber(2 ** 40 + roll(2 ** 31)),
    session: new UUID(Buffer.from(hex(roll, 32), 'hex')),
    amount: Decimal128.fromString(`${roll(100000)}.${10 + roll(90)}`),
    ratio: roll(1000) / 1000,
    user: roll(5) ? { id: new ObjectId(hex(roll, 24)), name: words[roll(14)] } : null,
    values: Array.from({ length: roll(8) }, () => roll(1000))
  }
  if (roll(3) === 0) doc.payload = new Binary(Buffer.from(hex(roll, 80), 'hex'))
  if (roll(3) === 0) doc.stamp = new Timestamp({ t: 1.7e9 + roll(1e6), i: roll(100) })
  doc.message = text(roll, 6 + roll(10))
  return doc
}

/**
 * @param {'customers' | 'events'} kind
 * @param {any} types the classes of a BSON library
 * @returns {any[]} 10,000 documents
 */
function documents(kind, types) {
  const roll = dice(kind.length)
  const make = kind === 'customers' ? customer : event
  return Array.from({ length: COUNT }, () => make(roll, types))
}

module.exports = { documents, COUNT }
