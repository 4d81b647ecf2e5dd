'use strict'

const net = require('net')

/**
 * A relay in front of a server, that can spoil what the server says: the network of a bad day.
 *
 * @param {{ host: string, port: number }} server
 * @returns {Promise<{ address: string, spoil: (spoiler: Spoiler | undefined) => void, close: () => Promise<void> }>}
 *
 * @callback Spoiler
 * @param {Buffer} chunk what the server says
 * @param {net.Socket} near where the client hears
 * @returns {Buffer | null} what the client gets to hear; null when it got its answer
 */
async function startProxy(server) {
  /** @type {Spoiler | undefined} */
  let spoiler
  const sockets = new Set()
  const relay = net.createServer(near => {
    const far = net.connect(server.port, server.host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {}) // the other end tells it to who asks
      socket.on('close', () => { near.destroy(); far.destroy(); sockets.delete(socket) })
    }
    near.on('data', chunk => far.write(chunk))
    far.on('data', chunk => {
      const heard = spoiler ? spoiler(chunk, near) : chunk
      if (heard && near.writable) near.write(heard)
    })
  })
  await new Promise(resolve => relay.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {net.AddressInfo} */ (relay.address())
  return {
    address: `127.0.0.1:${port}`,
    spoil: how => { spoiler = how },
    close: () => new Promise(resolve => {
      for (const socket of sockets) socket.destroy()
      relay.close(() => resolve())
    })
  }
}

module.exports = { startProxy }
