'use strict'

const { NodeBuffer } = require('../bytes')

/**
 * Random bytes from the platform; without one (old React Native) from Math.random, which is good enough for ids that
 * must be unique and not for ids that must be secret. Nothing is drawn before the first call: edge runtimes forbid it
 * at import.
 *
 * @param {number} byteLength bytes
 * @returns {Uint8Array} a Buffer on Node
 */
function randomBytes(byteLength) {
  const bytes = NodeBuffer !== undefined ? NodeBuffer.alloc(byteLength) : new Uint8Array(byteLength)
  const { crypto } = globalThis
  if (typeof crypto?.getRandomValues === 'function') return crypto.getRandomValues(bytes)
  return bytes.map(() => Math.random() * 256)
}

module.exports = { randomBytes }
