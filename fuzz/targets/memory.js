'use strict'

// What stays in use after millions of hostile documents: what the library may learn is bounded.

const { spawn } = require('node:child_process')
const path = require('node:path')
const readline = require('node:readline')

const SCRIPT = path.join(__dirname, '..', 'memory-process.js')

/** What is learned may take so many bytes, in all; the rest is what V8 keeps of types it has met and cannot be told apart. */
const LEARNED = 2 << 20
const SLACK = 4 << 20

/** MB of memory for what lives long, in the process that reads them: what holds more than it says ends there. */
const OLD_SPACE = 64

/** Documents of one round of the command, and of all where nothing is said. */
const ROUND = 10_000
const DOCUMENTS = 1e7

/**
 * @param {{documents?: number, minutes?: number, filter?: string, seed?: number}} request
 * @param {(state: {documents: number, grown: number, code: number}) => void} [progress] `code`: of these, what is compiled
 * @returns {Promise<{documents: number, grown: number, largest: number}>} bytes that stayed, in the end and at most
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

/** As a target of the command: ten million documents, or for so many minutes, or so many rounds. */
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
