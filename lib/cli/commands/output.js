'use strict'

// How documents are written: their format, one output, one for each collection, or an archive.

const path = require('node:path')
const { BSONError, shownName } = require('../../errors')
const { concat } = require('../../bytes')
const { ArchiveWriter, Namespace, parseNamespace } = require('../../dump')
const { UsageError, say } = require('../terminal/messages')
const { isReadTwice } = require('../input/input')
const { FOLDER_OPTIONS } = require('../options')

/** @type {Record<string, import('../options').Option>} */
const OUTPUT_OPTIONS = {
  to: {
    value: 'FORMAT', choices: ['relaxed', 'canonical', 'json', 'bson', 'archive'], excludes: ['relaxed', 'canonical'],
    help: 'relaxed, canonical (Extended JSON), json, bson or archive'
  },
  array: { help: 'JSON: one array, not a document per line' },
  ...FOLDER_OPTIONS
}

/**
 * @typedef {import('../input/input').Input} Input
 * @typedef {'relaxed' | 'canonical' | 'json' | 'bson' | 'archive'} OutputFormat
 */

/** @param {Record<string, any>} options @param {OutputFormat} otherwise @returns {OutputFormat} @throws {UsageError} */
function outputFormatOf(options, otherwise) {
  const { canonical, relaxed, pretty, array, to } = options
  const format = to ?? (canonical ? 'canonical' : relaxed ? 'relaxed' : otherwise)
  const isText = format !== 'bson' && format !== 'archive'
  if (!isText && (pretty || array)) throw new UsageError(`--${pretty ? 'pretty' : 'array'} is for JSON, not for ${format}`)
  return format
}

/** What the ending of a file's name promises, and what writes it. */
const ENDINGS = {
  json: ['JSON', '--to relaxed'], bson: ['BSON', '--to bson'], csv: ['CSV', 'to-csv'], arrow: ['Arrow', 'to-arrow'],
  parquet: ['Parquet', 'to-parquet']
}

/** Refuses an output that does not suit a format. @param {import('../output/targets').Targets} targets */
function checkOutput({ folder, out, options }, format) {
  if (folder !== null) return
  const [, ending] = /\.(json|bson|csv|arrow|parquet)(?:\.gz|\.zst)?$/.exec(options.out?.toLowerCase() ?? '') ?? []
  const written = { relaxed: 'json', canonical: 'json', archive: 'bson' }[format] ?? format // archives may be called .bson
  if (ending !== undefined && ending !== written) {
    const [title, way] = ENDINGS[ending]
    throw new UsageError(`${options.out} would not hold ${title}: qbson ${way} writes it`)
  }
  const isRenamed = options['ns-from'] !== undefined && format !== 'archive'
  if (isRenamed) throw new UsageError('--ns-from needs --out FOLDER/ or --to archive: no other output has the names of collections')
  if (['bson', 'archive', 'arrow', 'parquet'].includes(format)) out.refuseTerminal()
}

/** Writes the documents of the input. @param {Partial<import('../tasks/documents').Plan>} [own] what else is done */
async function* send(input, format, own) {
  const { targets, options: { array, name, pretty } } = input
  const isText = format !== 'bson' && format !== 'archive'
  /** @type {import('../tasks/documents').Plan} */
  const plan = { task: 'write', format: { name: isText ? format : 'bson', pretty, isArray: array }, ...own }
  checkOutput(targets, format)
  if (format === 'archive') {
    if (targets.folder !== null) throw new UsageError('an archive is a single file: --out FOLDER/ needs another format')
    yield* archiveOf(withMetadata(input.results(plan), input), input)
  } else if (targets.folder !== null) {
    const folderForm = { extension: isText ? '.json' : '.bson', isArray: array, hasMetadata: !isText }
    const results = isText ? input.results(plan) : withMetadata(input.results(plan), input)
    for await (const { file, block, result: { output } } of results) {
      await targets.folder.write(block.namespace ?? namespaceOfText(file, name), file, folderForm, output)
    }
  } else {
    targets.out.isArray = Boolean(array)
    for await (const { result: { output } } of input.results(plan)) if (output !== null) yield output
  }
  return input.code
}

/** Says whose metadata is broken. @param {ReturnType<Input['results']>} results @param {Input} input */
async function* withMetadata(results, input) {
  const said = new Set()
  for await (const step of results) {
    const { file, block: { namespace } } = step
    if (namespace?.metadataFault !== undefined && !said.has(namespace.name)) {
      said.add(namespace.name)
      input.findFault(file, namespace)
    }
    yield step
  }
}

/** @param {string} file of JSON: `shop/orders.json` @param {string} [name] of the collection @returns {Namespace} */
function namespaceOfText(file, name) {
  if (name !== undefined || file === '-') return parseNamespace(name ?? '')
  const folder = path.basename(path.dirname(path.resolve(file)))
  return new Namespace(folder, path.basename(file).replace(/(\.gz|\.zst)?$/, '').replace(/\.[a-z]*json[a-z]*$/i, ''))
}

async function* archiveOf(results, input) {
  const isRepaired = input.keepsGoing && input.files.every(isReadTwice)
  let writer = input.files.length > 1 || isRepaired ? await writerOf(input) : null
  if (writer !== null) yield writer.begin()
  for await (const { block: { namespace }, result: { output } } of results) {
    if (writer === null) yield (writer = new ArchiveWriter(input.namesOf(input.current), input.current.header)).begin()
    if (output === null) continue
    if (!writer.open.has(namespace.name)) {
      const missing = `the list of collections at the beginning of the archive has no ${shownName(namespace.name)}`
      throw new BSONError(`${missing}: write a folder, with --out FOLDER/`)
    }
    yield concat(writer.add(namespace, output))
  }
  if (writer === null) yield (writer = new ArchiveWriter([])).begin()
  if (!input.isCut || input.options['keep-going']) yield writer.end()
}

/**
 * Looks into the beginning of each file, because an archive starts with the names of all collections; into all of one
 * whose beginning is damaged. Those of one name become one collection.
 */
async function writerOf(input) {
  if (!input.files.every(isReadTwice)) {
    throw new UsageError('an archive can be written from standard input or from files, not from both; a pipe is like the former')
  }
  /** @type {Map<string, import('../../dump/namespace').Namespace>} */
  const namespaces = new Map()
  let header
  for (const file of input.files) {
    const dump = input.open(file)
    let isDamaged = false
    try {
      for await (const { error } of dump.withErrors()) if (!(isDamaged ||= error !== undefined)) break
    } catch (error) {
      if (!(error instanceof BSONError) && error.syscall === undefined) throw error // reported when the file is read
    }
    for (const namespace of input.namesOf(dump)) {
      const known = namespaces.get(namespace.name)
      if (known === undefined) namespaces.set(namespace.name, namespace)
      else if (known.metadata !== namespace.metadata) {
        say(input.io, `${namespace.name}: options and indexes are those of an earlier file, not of ${file}`)
      }
    }
    header ??= dump.header
  }
  return new ArchiveWriter([...namespaces.values()], header)
}

module.exports = { OUTPUT_OPTIONS, checkOutput, outputFormatOf, send }
