'use strict'

// The scaling check: see scaling.js.

const { spawn } = require('node:child_process')
const path = require('node:path')
const readline = require('node:readline')
const { knownFault } = require('../known')

const SCRIPT = path.join(__dirname, '..', 'scaling-process.js')

/** A combination that takes longer than this hangs; generous, because it is wall-clock time; ms. */
const LONGEST = 120_000

const PROGRESS_EVERY = 10_000 // ms

/**
 * Runs the combinations from a given one on, until one hangs or all are done.
 *
 * @param {any} request passed to the process
 * @param {(result: any) => void} done gets the result of each
 * @returns {Promise<{i: number, begins: string} | undefined>} the one that hung
 */
async function runFrom(request, done) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let current
  let timer
  let isHung = false
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isHung = true
      child.kill('SIGKILL')
    }, LONGEST)
  }
  const closed = new Promise(resolve => child.on('close', resolve))
  watch()
  for await (const line of readline.createInterface({ input: child.stdout })) {
    watch()
    const said = JSON.parse(line)
    if (said.begins) current = said
    else done(said)
  }
  clearTimeout(timer)
  const code = await closed
  if (isHung) return current
  if (code !== 0) throw new Error(`the process of ${current?.begins} ended with ${code}`)
  return undefined
}

/**
 * Runs all combinations that match a filter.
 *
 * @param {{filter?: string, timed?: boolean, size?: number, every?: number}} request
 * @param {(result: any) => void} done gets `{ name, said? }` of each: `said` is the fault, if any
 */
async function checkScaling(request, done) {
  for (let from = 0; ;) {
    const hung = await runFrom({ ...request, from }, done)
    if (hung === undefined) return
    done({ name: hung.begins, said: `takes more than ${LONGEST / 1000} s` })
    from = hung.i + 1
  }
}

/** As a target of the command. */
async function run(target, plan, log) {
  const counts = { good: 0, known: 0 }
  const wrong = []
  let printed = Date.now()
  const done = result => {
    const fault = result.said && knownFault('scaling', result.name, new Error(result.said))
    if (fault) counts.known++
    else if (result.said) wrong.push(log(`FAIL ${result.name}: ${result.said}`))
    else counts.good++
    if (Date.now() - printed < PROGRESS_EVERY) return
    printed = Date.now()
    log(`scaling: ${counts.good} good, ${counts.known} known, ${wrong.length} wrong; at ${result.name}`)
  }
  for (const timed of [false, true]) await checkScaling({ filter: plan.filter, timed }, done)
  return { isGood: wrong.length === 0, text: `scaling: ${counts.good} good, ${counts.known} known, ${wrong.length} wrong` }
}

module.exports = { name: 'scaling', run, checkScaling }
