'use strict'

const { tests, avro, protobuf, toProtobuf } = require('../data/test')
const schemas = require('../data/schemas')
const { codecWork, cross } = require('../runner/codec')
const { figure, sumOf, wide } = require('../runner/tables')

const MILLION = 1e6
const names = ['bson', 'qbson', 'qbson compiled', 'qbson positional', 'msgpackr', 'msgpackr records', '@msgpack/msgpack', 'cbor-x', 'avsc', 'protobufjs',
  'hessian.js', 'JSON bytes', 'v8.serialize']

const workload = { documents: tests, warmUp: 3, avro, protobuf, toProtobuf, schema: schemas.test }

function row(name, results) {
  const of = op => results.find(result => result.contender === name && result.op === op)
  const first = ['ser', 'deser'].map(op => results.find(result => result.contender === 'bson' && result.op === op))
  const [ser, deser] = [of('ser'), of('deser')]
  const total = sumOf(ser, deser)
  const allocated = ser && deser ? ser.allocated + deser.allocated : undefined
  return [
    name,
    wide(figure(total * MILLION / 1e9), Boolean(ser?.wide || deser?.wide)),
    figure(ser?.ns), figure(deser?.ns), figure(allocated), figure(ser?.bytes), figure(sumOf(...first) / total)
  ]
}

module.exports = {
  name: 'test',
  title: 'Test: a million objects of the HyperSerializer benchmark',
  baseline: 'bson',
  docs: 'Three workloads of other benchmarks',
  notes: ['Test: seconds for serializing and deserializing a million objects, estimated from the thousand objects ' +
    'i = 0, 1000, … 999000, used in turn; nanoseconds and allocated bytes per object; ratio: the speed relative to ' +
    'the first row. Formats without decimals and UUIDs get them as strings and bytes.'],
  cases: () => cross(['test'], ['ser', 'deser'], names),
  prepare: item => codecWork({ ...item, op: item.op === 'ser' ? 'encode' : 'decode' }, workload),
  tables: results => [{
    title: 'a million objects',
    head: ['', 'total s', 'ser ns', 'deser ns', 'allocated B', 'size', 'ratio'],
    rows: names.filter(name => results.some(result => result.contender === name)).map(name => row(name, results))
  }],
  digest: results => [{
    title: 'test, ns and bytes an object',
    head: ['', 'test: ser', 'deser', 'bytes'],
    rows: names.filter(name => results.some(result => result.contender === name)).map(name => {
      const [first, , ser, deser, , bytes] = row(name, results)
      return [first, ser, deser, bytes]
    })
  }]
}
