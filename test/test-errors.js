'use strict'

const assert = require('node:assert')
const bson = require('bson')
const errors = require('../lib/errors')
const { compile } = require('../lib/compile')
const { encode, decode, sizeOf, validate, serialize, deserialize, EJSON, ObjectId, Long } = require('../qbson')

const { BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError } = errors
const { errorAtOffset, shownName, atKey, atPlace, hasPath, pathOf, stackError, describePlace } = errors

/** A document with this many levels. */
function nested(levels, innermost) {
  let doc = innermost
  for (let i = 0; i < levels; i++) doc = i % 2 ? { a: doc } : { b: [doc] }
  return doc
}

/** A schema of documents with this many levels, and a type that does not exist inside. */
function schemaOfLevels(levels) {
  let schema = { bsonType: 'none' }
  for (let i = 0; i <= levels; i++) schema = { bsonType: 'object', properties: { a: schema } }
  return schema
}

/** Faults below `levels` levels, for every function that walks through them. */
function failuresAt(levels) {
  const broken = encode(nested(levels, { x: 'abc' }))
  broken[broken.lastIndexOf(0x62)] = 0xff
  const wrong = nested(levels, { x: 1n << 70n })
  return {
    decode: () => decode(broken),
    validate: () => validate(broken),
    encode: () => encode(wrong),
    deserialize: () => deserialize(broken),
    serialize: () => serialize(wrong),
    'EJSON.fromBSON': () => EJSON.fromBSON(broken),
    'EJSON.stringify': () => EJSON.stringify(wrong),
    compile: () => compile(schemaOfLevels(levels)),
    'new ObjectId': () => new ObjectId('x'),
    'Long.fromString': () => Long.fromStringStrict('x')
  }
}

function thrownBy(work) {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

module.exports = {
  'the stack shows who called, however deep the document is, and the place': t => {
    for (const levels of [1, 50, 190]) {
      for (const [name, fail] of Object.entries(failuresAt(levels))) {
        const error = (function theCaller() {
          try {
            return fail()
          } catch (error) {
            return error
          }
        })()
        t.ok(error instanceof BSONError, name)
        const lines = error.stack.split('\n').filter(line => line.startsWith('    at '))
        const frame = lines.findIndex(line => line.includes('theCaller'))
        t.ok(frame >= 0 && frame < 10, `${name}, ${levels} levels: ${error.stack}`)
        t.ok(error.stack.includes(error.message))
      }
    }
    t.done()
  },

  'a limit of frames that a program has set is as it was': t => {
    const { stackTraceLimit } = Error
    for (const limit of [0, 3, 50]) {
      Error.stackTraceLimit = limit
      const { stack } = new BSONError('m')
      t.strictEqual(Error.stackTraceLimit, limit)
      if (limit === 0) t.strictEqual(stack.split('\n').length, 1)
    }
    Error.stackTraceLimit = stackTraceLimit
    t.done()
  },

  'each class has its name and is a BSONError and an Error': t => {
    for (const [name, error] of Object.entries({
      BSONError: new BSONError('m'),
      BSONVersionError: new BSONVersionError(),
      BSONRuntimeError: new BSONRuntimeError('m'),
      BSONOffsetError: new BSONOffsetError('m', 5)
    })) {
      t.strictEqual(error.name, name)
      t.ok(error instanceof BSONError && error instanceof Error && error instanceof errors[name])
      t.strictEqual(error.bsonError, true)
      t.ok(error.stack.startsWith(`${name}: `) || error.stack.includes(error.message))
    }
    t.done()
  },

  'a message, a cause, and a place where there is one': t => {
    const cause = new Error('why')
    const error = new BSONError('what', { cause })
    t.strictEqual(error.message, 'what')
    t.strictEqual(error.cause, cause)
    t.deepStrictEqual([error.offset, error.path], [undefined, undefined])
    t.strictEqual('cause' in new BSONError('what'), false)
    const offset = new BSONOffsetError('what', 7, { cause })
    t.deepStrictEqual([offset.message, offset.offset, offset.cause], ['what. offset: 7', 7, cause])
    t.done()
  },

  'the version error says what bson says': t => {
    t.strictEqual(new BSONVersionError().message, new bson.BSONVersionError().message)
    t.done()
  },

  'isBSONError knows those of any copy': t => {
    for (const error of [new BSONError('m'), new BSONOffsetError('m', 1), new bson.BSONError('m'), new bson.BSONRuntimeError('m')]) {
      t.strictEqual(BSONError.isBSONError(error), true)
    }
    const bare = { bsonError: true, name: 'n', message: 'm' }
    for (const other of [null, undefined, 1, 'x', {}, new Error('m'), bare, { ...bare, bsonError: 1, stack: '' }, { bsonError: true, stack: '' }, { bsonError: true, name: '' }]) {
      t.strictEqual(BSONError.isBSONError(other), false)
    }
    t.strictEqual(BSONError.isBSONError({ ...bare, stack: 's' }), true)
    t.done()
  },

  'errorAtOffset': t => {
    const error = errorAtOffset('what', 12)
    t.deepStrictEqual([error.message, error.offset, error.path, 'cause' in error], ['what', 12, undefined, false])
    const cause = new Error('why')
    t.strictEqual(errorAtOffset('what', 12, cause).cause, cause)
    t.done()
  },

  'paths': t => {
    const paths = [
      [['a'], 'a'],
      [['a', 'b', 'c'], 'a.b.c'],
      [['a', 0, 'b'], 'a[0].b'],
      [[0], '[0]'],
      [[0, 1], '[0][1]'],
      [['a b'], '["a b"]'],
      [['a', 'x.y', 'c'], 'a["x.y"].c'],
      [['a', ''], 'a[""]'],
      [['"', '\0'], '["\\""]["\\u0000"]'],
      [['$set', '_id', 'a-b', '0'], '$set._id.a-b.0'],
      [['größe'], '["größe"]']
    ]
    for (const [keys, path] of paths) t.strictEqual(pathOf(keys), path)
    t.strictEqual(pathOf(['a']), 'a')
    t.done()
  },

  'a long path has its first and its last twenty keys': t => {
    const keys = Array.from({ length: 41 }, (_, i) => `k${i}`)
    t.strictEqual(pathOf(keys.slice(0, 40)), keys.slice(0, 40).join('.'))
    t.strictEqual(pathOf(keys), [...keys.slice(0, 20), '["\u2026"]', ...keys.slice(21)].join('.').replace('.[', '['))
    t.done()
  },

  'only the engine is told of by its full stack': t => {
    const full = new RangeError('Maximum call stack size exceeded')
    t.ok(stackError(full) instanceof BSONError)
    t.strictEqual(stackError(full).cause, full)
    for (const other of [new RangeError('Invalid array length'), new TypeError('the stack is wrong'), 'stack', undefined]) {
      t.strictEqual(stackError(other), other)
    }
    t.done()
  },

  'atKey puts keys in front, and leaves the errors of others alone': t => {
    const error = new BSONError('what')
    t.strictEqual(hasPath(error), false)
    t.strictEqual(atKey(atKey(error, 'b'), 0), error)
    t.strictEqual(hasPath(error), true)
    t.strictEqual(describePlace(error).message, 'what (in field [0].b)')
    t.strictEqual(atPlace(atKey(new BSONError('what'), 'a'), { offset: 5, document: 2 }).message, 'what (in field a of document 2)')
    const other = new RangeError('mine')
    t.strictEqual(atKey(other, 'a'), other)
    t.strictEqual('path' in other, false)
    t.strictEqual(atKey('thrown', 'a'), 'thrown')
    t.done()
  },

  'an error that has left the library stays as it is, the cause of the next': t => {
    const kept = new BSONError('no')
    const inner = { toBSON: () => encode({ q: new Date(NaN) }) }
    const broken = encode({ q: 'abc' })
    broken[9] = 99
    const ring = {}
    ring.again = ring
    const cases = [
      [kept, 'no', ''], [Object.freeze(new BSONError('no')), 'no', ''], [Object.preventExtensions(new BSONError('no')), 'no', ''],
      [thrownBy(() => encode(inner)), 'Invalid Date cannot be serialized', ''],
      [thrownBy(() => decode(broken)), 'bad string length in bson', '.q'],
      [thrownBy(() => encode(ring)), 'Cannot convert circular structure to BSON', '.again']
    ]
    for (const [error, message, path] of cases) {
      const first = error === kept ? kept.message : `${error.message} ${error.path}`
      for (const [name, write] of Object.entries({ encode, sizeOf, serialize, 'EJSON.stringify': value => EJSON.stringify(value) })) {
        const fails = { get x() { throw error } }
        const wrong = name === 'EJSON.stringify' ? { x: fails } : fails // it names what the getter is of
        for (const [place, value] of [['x', wrong], ['a.x', { a: wrong }], ['a.x', { a: wrong }], ['b[0].x', { b: [wrong] }]]) {
          const found = thrownBy(() => write(value))
          const at = error.offset === undefined ? '' : `at offset ${error.offset} `
          t.deepStrictEqual([found.path, found.message], [place + path, `${message} (${at}in field ${place}${path})`], name)
          if (found !== error) t.strictEqual(found.cause, error)
        }
      }
      if (error !== kept) t.strictEqual(`${error.message} ${error.path}`, first)
    }
    t.strictEqual(kept.path, 'x')
    const found = thrownBy(() => encode({ outer: inner }))
    t.deepStrictEqual([found.path, found.cause.path], ['outer', 'q'])
    t.strictEqual(thrownBy(() => encode({ toBSON() { throw Object.freeze(new BSONError('no')) } })).message, 'no')
    t.done()
  },

  'describePlace ends the message with what is known, once': t => {
    const cases = [
      [{}, 'what'],
      [{ offset: 0 }, 'what (at offset 0)'],
      [{ path: 'a.b' }, 'what (in field a.b)'],
      [{ offset: 5, path: 'a' }, 'what (at offset 5 in field a)'],
      [{ offset: 5, path: '' }, 'what (at offset 5)']
    ]
    for (const [place, message] of cases) {
      const error = Object.assign(new BSONError('what'), place)
      t.strictEqual(describePlace(error), error)
      t.strictEqual(error.message, message)
      t.strictEqual(describePlace(error).message, message)
    }
    t.strictEqual(describePlace(Object.assign(new BSONError('what (so)'), { offset: 1 })).message, 'what (so) (at offset 1)')
    t.strictEqual(describePlace(new BSONOffsetError('what', 3)).message, 'what. offset: 3')
    const other = new RangeError('mine')
    assert.strictEqual(describePlace(other), other)
    t.strictEqual(other.message, 'mine')
    t.done()
  },

  'long names are cut': t => {
    t.strictEqual(shownName('x'.repeat(100)), 'x'.repeat(100))
    t.strictEqual(shownName('x'.repeat(101)), `${'x'.repeat(100)}\u2026`)
    t.strictEqual(pathOf(['x'.repeat(200_000)], 'b'), `["${'x'.repeat(100)}\u2026"].b`)
    t.strictEqual(pathOf(['a'.repeat(100)]), 'a'.repeat(100))
    t.done()
  },

  'atPlace: the place in a stream, in front of which other documents lie': t => {
    const cases = [
      [{}, 'what (of document 3)'],
      [{ path: 'a' }, 'what (in field a of document 3)'],
      [{ offset: 5 }, 'what (at offset 105 of document 3)'],
      [{ offset: 5, path: 'a' }, 'what (at offset 105 in field a of document 3)']
    ]
    for (const [place, message] of cases) {
      for (const isDescribed of [false, true]) {
        const error = Object.assign(new BSONError('what'), place)
        if (isDescribed) describePlace(error)
        t.strictEqual(atPlace(error, { offset: 100, document: 3 }), error)
        t.strictEqual(error.message, message)
        t.deepStrictEqual([error.offset, error.document], [place.offset === undefined ? undefined : 105, 3])
        t.strictEqual(describePlace(error).message, message)
      }
    }
    t.strictEqual(atPlace(errorAtOffset('what', 1), { offset: 1, document: 1, file: 'a.bson' }).message, 'a.bson: what (at offset 2 of document 1)')
    const text = 'what (at offset 1) in a name'
    t.strictEqual(atPlace(errorAtOffset(text, 1), { offset: 1, document: 1 }).message, `${text} (at offset 2 of document 1)`)
    const other = new TypeError('mine')
    t.strictEqual(atPlace(other, { offset: 100, document: 3, file: 'a.bson' }), other)
    t.strictEqual(other.message, 'mine')
    t.done()
  }
}
