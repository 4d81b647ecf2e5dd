'use strict'

const { BSONError } = require('../errors')

/**
 * A package that is only needed for what was asked for, and is not installed with qbson.
 *
 * @template T
 * @param {string} name
 * @param {string} what needs it
 * @param {() => T} load
 * @returns {T}
 * @throws {BSONError} that says what to install
 */
function optional(name, what, load) {
  try {
    return load()
  } catch (cause) {
    throw notThere(name, what, cause)
  }
}

/** The same, of a package that is an ES module. @template T @param {() => Promise<T>} load @returns {Promise<T>} */
async function optionalModule(name, what, load) {
  try {
    return await load()
  } catch (cause) {
    throw notThere(name, what, cause)
  }
}

/** @returns {unknown} what to throw */
function notThere(name, what, cause) {
  const isMissing = cause?.code === 'MODULE_NOT_FOUND' || cause?.code === 'ERR_MODULE_NOT_FOUND'
  return isMissing ? new BSONError(`${what} needs the package ${name}: npm install ${name}`, { cause }) : cause
}

module.exports = { optional, optionalModule }
