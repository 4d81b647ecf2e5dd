'use strict'

// BSON bytes -> the text JSON.stringify writes for the decoded documents, without making objects.

const { BSONError } = require('../errors')
const { createReadingTransform } = require('../batch')
const { convert, asText, asBytes, listBytes, ListReader } = require('../text')
const { planner } = require('./options')

const plans = {
  text: planner('text'),
  bytes: planner('bytes'),
  array: planner('array', { isArray: true }),
  lines: planner('lines', { isArray: false }),
  arrayStream: planner('arrayStream', { isArray: true, isStream: true }),
  lineStream: planner('lineStream', { isArray: false, isStream: true }),
  arrayTransformStream: planner('arrayTransformStream', { isArray: true, isStream: true }),
  lineTransformStream: planner('lineTransformStream', { isArray: false, isStream: true })
}

/** @typedef {import('./options').JSONOptions} JSONOptions */
/** @typedef {import('./options').ListOptions} ListOptions */
/** @typedef {import('./options').StreamOptions} StreamOptions */
/** @typedef {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} Bytes */

/**
 * Documents one after another in a buffer, as in a dump file, or each in its own buffer.
 *
 * @typedef {Uint8Array | ArrayBufferLike | ArrayBufferView | Iterable<Uint8Array>} Documents
 */

/**
 * The same text as `JSON.stringify(decode(bytes))`.
 *
 * @param {Bytes} document
 * @param {JSONOptions} [options]
 * @returns {string}
 * @throws {BSONError} on bytes that are not BSON, with the offset and the path
 */
function text(document, options) {
  const { plan, gap, where } = plans.text(options)
  return convert(document, where, plan, gap, asText)
}

/**
 * The same in UTF-8, which takes half the time because no string is made.
 *
 * @param {Bytes} document
 * @param {JSONOptions} [options]
 * @returns {Buffer} a Uint8Array where there is no Buffer
 * @throws {BSONError} as `text`
 */
function bytes(document, options) {
  const { plan, gap, where } = plans.bytes(options)
  return convert(document, where, plan, gap, asBytes)
}

/**
 * A JSON array of the documents, in UTF-8.
 *
 * @param {Documents} documents
 * @param {ListOptions} [options]
 * @returns {Buffer} a Uint8Array where there is no Buffer
 * @throws {BSONError} as `text`, with `document`, its number from 1
 */
function array(documents, options) {
  return listBytes(documents, plans.array(options))
}

/**
 * A line per document, in UTF-8; several lines with `indent`.
 *
 * @param {Documents} documents
 * @param {ListOptions} [options]
 * @returns {Buffer} a Uint8Array where there is no Buffer
 * @throws {BSONError} as `array`
 */
function lines(documents, options) {
  return listBytes(documents, plans.lines(options))
}

/**
 * A Node Transform: takes chunks of BSON, which may end anywhere, and outputs a JSON array of the documents.
 *
 * @param {StreamOptions} [options]
 * @returns {import('node:stream').Transform} fails with the error of an invalid document, after the text before it
 * @throws {BSONError} without Node streams
 */
function arrayStream(options) {
  return nodeStream(plans.arrayStream(options))
}

/**
 * A Node Transform: takes chunks of BSON, which may end anywhere, and outputs a line of JSON for each document.
 *
 * @param {StreamOptions} [options]
 * @returns {import('node:stream').Transform} fails with the error of an invalid document, after the text before it
 * @throws {BSONError} without Node streams
 */
function lineStream(options) {
  return nodeStream(plans.lineStream(options))
}

/**
 * A web TransformStream that works like `arrayStream`.
 *
 * @param {StreamOptions} [options]
 * @returns {TransformStream<Uint8Array, Uint8Array>}
 * @throws {BSONError} without web streams
 */
function arrayTransformStream(options) {
  return webStream(plans.arrayTransformStream(options))
}

/**
 * A web TransformStream that works like `lineStream`.
 *
 * @param {StreamOptions} [options]
 * @returns {TransformStream<Uint8Array, Uint8Array>}
 * @throws {BSONError} without web streams
 */
function lineTransformStream(options) {
  return webStream(plans.lineTransformStream(options))
}

function nodeStream(plan) {
  return createReadingTransform({}, new ListReader(plan, plan.where.maxDocumentSize))
}

function webStream(plan) {
  if (typeof TransformStream !== 'function') throw new BSONError('this runtime has no TransformStream')
  const reader = new ListReader(plan, plan.where.maxDocumentSize)
  return new TransformStream({
    transform(chunk, controller) {
      for (const piece of reader.read(chunk)) controller.enqueue(piece)
    },
    flush(controller) {
      for (const piece of reader.end()) controller.enqueue(piece)
    }
  })
}

module.exports = {
  text, bytes, array, lines, arrayStream, lineStream, arrayTransformStream, lineTransformStream
}
