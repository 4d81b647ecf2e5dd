'use strict'

// The official MongoDB driver with either library, against mongo-java-server: see docs/driver.md.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { documents, COUNT } = require('../driver/data')
const { measureClient, driverTables, MEMORY } = require('../driver/measure')
const { installDrivers } = require('../../test/driver/install')
const { startServer, Unavailable } = require('../../test/driver/servers')

const DRIVERS = path.join(__dirname, '..', '..', 'test', 'driver')
const kinds = { customers: 'customers, 440 bytes', events: 'events, mixed types' }

/** The timed operations, on a filled collection, and the documents in it. */
const operations = {
  find: async collection => {
    let count = 0
    // eslint-disable-next-line no-unused-vars
    for await (const doc of collection.find()) count++
    return count
  },
  'find, raw: true': async collection => {
    let count = 0
    // eslint-disable-next-line no-unused-vars
    for await (const doc of collection.find({}, { raw: true })) count++
    return count
  },
  'find, toArray': async collection => (await collection.find().toArray()).length,
  insertMany: async (collection, docs) => {
    const target = collection.db.collection(`${collection.collectionName}_inserted`)
    await target.drop()
    return (await target.insertMany(docs)).insertedCount
  },
  'find, to JSON': toJSON,
  'find, to JSON, qbson under the driver': toJSON
}

/** In this operation both contenders use the driver with bson; it shows the effect of qbson/cursor alone. */
const ON_BSON = 'find, to JSON'

/** @returns {Promise<number>} bytes */
function toJSON(collection, docs, contender) {
  return contender === 'bson' ? stringified(collection) : streamed(collection)
}

async function stringified(collection) {
  return Buffer.from(JSON.stringify(await collection.find().toArray())).length
}

async function streamed(collection) {
  const { jsonArray } = require('../../lib/cursor')
  let size = 0
  for await (const chunk of jsonArray(collection.find({}, { raw: true }))) size += chunk.length
  return size
}

/** --quick only measures whole documents. */
const QUICK = ['find', 'insertMany', 'find, to JSON']

/** Documents in the measurement of memory, without and with --quick. */
const MANY = 1_000_000
const MANY_QUICK = 100_000

const fileOf = mode => path.join(mode.cache, 'driver.json')

/** Why there are no cases; set by `setup`. */
let missing

/** Starts the server and fills it once for all processes. The server stops with the benchmark. */
async function setup(mode) {
  try {
    missing = installDrivers()
    if (missing) return
    const server = await startServer('java')
    leaveLastCpu(server)
    fs.writeFileSync(fileOf(mode), JSON.stringify({ uri: server.uri }))
    await fill(server.uri, mode.name === 'quick' ? MANY_QUICK : MANY)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    missing = error.message
  }
}

/** Keeps the server off the last CPU where possible; `--prefix "taskset -c LAST"` leaves that CPU to the client. */
function leaveLastCpu({ pid }) {
  const last = os.cpus().length - 1
  if (last < 1) return
  try { execFileSync('taskset', ['-a', '-p', '-c', `0-${last - 1}`, String(pid)], { stdio: 'ignore' }) } catch {}
}

function load(contender) {
  const directory = path.join(DRIVERS, `with-${contender}`, 'node_modules')
  return { mongodb: require(path.join(directory, 'mongodb')), types: require(path.join(directory, 'bson')) }
}

/** @param {string} uri @param {number} many */
async function fill(uri, many) {
  const { mongodb, types } = load('bson')
  const client = new mongodb.MongoClient(uri)
  for (const kind of Object.keys(kinds)) {
    await client.db('benchmark').collection(kind).insertMany(documents(kind, types))
    await client.db('benchmark').createCollection(`${kind}_inserted`)
  }
  const some = documents('customers', types)
  for (let id = 0; id < many; id += some.length) {
    await client.db('benchmark').collection('many').insertMany(some.map((document, i) => ({ ...document, _id: id + i })))
  }
  await client.close()
}

async function prepare({ subject, op, contender }, mode) {
  const { uri } = JSON.parse(fs.readFileSync(fileOf(mode), 'utf8'))
  if (op === MEMORY) return { measure: () => [memoryOf(uri)] }
  const { mongodb, types } = load(op === ON_BSON ? 'bson' : contender)
  const client = new mongodb.MongoClient(uri)
  const kind = Object.keys(kinds).find(name => kinds[name] === subject)
  const collection = client.db('benchmark').collection(kind)
  const sent = op === 'insertMany' ? documents(kind, types) : [] // only on the heap of processes that need them
  const run = () => operations[op](collection, sent, contender)
  return {
    measure: () => measureClient(run, { op, count: COUNT, mode }),
    check: () => check({ run, op, collection, docs: documents(kind, types), types }),
    close: () => client.close()
  }
}

/** @returns {{ns: number, extra: {mb: number}}} */
function memoryOf(uri) {
  const start = process.hrtime.bigint()
  const extra = JSON.parse(execFileSync(process.execPath, [path.join(DRIVERS, '..', '..', 'benchmark', 'driver', 'memory.js'), uri], { encoding: 'utf8' }))
  return { ns: Number(process.hrtime.bigint() - start), extra }
}

/** Checks that the server has all documents unchanged, and that the operation reaches them all. */
async function check({ run, op, collection, docs, types }) {
  const expected = operations[op] === toJSON ? await stringified(collection) : COUNT
  if (await run() !== expected) throw new Error('not all documents')
  const found = await collection.find({}, { raw: true }).toArray()
  const same = found.every((raw, i) => Buffer.compare(raw, types.serialize(docs[i])) === 0)
  if (found.length !== COUNT || !same) throw new Error('not the same documents')
}

function cases(mode) {
  if (missing) return []
  const isQuick = mode.name === 'quick'
  const subjects = Object.values(kinds).slice(0, isQuick ? 1 : undefined)
  return subjects.flatMap(subject => (isQuick ? QUICK : Object.keys(operations)).flatMap(op => ['bson', 'qbson'].map(contender => {
    return { subject, op, contender }
  }))).concat({ subject: kinds.customers, op: MEMORY, contender: 'qbson' })
}

/** Drops the spread and garbage collection. */
const digest = ({ title, head, rows }) => ({ title, head: head.filter(isKept), rows: rows.filter(([name]) => !name.startsWith('find, toArray')).map(row => row.filter((_, i) => isKept(head[i]))) })
const isKept = column => column !== 'spread' && !column.endsWith(' GC')

module.exports = {
  name: 'driver',
  title: 'The official MongoDB driver',
  baseline: 'bson',
  rounds: mode => Math.min(mode.rounds, 3),
  get notes() {
    return [
      `mongodb 7.8.0 with either library, against mongo-java-server 1.47.0 on loopback; ${COUNT} documents per operation, in ` +
        'the driver\'s default batches. Rates include the time of the server, the client\'s CPU time does not.',
      missing && `Not run here: ${missing}`
    ].filter(Boolean)
  },
  setup,
  cases,
  prepare,
  tables: driverTables,
  digest: results => driverTables(results).slice(0, 2).map(digest)
}
