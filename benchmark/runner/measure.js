'use strict'

const timeit = require('qtimeit')
const { median } = require('./stats')

const SILENT = '/* NOOUTPUT */' // with this message, qtimeit prints nothing

/**
 * The result of a suite's `prepare`: `run` (or `runAsync`) does `ops` operations, or `measure` does its own timing.
 * @typedef {object} Work
 * @property {() => void} [run] does `ops` operations, synchronously
 * @property {() => Promise<void>} [runAsync] does `ops` operations
 * @property {number} [ops] operations per run
 * @property {number} [warmUp] a factor for the mode's warm-up, for operations of a microsecond or more
 * @property {number} [bytes] encoded bytes per operation, on average: for the MB/s
 * @property {Record<string, any>} [extra] further figures for the tables
 * @property {(mode: Mode) => Row[] | Promise<Row[]>} [measure] does its own timing; one row per subject
 * @property {() => any} [check] throws when the outputs are wrong; runs before anything is timed
 * @property {() => any} [close] closes whatever `prepare` opened
 *
 * @typedef {object} Row
 * @property {string} [subject] default: the subject of the case
 * @property {string} [op] default: the operation of the case
 * @property {number} ns nanoseconds per operation
 * @property {number[]} [samples] the same for each sample, one per turn
 * @property {number} [allocated] bytes allocated per operation
 * @property {number} [bytes] encoded bytes per operation
 * @property {Record<string, any>} [extra]
 *
 * @typedef {object} Mode
 * @property {string} name quick, normal or thorough
 * @property {number} rounds fresh processes per case
 * @property {number} warmMs warm-up before the first sample
 * @property {number} sampleMs length of a sample
 * @property {number} samples samples per process
 * @property {number} [round] from 0; allocated bytes are measured only in the first
 * @property {boolean} [brief] set while checking: some of the documents are enough
 * @property {string} cache directory for generated data
 * @property {() => void} [turn] called before each sample, to give the other contenders their turn
 */

/** CPU time of this process, in milliseconds. */
function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Runs `run` for `ms` of CPU time, at least twice.
 * @param {() => void} run
 * @param {number} ms
 * @returns {void}
 */
function warm(run, ms) {
  const end = processorMs() + ms
  run()
  do run()
  while (processorMs() < end)
}

/** How many runs fill a sample; a multiple of 5, since qtimeit calls in fives. */
function runsFor(run, sampleMs) {
  let runs = 1
  for (;;) {
    const start = timeit.fptime()
    for (let i = 0; i < runs; i++) run()
    const ms = (timeit.fptime() - start) * 1000
    if (ms >= sampleMs / 4) return Math.max(5, Math.round(runs * sampleMs / ms / 5) * 5)
    runs *= 2
  }
}

/**
 * The wall-clock seconds of an operation, minus the time that the operating system gave to other processes: at most the
 * CPU time of this process and its threads.
 * @param {() => any} operate
 * @returns {{seconds: number, share: number, result: any}} the share of the time during which this process ran, at most 1
 */
function timeOf(operate) {
  const before = process.cpuUsage()
  const start = timeit.fptime()
  const result = operate()
  const wall = timeit.fptime() - start
  const { user, system } = process.cpuUsage(before)
  const seconds = Math.min(wall, (user + system) / 1e6)
  return { seconds, share: seconds / wall, result }
}

/**
 * Nanoseconds an operation, by qtimeit, once per sample.
 * @param {Work} work with `run` and `ops`
 * @param {Mode} mode
 * @returns {number[]}
 */
function sample(work, mode) {
  warm(work.run, mode.warmMs * (work.warmUp ?? 1))
  const runs = runsFor(work.run, mode.sampleMs)
  return Array.from({ length: mode.samples }, () => {
    mode.turn?.()
    const { share, result: { elapsed, count } } = timeOf(() => timeit(runs, work.run, SILENT))
    return share * elapsed * 1e9 / (count * work.ops)
  })
}

/**
 * The same for asynchronous operations.
 * @param {Work} work with `runAsync` and `ops`
 * @param {Mode} mode
 * @returns {Promise<number[]>}
 */
async function sampleAsync(work, mode) {
  const end = timeit.fptime() + mode.warmMs / 1000
  do await work.runAsync()
  while (timeit.fptime() < end)
  const samples = []
  while (samples.length < mode.samples) {
    mode.turn?.()
    samples.push(await sampleOnce(work, mode.sampleMs))
  }
  return samples
}

async function sampleOnce(work, sampleMs) {
  const start = timeit.fptime()
  let count = 0
  let elapsed
  do {
    await work.runAsync()
    count += work.ops
    elapsed = timeit.fptime() - start
  } while (elapsed * 1000 < sampleMs)
  return elapsed * 1e9 / count
}

/** Bytes of the JavaScript heap and of array buffers in use. */
function used() {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** The growth in bytes of the memory in use over `runs` runs; too small or negative if a collection ran. */
function growth(run, runs) {
  const before = used()
  for (let i = 0; i < runs; i++) run()
  return used() - before
}

/**
 * Bytes allocated per operation. Memory in use is read before and after short spans of runs. A span with a collection
 * shows too little, so the mean is only over spans between half and twice the median.
 * @param {Work} work with `run` and `ops`
 * @param {number} [spans]
 * @returns {number}
 */
function allocated(work, spans = 15) {
  const start = timeit.fptime()
  work.run()
  const isSlow = timeit.fptime() - start > SLOW
  return median(isSlow ? [allocatedOnce(work, 3)] : [0, 0, 0].map(() => allocatedOnce(work, spans)))
}

/** Runs that take longer than this, in seconds, are measured in fewer spans. */
const SLOW = 0.005

function allocatedOnce(work, spans) {
  const overhead = growth(() => {}, 1)
  const runs = runsToGrow(work.run)
  const grown = []
  for (let i = 0; i < spans; i++) grown.push(growth(work.run, runs) - overhead)
  return trimmedMean(grown) / (runs * work.ops)
}

/** How many runs allocate `SPAN`. Fewer for long runs, because a collection in every run hides the allocation. */
function runsToGrow(run) {
  const end = timeit.fptime() + SLOW
  let runs = 1
  while (timeit.fptime() < end && largest(run, runs) < SPAN) runs *= 2
  return runs
}

/** Bytes that a span should allocate: far less than the young generation, so that few spans have a collection. */
const SPAN = 65536

const largest = (run, runs) => Math.max(growth(run, runs), growth(run, runs), growth(run, runs))

/** The mean of the positive values between half and twice the upper median. */
function trimmedMean(values) {
  const positive = values.filter(value => value > 0).sort((a, b) => a - b)
  if (positive.length === 0) return 0
  const middle = positive[Math.floor(positive.length * 0.6)]
  const near = positive.filter(value => value >= middle / 2 && value <= middle * 2)
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

module.exports = { sample, sampleAsync, processorMs, timeOf, allocated, trimmedMean }
