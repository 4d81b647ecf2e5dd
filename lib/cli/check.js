'use strict'

const { BSONType } = require('../spec')
const { BAD_DATA, CHOOSING_OPTIONS, OUT_OPTIONS, READING_OPTIONS, Range, exitCodeOf } = require('./options')
const { Input, nameOf } = require('./input')
const { printable } = require('./printable')

/**
 * What has been read of a collection.
 *
 * @typedef {{name: string, documents: number, bytes: number, types: Float64Array}} Seen
 */

/** @type {import('./commands').Command} */
const check = {
  args: '[options] [FILE...]',
  about: 'report documents, bytes, element types and the first fault',
  options: {},
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUT_OPTIONS],

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

/** An input that makes faults of documents part of the report. */
class CheckedInput extends Input {
  fail(file, error) {
    if (exitCodeOf(error) !== BAD_DATA) return super.fail(file, error)
    this.fault = error.message
    this.code = BAD_DATA
  }
}

/** @param {CheckedInput} input @param {string} file */
async function* checkFile(input, file) {
  /** @type {Map<string, Seen>} */
  const all = new Map()
  for await (const { block: { namespace }, result } of input.results({ task: 'check' })) {
    const { name } = namespace
    if (!all.has(name)) all.set(name, { name, documents: 0, bytes: 0, types: new Float64Array(256) })
    const seen = all.get(name)
    seen.documents += result.count
    seen.bytes += result.size
    for (let type = 0; type < 256; type++) seen.types[type] += result.found[type]
  }
  if (all.size === 0 && input.isCut) return input.code // it could not be read
  if (all.size === 0) all.set('', { name: '', documents: 0, bytes: 0, types: new Float64Array(256) })
  const isOne = input.current?.header === undefined && all.size === 1
  for (const seen of all.values()) yield describe(printable(isOne ? nameOf(file) : `${nameOf(file)} ${seen.name}`), seen)
  yield input.fault === undefined ? '  no fault\n' : `  fault: ${printable(input.fault)}\n`
  return input.code
}

/** @param {string} name @param {Seen} seen */
function describe(name, { documents, bytes, types }) {
  const met = Array.from(types, (times, type) => ({ times, type })).filter(({ times }) => times > 0)
  const frequent = met.sort((a, b) => b.times - a.times).map(({ times, type }) => `${TYPE_NAMES[type]} ${times}`)
  const listed = frequent.length > 0 ? `\n  types: ${frequent.join(', ')}` : ''
  return `${name}: ${plural(documents, 'good document')}, ${plural(bytes, 'byte')}${listed}\n`
}

function plural(n, what) {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

/** Type names by the type byte of an element, where MinKey's -1 is 255. */
const TYPE_NAMES = Object.fromEntries(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

module.exports = { check }
