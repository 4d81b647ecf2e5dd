'use strict'

// node benchmark/driver/memory.js [DOCUMENTS]
//
// How much more memory (resident set) than at rest a process takes while it sends all documents of a collection as JSON
// by qbson/cursor; a million, unless another number is given. With batches of several sizes, each in a fresh process.

const { fork } = require('node:child_process')
const path = require('node:path')
const { jsonArray } = require('../../lib/cursor')
const { documents } = require('./data')
const { installDrivers } = require('../../test/driver/install')
const { startServer } = require('../../test/driver/servers')

const SIZES = [undefined, 100, 1000, 5000]

/** ms between two looks at the memory. */
const INTERVAL = 5

const modules = path.join(__dirname, '..', '..', 'test', 'driver', 'with-bson', 'node_modules')

async function main(count) {
  const missing = installDrivers()
  if (missing) throw new Error(missing)
  const server = await startServer('java')
  await fill(server.uri, count)
  for (const size of SIZES) {
    const child = fork(__filename, ['measure', server.uri, String(size ?? '')])
    const code = await new Promise(resolve => child.on('exit', resolve))
    if (code !== 0) throw new Error(`exit code ${code}`)
  }
  await server.stop()
}

async function fill(uri, count) {
  const { MongoClient } = require(path.join(modules, 'mongodb'))
  const client = new MongoClient(uri)
  const docs = documents('customers', require(path.join(modules, 'bson')))
  for (let done = 0; done < count; done += docs.length) {
    const some = docs.slice(0, count - done).map((doc, i) => ({ ...doc, _id: done + i }))
    await client.db('memory').collection('customers').insertMany(some)
  }
  await client.close()
}

async function measure(uri, size) {
  const { MongoClient } = require(path.join(modules, 'mongodb'))
  const client = new MongoClient(uri)
  const collection = client.db('memory').collection('customers')
  await collection.findOne()
  await new Promise(resolve => setTimeout(resolve, 500))
  const rest = process.memoryUsage.rss()
  let peak = rest
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, INTERVAL)
  const options = size === '' ? {} : { batchSize: Number(size) }
  let bytes = 0
  for await (const chunk of jsonArray(collection.find({}, { raw: true }), options)) bytes += chunk.length
  clearInterval(timer)
  const megabytes = n => `${Math.round(n / 1e6)} MB`
  console.log(`batches of ${size || 'the default size'}: ${megabytes(rest)} at rest, at most ${megabytes(peak - rest)} more, ${megabytes(bytes)} of text`)
  await client.close()
}

if (process.argv[2] === 'measure') measure(process.argv[3], process.argv[4])
else main(Number(process.argv[2] ?? 1_000_000))
