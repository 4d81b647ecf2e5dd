'use strict'

// Reads the cursor batch of a reply in place.

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')
const { ElementCursor, locate } = require('../elements')
const { DECODE_OPTIONS, onlyOptions, refusal } = require('../options')
const { planOf, decodeAt } = require('../decode')
const { BSONError, errorAtOffset, shownName } = require('../errors')
const { RawDocument } = require('../raw')

/**
 * @typedef {import('../decode/decode').DecodeOptions} DecodeOptions
 *
 * @typedef {object} CursorBatch
 * @property {bigint} cursorId 0 when there are no more documents
 * @property {string} namespace `db.collection`
 * @property {any[]} documents objects, or RawDocuments
 */

const only = {
  batch: onlyOptions('decodeBatch', [...DECODE_OPTIONS, 'rawDocuments']),
  documents: onlyOptions('decodeDocuments', DECODE_OPTIONS)
}

/**
 * Reads a batch of a cursor.
 *
 * @param {RawDocument} body of the reply to find, aggregate, getMore, ...
 * @param {(DecodeOptions & {rawDocuments?: boolean}) | null} [options] how the documents are decoded; with
 *   `rawDocuments` they stay bytes
 * @returns {CursorBatch}
 * @throws {BSONError} when it has no cursor, and on bytes that are not BSON
 */
function decodeBatch(body, options) {
  only.batch(options)
  if (!(body instanceof RawDocument)) throw refusal('the body of a reply', body, 'a RawDocument')
  const cursor = body.slice('cursor')
  const batch = cursor?.slice('firstBatch') ?? cursor?.slice('nextBatch')
  const cursorId = cursor?.get('id', { useBigInt64: true })
  const isId = typeof cursorId === 'bigint' || Number.isInteger(cursorId)
  if (batch?.isArray !== true || !isId) throw new BSONError(`the reply has no cursor${reasonIn(body)}`)
  const namespace = cursor.get('ns')
  if (typeof namespace !== 'string') throw new BSONError('the cursor of the reply has no namespace')
  try {
    return { cursorId: BigInt(cursorId), namespace, documents: decodeItems(batch, options) }
  } catch (error) {
    throw locate(error, batch.buf, body.start)
  }
}

/** @param {RawDocument} body @returns {string} the server's error, if it is one, to be added to a message */
function reasonIn(body) {
  const errmsg = body.get('errmsg')
  return typeof errmsg === 'string' ? `: ${shownName(errmsg)}` : ''
}

/** The documents of an array. */
function decodeItems({ buf, start, end }, batchOptions) {
  const { rawDocuments = false, ...options } = ownFields(batchOptions)
  // resolving empty options takes a fifth of the time of a batch of one document
  const plan = planOf(Object.keys(options).length === 0 ? undefined : options)
  const documents = []
  const cursor = new ElementCursor().open(buf, start, end)
  while (cursor.next()) {
    const { type, pos, value } = cursor
    if (type !== ELEMENT.DOCUMENT) throw errorAtOffset(`item ${documents.length} of the batch is not a document`, pos)
    documents.push(rawDocuments ? new RawDocument(buf, value) : decodeAt(buf, value, true, plan))
  }
  return documents
}

/**
 * Decodes the documents of a message.
 *
 * @param {RawDocument[]} documents of an OP_REPLY or of a sequence
 * @param {DecodeOptions} [options]
 * @returns {Record<string, any>[]} decoded
 * @throws {BSONError}
 */
function decodeDocuments(documents, options) {
  const plan = planOf(only.documents(options))
  if (!Array.isArray(documents)) throw refusal('the documents of a message', documents, 'an array of RawDocuments')
  for (const each of documents) if (!(each instanceof RawDocument)) throw refusal('a document of a message', each, 'a RawDocument')
  return documents.map(({ buf, start }) => decodeAt(buf, start, true, plan))
}

module.exports = { decodeBatch, decodeDocuments }
