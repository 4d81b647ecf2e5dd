'use strict'

// The values of many documents -> one text without anything between them, as a column of text has it.

const { BSONError } = require('../errors')
const { copyOf } = require('../bytes')
const { acquireWriter, releaseWriter } = require('./writer')
const { KEEP } = require('./output')

/** The bytes before the value of a document whose only field has an empty name, `{"":`: one word. */
const BEFORE = 4

/** Bytes of text to expect for each byte of documents. */
const ROOM = 1.25

/** The largest offset of a text. */
const MOST = 0x7fffffff

/**
 * @param {Uint8Array} documents valid ones, each with one field, whose name is empty
 * @param {Int32Array} starts of each document, and the end of the last; one without bytes has no text
 * @param {number} count of the documents
 * @param {import('./write').TextPlan} plan
 * @returns {{offsets: Int32Array, values: Uint8Array}} where each text starts and the last one ends; all texts in UTF-8
 * @throws {BSONError} when the texts take more than 2 GB
 */
function valueTexts(documents, starts, count, plan) {
  const w = acquireWriter(plan)
  const { out } = w
  const offsets = new Int32Array(count + 1)
  try {
    w.read(documents, starts[0], starts[count])
    out.reserve(0, Math.ceil(ROOM * (starts[count] - starts[0])))
    let pos = BEFORE
    for (let i = 0; i < count; i++) {
      if (starts[i] < starts[i + 1]) pos = putValue(w, starts[i], starts[i + 1], pos)
      if (pos > MOST) throw new BSONError('the JSON texts of a column take more than 2 GB: read fewer rows at a time')
      offsets[i + 1] = pos - BEFORE
    }
    return { offsets, values: out.size > KEEP ? out.handOver(BEFORE, pos) : copyOf(out.buf, BEFORE, pos) }
  } finally {
    releaseWriter(w)
  }
}

/** Writes `{"":value}` over the end of the text before it, which is then put back. @returns {number} after the value */
function putValue(w, start, next, pos) {
  const { out } = w
  const last = out.view.getInt32(pos - BEFORE, true)
  const end = w.put(start, next, pos - BEFORE)
  out.view.setInt32(pos - BEFORE, last, true)
  return end - 1
}

module.exports = { valueTexts }
