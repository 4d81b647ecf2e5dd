'use strict'

const { BSONType } = require('../spec')
const { BSONError, errorAtOffset, shownName } = require('../errors')
const { getUtf8 } = require('../bytes/utf8')
const { locate } = require('../decode/locate')
const { validate, validateElements } = require('../decode/validate')
const { OK, BAD_DATA } = require('./options')
const { documentsOf, eachFile, mapItems } = require('./input')
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
  const sizes = mapItems(input, documentsOf(options), document => checkDocument(document, seen.types))
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

/** No text is looked at. */
const NO_UTF8 = { utf8: false, utf8Except: null }

/** Counts the elements of a document that is right, and looks at what decoding ignores: the names in its arrays. */
function inspect(buf, types) {
  validateElements(buf, 4, buf.length - 1, NO_UTF8, Infinity, (type, { isArray, count }, name, nameEnd) => {
    if (isArray) checkIndex(buf, name, nameEnd, count)
    types.set(type, (types.get(type) || 0) + 1)
  })
}

function checkIndex(buf, start, end, index) {
  const name = getUtf8(buf, start, end)
  if (name === String(index)) return
  throw locate(errorAtOffset(`element ${index} of the array has the name "${shownName(name)}"`, start), buf, 0)
}

module.exports = { check }
