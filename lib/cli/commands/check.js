'use strict'

const { BSONType } = require('../../spec')
const { plural, shownName } = require('../../errors')
const { BAD_DATA, exitCodeOf, nameOf, commandText } = require('../terminal/messages')
const { CHOOSING_OPTIONS, OUT_OPTIONS, FINDING_OPTIONS, except } = require('../options')
const { Input } = require('../input/input')
const { printable } = require('../terminal/printable')

/** The most ranges to list. */
const RANGES = 20

/** Type names by the type byte of an element, where MinKey's -1 is 255. */
const TYPE_NAMES = Object.fromEntries(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

/** @type {import('./index').Command} */
const check = {
  about: 'report documents, bytes, element types and the first error',
  examples: [
    'qbson check people.bson',
    'qbson check --keep-going --rejects damaged dump.archive'
  ],
  options: {},
  groups: [FINDING_OPTIONS, except(CHOOSING_OPTIONS, ['fields', 'replace-invalid']), OUT_OPTIONS],

  async *run(context) {
    const input = new CheckedInput(context)
    const isInTurn = ['sort', 'sample', 'tail'].every(name => context.options[name] === undefined) // file by file
    for await (const { file, block, result } of input.results({ task: 'check' })) {
      if (isInTurn) yield* input.reports(file)
      input.add(file, block, result)
    }
    yield* input.reports()
    return input.code
  }
}

/** What has been read of a collection. */
class Seen {
  documents = 0
  bytes = 0
  types = new Float64Array(256)

  text(name) {
    const seen = Array.from(this.types, (times, type) => ({ times, type })).filter(({ times }) => times > 0)
    const frequent = seen.sort((a, b) => b.times - a.times).map(({ times, type }) => `${TYPE_NAMES[type]} ${times}`)
    const listed = frequent.length > 0 ? `\n  types: ${frequent.join(', ')}` : ''
    return `${printable(name)}: ${plural(this.documents, 'good document')}, ${plural(this.bytes, 'byte')}${listed}\n`
  }
}

/** What is known of a file. */
class Report {
  /** @type {import('../../dump/open').Dump | null} */
  dump = null
  /** By the names of collections. @type {Map<string, Seen>} */
  collections = new Map()
  /** Bytes read. */
  end = 0
  /** @type {string[]} */
  errors = []
  /** Where the file is damaged: offsets, and lengths in bytes. */
  damage = []
  /** Whether it could not be read, so that nobody knows what is in it. */
  isUnread = false

  note(message, offset, length) {
    this.errors.push(commandText(message))
    if (offset !== undefined && length > 0) this.damage.push({ offset, length })
  }

  /** @param {string} file @param {number} start where its reading began */
  *text(file, start) {
    const { errors, collections, dump, isUnread } = this
    if (collections.size === 0 && isUnread && errors.length === 0) return
    if (collections.size === 0) collections.set('', new Seen())
    const isOne = dump?.header === undefined && collections.size === 1
    for (const [name, seen] of collections) yield seen.text(isOne ? nameOf(file) : `${nameOf(file)} ${name}`)
    if (errors.length === 0) return yield isUnread ? '  not all of it could be read\n' : '  no errors\n'
    yield `  error: ${printable(errors[0])}\n`
    if (errors.length > 1) yield `  and ${plural(errors.length - 1, 'more error')}\n`
    const ranges = dump?.plainFile === file ? this.intact(start) : []
    const shown = ranges.slice(0, RANGES).join(' ') + (ranges.length > RANGES ? ` and ${ranges.length - RANGES} more` : '')
    if (ranges.length > 0) yield `  intact, for --range: ${shown}\n`
  }

  /** @returns {string[]} the ranges without damage, for --range */
  intact(start) {
    const ranges = []
    for (const { offset, length } of [...this.damage, { offset: this.end, length: 0 }]) {
      if (offset > start) ranges.push(`${start}:${offset - start}`)
      start = Math.max(start, offset + length)
    }
    return ranges
  }
}

/** An input that makes errors of documents part of the reports. */
class CheckedInput extends Input {
  /** Of the files that were opened, in their order, until they are written. @type {Map<string, Report>} */
  all = new Map()

  constructor(context) {
    super(context, { isQuiet: true })
  }

  open(file, progress = null) {
    if (!this.all.has(file)) this.all.set(file, new Report())
    return (this.all.get(file).dump = super.open(file, progress))
  }

  add(file, { namespace, offset, bytes }, /** @type {any} */ { count, size, found }) {
    const { name } = namespace
    const report = this.all.get(file)
    report.end = Math.max(report.end, offset + bytes.length)
    if (!report.collections.has(name)) {
      report.collections.set(name, new Seen())
      if (namespace.metadataFault !== undefined) this.findFault(file, namespace)
    }
    const seen = report.collections.get(name)
    seen.documents += count
    seen.bytes += size
    found?.forEach((times, type) => { seen.types[type] += times })
  }

  async take(result, file, from) {
    await super.take(result, file, from)
    for (const { message, offset, bytes } of result.rejects) this.all.get(file).note(message, offset, bytes.length)
  }

  findFault(file, { name, metadataFault }) {
    this.all.get(file).note(`the options and indexes of ${shownName(name)} ${metadataFault}`, undefined, 0)
    this.code = Math.max(this.code, BAD_DATA)
  }

  fail(file, error) {
    const report = this.all.get(file)
    if (exitCodeOf(error) !== BAD_DATA) {
      super.fail(file, error)
      report.isUnread = true
      return
    }
    report.note(error.message, error.offset, Infinity)
    this.code = Math.max(this.code, BAD_DATA)
    this.isCut = true
  }

  /** @param {string} [next] a file that is still read @returns {Generator<string>} what is known of those before it */
  *reports(next) {
    for (const [file, report] of this.all) {
      if (file === next) return
      this.all.delete(file)
      yield* report.text(file, this.reading.range?.offset ?? 0)
    }
  }
}

module.exports = { check }
