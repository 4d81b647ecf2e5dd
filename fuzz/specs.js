'use strict'

// Values to encode, described as JSON: fast-check makes and shrinks the descriptions, files can store them, and `build`
// makes the same value from one with the classes of either library.
//
// A description is a list: the name of a maker and its arguments. Keys and items are lists of pairs.

const fc = require('fast-check')

const unhex = hex => Buffer.from(hex, 'hex')

class Own {
  constructor(entries) {
    define(this, entries)
  }
}

function define(object, entries) {
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  }
  return object
}

function withGetters(entries) {
  const object = {}
  for (const [key, value] of entries) Object.defineProperty(object, key, { get: () => value, enumerable: true, configurable: true })
  return object
}

/** Values that contain no others: (types, …arguments) → value. */
const LEAVES = {
  null: () => null,
  undefined: () => undefined,
  function: () => function named() { return 1 },
  symbol: () => Symbol('s'),
  bool: (types, value) => value,
  int: (types, value) => value,
  number: (types, text) => Number(text),
  string: (types, value) => value,
  big: (types, text) => BigInt(text),
  date: (types, ms) => new Date(ms),
  invalid: () => new Date(NaN),
  regexp: (types, source, flags) => new RegExp(source, flags),
  bytes: (types, hex) => unhex(hex),
  array8: (types, hex) => new Uint8Array(unhex(hex)),
  boxed: (types, value) => Object(value),
  id: (types, hex) => new types.ObjectId(hex),
  long: (types, low, high) => new types.Long(low, high),
  timestamp: (types, t, i) => new types.Timestamp({ t, i }),
  double: (types, text) => new types.Double(Number(text)),
  int32: (types, value) => new types.Int32(value),
  decimal: (types, hex) => new types.Decimal128(unhex(hex)),
  binary: (types, hex, subtype) => new types.Binary(unhex(hex), subtype),
  uuid: (types, hex) => new types.UUID(unhex(hex)),
  code: (types, text) => new types.Code(text),
  bsonSymbol: (types, text) => new types.BSONSymbol(text),
  bsonRegExp: (types, pattern, options) => new types.BSONRegExp(pattern, options),
  min: types => new types.MinKey(),
  max: types => new types.MaxKey()
}

/** Objects with entries. */
const OBJECTS = {
  object: entries => define({}, entries),
  map: entries => new Map(entries),
  bare: entries => define(Object.create(null), entries),
  own: entries => new Own(entries),
  getters: withGetters,
  proxy: entries => new Proxy(define({}, entries), {}),
  frozen: entries => Object.freeze(define({}, entries))
}

/**
 * @param {any[]} spec
 * @param {any} types the classes of a BSON library
 * @returns {any}
 */
function build([name, ...args], types) {
  if (LEAVES[name]) return LEAVES[name](types, ...args)
  if (OBJECTS[name]) return OBJECTS[name](args[0].map(([key, value]) => [key, build(value, types)]))
  if (name === 'array') return args[0].map(item => build(item, types))
  if (name === 'holes') return Object.assign([], Object.fromEntries(args[0].map((item, i) => [2 * i + 1, build(item, types)])))
  if (name === 'scoped') return new types.Code('f()', build(args[0], types))
  if (name === 'reference') return new types.DBRef('c', build(args[0], types), args[1])
  if (name === 'toBSON') return { hidden: 1, toBSON: () => build(args[0], types) }
  throw new Error(`no maker ${name}`)
}

const hex = (min, max) => fc.uint8Array({ minLength: min, maxLength: max }).map(bytes => Buffer.from(bytes).toString('hex'))
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map(codes => String.fromCharCode(...codes))
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: units },
  { weight: 1, arbitrary: fc.string({ minLength: 20, maxLength: 300 }) }
)
const noNull = text.map(value => value.replaceAll('\0', ''))
const WORDS = ['a', 'b', 'id', '_id', 'name', 'tags', 'x', 'y', 'value', '0', '1', '10', '', '__proto__', 'constructor', 'toString', 'length', 'ключ', 'a.b']
const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...WORDS) }, { weight: 1, arbitrary: noNull })
const numbers = fc.oneof(fc.integer().map(String), fc.double().map(value => Object.is(value, -0) ? '-0' : String(value)))
const int = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)))
const word = fc.nat({ max: 0xffffffff })

const tagged = (name, ...args) => fc.tuple(fc.constant(name), ...args)

/** Values that both libraries write alike; intended differences are in test/differences.js. */
const leaves = [
  tagged('null'), tagged('undefined'), tagged('function'), tagged('symbol'), tagged('bool', fc.boolean()), tagged('int', int),
  tagged('number', numbers), tagged('string', text), tagged('string', text),
  tagged('big', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  tagged('date', fc.integer({ min: -8.64e15, max: 8.64e15 })), tagged('regexp', fc.constantFrom('a', '^b/c$', '[ä"]+'), fc.constantFrom('', 'i', 'm', 'im')),
  tagged('bytes', hex(0, 20)), tagged('array8', hex(0, 20)), tagged('id', hex(12, 12)), tagged('long', int, int),
  tagged('timestamp', word, word), tagged('double', numbers), tagged('int32', int), tagged('decimal', hex(16, 16)),
  tagged('binary', hex(0, 20), fc.constantFrom(0, 1, 2, 3, 5, 6, 128, 255)), tagged('uuid', hex(16, 16)), tagged('code', text),
  tagged('bsonSymbol', text), tagged('bsonRegExp', noNull, fc.constantFrom('', 'i', 'imx', 'lsu')), tagged('min'), tagged('max')
]

/** Any value; `document` is one that can be a root. */
const { spec, document } = fc.letrec(tie => ({
  entries: fc.array(fc.tuple(key, tie('spec')), { maxLength: 8, depthIdentifier: 'doc' }),
  spec: fc.oneof(
    { depthIdentifier: 'doc', depthSize: 'small', maxDepth: 4 },
    { weight: 12, arbitrary: fc.oneof(...leaves) },
    { weight: 2, arbitrary: tie('document') },
    { weight: 2, arbitrary: tagged('array', fc.array(tie('spec'), { maxLength: 6, depthIdentifier: 'doc' })) },
    { weight: 1, arbitrary: tagged('holes', fc.array(tie('spec'), { maxLength: 3, depthIdentifier: 'doc' })) },
    { weight: 1, arbitrary: tagged('scoped', tie('document')) },
    { weight: 1, arbitrary: tagged('reference', tie('spec').filter(([name]) => !['null', 'undefined', 'function', 'symbol'].includes(name)), fc.constantFrom(undefined, 'db')) },
    // the libraries call a different number of a chain of toBSON methods
    { weight: 1, arbitrary: tagged('toBSON', tie('spec').filter(([name]) => name !== 'toBSON')) }
  ),
  document: fc.oneof({ weight: 8, arbitrary: tagged('object', tie('entries')) }, ...['map', 'bare', 'own', 'getters', 'proxy', 'frozen'].map(name => tagged(name, tie('entries'))))
}))

/** Changes to a description: the n-th value in it is replaced. */
const edits = fc.array(fc.tuple(fc.nat({ max: 30 }), spec), { maxLength: 3 })

/**
 * @param {any[]} from a description
 * @param {[number, any[]][]} changes
 * @returns {any[]} a changed copy
 */
function edit(from, changes) {
  const copy = structuredClone(from)
  for (const [n, replacement] of changes) {
    const places = placesIn(copy)
    if (places.length > 0) places[n % places.length](structuredClone(replacement))
  }
  return copy
}

/** A setter for every value inside a description. */
function placesIn([name, ...args]) {
  const [first] = args
  if (OBJECTS[name]) return first.flatMap(entry => [value => { entry[1] = value }, ...placesIn(entry[1])])
  if (name === 'array' || name === 'holes') return first.flatMap((item, i) => [value => { first[i] = value }, ...placesIn(item)])
  return name === 'scoped' || name === 'toBSON' ? placesIn(first) : []
}

module.exports = { build, spec, document, edits, edit }
