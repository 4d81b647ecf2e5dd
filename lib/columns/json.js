'use strict'

// Values of different types in one column: kept as BSON, which is lossless, and returned as Extended JSON text.

const { extendedJSONValues } = require('../ejson')

/** The column as text, made on first use. @param {import('./column').Column} column of Extended JSON */
function jsonTexts(column) {
  return (column.texts ??= extendedJSONValues(column.memory, column.starts, column.length))
}

module.exports = { jsonTexts }
