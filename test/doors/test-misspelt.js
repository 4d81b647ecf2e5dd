'use strict'

// An option that a function does not have is refused, wherever only qbson has the function. What bson has too passes
// over it, as the official driver gives it options of its own.

const fs = require('node:fs')
const path = require('node:path')
const q = require('../../qbson')
const { ENTRIES, PUBLIC } = require('../../scripts/entries')
const { FakeCursor } = require('../fixtures/cursor')

const root = path.join(__dirname, '..', '..')
const entries = Object.fromEntries(PUBLIC.map(name => [name, require(path.join(root, ENTRIES[name]))]))
const { columns, compile, cursor, dump, ejson, json, wire } = entries

const A = q.encode({ a: 1 })
const raw = new q.RawDocument(A)
const codec = compile.compile({})
const table = columns.columns(A)
const batch = async () => (await cursor.batches(new FakeCursor([A])).next()).value
const message = { requestId: 1, body: {}, fullCollectionName: 'a.b', query: {}, cursorId: 1, cursorIds: [], documents: [] }
const only = names => Object.fromEntries(names.map(name => [name, message[name]]))
const sent = { msg: only(['requestId', 'body']), query: only(['requestId', 'fullCollectionName', 'query']) }
const reply = new q.RawDocument(q.encode({ cursor: { id: 0, ns: 'a.b', firstBatch: [{}] } }))
const batches = { nextId: () => 1, body: {}, sequence: { identifier: 'd', documents: [{}] } }
const file = path.join(root, 'examples', 'bookshop.bson')

/** Those that refuse: by name the call with options. @type {Record<string, (options: any) => any>} */
const REFUSING = {
  validate: options => q.validate(A, options),
  documents: options => q.documents(A, options),
  documentStream: options => q.documentStream([A], options),
  createDecodeStream: q.createDecodeStream,
  createEncodeStream: q.createEncodeStream,
  'EJSON.fromBSON': options => q.EJSON.fromBSON(A, options),
  'EJSON.toBSON': options => q.EJSON.toBSON('{}', options),
  'RawDocument.from': options => q.RawDocument.from({}, options),
  'RawDocument#get': options => raw.get('a', options),
  'RawDocument#toObject': options => raw.toObject(options),
  'RawDocument#validate': options => raw.validate(options),
  'RawDocument#set': options => raw.set('a', 2, options),
  'RawDocument#append': options => raw.append('b', 2, options),
  'an element#decode': options => raw.element('a').decode(options),
  'ejson/extendedJSONBytes': options => ejson.extendedJSONBytes(A, options),
  'ejson/extendedJSONLines': options => ejson.extendedJSONLines(A, options),
  ...Object.fromEntries(['text', 'bytes', 'array', 'lines'].map(name => [`json/${name}`, options => json[name](A, options)])),
  ...Object.fromEntries(['arrayStream', 'lineStream', 'arrayTransformStream', 'lineTransformStream'].map(name => [`json/${name}`, json[name]])),
  ...Object.fromEntries(Object.keys(cursor).map(name => [`cursor/${name}`, options => cursor[name](new FakeCursor([A]), options)])),
  'a batch of a cursor#documents': async options => (await batch()).documents(options),
  'a batch of a cursor#json': async options => (await batch()).json(options),
  'a batch of a cursor#lines': async options => (await batch()).lines(options),
  ...Object.fromEntries(['columns', 'inferColumns', 'columnStatistics'].map(name => [`columns/${name}`, options => columns[name](A, options)])),
  ...Object.fromEntries(['toArrow', 'toArrowIPC', 'toParquet', 'toCSV'].map(name => [`columns/${name}`, options => columns[name](table, options)])),
  'dump/openDump': options => dump.openDump(file, options),
  'dump/readChunks': options => dump.readChunks(file, options),
  'dump/splits': options => dump.splits(file, 100, options),
  'compile/compile': options => compile.compile({}, options),
  'compile/writeModule': options => compile.writeModule({}, options),
  'compile/schemaOf': options => compile.schemaOf([A], options),
  'a codec#encode': options => codec.encode({}, options),
  'a codec#encodeInto': options => codec.encodeInto({}, Buffer.alloc(9), 0, options),
  'a codec#sizeOf': options => codec.sizeOf({}, options),
  'a codec#decode': options => codec.decode(A, options),
  'a codec#validate': options => codec.validate(A, options),
  'wire/encodeMsg': options => wire.encodeMsg(sent.msg, options),
  'wire/encodeMsg, its message': fields => wire.encodeMsg({ ...sent.msg, ...check(fields) }),
  'wire/encodeQuery': options => wire.encodeQuery(sent.query, options),
  'wire/encodeGetMore': options => wire.encodeGetMore(only(['requestId', 'fullCollectionName', 'cursorId']), options),
  'wire/encodeKillCursors': options => wire.encodeKillCursors(only(['requestId', 'cursorIds']), options),
  'wire/encodeReply': options => wire.encodeReply(only(['requestId', 'documents']), options),
  'wire/encodeBatches': options => wire.encodeBatches(batches, options),
  'wire/encodeBatches, its request': fields => wire.encodeBatches({ ...batches, ...check(fields) }),
  'wire/decodeMessage': options => wire.decodeMessage(wire.encodeMsg(sent.msg), 0, options),
  'wire/decodeBatch': options => wire.decodeBatch(reply, options),
  'wire/decodeDocuments': options => wire.decodeDocuments([raw], options),
  'wire/MessageSplitter': options => new wire.MessageSplitter(options)
}

/** A message is no options. */
function check(fields) {
  if (typeof fields !== 'object' || Symbol.iterator in fields || fields instanceof Promise) throw new q.BSONError('must be an object, such as')
  return fields
}

const into = call => options => {
  const target = Buffer.alloc(20)
  return [call(target, options), target]
}

/** Those that pass over them. @type {Record<string, (options: any) => any>} */
const PASSING = {
  encode: options => q.encode({ a: 1 }, options),
  encodeInto: into((target, options) => q.encodeInto({ a: 1 }, target, 0, options)),
  sizeOf: options => q.sizeOf({ a: 1 }, options),
  'encode.encodeEntities': into((target, options) => /** @type {any} */ (q.encode).encodeEntities({ a: 1 }, target, 0, options)),
  'encode.guessSize': options => /** @type {any} */ (q.encode).guessSize({ a: 1 }, options),
  decode: options => q.decode(A, options),
  serialize: options => q.serialize({ a: 1 }, options),
  serializeWithBufferAndIndex: into((target, options) => q.serializeWithBufferAndIndex({ a: 1 }, target, options)),
  deserialize: options => q.deserialize(A, options),
  deserializeStream: options => q.deserializeStream(A, 0, 1, [], 0, options),
  calculateObjectSize: options => q.calculateObjectSize({ a: 1 }, options),
  'EJSON.parse': options => q.EJSON.parse('{"a":1}', options),
  'EJSON.stringify': options => q.EJSON.stringify({ a: 1 }, options),
  'EJSON.serialize': options => q.EJSON.serialize({ a: 1 }, options),
  'EJSON.deserialize': options => q.EJSON.deserialize({ a: 1 }, options)
}

/** Functions without options. */
const WITHOUT = new Set([
  'onDemand.parseToElements', 'setInternalBufferSize', 'ejson/extendedJSONValues', 'query/matcher', 'query/compare', 'query/sorter',
  'dump/parseNamespace', 'dump/escapeName',
  'wire/crc32c', 'wire/compressors', 'wire/decodeHeader', 'wire/compressMessage',
  'encode.putInt32', 'decode.getBsonEntities', 'decode.getUInt32',
  ...Object.keys(q.ByteUtils).map(name => `ByteUtils.${name}`), ...Object.keys(q.NumberUtils).map(name => `NumberUtils.${name}`)
])

const isClass = value => /^class\b/.test(Function.prototype.toString.call(value))
const parametersOf = value => /\(([^)]*)\)/.exec(Function.prototype.toString.call(value))[1]

/** Methods and constructors are known by their parameters. */
const hasOptions = parameters => /\b(options|limits|how)\b/.test(parameters)

/** Whether the class is one of bson: those of its methods that have options are of EJSON. */
const OF_BSON = new Set(Object.values(q.BSON))

/** @returns {[string, any, boolean][]} name, function, and whether it surely has options */
function functionsOf(name, value) {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, each]) => functionsOf(`${name}.${key}`, each))
  if (typeof value !== 'function') return []
  if (!isClass(value)) return [[name, value, false], ...Object.entries(value).flatMap(([key, each]) => functionsOf(`${name}.${key}`, each))]
  if (OF_BSON.has(value)) return []
  const members = [[value, '.'], [value.prototype, '#']].flatMap(([holder, sign]) => {
    const all = Object.entries(Object.getOwnPropertyDescriptors(holder))
    return all.filter(([key, { value }]) => typeof value === 'function' && key !== 'constructor').map(([key, { value }]) => [`${name}${sign}${key}`, value])
  })
  const made = /constructor\(([^)]*)\)/.exec(String(value))?.[1] ?? ''
  const known = members.filter(([, member]) => hasOptions(parametersOf(member))).map(([key, member]) => [key, member, true])
  return hasOptions(made) ? [[name, value, true], ...known] : known
}

const COPIES = new Set(['qbson/BSON', 'qbson/onDemand', 'wire/RawDocument', 'ejson/EJSON', 'object-id/ObjectId'])

/** Every exported function. */
const ALL = Object.entries(entries).flatMap(([entry, exported]) => Object.entries(exported).flatMap(([key, value]) => {
  return COPIES.has(`${entry}/${key}`) ? [] : functionsOf(entry === 'qbson' ? key : `${entry}/${key}`, value)
}))

/** Not for programs: what is given was read before. */
const INNER = new Set(['compile/runtime/codecOf', 'compile/runtime/codecFrom', 'RawDocument#replace', 'columns/ColumnStatistics#type', 'wire/WireError'])

async function messageOf(call, options) {
  try {
    await call(options)
    return null
  } catch (error) {
    return error instanceof q.BSONError ? error.message : `${error.name}: ${error.message}`
  }
}

const tests = Object.fromEntries(Object.entries(REFUSING).map(([name, call]) => [name, async t => {
  const said = await messageOf(call, { zzzzzzzzzzzz: 1 })
  const [, owner, what, list] = /^(\w.*) has no (option|field) zzzzzzzzzzzz\. Its (?:option|field)s are (.*)$/.exec(said) ?? []
  t.ok(owner !== undefined, said)
  t.ok(owner.includes(/^a codec#(encodeInto|sizeOf)$/.test(name) ? 'encode of a codec' : name.split(/[/#,]/)[1] ?? name), owner)
  for (const option of list.split(', ')) {
    const misspelt = option.slice(0, 2) + option.slice(1)
    const answer = await messageOf(call, { [misspelt]: 1 })
    t.ok(answer.includes(` has no ${what} ${misspelt} (did you mean ${option}?)`), answer)
    t.ok(what === 'field' || pages.includes(option), `${option} is not in docs/`)
  }
  for (const options of [{ zzz: undefined }, Object.create({ zzz: 1 }), {}]) t.strictEqual(await messageOf(call, options), null)
  for (const options of [5, 'x', true, [], [1], Promise.resolve({}), new Map([['a', 1]]), () => 1]) {
    const said = await messageOf(call, options)
    t.ok(/must be an object, such as/.test(said), `${name} ${String(options)}: ${said}`)
  }
  t.done()
}]))

const pages = ['docs', '.'].flatMap(dir => fs.readdirSync(path.join(root, dir)).filter(name => name.endsWith('.md')).map(name => fs.readFileSync(path.join(root, dir, name), 'utf8'))).join('\n')

module.exports = {
  ...tests,

  'every function is refusing, passing, or without options': t => {
    const known = name => name in REFUSING || name in PASSING || WITHOUT.has(name)
    t.deepStrictEqual(ALL.filter(([name]) => !known(name) && !INNER.has(name)).map(([name]) => name), [])
    for (const [name, value] of ALL) if (WITHOUT.has(name) && !isClass(value)) t.ok(!hasOptions(parametersOf(value)), name)
    t.done()
  },

  'what bson has too passes over them': t => {
    for (const [name, call] of Object.entries(PASSING)) {
      t.deepStrictEqual(call({ zzz: 1, session: {}, maxTimeMS: 5 }), call({}), name)
    }
    t.done()
  }
}
