'use strict'

// Documents that are left out leave nothing behind: no column, no type, no count. Reports about a document give its
// offset.

const { Readable } = require('node:stream')
const { encode } = require('../../qbson')
const types = require('../../lib/types')
const { columns, inferColumns } = require('../../lib/columns')
const { GroupReader, Groups, Reports } = require('../../lib/columns/threads')
const { told } = require('../fixtures/columns')
const { collect, rejected } = require('../fixtures/streams')
const { seededRandom, randomDocument, below } = require('../fixtures/random-document')

const schema = { properties: { s: { bsonType: 'string' }, o: { bsonType: 'object', properties: { a: { bsonType: 'int' } } } } }

/** @param {Uint8Array} bytes @param {number} at @param {number} byte */
function changed(bytes, at, byte) {
  const copy = Buffer.from(bytes)
  copy[at] = byte
  return copy
}

/** A document with a text in it that is not UTF-8. @param {any} document @param {string} text */
function broken(document, text) {
  const bytes = encode(document)
  return changed(bytes, Buffer.from(bytes).indexOf(text), 0xff)
}

const odd = { s: 5, o: { a: 'x', b: 1 }, other: 'text', more: {}, z: 1 }
const [oddBytes, goodBytes] = [encode(odd), encode({ s: 'x', o: { a: 1 } })]

/** Broken after a value that does not fit: found at once, when text is checked, or before everything else. */
const kinds = {
  'a type that does not exist': changed(oddBytes, Buffer.from(oddBytes).indexOf('z\0') - 1, 0x55),
  'a name that is not UTF-8': changed(oddBytes, Buffer.from(oddBytes).indexOf('z\0'), 0xff),
  'text that is not UTF-8': broken({ ...odd, s: 'late' }, 'late'),
  'a last byte that is not 0': changed(oddBytes, oddBytes.length - 1, 1)
}

const counts = ({ report }) => report.mismatches.map(({ path, type, count, document }) => [path, type, count, document])

const tests = {
  'what is in them is not counted': t => {
    for (const [name, bad] of Object.entries(kinds)) {
      const all = [bad, goodBytes, bad, oddBytes, bad, oddBytes, bad]
      const rejected = []
      const table = columns(Buffer.concat(all), { schema, reject: error => rejected.push(error.document) })
      t.deepStrictEqual(rejected, [1, 3, 5, 7], name)
      t.deepStrictEqual(counts(table).sort(), [
        ['more', 'object', 2, 4], ['o.a', 'string', 2, 4], ['o.b', 'int', 2, 4], ['other', 'string', 2, 4], ['s', 'int', 2, 4], ['z', 'int', 2, 4]
      ], name)
      const none = columns(Buffer.concat([bad, goodBytes, bad]), { schema, reject: () => {} })
      t.deepStrictEqual(none.report.mismatches, [], name)
      t.deepStrictEqual(none.toArray().map(told), [{ s: 'x', o: { a: 1 } }].map(told), name)
    }
    t.done()
  },

  'the last table of a stream reports what comes after its rows': async t => {
    const [item, none, bad] = [encode({ s: 'x', l: [1] }), encode({ s: 'x', l: [] }), broken({ s: 'late', l: [1] }, 'late')]
    const lists = { type: 'object', properties: { s: { bsonType: 'string' }, l: { bsonType: 'int' } } }
    const cases = [[[], 1, 0, 0], [[bad], 2, 1, 0], [[none], 1, 0, 1], [[none, bad, none], 2, 1, 2], [[none, item], 2, 0, 1]]
    for (const [after, read, rejected, withoutItems] of cases) {
      const tables = columns(Readable.from([item, ...after]), { schema: lists, unwind: 'l', rows: 1, reject: () => {} })
      const reports = []
      let rows = 0
      for await (const table of tables) {
        reports.push(table.report)
        rows += table.rows
      }
      t.strictEqual(rows, after.includes(item) ? 2 : 1)
      t.deepStrictEqual(reports.at(-1), { documents: read, rejected, mismatches: [], replaced: [], farDates: [], withoutItems })
    }
    t.done()
  },

  'what is in them says nothing of types': async t => {
    const good = [{ a: 1, b: 'x' }, { a: 2, b: 'y' }].map(one => encode(one))
    const bad = broken({ a: 'text', b: 1, c: [{ d: 'late' }] }, 'late')
    const bytes = Buffer.concat([good[0], bad, good[1]])
    const options = { reject: () => {} }
    const table = columns(bytes, options)
    t.deepStrictEqual(Object.entries(table.columns).map(([name, { type }]) => [name, type]), [['a', 'int32'], ['b', 'string']])
    const schema = await inferColumns(bytes, { reject: error => t.fail(`${error.message} is passed on when it is read, not before`) })
    const inferred = columns(bytes, { ...options, schema })
    t.deepStrictEqual(inferred.toArray(), table.toArray())
    for await (const one of columns([bytes].values(), options)) t.deepStrictEqual(one.toArray(), table.toArray())
    t.done()
  },

  'names that repeat in them are not counted': t => {
    const twice = other => {
      const [first, second] = [{ s: 'x', o: { a: 1 } }, other].map(one => Buffer.from(encode(one)).subarray(4, -1))
      const bytes = Buffer.concat([Buffer.alloc(4), first, second, Buffer.alloc(1)])
      bytes.writeInt32LE(bytes.length)
      return bytes
    }
    const bad = [twice({ o: { a: 2 }, s: 'late' }), twice({ s: 'late' })].map(bytes => changed(bytes, bytes.indexOf('late'), 0xff))
    const good = twice({ s: 'y', o: { a: 3 } })
    const { report } = columns([bad[0], good, bad[1], good, bad[0]], { schema, reject: () => {} })
    t.deepStrictEqual([report.replaced, report.rejected], [[{ path: 's', count: 2 }, { path: 'o', count: 2 }], 3])
    t.done()
  },

  'what is broken in a value that has no place, too': t => {
    const bad = broken({ s: [{ a: 'late' }] }, 'late')
    t.throws(() => columns(Buffer.concat([goodBytes, bad]), { schema }), /in field s\[0\]\.a of document 2\)/)
    const other = broken({ new: [{ a: 'late' }] }, 'late')
    const inferred = columns(Buffer.concat([goodBytes, other]), { reject: () => {} })
    t.deepStrictEqual([inferred.rows, Object.keys(inferred.columns)], [1, ['s', 'o']])
    t.done()
  },

  'an error of who gets them ends all, in memory and in a stream': async t => {
    const failing = [[kinds['a name that is not UTF-8'], goodBytes], [kinds['text that is not UTF-8'], goodBytes], [goodBytes, goodBytes.subarray(1)]]
    for (const [name, bytes] of failing.map(parts => Buffer.concat(parts)).entries()) {
      for (const source of [bytes, [bytes], [bytes].values()]) {
        const errors = []
        const reject = error => {
          errors.push(error)
          throw error
        }
        const error = await rejected((async () => collect(columns(source, { schema, reject })))())
        t.ok(errors.length === 1 && errors[0] === error, `${name}: ${errors.length}`)
      }
    }
    t.done()
  },

  'reports of groups, also of documents that were chosen from a file, are together the one of all documents': t => {
    const random = seededRandom(7)
    const values = [1, 'x', null, new Date(5), [], [1], { a: 1, b: 'x' }, { a: 'x' }].map(x => Buffer.from(encode({ x })).subarray(7, -1))
    const types = [16, 2, 10, 9, 4, 4, 3, 3, 9]
    values.push(Buffer.alloc(8, 0x7f)) // a date beyond microseconds
    const options = { unwind: 'l', schema: { properties: { ...schema.properties, at: { bsonType: 'date' }, l: { bsonType: 'int' } } } }
    const fieldOf = (name, i) => Buffer.concat([Buffer.of(types[i]), Buffer.from(`${name}\0`), values[i]])
    const documentOf = () => {
      const names = Array.from({ length: 1 + below(random, 6) }, () => ['s', 'o', 'at', 'l', 'l', 'new'][below(random, 6)])
      const bytes = Buffer.concat([Buffer.alloc(4), ...names.map(name => fieldOf(name, below(random, types.length))), Buffer.alloc(1)])
      bytes.writeInt32LE(bytes.length)
      return bytes
    }
    const found = new Set()
    for (let round = 0; round < 20; round++) {
      const [groups, reader, reports] = [new Groups(300), new GroupReader(options), new Reports()]
      const add = group => reports.add(reader.tables(group).report)
      const all = []
      let [document, offset] = [0, 0]
      while (all.length < 30) {
        const some = Array.from({ length: 1 + below(random, 3) }, () => {
          if (below(random, 3) === 0) [document, offset] = [document + 2, offset + 99] // these were not chosen
          const bytes = documentOf()
          all.push({ bytes, document: ++document, offset })
          offset += bytes.length
          return all.at(-1)
        })
        const chunk = { bytes: Buffer.concat(some.map(({ bytes }) => bytes)), count: some.length, document: 0, offset: 0, file: 'f' }
        for (const group of groups.add({ ...chunk, places: some.flatMap(one => [one.document, one.offset]) })) add(group)
      }
      for (const group of groups.end()) add(group)
      const { report } = columns(all.map(({ bytes }) => bytes), options)
      const starts = all.map((_, i) => all.slice(0, i).reduce((size, { bytes }) => size + bytes.length, 0))
      const placed = note => {
        if (note.document === undefined) return note
        const own = all[note.document - 1]
        return { ...note, file: 'f', document: own.document, offset: note.offset - starts[note.document - 1] + own.offset }
      }
      const sorted = notes => notes.map(note => JSON.stringify(Object.entries(note).sort())).sort()
      for (const name of ['mismatches', 'replaced', 'farDates']) {
        t.deepStrictEqual(sorted(reports.report[name]), sorted(report[name].map(placed)), name)
        found.add(report[name].length > 0 && name)
      }
      t.strictEqual(reports.report.withoutItems, report.withoutItems)
    }
    for (const name of ['mismatches', 'replaced', 'farDates']) t.ok(found.has(name), name)
    t.done()
  },

  'random ones': t => {
    const random = seededRandom(32)
    const fields = () => Object.entries(randomDocument(random, types)).map(([, value], i) => [`f${i}`, value])
    for (let round = 0; round < 50; round++) {
      const good = Array.from({ length: 1 + below(random, 20) }, () => encode(Object.fromEntries(fields())))
      const all = good.flatMap(one => (random() < 0.5 ? [one] : [broken({ ...Object.fromEntries(fields()), z: 'late' }, 'late'), one]))
      const chosen = { f0: 'int', f1: 'string', f2: 'double', z: 'string' }
      const some = { properties: Object.fromEntries(Object.entries(chosen).map(([name, bsonType]) => [name, { bsonType }])) }
      const [one, other] = [all, good].map(list => columns(Buffer.concat(list), { schema: some, reject: () => {} }))
      t.deepStrictEqual(one.toArray().map(told), other.toArray().map(told))
      const said = ({ report }) => report.mismatches.map(({ path, type, count }) => `${path} ${type} ${count}`).sort()
      t.deepStrictEqual(said(one), said(other))
      t.strictEqual(one.report.rejected, all.length - good.length)
    }
    t.done()
  },

  'the rest of a stream that is cut short, behind text that is wrong': t => {
    const documents = []
    const bytes = Buffer.concat([kinds['text that is not UTF-8'], goodBytes, goodBytes.subarray(0, -1)])
    const { report, rows } = columns(bytes, { schema, reject: error => documents.push(error.document) })
    t.deepStrictEqual([documents, rows, report.mismatches], [[1, 3], 1, []])
    t.done()
  }
}

module.exports = tests
