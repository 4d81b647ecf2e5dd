'use strict'

/**
 * Servers that speak the MongoDB wire protocol, for tests on loopback.
 *
 *     const { serverKinds, startServer, Unavailable } = require('./driver/servers')
 *     for (const kind of serverKinds()) {          // ['java', 'ferretdb'], or ['uri'] when MONGODB_URI is set
 *       const server = await startServer(kind)     // throws Unavailable when a tool or the network is missing
 *       …connect to server.host:server.port, or give server.uri to a driver…
 *       await server.stop()
 *     }
 *
 * - `java`: mongo-java-server, in memory; needs `java`, `javac` and `mvn`.
 * - `ferretdb`: FerretDB on SQLite, in a temporary folder; needs `go`, and minutes for the first build.
 * - `uri`: the server that MONGODB_URI names, which is neither started nor stopped.
 *
 * What is built stays in test/driver/.cache, in a folder named by the hash of its sources, and is used
 * again. A server ends when its standard input is closed, so it can't outlive us even when we crash.
 */

const { spawn } = require('child_process')
const crypto = require('crypto')
const fs = require('fs')
const net = require('net')
const os = require('os')
const path = require('path')

const cacheFolder = path.join(__dirname, '.cache')
const startTimeoutMs = 30_000
const stopTimeoutMs = 5_000

/** Thrown when a server can't be had here: a tool is missing, or what it needs can't be downloaded. A test skips. */
class Unavailable extends Error {
  get name() { return 'Unavailable' }
}

/**
 * @typedef {object} Server
 * @property {string} kind `java`, `ferretdb` or `uri`
 * @property {string} uri connection string
 * @property {string} host
 * @property {number} port
 * @property {number | undefined} pid of the process we started
 * @property {() => Promise<void>} stop ends it in order, and removes its data
 * @property {() => Promise<void>} kill ends it at once, as a crash would; for `uri` it is refused
 */

/**
 * The kinds of server to try here, best known first: the one of MONGODB_URI, or those of TEST_SERVERS, with commas.
 * @returns {string[]}
 */
function serverKinds() {
  if (process.env.MONGODB_URI) return ['uri']
  return process.env.TEST_SERVERS ? process.env.TEST_SERVERS.split(',') : ['java', 'ferretdb']
}

/**
 * Build a server if it is not built yet, start it on a free port and wait until it listens.
 * @param {string} kind one of `serverKinds()`
 * @returns {Promise<Server>}
 * @throws {Unavailable} with what is missing
 */
async function startServer(kind) {
  if (kind === 'uri') return serverOfUri(process.env.MONGODB_URI)
  if (kind === 'java') return startJava()
  if (kind === 'ferretdb') return startFerretdb()
  throw new Error(`no such kind of server: ${kind}`)
}

async function startJava() {
  const folder = await built('java', ['pom.xml', 'Main.java'], buildJava)
  const classPath = [path.join(folder, 'lib', '*'), folder].join(path.delimiter)
  return start('java', 'java', ['-cp', classPath, 'Main'], () => {})
}

async function startFerretdb() {
  const folder = await built('ferretdb', ['main.go', 'go.mod', 'go.sum'], buildFerretdb)
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-ferretdb-'))
  const cleanup = () => fs.rmSync(data, { recursive: true, force: true })
  return start('ferretdb', path.join(folder, 'ferret'), [data + '/'], cleanup)
}

async function serverOfUri(uri) {
  if (!uri) throw new Unavailable('MONGODB_URI is not set')
  const match = /^mongodb:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?,]+)(?::(\d+))?/.exec(uri)
  if (!match) throw new Unavailable('MONGODB_URI is not a mongodb:// address of one host')
  const host = match[1].replace(/^\[|\]$/g, '')
  const port = Number(match[2] || 27017)
  await connectable(host, port, Date.now() + 5_000).catch(err => {
    throw new Unavailable(`the server that MONGODB_URI names can't be reached: ${err.message}`)
  })
  const kill = async () => { throw new Error('not our server to kill') }
  return { kind: 'uri', uri, host, port, pid: undefined, stop: async () => {}, kill }
}

// ---- building

/** The folder of what `build` makes of the sources; built aside and moved in place, so that two may do it at once. */
async function built(kind, sources, build) {
  const hash = crypto.createHash('sha256')
  for (const name of sources) hash.update(fs.readFileSync(path.join(__dirname, kind, name)))
  const folder = path.join(cacheFolder, `${kind}-${hash.digest('hex').slice(0, 12)}`)
  if (fs.existsSync(folder)) return folder

  fs.mkdirSync(cacheFolder, { recursive: true })
  const aside = fs.mkdtempSync(folder + '.')
  try {
    await build(path.join(__dirname, kind), aside)
    if (!fs.existsSync(folder)) fs.renameSync(aside, folder)
  } finally {
    fs.rmSync(aside, { recursive: true, force: true })
  }
  return folder
}

async function buildJava(sources, folder) {
  const lib = path.join(folder, 'lib')
  for (const tool of ['java', 'javac']) await needTool(tool, ['-version'])
  await needTool('mvn', ['-version'])
  await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${lib}`], sources, Unavailable)
  await run('javac', ['-cp', path.join(lib, '*'), '-d', folder, 'Main.java'], sources, Error)
}

async function buildFerretdb(sources, folder) {
  const tags = ['-tags', 'ferretdb_no_postgresql']
  await needTool('go', ['version'])
  await run('go', ['list', '-deps', ...tags, '.'], sources, Unavailable) // downloads what the build reads, no more
  await run('go', ['build', ...tags, '-o', path.join(folder, 'ferret'), '.'], sources, Error)
}

async function needTool(tool, args) {
  await run(tool, args, __dirname, Unavailable)
}

/** Run a command to its end; a failure is thrown as `Failure`, with the beginning of what it complained of. */
function run(command, args, cwd, Failure) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) child[name].on('data', chunk => { output[name] += chunk })
    child.on('error', err => {
      reject(err.code === 'ENOENT' ? new Unavailable(`${command} is not installed`) : err)
    })
    child.on('close', code => {
      if (code === 0) return resolve()
      const complaint = (plain(output.stderr) || plain(output.stdout)).slice(0, 400)
      reject(new Failure(`${command} ${args.join(' ')} failed (exit code ${code}): ${complaint}`))
    })
  })
}

/** Without colours. */
function plain(text) {
  return text.replace(/\x1b\[[\d;]*m/g, '').trim()
}

// ---- running

/** Start a server that prints its connection string as the first line. */
async function start(kind, command, args, cleanup) {
  const child = spawn(command, args, { cwd: os.tmpdir(), stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  const killAtExit = () => { child.kill('SIGKILL'); cleanup() }
  const end = async () => {
    await ended
    process.removeListener('exit', killAtExit)
    cleanup()
  }
  process.once('exit', killAtExit)
  try {
    const uri = await firstLine(child, kind)
    const { hostname: host, port } = new URL(uri)
    await connectable(host, Number(port), Date.now() + startTimeoutMs)
    unref(child)
    return {
      kind, uri, host, port: Number(port), pid: child.pid,
      stop: () => { stopInOrder(child, ended); return end() },
      kill: () => { child.ref(); child.kill('SIGKILL'); return end() }
    }
  } catch (err) {
    child.kill('SIGKILL')
    await end()
    throw err
  }
}

/** The standard input's end tells the server to end; one that doesn't listen is killed. */
function stopInOrder(child, ended) {
  child.ref()
  child.stdin.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  ended.then(() => clearTimeout(timer))
}

/** Let our own process end while the server runs: it then ends with us. */
function unref(child) {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.resume?.()
    stream.unref()
  }
}

function firstLine(child, kind) {
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    const timer = setTimeout(() => reject(new Error(`${kind} server doesn't start: ${errors}`)), startTimeoutMs)
    const settle = (settler, value) => { clearTimeout(timer); settler(value) }
    child.stdin.on('error', () => {}) // EPIPE, when it is killed
    child.stderr.on('data', chunk => { errors = (errors + chunk).slice(-2000) })
    child.stdout.on('data', chunk => {
      output += chunk
      if (output.includes('\n')) settle(resolve, output.slice(0, output.indexOf('\n')).trim())
    })
    child.on('error', err => {
      settle(reject, err.code === 'ENOENT' ? new Unavailable(`${child.spawnfile} is not installed`) : err)
    })
    child.on('close', code => settle(reject, new Error(`${kind} server ended (exit code ${code}): ${errors}`)))
  })
}

/** Wait until host:port takes a connection. */
async function connectable(host, port, deadline) {
  for (;;) {
    try {
      return await connectOnce(host, port)
    } catch (err) {
      if (Date.now() > deadline) throw err
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

function connectOnce(host, port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host)
    socket.once('connect', () => { socket.destroy(); resolve() })
    socket.once('error', reject)
  })
}

module.exports = { Unavailable, serverKinds, startServer }
