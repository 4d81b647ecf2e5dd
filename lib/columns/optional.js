'use strict'

// The packages that columns are written with. They are not installed with qbson. Builds for browsers have neither
// `require` nor `import` of them (scripts/plugins.js): a bundler would fail where they are not installed, though nobody
// uses them. There they are given as options.

const { BSONError } = require('../errors')

/**
 * @param {string} what needs it
 * @param {any} [given] the option `arrow`
 * @returns {typeof import('apache-arrow')}
 * @throws {BSONError} that says what to install
 */
function arrowFor(what, given) {
  try {
    return given ?? require('apache-arrow')
  } catch (cause) {
    throw notThere(what, 'apache-arrow', 'arrow', cause)
  }
}

/**
 * @param {string} what needs it
 * @param {any} [given] the option `parquet`
 * @returns {Promise<any>} what is ready for use: in a browser it has to load its code first
 * @throws {BSONError} that says what to install
 */
async function parquetFor(what, given) {
  let loaded
  try {
    loaded = given ?? await import('parquet-wasm')
  } catch (cause) {
    throw notThere(what, 'parquet-wasm', 'parquet', cause)
  }
  const init = loaded.default
  if (typeof init !== 'function') return init ?? loaded
  await init()
  return loaded
}

/** @returns {unknown} what to throw */
function notThere(what, name, option, cause) {
  if (cause?.isGiven) return new BSONError(`${what} needs the package ${name} here, passed as the option ${option}`)
  const isMissing = cause?.code === 'MODULE_NOT_FOUND' || cause?.code === 'ERR_MODULE_NOT_FOUND'
  return isMissing ? new BSONError(`${what} needs the package ${name}: npm install ${name}`, { cause }) : cause
}

module.exports = { arrowFor, parquetFor, notThere }
