'use strict'

// The fields in the order of an object: what is left out is checked too, and no choice of names is slow.

const json = require('../../lib/json')
const { decode } = require('../../lib/decode')
const { encode } = require('../../lib/encode')
const { assertBelow, costOf } = require('../fixtures/cost')

/** @returns {any} undefined if it does not throw */
function faultOf(work) {
  try {
    work()
  } catch (error) {
    return error
  }
}

const int32 = value => Buffer.from(Int32Array.of(value).buffer)
const element = (type, name, value) => Buffer.concat([Buffer.of(type), Buffer.from(`${name}\0`), value])
const documentOf = elements => {
  const body = Buffer.concat(elements)
  return Buffer.concat([int32(body.length + 5), body, Buffer.of(0)])
}
const string = bytes => Buffer.concat([int32(bytes.length + 1), Buffer.from(bytes), Buffer.of(0)])
const nothing = name => element(0x0a, name, Buffer.alloc(0))
const deep = levels => Array.from({ length: levels }).reduce(inner => documentOf([element(3, 'x', inner)]), documentOf([]))
const id = element(7, '$id', Buffer.alloc(12))

/** Values that decode refuses, or accepts. */
const VALUES = {
  'not UTF-8': [2, string([0x78, 0xff])],
  'not UTF-8, further in': [3, documentOf([element(2, 's', string([0xff]))])],
  'a name that is not UTF-8': [3, documentOf([Buffer.of(0x0a, 0xff, 0)])],
  'a string that is too long': [3, documentOf([element(2, 's', Buffer.concat([int32(1000), Buffer.from('x\0')]))])],
  'a list of wrong numbers': [4, documentOf([element(0x10, '0', int32(1)), element(1, '1', int32(1))])],
  'an unknown type': [3, documentOf([element(0x44, 'u', Buffer.alloc(0))])],
  'options of no regular expression': [3, documentOf([element(0x0b, 'r', Buffer.from('a\0?\0'))])],
  'a symbol that is not UTF-8': [0x0e, string([0xc0, 0x80])],
  'more levels than are allowed': [3, deep(5)],
  'as many levels as are allowed': [3, deep(3)],
  'a good one': [2, string(Buffer.from('é'))]
}

/** Ways to lose the first field that is called `b`. */
const WAYS = {
  'the name again': b => [b, nothing('b')],
  'indexes that fall, and the name again': b => [nothing('5'), nothing('1'), b, nothing('b')],
  'three times': b => [nothing('b'), b, nothing('b'), nothing('1')],
  'a reference': b => [element(2, '$ref', string(Buffer.from('c'))), id, b, nothing('b')],
  'further in': b => [nothing('1'), nothing('0'), element(3, 'in', documentOf([b, nothing('1'), nothing('b')]))]
}

module.exports = {
  'values that are left out are refused where decode refuses them': t => {
    for (const [way, make] of Object.entries(WAYS)) {
      for (const [what, [type, value]] of Object.entries(VALUES)) {
        const bytes = documentOf(make(element(type, 'b', value)))
        const options = { maxDepth: 6 - Number(way !== 'further in') }
        const expected = faultOf(() => decode(bytes, options))
        const text = `${way}: ${what}`
        t.strictEqual(faultOf(() => json.text(bytes, options))?.message, expected?.message, text)
        t.strictEqual(faultOf(() => json.lines(bytes, options))?.path, expected?.path, text)
        if (expected === undefined) t.strictEqual(json.text(bytes, options), JSON.stringify(decode(bytes, options)), text)
      }
    }
    t.done()
  },

  'the database of a reference whose collection names one': t => {
    const of = db => documentOf([element(2, '$ref', string(Buffer.from('one.c'))), id, element(2, '$db', string(db))])
    t.strictEqual(json.text(of(Buffer.from('two'))), JSON.stringify(decode(of(Buffer.from('two')))))
    t.strictEqual(faultOf(() => json.text(of([0xff])))?.message, faultOf(() => decode(of([0xff])))?.message)
    t.done()
  },

  'names that differ in a few bits take no longer than others': t => {
    const padded = (i, size, base = 10) => i.toString(base).padStart(size, '0')
    const kinds = {
      'ids in sequence': i => `65a0c0de0000000000${padded(i, 6, 16)}`,
      UUIDs: i => `00000000-0000-4000-8000-${padded(i, 12, 16)}`,
      'numbers in the middle': i => `item${padded(i, 8)}suffix`,
      'every fourth byte': i => [...padded(i, 4)].map(digit => `aaa${digit}`).join(''),
      'steps of 64': i => `x${64 * i}`,
      dates: i => new Date(1.6e12 + 864e5 * i).toISOString()
    }
    const cost = (nameOf, count) => {
      const documentFrom = first => encode(Object.fromEntries(Array.from({ length: count }, (_, i) => [nameOf(first + i), i])))
      const docs = Array.from({ length: 3000 / count }, (_, d) => documentFrom(d * count))
      return Math.min(...Array.from({ length: 7 }, () => costOf(() => docs.forEach(doc => json.bytes(doc)))))
    }
    let seed = 1
    const random = () => `${(seed = (seed * 48271) % 2147483647)}${(seed = (seed * 48271) % 2147483647)}`
    for (const count of [10, 20, 30]) {
      for (const [kind, nameOf] of Object.entries(kinds)) {
        assertBelow(4, () => cost(nameOf, count) / cost(random, count), `${count} ${kind}: times the cost of others`)
      }
    }
    t.done()
  }
}
