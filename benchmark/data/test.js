'use strict'

// The object of the HyperSerializer benchmark, a thousand of its million: i = 0, 1000, … 999000. Gn Guid or null, A
// int, B long, C DateTime (a whole day), D uint, E decimal, F TimeSpan of one day in ticks, G Guid, H enum, I string or
// null.

const { random } = require('./random')

const DAY = Date.UTC(2024, 2, 25)
const TICKS = '864000000000'

/** 32 hexadecimal digits, version 4. */
function uuid(next) {
  const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('')
  return `${hex.slice(0, 12)}4${hex.slice(13, 16)}a${hex.slice(17)}`
}

/**
 * @param {import('./types').Types} types
 * @returns {any[]}
 */
function tests(types) {
  const next = random(7)
  return Array.from({ length: 1000 }, (_, k) => {
    const i = 1000 * k
    return {
      Gn: null,
      A: i,
      B: types.long(String(i)),
      C: types.date(DAY),
      D: i,
      E: types.decimal(String(i)),
      F: types.long(TICKS),
      G: types.uuid(uuid(next)),
      H: 2,
      I: null
    }
  })
}

const avro = {
  type: 'record',
  name: 'Test',
  fields: [
    { name: 'Gn', type: ['null', { type: 'fixed', name: 'Guid', size: 16 }] },
    { name: 'A', type: 'int' },
    { name: 'B', type: 'long' },
    { name: 'C', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'D', type: 'long' },
    { name: 'E', type: 'string' },
    { name: 'F', type: 'long' },
    { name: 'G', type: 'Guid' },
    { name: 'H', type: 'int' },
    { name: 'I', type: ['null', 'string'] }
  ]
}

const protobuf = {
  message: 'Test',
  text: `syntax = "proto3";
    message Test {
      optional bytes Gn = 1;
      int32 A = 2;
      int64 B = 3;
      int64 C = 4;
      uint32 D = 5;
      string E = 6;
      int64 F = 7;
      bytes G = 8;
      int32 H = 9;
      optional string I = 10;
    }`
}

/** Protocol buffers have no Date, so dates become milliseconds. */
const toProtobuf = doc => ({ ...doc, C: doc.C.getTime() })

module.exports = { tests, avro, protobuf, toProtobuf }
