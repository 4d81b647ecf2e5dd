'use strict'

// Every door refuses the value of an option in the same words, with its name, what is allowed, and the value.

const { encode, decode, validate, sizeOf, documents, EJSON, RawDocument } = require('../qbson')
const { columns, toCSV, toArrowIPC, toParquet } = require('../lib/columns')
const { openDump, splits } = require('../lib/dump')
const { extendedJSONLines } = require('../lib/ejson')
const JSONText = require('../lib/json')
const { decodeBatch, decodeDocuments, encodeBatches, encodeMsg, MessageSplitter } = require('../lib/wire')

const A = encode({ a: 1 })

const POSITIVE = ['a positive integer', [0, -1, 1.5, NaN, '7', true]]
const LEVELS = ['a non-negative integer', [-1, 1.5, NaN, '7', true]]
const FUNCTION = ['a function', [1, 'x', true, {}]]
const PATHS = ['a list of paths', ['a', 1, {}]]
const PATH = ['a path: a string, or a list of names', [1, [], [1], {}]]

const first = iterator => iterator.next()
const table = () => columns(A)

/** door -> [what it does with options, { option: [what is allowed, values that are not] }] */
const DOORS = {
  encode: [options => encode({ a: 1 }, options), { maxDepth: LEVELS, maxSize: POSITIVE }],
  sizeOf: [options => sizeOf({ a: 1 }, options), { maxDepth: LEVELS, maxSize: POSITIVE }],
  decode: [options => decode(A, options), { maxDepth: LEVELS }],
  validate: [options => validate(A, options), { maxDepth: LEVELS }],
  documents: [options => [...documents(A, options)], { maxDocumentSize: POSITIVE }],
  'EJSON.parse': [options => EJSON.parse('{}', options), { maxDepth: LEVELS }],
  'json.text': [options => JSONText.text(A, options), {
    int64: ["'number' or 'string'", ['x', 1, null]], date: ["'iso' or 'number'", ['x']], maxDepth: LEVELS
  }],
  columns: [options => columns(A, options), {
    rows: POSITIVE, sample: POSITIVE, maxDocumentSize: POSITIVE, reject: FUNCTION, fields: PATHS, json: PATHS, geo: PATHS,
    mixedTypes: ["'json' or 'error'", ['x']], ids: ["'bytes' or 'hex'", ['x', 1, null]], unwind: PATH,
    decimals: [
      "'decimal', 'decimal(p,s)' with at most 38 digits, 'double', 'string' or 'bytes'", ['x', 'decimal(39,1)', 'decimal(1,2)', 7]
    ]
  }],
  toCSV: [options => first(toCSV(table(), options)), { fields: PATHS }],
  toArrowIPC: [options => first(toArrowIPC(table(), options)), { format: ["'stream' or 'file'", ['x']] }],
  toParquet: [options => first(toParquet(table(), options)), { rowGroupSize: POSITIVE }],
  openDump: [options => openDump(A, options), {
    namespaces: ['an array of names, or a function', ['a.b', 1, {}, [5]]], maxDocumentSize: POSITIVE, searchSize: POSITIVE,
    namespace: ['a string', [1, {}]], range: ['{ offset, length } in bytes', [1, {}, { offset: -1, length: 1 }]],
    onRead: FUNCTION, onError: FUNCTION
  }],
  splits: [({ size }) => first(splits('orders.bson', size)), { size: POSITIVE }],
  encodeMsg: [options => encodeMsg({ requestId: 1, body: {} }, options), {
    maxMessageSizeBytes: POSITIVE, maxBsonObjectSize: POSITIVE, maxWriteBatchSize: POSITIVE, maxDepth: LEVELS
  }],
  encodeBatches: [
    ({ nextId }) => first(encodeBatches({ nextId, body: {}, sequence: { identifier: 'd', documents: [{}] } })), { nextId: FUNCTION }
  ],
  MessageSplitter: [options => new MessageSplitter(options), { maxMessageSizeBytes: POSITIVE }]
}

const kind = value => Array.isArray(value) ? 'an array' : 'an object'
const shown = value => typeof value === 'object' && value !== null ? kind(value) : typeof value === 'string' ? `"${value}"` : String(value)

/** @returns {Promise<string | null>} the message of what it throws */
async function refusal(open, options) {
  try {
    await open(options)
    return null
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}

const tests = Object.fromEntries(Object.entries(DOORS).map(([door, [open, options]]) => [door, async function (t) {
  for (const [name, [allowed, values]] of Object.entries(options)) {
    for (const value of values) {
      const expected = `BSONError: ${name} must be ${allowed}, not ${shown(value)}`
      t.strictEqual(await refusal(open, { [name]: value }), expected, `${name}: ${shown(value)}`)
    }
  }
  t.done()
}]))

module.exports = {
  ...tests,

  'a function that says yes or no: not later, and not by an object, which always means yes': async function (t) {
    for (const namespaces of [async () => false, function* () {}, async function* () {}]) {
      for (const open of [() => openDump(A, { namespaces }), () => splits('orders.bson', 5, { namespaces })]) {
        t.ok((await refusal(open)).startsWith('BSONError: namespaces must be a function that returns true or false, not '))
      }
    }
    const read = answer => first(openDump(A, { namespaces: () => answer })[Symbol.asyncIterator]())
    t.strictEqual(await refusal(() => read(Promise.resolve(true))), 'BSONError: namespaces must return true or false, not a Promise (await it)')
    for (const answer of [0, undefined, null, '']) t.strictEqual((await read(answer)).done, true)
    for (const answer of [1, true, 'x']) t.strictEqual((await read(answer)).done, false)
    t.done()
  },
  'splits are of files': async function (t) {
    for (const source of [A, [A], null, 5]) t.ok(/^BSONError: the source must be /.test(await refusal(() => splits(source, 5))), `${source}`)
    t.done()
  },
  'the path of unwind is not that of $unwind': async function (t) {
    const bytes = encode({ $a: [1, 2], a: [1, 2, 3] })
    const expected = 'BSONError: unwind must be a path without the $, or a list of names for a field whose name begins with it, not "$a"'
    t.strictEqual(await refusal(() => columns(bytes, { unwind: '$a' })), expected)
    t.deepStrictEqual([columns(bytes, { unwind: 'a' }).rows, columns(bytes, { unwind: ['$a'] }).rows], [3, 2])
    t.done()
  },
  'of a path in a list': async function (t) {
    const expected = 'BSONError: fields must be a path: a string, or a list of names, not null'
    t.strictEqual(await refusal(DOORS.columns[0], { fields: ['a', null] }), expected)
    t.done()
  },
  'an index where it is known where documents begin': async function (t) {
    const { array, lines, arrayStream, lineStream, arrayTransformStream, lineTransformStream } = JSONText
    const raw = new RawDocument(A)
    const reply = new RawDocument(encode({ cursor: { id: 0, ns: 'a.b', firstBatch: [raw] } }))
    const doors = [
      ...[array, lines, extendedJSONLines, documents].map(read => options => [...read(A, options)]),
      options => raw.get('a', options), options => raw.toObject(options), options => raw.element('a').decode(options),
      options => decodeDocuments([raw], options), options => decodeBatch(reply, options)
    ]
    for (const door of [...doors, arrayStream, lineStream, arrayTransformStream, lineTransformStream]) {
      const expected = 'BSONError: this function knows where each document begins, so index must be left out (or pass a part of the bytes)'
      t.strictEqual(await refusal(door, { index: 3 }), expected)
      t.strictEqual(await refusal(door, { index: 0 }), null)
    }
    t.done()
  },
  'earlier names': function (t) {
    const mixed = Buffer.concat([encode({ a: 1 }), encode({ a: 'x' })])
    t.throws(() => columns(mixed, { mixtures: 'error' }), /different types/)
    t.throws(() => columns(A, { mixtures: 'x' }), /^BSONError: mixtures must be 'json' or 'error', not "x"/)
    t.throws(() => openDump(A, { onFault: 1 }), /^BSONError: onFault must be a function, not 1/)
    const { report } = columns(mixed, { schema: { properties: { a: { bsonType: 'int' } } } })
    t.deepStrictEqual([report.misfits, Object.keys(report).includes('misfits')], [report.mismatches, false])
    t.strictEqual(report.misfits.length, 1)
    t.done()
  },
  'polluted prototype': function (t) {
    Object.assign(Object.prototype, { maxDepth: 'x', fields: 1 })
    try {
      t.deepStrictEqual(decode(encode({ a: 1 })), { a: 1 })
      t.strictEqual(columns(A, { rows: 1 }).rows, 1)
    } finally {
      delete Object.prototype.maxDepth
      delete Object.prototype.fields
    }
    t.done()
  }
}
