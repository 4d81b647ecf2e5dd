'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { Readable } = require('node:stream')
const { encode, EJSON, RawDocument, BSONError, BSONRegExp, Code, DBRef, Decimal128, Long } = require('../../qbson')
const query = require('../../lib/query')
const { NAMES } = require('../../lib/query/compile')
const { assertCheap } = require('../fixtures/cost')
const { some } = require('../fixtures/long')
const { tableOf, REFUSED } = require('../fixtures/query-table')

const { matcher, compare } = query

const page = path.join(__dirname, '..', '..', 'docs', 'query.md')

const LIST = /(?<=<!-- operators -->\n)[^]*(?=<!-- \/operators -->)/

/** The list of the operators for docs/query.md: of each the first row of the table, with two documents. */
function listOfOperators() {
  const code = values => [...new Set(values.map(value => `\`${EJSON.stringify(value)}\``))].slice(0, 2).join(', ')
  const rows = tableOf().filter(({ operator }, i, all) => operator !== '' && all.findIndex(row => row.operator === operator) === i)
  const lines = rows.map(({ operator, query: asked, matching, others }) => {
    return `| \`${operator}\` | ${code([asked])} | ${code(matching)} | ${code(others)} |`
  })
  return ['| operator | query | matches | does not match |', '|---|---|---|---|', ...lines, ''].join('\n')
}

const shown = value => EJSON.stringify(value, { relaxed: false })

module.exports = {
  'the operators, by the table': t => {
    for (const { query: asked, matching, others } of tableOf()) {
      const isWanted = matcher(asked)
      const inText = matcher(EJSON.toBSON(shown(asked)))
      for (const document of [...matching, ...others]) {
        const what = `${shown(asked)} ${shown(document)}`
        t.strictEqual(isWanted(encode(document)), matching.includes(document), what)
        t.strictEqual(inText(RawDocument.from(document)), matching.includes(document), `as text: ${what}`)
      }
    }
    t.done()
  },

  'every operator is in the table': t => {
    const tested = new Set(tableOf().map(({ operator }) => operator))
    t.deepStrictEqual(NAMES.filter(name => !tested.has(name) && name !== '$options'), [])
    t.done()
  },

  'docs/query.md lists them: QBSON_WRITE=1 writes the list': t => {
    const text = fs.readFileSync(page, 'utf8')
    if (process.env.QBSON_WRITE === '1') fs.writeFileSync(page, text.replace(LIST, () => listOfOperators()))
    t.strictEqual(LIST.exec(fs.readFileSync(page, 'utf8'))[0], listOfOperators())
    t.done()
  },

  'what cannot be evaluated is refused, with its place': t => {
    for (const [asked, message] of REFUSED) {
      t.throws(() => matcher(asked), error => error instanceof BSONError && error.message.includes(message), `${shown({ asked })} ${message}`)
    }
    t.done()
  },

  'queries are objects, Maps, RawDocuments or bytes': t => {
    const bytes = encode({ a: 5 })
    for (const asked of [{ a: 5 }, new Map([['a', 5]]), RawDocument.from({ a: 5 }), bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer]) t.strictEqual(matcher(asked)(bytes), true)
    t.strictEqual(matcher(Object.assign(Object.create(null), { a: 5 }))(bytes), true)
    t.throws(() => matcher(bytes.subarray(1)), BSONError)
    t.done()
  },

  'a query that would lose something is refused': t => {
    const resolved = value => ({ toBSON: () => value })
    class Lost { toBSON() { return undefined } }
    const lost = [
      [{ a: undefined }, 'a'], [{ a: Symbol('x') }, 'a'], [{ a: () => 1 }, 'a'], [new Map([['a', Symbol('x')]]), 'a'],
      [{ a: new Lost() }, 'a'], [{ a: resolved(undefined) }, 'a'], [{ a: resolved(() => 1) }, 'a'],
      [{ a: resolved(Symbol('x')) }, 'a'],
      [resolved({ a: undefined }), 'a'], [{ a: resolved({ b: undefined }) }, 'a.b'], [{ a: new Map([['b', undefined]]) }, 'a.b'],
      [{ a: { $in: [1, undefined] } }, 'a.$in[1]'], [{ a: { $in: [1, () => 1] } }, 'a.$in[1]'],
      [{ a: { $in: [, 1] } }, 'a.$in[0]'], // eslint-disable-line no-sparse-arrays
      [{ $or: [{ a: new Lost() }, { b: 1 }] }, '$or[0].a'], [{ a: new Code('x', { b: undefined }) }, 'a.$scope.b'],
      [{ $jsonSchema: { properties: { a: undefined } } }, '$jsonSchema.properties.a'], [{ get a() { return undefined } }, 'a'],
      [{ a: new DBRef('c', 5, undefined, { b: Symbol('x') }) }, 'a.b']
    ]
    for (const [asked, place] of lost) {
      const message = /a query cannot (ask for undefined|hold a (symbol|function))/
      const isExpected = error => error instanceof BSONError && message.test(error.message) && error.path === place
      t.throws(() => matcher(asked), isExpected, place)
    }
    for (const asked of [new Set(['a']), Promise.resolve({ a: 1 }), new (class Query { get a() { return 1 } })()]) {
      t.throws(() => matcher(asked), /a query cannot hold an? \w+( \(await it\))?, which has no fields of its own$/)
      const scope = new Code('f', { asked })
      for (const condition of [asked, { $ne: asked }, [asked], new Map([['b', asked]]), scope, { toBSON: () => asked }]) {
        t.throws(() => matcher({ a: condition }), /a query cannot hold .*, which has no fields of its own \(in field a/)
      }
    }
    const like = { entries: () => [['a', 1]][Symbol.iterator](), [Symbol.toStringTag]: 'Map' }
    const withMore = Object.assign([1], { more: new Set() })
    for (const a of [Object.setPrototypeOf(like, {}), withMore, new Map(), {}, Object.create(null)]) t.ok(matcher({ a })(encode({ a })))
    t.done()
  },

  'a query is what encode writes': t => {
    class Filter { a = 1 }
    class Two { toBSON() { return 1 } }
    const queries = [{ a: { toBSON: () => 1 } }, { a: new Two() }, new Filter(), { toBSON: () => ({ a: 1 }) }, {}, new Map()]
    for (const asked of queries) {
      t.strictEqual(matcher(asked)(encode({ a: 1 })), true)
    }
    t.strictEqual(matcher({ a: { toBSON: () => 1 } })(encode({ a: 2 })), false)
    t.strictEqual(matcher({ a: new DBRef('c', undefined) })(encode({ a: { $ref: 'c' } })), true)
    t.deepStrictEqual(encode({ a: undefined, b: Symbol('x'), c: [undefined] }), encode({ c: [null] }))
    t.done()
  },

  'what Object.prototype holds is no part of a query': t => {
    const names = ['test', 'not', 'all', 'isWhole', 'seesGaps', 'id', 'name', '$or', '0', '1', '2', '3', '4', '5']
    const bytesOf = documents => documents.map(document => encode(document))
    const table = tableOf().map(({ query: asked, matching, others }) => ({ asked, documents: bytesOf([...matching, ...others]) }))
    const results = turn => some(table, turn).map(({ asked, documents }) => documents.map(document => matcher(asked)(document)))
    const expected = names.map((_, turn) => results(turn))
    for (const [turn, name] of names.entries()) {
      for (const value of [[], true, 1]) {
        Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true })
        let found
        try {
          found = results(turn)
        } finally {
          delete Object.prototype[name]
        }
        t.deepStrictEqual(found, expected[turn], name)
      }
    }
    t.done()
  },

  'a document inside another is matched where it is': t => {
    const inner = RawDocument.from({ x: 1, doc: { a: 5 } }).slice('doc')
    t.strictEqual(matcher({ a: 5 })(inner), true)
    t.strictEqual(matcher({ x: 1 })(inner), false)
    const bytes = Buffer.concat([encode({ a: 4 }), encode({ a: 5 })])
    t.deepStrictEqual([[0, 12], [12, 24]].map(([start, end]) => matcher({ a: 5 })(bytes, start, end)), [false, true])
    t.throws(() => matcher({ a: 5 })(bytes, 12, 20), /the document ends at 24, not at 20/)
    t.throws(() => matcher({ a: 5 })(bytes, '12', 24), BSONError)
    t.done()
  },

  'filters of lists, iterators and streams take a matcher': async t => {
    const list = [1, 2, 1].map(a => encode({ a }))
    const isWanted = matcher({ a: 1 })
    t.deepStrictEqual(list.filter(isWanted), [list[0], list[2]])
    t.deepStrictEqual(list.filter((document, counter) => isWanted(document, counter)), [list[0], list[2]], 'as Iterator.prototype.filter')
    t.deepStrictEqual(await Readable.from(list).filter(isWanted).toArray(), [list[0], list[2]])
    t.done()
  },

  'what is true for $exists': t => {
    for (const wanted of ['', [], {}, new Date(0), true]) t.strictEqual(matcher({ a: { $exists: wanted } })(encode({ a: 1 })), true)
    for (const wanted of ['null', '{"$undefined":true}', 'false']) t.strictEqual(matcher(EJSON.toBSON(`{"a":{"$exists":${wanted}}}`))(encode({})), true)
    for (const wanted of [1, -1, 0.5, NaN, Decimal128.fromString('1E-3000'), Decimal128.fromString('NaN')]) {
      t.strictEqual(matcher({ a: { $exists: wanted } })(encode({ a: 1 })), true, String(wanted))
    }
    for (const wanted of [0, -0, Long.fromNumber(0), Decimal128.fromString('-0E-3000')]) t.strictEqual(matcher({ a: { $exists: wanted } })(encode({})), true)
    t.done()
  },

  'broken bytes are an error with its place': t => {
    const bytes = Buffer.from(encode({ b: { c: 'text' }, a: 1 }))
    bytes.writeInt32LE(9999, 14)
    t.throws(() => matcher({ 'b.d': 1 })(bytes), error => error instanceof BSONError && error.path === 'b.c' && error.offset === 14)
    t.throws(() => matcher({})(bytes.subarray(1)), BSONError)
    t.throws(() => matcher({})(5), BSONError)
    t.done()
  },

  'text that is not UTF-8 is an error where it is read, not U+FFFD': t => {
    const broken = document => {
      const bytes = Buffer.from(encode(document))
      bytes[bytes.indexOf('?')] = 0xff
      return bytes
    }
    const schema = a => ({ $jsonSchema: { properties: { a } } })
    const cases = [
      [{ a: new BSONRegExp('\\x{fffd}') }, { a: 'x?' }, 'a'], [{ a: { $regex: 'y' } }, { a: 'x?' }, 'a'],
      [{ 'b.a': { $not: new BSONRegExp('\\x{fffd}') } }, { b: { a: ['?'] } }, 'b.a[0]'],
      [{ a: { $in: [new BSONRegExp('\\x{fffd}')] } }, { a: '?' }, 'a'], [{ a: new BSONRegExp('\\x{fffd}') }, { a: new BSONRegExp('?') }, 'a'],
      [schema({ pattern: '\ufffd' }), { a: '?' }, 'a'], [schema({ minLength: 1 }), { a: '?' }, 'a'], [schema({ enum: ['\ufffd'] }), { a: '?' }, 'a'],
      [schema({ uniqueItems: true }), { a: ['\ufffd', '?'] }, 'a[1]'], [schema({ uniqueItems: true }), { a: [{ '?': 1 }] }, /^a\[0\]/],
      [schema({ additionalProperties: false }), { a: { '?': 1 } }, /^a/], [schema({ patternProperties: { '\ufffd': {} } }), { a: { '?': 1 } }, /^a/]
    ]
    for (const [asked, document, place] of cases) {
      const bytes = broken(document)
      const isPlace = found => (typeof place === 'string' ? found === place : place.test(found))
      const isExpected = ({ path: found, offset }) => offset === bytes.indexOf(0xff) && isPlace(found)
      const isRefused = error => error instanceof BSONError && /UTF-8/.test(error.message) && isExpected(error)
      t.throws(() => matcher(asked)(bytes), isRefused, shown({ asked }))
    }
    const named = broken({ '?': 'x' })
    t.strictEqual(matcher({ $jsonSchema: { properties: { '\ufffd': { bsonType: 'int' } } } })(named), true)
    t.done()
  },

  'long lists cost what one value costs': t => {
    const documents = Array.from({ length: 2_000 }, (_, i) => encode({ _id: i, name: `n${i}` }))
    const ids = Array.from({ length: 10_000 }, (_, i) => i * 2)
    for (const asked of [{ _id: { $in: ids } }, { $or: ids.map(_id => ({ _id })) }, { _id: { $nin: ids } }, { name: { $in: ids.map(i => `n${i}`) } }]) {
      const isWanted = matcher(asked)
      assertCheap(300, () => {
        for (let round = 0; round < 10; round++) t.strictEqual(documents.filter(document => isWanted(document)).length, 1000)
      }, Object.keys(asked)[0])
    }
    t.done()
  },

  'a list of any length': t => {
    const asked = { $or: [{ a: -1 }, { a: { $in: Array.from({ length: 150_000 }, (_, i) => i) } }] }
    const matches = matcher(asked)
    t.deepStrictEqual([-1, 149_999, 150_000].map(a => matches(encode({ a }))), [true, true, false])
    t.done()
  },

  'a long mask costs what its bits cost': t => {
    const mask = Buffer.alloc(8 * 1024 * 1024)
    mask[0] = 2
    for (const operator of ['$bitsAllSet', '$bitsAnySet']) {
      const matches = matcher({ a: { [operator]: mask } })
      assertCheap(100, () => {
        for (let i = 0; i < 1000; i++) t.strictEqual(matches(encode({ a: i % 4 })), i % 4 > 1)
      }, operator)
    }
    t.done()
  },

  'the names of items do not count': t => {
    const bytes = Buffer.from(encode({ a: [1, 2] }))
    bytes[bytes.indexOf('0\0')] = 0x37
    for (const wanted of [[1, 2], { $in: [[1, 2]] }, { $gte: [1, 2] }, { $lte: [1, 2] }]) t.strictEqual(matcher({ a: wanted })(bytes), true)
    t.done()
  },

  'many indexes in a path do not multiply': t => {
    let value = [0]
    for (let i = 0; i < 60; i++) value = i % 2 === 0 ? { 0: value } : [value]
    const bytes = encode({ a: value })
    t.strictEqual(matcher({ ['a' + '.0'.repeat(60)]: 1 })(bytes), false)
    t.done()
  },

  'levels are bounded, of queries and of values': t => {
    let asked = { a: 1 }
    for (let i = 0; i < 200; i++) asked = { $and: [asked] }
    t.throws(() => matcher(asked), /at most 100 levels/)
    let bytes = encode({})
    for (let i = 0; i < 5000; i++) {
      const outer = Buffer.alloc(bytes.length + 8)
      outer.writeInt32LE(outer.length)
      outer[4] = 3
      bytes.copy(outer, 7)
      outer[5] = 0x61
      bytes = outer
    }
    t.throws(() => compare(new RawDocument(bytes), new RawDocument(bytes)), /nested deeper than 1000 levels/)
    t.strictEqual(matcher({ a: { $gt: {} } })(bytes), true)
    t.throws(() => matcher({ a: { $in: [{}] } })(bytes), /nested deeper than 1000 levels/)
    t.done()
  },

  'compare: of values, and of documents in bytes': t => {
    const sorted = ['b', 5, null, Decimal128.fromString('5.5'), undefined, 'a', Long.fromString('9007199254740993'), 2 ** 53].sort(compare)
    t.deepStrictEqual(sorted.map(String), ['null', '5', '5.5', '9007199254740992', '9007199254740993', 'a', 'b', 'undefined'])
    t.strictEqual(compare(RawDocument.from({ a: 1 }), { a: 1 }), 0)
    t.ok(compare(RawDocument.from({ a: 1 }), { a: 2 }) < 0)
    t.ok(compare(undefined, null) < 0 && compare(null, undefined) > 0 && compare(undefined, undefined) === 0)
    const broken = Buffer.from(encode({ b: 'text' }))
    broken.writeInt32LE(9999, 7)
    const isPlaced = error => error instanceof BSONError && error.offset === 7
    t.throws(() => compare(new RawDocument(broken), { b: 'text' }), isPlaced, 'the offset is that in the bytes of the RawDocument')
    t.throws(() => compare(() => 1, 5), /a function cannot be compared/)
    t.done()
  }
}
