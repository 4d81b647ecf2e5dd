'use strict'

const { startProxy } = require('./proxy')

/** The heartbeat is kept away from what is spoilt. */
const clientOptions = {
  directConnection: true,
  serverSelectionTimeoutMS: 2000,
  heartbeatFrequencyMS: 60_000,
  retryReads: false
}

/**
 * Calls `use(collection, proxy, client)` with a collection of `docs` that is reached through a proxy.
 *
 * @param {any} context of a check
 * @param {object[]} docs
 * @param {(collection: any, proxy: any, client: any) => Promise<any>} use
 */
async function throughProxy(context, docs, use) {
  const real = await context.fresh('through_proxy')
  await real.insertMany(docs)
  const proxy = await startProxy(addressOf(context))
  const client = new context.mongodb.MongoClient(throughAddress(context.uri, proxy.address), clientOptions)
  try {
    return await use(client.db(context.databaseName).collection('through_proxy'), proxy, client)
  } finally {
    proxy.spoil(undefined)
    await client.close()
    await proxy.close()
  }
}

/** Of the server that the driver is connected to. */
function addressOf({ client, skip }) {
  const { options } = client
  if (options.tls) skip('what is encrypted can not be cut or changed on the way')
  return options.hosts[0]
}

/** The same connection string with another host. */
function throughAddress(uri, address) {
  return uri.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/?]+/, `$1${address}`)
}

/** Replace the first `find` in what the server says, however it is cut into pieces: `find` stands within one. */
function replaceOnce(find, replacement) {
  let done = false
  return chunk => {
    const at = done ? -1 : chunk.indexOf(find)
    if (at < 0) return chunk
    done = true
    const spoilt = Buffer.from(chunk)
    spoilt.set(Buffer.from(replacement), at)
    return spoilt
  }
}

module.exports = { throughProxy, replaceOnce }
