'use strict'

// The size of a document. What is frequent or may be large is only counted, and everything else is written to memory
// that is used again: nothing has a size that `encode` would refuse, and there is no second rule for what it refuses.

const { ELEMENT } = require('../spec')
const { utf8Length } = require('../bytes')
const { tooLarge, acquireOutput, releaseOutput } = require('./output')
const { appendDocument, isPlainObject, putElement, putName } = require('./encode')
const { sizeOfBinary } = require('./put')
const { ELEMENT_BY_PROTOTYPE, isInt32 } = require('./value-type')
const { planOf } = require('./options')
const { begin, enter, leave, prependPath, describeError, isGone, checkLength } = require('./containers')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype

/**
 * The exact size of what `encode` would write, in bytes.
 *
 * @param {object} doc
 * @param {import('./options').EncodeOptions} [options]
 * @returns {number}
 * @throws {import('../errors').BSONError} as `encode`
 */
function sizeOf(doc, options) {
  const out = acquireOutput()
  const start = out.beginScratch()
  const plan = planOf(options)
  begin(out, plan)
  const size = isCounted(out, doc) ? count(out, doc) : appendDocument(out, doc, start, plan) - start
  releaseOutput(out)
  return size
}

/** Whether it is a plain object. What cannot even be asked is refused by the encoder. */
function isCounted({ plan, forIn }, doc) {
  try {
    return forIn && !plan.checkKeys && isPlainObject(doc)
  } catch {
    return false
  }
}

function count(out, doc) {
  try {
    const size = sizeOfPlain(out, doc)
    if (size > out.plan.maxSize) throw tooLarge(out.plan.maxSize)
    return size
  } catch (error) {
    throw describeError(error)
  }
}

function sizeOfPlain(out, doc) {
  const cycleCheckpoint = enter(out, doc)
  let size = 5
  let key = ''
  try {
    for (const name in doc) {
      key = name
      const value = doc[name]
      if (value !== undefined || !isGone(doc, name, value)) size += sizeOfElement(out, name, value)
    }
  } catch (error) {
    throw prependPath(error, doc, key)
  }
  leave(out, cycleCheckpoint)
  return size
}

function sizeOfArray(out, array) {
  const cycleCheckpoint = enter(out, array)
  checkLength(array)
  let size = 5
  let i = 0
  try {
    for (; i < array.length; i++) size += sizeOfElement(out, i, array[i])
  } catch (error) {
    throw prependPath(error, array, i)
  }
  leave(out, cycleCheckpoint)
  return size
}

/** The scratch is written from its start for each element. */
function sizeOfElement(out, key, value) {
  switch (typeof value) {
    case 'string':
      return sizeOfName(out, key) + 5 + utf8Length(value)
    case 'number':
      return sizeOfName(out, key) + (isInt32(value) ? 4 : 8)
    case 'boolean':
      return sizeOfName(out, key) + 1
    case 'object':
      if (value === null) return sizeOfName(out, key)
      if (typeof value.toBSON === 'function') break
      if (Array.isArray(value)) return sizeOfName(out, key) + sizeOfArray(out, value)
      return sizeOfObject(out, key, value)
  }
  return putElement(out, key, value, 0)
}

function sizeOfObject(out, key, value) {
  const prototype = getPrototypeOf(value)
  if (prototype === objectPrototype) return sizeOfName(out, key) + sizeOfPlain(out, value)
  if (ELEMENT_BY_PROTOTYPE.get(prototype) === ELEMENT.BINARY) return sizeOfName(out, key) + sizeOfBinary(value)
  return putElement(out, key, value, 0)
}

/** Of the type and the name. */
function sizeOfName(out, key) {
  if (typeof key === 'number') return putName(out, ELEMENT.NULL, key, 0)
  const { length } = key
  for (let i = 0; i < length; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f || unit === 0) return putName(out, ELEMENT.NULL, key, 0)
  }
  return length + 2
}

module.exports = { sizeOf }
