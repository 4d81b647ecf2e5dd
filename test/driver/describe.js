'use strict'

/**
 * A text that says everything about a value that a user of the driver can see: types, own fields, order of
 * keys. Two libraries returned the same when the texts are equal.
 *
 * @param {unknown} value
 * @returns {string}
 */
function describe(value) {
  if (value === null || typeof value !== 'object') return describePrimitive(value)
  if (Array.isArray(value)) return `[${value.map(describe).join(', ')}]`
  if (value instanceof Date) return `Date(${value.getTime()})`
  if (value instanceof RegExp) return `RegExp(${value})`
  if (value instanceof Uint8Array) return `${value.constructor.name}(${Buffer.from(value).toString('hex')})`
  if (value instanceof Error) return describeError(value)
  if (value instanceof Map) return `Map(${describe([...value])})`
  if (value instanceof Set) return `Set(${describe([...value])})`
  return `${nameOf(value)}{${describeFields(value)}}`
}

function describePrimitive(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  return String(value)
}

/** Own fields in their order; what BSON values print is part of what users see. */
function describeFields(value) {
  const fields = Object.keys(value).map(key => `${JSON.stringify(key)}: ${describe(value[key])}`)
  if (typeof value._bsontype === 'string' && !Object.hasOwn(value, '_bsontype')) {
    fields.push(`_bsontype ${value._bsontype}`, `prints ${value}`, `in JSON ${JSON.stringify(value)}`)
  }
  return fields.join(', ')
}

function nameOf(value) {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null) return 'null-prototype '
  return prototype === Object.prototype ? '' : prototype.constructor.name
}

function describeError(error) {
  const fields = ['code', 'codeName', 'result', 'writeErrors', 'errorResponse', 'errorLabels', 'index']
    .filter(key => error[key] !== undefined)
    .map(key => `${key}: ${describe(error[key])}`)
  const cause = error.cause instanceof Error ? [`cause: ${describe(error.cause)}`] : []
  return `${error.name}(${[JSON.stringify(anonymous(error.message)), ...fields, ...cause].join('; ')})`
}

/**
 * A message without what differs from run to run (connections, ports), and without the offset and the path
 * that qbson puts at the end of its own.
 */
function anonymous(message) {
  return message
    .replace(/connection (\d+|<monitor>) to/g, 'connection to')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/ \((at offset \d+|in field ).*\)$/s, '')
}

module.exports = { describe }
