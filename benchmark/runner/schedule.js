'use strict'

const { contenders } = require('../contenders')
const { titleOf } = require('./machine')
const { ask, start } = require('./process')
const { median, spread, relativeRates } = require('./stats')

/**
 * @param {any} suite
 * @param {any} mode
 * @param {RegExp | null} filter
 * @returns {any[]} the cases of a suite that match the filter, and the baseline's cases for them
 */
function chosenCases(suite, mode, filter) {
  const cases = suite.cases(mode).filter(item => mode.name !== 'quick' || !isLeftOut(suite, item))
  if (!filter) return cases
  const chosen = cases.filter(item => filter.test(caseName(suite, item)))
  const beside = new Set(chosen.map(item => `${item.subject}\n${item.op}`))
  return cases.filter(item => {
    return chosen.includes(item) || (item.contender === suite.baseline && beside.has(`${item.subject}\n${item.op}`))
  })
}

/** --quick leaves out contenders that are seldom the fastest. */
function isLeftOut(suite, { contender }) {
  return contender !== suite.baseline && contenders[contender]?.slow === true
}

/** @returns {string} `suite / subject / operation / contender` */
function caseName(suite, item) {
  return [suite.name, item.subject, item.op, item.contender].join(' / ')
}

/**
 * Prepares and checks cases of a suite in one process.
 * @returns {Promise<any[]>} the cases that failed, with the reason
 */
async function verify(suite, cases, node, mode) {
  const failures = await ask(node, [], [], { suite: suite.name, verify: cases, mode })
  return failures.map(failure => ({ suite: suite.name, node: node.version, ...failure }))
}

/** Checks two suites at a time, since nothing is timed yet. */
async function verifyAll(chosen, nodes, mode, progress) {
  const waiting = chosen.filter(({ cases }) => cases.length > 0)
  const failures = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const node of nodes) {
        progress(`checking ${next.suite.name} on ${titleOf(node.version)}`)
        failures.push(...await verify(next.suite, next.cases, node, mode))
      }
    }
  }
  await Promise.all([work(), work()])
  return failures
}

const key = ({ subject, op, contender }) => JSON.stringify([subject, op, contender])

/**
 * Times all cases of all suites: round by round, within a round subject by subject, the contenders side by side, each in
 * a fresh process.
 * @param {{suites: any[], nodes: any[], mode: any, filter: RegExp | null, prefix: string[]}} plan
 * @param {(text: string) => void} progress
 * @returns {Promise<{rows: any[], failures: any[]}>}
 */
async function schedule({ suites, nodes, mode, filter, prefix }, progress) {
  const chosen = []
  for (const suite of suites) {
    if (suite.setup) progress(`preparing ${suite.name}`)
    await suite.setup?.(mode)
    chosen.push({ suite, cases: chosenCases(suite, mode, filter) })
  }
  const failures = await verifyAll(chosen, nodes, mode, progress)
  const jobs = chosen.flatMap(({ suite, cases }) => cases.flatMap(item => {
    return nodes.filter(node => !node.contenders || takesPart(node, suite, item)).map(node => ({ suite, item, node }))
  }))
  const failing = new Set(failures.map(failure => failure.suite + failure.node + key(failure)))
  const able = jobs.filter(({ suite, item, node }) => !failing.has(suite.name + node.version + key(item)))
  return { rows: await rounds(able, mode, prefix, failures, progress), failures }
}

/** Whether a case runs in a page: only some contenders do, and only cases that the suite allows. */
function takesPart({ contenders }, { page }, item) {
  return contenders.includes(item.contender) && (page?.isCase?.(item) ?? true)
}

async function rounds(jobs, mode, prefix, failures, progress) {
  const collected = new Map()
  const roundsOf = ({ suite }) => suite.rounds?.(mode) ?? mode.rounds
  const total = jobs.reduce((sum, job) => sum + roundsOf(job), 0)
  const started = Date.now()
  let done = 0
  for (let round = 0; round < Math.max(...jobs.map(roundsOf), 0); round++) {
    for (const group of groupsOf(jobs.filter(job => round < roundsOf(job)))) {
      const [{ suite, item, node }] = group
      progress(`round ${round + 1}, ${Math.round(100 * done / total)} %, ${Math.round((Date.now() - started) / 1000)} s: ` +
        `${[suite.name, item.subject, item.op].join(' / ')}, ${titleOf(node.version)}`)
      done += group.length
      for (const row of await runGroup(group, { ...mode, round }, prefix, failures)) collect(collected, row)
    }
  }
  return [...collected.values()]
}

/** Groups jobs by subject and operation, in order of first appearance. @returns {any[][]} */
function groupsOf(jobs) {
  const groups = new Map()
  for (const job of jobs) {
    const { suite, item: { subject, op }, node } = job
    const id = JSON.stringify([suite.name, node.version, subject, op])
    if (groups.has(id)) groups.get(id).push(job)
    else groups.set(id, [job])
  }
  return [...groups.values()]
}

/**
 * Runs a process for each job. They prepare and warm up one after the other, and then take samples in turn, so that
 * other load on the machine affects all of them.
 */
async function runGroup(group, mode, prefix, failures) {
  const processes = []
  let waiting = []
  for (const { suite, item: { flags = [], prefix: own = [], ...rest }, node } of group) {
    const process = start(node, [...prefix, ...own], flags, { suite: suite.name, case: rest, mode })
    processes.push(process)
    if (await process.goOn()) waiting.push(process)
  }
  while (waiting.length > 0) waiting = await turnOf(waiting)
  const rows = []
  for (const [i, job] of group.entries()) rows.push(...await rowsOf(job, processes[i], failures))
  return rows.map(row => ({ ...row, ...comparison(row, rows, group[0].suite.baseline) }))
}

/** @returns {Promise<any[]>} those that have not ended after this turn */
async function turnOf(waiting) {
  const still = []
  for (const process of waiting) if (await process.goOn()) still.push(process)
  return still
}

async function rowsOf({ suite, item, node }, process, failures) {
  try {
    return (await process.answer).map(row => ({ suite: suite.name, node: node.version, contender: item.contender, ...row }))
  } catch (error) {
    const { flags, prefix, ...rest } = item
    failures.push({ suite: suite.name, node: node.version, ...rest, reason: error.message })
    return []
  }
}

/** The rate of a row relative to the baseline, turn by turn: the median of the turns, and its spread. */
function comparison(row, rows, baseline) {
  const beside = rows.find(({ subject, op, contender }) => contender === baseline && subject === row.subject && op === row.op)
  if (!row.samples || !beside?.samples) return {}
  const rates = relativeRates(row.samples, beside.samples)
  return { rate: median(rates), rateSpread: spread(rates) }
}

/** Gathers the rows of each case: `rounds` has their ns, `rates` their rates. */
function collect(collected, { ns, rate, samples, ...row }) {
  const id = row.suite + row.node + key(row)
  const known = collected.get(id)
  if (known) known.rounds.push(ns)
  else collected.set(id, { sampleSpread: samples && spread(samples), ...row, rounds: [ns], ...(rate && { rates: [] }) })
  collected.get(id).rates?.push(rate)
}

module.exports = { schedule, chosenCases, caseName, key }
