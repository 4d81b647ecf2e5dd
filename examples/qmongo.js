'use strict'

// A small MongoDB client over node:net and qbson/wire: connect, insertMany, find and aggregate with cursors, errors.
// It has no pool, no authentication and no retries: it only shows how to use the wire layer.
//
//     node examples/qmongo.js mongodb://localhost:27017     connects to that server
//     node examples/qmongo.js                               in a clone: starts a server; needs Java and Maven

/** @typedef {import('qbson').RawDocument} RawDocument */

const net = require('node:net')
const {
  MessageSplitter,
  PendingRequests,
  decodeMessage,
  decodeBatch,
  encodeMsg,
  encodeBatches,
  encodeQuery
} = require('qbson/wire')

/** Documents per reply. Without it, some servers send all of them in one reply, beyond maxBsonObjectSize. */
const BATCH_SIZE = 1000

/** @param {string} uri `mongodb://host:port` @returns {Promise<Connection>} */
async function connect(uri) {
  const { hostname, port } = new URL(uri)
  const socket = net.connect({ host: hostname, port: Number(port || 27017), noDelay: true })
  const connection = new Connection(socket)
  await connection.hello()
  return connection
}

/** The server's reply to a command has `ok: 0` or write errors. */
class ServerError extends Error {
  constructor(reply) {
    super(reply.errmsg ?? reply.$err ?? reply.writeErrors[0].errmsg)
    this.name = 'ServerError'
    this.code = reply.code ?? reply.writeErrors?.[0].code
    this.reply = reply
  }
}

class Connection {
  constructor(socket) {
    this.socket = socket
    this.splitter = new MessageSplitter()
    this.pending = new PendingRequests()
    /** maxBsonObjectSize, maxMessageSizeBytes and maxWriteBatchSize, from the server's reply to `hello` */
    this.limits = {}
    this.failure = null
    socket.on('data', chunk => this.receive(chunk))
    socket.on('error', error => this.fail(error))
    socket.on('close', () => this.fail(new Error('the connection is closed')))
  }

  /** A broken message closes the connection: all waiting requests fail, and buffered bytes are dropped. */
  receive(chunk) {
    try {
      this.splitter.write(chunk)
      for (const bytes of this.splitter) {
        const message = decodeMessage(bytes, 0, this.limits)
        this.pending.take(message).resolve(message)
      }
    } catch (error) {
      this.fail(error)
    }
  }

  fail(error) {
    this.failure ??= error
    this.splitter.release()
    for (const { reject } of this.pending.takeAll()) reject(this.failure)
    this.socket.destroy()
  }

  /** Sends a message and resolves to the reply. */
  send(requestId, message) {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) return reject(this.failure)
      this.pending.add(requestId, { resolve, reject })
      this.socket.write(message)
    })
  }

  /** The first message is an OP_QUERY, which every version of the server understands. */
  async hello() {
    const requestId = this.pending.nextId()
    const query = { isMaster: 1, helloOk: true }
    const message = encodeQuery({ requestId, fullCollectionName: 'admin.$cmd', numberToReturn: -1, query })
    const [reply] = (await this.send(requestId, message)).documents
    const { maxBsonObjectSize, maxMessageSizeBytes, maxWriteBatchSize } = checkReply(reply).toObject()
    this.limits = { maxBsonObjectSize, maxMessageSizeBytes, maxWriteBatchSize }
  }

  /** @returns {Promise<RawDocument>} the reply, not decoded */
  async command(body) {
    const requestId = this.pending.nextId()
    const reply = await this.send(requestId, encodeMsg({ requestId, body }, this.limits))
    return checkReply(reply.body)
  }

  /** Sends as many messages as needed; encodes the next one while the server works. @returns {Promise<number>} */
  async insertMany(namespace, documents) {
    const { $db, collection } = splitNamespace(namespace)
    const body = { insert: collection, $db }
    const nextId = () => this.pending.nextId()
    const batches = encodeBatches({ nextId, body, sequence: { identifier: 'documents', documents } }, this.limits)
    let inserted = 0
    let answer = null
    for (const { requestId, message } of batches) {
      if (answer !== null) inserted += checkReply((await answer).body).get('n')
      answer = this.send(requestId, message)
    }
    return answer === null ? 0 : inserted + checkReply((await answer).body).get('n')
  }

  /** @returns {Cursor} */
  find(namespace, filter = {}, { batchSize = BATCH_SIZE, rawDocuments, ...options } = {}) {
    const { $db, collection } = splitNamespace(namespace)
    return new Cursor(this, { find: collection, filter, ...options, batchSize, $db }, { batchSize, rawDocuments })
  }

  /** @returns {Cursor} */
  aggregate(namespace, pipeline, { batchSize = BATCH_SIZE, rawDocuments, ...options } = {}) {
    const { $db, collection } = splitNamespace(namespace)
    const body = { aggregate: collection, pipeline, ...options, cursor: { batchSize }, $db }
    return new Cursor(this, body, { batchSize, rawDocuments })
  }

  close() {
    this.socket.end()
  }
}

/** Reads a single field to decide whether to decode the reply. @param {RawDocument} reply */
function checkReply(reply) {
  if (reply.get('ok') !== 1 || reply.has('writeErrors')) throw new ServerError(reply.toObject())
  return reply
}

function splitNamespace(namespace) {
  const dot = namespace.indexOf('.')
  return { $db: namespace.slice(0, dot), collection: namespace.slice(dot + 1) }
}

/** Documents as they arrive: while one batch is read, the server already works on the next. */
class Cursor {
  constructor(connection, body, { batchSize, rawDocuments }) {
    this.connection = connection
    this.body = body
    this.getMore = { batchSize }
    this.rawDocuments = rawDocuments
  }

  /** Leaving the loop early closes the cursor on the server. */
  async *batches() {
    const { connection, rawDocuments } = this
    let reply = connection.command(this.body)
    let cursor = null
    try {
      while (reply !== null) {
        const body = await reply
        cursor = openCursor(body)
        reply = cursor && connection.command({ getMore: cursor.id, ...cursor.home, ...this.getMore })
        reply?.catch(() => {}) // it is awaited above, or not at all if the loop is left
        yield decodeBatch(body, { rawDocuments }).documents
      }
    } finally {
      if (cursor !== null) await killCursor(connection, cursor)
    }
  }

  async *[Symbol.asyncIterator]() {
    for await (const batch of this.batches()) yield* batch
  }

  async toArray() {
    const all = []
    for await (const batch of this.batches()) for (const doc of batch) all.push(doc)
    return all
  }
}

/** @param {RawDocument} reply @returns the cursor for further batches, or null if this was the last one */
function openCursor(reply) {
  const id = reply.get('cursor.id', { useBigInt64: true })
  return BigInt(id) === 0n ? null : { id, home: splitNamespace(reply.get('cursor.ns')) }
}

async function killCursor(connection, { id, home: { collection, $db } }) {
  if (connection.failure === null) await connection.command({ killCursors: collection, cursors: [id], $db })
}

module.exports = { connect, Connection, Cursor, ServerError }

/** Runs the example. */
async function main(uri) {
  const server = uri === undefined ? await startServer() : { uri, stop() {} }
  const connection = await connect(server.uri)
  const books = Array.from({ length: 1000 }, (_, i) => ({ _id: i, title: `Book ${i}`, shelf: i % 7, price: i / 4 }))
  await connection.command({ drop: 'books', $db: 'qbson-example' }).catch(() => {}) // it may not exist
  console.log('inserted', await connection.insertMany('qbson-example.books', books))

  const cheap = await connection.find('qbson-example.books', { price: { $lt: 1 } }).toArray()
  console.log('cheap', cheap)

  let bytes = 0
  for await (const raw of connection.find('qbson-example.books', {}, { batchSize: 100, rawDocuments: true })) bytes += raw.size
  console.log('bytes of all', bytes)

  const shelves = [{ $group: { _id: '$shelf', books: { $sum: 1 } } }, { $sort: { _id: 1 } }]
  console.log('shelves', await connection.aggregate('qbson-example.books', shelves).toArray())

  await connection.insertMany('qbson-example.books', [{ _id: 1 }]).catch(error => console.log('error', error.code))
  connection.close()
  await server.stop()
}

function startServer() {
  return require('../test/driver/servers').startServer('java')
}

if (require.main === module) main(process.argv[2]).catch(error => {
  console.error(`${error.name}: ${error.message}`)
  process.exit(1)
})
