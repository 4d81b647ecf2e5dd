'use strict'

// What other programs call our options: bsondump, mongoexport, mongoimport, head, earlier versions. Not in the help.

const { UsageError } = require('./terminal/messages')

const NO_SERVER = 'qbson talks to no server: mongodump --archive | qbson'

/** @type {Record<string, {value?: string, short?: string, means?: string, instead?: string}>} */
const FOREIGN = {
  // earlier versions
  as: { value: 'X', means: 'name' },
  columns: { means: 'table' },
  'no-mixtures': { means: 'strict-types' },
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

/** Words that people try as an option, and what they mean. */
const OTHER_OPTIONS = {
  filter: 'match', where: 'match', select: 'fields', project: 'fields', projection: 'fields', order: 'sort', 'order-by': 'sort',
  output: 'out', format: 'to', threads: 'workers', jobs: 'workers', parallel: 'workers', compress: 'gzip', nsInclude: 'ns',
  j: 'workers', s: 'sort', p: 'pretty', z: 'gzip'
}

/** Words that people try as a command. */
const OTHER_COMMANDS = {
  'to-json': 'qbson FILE prints JSON, --to json without types',
  export: 'qbson FILE prints JSON, qbson to-csv FILE writes CSV',
  import: 'qbson to-bson FILE reads JSON',
  'from-json': 'qbson to-bson FILE reads JSON',
  find: 'qbson --match QUERY FILE chooses documents',
  search: 'qbson --match QUERY FILE chooses documents',
  filter: 'qbson --match QUERY FILE chooses documents',
  query: 'qbson --match QUERY FILE chooses documents',
  grep: 'qbson --match QUERY FILE chooses documents, also by {name: /pattern/}',
  sort: 'qbson --sort FIELD FILE prints documents in order',
  sample: 'qbson --sample N FILE chooses documents at random',
  show: 'qbson FILE prints the documents',
  unique: 'qbson distinct FIELD FILE prints the values of a field',
  mask: 'qbson edit --mask PATH FILE, or --hash PATH, hides values',
  anonymize: 'qbson edit --mask PATH FILE, or --hash PATH, hides values',
  repair: 'qbson --keep-going --to bson --out NEW FILE keeps what can be read',
  recover: 'qbson --keep-going --to bson --out NEW FILE keeps what can be read',
  merge: 'qbson --to archive --out NEW FILE... writes several files into one',
  convert: 'qbson FILE prints JSON; to-bson, to-csv, to-arrow and to-parquet are commands',
  tail: 'qbson --tail N FILE prints the last documents',
  version: 'qbson --version prints it',
  validate: 'qbson check FILE validates',
  stats: 'qbson check FILE counts documents and types, qbson schema FILE describes the fields'
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
  return isImport ? withName(own, db, collection) : withNamespace(own, db, collection)
}

/** @param {Record<string, any>} own options, which get the collection to read */
function withNamespace(own, db, collection) {
  if (collection !== undefined && db === undefined) throw new UsageError('--collection needs --db; or use --ns DB.COLL')
  if (db !== undefined) own.ns = [...own.ns ?? [], `${db}.${collection ?? '*'}`]
  return own
}

/** @param {Record<string, any>} own options, which get the name of the collection to write */
function withName(own, db, collection) {
  if (db === undefined && collection === undefined) return own
  if (db === undefined || collection === undefined) throw new UsageError('--db and --collection go together; or use --name DB.COLL')
  if (own.name !== undefined) throw new UsageError('--db and --collection are another way to say --name, which is given, too')
  return { ...own, name: `${db}.${collection}` }
}

module.exports = { FOREIGN, NO_SERVER, OTHER_OPTIONS, OTHER_COMMANDS, translated }
