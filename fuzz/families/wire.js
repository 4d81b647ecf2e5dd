'use strict'

// Families of hostile wire messages, and of chunks of a socket.

const { encode } = require('../../qbson')
const { int32 } = require('./parts')

const BODY = Buffer.concat([Buffer.from([0]), encode({ insert: 'x' })])
const times = (n, make) => Array.from({ length: Math.ceil(n) }, (_, i) => make(i))

/** An OP_MSG of these sections. */
function message(sections) {
  const body = Buffer.concat([int32(0), ...sections])
  return Buffer.concat([int32(16 + body.length), int32(1), int32(0), int32(2013), body])
}

/** A section of kind 1: its size, its identifier, its documents. */
function sequence(identifier, documents) {
  const name = Buffer.from(`${identifier}\0`)
  return Buffer.concat([Buffer.from([1]), int32(4 + name.length + documents.length), name, documents])
}

const empty = n => Buffer.concat(times(n, () => Buffer.from([5, 0, 0, 0, 0])))
const small = n => Buffer.concat(times(n, i => encode({ i })))

/** One message each. @type {Record<string, {make: (n: number) => Buffer}>} */
const families = {
  'many sequences': { make: n => message([BODY, ...times(n, i => sequence(i.toString(36), empty(0)))]) },
  'many sequences of the same name': { make: n => message([BODY, ...times(n, () => sequence('a', empty(1)))]) },
  'many bodies': { make: n => message(times(n, () => BODY)) },
  'many documents': { make: n => message([BODY, sequence('documents', small(n))]) },
  'many empty documents': { make: n => message([BODY, sequence('documents', empty(n))]) },
  'a long name of a sequence': { make: n => message([BODY, sequence('x'.repeat(20 * n), empty(1))]) },
  'a large body': { make: n => message([Buffer.concat([Buffer.from([0]), encode({ cursor: { id: 0, ns: 'a.b', firstBatch: times(n, i => ({ i })) }, ok: 1 })])]) }
}

/** A stream's chunks: of one message, and of many. @type {Record<string, {make: (n: number) => Buffer[]}>} */
const chunks = {
  'a message byte by byte': {
    make: n => {
      const bytes = message([BODY, sequence('documents', small(n / 10))])
      return times(bytes.length, i => bytes.subarray(i, i + 1))
    }
  },
  'many messages in a chunk': { make: n => [Buffer.concat(times(n, () => message([BODY])))] },
  'many messages in many chunks': {
    make: n => {
      const bytes = Buffer.concat(times(n / 4, () => message([BODY])))
      return times(bytes.length / 7, i => bytes.subarray(7 * i, 7 * i + 7))
    }
  },
  'a message that never ends': { make: n => [int32(1e6), ...times(n, () => Buffer.alloc(1))] }
}

module.exports = { families, chunks }
