'use strict'

// The first documents of a process, from a file: they are encoded beforehand, so that a process that times its first
// decode has not run any codec yet.

const fs = require('node:fs')
const path = require('node:path')
const documents = require('./documents')
const { documents: schemas } = require('./schemas')
const { load } = require('../contenders')

/** Kinds that every contender supports. */
const COMMON = documents.kinds.filter(kind => !documents.BSON_ONLY.includes(kind))

/** Of those, the kinds of ordinary size, used in turn, so that none takes most of the time. */
const MIXED = COMMON.filter(kind => !documents.LARGE.includes(kind))

/** The time is read after these numbers of documents. */
const MARKS = [100, 300, 1000, 3000, 10_000, 30_000, 100_000]

const kindsOf = subject => subject.startsWith('mixed') ? MIXED : [subject]

const fileOf = (directory, contender, kind) => path.join(directory, `first-${contender.replaceAll(' ', '-')}-${kind}.json`)

/**
 * Writes every kind as the contenders encode it, and the codecs that are compiled ahead of time.
 * @param {string} directory
 * @param {string[]} contenders one per format
 * @returns {void}
 */
function prepare(directory, contenders) {
  documents.prepare(directory)
  prepareModules(directory)
  for (const contender of contenders) {
    const { encode, types, bson } = load(contender, {})
    for (const kind of bson ? documents.kinds : COMMON) {
      const file = fileOf(directory, contender, kind)
      if (fs.existsSync(file)) continue
      const encoded = documents.load(kind, types, directory).map(doc => Buffer.from(encode(doc)).toString('base64'))
      fs.writeFileSync(file, JSON.stringify(encoded))
    }
  }
}

const moduleOf = (directory, kind) => path.join(directory, `compiled-${kind}.js`)

/** Writes a codec for every kind that has a schema, as `qbson compile` does, using the package in the same folder. */
function prepareModules(directory) {
  const { writeModule } = require('../../lib/compile')
  for (const [kind, schema] of Object.entries(schemas)) fs.writeFileSync(moduleOf(directory, kind), writeModule(schema).code)
}

/** Takes one of each kind in turn, until the kind with the fewest documents has no more. */
function inTurn(lists) {
  const count = lists.length === 1 ? lists[0].length : Math.min(...lists.map(list => list.length))
  return Array.from({ length: count }, (_, i) => lists.map(list => list[i])).flat()
}

/**
 * @param {string} subject a kind, or `mixed`
 * @param {import('./types').Types} types
 * @param {string} directory
 * @returns {any[]}
 */
const documentsOf = (subject, types, directory) => inTurn(kindsOf(subject).map(kind => documents.load(kind, types, directory)))

/**
 * @param {string} subject
 * @param {string} contender whose format it is
 * @param {string} directory
 * @returns {Buffer[]} separate Buffers
 */
function bytesOf(subject, contender, directory) {
  return inTurn(kindsOf(subject).map(kind => JSON.parse(fs.readFileSync(fileOf(directory, contender, kind), 'utf8'))))
    .map(text => Buffer.from(text, 'base64'))
}

/** @param {{length: number}[]} inputs @returns {number} the mean length in bytes */
const meanBytes = inputs => inputs.reduce((sum, { length }) => sum + length, 0) / inputs.length

/**
 * Limits the marks: 10,000 documents of 10 kB show as much as 100,000 of 1 kB. All contenders have the same marks.
 * @param {number} bytes of BSON, at most
 * @param {{length: number}[]} inputs the documents as BSON
 * @returns {number[]} numbers of documents, ascending; at least one
 */
function marksWithin(bytes, inputs) {
  const mean = meanBytes(inputs)
  return MARKS.filter(mark => mark * mean <= bytes || mark === MARKS[0])
}

module.exports = { MARKS, prepare, moduleOf, documentsOf, bytesOf, meanBytes, marksWithin }
