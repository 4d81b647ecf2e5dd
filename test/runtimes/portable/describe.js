'use strict'

// A value as text, the same in every runtime, in every realm and for minified classes.

const BSON_TYPE = Symbol.for('@@mdb.bson.type')

/** @param {any} value @returns {string} */
function describe(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return `function ${value}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${Array.from(value, (item, i) => i in value ? describe(item) : '<hole>').join(', ')}]`
  if (ArrayBuffer.isView(value)) return `bytes<${hexOf(value)}>`
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object Date]') return `Date(${value.getTime()})`
  if (tag === '[object RegExp]') return `RegExp(${JSON.stringify(value.source)}, ${value.flags})`
  const fields = Object.keys(value).map(key => `${JSON.stringify(key)}: ${describe(value[key])}`)
  return `${value[BSON_TYPE] ?? ''}{${fields.join(', ')}}`
}

/** @param {any} view @returns {string} */
function hexOf(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

module.exports = { describe, hexOf }
