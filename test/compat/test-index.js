'use strict'

// The names of the bson package against bson 7.3.4 itself: the exports, the classes, and the results of some seventy
// thousand calls. Every difference is listed with its reason in fixtures/compat-differences.js, and each must still
// exist.

const assert = require('node:assert/strict')
const { inspect, types: { isProxy } } = require('node:util')
const { runInNewContext } = require('node:vm')
const bson = require('bson')
const lodash = require('lodash')
const BSON = require('../../lib/compat')
const { requireWithoutBuffer } = require('../without-buffer')
const { optionsReader } = require('../../lib/compat/read-options')
const { describe } = require('../fixtures/describe')
const { errorOf } = require('../fixtures/error-of')
const { calls, codecCalls, samples } = require('../fixtures/compat-calls')
const { DIFFERENCES, SHAPE_DIFFERENCES } = require('../fixtures/compat-differences')
const { UTILITIES } = require('../fixtures/compat-utilities')

const compat = { BSON, ...BSON }

function outcome({ run }) {
  try {
    return { value: describe(run()) }
  } catch (error) {
    return { error }
  }
}

/** Errors are equal if name and message are; ours may end with the place: ` (at offset 4 in field a)`. */
function isSame(ours, theirs) {
  if (!ours.error || !theirs.error) return ours.value !== undefined && ours.value === theirs.value
  if (!bson.BSONError.isBSONError(theirs.error)) return true // JavaScript's own errors about values of the wrong type
  const { name, message } = ours.error
  return name === theirs.error.name && (message === theirs.error.message || message.startsWith(`${theirs.error.message} (`))
}

function text({ value, error }) {
  return error ? `${error.name}: ${error.message}` : value
}

/** Calls both; fails on differences that are not listed; returns the names of those that occurred. */
function compare(t, rows) {
  const theirs = new Map(rows(bson).map(row => [row.name, row]))
  const ours = rows(compat)
  assert.deepEqual(ours.map(row => row.name).filter(name => !theirs.has(name)), [])
  const found = new Set()
  const unnamed = []
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0 // half of the calls are errors
  for (const row of ours) {
    const [mine, other] = [outcome(row), outcome(theirs.get(row.name))]
    if (isSame(mine, other)) continue
    const difference = DIFFERENCES.find(({ calls, ours: check }) => calls.test(row.name) && check(mine))
    if (difference) found.add(difference.name)
    else unnamed.push(`${row.name}\n  ours:   ${text(mine)}\n  theirs: ${text(other)}`)
  }
  Error.stackTraceLimit = stackTraceLimit
  assert.equal(unnamed.length, 0, unnamed.slice(0, 20).join('\n'))
  t.ok(ours.length === theirs.size)
  return { found, count: ours.length }
}

/** Everything that a program can see of an export without calling it. */
function shapeOf(lib) {
  const shape = {}
  for (const name of Object.keys(lib)) {
    const value = lib[name]
    shape[name] = `${typeof value}${Object.isFrozen(value) ? ' frozen' : ''}`
    if (name === 'BSON') continue // has the others, see above
    if (typeof value === 'object' || typeof value === 'function') addProperties(shape, name, value)
    if (typeof value === 'object') shape[`${name} prototype`] = Object.getPrototypeOf(value) === null ? 'null' : 'Object'
    if (typeof value !== 'function' || !value.prototype) continue
    shape[`${name} length`] = String(value.length)
    shape[`${name} extends`] = Object.getPrototypeOf(value.prototype).constructor?.name
    addProperties(shape, `${name}.prototype`, value.prototype)
  }
  return shape
}

function addProperties(shape, name, object) {
  for (const key of Reflect.ownKeys(object)) {
    const { value, get, set, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, key)
    const kind = get || set ? `${get ? 'get' : ''}${set ? 'set' : ''}` : typeof value === 'function' ? 'function' : 'value'
    shape[`${name}.${String(key)}`] = `${kind} ${[writable && 'w', enumerable && 'e', configurable && 'c'].filter(Boolean).join('')}`
    if (typeof value === 'function') shape[`${name}.${String(key)} length`] = String(value.length)
    else if (kind === 'value' && Object(value) !== value) shape[`${name}.${String(key)} value`] = String(value)
  }
}

module.exports = {
  'the 32 exports': function (t) {
    t.deepStrictEqual(Object.keys(compat).sort(), Object.keys(bson).sort())
    t.strictEqual(Object.keys(compat).length, 32)
    t.deepStrictEqual(Reflect.ownKeys(compat.BSON), Reflect.ownKeys(bson.BSON))
    for (const name of Object.keys(compat.BSON)) t.strictEqual(compat.BSON[name], compat[name], name)
    t.done()
  },

  'statics, prototypes, descriptors and lengths of arguments': function (t) {
    const [ours, theirs] = [shapeOf(compat), shapeOf(bson)]
    const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
    t.ok(names.length > 700, `${names.length} things compared`)
    const differing = names.filter(name => ours[name] !== theirs[name])
    t.deepStrictEqual(differing.sort(), Object.keys(SHAPE_DIFFERENCES).sort())
    t.done()
  },

  'what seventy thousand calls answer': function (t) {
    const types = compare(t, calls)
    const codec = compare(t, codecCalls)
    t.ok(types.count + codec.count > 70000, `${types.count + codec.count} calls`)
    const found = new Set([...types.found, ...codec.found])
    t.deepStrictEqual(DIFFERENCES.map(({ name }) => name).filter(name => !found.has(name)), [], 'listed differences that no longer exist')
    t.done()
  },

  'own fields, in their order': function (t) {
    const theirs = samples(bson)
    for (const [name, list] of Object.entries(samples(compat))) {
      list.forEach((value, i) => {
        const fields = Object.getOwnPropertyDescriptors(value)
        const expected = Object.getOwnPropertyDescriptors(theirs[name][i])
        assert.deepEqual(Reflect.ownKeys(fields), Reflect.ownKeys(expected), name)
        for (const key of Object.keys(fields)) {
          const { value: one, ...flags } = fields[key]
          assert.deepEqual(flags, { writable: true, enumerable: true, configurable: true }, `${name}.${key}`)
          assert.equal(typeof one, typeof expected[key].value)
        }
        assert.equal(value[Symbol.for('@@mdb.bson.version')], 7)
        assert.equal(value[Symbol.for('@@mdb.bson.type')], value._bsontype)
        assert.ok(value instanceof compat.BSONValue)
      })
    }
    t.strictEqual(Object.keys(theirs).length, 14)
    t.done()
  },

  'each library serializes the values of the other': function (t) {
    const ours = samples(compat)
    const theirs = samples(bson)
    const expected = bson.serialize(theirs).toString('hex')
    t.strictEqual(compat.serialize(ours).toString('hex'), expected)
    t.strictEqual(compat.serialize(theirs).toString('hex'), expected)
    t.strictEqual(bson.serialize(ours).toString('hex'), expected)
    t.strictEqual(bson.EJSON.stringify(ours, { relaxed: false }).replaceAll(/"Bw(A|=)*"/g, ''),
      compat.EJSON.stringify(theirs, { relaxed: false }).replaceAll(/"Bw(A|=)*"/g, ''))
    t.done()
  },

  'lodash, chai and structuredClone treat the values as they treat those of bson': async function (t) {
    const chai = await import('chai') // an ES module, which nyc cannot load by require
    const again = samples(compat)
    for (const [name, list] of Object.entries(samples(compat))) {
      list.forEach((value, i) => {
        assert.ok(lodash.isEqual(value, again[name][i]), `lodash.isEqual of ${name} ${i}`)
        chai.expect(value).to.deep.equal(again[name][i])
        assert.deepStrictEqual(value, again[name][i])
        const clone = lodash.cloneDeep(value)
        assert.notStrictEqual(clone, value)
        assert.deepStrictEqual(clone, value)
        assert.equal(inspect(clone), inspect(value))
        assert.deepEqual(Object.keys(structuredClone(value)), Object.keys(value))
        const others = list.filter((_, other) => other !== i)
        for (const other of others) assert.ok(!lodash.isEqual(value, other), `${name} ${i} is not another`)
      })
    }
    t.done()
  },

  'errors of either library are known to the other': function (t) {
    const error = errorOf(() => compat.deserialize(Buffer.alloc(3)))
    t.ok(bson.BSONError.isBSONError(error))
    t.ok(compat.BSONError.isBSONError(errorOf(() => bson.deserialize(Buffer.alloc(3)))))
    t.ok(compat.BSONError.isBSONError(errorOf(() => compat.onDemand.parseToElements(Buffer.alloc(3)))))
    for (const name of ['BSONError', 'BSONVersionError', 'BSONRuntimeError']) {
      t.deepStrictEqual({ ...new compat[name]('why') }, { ...new bson[name]('why') })
      t.strictEqual(String(new compat[name]('why')), String(new bson[name]('why')))
    }
    const [ours, theirs] = [compat, bson].map(lib => new lib.BSONOffsetError('why', 5, { cause: 7 }))
    t.deepStrictEqual([ours.name, ours.message, ours.offset, ours.cause], [theirs.name, theirs.message, theirs.offset, theirs.cause])
    t.done()
  },

  onDemand: {
    'elements inside of a buffer are found when they are looked at': function (t) {
      const inner = compat.serialize({ x: 1, y: 'two' })
      const bytes = Buffer.concat([Buffer.alloc(7), inner])
      const expected = bson.onDemand.parseToElements(bytes, 7)
      const looks = [
        list => list.length, list => list[1], list => [...list], list => 1 in list, list => Object.keys(list),
          list => JSON.stringify(list),
        list => list.map(element => element[0]), list => Object.getOwnPropertyDescriptor(list, '0'),
        list => list.push(5) + list.length,
        list => [(list[0] = 7), list[0]], list => delete list[1] && list,
        list => Object.freeze(list).length,
        list => Object.defineProperty(list, 5, { value: 1, configurable: true }).length, list => Array.isArray(list),
          list => list.slice(1).concat([1])
      ]
      for (const look of looks) {
        const list = compat.onDemand.parseToElements(bytes, 7)
        t.ok(isProxy(list))
        assert.deepEqual(look(list), look([...expected]), String(look))
      }
      t.done()
    },

    'an array and a whole document are read at once': function (t) {
      const array = compat.serialize({ a: [1, 2, 3] })
      t.ok(!isProxy(compat.onDemand.parseToElements(array)))
      t.ok(!isProxy(compat.onDemand.parseToElements(array, 7)))
      t.strictEqual(compat.onDemand.parseToElements(array, 7).length, 3)
      t.strictEqual(compat.onDemand.parseToElements(array, null).length, 1)
      t.done()
    },

    'what is wrong with the frame is said at once, with an element when it is looked at': function (t) {
      const bytes = Buffer.concat([Buffer.alloc(3), compat.serialize({ x: 1 })])
      const cut = errorOf(() => compat.onDemand.parseToElements(bytes.subarray(0, -1), 3))
      t.strictEqual(cut.message, 'Parsed documentSize (12 bytes) does not match input length (14 bytes). offset: 3')
      const open = Buffer.from(bytes)
      open[open.length - 1] = 1
      t.strictEqual(errorOf(() => compat.onDemand.parseToElements(open, 3)).message, 'BSON documents must end in 0x00. offset: 15')
      const negative = Buffer.from(bytes)
      negative[6] = 0x80
      const error = errorOf(() => compat.onDemand.parseToElements(negative, 3))
      t.strictEqual(error.message, 'BSON size cannot be negative. offset: 3')
      t.strictEqual(error.cause.message, 'Size cannot be negative at offset: 3')
      const unknown = Buffer.from(bytes)
      unknown[7] = 0x55
      const list = compat.onDemand.parseToElements(unknown, 3)
      for (let i = 0; i < 2; i++) t.strictEqual(errorOf(() => list.length).message, 'Invalid 0x55 type byte. offset: 10')
      t.done()
    }
  },

  'options that only spell the defaults out change nothing, also on bytes that are wrong': function (t) {
    const doc = { a: 'text', writeErrors: 'text', b: [1] }
    const said = { promoteLongs: true, validation: { utf8: { writeErrors: false } }, index: undefined }
    t.deepStrictEqual(compat.deserialize(compat.serialize(doc), said), doc)
    for (const field of ['a', 'writeErrors']) {
      const bytes = compat.serialize(doc)
      bytes[bytes.indexOf(`${field}\0`) + field.length + 5] = 0xff
      const [ours, theirs] = [compat, bson].map(lib => outcome({ run: () => lib.deserialize(bytes, said) }))
      t.ok(isSame(ours, theirs), `${field}: ${text(ours)}, ${text(theirs)}`)
      t.strictEqual('error' in ours, field === 'a')
    }
    const mixed = { validation: { utf8: { a: true, b: false } } }
    const [ours, theirs] = [compat, bson].map(lib => outcome({ run: () => lib.deserialize(compat.serialize(doc), mixed) }))
    t.ok('error' in ours && isSame(ours, theirs), text(ours))
    t.done()
  },

  'what programs know errors by is said in the words of bson': function (t) {
    const int = '0a000000'
    const bad = {
      'an array that ends early': `0461000c000000 00 ${'00'.repeat(7)}`,
      'an array that ends early, behind an item': `04610014000000 103000${int} 00 ${'00'.repeat(8)}`,
      'an array inside an array that ends early': `04610014000000 0430000c000000 00 ${'00'.repeat(7)} 00`,
      'an array of impossible length': '04610004000000 00',
      'a document that ends early': `0361000c000000 00 ${'00'.repeat(7)}`,
      'a document of impossible length': '036100ffffff7f 00',
      'a root that ends early': `00 ${'00'.repeat(7)}`,
      'a root that ends early, behind an element': `106100${int} 00 ${'00'.repeat(8)}`,
      'a scope of impossible size': '0f61000f000000 02000000 6600 04000000 00',
      'a scope beyond the end': '0f61000f000000 02000000 6600 7f000000 00',
      'a scope that ends early': `0f610016000000 02000000 6600 0c000000 00 ${'00'.repeat(7)}`,
      'code with scope, too short for both': '0f61000c000000 02000000 6600 05000000 00',
      'code with scope, cutting its scope': '0f61000d000000 02000000 6600 05000000 00',
      'code with scope, one too short': '0f61000e000000 02000000 6600 05000000 00',
      'code with scope, one too long': '0f610010000000 02000000 6600 05000000 00',
      'code with scope, far too long': '0f6100ffffff7f 02000000 6600 05000000 00',
      'a text of no length': '02610000000000 00',
      'a text without a length': '026100',
      'a text with half a length': '026100 0100',
      'code without a length': '0d6100',
      'a symbol without a length': '0e6100',
      'a reference without a length': '0c6100',
      'a document without a length': '036100',
      'a document with half a length': '036100 0500',
      'an array without a length': '046100',
      'a scope with half a length': '0f61000f000000 02000000 6600 0500',
      'code with scope without a length': '0f6100',
      'a boolean': '08610002',
      'a type': '206100',
      'a Binary': '056100ffffffff 00',
      'an old Binary': '05610005000000 02 02000000 00'
    }
    for (const [what, hex] of Object.entries(bad)) {
      const body = Buffer.from(hex.replaceAll(' ', ''), 'hex')
      const bytes = Buffer.concat([Buffer.from([body.length + 5, 0, 0, 0]), body, Buffer.alloc(1)])
      for (const options of [undefined, { promoteValues: false }, { validation: { utf8: { a: false } } }]) {
        const [ours, theirs] = [compat, bson].map(lib => outcome({ run: () => lib.deserialize(bytes, options) }))
        assert.ok(theirs.error, what)
        assert.ok(isSame(ours, theirs), `${what}: ${text(ours)}, ${text(theirs)}`)
      }
    }
    t.done()
  },

  'large documents need no setInternalBufferSize; when it was called there is a limit, of 17 MB at least': function (t) {
    const asTheDriver = { checkKeys: false, serializeFunctions: false, ignoreUndefined: false }
    const sized = bytes => ({ big: Buffer.alloc(bytes - 15, 7) })
    const fits = bytes => t.strictEqual(compat.serialize(sized(bytes), asTheDriver).length, bytes)
    const MB = 2 ** 20
    const refuses = (bytes, limit) => t.throws(() => compat.serialize(sized(bytes), asTheDriver), new RegExp(`^BSONError: .* than ${limit} bytes$`))
    compat.setInternalBufferSize(Infinity) // as if it had not been called
    fits(18 * MB)
    for (const size of [1, 17 * MB, undefined, NaN]) {
      t.strictEqual(compat.setInternalBufferSize(size), undefined)
      fits(17 * MB)
      refuses(17 * MB + 1, 17 * MB)
    }
    compat.setInternalBufferSize(18 * MB)
    fits(18 * MB)
    refuses(18 * MB + 1, 18 * MB)
    compat.setInternalBufferSize(Infinity)
    t.throws(() => compat.serialize(sized(100), { maxSize: 99 }), /document is larger than 99 bytes/)
    t.done()
  },

  'a type of the user': function (t) {
    class Money extends compat.BSONValue {
      constructor() {
        super()
        this.cents = 5
      }
    }
    t.strictEqual(new Money()._bsontype, 'Money')
    t.strictEqual(new Money()[compat.bsonType], 'Money')
    t.strictEqual(inspect(new Money()), 'new Money({ cents: 5 })')
    t.strictEqual(new Money().inspect(), 'new Money({"cents":5})')
    t.done()
  },

  'null for options, or what is no object': function (t) {
    const bytes = compat.serialize({ a: 1 }, null)
    for (const options of [null, 1, 'raw', true]) t.deepStrictEqual(compat.deserialize(bytes, options), { a: 1 })
    t.done()
  },

  'options are read as they are on every engine': function (t) {
    const OPTIONS = ['index', 'allowObjectSmallerThanBufferSize', 'useBigInt64', 'promoteLongs', 'promoteBuffers',
      'promoteValues', 'fieldsAsRaw', 'bsonRegExp', 'raw', 'validation', 'maxDepth']
    const own = { index: 3, raw: true, promoteValues: false, validation: { utf8: false }, maxDepth: 5 }
    const inherited = Object.create({ promoteLongs: false, maxDepth: 9 }, { bsonRegExp: { value: true }, index: { value: 0 } })
    for (const options of [{}, own, inherited]) {
      for (const version of ['11.3.244.8-node.38', '12.4.254.21-node.33', undefined]) {
        const read = optionsReader(version)(options)
        for (const name of OPTIONS) t.strictEqual(read[name], options[name])
      }
    }
    t.strictEqual(optionsReader('12.4.254.21')(own), own)
    t.notStrictEqual(optionsReader('11.3.244.8')(own), own)
    t.done()
  },

  'options that are inherited say nothing': function (t) {
    const bytes = compat.serialize({ n: 5n, list: [1.5], d: Buffer.from('x') })
    const plain = compat.deserialize(bytes)
    for (const options of [{ useBigInt64: true }, { promoteBuffers: true }, { promoteLongs: false }, { promoteValues: false }]) {
      t.notDeepStrictEqual(compat.deserialize(bytes, options), plain)
      for (const own of [{}, { validation: { utf8: { x: false } } }, { index: 0 }]) {
        t.deepStrictEqual(compat.deserialize(bytes, Object.assign(Object.create(options), own)), plain)
        const theirs = bson.deserialize(bytes, { ...options, ...own })
        t.strictEqual(describe(compat.deserialize(bytes, { ...options, ...own })), describe(theirs))
      }
    }
    t.done()
  },

  'without Buffer the answers are Uint8Arrays with the same bytes': function (t) {
    const plain = requireWithoutBuffer('lib/compat/index.js')
    const bytes = plain.serialize({ a: [1, 'Grüße'], b: new plain.ObjectId('0'.repeat(24)) })
    t.strictEqual(bytes.constructor, Uint8Array)
    t.deepStrictEqual(Buffer.from(bytes), bson.serialize({ a: [1, 'Grüße'], b: new bson.ObjectId('0'.repeat(24)) }))
    for (const [method, lists] of Object.entries(UTILITIES.ByteUtils)) {
      if (method === 'fromBase64' || method === 'toLocalBufferType') continue // the web's own function is stricter, as in bson
      lists.forEach((args, i) => {
        const [ours, theirs] = [plain, bson].map(lib => {
          const buf = Buffer.from('ff01808182838485f0f1f2f34a4b4c4d', 'hex')
          return outcome({ run: () => [lib.ByteUtils[method](...args(buf)), buf] })
        })
        const same = text(ours).replaceAll('Uint8Array<', 'Buffer<') === text(theirs).replaceAll('Uint8Array<', 'Buffer<')
        assert.ok(same || (ours.error && theirs.error), `${method} ${i}: ${text(ours)}, ${text(theirs)}`)
      })
    }
    t.strictEqual(plain.ByteUtils.allocateUnsafe(3).constructor, Uint8Array)
    t.strictEqual(plain.ByteUtils.fromBase64('AQID').length, 3)
    t.strictEqual(compat.ByteUtils.allocateUnsafe(3).length, 3)
    t.done()
  },

  'bytes of another realm': function (t) {
    const foreign = runInNewContext('new Uint8Array([5, 0, 0, 0, 0])')
    t.deepStrictEqual(compat.deserialize(foreign), {})
    t.done()
  }
}
