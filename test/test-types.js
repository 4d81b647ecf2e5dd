'use strict'

// Types: the JSDoc is right, and TypeScript compiles code written for bson, unchanged, with the declarations made from
// it. All of this runs in one process, so that the declarations of the language and of Node are parsed only once.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const ts = require('typescript')
const { writeModule } = require('../lib/compile')
const { PUBLIC } = require('../scripts/entries')
const { home, packed } = require('./fixtures/packed')

const root = path.dirname(__dirname)
const usage = path.join(__dirname, 'types', 'usage.ts')
const bsons = path.join(root, 'node_modules', 'bson', 'bson.d.ts')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-types-'))
const dist = path.join(home, 'dist')
const ours = path.join(dist, 'qbson.d.cts')
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

/** How code that uses the library is compiled. */
const STRICT = {
  ...ts.convertCompilerOptionsFromJson({
    strict: true, noEmit: true, target: 'es2023', lib: ['es2023'], module: 'node16', moduleResolution: 'node16', types: ['node']
  }, root).options,
  typeRoots: [path.join(root, 'node_modules', '@types')],
  skipLibCheck: true // to check the declarations of Node and the web would be half of the work
}

/** A schema, and code that uses the module generated from it. */
const SCHEMA = {
  bsonType: 'object',
  required: ['_id', "it's"],
  properties: {
    _id: { bsonType: 'objectId' },
    "it's": { bsonType: ['long', 'null'], as: 'bigint' },
    state: { enum: ['a', 'b'] },
    raw: { bsonType: 'binData', as: 'buffer' },
    next: { $ref: '#' },
    list: { bsonType: 'array', items: { bsonType: ['double', 'long', 'binData'] } },
    pair: { bsonType: 'array', items: [{}, {}] },
    scores: { bsonType: 'object', additionalProperties: { bsonType: 'int' } },
    open: {},
    some: { bsonType: ['object', 'array'] }
  },
  additionalProperties: false
}

const USE = `
import { decode, encode, type Document } from './written'
import { ObjectId, Long, Binary } from 'qbson'
const doc: Document = decode(encode({ _id: new ObjectId(), "it's": 5n }))
const big: bigint | null = doc["it's"]
const state: 'a' | 'b' | undefined = doc.next?.next?.state
const item: number | Long | Binary | undefined = doc.list?.[0]
const score: number | undefined = doc.scores?.someone
const raw: Uint8Array | undefined = doc.raw
// @ts-expect-error: no such field
doc.nothing
export { big, state, item, score, raw }
`

/** @type {Map<string, import('typescript').SourceFile>} declarations, which all programs may share: target and module are the same */
const parsed = new Map()

function hostOf(options) {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (file, ...rest) => {
    if (!file.endsWith('.d.ts')) return getSourceFile(file, ...rest)
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest))
    return parsed.get(file)
  }
  return host
}

/** The compiler's complaints, or ''; writes files if the options say so. */
function complaints(files, options) {
  const host = hostOf(options)
  const program = ts.createProgram(files, options, host)
  const emitted = options.noEmit ? [] : program.emit().diagnostics
  return ts.formatDiagnostics([...ts.getPreEmitDiagnostics(program), ...emitted], host)
}

/** Names in bson's declarations that those of qbson once lacked. */
const NAMESPACE = `
import { BSON, Timestamp, type OnDemand, type DeserializeOptions } from 'bson'
const id: BSON.ObjectId = new BSON.ObjectId()
const classes: [BSON.Long, BSON.Decimal128, BSON.Binary, BSON.UUID, BSON.Timestamp, BSON.DBRef, BSON.Int32, BSON.BSONError][] = []
const element: OnDemand['BSONElement'] = [1, 0, 1, 2, 3]
const timestamp: BSON.Timestamp = new Timestamp({ t: 1, i: 2 })
const options: Record<keyof DeserializeOptions, 0> = {
  useBigInt64: 0, promoteLongs: 0, promoteBuffers: 0, promoteValues: 0, fieldsAsRaw: 0, bsonRegExp: 0, raw: 0,
  allowObjectSmallerThanBufferSize: 0, index: 0, validation: 0
}
export { id, classes, element, timestamp, options }
`

/** What depends on whether the types of Node are known: encoded documents are bytes, and never `any`. */
const ENCODED = `
import { encode, EJSON } from 'qbson'
import { columns } from 'qbson/columns'
import { compile } from 'qbson/compile'
import { batches } from 'qbson/cursor'
import { extendedJSONBytes, extendedJSONLines } from 'qbson/ejson'
import * as json from 'qbson/json'
import { compressMessage, encodeMsg } from 'qbson/wire'
const codec = compile({ properties: { n: { bsonType: 'int' } } })
const texts = [json.bytes(encode({})), json.array([]), json.lines([]), extendedJSONBytes(encode({})), extendedJSONLines([])]
const message = encodeMsg({ requestId: 1, body: {} })
const all: BYTES[] = [encode({}), codec.encode({ n: 1 }), EJSON.toBSON('{}'), ...texts, message, compressMessage(message, 'zlib')]
const lines = async (cursor: any) => { for await (const batch of batches(cursor)) all.push(batch.json(), batch.lines()) }
const table = columns(encode({ n: 1 })).columns
// @ts-expect-error: bytes
const n: number = encode({})
// @ts-expect-error: bytes
const m: number = codec.encode({ n: 1 })
export { all, table, n, m, lines }
`

module.exports = {
  before: done => {
    packed().then(() => done(), done)
  },

  'the types of the library are sound': async t => {
    t.strictEqual(await packed(), '')
    t.done()
  },

  'code for bson compiles with the declarations of bson': t => {
    t.strictEqual(complaints([usage], { ...STRICT, paths: { bson: [bsons] } }), '')
    t.done()
  },

  'and with ours': t => {
    t.strictEqual(complaints([usage], { ...STRICT, paths: { bson: [ours] } }), '')
    t.done()
  },

  'the classes of the namespace BSON are types, and the options of bson have the names of bson': t => {
    const file = path.join(folder, 'namespace.ts')
    fs.writeFileSync(file, NAMESPACE)
    for (const declarations of [bsons, ours]) t.strictEqual(complaints([file], { ...STRICT, paths: { bson: [declarations] } }), '')
    t.done()
  },

  'the declarations need neither those of Node, nor those of the web, nor those of a newer language': t => {
    const files = PUBLIC.map(name => path.join(dist, `${name}.d.cts`))
    t.strictEqual(complaints(files, { ...STRICT, types: [], lib: ['lib.es2018.d.ts'], skipLibCheck: false }), '')
    t.done()
  },

  'encoded documents are of the type Buffer with the declarations of Node, otherwise Uint8Array': t => {
    const entries = PUBLIC.map(name => [name === 'qbson' ? name : `qbson/${name}`, [path.join(dist, `${name}.d.cts`)]])
    const file = path.join(folder, 'encoded.ts')
    for (const [types, bytes] of [[['node'], 'Buffer'], [[], 'Uint8Array']]) {
      fs.writeFileSync(file, ENCODED.replace('BYTES', bytes))
      t.strictEqual(complaints([file], { ...STRICT, types, paths: Object.fromEntries(entries) }), '')
    }
    t.done()
  },

  'a matcher takes a document, or bytes and both of its ends, and is an argument of filter': t => {
    const file = path.join(folder, 'matcher.ts')
    fs.writeFileSync(file, `
      import { matcher } from 'qbson/query'
      const matches = matcher({ a: 1 })
      const bytes = new Uint8Array(5)
      const found: boolean[] = [matches(bytes), matches(bytes, 0, 5), ...[bytes].filter(matches).map(one => matches(one))]
      // @ts-expect-error: an offset alone has no effect
      matches(bytes, 5)
    `)
    const paths = { 'qbson/query': [path.join(dist, 'query.d.cts')] }
    t.strictEqual(complaints([file], { ...STRICT, paths }), '')
    t.done()
  },

  'what a Timestamp has of Long and means nothing there is deprecated': t => {
    const deprecatedIn = text => {
      const [declaration] = /declare class Timestamp [^]*?\n\}/.exec(text)
      return [...declaration.matchAll(/@deprecated[^]*?\*\/\s+(?:static )?(?:readonly )?(\w+)/g)].map(match => match[1]).sort()
    }
    const texts = [bsons, path.join(dist, 'shared.d.cts')].map(file => fs.readFileSync(file, 'utf8'))
    const [theirs, own] = texts.map(deprecatedIn)
    t.ok(theirs.length > 45)
    t.deepStrictEqual(own, theirs)
    t.done()
  },

  'every name that the declarations of bson export is used': t => {
    const source = fs.readFileSync(usage, 'utf8')
    const exported = /^export declare (?:abstract )?(?:type|interface|class|const|function) (\w+)/gm
    const names = [...fs.readFileSync(bsons, 'utf8').matchAll(exported)].map(match => match[1])
    t.ok(names.length > 60)
    // declared by bson, but not exported at run time
    const missing = new Set(names.filter(name => name !== 'LongWithoutOverridesClass' && !new RegExp(`\\b${name}\\b`).test(source)))
    t.deepStrictEqual([...missing], [])
    t.done()
  },

  'documents that stay bytes are bytes': t => {
    const paths = { qbson: [ours], 'qbson/columns': [path.join(dist, 'columns.d.cts')] }
    t.strictEqual(complaints([path.join(__dirname, 'types', 'documents.ts')], { ...STRICT, paths }), '')
    t.done()
  },

  'types are inferred from schemas, and declared in modules that are written of them': t => {
    const paths = { qbson: [ours], 'qbson/compile': [path.join(dist, 'compile.d.cts')] }
    const use = path.join(folder, 'use.ts')
    fs.writeFileSync(use, USE)
    // a .d.ts would not be checked
    fs.writeFileSync(path.join(folder, 'written.ts'), writeModule(SCHEMA).declarations.replaceAll('export const', 'export declare const'))
    t.strictEqual(complaints([path.join(__dirname, 'types', 'compile.ts'), use], { ...STRICT, paths }), '')
    t.done()
  }
}
