'use strict'

// Fake cursors of the driver over broken documents: they end, fail, are closed or are read elsewhere, and readers stop
// early. Every way to read a batch must agree with decode, and the cursor must always be closed in the end.

const assert = require('node:assert')
const { setImmediate: turn } = require('node:timers/promises')
const cursors = require('../../lib/cursor')
const json = require('../../lib/json')
const { columns } = require('../../lib/columns')
const { BSONError, decode } = require('../../qbson')
const { FakeCursor } = require('../../test/fixtures/cursor')
const { told } = require('../../test/fixtures/columns')
const { attempt, brief, sameOutcome } = require('../oracle')
const { validDocument, changed, below, pick } = require('../inputs')
const { smallerList, smallerObject, smallerIn } = require('../shrink')
const { same } = require('../same')

/** What may happen when a batch is requested, or after one has arrived. */
const FATES = ['failed', 'closed', 'rewound', 'aborted', 'objects', 'taken']

const READERS = ['batches', 'jsonArray', 'jsonLines', 'jsonArrayReadable', 'jsonLinesReadable']

const OPTIONS = { int64: ['string', 'nonsense'], indent: [2], validation: [{ utf8: false }], maxDepth: [2] }

/** @param {() => number} random */
function* inputs(random) {
  const valid = Array.from({ length: 1 + below(random, 8) }, () => validDocument(random))
  for (let i = 0; i < 20; i++) {
    const given = Object.entries(OPTIONS).filter(() => random() < 0.1)
    yield {
      documents: valid.map(document => (random() < 0.8 ? document : changed(random, document, valid[0]))),
      reader: pick(random, READERS),
      size: 1 + below(random, 5),
      closesLate: random() < 0.5,
      // `at`: which reply, from 0; the reader stops after a number of pieces
      fate: random() < 0.5 ? undefined : { at: below(random, 4), what: pick(random, FATES) },
      stop: random() < 0.8 ? undefined : below(random, 3),
      options: Object.fromEntries(given.map(([name, values]) => [name, pick(random, values)]))
    }
  }
}

/** The most turns of the event loop until a cursor is closed: fake replies come within one. */
const TURNS = 10

class Failure extends Error {}

/** @returns {{cursor: FakeCursor, signal: AbortSignal}} */
function cursorOf({ documents, size, closesLate, fate }) {
  const controller = new AbortController()
  const onFetch = () => {
    if (fate === undefined || cursor.fetches - 1 !== fate.at) return
    if (fate.what === 'failed') throw new Failure('the server has gone')
    if (fate.what === 'closed') cursor.closed = true
    if (fate.what === 'rewound') setImmediate(() => { cursor.id = undefined })
    if (fate.what === 'aborted') controller.abort(new Failure('enough'))
    if (fate.what === 'objects') cursor.raw = false
  }
  const cursor = new FakeCursor(documents.map(bytes => Buffer.from(bytes)), { batchSize: size, closesLate, onFetch })
  cursor.fetch = fetchOf(cursor)
  return { cursor, signal: controller.signal }
}

/** A reply of a cursor that returns objects. */
function fetchOf(cursor) {
  const { fetch } = FakeCursor.prototype
  return async () => {
    await fetch.call(cursor)
    if (!cursor.raw) cursor.buffered = cursor.buffered.map(() => ({}))
  }
}

/** The pieces that were read, of batches in the form in which they were read, and the final error. */
async function gather(input, cursor, signal) {
  const { reader, stop = Infinity, size, options, fate } = input
  const pieces = []
  let isStopped = false
  let isTaken = false // another reader took a document and left others behind
  try {
    const source = reader === 'batches' ? cursors.batches(cursor, { signal }) : cursors[reader](cursor, { ...options, batchSize: size, signal })
    for await (const piece of source) {
      if (reader === 'batches' && !(fate?.what === 'taken' && pieces.length > fate.at)) checkBatch(piece, input)
      pieces.push(reader === 'batches' ? piece.raw() : Buffer.from(piece))
      if (fate?.what === 'taken' && pieces.length - 1 === fate.at) {
        await cursor.next()
        isTaken = reader === 'batches' && cursor.bufferedCount() > 0 // a stream may have asked for the next batch
      }
      if (pieces.length > stop) {
        isStopped = true
        break
      }
    }
  } catch (error) {
    assert.ok(error instanceof BSONError || error instanceof Failure, `not a BSONError but ${error?.stack}`)
    return { pieces, error, isStopped }
  }
  assert.ok(isStopped || !isTaken, 'a document is missing, and nothing was said')
  return { pieces, error: undefined, isStopped }
}

/** Checks that a batch agrees with decode, json and columns in every form. */
function checkBatch(batch, { documents, options }) {
  const views = documents.slice(batch.first, batch.first + batch.length)
  assert.ok(same(batch.raw().map(view => Buffer.from(view)), views), 'raw')
  const each = views.map(view => attempt(() => decode(view)))
  const wrong = each.findIndex(({ error }) => error)
  const decoded = attempt(() => batch.documents())
  if (wrong === -1) assert.ok(same(decoded.value, each.map(({ value }) => value)), brief(decoded))
  else assertPlace(decoded.error, each[wrong].error, batch.first + wrong)
  for (const way of ['json', 'lines']) {
    const got = attempt(() => batch[way](options).toString())
    const direct = attempt(() => json[way === 'json' ? 'array' : 'lines'](views, options).toString())
    if (direct.error === undefined) assert.strictEqual(got.value, direct.value, way)
    else if (direct.error.document === undefined) assert.ok(sameOutcome(got, direct), brief(got))
    else assertPlace(got.error, direct.error, batch.first + direct.error.document - 1)
  }
  views.forEach((view, i) => {
    const { value } = attempt(() => batch.at(i)?.toObject())
    if (each[i].value) assert.ok(same(value, each[i].value), 'at')
  })
  checkColumns(batch, each.flatMap(({ value }) => (value === undefined ? [] : [value])))
}

/** Checks that the error of a document has its number in the cursor and says what is wrong. */
function assertPlace(error, expected, index) {
  assert.ok(error, `no error: ${expected.message}`)
  assert.deepStrictEqual([error.document, error.offset, error.path], [index + 1, expected.offset, expected.path], error.message)
}

/** An incomplete document ends a table, because the beginning of the next one is unknown. */
function checkColumns(batch, good) {
  const isFramed = batch.raw().every(view => view.length >= 5 && Buffer.from(view).readInt32LE(0) === view.length)
  const { value: table, error } = attempt(() => columns(batch, { reject: () => {} }))
  if (error || !isFramed) return
  assert.deepStrictEqual([...table].map(told), good.map(told))
}

/** @returns {Promise<string>} */
async function check(input) {
  const { documents, reader } = input
  const { cursor, signal } = cursorOf(input)
  const { pieces, error, isStopped } = await gather(input, cursor, signal)
  const isRefused = reader !== 'batches' && input.options.int64 === 'nonsense' // at the call, which leaves the cursor as it is
  for (let i = 0; i < TURNS && !isRefused && !cursor.closed; i++) await turn() // a reply may be under way
  assert.strictEqual(cursor.closed, !isRefused, 'the cursor stays open')
  if (reader === 'batches') {
    const seen = pieces.flat().length
    const mayMiss = error || isStopped || input.fate?.what === 'taken'
    assert.ok(mayMiss ? seen <= documents.length : seen === documents.length, `${seen} of ${documents.length}`)
  } else if (input.fate?.what !== 'taken') checkText(Buffer.concat(pieces).toString(), { error, isStopped }, input)
  return error === undefined ? isStopped ? 'stopped' : 'all' : error instanceof Failure ? 'failed' : 'refused'
}

/** Checks the text of all documents, or of those before an error; it is then incomplete. */
function checkText(text, { error, isStopped }, { documents, reader, options }) {
  const isArray = reader.includes('Array')
  const whole = attempt(() => json[isArray ? 'array' : 'lines'](documents, options).toString())
  if (error === undefined && !isStopped) assert.strictEqual(text, whole.value, `${whole.error}`)
  else if (whole.error === undefined) assert.ok(whole.value.startsWith(text), text)
  if (error !== undefined && isArray) assert.ok(!text.endsWith(']') || !isJSON(text), `an array that seems whole: ${text}`)
  if (whole.error?.document !== undefined && error instanceof BSONError && error.document !== undefined) {
    assertPlace(error, whole.error, whole.error.document - 1)
  }
}

function isJSON(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const smaller = input => smallerIn(input, {
  documents: smallerList, options: options => [...smallerObject(options)].map(each => each ?? {})
})

module.exports = { name: 'cursor', rounds: 400, inputs, check, smaller }
