'use strict'

// Measures the memory of columns in a process of its own, and prints a line of JSON.
//
//     node memory.js parquet FILE OUT   peak MB of the whole process while it converts a dump to Parquet
//     node --expose-gc memory.js ids    MB retained by a million rows of two ids

const fs = require('node:fs')
const { pipeline } = require('node:stream/promises')
const { encode, ObjectId } = require('../../qbson')
const { columns, toParquet } = require('../../lib/columns')
const { SCHEMA } = require('../data/columns')

async function parquet(file, out) {
  await pipeline(toParquet(columns(fs.createReadStream(file), { schema: SCHEMA })), fs.createWriteStream(out))
  return process.resourceUsage().maxRSS / 1000 // kB
}

async function ids() {
  const rows = 1_000_000
  const one = encode({ _id: new ObjectId(), owner: new ObjectId() })
  const bytes = Buffer.concat(Array.from({ length: rows }, () => one))
  columns(bytes.subarray(0, 100 * one.length)) // loads and compiles what it needs
  const before = used()
  const table = columns(bytes)
  const after = used()
  if (table.rows !== rows) throw new Error(`${table.rows} rows`)
  return after - before
}

/** @returns {number} MB */
function used() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage() // external includes the memory of typed arrays
  return (heapUsed + external) / 1e6
}

const [what, ...args] = process.argv.slice(2)
Promise.resolve({ parquet, ids }[what](...args)).then(mb => console.log(JSON.stringify({ mb })))
