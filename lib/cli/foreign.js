'use strict'

// What other programs call our options: mongoexport, bsondump, head, and earlier versions. Not in the help.

const { UsageError } = require('./options')

/** @typedef {{type: 'boolean' | 'string', short?: string, means?: string, instead?: string}} Foreign */

/** @type {Record<string, Foreign>} */
const FOREIGN = {
  // earlier versions
  as: { type: 'string', means: 'name' },
  columns: { type: 'boolean', means: 'table' },
  'no-mixtures': { type: 'boolean', means: 'strict-types' },
  // mongoexport and bsondump
  query: { type: 'string', means: 'match' },
  outFile: { type: 'string', means: 'out' },
  jsonArray: { type: 'boolean', means: 'array' },
  jsonFormat: { type: 'string', means: 'to' },
  db: { type: 'string', short: 'd' },
  collection: { type: 'string', short: 'c' },
  type: { type: 'string' },
  bsonFile: { type: 'string', instead: 'give the name of the file without --bsonFile' },
  queryFile: { type: 'string', instead: '--match @FILE reads a query from a file' },
  objcheck: { type: 'boolean', instead: 'qbson check FILE checks everything' },
  noHeaderLine: { type: 'boolean', instead: 'qbson to-csv FILE | tail -n +2 leaves out the line with the names' },
  quiet: { type: 'boolean', instead: 'notes go to standard error: 2> /dev/null' }
}

const TYPES = {
  csv: 'qbson to-csv FILE writes CSV',
  debug: 'qbson check FILE describes documents and their types'
}

/**
 * @param {Record<string, any>} values of options
 * @returns {Record<string, any>} with our own names
 * @throws {UsageError} that names ours
 */
function translated(values) {
  const { db, collection, type, ...others } = values
  const own = {}
  for (const [name, value] of Object.entries(others)) {
    const { means = name, instead } = Object.hasOwn(FOREIGN, name) ? FOREIGN[name] : {}
    if (instead !== undefined) throw new UsageError(`no option --${name}: ${instead}`)
    if (own[means] !== undefined) throw new UsageError(`--${name} is another name of --${means}, which is given, too`)
    own[means] = value
  }
  if (type !== undefined && type !== 'json') throw new UsageError(`no option --type=${type}: ${TYPES[type] ?? 'see --to'}`)
  if (collection !== undefined && db === undefined) throw new UsageError('--collection needs --db: or --ns DB.COLL')
  if (db !== undefined) own.ns = [...own.ns ?? [], `${db}.${collection ?? '*'}`]
  return own
}

module.exports = { FOREIGN, translated }
