'use strict'

// Documents read per second by the example client with qbson and by the official driver with bson, in fresh processes
// that take turns:
//
//     node test/qmongo/rate.js            starts mongo-java-server; three rounds of 100,000 documents
//     node test/qmongo/rate.js 5          five rounds

const { execFileSync } = require('node:child_process')
const path = require('node:path')
const { connect } = require('../../examples/qmongo')
const { people } = require('./documents')

const NAMESPACE = 'qbson-rate.people'
const BATCH_SIZE = 1000
const COUNT = 100_000

/** How often a process reads everything; the first pass does not count. */
const PASSES = 3

const clients = {
  async qmongo(uri, rawDocuments) {
    const connection = await connect(uri)
    const find = () => connection.find(NAMESPACE, {}, { batchSize: BATCH_SIZE, rawDocuments })
    return { find, close: () => connection.close() }
  },

  async driver(uri, raw) {
    const { MongoClient } = require(path.join(__dirname, '../driver/with-bson/node_modules/mongodb'))
    const client = await MongoClient.connect(uri)
    const [db, collection] = NAMESPACE.split('.')
    const find = () => client.db(db).collection(collection).find({}, { batchSize: BATCH_SIZE, raw })
    return { find, close: () => client.close() }
  }
}

/**
 * @typedef {object} Rate
 * @property {number} perSecond documents
 * @property {number} perCpuSecond documents, per second of this process's own CPU time: other work of the
 *   machine hardly changes it
 */

/** @returns {Promise<Rate>} the medians of the passes after the first */
async function rate(name, uri) {
  const [client, form] = name.split('-')
  const { find, close } = await clients[client](uri, form === 'raw')
  const passes = []
  for (let i = 0; i < PASSES; i++) passes.push(await pass(find()))
  await close()
  return medians(passes.slice(1))
}

/** Reads all documents once. */
async function pass(cursor) {
  const start = process.hrtime.bigint()
  const cpuStart = process.cpuUsage()
  let count = 0
  for await (const doc of cursor) count += doc ? 1 : 0
  if (count !== COUNT) throw new Error(`${count} documents`)
  const { user, system } = process.cpuUsage(cpuStart)
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  return { perSecond: COUNT / seconds, perCpuSecond: COUNT / ((user + system) / 1e6) }
}

/** @param {Rate[]} rates @returns {Rate} */
function medians(rates) {
  const median = key => Math.round(rates.map(rate => rate[key]).sort((a, b) => a - b)[rates.length >> 1])
  return { perSecond: median('perSecond'), perCpuSecond: median('perCpuSecond') }
}

/** Fills the collection. @param {string} uri */
async function fill(uri) {
  const connection = await connect(uri)
  await connection.insertMany(NAMESPACE, people(COUNT))
  connection.close()
}

/**
 * @param {string} uri of a server that `fill` has filled
 * @param {number} rounds
 * @param {string[]} names
 * @returns {Record<string, Rate>} by name: the medians of the rounds
 */
function measure(uri, rounds, names) {
  const rates = Object.fromEntries(names.map(name => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) rates[name].push(JSON.parse(execFileSync(process.execPath, [__filename, name, uri])))
  }
  return Object.fromEntries(names.map(name => [name, medians(rates[name])]))
}

async function main(rounds = 3) {
  const server = await require('../driver/servers').startServer('java')
  await fill(server.uri)
  const rates = measure(server.uri, rounds, ['driver', 'qmongo', 'driver-raw', 'qmongo-raw'])
  console.table(rates)
  for (const form of ['', '-raw']) {
    const [ours, theirs] = [rates[`qmongo${form}`], rates[`driver${form}`]]
    const times = key => `${(ours[key] / theirs[key]).toFixed(2)} times the documents ${key}`
    console.log(`qmongo${form}: ${times('perSecond')}, ${times('perCpuSecond')} of driver${form}`)
  }
  await server.stop()
}

module.exports = { COUNT, fill, measure }

if (require.main === module) {
  const [first, uri] = process.argv.slice(2)
  if (uri === undefined) main(first && Number(first))
  else rate(first, uri).then(result => console.log(JSON.stringify(result)))
}
