'use strict'

// One case in a fresh process: node child.js '{"suite", "case", "mode"}' prints its rows as one line of JSON. Before
// each sample it prints `turn` and waits for a line. With "verify", a list of cases, it prepares and checks those
// instead, and prints which ones fail and why.

const fs = require('node:fs')
const path = require('node:path')
const { median } = require('./stats')
const { sample, sampleAsync, allocated } = require('./measure')

/** @returns {Promise<any[]>} the rows of one case */
async function time(suite, item, mode) {
  const work = await suite.prepare(item, mode)
  try {
    return (await rowsOf(work, mode)).map(row => ({ subject: item.subject, op: item.op, ...row }))
  } finally {
    await work.close?.()
  }
}

async function rowsOf(work, mode) {
  if (work.measure) return work.measure(mode)
  const samples = work.run ? sample(work, mode) : await sampleAsync(work, mode)
  const row = { ns: median(samples), samples, bytes: work.bytes, extra: work.extra }
  if (work.run && mode.round === 0) row.allocated = allocated(work)
  return [row]
}

/** @returns {Promise<{subject: string, op: string, contender: string, reason: string}[]>} the cases that fail */
async function verify(suite, cases, mode) {
  const failures = []
  const brief = { ...mode, brief: true }
  const isChecked = new Set()
  for (const { subject, op, contender, ...rest } of cases) {
    if (suite.checksBothWays && isChecked.has(subject + contender)) continue
    isChecked.add(subject + contender)
    try {
      const work = await suite.prepare({ subject, op, contender, ...rest }, brief)
      try {
        await work.check?.()
      } finally {
        await work.close?.()
      }
    } catch (error) {
      failures.push({ subject, op, contender, reason: String(error.message).split('\n')[0] })
    }
  }
  return suite.checksBothWays ? forAllOperations(failures, cases) : failures
}

function forAllOperations(failures, cases) {
  return failures.flatMap(failure => cases
    .filter(({ subject, contender }) => subject === failure.subject && contender === failure.contender)
    .map(({ op }) => ({ ...failure, op })))
}

const line = Buffer.alloc(1)

/** Waits for the other contenders' turns. */
function turn() {
  fs.writeSync(1, 'turn\n')
  fs.readSync(0, line)
}

async function main({ suite, case: item, mode, verify: cases }) {
  const loaded = require(path.join(__dirname, '..', 'suites', suite))
  const result = cases ? await verify(loaded, cases, mode) : await time(loaded, item, { ...mode, turn })
  process.stdout.write(JSON.stringify(result) + '\n', () => process.exit(0))
}

main(JSON.parse(process.argv[2])).catch(error => {
  console.error(error)
  process.exit(1)
})
