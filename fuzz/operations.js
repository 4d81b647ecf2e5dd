'use strict'

// The public operations that read or write untrusted data, for the scaling check.

const qbson = require('../qbson')
const wire = require('../lib/wire')
const { compile, schemaOf } = require('../lib/compile')
const json = require('../lib/json')
const { columns, inferColumns } = require('../lib/columns')
const { toCSV } = require('../lib/columns/formats/csv')
const cursors = require('../lib/cursor')
const { Batch } = require('../lib/cursor/batch')
const { openDump } = require('../lib/dump')
const { matcher } = require('../lib/query')
const { edit } = require('../lib/cli/commands/edit')
const { readOptions } = require('../lib/cli/options')
const { Editor } = require('../lib/cli/tasks/edits')
const { FakeCursor } = require('../test/fixtures/cursor')

const { EJSON, RawDocument } = qbson

/** A codec for any documents. */
const codec = compile({ bsonType: 'object' })

/** A codec for documents of which little is known, with rules for all their content. */
const strict = compile({
  $ref: '#/definitions/any',
  definitions: {
    any: {
      uniqueItems: true, multipleOf: 0.1, maxLength: 1e9, not: { enum: ['never', [7], { a: 7 }, 7] }, anyOf: [{ minLength: 0 }, { pattern: '^x' }],
      patternProperties: { '^k[1-5]': { maxProperties: 1e9 }, '^(k|a)': { not: { maxItems: 0, bsonType: 'array' } } },
      additionalProperties: { $ref: '#/definitions/any' }, items: { $ref: '#/definitions/any' }
    }
  }
})

const isMatch = matcher({ 'a.3.x': { $gt: 'x' }, k5: { $nin: [1, 2] }, 'a.a.a': { $exists: false } })
const given = { set: ['k7=1', 'a.x={"b":1}'], unset: ['k5'], mask: ['k6', 'x', 'a.a'], hash: ['k8', 'b'] }
const edits = new Editor({ ...readOptions(given, edit.options), key: Buffer.alloc(32) })

const DRIVER = {
  fieldsAsRaw: {}, useBigInt64: false, promoteLongs: true, promoteValues: true, promoteBuffers: false, bsonRegExp: false, raw: false,
  allowObjectSmallerThanBufferSize: true, index: 0, validation: { utf8: { writeErrors: false } }
}

/** @type {Record<string, (bytes: Buffer) => any>} */
const ofBytes = {
  decode: bytes => qbson.decode(bytes),
  'decode, promoteValues: false': bytes => qbson.decode(bytes, { promoteValues: false }),
  'decode, raw': bytes => qbson.decode(bytes, { raw: true }),
  deserialize: bytes => qbson.deserialize(bytes, { ...DRIVER }),
  deserializeStream: bytes => qbson.deserializeStream(Buffer.concat([bytes, bytes]), 0, 2, [], 0, {}),
  validate: bytes => qbson.validate(bytes),
  'EJSON.fromBSON': bytes => EJSON.fromBSON(bytes),
  'EJSON.fromBSON, canonical, indented': bytes => EJSON.fromBSON(bytes, { relaxed: false, space: 1 }),
  'json.text': bytes => json.text(bytes),
  'json.array, indented': bytes => json.array(Buffer.concat([bytes, bytes]), { space: 1 }),
  'RawDocument get': bytes => new RawDocument(bytes).get('nope'),
  'RawDocument get, of a path': bytes => new RawDocument(bytes).get('a.3.x'),
  'RawDocument keys': bytes => new RawDocument(bytes).keys(),
  'RawDocument pick': bytes => new RawDocument(bytes).pick(['k5', 'a.3', 'zz']),
  'RawDocument omit': bytes => new RawDocument(bytes).omit(['k5', 'a.3']),
  'RawDocument set': bytes => new RawDocument(bytes).set('a', 1),
  'RawDocument set, of a name that may repeat': bytes => new RawDocument(bytes).set('k', 1),
  'RawDocument append': bytes => new RawDocument(bytes).append('zz', 1),
  'RawDocument elements': bytes => { for (const { name, bytes: each } of new RawDocument(bytes)) void [name, each] },
  'RawDocument toObject': bytes => new RawDocument(bytes).toObject(),
  'RawDocument validate': bytes => new RawDocument(bytes).validate(),
  'RawDocument equals': bytes => new RawDocument(bytes).equals(Buffer.from(bytes)),
  documents: bytes => [...qbson.documents(Buffer.concat([bytes, bytes]))],
  'onDemand.parseToElements': bytes => [...qbson.onDemand.parseToElements(bytes)],
  'codec.decode': bytes => codec.decode(bytes),
  'codec.decode, checked by every rule': bytes => strict.decode(bytes, { check: true }),
  'codec.validate, all': bytes => strict.validate(bytes, { all: true }),
  schemaOf: bytes => schemaOf([bytes]),
  'json.text, other forms': bytes => json.text(bytes, { int64: 'string', objectId: 'extended', date: 'number', decimal: 'string', binary: 'extended' }),
  'json.text, UTF-8 in part': bytes => json.text(bytes, { validation: { utf8: { a: false } } }),
  'columns, those of some fields': bytes => columns([bytes, bytes], { fields: ['k5', 'a.x', 'a'] }),
  'columns to CSV': bytes => drain(toCSV(columns([bytes, bytes]))),
  'rows of columns': bytes => [...columns([bytes, bytes])],
  'match of the command': bytes => isMatch(bytes),
  'edits of the command': bytes => {
    edits.pos = 0
    edits.write(bytes)
  },
  'encode of a RawDocument': bytes => qbson.encode({ raw: new RawDocument(bytes) }),
  'decode and encode': bytes => qbson.encode(qbson.decode(bytes)),
  'decode and sizeOf': bytes => qbson.sizeOf(qbson.decode(bytes)),
  'decode and EJSON.stringify': bytes => EJSON.stringify(qbson.decode(bytes)),
  'decode and EJSON.stringify, canonical': bytes => EJSON.stringify(qbson.decode(bytes), { relaxed: false }),
  'EJSON.toBSON of EJSON.fromBSON': bytes => EJSON.toBSON(EJSON.fromBSON(bytes, { relaxed: false })),
  'EJSON.parse of EJSON.fromBSON': bytes => EJSON.parse(EJSON.fromBSON(bytes))
}

const target = Buffer.alloc(1 << 22)

/** @type {Record<string, (value: any) => any>} */
const ofValues = {
  encode: value => qbson.encode(value),
  'encode, checkKeys': value => qbson.encode(value, { checkKeys: true }),
  'encode, ignoreUndefined: false': value => qbson.encode(value, { ignoreUndefined: false }),
  encodeInto: value => qbson.encodeInto(value, target),
  serialize: value => qbson.serialize(value),
  'serialize, functions': value => qbson.serialize(value, { serializeFunctions: true, ignoreUndefined: false }),
  serializeWithBufferAndIndex: value => qbson.serializeWithBufferAndIndex(value, target),
  calculateObjectSize: value => qbson.calculateObjectSize(value),
  'codec.encode': value => codec.encode(value),
  'codec.encode, checked by every rule': value => strict.encode(value),
  encodeMsg: value => wire.encodeMsg({ requestId: 1, body: { insert: 'c' }, sequences: [{ identifier: 'documents', documents: [value, value] }] }),
  encodeBatches: value => [...wire.encodeBatches({ nextId: () => 1, body: { insert: 'c' }, sequence: { identifier: 'documents', documents: [value, value] } })],
  sizeOf: value => qbson.sizeOf(value),
  'EJSON.stringify': value => EJSON.stringify(value),
  'EJSON.stringify, indented': value => EJSON.stringify(value, { relaxed: false }, 1),
  'EJSON.serialize': value => EJSON.serialize(value)
}

/** @type {Record<string, (text: string) => any>} */
const ofTexts = {
  'EJSON.parse': text => EJSON.parse(text),
  'EJSON.parse, canonical': text => EJSON.parse(text, { relaxed: false }),
  'EJSON.parse, legacy': text => EJSON.parse(text, { legacy: true }),
  'EJSON.toBSON': text => EJSON.toBSON(text),
  'EJSON.deserialize': text => EJSON.deserialize(JSON.parse(text))
}

/** @type {Record<string, (text: string) => any>} */
const ofStrings = {
  'Decimal128.fromString': text => qbson.Decimal128.fromString(text),
  'Decimal128.fromStringWithRounding': text => qbson.Decimal128.fromStringWithRounding(text),
  'Long.fromString': text => qbson.Long.fromString(text),
  'Long.fromStringStrict': text => qbson.Long.fromStringStrict(text),
  'Long.fromString, base 36': text => qbson.Long.fromString(text, 36),
  'Double.fromString': text => qbson.Double.fromString(text),
  'Int32.fromString': text => qbson.Int32.fromString(text),
  'Timestamp.fromString': text => qbson.Timestamp.fromString(text, 10),
  'new ObjectId': text => new qbson.ObjectId(text),
  'new UUID': text => new qbson.UUID(text),
  'new BSONRegExp': text => new qbson.BSONRegExp(text, text),
  'Binary.createFromHexString': text => qbson.Binary.createFromHexString(text),
  'Binary.createFromBase64': text => qbson.Binary.createFromBase64(text)
}

/** @type {Record<string, (message: Buffer) => any>} */
const ofMessages = {
  decodeMessage: bytes => wire.decodeMessage(bytes),
  'decodeMessage and its documents': bytes => {
    const { body, sequences } = wire.decodeMessage(bytes)
    for (const { documents } of sequences) wire.decodeDocuments(documents)
    return wire.decodeBatch(body)
  }
}

/** @type {Record<string, (chunks: Buffer[]) => any>} */
const ofChunks = {
  'MessageSplitter, read at the end': chunks => {
    const splitter = new wire.MessageSplitter()
    for (const chunk of chunks) splitter.write(chunk)
    return [...splitter].length
  },
  'MessageSplitter, read after each chunk': chunks => {
    const splitter = new wire.MessageSplitter()
    for (const chunk of chunks) {
      splitter.write(chunk)
      for (const message of splitter) void message
    }
  }
}

async function* stream(items) {
  yield* items
}

async function drain(source) {
  for await (const piece of source) void piece
}

/** @type {Record<string, (chunks: Buffer[]) => any>} chunks hold one document each, or are cut anywhere */
const ofFiles = {
  'columns of a stream': chunks => drain(columns(stream(chunks))),
  'columns of a batch in a stream': chunks => drain(columns(stream([chunks]))),
  'columns of an array': chunks => columns(chunks),
  'columns, what is broken left out': chunks => columns(chunks, { reject: () => {} }),
  inferColumns: chunks => inferColumns(stream([chunks])),
  schemaOf: chunks => schemaOf(chunks),
  'json.lines': chunks => json.lines(Buffer.concat(chunks)),
  documentStream: chunks => drain(qbson.documentStream(chunks)),
  'a batch of a cursor': chunks => {
    const batch = new Batch(chunks, 0)
    return [batch.documents(), batch.json(), batch.lines()]
  },
  'JSON of a cursor': chunks => drain(cursors.jsonArray(new FakeCursor(chunks), { batchSize: chunks.length })),
  'lines of a cursor, in small batches': chunks => drain(cursors.jsonLines(new FakeCursor(chunks), { batchSize: 7 })),
  openDump: chunks => drain(openDump(chunks).blocks())
}

/** @type {Record<string, (chunks: Buffer[]) => any>} */
const ofArchives = {
  'openDump, blocks': chunks => drain(openDump(chunks).blocks()),
  'openDump, parts and documents': async chunks => {
    for await (const part of openDump(chunks)) await drain(part)
  }
}

module.exports = { ofFiles, ofArchives, ofBytes, ofValues, ofTexts, ofStrings, ofMessages, ofChunks }
