'use strict'

// Wire messages: a message or a BSONError, whatever the chunks of the socket.

const assert = require('node:assert')
const { decode } = require('../../qbson')
const wire = require('../../lib/wire')
const { attempt } = require('../oracle')
const { validDocument, changed, pick, below } = require('../inputs')
const { smallerBytes, smallerList, smallerIn } = require('../shrink')
const { same } = require('../same')

/** A low limit, so that messages that claim a wrong size are refused. */
const LIMITS = { maxMessageSizeBytes: 1 << 20 }

function message(random) {
  const documents = Array.from({ length: below(random, 4) }, () => decode(validDocument(random)))
  const [body = {}] = documents
  const requestId = below(random, 1000)
  const kind = below(random, 5)
  if (kind === 0) return wire.encodeReply({ requestId, responseTo: 1, documents })
  if (kind === 1) return wire.encodeQuery({ requestId, fullCollectionName: 'a.b', query: body })
  const sequences = random() < 0.5 ? [{ identifier: pick(random, ['documents', 'updates', 'é']), documents }] : []
  const whole = wire.encodeMsg({ requestId, body, sequences, checksum: random() < 0.3 })
  return kind === 2 ? wire.compressMessage(whole, 'zlib') : whole
}

/** A valid message; tries again if the values cannot be encoded. */
function rightMessage(random) {
  for (;;) {
    try {
      return Buffer.from(message(random))
    } catch {}
  }
}

/** @param {() => number} random */
function* inputs(random) {
  const whole = rightMessage(random)
  const other = rightMessage(random)
  for (let i = 0; i < 40; i++) {
    const cuts = Array.from({ length: below(random, 6) }, () => below(random, whole.length + other.length))
    yield { bytes: i === 0 ? whole : changed(random, whole, other), after: other, cuts }
  }
}

/** @returns {string} */
function check({ bytes, after, cuts }) {
  const copy = Buffer.from(bytes)
  const one = attempt(() => wire.decodeMessage(bytes, 0, LIMITS))
  if (one.value) read(one.value)
  attempt(() => wire.decodeHeader(bytes))
  checkSplit(Buffer.concat([bytes, after]), cuts)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return one.error ? 'error' : 'message'
}

/** Checks that the content of a message can be read or is refused. */
function read({ body, sequences = [], documents = [] }) {
  const all = [...sequences.flatMap(sequence => [...sequence.documents]), ...documents, body].filter(Boolean)
  for (const raw of all) attempt(() => raw.toObject())
  if (body) attempt(() => wire.decodeBatch(body))
  attempt(() => wire.decodeDocuments(all))
}

/** The messages that a splitter makes from chunks, and its error. */
function split(chunks) {
  const splitter = new wire.MessageSplitter(LIMITS)
  const messages = []
  const { error } = attempt(() => {
    for (const chunk of chunks) {
      splitter.write(chunk)
      for (const bytes of splitter) messages.push(Buffer.from(bytes))
    }
  })
  return { messages, error: error?.message }
}

function checkSplit(stream, cuts) {
  const ends = [...new Set(cuts.filter(cut => cut < stream.length))].sort((a, b) => a - b)
  const chunks = [...ends, stream.length].map((end, i) => stream.subarray(i === 0 ? 0 : ends[i - 1], end))
  const whole = split([stream])
  const parts = split(chunks)
  assert.ok(same(parts.messages, whole.messages), 'messages of a stream in chunks')
  assert.strictEqual(parts.error === undefined, whole.error === undefined, `${parts.error} / ${whole.error}`)
}

const smaller = input => smallerIn(input, { cuts: smallerList, after: smallerBytes, bytes: smallerBytes })

module.exports = { name: 'wire', rounds: 8000, inputs, check, smaller }
