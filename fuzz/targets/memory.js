'use strict'

// The memory in use after millions of hostile documents: what the library may learn is bounded.

const { spawn } = require('node:child_process')
const path = require('node:path')
const readline = require('node:readline')

const SCRIPT = path.join(__dirname, '..', 'memory-process.js')

/** The most bytes for all that is learned, including what V8 keeps about types, which cannot be told apart. */
const LEARNED = 2 << 20
const SLACK = 4 << 20

/** MB of long-lived memory for the process that reads them, which ends if it retains more. */
const OLD_SPACE = 64

/** Documents per round of the command, and by default in all. */
const ROUND = 10_000
const DOCUMENTS = 1e7

/**
 * @param {{documents?: number, minutes?: number, filter?: string, seed?: number}} request
 * @param {(state: {documents: number, grown: number, code: number}) => void} [progress] `code`: the part that is compiled code
 * @returns {Promise<{documents: number, grown: number, largest: number}>} bytes retained, at the end and at most
 */
async function checkMemory(request, progress = () => {}) {
  const child = spawn(process.execPath, ['--expose-gc', `--max-old-space-size=${OLD_SPACE}`, SCRIPT, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise(resolve => child.on('close', resolve))
  let largest = 0
  let last
  for await (const line of readline.createInterface({ input: child.stdout })) {
    last = JSON.parse(line)
    largest = Math.max(largest, last.grown)
    progress(last)
  }
  if (await closed !== 0 || !last?.done) throw new Error('the process that reads hostile documents did not end')
  return { documents: last.documents, grown: last.grown, largest }
}

const mb = bytes => `${(bytes / (1 << 20)).toFixed(1)} MB`

/** As a target of the command: ten million documents, or a given number of minutes or rounds. */
async function run(target, { minutes, runs, seed, filter }, log) {
  const documents = runs === Infinity ? DOCUMENTS : runs * ROUND
  const request = { documents, minutes: minutes === Infinity ? undefined : minutes, seed, filter }
  const { documents: done, largest } = await checkMemory(request, ({ documents: so, grown, code }) => {
    log(`memory: ${so.toLocaleString('en-US')} documents, ${mb(grown)} more in use, ${mb(code)} of it code`)
  })
  const isGood = largest <= LEARNED + SLACK
  if (!isGood) log(`FAIL memory: ${mb(largest)} more in use than at the start, of ${mb(LEARNED + SLACK)}`)
  return { isGood, text: `memory: ${done.toLocaleString('en-US')} documents, at most ${mb(largest)} more in use` }
}

module.exports = { name: 'memory', run, checkMemory, LEARNED, SLACK }
