'use strict'

// Tells from the first bytes of a file what else it is than BSON, or than JSON, and what reads it.

const { BSONError } = require('../errors')
const { MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32 } = require('../bytes')
const { quickValidate } = require('../elements')
const { isArchive } = require('./archive')

/** The format, how its first bytes look in Latin-1, and what to do. @type {[string, RegExp, string][]} */
const BINARY = [
  ['xz', /^\xfd7zXZ\0/, 'decompress it first: xz -dc FILE | qbson'],
  ['bzip2', /^BZh[1-9](1AY&SY|\x17rE8P\x90)/, 'decompress it first: bzip2 -dc FILE | qbson'],
  ['lz4', /^\x04"M\x18/, 'decompress it first: lz4 -dc FILE | qbson'],
  ['zip', /^PK(\x03\x04|\x05\x06)/, 'unpack it first: unzip FILE'],
  ['7-Zip', /^7z\xbc\xaf'\x1c/, 'unpack it first: 7z x FILE'],
  ['tar', /^[^]{257}ustar/, 'unpack it first: tar -xf FILE, then qbson FOLDER'],
  ['gzip', /^\x1f\x8b\x08[\0-\x1f](?![^]_id\0)/, 'it was compressed more than three times: gzip -dc FILE | qbson'],
  ['Parquet', /^PAR1/, 'read it with DuckDB, pandas or Spark'],
  ['Arrow', /^ARROW1/, 'read it with DuckDB, pandas or polars'],
  ['SQLite', /^SQLite format 3\0/, 'read it with sqlite3'],
  ['WiredTiger', /^A\xd8\x01\0\x01\0/, 'it is from the data folder of a server: start mongod on that folder, and run mongodump'],
  ['AppleDouble', /^\0\x05\x16\x07/, 'macOS has left it beside the file of the same name without ._']
]

const UTF_16 = [
  /^\xff\xfe([\t\n\r ]\0)*[{[]\0["{}[\]\t\n\r \d-]\0/, /^\xfe\xff(\0[\t\n\r ])*\0[{[]\0["{}[\]\t\n\r \d-]/,
  /^[{[]\0([^\0]\0){4,}[^]?$/, /^(\0[^\0]){4,}\0?$/
]
const JSON_BEGINS = /^(\xef\xbb\xbf)?[\t\n\r ]*([{[][\t\n\r ]*["{}[\]\d-]|\/\/|\{[\w$]+ *:)/
const TEXT = /^(\xef\xbb\xbf)?[\t\n\r\x20-\x7e\x80-\xff]{8,}$/
const TABLE = /^[^\n]*[,;\t]/

/** Bytes that tell a format. */
const ENOUGH = 512

/** The most bytes of a document that tells it. */
const LOOKED_AT = 64 * 1024

/** @param {Uint8Array} head the first bytes @returns {string} some of them, in Latin-1 */
function textOf(head) {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, ENOUGH)).toString('latin1')
}

function isUtf16(text) {
  return UTF_16.some(pattern => pattern.test(text))
}

function binary(text) {
  const [name, , hint] = BINARY.find(([, pattern]) => pattern.test(text)) ?? []
  return name === undefined ? undefined : { name, hint }
}

function formatOf(text) {
  if (isUtf16(text)) return { name: 'UTF-16 text', hint: 'convert it first: iconv -f UTF-16 -t UTF-8 FILE | qbson to-bson' }
  if (JSON_BEGINS.test(text) && !text.includes('\0')) return { name: 'JSON', hint: 'qbson to-bson FILE reads it' }
  if (!TEXT.test(text)) return binary(text)
  return TABLE.test(text) ? { name: 'CSV or other text', hint: 'mongoimport --type csv reads it' } : { name: 'text', hint: 'it holds no documents' }
}

/**
 * @param {Uint8Array} head of a file read as BSON
 * @param {boolean} [mayBeginWithText] whether documents may follow text that is not JSON
 * @throws {BSONError} when it is something else
 */
function refuseOther(head, mayBeginWithText = false) {
  if (beginsWithDocument(head)) return // the other tests take 0.03 ms
  const text = textOf(head)
  const format = formatOf(text)
  if (mayBeginWithText && TEXT.test(text) && format?.name !== 'JSON') return
  if (format !== undefined) throw new BSONError(`this is ${format.name}, not BSON: ${format.hint}`)
}

function beginsWithDocument(head) {
  const size = getInt32(head, 0)
  return size >= MIN_DOCUMENT_SIZE && size <= Math.min(head.length, LOOKED_AT) && quickValidate(head, 0, size)
}

/** @param {Uint8Array} head of a file read as JSON @throws {BSONError} when it is something else */
function refuseOtherThanJson(head) {
  const text = textOf(head)
  const format = isUtf16(text) || !TEXT.test(text) ? formatOf(text) ?? bsonIn(head) : undefined
  if (format !== undefined && format.name !== 'JSON') throw new BSONError(`this is ${format.name}, not JSON: ${format.hint}`)
}

function bsonIn(head) {
  const isDocument = head.length >= 5 && getInt32(head, 0) >= 5 && head[3] < 0x20 && head[4] <= 0x13
  if (isArchive(head)) return { name: 'an archive of mongodump', hint: 'qbson FILE reads it' }
  return isDocument ? { name: 'BSON', hint: 'qbson FILE reads it' } : undefined
}

module.exports = { ENOUGH, refuseOther, refuseOtherThanJson }
