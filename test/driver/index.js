'use strict'

/**
 * The official driver on qbson and on bson, on real servers: every check runs under both libraries, must pass
 * under both, and must return the same.
 *
 *     node test/driver [java | ferretdb | uri] …
 */

const { fork, spawnSync } = require('child_process')
const crypto = require('crypto')
const fs = require('fs')
const path = require('path')
const { Unavailable, serverKinds, startServer } = require('./servers')

const folders = ['with-bson', 'with-qbson']
const longestDifference = 300

/** The sum of all outcomes, for the last line. */
const totals = { passed: 0, failed: 0, skipped: 0 }

async function main(kinds) {
  const unavailable = installDrivers()
  for (const kind of kinds.length ? kinds : serverKinds()) {
    if (unavailable) report(kind, 'skipped', unavailable)
    else await runOn(kind)
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  if (totals.failed > 0) process.exitCode = 1
}

function report(name, outcome, detail) {
  totals[outcome] += 1
  console.log(`${outcome.padEnd(7)} ${name}${detail ? `: ${detail}` : ''}`)
}

// ---- installing

/**
 * Install the driver in both folders, unless that was done with the same lock file.
 * @returns {string | undefined} why it can't be
 */
function installDrivers() {
  for (const folder of folders) {
    const cwd = path.join(__dirname, folder)
    const lock = fs.readFileSync(path.join(cwd, 'package-lock.json'))
    const stamp = path.join(cwd, 'node_modules', '.installed')
    const wanted = crypto.createHash('sha256').update(lock).digest('hex')
    if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) continue

    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const result = spawnSync(npm, ['ci', '--no-fund', '--no-audit'], { cwd, encoding: 'utf8' })
    if (result.error) return `npm can't be run: ${result.error.message}`
    if (result.status !== 0) {
      if (/EUSAGE|ERESOLVE/.test(result.stderr)) throw new Error(`npm ci fails in ${folder}: ${result.stderr}`)
      return `the driver can't be installed: ${result.stderr.trim().slice(-longestDifference)}`
    }
    fs.writeFileSync(stamp, wanted)
  }
}

// ---- running

async function runOn(kind) {
  let server
  try {
    server = await startServer(kind)
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err
    return report(`${kind} server`, 'skipped', err.message)
  }
  try {
    const results = []
    for (const folder of folders) results.push(await runClient(folder, kind, server.uri))
    compare(kind, ...results)
  } finally {
    await server.stop()
  }
}

/** The results of the checks under one library, by name. */
function runClient(folder, kind, uri) {
  return new Promise((resolve, reject) => {
    const results = new Map()
    const child = fork(path.join(__dirname, 'client.js'), [folder, kind, uri])
    child.on('message', result => results.set(result.name, result))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const how = `ended by ${signal || `exit code ${code}`}`
      if (code !== 0) results.set('run to the end', { name: 'run to the end', outcome: 'failed', detail: how,
        ...results.get('run to the end') })
      resolve(results)
    })
  })
}

/** Report each check once, for both libraries. */
function compare(kind, withBson, withQbson) {
  for (const name of new Set([...withBson.keys(), ...withQbson.keys()])) {
    const missing = { outcome: 'failed', detail: 'was not run' }
    const [outcome, detail] = verdict(withBson.get(name) || missing, withQbson.get(name) || missing)
    report(`${kind}: ${name}`, outcome, detail)
  }
}

function verdict(onBson, onQbson) {
  if (onQbson.outcome === 'failed') return ['failed', `on qbson: ${onQbson.detail}`]
  if (onBson.outcome === 'failed') return ['failed', `on bson: ${onBson.detail}`]
  if (onQbson.outcome !== onBson.outcome) return ['failed', `${onQbson.outcome} on qbson, ${onBson.outcome} on bson`]
  if (onQbson.outcome === 'skipped') return ['skipped', onQbson.detail]
  if (onQbson.text !== onBson.text) return ['failed', difference(onQbson.text, onBson.text)]
  return ['passed', '']
}

/** Both texts from a little before the place where they part. */
function difference(onQbson, onBson) {
  let at = 0
  while (onQbson[at] === onBson[at]) at += 1
  const from = Math.max(0, at - 60)
  const part = text => text.slice(from, from + longestDifference)
  return `results differ\n  on qbson: …${part(onQbson)}\n  on bson:  …${part(onBson)}`
}

main(process.argv.slice(2)).catch(err => {
  console.error(err)
  process.exitCode = 1
})
