'use strict'

const { BSONType, ELEMENT } = require('../spec')
const { BSONError, errorAtOffset, shownName } = require('../errors')
const { getUtf8 } = require('../utf8')
const { scanName, scanValue, innerDocument } = require('../scan')
const { locate } = require('../locate')
const { validate } = require('../validate')
const { OK, BAD_DATA } = require('./options')
const { Documents, eachFile, mapItems } = require('./input')
const { printable } = require('./printable')

/** @type {import('./commands').Command} */
const check = {
  args: '[options] [FILE...]',
  about: 'report documents, bytes, element types and the first fault',
  options: {},

  async *run(context) {
    return yield* eachFile(context, input => checkFile(input, context.options), { isQuiet: true })
  }
}

async function* checkFile(input, options) {
  const seen = { documents: 0, bytes: 0, types: new Map(), fault: undefined }
  const sizes = mapItems(input, new Documents(options), document => checkDocument(document, seen.types))
  try {
    for await (const some of sizes) {
      seen.documents += some.length
      for (const size of some) seen.bytes += size
    }
  } catch (error) {
    if (!(error instanceof BSONError)) throw error
    seen.fault = error
  }
  yield describe(printable(input.name), seen)
  return seen.fault ? BAD_DATA : OK
}

/** @returns {number} its size in bytes */
function checkDocument(document, types) {
  const size = validate(document)
  inspect(document, types)
  return size
}

function describe(name, { documents, bytes, types, fault }) {
  const frequent = [...types].sort((a, b) => b[1] - a[1]).map(([type, times]) => `${TYPE_NAMES[type]} ${times}`)
  const listed = frequent.length > 0 ? `\n  types: ${frequent.join(', ')}` : ''
  const found = fault ? `fault: ${printable(fault.message)}` : 'no fault'
  return `${name}: ${plural(documents, 'good document')}, ${plural(bytes, 'byte')}${listed}\n  ${found}\n`
}

function plural(n, what) {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

/** By the byte in front of an element, where MinKey's -1 is 255. */
const TYPE_NAMES = Object.fromEntries(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

/**
 * Counts the elements of a document that has been checked, and looks at what decoding ignores: the names of an array's
 * elements. Nested documents lie in one another, so that walking from each element into its document, and over each
 * closing 0x00, meets every element once.
 *
 * @param {Uint8Array} buf
 * @param {Map<number, number>} types counted up
 * @throws {BSONError}
 */
function inspect(buf, types) {
  const outer = []
  let index = NO_ARRAY
  for (let pos = 4; pos < buf.length; ) {
    const type = buf[pos]
    if (type === 0) {
      index = outer.pop()
      pos++
      continue
    }
    const nameEnd = scanName(buf, pos + 1, buf.length)
    if (index !== NO_ARRAY) checkIndex(buf, pos + 1, nameEnd, index++)
    types.set(type, (types.get(type) || 0) + 1)
    const inner = innerDocument(type, buf, nameEnd + 1)
    if (inner === -1) {
      pos = scanValue(type, buf, nameEnd + 1, buf.length)
      continue
    }
    outer.push(index)
    index = type === ELEMENT.ARRAY ? 0 : NO_ARRAY
    pos = inner + 4
  }
}

/** In place of an array's next index. */
const NO_ARRAY = -1

function checkIndex(buf, start, end, index) {
  const name = getUtf8(buf, start, end)
  if (name === String(index)) return
  throw locate(errorAtOffset(`element ${index} of the array has the name "${shownName(name)}"`, start), buf, 0)
}

module.exports = { check }
