'use strict'

// Documents of real files with damage, read with onError: no valid document outside of the damage is lost, and none is
// invented.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const bson = require('bson')
const { documents } = require('../../qbson')
const { openDump } = require('../../lib/dump')
const { below, pick } = require('../inputs')
const { randomDocument } = require('../../test/fixtures/random-document')
const { smallerBytes, smallerList, smallerIn } = require('../shrink')

const file = path.join(__dirname, '..', '..', 'examples', 'bookshop.bson')
const REAL = [...documents(fs.readFileSync(file), { bytes: true })].map(bytes => Buffer.from(bytes))

const LOG = Buffer.from('2024-01-31T10:00:00.000+0000\twriting shop.orders to archive on stdout\n')

/** A real document, or a random one with an ObjectId in front. @param {() => number} random */
function documentOf(random) {
  if (random() < 0.5) return pick(random, REAL)
  const id = new bson.ObjectId(Buffer.from(Array.from({ length: 12 }, () => below(random, 256))))
  return Buffer.from(bson.serialize(new Map([['_id', id], ...Object.entries(randomDocument(random, bson, below(random, 3)))])))
}

const noise = (random, size) => Buffer.from(Array.from({ length: size }, () => below(random, 256)))

/** @param {() => number} random @param {Buffer} whole @param {number} at @returns {{to: number, put: Buffer}} */
function damageOf(random, whole, at) {
  const size = 1 + below(random, 100)
  const to = Math.min(whole.length, at + size)
  const kinds = [
    () => ({ to: at + 1, put: Buffer.from([whole[at] ^ (1 << below(random, 8))]) }), () => ({ to, put: Buffer.alloc(to - at) }),
    () => ({ to, put: noise(random, to - at) }), () => ({ to: at, put: noise(random, size) }), () => ({ to: at, put: Buffer.alloc(size) }),
    () => ({ to: at, put: LOG }), () => ({ to: whole.length, put: Buffer.alloc(0) })
  ]
  return pick(random, kinds)()
}

/** @param {() => number} random */
function* inputs(random) {
  for (let i = 0; i < 20; i++) {
    const parts = Array.from({ length: 2 + below(random, 10) }, () => documentOf(random))
    const whole = Buffer.concat(parts)
    const starts = parts.map((_, index) => Buffer.concat(parts.slice(0, index)).length)
    const from = random() < 0.4 ? pick(random, starts) + below(random, 4) : below(random, whole.length)
    yield { parts, from, ...damageOf(random, whole, from), size: 1 + below(random, 2000) }
  }
}

/** @returns {Promise<string>} */
async function check({ parts, from, to, put, size }) {
  const whole = Buffer.concat(parts)
  if (from > to || to > whole.length || size < 1) return 'impossible'
  const damaged = Buffer.concat([whole.subarray(0, from), put, whole.subarray(to)])
  const good = []
  let touched = put.length > 0 && from === to ? 1 : 0
  let end = 0
  for (const part of parts) {
    const start = end
    end += part.length
    const isTouched = from === to ? from > start && from < end : from < end && to > start
    if (isTouched) touched++
    else good.push(part.toString('hex'))
  }
  const { found, bytes } = await readAll(damaged, size)
  assert.strictEqual(bytes, damaged.length, 'all bytes are documents or left out')
  let at = 0
  for (const each of good) {
    const next = found.indexOf(each, at)
    assert.notStrictEqual(next, -1, `a valid document is lost: ${each}`)
    at = next + 1
  }
  assert.ok(found.length <= good.length + touched, `${found.length} documents, of which ${good.length} are good`)
  return found.length === good.length ? 'left out' : 'changed'
}

/** @param {Buffer} bytes @param {number} size of the chunks */
async function readAll(bytes, size) {
  const chunks = []
  for (let i = 0; i < bytes.length; i += size) chunks.push(bytes.subarray(i, i + size))
  const found = []
  let read = 0
  const onError = (fault, { bytes: left }) => { read += left.length }
  for await (const batch of openDump(chunks, { onError }).batches()) {
    for (const document of batch) found.push(Buffer.from(document).toString('hex'))
    read += batch.bytes.length
  }
  return { found, bytes: read }
}

const smaller = input => smallerIn(input, { parts: smallerList, put: smallerBytes })

module.exports = { name: 'damage', rounds: 300, inputs, check, smaller }
