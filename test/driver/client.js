'use strict'

/**
 * Runs the checks under one library against one server, in a process of its own:
 *
 *     node client.js with-qbson|with-bson KIND URI
 *
 * and sends { name, outcome: 'passed' | 'failed' | 'skipped', detail, text } for each to the parent process.
 * `text` describes what the check returned, for comparison with the other library.
 */

const crypto = require('crypto')
const { createRequire } = require('module')
const path = require('path')
const { describe } = require('./describe')

const checkFiles = ['identity', 'crud', 'types', 'options', 'batches', 'query', 'admin', 'gridfs', 'errors', 'broken', 'cursor', 'columns', 'docs', 'mongoose']
const longestText = 20_000
const checkTimeoutMs = 300_000
const databaseName = 'qbson_driver_test'

/** Thrown by a check that can't be made here. */
class Skip extends Error {}

async function main(folder, kind, uri) {
  const requireHere = createRequire(path.join(__dirname, folder, 'package.json'))
  const mongodb = requireHere('mongodb')
  const client = new mongodb.MongoClient(uri, { serverSelectionTimeoutMS: 10_000 })
  const db = client.db(databaseName)
  await db.dropDatabase()
  const context = {
    folder: path.join(__dirname, folder),
    kind,
    uri,
    requireHere,
    mongodb,
    bson: requireHere('bson'),
    client,
    db,
    databaseName,
    /** An empty collection. */
    fresh: async name => {
      await db.collection(name).drop().catch(() => {})
      return db.collection(name)
    },
    skip: reason => { throw new Skip(reason) }
  }
  for (const file of checkFiles) {
    for (const [name, check] of Object.entries(require(`./checks/${file}`))) {
      process.send({ name, ...await outcomeOf(check, context) })
    }
  }
  await db.dropDatabase()
  await client.close()
}

async function outcomeOf(check, context) {
  try {
    return { outcome: 'passed', text: shortened(describe(await withTimeout(check(context)))) }
  } catch (err) {
    if (err instanceof Skip) return { outcome: 'skipped', detail: err.message }
    return { outcome: 'failed', detail: err && err.stack || String(err) }
  }
}

function withTimeout(promise) {
  let timer
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${checkTimeoutMs} ms`)), checkTimeoutMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Long texts are compared by their hash. */
function shortened(text) {
  if (text.length <= longestText) return text
  const hash = crypto.createHash('sha256').update(text).digest('hex')
  return `${text.slice(0, longestText)}… ${text.length} characters, sha256 ${hash}`
}

main(...process.argv.slice(2)).then(
  () => process.disconnect(),
  err => { process.send({ name: 'run to the end', outcome: 'failed', detail: err.stack }); process.exitCode = 1; process.disconnect() }
)
