'use strict'

const path = require('node:path')
const { spawn } = require('node:child_process')

const CHILD = path.join(__dirname, 'child.js')

/** A process that takes longer has failed. The time includes waiting for a processor, e.g. in the prefix command. */
const LONGEST = 600_000 // ms

/** Printed by a process that waits for its turn; all other output is its result. */
const TURN = Buffer.from('turn\n')

/**
 * Runs one request in a fresh process.
 * @param {{path: string, args?: string[], ask?: (request: any) => Promise<any>}} node
 * @param {string[]} prefix command put before it
 * @param {string[]} flags for Node
 * @param {any} request passed to the script
 * @param {string} [script] a script that takes no turns
 * @returns {Promise<any>} its output
 * @throws {Error} when it fails, with the last lines of its standard error
 */
function ask(node, prefix, flags, request, script) {
  return start(node, prefix, flags, request, script).answer
}

/**
 * The same for a script that waits between its samples.
 * @param {Parameters<typeof ask>[0]} node
 * @param {string[]} prefix
 * @param {string[]} flags
 * @param {any} request
 * @param {string} [script]
 * @returns {{answer: Promise<any>, goOn: () => Promise<boolean>}} `goOn` lets it run until it waits again (true) or ends
 */
function start(node, prefix, flags, request, script = CHILD) {
  if (node.ask) return withoutTurns(node.ask(request))
  const [command, ...args] = [
    ...prefix, node.path, ...(node.args ?? flags), script, JSON.stringify(request) // flags are only for Node
  ]
  const child = spawn(command, args, { stdio: 'pipe', timeout: LONGEST, killSignal: 'SIGKILL' })
  const out = []
  let isWaiting = false
  /** @type {(waits: boolean) => void} */
  let wake = () => {}
  child.stdin.on('error', () => {}) // it has ended, and `answer` reports how
  child.stdout.on('data', chunk => {
    if (!chunk.equals(TURN)) return out.push(chunk)
    isWaiting = true
    wake(true)
  })
  const answer = answerOf(child, out)
  const ended = answer.then(() => false, () => false)
  const goOn = () => {
    const waits = new Promise(resolve => (wake = resolve))
    if (isWaiting) child.stdin.write('\n')
    isWaiting = false
    return Promise.race([waits, ended])
  }
  return { answer, goOn }
}

function withoutTurns(answer) {
  const ended = answer.then(() => false, () => false)
  return { answer, goOn: () => ended }
}

/** @param {import('node:child_process').ChildProcess} child @param {Buffer[]} out what it has printed */
function answerOf(child, out) {
  const err = []
  child.stderr.on('data', chunk => err.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal) return reject(new Error(`ended by ${signal}, after at most ${LONGEST / 1000} s`))
      if (code === 0) return resolve(JSON.parse(Buffer.concat(out).toString()))
      const lines = Buffer.concat(err).toString().trim().split('\n')
      reject(new Error(lines.find(line => /Error/.test(line)) ?? lines.at(-1) ?? `exit code ${code}`))
    })
  })
}

module.exports = { ask, start }
