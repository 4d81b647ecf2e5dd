'use strict'

// The packages that write columns. They are not installed with qbson. Browser builds neither `require` nor `import`
// them (scripts/plugins.js), because a bundler would fail if they are not installed, even if unused. There they are
// passed as options.

const { BSONRuntimeError } = require('../../errors')
const { refusal } = require('../../options')

/** @param {string} what needs it @param {any} [given] the option `arrow` @throws {BSONError} with what to install */
function arrowFor(what, given) {
  try {
    return withMember('RecordBatchReader', given ?? require('apache-arrow'), 'apache-arrow', 'arrow')
  } catch (cause) {
    throw notThere(what, 'apache-arrow', 'arrow', cause)
  }
}

/**
 * @param {string} what needs it
 * @param {any} [given] the option `parquet`
 * @returns {Promise<any>} the package ready for use: in a browser it has to load its code first
 * @throws {BSONError} with what to install
 */
async function parquetFor(what, given) {
  let loaded
  try {
    loaded = given ?? await import('parquet-wasm')
  } catch (cause) {
    throw notThere(what, 'parquet-wasm', 'parquet', cause)
  }
  const init = loaded.default
  const isPending = typeof init === 'function'
  if (isPending) await init()
  const own = withMember('writeParquet', isPending ? loaded : init ?? loaded, 'parquet-wasm', 'parquet')
  const isOld = own.WriterPropertiesBuilder?.prototype?.setMaxRowGroupBytes === undefined
  if (isOld) throw new BSONRuntimeError(`${what} needs parquet-wasm 0.8 or later`)
  return own
}

/** @returns {any} the package @throws {BSONError} when what was given in its place is another */
function withMember(member, own, name, option) {
  if (typeof own[member] !== 'function') throw refusal(option, own, `the package ${name}`)
  return own
}

/** @returns {unknown} what to throw */
function notThere(what, name, option, cause) {
  if (cause?.isGiven) return new BSONRuntimeError(`${what} needs the package ${name} here, passed as the option ${option}`)
  const isMissing = cause?.code === 'MODULE_NOT_FOUND' || cause?.code === 'ERR_MODULE_NOT_FOUND'
  const install = what === 'toParquet' ? 'apache-arrow parquet-wasm' : name
  return isMissing ? new BSONRuntimeError(`${what} needs the package ${name}: npm install ${install}`, { cause }) : cause
}

module.exports = { arrowFor, parquetFor, notThere }
