'use strict'

const { record, avro, protobuf } = require('../data/record')
const schemas = require('../data/schemas')
const { codecWork, cross } = require('../runner/codec')
const { figure, wide, sumOf } = require('../runner/tables')

const COPIES = 8
const names = ['bson', 'qbson', 'qbson compiled', 'msgpackr', '@msgpack/msgpack', 'cbor-x', 'avsc', 'protobufjs', 'hessian.js',
  'JSON bytes', 'v8.serialize']

/** BSON writes 64-bit integers for Longs; as numbers these would become int32. */
const subjects = { record: types => record(types.long), 'record as int32': () => record() }

const workload = subject => ({
  documents: types => Array.from({ length: COPIES }, () => subjects[subject](types)),
  warmUp: 3,
  avro,
  protobuf,
  schema: schemas.record
})

function row(name, subject, results) {
  const of = op => results.find(result => result.contender === name && result.subject === subject && result.op === op)
  const [ser, deser] = [of('ser'), of('deser')]
  const total = sumOf(ser, deser)
  const cell = result => result ? wide(figure(result.ns / 1000), result.wide) : '—'
  const label = subject === 'record' ? name : `${name}, as int32`
  return [label, figure(ser?.bytes), cell(ser), cell(deser), figure(total / 1000)]
}

module.exports = {
  name: 'record',
  title: 'Record: 1000 64-bit integers and 100 strings (cpp-serializers)',
  baseline: 'bson',
  docs: 'Three workloads of other benchmarks',
  notes: ['Record: size in bytes and times in microseconds, less is better; total = ser + deser. BSON gets instances of Long and ' +
    'so writes 64 bits; "as int32" has the same integers as numbers. All others get numbers and write them as short as ' +
    'their format allows.'],
  cases: () => [
    ...cross(['record'], ['ser', 'deser'], names),
    ...cross(['record as int32'], ['ser', 'deser'], ['bson', 'qbson'])
  ],
  prepare: item => codecWork({ ...item, op: item.op === 'ser' ? 'encode' : 'decode' }, workload(item.subject)),
  tables: results => [{
    title: 'record, bytes and µs',
    head: ['', 'size', 'ser', 'deser', 'total'],
    rows: Object.keys(subjects).flatMap(subject => names
      .filter(name => results.some(result => result.contender === name && result.subject === subject))
      .map(name => row(name, subject, results)))
  }],
  digest: results => [{
    title: 'record, µs and bytes',
    head: ['', 'record: ser', 'deser', 'bytes'],
    rows: names.filter(name => results.some(result => result.contender === name)).map(name => {
      const [first, bytes, ser, deser] = row(name, 'record', results)
      return [first, ser, deser, bytes]
    })
  }]
}
