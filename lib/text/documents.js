'use strict'

// One BSON document -> text.

const { BSONError } = require('../errors')
const { toBytes } = require('../bytes')
const { scanRoot, validate } = require('../elements')
const { acquireWriter, releaseWriter } = require('./writer')
const { explain } = require('./output')
const { BROKEN } = require('./strings')
const { indentBytes } = require('./indent')

/**
 * Where a document lies and how it is read: a subset of the options of `decode`.
 *
 * @typedef {Pick<import('../decode/options').DecodeOptions, 'index' | 'allowObjectSmallerThanBufferSize' | 'maxDepth' |
 *   'validation'>} Where
 */

/**
 * @template T
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {Where} where own options
 * @param {import('./write').TextPlan} plan
 * @param {Uint8Array} gap the indentation of one level in UTF-8; empty for text on one line
 * @param {(out: import('./output').TextOutput, end: number) => T} finish
 * @returns {T}
 * @throws {import('../errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function convert(bytes, where, plan, gap, finish) {
  const buf = toBytes(bytes)
  const index = where.index ?? 0
  const w = acquireWriter(plan)
  try {
    const next = scanRoot(buf, index, Boolean(where.allowObjectSmallerThanBufferSize))
    if (plan.isValidated) check(buf, where)
    w.read(buf, index, next)
    const end = w.put(index, next, 0)
    return gap.length === 0 ? finish(w.out, end) : finish(w.out, indentBytes(w.out, 0, end, gap))
  } catch (error) {
    throw describe(error, buf, where)
  } finally {
    releaseWriter(w)
  }
}

/** @param {Uint8Array} buf @param {Where} where with options of texts, perhaps @throws {BSONError} */
function check(buf, { index, allowObjectSmallerThanBufferSize, maxDepth, validation }) {
  validate(buf, { index, allowObjectSmallerThanBufferSize, maxDepth, validation })
}

/**
 * The text writers only notice that bytes are wrong; this throws an error that says what is wrong with them. If nothing
 * is, it returns the original error in a readable form.
 */
function describe(error, buf, where) {
  check(buf, where)
  return error === BROKEN ? new BSONError('the bytes changed while they were being read') : explain(error)
}

const asText = (out, end) => out.text(end)
const asBytes = (out, end) => out.bytes(end)

module.exports = { convert, check, describe, asText, asBytes }
