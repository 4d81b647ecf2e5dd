'use strict'

const { deflateSync } = require('node:zlib')
const { media, avro, protobuf } = require('../data/media')
const schemas = require('../data/schemas')
const { load } = require('../contenders')
const { codecWork, cross, runOver } = require('../runner/codec')
const { figure, wide, sumOf } = require('../runner/tables')

const COPIES = 64
const names = ['bson', 'qbson', 'qbson compiled', 'qbson positional', 'msgpackr', 'msgpackr records', '@msgpack/msgpack', 'cbor-x', 'avsc', 'protobufjs',
  'hessian.js', 'JSON bytes', 'v8.serialize']

const workload = { documents: () => Array.from({ length: COPIES }, media), warmUp: 3, avro, protobuf, schema: schemas.media }

/** Makes the object that a contender encodes. */
function createWork({ contender }) {
  const { native } = load(contender, workload)
  const make = native ? () => native(media()) : media
  return { run: runOver(make, new Array(COPIES).fill(null)), ops: COPIES }
}

function codec(item) {
  const work = codecWork({ ...item, op: item.op === 'ser' ? 'encode' : 'decode' }, workload)
  const { encode, native = doc => doc } = load(item.contender, workload)
  return { ...work, extra: { deflated: deflateSync(encode(native(media()))).length } }
}

function row(name, results) {
  const of = op => results.find(result => result.contender === name && result.op === op)
  const [create, ser, deser] = [of('create'), of('ser'), of('deser')]
  const cell = result => result ? wide(figure(result.ns), result.wide) : '—'
  return [
    name, cell(create), cell(ser), cell(deser), figure(sumOf(ser, deser)), figure(ser?.bytes), figure(ser?.extra.deflated)
  ]
}

module.exports = {
  name: 'media',
  title: 'Media: the document of the jvm-serializers benchmark',
  baseline: 'bson',
  docs: 'Three workloads of other benchmarks',
  notes: [
    'Media: nanoseconds and bytes, less is better; total = ser + deser. The workload has one document, here in 64 equal ' +
      'objects and 64 separate Buffers. Every library writes the same ten integers in at most 32 bits; avsc, ' +
      'protobufjs, qbson compiled and positional (values without names) have schemas with enumerations for two of the strings; `create` makes the object that is encoded. ' +
      'Deflated by zlib, level 6.'
  ],
  cases: () => cross(['media'], ['create', 'ser', 'deser'], names),
  prepare: item => item.op === 'create' ? createWork(item) : codec(item),
  tables: results => [{
    title: 'media, ns and bytes',
    head: ['', 'create', 'ser', 'deser', 'total', 'size', 'deflated'],
    rows: names.filter(name => results.some(result => result.contender === name)).map(name => row(name, results))
  }],
  digest: results => [{
    title: 'media, ns and bytes',
    head: ['', 'media: ser', 'deser', 'bytes'],
    rows: names.filter(name => results.some(result => result.contender === name)).map(name => {
      const [first, , ser, deser, , bytes] = row(name, results)
      return [first, ser, deser, bytes]
    })
  }]
}
