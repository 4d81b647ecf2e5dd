'use strict'

// Known faults of other tools, broken documents, and hostile input.

const { encode, decode, ObjectId, BSONError, BSONRegExp, Int32 } = require('../../qbson')
const { columns, toArrow, toArrowIPC, toCSV, toParquet, Table } = require('../../lib/columns')
const { check, told, assertSame } = require('../fixtures/columns')
const { errorOf } = require('../fixtures/error-of')

const bytesOf = list => Buffer.concat(list.map(document => encode(document)))

/** Faults that users of pymongoarrow have reported. */
const pymongoarrow = {
  'nulls in lists': t => {
    const { a } = check([{ a: [1, null, 2] }, { a: [null] }, { a: null }, { a: [] }, {}, { a: [3] }]).columns
    t.deepStrictEqual(a.toArray(), [[1, null, 2], [null], null, [], undefined, [3]])
    t.done()
  },

  'lists of documents with missing fields': t => {
    const { a } = check([{ a: [{ x: 1 }, { y: 'b' }, {}] }, { a: [] }, { a: [{ x: null, y: 'c' }, null] }]).columns
    t.deepStrictEqual(a.toArray(), [[{ x: 1 }, { y: 'b' }, {}], [], [{ x: null, y: 'c' }, null]])
    t.done()
  },

  'rows shifted by one after a missing value': t => {
    const documents = Array.from({ length: 200 }, (_, i) => ({ i, ...(i % 3 === 1 ? {} : { s: `s${i}`, n: i, o: { v: i }, l: [i] }) }))
    const { s, n, o, l } = check(documents).columns
    for (let i = 0; i < 200; i++) {
      const is = i % 3 !== 1
      const expected = is ? [`s${i}`, i, { v: i }, [i]] : [undefined, undefined, undefined, undefined]
      t.deepStrictEqual([s.get(i), n.get(i), o.get(i), l.get(i)], expected)
    }
    t.done()
  },

  'nested documents that are absent': t => {
    const documents = [{ a: { b: { c: 1 } } }, {}, { a: {} }, { a: { b: {} } }, { a: null }, { a: { b: null } }, { a: { b: { c: 2 } } }]
    const { a } = check(documents).columns
    t.deepStrictEqual(a.toArray(), [{ b: { c: 1 } }, undefined, {}, { b: {} }, null, { b: null }, { b: { c: 2 } }])
    t.deepStrictEqual([...a.children.b.children.c.values], [1, 0, 0, 0, 0, 0, 2])
    t.done()
  },

  'a type that the first value does not tell': t => {
    t.strictEqual(check([{ a: 1 }, { a: 2.5 }]).columns.a.type, 'double')
    t.strictEqual(check([{ a: null }, { a: [] }, { a: ['x'] }]).columns.a.children.item.type, 'string')
    t.strictEqual(check([...Array.from({ length: 5000 }, () => ({})), { late: new ObjectId() }]).columns.late.type, 'objectId')
    t.done()
  },

  'values of another type are not lost in silence, and never NaN': t => {
    const schema = { properties: { a: { bsonType: 'double' } } }
    const { columns: { a }, report } = columns(bytesOf([{ a: 1.5 }, { a: 'x' }, { a: 3 }]), { schema })
    t.deepStrictEqual(a.toArray(), [1.5, undefined, 3])
    t.strictEqual(a.nullCount, 1)
    t.strictEqual(report.mismatches[0].count, 1)
    t.done()
  }
}

/** @param {Buffer} bytes @param {number} at @param {number} byte */
function changed(bytes, at, byte) {
  const copy = Buffer.from(bytes)
  copy[at] = byte
  return copy
}

const good = encode({ a: 1, b: true, s: 'text', l: ['x', 'y'], o: { s: 'z' } })
const badText = changed(good, good.indexOf('text'), 0xff)
const badItem = changed(good, good.indexOf('y\0'), 0xff)
const badLength = changed(good, good.indexOf('text') - 4, 99)
const badType = changed(good, 4, 0x55)

const broken = {
  'an error has the number of the document, the offset and the path': t => {
    const rows = [[badText, good.indexOf('text'), 's'], [badItem, good.indexOf('y\0'), 'l[1]'], [badLength, good.indexOf('text') - 4, 's'], [badType, 4, 'a']]
    for (const options of [undefined, { schema: { properties: { s: { bsonType: 'string' }, l: { bsonType: 'array', items: { bsonType: 'string' } } } } }]) {
      for (const [bytes, offset, path] of rows) {
        const error = errorOf(() => columns(Buffer.concat([good, good, bytes, good]), options))
        t.ok(error instanceof BSONError, error.stack)
        t.strictEqual(error.document, 3)
        t.strictEqual(error.offset, 2 * good.length + offset)
        t.strictEqual(error.path, path)
        t.ok(error.message.endsWith(`(at offset ${error.offset} in field ${path} of document 3)`), error.message)
      }
    }
    t.done()
  },

  'the documents of a chunk before an impossible length are read': async t => {
    const chunk = Buffer.concat([good, good, good, Buffer.alloc(9, 0xff)])
    const sources = {
      bytes: () => chunk,
      list: () => [chunk],
      stream: () => [good, Buffer.concat([good, good, Buffer.alloc(9, 0xff)])].values()
    }
    for (const [name, source] of Object.entries(sources)) {
      const rejected = []
      const read = columns(source(), { reject: error => rejected.push(error.document) })
      let rows = 0
      for await (const table of read instanceof Table ? [read] : read) rows += table.rows
      t.deepStrictEqual([rows, rejected], [3, [4]], name)
    }
    t.done()
  },

  'reject is given what is broken, and the rest is read': t => {
    const all = [good, badText, badLength, good, badType, badItem, good]
    const rejected = []
    const table = columns(Buffer.concat(all), { reject: (error, bytes) => rejected.push([error.document, Buffer.from(bytes)]) })
    t.deepStrictEqual(rejected, [[2, badText], [3, badLength], [5, badType], [6, badItem]])
    assertSame(table, [good, good, good])
    t.strictEqual(table.report.documents, 7)
    t.strictEqual(table.report.rejected, 4)
    t.done()
  },

  'where no document can be found any more, the rest is left out': t => {
    const errors = []
    const table = columns(Buffer.concat([good, good.subarray(0, 20)]), { reject: error => errors.push(error.message) })
    t.strictEqual(table.rows, 1)
    t.strictEqual(table.report.rejected, 1)
    t.ok(/cut short/.test(errors[0]))
    t.throws(() => columns(Buffer.concat([good, good.subarray(0, 20)])), /cut short/)
    t.throws(() => columns([good, good.subarray(0, 20)]), /cut short/)
    t.throws(() => columns([good, Buffer.from('0400', 'hex')]), /its length is missing/)
    t.throws(() => columns(Buffer.concat([good, Buffer.from('04000000ff', 'hex')])), /size must be >= 5, is 4/)
    t.throws(() => columns(good, { maxDocumentSize: 20 }), /more than maxDocumentSize 20/)
    const both = []
    columns(Buffer.concat([badType, good.subarray(0, 20)]), { reject: error => both.push(error.document) })
    t.deepStrictEqual(both, [1, 2])
    t.done()
  },

  'a text that begins inside of a character, behind one that ends there': t => {
    const halves = [Buffer.from('c3', 'hex'), Buffer.from('a4', 'hex')].map(half => {
      const bytes = encode({ s: 'x' })
      bytes[bytes.indexOf('x')] = half[0]
      return bytes
    })
    t.strictEqual(errorOf(() => columns(Buffer.concat(halves))).document, 1)
    t.strictEqual(errorOf(() => columns(Buffer.concat([encode({ s: 'x' }), halves[1]]))).document, 2)
    t.done()
  },

  'a wrong key of a map is told before what is wrong behind it, as decode does': t => {
    const schema = { properties: { m: { bsonType: 'object', additionalProperties: { bsonType: 'int' } } } }
    const bytes = encode({ m: { k: 1, b: 2 } })
    const key = bytes.indexOf('k\0')
    bytes[key] = 0xff
    for (const type of [0x10, 0x00, 0x5a]) {
      bytes[key - 1] = type
      const { message, offset } = errorOf(() => decode(bytes))
      const told = errorOf(() => columns(bytes, { schema }))
      t.deepStrictEqual([told.message, told.offset], [message.replace(')', ' of document 1)'), offset])
    }
    t.done()
  },

  'a text that is overwritten by another of the same name': t => {
    const twice = (first, second) => {
      const bytes = Buffer.concat([first.subarray(0, -1), second.subarray(4)])
      bytes.writeInt32LE(bytes.length)
      return bytes
    }
    const schema = { properties: { s: { bsonType: 'string' }, o: { bsonType: 'object', properties: { s: { bsonType: 'string' } } } } }
    const badInner = changed(good, good.indexOf('z\0'), 0xff)
    for (const second of [good, encode({ s: 5, o: 5 }), encode({ s: null, o: {} })]) {
      for (const [first, path] of [[badText, 's'], [badInner, 'o.s']]) {
        const bytes = twice(first, second)
        t.throws(() => decode(bytes), BSONError)
        const errors = []
        const table = columns(Buffer.concat([good, bytes, good]), { schema, reject: error => errors.push(error) })
        t.deepStrictEqual(errors.map(error => [error.document, error.path]), [[2, path]])
        t.strictEqual(table.rows, 2)
      }
      check([twice(good, second), good])
    }
    t.done()
  },

  'what does not fit is counted once, though its documents are read twice': t => {
    const schema = { properties: { s: { bsonType: 'string' }, n: { bsonType: 'object', properties: { a: { bsonType: 'int' } } } } }
    const odd = encode({ s: 5, n: { a: 'x', b: 1 }, other: 1 })
    const bad = encode({ s: 'x' })
    bad[bad.indexOf('x')] = 0xff
    const { report } = columns(Buffer.concat([odd, bad, odd]), { schema, reject: () => {} })
    t.deepStrictEqual(report.mismatches.map(({ path, count }) => [path, count]), [['other', 2], ['s', 2], ['n.b', 2], ['n.a', 2]])
    t.done()
  },

  'the first document that is broken is the error, whatever is wrong with it': t => {
    t.strictEqual(errorOf(() => columns(Buffer.concat([good, badText, badLength]))).document, 2)
    t.strictEqual(errorOf(() => columns(Buffer.concat([good, badType, badText]))).document, 2)
    t.done()
  },

  'a name of a field without a column that is not UTF-8': t => {
    const bytes = changed(encode({ aa: 1, b: 2 }), 5, 0xff)
    const schema = { properties: { b: { bsonType: 'int' } } }
    t.strictEqual(errorOf(() => columns(Buffer.concat([good, bytes]), { schema })).offset, good.length + 5)
    t.strictEqual(columns(Buffer.concat([good, bytes]), { reject: () => {} }).rows, 1)
    t.done()
  },

  'a field without a column that is cut': t => {
    const schema = { properties: { a: { bsonType: 'int' } } }
    for (const wrong of [encode({ a: 1, b: 1.5 }), encode({ a: 1, bbbbbbbb: true })]) {
      const bytes = Buffer.concat([wrong.subarray(0, 14), Buffer.from([0])])
      bytes.writeInt32LE(bytes.length)
      t.strictEqual(errorOf(() => columns(Buffer.concat([good, bytes]), { schema })).document, 2)
    }
    t.done()
  },

  'a document or a list whose length leaves no room for itself': t => {
    for (const [a, schema] of [[{}, { properties: { b: { bsonType: 'int' } } }], [[], { bsonType: 'array', items: { bsonType: 'int' } }]]) {
      const bytes = encode({ a, b: 1 })
      const four = Buffer.concat([bytes.subarray(0, 7), Buffer.of(4, 0, 0, 0), bytes.subarray(12)])
      four.writeInt32LE(four.length)
      t.strictEqual(errorOf(() => columns(four, { schema: { properties: { a: schema, b: { bsonType: 'int' } } } })).path, 'a')
    }
    t.done()
  },

  'an option of a regular expression that does not exist': t => {
    const bytes = encode({ a: new BSONRegExp('x', 'i') })
    for (const [byte, option] of [[0xff, '\ufffd'], [0x71, 'q']]) {
      const { message, path } = errorOf(() => columns(changed(bytes, bytes.length - 3, byte)))
      t.deepStrictEqual([message.includes(`option [${option}] is not supported`), path], [true, 'a'], message)
    }
    t.done()
  },

  'what is wrong inside of a value that stays text': t => {
    const mixed = [encode({ a: 1 }), encode({ a: { b: { c: 'text' } } })]
    const wrong = changed(mixed[1], mixed[1].indexOf('text'), 0xff)
    const error = errorOf(() => columns(Buffer.concat([...mixed, wrong])))
    t.strictEqual(error.document, 3)
    t.strictEqual(error.path, 'a.b.c')
    t.strictEqual(error.offset, mixed[0].length + mixed[1].length + mixed[1].indexOf('text'))
    t.done()
  }
}

/** `{ a: { a: ... } }` */
function deep(levels) {
  let document = { end: 1 }
  for (let i = 1; i < levels; i++) document = { a: document }
  return document
}

const hostile = {
  'names that collide': t => {
    const table = check([{ 'a.b': 1, a: { b: 2, 'c.d': 3 } }, { a: { b: 4, c: { d: 5 } } }])
    t.deepStrictEqual([...table.columns['a.b']], [1, undefined])
    t.deepStrictEqual([...table.columns.a.children.b], [2, 4])
    t.done()
  },

  'empty names, and a name that is not UTF-8': t => {
    check([{ '': 1 }, { '': { '': [{ '': 'x' }] } }])
    check([{ '': { '': 2 } }, { '': { '': 3 } }])
    const bytes = encode({ aa: 1 })
    t.strictEqual(errorOf(() => columns(changed(bytes, 5, 0xff))).offset, 5)
    t.done()
  },

  'thousands of fields, and too many': t => {
    const wide = count => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))
    const table = check([wide(5000), {}, wide(5000)])
    t.strictEqual(table.columns.f4999.get(2), 4999)
    const error = errorOf(() => columns(encode(wide(10_001))))
    t.ok(error instanceof BSONError)
    t.ok(/more than 10000 columns, one of them is f10000: choose some with the option fields/.test(error.message), error.message)
    const some = columns(encode(wide(30_000)), { fields: ['f7', 'f29999'] })
    t.strictEqual(told(some.get(0)), told({ f7: 7, f29999: 29999 }))
    t.done()
  },

  'deep documents': t => {
    for (const levels of [29, 30, 31, 1000]) check([deep(levels), deep(levels)])
    for (const levels of [28, 29, 30, 31, 32]) check([{ a: JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) }])
    const deeper = encode(deep(1001), { maxDepth: 2000 })
    t.throws(() => decode(deeper), /deeper than 1000 levels/)
    t.strictEqual(errorOf(() => columns(deeper)).document, 1)
    t.ok(errorOf(() => columns(deeper)).message.startsWith('document is nested deeper than 1000 levels'))
    t.ok(errorOf(() => columns(deeper, { json: ['a'], fields: ['a'] })).message.startsWith('document is nested deeper than 1000 levels'))
    const bytes = encode(deep(1000))
    t.strictEqual(errorOf(() => columns(changed(bytes, bytes.indexOf('end') - 1, 0x55))).document, 1)
    t.done()
  },

  'what is no table is an error, not an empty output': async t => {
    const table = columns(encode({ a: 1, o: { b: 2 }, l: [{ c: 1 }] }), { flat: true })
    const wrong = [
      [() => toCSV(Promise.resolve()), /, not a Promise \(await it\)$/],
      [() => toCSV(null), /^toCSV takes a table/], [() => toCSV({}), /^toCSV takes a table/], [() => toCSV([5]), /^toCSV takes a table/],
      [() => toCSV('x'), /^toCSV takes a table/], [() => toArrowIPC(5), /^toArrowIPC takes a table/], [() => toParquet([{}]), /^toParquet takes a table/],
      [() => toCSV(table, { fields: 'a' }), /^fields must be a list of paths/], [() => toCSV(table, { fields: ['zz'] }), /^fields: there is no column zz/],
      [() => toCSV(table, { fields: ['o.zz'] }), /^fields: there is no column o\.zz/],
      [() => toCSV(table, { fields: [['o\0b']] }), /^fields: there is no column/]
    ]
    for (const [make, message] of wrong) {
      const read = async () => { for await (const part of make()) t.ok(false, String(part)) }
      const error = await read().then(() => null, reason => reason)
      t.ok(error instanceof BSONError && message.test(error.message), `${make}: ${error}`)
    }
    for (const given of [{}, null, 5, [5], (async function* () {})()]) {
      t.ok(/^toArrow takes a table/.test(errorOf(() => toArrow(given)).message))
    }
    for await (const text of toCSV(table, { fields: ['l.c', 'o', 'o.b', 'a'] })) t.ok(text.length > 0) // l is one text
    t.done()
  },

  'a row is a whole number': t => {
    const table = columns(bytesOf([{ a: 1 }, { a: 2 }]))
    for (const row of ['0', 1.5, -1, 2, NaN, null, undefined, 2 ** 32]) {
      t.strictEqual(table.get(row), undefined)
      t.strictEqual(table.columns.a.get(row), undefined)
    }
    t.deepStrictEqual([table.get(1), table.columns.a.get(0)], [{ a: 2 }, 1])
    t.done()
  },

  'integers are mixed with doubles up to 2^53': t => {
    const typeOf = (...values) => columns(bytesOf(values.map(a => ({ a })))).columns.a.type
    t.strictEqual(typeOf(1.5, 2n ** 53n, -(2n ** 53n)), 'double')
    t.strictEqual(typeOf(1.5, 2n ** 60n), 'json')
    t.done()
  },

  'lists of mixed types': t => {
    const { a } = check([{ a: [1, 'x', null, { b: [2.5] }] }, { a: [] }]).columns
    t.strictEqual(a.children.item.type, 'json')
    const deep = check([{ a: [1, 'x', null, { b: [2.5] }, [new Date(0)]] }, { a: [] }]).columns.a
    t.strictEqual(deep.type, 'json') // and not a list of texts
    t.done()
  },

  'documents of 16 MB': t => {
    const large = { s: 'ü'.repeat(4e6), l: Array.from({ length: 4e5 }, (_, i) => new Int32(i)), b: Buffer.alloc(4e6, 7) }
    const table = columns(bytesOf([large, { s: 'x' }, large]))
    t.strictEqual(table.columns.s.get(2), large.s)
    t.strictEqual(table.columns.l.children.item.values[799_999], 399_999)
    t.strictEqual(table.columns.b.get(0).length(), 4e6)
    t.done()
  },

  'few documents with many fields beside many that are empty': t => {
    const wide = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`f${i}`, 1.5]))
    const empty = Buffer.alloc(5 * 200_000, Buffer.from('0500000000', 'hex'))
    const error = errorOf(() => columns(Buffer.concat([encode(wide), empty, encode(wide)])))
    t.ok(error instanceof BSONError && /times the memory of their documents/.test(error.message), error.message)
    t.done()
  },

  'ids as keys, a hundred thousand of them': t => {
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, i]))
    const { a } = columns(bytesOf([{ a: keys }])).columns
    t.strictEqual(a.type, 'map')
    t.strictEqual(a.children.value.length, 100_000)
    t.done()
  },

  'options on the prototype of all objects': t => {
    const bytes = bytesOf([{ a: 1, b: 2 }])
    try {
      Object.assign(Object.prototype, { fields: ['a'], schema: 5, rows: -1, reject: 1, mixedTypes: 'x' })
      t.strictEqual(columns(bytes).inner.length, 2)
      t.strictEqual(columns(bytes, {}).inner.length, 2)
    } finally {
      for (const name of ['fields', 'schema', 'rows', 'reject', 'mixedTypes']) delete Object.prototype[name]
    }
    t.strictEqual(told(columns(bytes).get(0)), told(decode(bytes)))
    t.done()
  }
}

module.exports = { pymongoarrow, broken, hostile }
