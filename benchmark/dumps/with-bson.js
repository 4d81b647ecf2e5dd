'use strict'

// Some operations of the command as a script with the bson package: node with-bson.js OPERATION FILE > OUTPUT

const { createHmac } = require('node:crypto')
const fs = require('node:fs')
const { serialize, deserialize, EJSON } = require('bson')

/** Output is written in pieces of about this many bytes. */
const PIECE = 1 << 18

/** Keeps every type. */
const EXACT = { promoteValues: false, bsonRegExp: true }

const OPERATIONS = {
  canonical: bytes => `${EJSON.stringify(deserialize(bytes, EXACT), { relaxed: false })}\n`,
  relaxed: bytes => `${EJSON.stringify(deserialize(bytes), { relaxed: true })}\n`,
  'to-bson': line => serialize(EJSON.parse(line, { relaxed: false })),
  edit: bytes => {
    const document = deserialize(bytes, EXACT)
    if (document.city !== undefined) document.city = createHmac('sha256', KEY).update(document.city).digest('hex').slice(0, 32)
    delete document.note
    return serialize(document)
  }
}

const KEY = 'a key of 24 bytes, no more'

function* documents(file) {
  const bytes = fs.readFileSync(file)
  for (let start = 0; start < bytes.length; start += bytes.readInt32LE(start)) {
    yield bytes.subarray(start, start + bytes.readInt32LE(start))
  }
}

function* lines(file) {
  const bytes = fs.readFileSync(file)
  for (let start = 0, end; (end = bytes.indexOf(10, start)) !== -1; start = end + 1) yield bytes.toString('utf8', start, end)
}

function main([operation, file]) {
  let waiting = []
  let size = 0
  const flush = () => {
    for (let all = Buffer.concat(waiting), at = 0; at < all.length; ) at += fs.writeSync(1, all, at)
    waiting = []
    size = 0
  }
  for (const item of operation === 'to-bson' ? lines(file) : documents(file)) {
    const made = Buffer.from(OPERATIONS[operation](item))
    waiting.push(made)
    size += made.length
    if (size > PIECE) flush()
  }
  flush()
}

if (require.main === module) main(process.argv.slice(2))

module.exports = { KEY }
