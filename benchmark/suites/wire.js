'use strict'

const bson = require('bson')
const { loadQbson } = require('../contenders')
const { checkSame } = require('../check')

/** Documents per message. */
const BATCH = 1000

/** Fields of a wide document, and the number of different documents. */
const FIELDS = 150
const WIDE = 64

const COLOURS = ['blue', 'brown', 'green']

/** A person, as in a collection of people: 430 bytes, of one shape. */
function person({ ObjectId }, i) {
  return {
    _id: new ObjectId(i.toString(16).padStart(24, '0')),
    index: i,
    guid: `guid-${(i * 7919).toString(16).padStart(24, '0')}`,
    isActive: i % 2 === 0,
    balance: i * 1.37,
    picture: i % 5 === 0 ? null : 'https://example.com/32x32',
    age: 20 + (i % 40),
    eyeColor: COLOURS[i % 3],
    name: { first: `First${i % 97}`, last: `Last${i % 89}` },
    company: `COMPANY ${i % 1000}`,
    email: `user${i}@example.com`,
    registered: new Date(1.6e12 + i * 1000),
    tags: ['lorem', 'ipsum', `dolor${i % 10}`],
    latitude: -12.5 + i / 1000,
    longitude: 70.25 - i / 1000,
    greeting: `Hello, you have ${i % 13} unread messages`
  }
}

const people = types => Array.from({ length: BATCH }, (_, i) => person(types, i))

/** 3 KB: 150 fields of ten types. */
function wide({ ObjectId, Long }, v) {
  const makers = [
    i => i * 7 + v, i => `some text value ${i + v}`, i => i * 1.5 + 0.25, i => i % 2 === 0, i => new Date(1e12 + i + v),
    () => null, i => new ObjectId((i + v).toString(16).padStart(24, '0')), () => 'x', i => Long.fromNumber(2 ** 40 + i), i => [i, v]
  ]
  const doc = {}
  for (let i = 0; i < FIELDS; i++) doc[`field_${i}`] = makers[(i * 7) % 10](i)
  return doc
}

const wides = () => Array.from({ length: WIDE }, (_, v) => Buffer.from(bson.serialize(wide(bson, v))))

/** Fields at a third and at two thirds of the document. */
const FIRST = 'field_50'
const SECOND = 'field_100'

const COMMAND = { insert: 'people', $db: 'test' }

function int32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

/** An OP_MSG made from documents that are encoded one by one. */
function messageOf(documents) {
  const parts = documents.map(doc => bson.serialize(doc))
  const size = parts.reduce((sum, { length }) => sum + length, 4 + 10)
  const content = [int32(0), Buffer.from([0]), bson.serialize(COMMAND), Buffer.from([1]), int32(size), Buffer.from('documents\0'), ...parts]
  const length = content.reduce((sum, part) => sum + part.length, 16)
  return Buffer.concat([int32(length), int32(1), int32(0), int32(2013), ...content])
}

/** The reply to a find, as sent by a server. */
function replyOf(documents) {
  const body = bson.serialize({ cursor: { firstBatch: documents, id: 0, ns: 'test.people' }, ok: 1 })
  return Buffer.concat([int32(21 + body.length), int32(2), int32(1), int32(2013), int32(0), Buffer.from([0]), body])
}

const only = doc => ({ [FIRST]: doc[FIRST], [SECOND]: doc[SECOND] })

/** subject → contender → { inputs, operate, expected? }: the operation on each input, and the result of the first */
const subjects = {
  [`encode a message of ${BATCH} documents`]: {
    bson: () => ({ inputs: [people(bson)], operate: messageOf }),
    qbson({ qbson, wire }) {
      const operate = documents => wire.encodeMsg({ requestId: 1, body: COMMAND, sequences: [{ identifier: 'documents', documents }] })
      return { inputs: [people(qbson)], operate, expected: messageOf(people(bson)) }
    }
  },
  [`decode a reply of ${BATCH} documents`]: {
    bson: () => ({ inputs: [replyOf(people(bson))], operate: bytes => bson.deserialize(bytes.subarray(21)).cursor.firstBatch }),
    qbson: ({ wire }) => ({
      inputs: [replyOf(people(bson))],
      operate: bytes => wire.decodeBatch(wire.decodeMessage(bytes).body).documents,
      expected: people(bson)
    }),
    'qbson raw': ({ wire }) => ({
      inputs: [replyOf(people(bson))],
      operate: bytes => wire.decodeBatch(wire.decodeMessage(bytes).body, { rawDocuments: true }).documents,
      seen: documents => documents.map(raw => raw.toObject()),
      expected: people(bson)
    })
  },
  [`read two of ${FIELDS} fields`]: {
    bson: () => ({ inputs: wides(), operate: bytes => only(bson.deserialize(bytes)) }),
    qbson: ({ qbson }) => ({ inputs: wides(), operate: bytes => only(qbson.decode(bytes)), expected: only(wide(bson, 0)) }),
    'qbson raw'({ qbson }) {
      const operate = bytes => {
        const raw = new qbson.RawDocument(bytes)
        return { [FIRST]: raw.get(FIRST), [SECOND]: raw.get(SECOND) }
      }
      return { inputs: wides(), operate, expected: only(wide(bson, 0)) }
    }
  },
  [`pick two of ${FIELDS} fields as BSON`]: {
    bson: () => ({ inputs: wides(), operate: bytes => bson.serialize(only(bson.deserialize(bytes))) }),
    qbson: ({ qbson }) => ({
      inputs: wides(),
      operate: bytes => qbson.encode(only(qbson.decode(bytes))),
      expected: bson.serialize(only(bson.deserialize(wides()[0])))
    }),
    'qbson raw': ({ qbson }) => ({
      inputs: wides(),
      operate: bytes => new qbson.RawDocument(bytes).pick([FIRST, SECOND]).bytes,
      expected: bson.serialize(only(wide(bson, 0)))
    })
  }
}

/** Inputs in a row: few, so that their allocation can be measured between two collections. */
const ROW = 8

function run({ inputs, operate }) {
  const kept = new Array(64).fill(null)
  const count = Math.min(ROW, inputs.length)
  let next = 0
  return () => {
    for (let i = 0; i < count; i++) {
      kept[next] = operate(inputs[next])
      next = (next + 1) % inputs.length
    }
  }
}

function check({ inputs, operate, expected, seen = result => result }, name) {
  if (expected !== undefined) checkSame(seen(operate(inputs[0])), expected, name)
}

module.exports = {
  name: 'wire',
  title: 'The wire layer',
  baseline: 'bson',
  docs: 'Other formats and interfaces',
  notes: [
    'Relative rates, `bson` = 100, more is faster. `bson` encodes and decodes every document; so does `qbson`, which reads ' +
      'and writes messages in place; `qbson raw` makes RawDocuments and decodes only the fields that are used.'
  ],
  cases: () => Object.entries(subjects).flatMap(([subject, contenders]) => {
    return Object.keys(contenders).map(contender => ({ subject, op: 'wire', contender }))
  }),
  prepare({ subject, contender }) {
    const qbson = loadQbson()
    const work = subjects[subject][contender]({ qbson, wire: require('../../lib/wire') })
    const ops = Math.min(ROW, work.inputs.length)
    return { run: run(work), ops, warmUp: 6, check: () => check(work, `${subject}, ${contender}`) }
  }
}
