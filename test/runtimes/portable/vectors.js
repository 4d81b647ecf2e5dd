'use strict'

// The project's own tables, both ways, and as Extended JSON.

const { unhex } = require('../../fixtures/bytes')
const { equal, bsonError } = require('./assert')
const { describe, hexOf } = require('./describe')

/** @param {any} qbson @returns {{name: string, check: () => string, isLearned?: boolean}[]} */
module.exports = function checksOf(qbson) {
  const { valid } = require('../../vectors')
  const { decodeErrors, encodeErrors } = require('../../vectors-errors')
  // Extended JSON has no UUIDs of other lengths
  const isPlain = row => !/another length/.test(row.name) && !row.options && !row.encodeOptions && row.oneWay === undefined && !('from' in row)
  return [
    ...valid.filter(row => row.oneWay !== 'encode').map(row => check('decode', row, decodes, true)),
    ...valid.filter(row => row.oneWay !== 'decode').map(row => check('encode', row, encodes, true)),
    ...valid.filter(isPlain).map(row => check('EJSON', row, speaksJson)),
    ...valid.filter(isPlain).map(row => check('raw', row, readsRaw)),
    ...decodeErrors.map(row => check('decode error', row, refusesBytes)),
    ...encodeErrors.map(row => check('encode error', row, refusesValue))
  ]

  function check(what, row, run, isLearned = false) {
    return { name: `${what}: ${row.name}`, check: () => run(row), isLearned }
  }

  function decodes({ hex, value, options }) {
    const text = describe(qbson.decode(new Uint8Array(unhex(hex)), options))
    equal(text, describe(value), 'decode')
    equal(qbson.validate(new Uint8Array(unhex(hex)), options), unhex(hex).length, 'validate')
    return text
  }

  function encodes(row) {
    const value = 'from' in row ? row.from : row.value
    const expected = hexOf(unhex(row.hex))
    equal(hexOf(qbson.encode(value, row.encodeOptions)), expected, 'encode')
    const target = new Uint8Array(expected.length / 2 + 5).fill(0xaa)
    equal(qbson.encodeInto(value, target, 3, row.encodeOptions), expected.length / 2 + 3, 'encodeInto')
    equal(hexOf(target), `aaaaaa${expected}aaaa`, 'encodeInto')
    if (row.encodeOptions === undefined) equal(qbson.sizeOf(value), expected.length / 2, 'sizeOf')
    return expected
  }

  function speaksJson({ hex }) {
    const { EJSON } = qbson
    const bytes = new Uint8Array(unhex(hex))
    const canonical = EJSON.fromBSON(bytes, { relaxed: false })
    const relaxed = EJSON.fromBSON(bytes)
    const doc = qbson.decode(bytes, { promoteValues: false, bsonRegExp: true })
    equal(EJSON.stringify(EJSON.parse(canonical, { relaxed: false }), { relaxed: false }), canonical, 'parse and stringify')
    equal(typeof EJSON.stringify(doc, { relaxed: false }), 'string', 'stringify')
    return `${canonical} ${relaxed} ${hexOf(EJSON.toBSON(canonical))}`
  }

  function readsRaw({ hex, value }) {
    const raw = new qbson.RawDocument(new Uint8Array(unhex(hex)))
    equal(describe(raw.toObject()), describe(value), 'toObject')
    for (const { name, value } of raw) {
      if (/^[a-z]\w*$/i.test(name)) equal(describe(raw.get(name)), describe(value), `get(${name})`)
    }
    return hexOf(qbson.encode(raw))
  }

  function refusesBytes(row) {
    const error = bsonError(() => qbson.decode(new Uint8Array(unhex(row.hex)), row.options), 'decode')
    equal(error.message.startsWith(row.error), true, error.message)
    equal(error.offset, row.offset, 'offset')
    equal(error.path, row.path, 'path')
    return error.message
  }

  function refusesValue(row) {
    const error = bsonError(() => qbson.encode(row.value, row.encodeOptions), 'encode')
    equal(error.message.startsWith(row.error), true, error.message)
    return String(error.path)
  }
}
