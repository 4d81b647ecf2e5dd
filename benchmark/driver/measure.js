'use strict'

const { PerformanceObserver } = require('node:perf_hooks')
const { median } = require('../runner/stats')
const { distinct, figure, percent, wide } = require('../runner/tables')

/** A driver and its server take longer to settle than a codec: this many times the mode's milliseconds. */
const LONGER = 20
const WARM_MS = 1500 // at least, of the client's CPU
const QUICK_WARM_MS = 400

/** Measured besides the time, as separate operations; all in nanoseconds per document. */
const CPU = 'client CPU'
const GC = 'garbage collection'

/**
 * Repeats an operation for as long as the mode says.
 * @param {() => Promise<any>} run handles `count` documents
 * @param {{op: string, count: number, mode: any}} options
 * @returns {Promise<{op: string, ns: number}[]>} per document: the time, the client's CPU time, and its GC time
 */
async function measureClient(run, { op, count, mode }) {
  await warm(run, Math.max(mode.name === 'quick' ? QUICK_WARM_MS : WARM_MS, mode.warmMs * LONGER))
  const collections = watchCollections()
  const cpuBefore = process.cpuUsage()
  const times = await repeat(run, mode.samples * mode.sampleMs * LONGER)
  const { user, system } = process.cpuUsage(cpuBefore)
  const docs = times.length * count
  return [
    { op, ns: median(times) / count },
    { op: `${op} | ${CPU}`, ns: (user + system) * 1e3 / docs },
    { op: `${op} | ${GC}`, ns: await collections.end() / docs }
  ]
}

/** Runs until the client has used this much CPU time: for the optimiser, the server's time does not matter. */
async function warm(run, ms) {
  const before = process.cpuUsage()
  for (;;) {
    await run()
    const { user, system } = process.cpuUsage(before)
    if (user + system >= ms * 1e3) return
  }
}

/** Nanoseconds of each run. */
async function repeat(run, ms) {
  const times = []
  const end = performance.now() + ms
  do {
    const before = process.hrtime.bigint()
    await run()
    times.push(Number(process.hrtime.bigint() - before))
  } while (performance.now() < end)
  return times
}

/** Sums the pauses of the garbage collector until `end`, which gives nanoseconds. */
function watchCollections() {
  let ms = 0
  const add = list => { for (const { duration } of list.getEntries()) ms += duration }
  const observer = new PerformanceObserver(add)
  observer.observe({ entryTypes: ['gc'] })
  return {
    end: async () => {
      await new Promise(resolve => setImmediate(resolve))
      add({ getEntries: () => observer.takeRecords() })
      observer.disconnect()
      return Math.max(1, ms * 1e6)
    }
  }
}

/**
 * A row for each operation: both libraries, and the ratio of qbson to bson.
 * @param {import('../runner/results').Result[]} results
 * @returns {import('../runner/tables').Table[]}
 */
function driverTables(results) {
  const timed = results.filter(({ op }) => !op.includes(' | ') && op !== MEMORY)
  const rows = distinct(timed, 'subject').flatMap(subject => {
    const own = results.filter(result => result.subject === subject)
    return distinct(timed, 'op').map(op => operationRow(subject, op, own))
  })
  return [{
    title: 'documents a second, client CPU of a document, and the share of garbage collection in it',
    head: ['', 'bson docs/s', 'qbson docs/s', 'qbson : bson', 'spread', 'bson µs', 'qbson µs', 'bson GC', 'qbson GC'],
    rows
  }, jsonTable(results), ...rawTables(timed)]
}

function operationRow(subject, op, results) {
  const result = (contender, what = op) => results.find(one => one.contender === contender && one.op === what)
  const libraries = ['bson', 'qbson']
  const cpu = libraries.map(name => result(name, `${op} | ${CPU}`)?.ns)
  const gc = libraries.map(name => result(name, `${op} | ${GC}`)?.ns)
  const { relative, relativeSpread } = result('qbson') ?? {}
  return [
    `${op}: ${subject}`,
    ...libraries.map(name => figure(1e9 / result(name)?.ns)),
    relative === undefined ? '—' : wide(figure(relative / 100), relativeSpread > 0.1),
    relative === undefined ? '—' : percent(relativeSpread),
    ...cpu.map(ns => figure(ns / 1000)),
    ...gc.map((ns, i) => ns ? `${Math.round(100 * ns / cpu[i])} %` : '—')
  ]
}

/** The memory, besides the times. */
const MEMORY = 'memory'

/** The client's cost of sending the found documents as JSON, and the target for it. */
function jsonTable(results) {
  const cpuOf = results.filter(({ op }) => op.includes('to JSON') && op.endsWith(` | ${CPU}`))
  const rows = cpuOf.filter(({ contender }) => contender === 'qbson').map(({ op, subject, ns }) => {
    const bson = cpuOf.find(one => one.contender === 'bson' && one.op === op && one.subject === subject)
    return [`${op.slice(0, -` | ${CPU}`.length)}: ${subject}`, figure(bson?.ns / 1000), figure(ns / 1000), figure(bson?.ns / ns), 'at least 3']
  })
  const mb = results.find(({ op }) => op === MEMORY)?.extra?.mb
  rows.push(['memory for a million documents of 440 bytes, MB more than at rest', '—', figure(mb), '—', 'at most 60'])
  const title = 'to JSON: client CPU of a document, µs. With bson it is `JSON.stringify(await find.toArray())` as bytes, with qbson ' +
    '`jsonArray(find)`; the driver is on bson for both, and in the rows that say so on qbson for qbson'
  return { title, head: ['', 'bson', 'qbson', 'times', 'target'], rows }
}

/** How close a find comes to one that decodes nothing. */
function rawTables(timed) {
  const rows = timed.filter(({ op }) => op.endsWith(', raw: true')).map(raw => {
    const op = raw.op.slice(0, -', raw: true'.length)
    const decoded = timed.find(one => one.op === op && one.subject === raw.subject && one.contender === raw.contender)
    return decoded && [`${op}: ${raw.subject}, ${raw.contender}`, `${Math.round(100 * raw.ns / decoded.ns)} %`]
  }).filter(Boolean)
  return rows.length ? [{ title: 'rate of a find as a share of its rate with raw: true', head: ['', 'share'], rows }] : []
}

module.exports = { measureClient, driverTables, MEMORY }
