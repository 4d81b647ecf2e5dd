'use strict'

// Checks that work grows in proportion to the input: each family of hostile inputs at n, 2n, 4n, with each operation.
// Work is counted (work.js); CPU time is measured too, because native functions are not counted.

const { countWork } = require('./work')

/** The default n of a family when work is counted. */
const SIZE = 150

/**
 * Twice the input may take this many times the work: twice, and a margin for logarithmic growth and for learning.
 */
const FACTOR = 2.7

/** The most counts per byte (or character) of an input, and for the call itself. */
const PER_BYTE = 85
const PER_CALL = 40_000

/** Up to this count, work that grows sixfold can be counted at a larger size without hanging. */
const STEP = 200_000

/** Limits of CPU time: the factor for twice the input, the µs from which it counts, and how often in a row. */
const TIME_FACTOR = 3.2
const TIME_FLOOR = 60_000
const RETRIES = 5

/** Timed inputs are larger by this factor, since counting is slower. */
const TIMED = 16

/**
 * The most nanoseconds of CPU time per byte of an input. On a busy machine most take 2 to 100, and patterns that V8
 * has to compile up to 250.
 */
const NANOSECONDS_PER_BYTE = 900
const TIMED_BYTES = 5000

/** The µs from which nanoseconds per byte count: what is new to V8 may take several times as long on a busy machine. */
const PER_BYTE_FLOOR = 20_000

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

/** Runs an operation; any outcome is right except an unexpected error. */
async function quietly(operate, input) {
  const { BSONError } = require('../qbson')
  try {
    await operate(input)
  } catch (error) {
    if (!(error instanceof BSONError) && !(error instanceof SyntaxError)) return `${error.name}: ${String(error.message).slice(0, 100)}`
  }
  return undefined
}

/** How often each lesson is read first; every operation of a family adds to what is learned. */
const LESSONS = 4

/** Operations for which nothing is learned. */
const UNLEARNED = / \/ (rows of )?columns|schemaOf/

/** A family that makes its inputs once for all operations, unless they must be new for each. */
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
 * @param {boolean} [timed] whether to include the groups that are only about native functions
 * @param {number} [every] only each second, third … operation, from another one for each family
 * @returns {{family: any, operate: any, name: string, sizeOf: any}[]} every family by every operation of its group
 */
function combinations(filter = /./, timed = true, every = 1) {
  const chosen = groups().filter(({ isTimed = false }) => timed || !isTimed)
  return chosen.flatMap(({ name, families, operations, sizeOf }) => Object.entries(families).flatMap(([title, each], turn) => {
    const family = lasting(each)
    const all = Object.entries(operations)
    const chosen = all.filter((_, i) => (i + turn) % Math.min(every, all.length) === 0) // of each family at least one
    return chosen.map(([operation, operate]) => ({ name: `${name} / ${title} / ${operation}`, family, operate, sizeOf }))
  })).filter(({ name }) => filter.test(name))
}

/**
 * Counts one combination. If its work seems to grow too fast, it is also counted at four times the size, because passing
 * a threshold causes a single step.
 *
 * @param {{family: any, operate: any, sizeOf: any}} combination
 * @param {ReturnType<typeof countWork>} counter
 * @param {number} [usual] the initial n, unless the family has its own
 * @returns {Promise<{counts: number[], said?: string}>} `said`: the fault, if any
 */
async function countOne(combination, counter, usual = SIZE) {
  const { train, size = usual } = combination.family
  const lessons = UNLEARNED.test(combination.name) ? [] : train()
  for (const lesson of lessons) for (let i = 0; i < LESSONS; i++) await quietly(combination.operate, lesson)
  const first = await countAt(combination, counter, size)
  return first.said === undefined || !first.mayBeStep ? first : countAt(combination, counter, 4 * size)
}

/** Counts the work for an input of n. @returns {Promise<{count: number, bytes: number, said?: string}>} */
async function countInput({ family: { make }, operate, sizeOf }, counter, n) {
  const input = make(n)
  await quietly(operate, input) // does not count what is compiled or learned from it once
  let said
  const count = await counter.count(async () => { said = await quietly(operate, input) })
  const bytes = sizeOf(input)
  return { count, bytes, said: said ?? (count > PER_CALL + PER_BYTE * bytes ? `${count} steps for ${bytes} bytes` : undefined) }
}

/**
 * Counts one, two and four times the size; only the last if that is so little work that its growth does not matter.
 *
 * @returns {Promise<{counts: number[], said?: string, mayBeStep?: boolean}>}
 */
async function countAt(combination, counter, size) {
  const largest = await countInput(combination, counter, 4 * size)
  if (largest.said === undefined && largest.count <= PER_CALL) return { counts: [largest.count] }
  const counts = []
  const sizes = []
  for (const factor of [1, 2, 4]) {
    const { count, bytes, said } = factor === 4 ? largest : await countInput(combination, counter, factor * size)
    counts.push(count)
    sizes.push(bytes)
    if (said) return { counts, said }
    // work that doubles with every level would never end at the next size
    const isEndless = counts.length > 1 && count > PER_CALL && count > 6 * counts.at(-2)
    if (isEndless) return { counts, said: growthOf(counts), mayBeStep: count < STEP }
  }
  const growth = Number.isFinite(sizes[2]) ? sizes[2] / sizes[1] : 2 // names may be longer where there are more of them
  const isFast = () => counts[2] > PER_CALL && counts[2] > FACTOR / 2 * growth * counts[1]
  // the largest came first: perhaps a reader was learned after it
  if (isFast()) counts[2] = (await countInput(combination, counter, 4 * size)).count
  return isFast() ? { counts, said: growthOf(counts), mayBeStep: true } : { counts }
}

const growthOf = counts => `grows too fast: ${counts.join(', ')} steps`

const processorTime = async run => {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** Judges the microseconds for inputs of one, two and four times the size. Returns the fault, if any. */
function judgeTimes(times, bytes) {
  const perByte = bytes < TIMED_BYTES || times[2] < PER_BYTE_FLOOR ? 0 : 1000 * times[2] / bytes
  if (perByte > NANOSECONDS_PER_BYTE) return `takes ${Math.round(perByte)} ns a byte`
  if (times[2] < TIME_FLOOR || times[2] < TIME_FACTOR * times[1] || times[2] < TIME_FACTOR ** 2 * times[0]) return undefined
  return `takes ${times.map(time => Math.round(time / 1000)).join(', ')} ms`
}

/**
 * Times one combination; it fails only if it is too slow several times in a row. The largest input comes first, and alone
 * if that takes so little time that its growth does not matter.
 */
async function timeOne({ family: { make, timed = SIZE * TIMED, extra }, operate, sizeOf }) {
  const time = n => {
    const input = make(n)
    return processorTime(() => quietly(operate, input))
  }
  const bytes = sizeOf(make(4 * timed)) + extra(4 * timed)
  const first = await time(4 * timed)
  let times = [first]
  let said = first < TIME_FLOOR ? judgeTimes([0, 0, first], bytes) : 'is timed again'
  for (let i = 0; i < RETRIES && said !== undefined; i++) {
    times = []
    for (const n of [timed, 2 * timed, 4 * timed]) times.push(await time(n))
    said = judgeTimes(times, bytes)
  }
  return { times, said }
}

module.exports = { combinations, countOne, timeOne, judgeTimes, countWork }
