'use strict'

/**
 * The official driver on qbson and on bson, on real servers: every check runs under both libraries, must pass
 * under both, and must return the same. Then other versions of the driver and of Mongoose, and the calls of the qmongo
 * driver, on the same kinds of servers.
 *
 *     node test/driver [java | ferretdb | uri] …
 */

const { fork, spawn } = require('child_process')
const path = require('path')
const { folders, installDrivers } = require('./install')
const { Unavailable, serverKinds, startServer } = require('./servers')
const { checkVersions } = require('./versions')

const longestDifference = 300

/** The sum of all outcomes, for the last line. */
const totals = { passed: 0, failed: 0, skipped: 0 }

async function main(kinds) {
  const unavailable = installDrivers()
  for (const kind of kinds.length ? kinds : serverKinds()) {
    if (unavailable) report(kind, 'skipped', unavailable)
    else await runOn(kind)
  }
  await runQmongo()
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  if (totals.failed > 0) process.exitCode = 1
}

function report(name, outcome, detail) {
  totals[outcome] += 1
  console.log(`${outcome.padEnd(7)} ${name}${detail ? `: ${detail}` : ''}`)
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
    const versions = await checkVersions({ uri: server.uri, decimals: kind !== 'ferretdb' })
    for (const { name, outcome, detail } of versions) report(`${kind}: ${name}`, outcome, detail)
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

/** The tests of qmongo.js, on the servers of `serverKinds()`. */
function runQmongo() {
  const qnit = path.join(path.dirname(require.resolve('qnit')), '..', 'bin', 'qnit')
  const child = spawn(process.execPath, [qnit, '-t', '300000', path.join(__dirname, 'qmongo.js')], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', chunk => { text += chunk })
  return new Promise(resolve => {
    child.on('close', () => {
      console.log(text)
      const closing = /^(?:OK|ERROR): .*?(\d+) errors, (\d+) tests, \d+ files, (\d+) skipped \(/m.exec(text)
      if (closing === null) report('qmongo: run to the end', 'failed')
      const [failed, tests, skipped] = closing === null ? [0, 0, 0] : closing.slice(1).map(Number)
      totals.passed += tests - failed - skipped
      totals.failed += failed
      totals.skipped += skipped
      resolve()
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
