'use strict'

// node memory.js URI
//
// The memory (resident set) that a process takes beyond that at rest while it sends all documents of the collection
// benchmark.many as JSON with qbson/cursor: MB, as a line of JSON.

const path = require('node:path')
const { jsonArray } = require('../../lib/cursor')

const modules = path.join(__dirname, '..', '..', 'test', 'driver', 'with-bson', 'node_modules')

/** ms before the memory at rest is read, and between two readings. */
const REST = 500
const INTERVAL = 5

async function measure(uri) {
  const { MongoClient } = require(path.join(modules, 'mongodb'))
  const client = new MongoClient(uri)
  const collection = client.db('benchmark').collection('many')
  await collection.findOne()
  await new Promise(resolve => setTimeout(resolve, REST))
  const rest = process.memoryUsage.rss()
  let peak = rest
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, INTERVAL)
  let bytes = 0
  for await (const chunk of jsonArray(collection.find({}, { raw: true }))) bytes += chunk.length
  clearInterval(timer)
  await client.close()
  return { mb: (peak - rest) / 1e6, bytes }
}

measure(process.argv[2]).then(result => console.log(JSON.stringify(result)))
