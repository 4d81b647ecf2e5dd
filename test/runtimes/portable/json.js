'use strict'

// Text straight from bytes equals JSON.stringify of the decoded document, for the project's tables and random
// documents.

const { unhex } = require('../../fixtures/bytes')
const { seededRandom, randomDocument } = require('../../fixtures/random-document')
const { equal } = require('./assert')
const { hexOf } = require('./describe')

const RANDOM = 300

/** @param {any} qbson @param {any} json @returns {{name: string, check: () => string, isLearned?: boolean}[]} */
module.exports = function checksOf(qbson, json) {
  const rows = require('../../vectors').valid.filter(row => row.oneWay !== 'encode' && !row.options)
  return [
    ...rows.map(row => ({ name: `json: ${row.name}`, check: () => compares(new Uint8Array(unhex(row.hex))) })),
    { name: `json: ${RANDOM} random documents`, check: comparesRandom }
  ]

  /** @param {Uint8Array} bytes */
  function compares(bytes) {
    const text = json.text(bytes)
    equal(text, JSON.stringify(qbson.decode(bytes)), 'text')
    equal(hexOf(json.bytes(bytes)), hexOf(qbson.encode({ a: text })).slice(22, -4), 'bytes') // int32, 02, a, 00, int32
    return text
  }

  function comparesRandom() {
    const random = seededRandom(5)
    for (let i = 0; i < RANDOM; i++) compares(qbson.encode(randomDocument(random, qbson)))
    return ''
  }
}
