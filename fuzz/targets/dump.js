'use strict'

// Archives and files of documents, mutated and compressed: the blocks and the error do not depend on the chunks.

const assert = require('node:assert')
const zlib = require('node:zlib')
const { openDump, ArchiveWriter, Namespace } = require('../../lib/dump')
const { BSONError } = require('../../qbson')
const { sameOutcome, brief } = require('../oracle')
const { validDocument, changed, below, pick } = require('../inputs')
const { smallerBytes, smallerList, smallerIn } = require('../shrink')

const NAMESPACES = [['shop', 'orders'], ['shop', 'a.b'], ['x', '$cmd']].map(([db, collection]) => new Namespace(db, collection))

/** The first byte of gzip. */
const GZIP = 0x1f

/** @param {() => number} random */
function archiveOf(random) {
  const namespaces = NAMESPACES.slice(0, 1 + below(random, NAMESPACES.length))
  const writer = new ArchiveWriter(namespaces, { tool_version: '100.9' })
  const documents = () => Buffer.concat(Array.from({ length: below(random, 4) }, () => validDocument(random)))
  const segment = () => writer.add(pick(random, namespaces), documents())
  return Buffer.concat([writer.begin(), ...Array.from({ length: below(random, 4) }, segment).flat(), writer.end()])
}

/** @param {() => number} random */
function* inputs(random) {
  const archive = archiveOf(random)
  const documents = Buffer.concat(Array.from({ length: below(random, 4) }, () => validDocument(random)))
  for (let i = 0; i < 20; i++) {
    const plain = random() < 0.7 ? archive : documents
    const inside = random() < 0.2 ? plain : changed(random, plain, archive)
    const packed = random() < 0.8 ? inside : zlib.gzipSync(inside)
    const bytes = packed === inside || random() < 0.5 ? packed : changed(random, packed, packed)
    yield { bytes, cuts: Array.from({ length: below(random, 6) }, () => below(random, bytes.length + 1)) }
  }
}

function chunksOf(bytes, cuts) {
  const ends = [...cuts.filter(cut => cut <= bytes.length)].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
}

/** The documents of each namespace, and the final error. */
async function gather(source) {
  /** @type {Record<string, Buffer[]>} */
  const parts = {}
  const counts = {}
  let error
  try {
    for await (const { namespace: { name }, bytes, document, count } of openDump(source).blocks()) {
      assert.strictEqual(document, counts[name] ?? 0, 'documents are counted')
      counts[name] = document + count
      parts[name] = [...parts[name] ?? [], Buffer.from(bytes)]
    }
  } catch (thrown) {
    assert.ok(thrown instanceof BSONError, `not a BSONError but ${thrown?.stack}`)
    error = thrown
  }
  const value = Object.fromEntries(Object.entries(parts).map(([name, list]) => [name, Buffer.concat(list).toString('hex')]))
  return { value, error, counts }
}

/** @returns {Promise<string>} */
async function check({ bytes, cuts }) {
  const copy = Buffer.from(bytes)
  const whole = await gather([bytes])
  const cut = await gather(chunksOf(bytes, cuts))
  // how much of broken compressed data is unpacked before the error depends on the chunks
  if (bytes[0] === GZIP && whole.error) assert.ok(cut.error, brief(cut))
  else assert.ok(sameOutcome(cut, whole), `${brief(cut)} / ${brief(whole)}`)
  if (whole.error === undefined) assert.deepStrictEqual(cut.counts, whole.counts)
  assert.ok(copy.equals(bytes), 'the input was changed')
  return whole.error ? 'refused' : 'read'
}

const smaller = input => smallerIn(input, { cuts: smallerList, bytes: smallerBytes })

module.exports = { name: 'dump', rounds: 2000, inputs, check, smaller }
