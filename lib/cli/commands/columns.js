'use strict'

// Commands that write columns: to-arrow, to-parquet, to-csv.

const { parseJSON, readTextFile } = require('../terminal/messages')
const { CHOOSING_OPTIONS, FOLDER_OPTIONS, READING_OPTIONS } = require('../options')
const { Source } = require('../input/source')
const { checkOutput } = require('./output')

/** Options of all three commands. @type {Record<string, import('../options').Option>} */
const COLUMN_OPTIONS = {
  schema: {
    value: 'FILE', isRead: true, read: file => parseJSON(readTextFile(file, '--schema: '), file),
    help: 'the columns of a $jsonSchema, or of schema --statistics; default: all fields'
  },
  json: { value: 'A,B.C', help: 'these fields as JSON text, whatever they hold' },
  unwind: { value: 'FIELD', help: 'a row for each item of this list, as $unwind' },
  'strict-types': { help: 'values of different types in one field are an error, not Extended JSON' },
  ...FOLDER_OPTIONS
}

/** How other programs get values that only BSON has. @type {Record<string, import('../options').Option>} */
const FORM_OPTIONS = {
  decimals: { value: 'HOW', help: 'decimal (default, with the digits they need), decimal(p,s), double, string, bytes' },
  ids: { value: 'HOW', help: 'ObjectIds and UUIDs as hex (default) or bytes' },
  geo: { value: 'A,B', help: 'GeoJSON geometry as Well-Known Binary, and GeoParquet in Parquet' }
}

const GROUPS = [READING_OPTIONS, CHOOSING_OPTIONS, COLUMN_OPTIONS]

/** @type {import('./index').Command} */
const toArrow = {
  about: 'write documents as columns of Apache Arrow (needs apache-arrow)',
  examples: [
    'qbson to-arrow --out people.arrow people.bson',
    'qbson to-arrow --stream --fields name,age --out people.arrows people.bson'
  ],
  options: { stream: { help: 'the IPC stream format; default: the file format' } },
  groups: [...GROUPS, FORM_OPTIONS],
  writesFolder: true,

  async *run(context) {
    const format = context.options.stream ? 'stream' : 'file'
    return yield* send(context, '.arrow', { name: 'arrow', options: { format, reuse: true } })
  }
}

const COMPRESSIONS = ['none', 'snappy', 'gzip', 'brotli', 'lz4', 'zstd']

/** @type {import('./index').Command} */
const toParquet = {
  about: 'write documents as Parquet (needs apache-arrow and parquet-wasm)',
  examples: [
    'qbson to-parquet --compression zstd --out people.parquet people.bson',
    'qbson to-parquet --out tables/ dump.archive'
  ],
  options: {
    compression: { value: 'NAME', choices: COMPRESSIONS, help: 'none, snappy (default), gzip, brotli, lz4 or zstd' },
    'row-group': { value: 'N', least: 1, help: 'rows in a row group (default 65536)' }
  },
  // a second thread takes 120 to 160 MB, and gains less than one half
  groups: [...GROUPS, FORM_OPTIONS, { workers: { ...CHOOSING_OPTIONS.workers, default: 1 } }],
  writesFolder: true,

  async *run(context) {
    const { compression, 'row-group': rowGroupSize } = context.options
    return yield* send(context, '.parquet', { name: 'parquet', options: { compression, rowGroupSize } })
  }
}

/** @type {import('./index').Command} */
const toCsv = {
  about: 'write documents as CSV: a column for each field, a.b for one in a document',
  examples: [
    'qbson to-csv --fields name,age --out people.csv people.bson',
    'qbson to-csv --out tables/ dump.archive'
  ],
  options: {
    'csv-safe': { help: 'an apostrophe before text that spreadsheets take for a formula' }
  },
  groups: GROUPS,
  writesFolder: true,

  async *run(context) {
    const { options } = context
    const isShown = options.out === undefined
    const style = { escapeFormulae: options['csv-safe'], escapeControls: isShown, fields: options.fields }
    return yield* send(context, '.csv', { name: 'csv', options: style })
  }
}

/** @param {import('./index').Context} context @param {string} extension of files in a folder */
async function* send(context, extension, format) {
  const source = new Source(context, { flat: format.name === 'csv' })
  const { folder } = context.targets
  checkOutput(context.targets, format.name)
  for await (const { of, piece } of source.written(format)) {
    if (folder === null) yield piece
    else await folder.write(of.namespace, of.file, { extension }, piece)
  }
  return source.code
}

module.exports = { toArrow, toParquet, toCsv }
