'use strict'

const assert = require('node:assert')

/**
 * Makes the results of two libraries comparable: instances of BSON types become `[type, text]`, whatever their class.
 * @param {any} value
 * @returns {any}
 */
function meaning(value) {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return value
  if (ArrayBuffer.isView(value)) return ['bytes', hexOf(value)]
  if (Array.isArray(value)) return value.map(meaning)
  if (value._bsontype) return [value._bsontype, typeText(value)]
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, meaning(item)]))
}

const hexOf = view => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')

function typeText(value) {
  if (value._bsontype === 'Binary') return [value.sub_type, meaning(value.value())]
  if (value._bsontype === 'Code') return [value.code, meaning(value.scope)]
  if (value._bsontype === 'DBRef') return [value.collection, meaning(value.oid)]
  if (value._bsontype === 'BSONRegExp') return [value.pattern, value.options]
  return String(value)
}

/**
 * Throws unless both values are equal, with keys in the same order.
 * @param {any} actual
 * @param {any} expected
 * @param {string} what begins the message
 */
function checkSame(actual, expected, what) {
  const a = meaning(actual)
  const b = meaning(expected)
  try {
    assert.deepStrictEqual(a, b)
    assert.strictEqual(keysOf(a), keysOf(b))
  } catch (error) {
    throw new Error(`${what}: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}`, { cause: error })
  }
}

/** The keys of all objects in order, as a text. */
function keysOf(value) {
  if (typeof value !== 'object' || value === null) return ''
  return Object.keys(value).map(key => `${key}{${keysOf(value[key])}}`).join()
}

/**
 * Throws unless both are the same bytes.
 * @param {Uint8Array} actual
 * @param {Uint8Array} expected
 * @param {string} what begins the message
 */
function checkBytes(actual, expected, what) {
  if (!(actual instanceof Uint8Array)) throw new Error(`${what}: not bytes`)
  if (Buffer.compare(actual, expected) === 0) return
  let at = 0
  while (actual[at] === expected[at]) at++
  throw new Error(`${what}: differs at byte ${at} (${actual.length} bytes, expected ${expected.length})`)
}

module.exports = { checkSame, checkBytes, meaning }
