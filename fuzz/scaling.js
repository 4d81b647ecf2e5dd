'use strict'

// Whether work grows in proportion: each family of hostile inputs at n, 2n, 4n, by each operation. Work is counted
// (work.js); processor time is looked at too, for what native functions do.

const { countWork } = require('./work')

/** A family begins with so many of whatever it has many of, where it does not say, when work is counted. */
const SIZE = 150

/**
 * Twice the input may take so many times the work: twice, and something for what grows with its logarithm and for what
 * is learned on the way.
 */
const FACTOR = 2.7

/** And no input more than so many counts for each of its bytes (or characters) and for the call. */
const PER_BYTE = 85
const PER_CALL = 40_000

/** Counts up to which what grows sixfold may be counted at a larger size without hanging. */
const STEP = 200_000

/** Processor time: this many times for twice the input, if it takes at all so long (in microseconds), so many times in a row. */
const TIME_FACTOR = 3.2
const TIME_FLOOR = 60_000
const RETRIES = 3

/** How much larger inputs are that are timed; counting is slower. */
const TIMED = 16

/**
 * And no input more than so many nanoseconds of processor time for each of its bytes: most take 2 to 100, patterns that
 * V8 has to compile up to 250, on a busy machine.
 */
const NANOSECONDS_PER_BYTE = 900
const TIMED_BYTES = 5000

function groups() {
  const operations = require('./operations')
  const bytes = require('./families/bytes').families
  const rare = require('./families/rare')
  const values = require('./families/values').families
  const texts = require('./families/texts')
  const wire = require('./families/wire')
  const files = require('./families/files')
  const total = chunks => chunks.reduce((sum, { length }) => sum + length, 0)
  return [
    { name: 'bytes', families: bytes, operations: operations.ofBytes, sizeOf: input => input.length },
    { name: 'values', families: values, operations: operations.ofValues, sizeOf: () => Infinity },
    { name: 'rare bytes', isTimed: true, families: rare.bytes, operations: operations.ofBytes, sizeOf: input => input.length },
    { name: 'rare texts', isTimed: true, families: rare.texts, operations: operations.ofTexts, sizeOf: input => input.length },
    { name: 'texts', families: texts.families, operations: operations.ofTexts, sizeOf: input => input.length },
    { name: 'strings', families: texts.strings, operations: operations.ofStrings, sizeOf: input => input.length },
    { name: 'messages', families: wire.families, operations: operations.ofMessages, sizeOf: input => input.length },
    { name: 'chunks', families: wire.chunks, operations: operations.ofChunks, sizeOf: input => 100 * input.length },
    { name: 'files', families: files.documents, operations: operations.ofFiles, sizeOf: total },
    { name: 'archives', families: files.archives, operations: operations.ofArchives, sizeOf: total }
  ]
}

/** What may come out: anything but an error that no caller expects. */
async function quietly(operate, input) {
  const { BSONError } = require('../qbson')
  try {
    await operate(input)
  } catch (error) {
    if (!(error instanceof BSONError) && !(error instanceof SyntaxError)) return `${error.name}: ${String(error.message).slice(0, 100)}`
  }
  return undefined
}

/** How often each lesson is read before; every operation of a family adds to what was learned. */
const LESSONS = 10

/** A family that makes its inputs once for all operations, but for those that are to be new for each. */
function lasting({ make, train = () => [], size, timed = size, extra = () => 0, isNew = false }) {
  const inputs = new Map()
  let lessons
  return {
    size,
    timed,
    extra,
    make(n) {
      if (isNew) return make(n)
      if (!inputs.has(n)) inputs.set(n, make(n))
      return inputs.get(n)
    },
    train: () => (lessons ??= train())
  }
}

/**
 * @param {RegExp} [filter]
 * @param {boolean} [timed] whether what native functions take is looked at: groups that are for that are left out else
 * @returns {{family: any, operate: any, name: string, sizeOf: any}[]} every family by every operation of its group
 */
function combinations(filter = /./, timed = true) {
  const chosen = groups().filter(({ isTimed = false }) => timed || !isTimed)
  return chosen.flatMap(({ name, families, operations, sizeOf }) => Object.entries(families).flatMap(([title, each]) => {
    const family = lasting(each)
    return Object.entries(operations).map(([operation, operate]) => ({ name: `${name} / ${title} / ${operation}`, family, operate, sizeOf }))
  })).filter(({ name }) => filter.test(name))
}

/**
 * Counts one combination. What seems to grow too fast is counted at four times the size too: where a threshold is passed
 * the work takes a step, once.
 *
 * @param {{family: any, operate: any, sizeOf: any}} combination
 * @param {ReturnType<typeof countWork>} counter
 * @param {number} [usual] the n to begin with, where the family does not say
 * @returns {Promise<{counts: number[], said?: string}>} `said`: what is wrong
 */
async function countOne(combination, counter, usual = SIZE) {
  const { train, size = usual } = combination.family
  for (const lesson of train()) for (let i = 0; i < LESSONS; i++) await quietly(combination.operate, lesson)
  const first = await countAt(combination, counter, size)
  return first.said === undefined || !first.mayBeStep ? first : countAt(combination, counter, 4 * size)
}

/** @returns {Promise<{counts: number[], said?: string, mayBeStep?: boolean}>} */
async function countAt({ family: { make }, operate, sizeOf }, counter, size) {
  const counts = []
  const sizes = []
  for (const factor of [1, 2, 4]) {
    const input = make(factor * size)
    await quietly(operate, input) // what is compiled or learned from it once is not the question
    let said
    counts.push(await counter.count(async () => { said = await quietly(operate, input) }))
    sizes.push(sizeOf(input))
    if (said) return { counts, said }
    const last = counts.at(-1)
    if (last > PER_CALL + PER_BYTE * sizes.at(-1)) return { counts, said: `${last} steps for ${sizes.at(-1)} bytes` }
    // what doubles with every level would never end at the next size
    if (counts.length > 1 && last > PER_CALL && last > 6 * counts.at(-2)) return { counts, said: growthOf(counts), mayBeStep: last < STEP }
  }
  const [, two, four] = counts
  const growth = Number.isFinite(sizes[2]) ? sizes[2] / sizes[1] : 2 // names may be longer where there are more of them
  return four > PER_CALL && four > FACTOR / 2 * growth * two ? { counts, said: growthOf(counts), mayBeStep: true } : { counts }
}

const growthOf = counts => `grows too fast: ${counts.join(', ')} steps`

const processorTime = async run => {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** What is wrong with the microseconds that inputs of one, two and four times the size take, if anything is. */
function judgeTimes(times, bytes) {
  const perByte = bytes < TIMED_BYTES ? 0 : 1000 * times[2] / bytes
  if (perByte > NANOSECONDS_PER_BYTE) return `takes ${Math.round(perByte)} ns a byte`
  if (times[2] < TIME_FLOOR || times[2] < TIME_FACTOR * times[1] || times[2] < TIME_FACTOR ** 2 * times[0]) return undefined
  return `takes ${times.map(time => Math.round(time / 1000)).join(', ')} ms`
}

/** Times one combination; only what is too slow again and again is wrong. */
async function timeOne({ family: { make, timed = SIZE * TIMED, extra }, operate, sizeOf }) {
  const time = n => {
    const input = make(n)
    return processorTime(() => quietly(operate, input))
  }
  let times
  let said
  for (let i = 0; i < RETRIES; i++) {
    times = []
    for (const n of [timed, 2 * timed, 4 * timed]) times.push(await time(n))
    said = judgeTimes(times, sizeOf(make(4 * timed)) + extra(4 * timed))
    if (said === undefined) return { times }
  }
  return { times, said }
}

module.exports = { combinations, countOne, timeOne, judgeTimes, countWork }
