'use strict'

// Bytes in memory of all kinds: shared, resizable, detached; and results that belong to the caller.

const { equal, bsonError } = require('./assert')
const { describe, hexOf } = require('./describe')

const DOC = { text: 'x'.repeat(30) + 'é日😀'.repeat(90), short: 'hello', list: [1, 2.5, null, 'a string of some length here'] }

/** @param {any} qbson @returns {{name: string, check: () => string, isLearned?: boolean}[]} */
module.exports = function checksOf(qbson) {
  const kinds = {
    'of its own': size => new ArrayBuffer(size),
    shared: typeof SharedArrayBuffer === 'function' ? size => new SharedArrayBuffer(size) : null,
    'of a size that may change': 'resize' in ArrayBuffer.prototype ? size => new ArrayBuffer(size, { maxByteLength: size * 2 }) : null
  }
  const there = Object.entries(kinds).filter(([, make]) => make !== null)
  return [
    ...there.map(([name, make]) => ({ name: `memory ${name}`, check: () => works(make), isLearned: true })),
    { name: 'memory taken away', check: isTaken },
    { name: 'results own their memory', check: ownsMemory, isLearned: true },
    { name: 'hostile names', check: hostileNames, isLearned: true }
  ]

  function works(make) {
    const expected = qbson.encode(DOC)
    const memory = make(expected.length + 10)
    const bytes = new Uint8Array(memory)
    equal(qbson.encodeInto(DOC, bytes, 5), expected.length + 5, 'encodeInto')
    const view = bytes.subarray(5, 5 + expected.length)
    equal(hexOf(view), hexOf(expected), 'bytes')
    equal(describe(qbson.decode(view)), describe(DOC), 'decode')
    equal(qbson.validate(view), expected.length, 'validate')
    equal(qbson.EJSON.fromBSON(view), JSON.stringify(DOC), 'fromBSON')
    equal(new qbson.RawDocument(view).get('text'), DOC.text, 'raw')
    const held = qbson.encode({ a: bytes.subarray(0, 8) })
    equal(hexOf(qbson.decode(held).a.value()), hexOf(bytes.subarray(0, 8)), 'Binary')
    return 'fine'
  }

  function isTaken() {
    const bytes = Uint8Array.from(qbson.encode(DOC))
    if (typeof structuredClone !== 'function' && !('transfer' in ArrayBuffer.prototype)) return 'fine'
    if (typeof structuredClone === 'function') structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    else bytes.buffer.transfer()
    bsonError(() => qbson.decode(bytes), 'decode')
    bsonError(() => qbson.encodeInto(DOC, bytes), 'encodeInto')
    bsonError(() => new qbson.RawDocument(bytes).get('a'), 'raw')
    return 'fine'
  }

  // On Node small results share a pool, as all small Buffers do.
  function ownsMemory() {
    const bytes = qbson.encode({ a: 1 })
    if (bytes.constructor === Uint8Array) equal(bytes.buffer.byteLength, bytes.length, 'bytes of memory')
    const other = qbson.encode({ a: 2 })
    equal(describe(qbson.decode(bytes)), '{"a": 1}', 'the first result')
    return hexOf(other)
  }

  function hostileNames() {
    const names = ['__proto__', 'constructor', 'toString', '"', '\u2028', '\\', '${x}', '`', 'a-b', '0', '']
    const doc = {}
    names.forEach((name, i) => Object.defineProperty(doc, name, { value: i, enumerable: true, configurable: true, writable: true }))
    const back = qbson.decode(qbson.encode(doc))
    equal(describe(back), describe(doc), 'decode')
    equal({}.polluted, undefined, 'prototype')
    equal(Object.getPrototypeOf(back) === Object.getPrototypeOf(qbson.decode(qbson.encode({}))), true, 'prototype of the result')
    return qbson.EJSON.stringify(back)
  }
}
