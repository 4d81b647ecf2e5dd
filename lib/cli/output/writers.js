'use strict'

// The formats of written documents. Text is made as bytes, a whole block at a time where possible.

const { concat } = require('../../bytes')
const { printableBytes } = require('../terminal/printable')
const { COMMA } = require('./target')

/**
 * @typedef {object} Format
 * @property {'relaxed' | 'canonical' | 'json' | 'bson'} name
 * @property {boolean} [pretty]
 * @property {boolean} [isArray] whether a comma and a line end come before each document: `,\n`
 *
 * @typedef {object} DocumentWriter
 * @property {(document: Uint8Array) => void} add throws before anything is written
 * @property {() => Uint8Array | null} finish returns what was written since the last call; null for nothing
 * @property {((documents: Uint8Array) => {output: Uint8Array}) | null} all writes consecutive documents; throws before
 *   anything is written; null if they have to be added one by one. The next call overwrites the output
 */

const NEWLINE = Buffer.from('\n')

/** @param {Format} format @returns {DocumentWriter} */
function writerOf({ name, pretty, isArray }) {
  /** @type {Uint8Array[]} */
  let pieces = []
  const finish = () => {
    const output = pieces.length === 0 ? null : concat(pieces)
    pieces = []
    return output
  }
  if (name === 'bson') {
    return { add: document => void pieces.push(document), finish, all: documents => ({ output: documents }) }
  }
  const { extendedJSONBytes, extendedJSONLines } = require('../../ejson')
  const json = require('../../json')
  const space = pretty ? 2 : undefined
  const style = { relaxed: name !== 'canonical', space }
  const isJson = name === 'json'
  /** @type {import('../../json/options').ListOptions} */
  const plain = { indent: space, int64: 'number', decimal: 'string' }
  const one = isJson ? bytes => json.bytes(bytes, plain) : bytes => extendedJSONBytes(bytes, style)
  const many = isJson ? bytes => json.lines(bytes, plain) : bytes => extendedJSONLines(bytes, style, true)
  const add = document => {
    const text = printableBytes(one(document))
    if (isArray) pieces.push(COMMA, text)
    else pieces.push(text, NEWLINE)
  }
  return { add, finish, all: isArray ? null : documents => ({ output: printableBytes(many(documents)) }) }
}

module.exports = { writerOf }
