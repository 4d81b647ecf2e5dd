'use strict'

const { BSONType } = require('../../spec')
const { plural, shownName } = require('../../errors')
const { BAD_DATA, exitCodeOf, nameOf, commandText } = require('../terminal/messages')
const { CHOOSING_OPTIONS, OUT_OPTIONS, FINDING_OPTIONS, Range, except } = require('../options')
const { Input } = require('../input/input')
const { printable } = require('../terminal/printable')

/** What has been read of a collection. @param {string} name */
const unseen = name => ({ name, documents: 0, bytes: 0, types: new Float64Array(256) })

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
    const range = new Range(context.options)
    let worst = 0
    for (const file of context.files) {
      if (range.isOver) break
      const input = new CheckedInput({ ...context, files: [file] }, { isQuiet: true, range })
      worst = Math.max(worst, yield* checkFile(input, file))
    }
    return worst
  }
}

/** An input that makes errors of documents part of the report. */
class CheckedInput extends Input {
  constructor(context, how) {
    super(context, how)
    /** @type {string[]} */
    this.errors = []
    /** Where the file is damaged: offsets, and lengths in bytes. @type {{offset: number, length: number}[]} */
    this.damage = []
    /** Whether a file could not be read, so that nobody knows what is in it. */
    this.isUnread = false
  }

  async take(result, file) {
    await super.take(result, file)
    for (const { message, offset, bytes } of result.rejects) this.note(message, offset, bytes.length)
  }

  findFault(file, { name, metadataFault }) {
    this.note(`the options and indexes of ${shownName(name)} ${metadataFault}`, undefined, 0)
    this.code = BAD_DATA
  }

  fail(file, error) {
    if (exitCodeOf(error) !== BAD_DATA) {
      super.fail(file, error)
      this.isUnread = true
      return
    }
    this.note(error.message, error.offset, Infinity)
    this.code = BAD_DATA
    this.isCut = true
  }

  note(message, offset, length) {
    this.errors.push(commandText(message))
    if (offset !== undefined && length > 0) this.damage.push({ offset, length })
  }

  /** @param {number} end bytes read @returns {string[]} the ranges without damage, for --range */
  intact(end) {
    const ranges = []
    let start = this.reading.range?.offset ?? 0
    for (const { offset, length } of [...this.damage, { offset: end, length: 0 }]) {
      if (offset > start) ranges.push(`${start}:${offset - start}`)
      start = Math.max(start, offset + length)
    }
    return ranges
  }

  /** @param {number} end bytes read @param {string} file */
  *reports(end, file) {
    const { errors, current } = this
    if (errors.length === 0) return yield this.isUnread ? '  not all of it could be read\n' : '  no errors\n'
    yield `  error: ${printable(errors[0])}\n`
    if (errors.length > 1) yield `  and ${plural(errors.length - 1, 'more error')}\n`
    const ranges = current?.plainFile === file ? this.intact(end) : []
    const shown = ranges.slice(0, RANGES).join(' ') + (ranges.length > RANGES ? ` and ${ranges.length - RANGES} more` : '')
    if (ranges.length > 0) yield `  intact, for --range: ${shown}\n`
  }
}

/** The most ranges to list. */
const RANGES = 20

/** @param {CheckedInput} input @param {string} file */
async function* checkFile(input, file) {
  /** @type {Map<string, ReturnType<typeof unseen>>} */
  const all = new Map()
  let end = 0
  for await (const { block: { namespace, offset, bytes }, result } of input.results({ task: 'check' })) {
    const { name } = namespace
    end = offset + bytes.length
    if (!all.has(name)) {
      all.set(name, unseen(name))
      if (namespace.metadataFault !== undefined) input.findFault(file, namespace)
    }
    const seen = all.get(name)
    seen.documents += result.count
    seen.bytes += result.size
    result.found?.forEach((times, type) => { seen.types[type] += times })
  }
  if (all.size === 0 && input.errors.length === 0 && input.isCut) return input.code // it could not be read
  if (all.size === 0) all.set('', unseen(''))
  const isOne = input.current?.header === undefined && all.size === 1
  for (const seen of all.values()) yield describe(printable(isOne ? nameOf(file) : `${nameOf(file)} ${seen.name}`), seen)
  yield* input.reports(end, file)
  return input.code
}

/** @param {string} name @param {ReturnType<typeof unseen>} seen */
function describe(name, { documents, bytes, types }) {
  const seen = Array.from(types, (times, type) => ({ times, type })).filter(({ times }) => times > 0)
  const frequent = seen.sort((a, b) => b.times - a.times).map(({ times, type }) => `${TYPE_NAMES[type]} ${times}`)
  const listed = frequent.length > 0 ? `\n  types: ${frequent.join(', ')}` : ''
  return `${name}: ${plural(documents, 'good document')}, ${plural(bytes, 'byte')}${listed}\n`
}

/** Type names by the type byte of an element, where MinKey's -1 is 255. */
const TYPE_NAMES = Object.fromEntries(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

module.exports = { check }
