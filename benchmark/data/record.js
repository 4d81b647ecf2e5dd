'use strict'

// The record of the cpp-serializers benchmark: a thousand 64-bit integers between 111 and 65454, and a hundred copies
// of a string of 86 characters.

const { random } = require('./random')

const TEXT = 'shgfkghsdfjhgsfjhfgjhfgjsffghgsfdhgsfdfkdjhfioukjhkfdljgdfkgvjafdhasgdfwurtjkghfsdjkfg'

function numbers() {
  const next = random(4)
  return Array.from({ length: 1000 }, () => 111 + next() % (65454 - 111 + 1))
}

/**
 * @param {(text: string) => any} [long] makes a 64-bit integer; by default, ids are numbers
 * @returns {{ids: any[], strings: string[]}}
 */
function record(long = Number) {
  return { ids: numbers().map(id => long(String(id))), strings: new Array(100).fill(TEXT) }
}

const avro = {
  type: 'record',
  name: 'Record',
  fields: [
    { name: 'ids', type: { type: 'array', items: 'long' } },
    { name: 'strings', type: { type: 'array', items: 'string' } }
  ]
}

const protobuf = {
  message: 'Record',
  text: 'syntax = "proto3"; message Record { repeated int64 ids = 1; repeated string strings = 2; }'
}

module.exports = { record, avro, protobuf }
