'use strict'

// Several threads write the same columns as one: the same bytes, messages and rejects.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { createHash } = require('node:crypto')
const qbson = require('../../qbson')
const { encode, Decimal128, Long, ObjectId } = qbson
const { ArchiveWriter, Namespace } = require('../../lib/dump')
const { Source } = require('../../lib/cli/input/source')
const threads = require('../../lib/columns/threads')
const { many } = require('../fixtures/long')
const { folder, run } = require('../fixtures/cli')
const { runOnThreads, endThreads } = require('../fixtures/threads')
const { skip } = require('../skip')

const COUNT = 600
const TEXT = 'x'.repeat(1000)

/** Groups are smaller by this factor than for users, so that less than a megabyte makes several. */
const SMALLER = 20

/** Names of columns that only few documents have, in the order in which these come. */
const rare = i => (i % 120 === 0 ? { [`rare${COUNT - i}`]: i } : {})

const documents = Array.from({ length: COUNT }, (_, i) => encode({
  _id: new ObjectId(), i, text: `${TEXT}${i}`, price: new Decimal128(`${i}.5`), big: Long.fromBigInt(BigInt(i) << 40n), list: [{ a: i }, { a: -1 - i }],
  mixed: i % 3 ? 'text' : i, in: { at: new Date(i), none: null }, by: { [`k${i % 120}`]: 1 }, ...rare(i)
}))

const file = path.join(folder, 'columns-large.bson')
const broken = path.join(folder, 'columns-broken.bson')

/** 0.7 MB each: several groups. */
function makeFiles() {
  if (fs.existsSync(file)) return
  fs.writeFileSync(file, Buffer.concat(documents))
  const others = documents.map(bytes => Buffer.from(bytes))
  for (const i of [3, 200, 500]) others[i].writeInt32LE(99_999, others[i].indexOf('text\0') + 5)
  fs.writeFileSync(broken, Buffer.concat(others))
}

const runWithAll = args => runOnThreads(args, ({ result }) => 'report' in result && result.output !== null)

/** An archive in which collections alternate. @param {Record<string, Uint8Array[]>} collections */
function alternating(collections) {
  const each = Object.entries(collections).map(([name, own]) => ({ namespace: new Namespace('db', name), own }))
  const writer = new ArchiveWriter(each.map(({ namespace }) => namespace))
  const parts = [writer.begin()]
  for (let i = 0; i < COUNT; i += 100) {
    for (const { namespace, own } of each) if (i < own.length) parts.push(writer.add(namespace, Buffer.concat(own.slice(i, i + 100))))
  }
  return Buffer.concat([...parts, writer.end()].flat())
}

const sha1 = name => createHash('sha1').update(fs.readFileSync(name)).digest('hex')

const { Groups } = threads

module.exports = {
  after: function (done) {
    endThreads().then(done, done)
  },

  setUp: function (done) {
    threads.Groups = class extends Groups {
      constructor(size, rows) {
        super(size / SMALLER, rows)
      }
    }
    done()
  },

  tearDown: function (done) {
    threads.Groups = Groups
    done()
  },

  'columns and statistics': async function (t) {
    makeFiles()
    const schema = path.join(folder, 'columns-schema.json')
    fs.writeFileSync(schema, JSON.stringify({ properties: { i: { bsonType: 'int' }, mixed: { bsonType: 'string' }, in: { bsonType: 'int' } } }))
    const out = path.join(folder, 'columns-out')
    const rejects = path.join(folder, 'columns-rejects')
    const runs = [
      ['to-csv', '--schema', schema, '--unwind', 'list', file, file], ['to-arrow', '--keep-going', '--rejects', rejects, broken]
    ]
    const others = [
      ['to-parquet', '--row-group', '100', '--unwind', 'list', file], ['to-csv', '--schema', schema, file, file], ['to-csv', file], ['to-csv', broken], ['schema', '--statistics', '--keep-going', broken],
      ['to-arrow', file], ['to-parquet', '--keep-going', '--rejects', rejects, broken],
      ['to-arrow', '--stream', '--ids', 'bytes', file], ['to-parquet', '--compression', 'zstd', file], ['schema', '--statistics', file],
      ['to-csv', '--fields', 'by.k1,in.at,rare480', file], ['to-arrow', '--json', 'list,by', file], ['to-csv', '--limit', '500', file],
      ['to-csv', '--match', '{"i": {"$gte": 50}}', '--skip', '5', file], ['to-arrow', broken], ['schema', '--statistics', broken],
      ['to-csv', '--keep-going', '--rejects', rejects, '--match', '{"i": {"$gte": 5}}', broken, file]
    ]
    for (const args of many(runs, [...runs, ...others])) {
      const isReject = args.includes(rejects)
      const read = name => (fs.existsSync(name) ? fs.readFileSync(name) : null)
      const outcome = async runner => {
        for (const name of [out, rejects]) fs.rmSync(name, { force: true })
        const { code, err, given } = await runner([...args, '--out', out])
        return { code, err, given, bytes: read(out), rejects: isReject ? read(rejects) : null }
      }
      const one = await outcome(own => run([...own, '--workers', '1']))
      const { given, ...three } = await outcome(runWithAll)
      t.ok(one.code === Number(/broken|schema\.json/.test(args.join())), `${args} ${one.err}`)
      t.ok(given > 0 || args.includes(broken), `${args}: ${given} groups`)
      t.deepStrictEqual({ code: three.code, err: three.err }, { code: one.code, err: one.err }, args.join(' '))
      t.ok(one.bytes === null ? three.bytes === null : one.bytes.equals(three.bytes), args.join(' '))
      if (isReject) t.ok(one.rejects.length > 0 && one.rejects.equals(three.rejects))
    }
    t.done()
  },

  'a chunk that is larger than a group is used before the next one overwrites it': async function (t) {
    const memory = Buffer.alloc(100)
    const groups = new Groups(64)
    const found = []
    const take = own => {
      for (const { bytes, ends } of own) found.push(ends.map((end, i) => [...new Set(bytes.subarray(ends[i - 1] ?? 0, end))].join()))
    }
    for (const [i, size] of [20, 90, 30, 90, 90, 10].entries()) {
      take(groups.add({ bytes: memory.subarray(0, size).fill(i), count: 1, document: i, offset: 0, file: 'a' }))
    }
    take(groups.end())
    t.deepStrictEqual(found, [['0'], ['1'], ['2'], ['3'], ['4'], ['5']])
    t.done()
  },

  'a file for each collection, whether they alternate or not': async function (t) {
    makeFiles()
    const archive = path.join(folder, 'columns.archive')
    const dump = path.join(folder, 'columns-dump')
    fs.mkdirSync(path.join(dump, 'db'), { recursive: true })
    const read = name => Array.from(qbson.documents(fs.readFileSync(name), { bytes: true, maxDepth: Infinity }))
    const collections = { b: read(broken).slice(0, 360), a: documents, few: [encode({ few: 1 })] }
    fs.writeFileSync(archive, alternating(collections))
    for (const [name, own] of Object.entries(collections)) fs.writeFileSync(path.join(dump, 'db', `${name}.bson`), Buffer.concat(own))
    const out = path.join(folder, 'columns-tables')
    const rejects = path.join(folder, 'columns-rejects')
    const outcome = async (runner, args) => {
      for (const name of [out, rejects]) fs.rmSync(name, { recursive: true, force: true })
      const { given, code, err } = await runner([...args, '--out', `${out}/`])
      const names = fs.existsSync(out) ? fs.readdirSync(out, { recursive: true }).map(name => path.join(out, name)) : []
      const files = [...names, rejects].filter(name => fs.existsSync(name) && fs.statSync(name).isFile())
      return { given, rest: { code, err, files: files.map(name => [name, sha1(name)]) } }
    }
    const keeping = ['--keep-going', '--rejects', rejects]
    const runs = [['to-parquet', ...keeping, archive], ['to-csv', ...keeping, dump]]
    for (const args of many(runs, [...runs, ['to-csv', dump], ['to-arrow', ...keeping, dump], ['to-csv', ...keeping, archive]])) {
      const one = await outcome(own => run([...own, '--workers', '1']), args)
      const three = await outcome(runWithAll, args)
      t.deepStrictEqual(three.rest, one.rest, args.join(' '))
      t.deepStrictEqual([one.rest.code, one.rest.files.length], [1, args.includes(rejects) ? 4 : 0], one.rest.err)
      t.ok(three.given > 0 || !args.includes(rejects), args.join(' '))
      t.ok(/document 4\b/.test(one.rest.err), one.rest.err)
    }
    t.done()
  },

  'columns are in the order in which their fields first occur, whoever finds them': async function (t) {
    makeFiles()
    const { out, given } = await runWithAll(['schema', '--statistics', file])
    t.ok(given > 0)
    const names = JSON.parse(out).columns.fields.map(([name]) => name)
    const expected = Array.from({ length: COUNT }, (_, i) => Object.keys(rare(i))).flat()
    t.deepStrictEqual(names.filter(name => name.startsWith('rare')), expected)
    t.strictEqual(names[0], '_id')
    t.done()
  },

  'Parquet has one thread, unless more are asked for: each takes much memory': async function (t) {
    const small = path.join(folder, 'columns-small.bson')
    fs.writeFileSync(small, documents[0])
    const out = path.join(folder, 'columns-small.out')
    const { results } = Source.prototype
    const seen = []
    Source.prototype.results = function (...args) {
      seen.push(this.threads)
      return results.apply(this, args)
    }
    try {
      for (const args of [['to-parquet'], ['to-parquet', '--workers', '2'], ['to-csv']]) await run([...args, '--out', out, small])
    } finally {
      Source.prototype.results = results
    }
    t.deepStrictEqual([...new Set(seen)], [...new Set([1, 2, os.availableParallelism()])])
    t.done()
  },

  'Parquet by threads is read by others': async function (t) {
    makeFiles()
    const out = path.join(folder, 'columns.parquet')
    t.strictEqual((await runWithAll(['to-parquet', '--out', out, '--fields', 'i,text', file])).code, 0)
    const { parquetReadObjects } = await import('hyparquet').catch(() => skip(t, 'there is no hyparquet'))
    const bytes = fs.readFileSync(out)
    const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), columns: ['i'] })
    t.deepStrictEqual(rows.map(({ i }) => i), documents.map((_, i) => i))
    t.done()
  }
}
