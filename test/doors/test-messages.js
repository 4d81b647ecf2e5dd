'use strict'

// What is said of what was given, and where an error keeps it.

const assert = require('node:assert')
const zlib = require('node:zlib')
const { inspect } = require('node:util')
const q = require('../../qbson')
const { columns } = require('../../lib/columns')
const json = require('../../lib/json')
const { compile } = require('../../lib/compile')
const { matcher } = require('../../lib/query')
const { errorOf } = require('../fixtures/error-of')

const { BSONError, DBRef, ObjectId, encode, decode } = q

const messageOf = work => errorOf(work).message

async function readStream(bytes, options) {
  for await (const document of q.documentStream([bytes.subarray(0, 2), bytes.subarray(2)], options)) void document
}

/** @returns {Promise<Error>} */
const rejected = work => work().then(() => assert.fail('it was read'), error => error)

module.exports = {
  'bytes that are not a document: what they look like, and what reads them': async t => {
    const one = encode({ a: 1 })
    for (const [bytes, said] of [
      [zlib.gzipSync(one), 'this looks like gzip: decompress it first'],
      [Buffer.from('28b52ffd0458', 'hex'), 'this looks like zstd: decompress it first'],
      [Buffer.from('{"a":1,"b":2}'), 'this looks like JSON: EJSON.toBSON or EJSON.parse reads the text'],
      [Buffer.from(' [\n {"a":1}]'), 'this looks like JSON: EJSON.toBSON or EJSON.parse reads the text'],
      [Buffer.concat([one, one]), 'another document follows: documents(bytes) reads all of them']
    ]) {
      for (const read of [decode, q.deserialize, q.validate, q.EJSON.fromBSON, bytes => new q.RawDocument(bytes)]) {
        t.ok(messageOf(() => read(bytes)).includes(`(${said})`), `${read.name}: ${messageOf(() => read(bytes))}`)
      }
    }
    const { text, head } = { text: Buffer.from('[{"a": 1}]'), head: one.subarray(0, 8) }
    for (const read of [readStream, bytes => columns([bytes]).next(), bytes => columns(bytes)]) {
      const said = async bytes => (await rejected(async () => read(bytes))).message
      t.ok((await said(text)).includes('(this looks like JSON: EJSON.toBSON or EJSON.parse reads the text)'), await said(text))
      t.ok((await said(zlib.gzipSync(one))).includes('(this looks like gzip: decompress it first)'))
      for (const bytes of [head, Buffer.concat([one, text])]) t.ok(!/look|follows/.test(await said(bytes)))
    }
    t.ok(!/follows/.test((await rejected(async () => readStream(Buffer.concat([one, one]), { maxDocumentSize: 5 }))).message))
    const beginnings = [one.subarray(0, 8), Buffer.from([0x7b, 0, 0, 0, 0]), Buffer.from([0x1f, 0x80, 0, 0, 0])]
    for (const bytes of [Buffer.from('hello world'), ...beginnings]) t.ok(!/look|follows/.test(messageOf(() => decode(bytes))))
    t.done()
  },

  'what was given instead of bytes': t => {
    const doors = [decode, q.validate, q.EJSON.fromBSON, bytes => [...q.documents(bytes)], columns, json.array, at => q.encodeInto({}, at)]
    const given = [
      [5, '5'], [null, 'null'], [new Promise(() => {}), 'a Promise (await it)'], [new Date(0), 'a Date'], [{}, 'an object'], [5n, '5'],
      [true, 'true'], [new Proxy(Buffer.alloc(5), {}), 'an object']
    ]
    for (const [value, shown] of given) {
      for (const read of doors) t.ok(messageOf(() => read(value)).endsWith(`, not ${shown}`), messageOf(() => read(value)))
    }
    t.strictEqual(messageOf(() => decode('05')), 'BSON bytes must be a Buffer, Uint8Array, ArrayBuffer, DataView or array of byte values, not "05"')
    for (const [text, said] of [
      [encode({}).toString('hex'), 'hex'], [encode({}).toString('base64'), 'base64'],
      [encode({ a: 'x'.repeat(300) }).toString('base64'), 'base64'], ['{"a":1}', 'JSON: EJSON.toBSON or EJSON.parse reads the text']
    ]) for (const bytes of [text, Buffer.from(text)]) t.ok(messageOf(() => decode(bytes)).includes(` (this looks like ${said})`), text)
    t.ok(!/look/.test(messageOf(() => decode('helloAtext'))))
    for (const text of [encode({ a: 1 }).toString(), encode({ a: 1 }).toString('latin1')]) {
      t.ok(messageOf(() => decode(text)).endsWith(' (bytes that were read as text: read them without an encoding)'), text)
    }
    for (const text of [{ a: 1 }, Buffer.from('{}'), undefined]) {
      t.ok(/^text must be a string, not (an object|a Uint8Array|undefined)$/.test(messageOf(() => q.EJSON.toBSON(text))))
    }
    for (const read of [q.documentStream, columns]) {
      t.ok(messageOf(() => read('a.bson')).endsWith(', or a stream of them, such as fs.createReadStream(file), not "a.bson"'))
    }
    t.done()
  },

  'what is no document, in the name of the function that was called': t => {
    for (const [value, rest] of [[[1], 'an array as the root input (make it the field of a document)'], ['x', 'non-object as the root input (this is of type string)']]) {
      t.strictEqual(messageOf(() => encode(value)), `encode does not support ${rest}`)
      for (const write of [q.serialize, value => q.serializeWithBufferAndIndex(value, Buffer.alloc(99))]) {
        t.strictEqual(messageOf(() => write(value)), `serialize does not support ${rest}`)
      }
    }
    const array = q.RawDocument.from({ a: [1] }).slice('a')
    for (const write of [encode, q.sizeOf, compile({}).encode, q.RawDocument.from]) {
      t.strictEqual(messageOf(() => write(array)), 'encode does not support an array as the root input (make it the field of a document)')
    }
    for (const query of [array, [1]]) t.ok(messageOf(() => matcher(query)).endsWith('{ price: { $gt: 5 } }, not an array'))
    t.strictEqual(messageOf(() => q.calculateObjectSize(5)), 'calculateObjectSize does not support non-object as the root input (this is of type number)')
    t.ok(messageOf(() => encode(new Date(0))).endsWith('(this is of class Date)'))
    t.ok(messageOf(() => encode(new ObjectId())).endsWith('(this is of type ObjectId)'))
    t.ok(messageOf(() => encode(new Map([[null, 1]]))).endsWith('not null'))
    t.done()
  },

  'what has no Extended JSON is a BSONError': t => {
    for (const value of [() => 1, Symbol('s')]) {
      t.strictEqual(messageOf(() => q.EJSON.serialize(value)), `Extended JSON has no ${typeof value}`)
      t.strictEqual(messageOf(() => q.EJSON.deserialize(value)), `Extended JSON has no ${typeof value}`)
    }
    t.strictEqual(messageOf(() => q.EJSON.deserialize(undefined)), 'Extended JSON has no undefined')
    for (const value of [5n, { a: [5n] }]) t.strictEqual(messageOf(() => q.EJSON.deserialize(value)), 'Extended JSON has no bigint: use $numberLong')
    t.done()
  },

  'the index of a document is a non-negative integer for all that read it': t => {
    const bytes = Buffer.concat([Buffer.alloc(3), encode({ a: 1 })])
    const reads = [decode, q.deserialize, q.validate, q.EJSON.fromBSON, require('../../lib/json').text]
    for (const index of ['3', -1, 1.5, Infinity, {}, true, 5n]) {
      for (const read of reads) t.ok(messageOf(() => read(bytes, { index })).startsWith('index must be a non-negative integer'), `${read.name} ${index}`)
    }
    for (const read of reads) {
      t.deepStrictEqual(read(bytes, { index: 3, allowObjectSmallerThanBufferSize: true }), read(encode({ a: 1 }), { index: null }))
      if (read !== q.deserialize) t.ok(messageOf(() => read(bytes, { index: NaN })).startsWith('index must be')) // bson reads from the start
    }
    t.done()
  },

  'an error keeps its place out of its own fields, as loggers and deep comparisons look at them': t => {
    const error = errorOf(() => encode({ a: [new Date(NaN)] }))
    t.deepStrictEqual([error.path, Object.keys(error), JSON.stringify(error), inspect(error).includes('[0] }')], ['a[0]', [], '{}', false])
    const broken = errorOf(() => decode(Buffer.alloc(9)))
    t.deepStrictEqual([broken.offset, broken.path, broken.document, { ...broken }], [0, '', undefined, {}])
    t.deepStrictEqual(Object.keys(new q.BSONOffsetError('x', 5)), ['offset'])
    t.done()
  },

  'options of encode that a codec does not have are refused by name': t => {
    const codec = compile({})
    for (const [options, name] of [[{ ignoreUndefined: false }, 'ignoreUndefined'], [{ serializeFunctions: true }, 'serializeFunctions'], [{ checkKeys: true }, 'checkKeys']]) {
      for (const write of [codec.encode, codec.sizeOf, (doc, options) => codec.encodeInto(doc, Buffer.alloc(99), 0, options)]) {
        t.ok(messageOf(() => write({ a: 1 }, options)).startsWith(`encode of a codec has no option ${name}`))
      }
    }
    t.deepStrictEqual(codec.encode({ a: 1 }, { ignoreUndefined: true, serializeFunctions: false, checkKeys: undefined }), encode({ a: 1 }))
    const strict = compile({}, { checkKeys: true })
    t.ok(messageOf(() => strict.encode({ a: 1 }, { checkKeys: false })).startsWith('encode of a codec has no option checkKeys'))
    t.deepStrictEqual(strict.encode({ a: 1 }, { checkKeys: true }), encode({ a: 1 }))
    t.done()
  },

  'every other option of a call is refused by name, unless the codec was made with it': t => {
    const bytes = encode({ a: 1 })
    const others = {
      maxDepth: 1, maxSize: 5, useBigInt64: true, promoteLongs: false, promoteValues: false, promoteBuffers: true, bsonRegExp: true,
      raw: true, fieldsAsRaw: { a: true }, validation: { utf8: false }, chek: true, ['x'.repeat(200)]: true
    }
    for (const codec of [compile({}), compile({ bsonType: 'object', properties: { a: { bsonType: 'int' } } }, { layout: 'array' })]) {
      const into = options => codec.encodeInto({ a: 1 }, Buffer.alloc(99), 0, options)
      const calls = {
        encode: [into, options => codec.encode({ a: 1 }, options), options => codec.sizeOf({ a: 1 }, options)],
        decode: [options => codec.decode(codec.encode({ a: 1 }), options)],
        validate: [options => codec.validate(codec.encode({ a: 1 }), options)]
      }
      for (const [door, functions] of Object.entries(calls)) {
        for (const call of functions) {
          for (const [name, value] of Object.entries(others)) {
            const shown = name.length > 100 ? `${name.slice(0, 100)}\u2026` : name
            t.ok(messageOf(() => call({ [name]: value })).startsWith(`${door} of a codec has no option ${shown}`))
            call({ [name]: undefined })
            call(Object.create({ [name]: value })) // not its own
          }
        }
      }
    }
    const codec = compile({}, { useBigInt64: true, maxDepth: 5 })
    t.deepStrictEqual(codec.decode(bytes, { useBigInt64: true, maxDepth: 5, raw: false, index: 0, check: true }), { a: 1 })
    t.ok(messageOf(() => codec.decode(bytes, { useBigInt64: false })).startsWith('decode of a codec has no option useBigInt64'))
    t.done()
  },

  'streams take bytes, and say which document is wrong': async t => {
    const bytes = Buffer.concat([encode({ a: 1 }), encode({ a: 2 })])
    for (const source of [bytes, new Uint8Array(bytes), Uint8Array.from(bytes).buffer, [bytes]]) {
      const found = []
      for await (const { a } of q.documentStream(source)) found.push(a)
      t.deepStrictEqual(found, [1, 2])
    }
    const stream = q.createEncodeStream()
    const failed = new Promise(resolve => stream.on('error', resolve))
    stream.write({ a: 1 })
    stream.write({ a: new Date(NaN) })
    const error = /** @type {any} */ (await failed)
    t.deepStrictEqual([error.message, error.document], ['Invalid Date cannot be serialized (in field a of document 2)', 2])
    t.done()
  },

  'a DBRef without a collection is a TypeError, as packages that clone objects expect': t => {
    t.ok(errorOf(() => new DBRef(undefined, 1)) instanceof TypeError)
    t.ok(errorOf(() => encode({ ref: Object.assign(new DBRef('c', 1), { collection: 5 }) })) instanceof BSONError)
    t.done()
  }
}
