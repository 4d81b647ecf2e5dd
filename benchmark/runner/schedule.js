'use strict'

const path = require('node:path')
const { spawn } = require('node:child_process')

const { contenders } = require('../contenders')
const { titleOf } = require('./machine')

const CHILD = path.join(__dirname, 'child.js')

/** A process that takes longer has failed; the command before it may have to wait for a processor. */
const LONGEST = 600_000 // ms

/**
 * Runs one request in a fresh process.
 * @param {{path: string, args?: string[], ask?: (request: any) => Promise<any>}} node
 * @param {string[]} prefix command put before it
 * @param {string[]} flags for Node
 * @param {any} request what the script takes
 * @param {string} [script]
 * @returns {Promise<any>} what it printed
 * @throws {Error} when it fails, with the last lines of its standard error
 */
function ask(node, prefix, flags, request, script = CHILD) {
  if (node.ask) return node.ask(request)
  const [command, ...args] = [
    ...prefix, node.path, ...(node.args ?? flags), script, JSON.stringify(request) // flags are those of Node
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST, killSignal: 'SIGKILL' })
    const out = []
    const err = []
    child.stdout.on('data', chunk => out.push(chunk))
    child.stderr.on('data', chunk => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal) return reject(new Error(`ended by ${signal}, after at most ${LONGEST / 1000} s`))
      if (code === 0) return resolve(JSON.parse(Buffer.concat(out).toString()))
      const lines = Buffer.concat(err).toString().trim().split('\n')
      reject(new Error(lines.find(line => /Error/.test(line)) ?? lines.at(-1) ?? `exit code ${code}`))
    })
  })
}

/**
 * @param {any} suite
 * @param {any} mode
 * @param {RegExp | null} filter
 * @returns {any[]} the cases of a suite that the filter takes; the baseline's always beside them
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
 * @returns {Promise<any[]>} the cases that cannot take part, with the reason
 */
async function verify(suite, cases, node, mode) {
  const failures = await ask(node, [], [], { suite: suite.name, verify: cases, mode })
  return failures.map(failure => ({ suite: suite.name, node: node.version, ...failure }))
}

/** Nothing is timed yet: two suites at a time. */
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
 * Times all cases of all suites: round by round, within a round case by case, the contenders and Node versions of a
 * case directly after one another, each in a fresh process.
 * @param {{suites: any[], nodes: any[], mode: any, filter: RegExp | null, prefix: string[]}} plan
 * @param {(text: string) => void} progress
 * @returns {Promise<{rows: any[], failures: any[]}>}
 */
async function schedule({ suites, nodes, mode, filter, prefix }, progress) {
  const chosen = []
  for (const suite of suites) {
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

/** In a page: few, and what the suite says. */
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
    for (const job of jobs.filter(job => round < roundsOf(job))) {
      progress(`round ${round + 1}, ${Math.round(100 * done++ / total)} %, ` +
        `${Math.round((Date.now() - started) / 1000)} s: ${caseName(job.suite, job.item)}`)
      await runJob(job, { ...mode, round }, prefix, collected, failures)
    }
  }
  return [...collected.values()]
}

async function runJob({ suite, item, node }, mode, prefix, collected, failures) {
  const { flags = [], prefix: own = [], ...rest } = item
  try {
    for (const row of await ask(node, [...prefix, ...own], flags, { suite: suite.name, case: rest, mode })) {
      collect(collected, { suite: suite.name, node: node.version, contender: item.contender, ...row })
    }
  } catch (error) {
    failures.push({ suite: suite.name, node: node.version, ...rest, reason: error.message })
  }
}

/** Rows of the same case are gathered: `rounds` has the ns of each. */
function collect(collected, { ns, ...row }) {
  const id = row.suite + row.node + key(row)
  const known = collected.get(id)
  if (known) known.rounds.push(ns)
  else collected.set(id, { ...row, rounds: [ns] })
}

module.exports = { ask, schedule, chosenCases, caseName, key }
