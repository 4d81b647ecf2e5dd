'use strict'

// What other programs call our options: bsondump, mongoexport, mongoimport. Not in the help.

const { UsageError } = require('./terminal/messages')

const NO_SERVER = 'qbson talks to no server: mongodump --archive | qbson'

/** @type {Record<string, {value?: string, short?: string, means?: string, instead?: string}>} */
const FOREIGN = {
  // mongoexport and bsondump
  query: { value: 'X', means: 'match' },
  outFile: { value: 'X', means: 'out' },
  jsonArray: { means: 'array' },
  jsonFormat: { value: 'X', means: 'to' },
  db: { value: 'DB', short: 'd' },
  collection: { value: 'COLL', short: 'c' },
  type: { value: 'TYPE' },
  bsonFile: { value: 'X', instead: 'give the name of the file without --bsonFile' },
  queryFile: { value: 'X', instead: '--match @FILE reads a query from a file' },
  objcheck: { instead: 'qbson check FILE checks everything' },
  noHeaderLine: { instead: 'qbson to-csv FILE | tail -n +2 leaves out the line with the names' },
  quiet: { instead: 'notes go to standard error: 2> /dev/null' },
  // mongoimport
  file: { value: 'X', instead: 'give the name of the file without --file' },
  stopOnError: { instead: 'the first error ends the run anyway, unless there is --keep-going' },
  headerline: { instead: 'qbson reads no CSV; mongoimport, DuckDB or a script makes JSON of it' },
  drop: { instead: 'it is an option of mongorestore' },
  mode: { value: 'X', instead: 'mongorestore inserts; the other modes are those of mongoimport' },
  uri: { value: 'X', instead: NO_SERVER },
  host: { value: 'X', instead: NO_SERVER }
}

/** What --type asks for; of to-bson, whose input has no collections, and which tells arrays and lines apart. */
const TYPES = { csv: 'qbson to-csv FILE writes CSV', debug: 'qbson check FILE describes documents and their types' }
const IMPORT_TYPES = { csv: FOREIGN.headerline.instead, tsv: FOREIGN.headerline.instead }

/** @param {Record<string, any>} values of options @returns {Record<string, any>} with our own names */
function translated(values, command) {
  const isImport = command === 'to-bson'
  const { db, collection, type, ...others } = values
  if (isImport) delete others.jsonArray
  const own = {}
  for (const [name, value] of Object.entries(others)) {
    const { means = name, instead } = Object.hasOwn(FOREIGN, name) ? FOREIGN[name] : {}
    if (instead !== undefined) throw new UsageError(`no option --${name}: ${instead}`)
    if (own[means] !== undefined) throw new UsageError(`--${name} is another name of --${means}, which is given, too`)
    own[means] = value
  }
  if (type !== undefined && type !== 'json') {
    throw new UsageError(`no option --type=${type}: ${(isImport ? IMPORT_TYPES : TYPES)[type] ?? 'see --to'}`)
  }
  if (db === undefined && collection === undefined) return own
  const ours = isImport ? 'name' : 'ns' // the collection to write, or that to read
  if (db === undefined || (isImport && collection === undefined)) {
    throw new UsageError(`--db and --collection go together; or use --${ours} DB.COLL`)
  }
  const name = `${db}.${collection ?? '*'}`
  if (!isImport) return { ...own, ns: [...own.ns ?? [], name] }
  if (own.name !== undefined) throw new UsageError('--db and --collection are another way to say --name, which is given, too')
  return { ...own, name }
}

module.exports = { FOREIGN, NO_SERVER, translated }
