'use strict'

const qbson = require('../qbson')
const { ownsAll, setOwn, isInherited, mayBeInherited, isPrototypeChanged } = require('../lib/properties')
const { levels } = require('../lib/options')
const { MAX_DEPTH } = require('../lib/spec')
const { errorOf } = require('./fixtures/error-of')

const { BSONError, EJSON, RawDocument } = qbson

/** Functions with a maxDepth, for a document of two levels. @type {Record<string, (maxDepth: any) => any>} */
const FUNCTIONS = (() => {
  const doc = { a: { b: 1 } }
  const bytes = qbson.encode(doc)
  const json = EJSON.stringify(doc)
  return {
    encode: maxDepth => qbson.encode(doc, { maxDepth }),
    encodeInto: maxDepth => qbson.encodeInto(doc, Buffer.alloc(100), 0, { maxDepth }),
    sizeOf: maxDepth => qbson.sizeOf(doc, { maxDepth }),
    serialize: maxDepth => qbson.serialize(doc, /** @type {any} */ ({ maxDepth })),
    calculateObjectSize: maxDepth => qbson.calculateObjectSize(doc, /** @type {any} */ ({ maxDepth })),
    decode: maxDepth => qbson.decode(bytes, { maxDepth }),
    deserialize: maxDepth => qbson.deserialize(bytes, { maxDepth }),
    validate: maxDepth => qbson.validate(bytes, { maxDepth }),
    documents: maxDepth => [...qbson.documents(bytes, { maxDepth })],
    'RawDocument.toObject': maxDepth => new RawDocument(bytes).toObject({ maxDepth }),
    'RawDocument.validate': maxDepth => new RawDocument(bytes).validate({ maxDepth }),
    'EJSON.parse': maxDepth => EJSON.parse(json, { maxDepth }),
    'EJSON.stringify': maxDepth => EJSON.stringify(doc, { maxDepth }),
    'EJSON.fromBSON': maxDepth => EJSON.fromBSON(bytes, { maxDepth }),
    'EJSON.toBSON': maxDepth => EJSON.toBSON(json, { maxDepth }),
    compile: maxDepth => require('../lib/compile').compile({ properties: { a: { bsonType: 'object' } } }, { maxDepth }).decode(bytes)
  }
})()

module.exports = {
  'own fields, whatever their prototype has': t => {
    const object = Object.assign(Object.create({ b: 1 }), { a: 1, c: 1 })
    const owned = [0b000, 0b001, 0b100, 0b101]
    t.deepStrictEqual([0, 1, 2, 3, 4, 5, 6, 7].filter(bits => ownsAll(object, ['a', 'b', 'c'], bits)), owned)
    const doc = {}
    setOwn(doc, '__proto__', 5)
    t.deepStrictEqual(Object.getOwnPropertyDescriptor(doc, '__proto__'), { value: 5, writable: true, enumerable: true, configurable: true })
    t.strictEqual(Object.getPrototypeOf(doc), Object.prototype)
    t.done()
  },

  'what every object inherits': t => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) t.ok(isInherited(name) && mayBeInherited(name), name)
    for (const name of ['a', 'created', '_id', '']) t.ok(!isInherited(name) && !mayBeInherited(name), name)
    t.deepStrictEqual([mayBeInherited('tostring'), isInherited('tostring')], [true, false])
    t.strictEqual(isPrototypeChanged(), false)
    Object.defineProperty(Object.prototype, 'late', { value: 1, configurable: true })
    t.strictEqual(isPrototypeChanged(), true)
    const { valueOf } = Object.prototype
    delete Object.prototype.valueOf
    t.strictEqual(isPrototypeChanged(), true, 'one more and one less')
    Object.defineProperty(Object.prototype, 'valueOf', { value: valueOf, configurable: true, writable: true })
    delete Object.prototype.late
    t.done()
  },

  'maxDepth is a non-negative integer, or nothing, or Infinity': function (t) {
    for (const nothing of [undefined, null]) t.strictEqual(levels(nothing, 'maxDepth'), MAX_DEPTH)
    for (const count of [0, 1, 200, 2 ** 40, Infinity]) t.strictEqual(levels(count, 'maxDepth'), count)
    for (const wrong of [1.5, -1, -Infinity, NaN, '5', 5n, true, {}, [5], Symbol('5'), new Number(5)]) {
      const error = errorOf(() => levels(wrong, 'maxDepth'))
      t.ok(error instanceof BSONError)
      t.ok(error.message.startsWith('maxDepth must be a non-negative integer, not '), error.message)
    }
    t.done()
  },

  'maxDepth means the same to every function': function (t) {
    for (const [name, call] of Object.entries(FUNCTIONS)) {
      for (const enough of [2, 3, Infinity, undefined, null]) call(enough)
      for (const few of [0, 1]) {
        const error = errorOf(() => call(few))
        t.ok(error instanceof BSONError && error.message.includes(`nested deeper than ${few} levels`), `${name}: ${error}`)
      }
      for (const wrong of [1.5, -1, NaN, '2', {}]) {
        const error = errorOf(() => call(wrong))
        t.ok(error instanceof BSONError && error.message.startsWith('maxDepth must be a non-negative integer, not '), `${name}: ${error}`)
      }
    }
    t.done()
  }
}
