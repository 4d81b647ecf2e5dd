'use strict'

const { NodeBuffer } = require('../bytes')
const { allocateZeroed } = require('./local-bytes')

/** Number of bytes drawn at a time. One call of getRandomValues costs 1.6 µs, which 64 UUIDs share. */
const POOL_SIZE = 1024

/** @type {Uint8Array | undefined} */
let pool
let used = 0

/**
 * Random bytes from the platform. Without a platform source (old React Native) they come from Math.random, which is
 * good enough for unique ids but not for secret ones. Nothing is drawn before the first call, because edge runtimes
 * forbid that during import.
 *
 * @param {number} byteLength bytes
 * @returns {Uint8Array} a Buffer on Node
 */
function randomBytes(byteLength) {
  if (byteLength > POOL_SIZE / 4) return fillRandom(allocateZeroed(byteLength))
  if (pool === undefined || used + byteLength > POOL_SIZE) refill()
  const bytes = allocateZeroed(byteLength)
  for (let i = 0; i < byteLength; i++) bytes[i] = pool[used++]
  return bytes
}

function refill() {
  if (pool === undefined) onRestoredSnapshot(() => (pool = undefined))
  pool = fillRandom(allocateZeroed(POOL_SIZE))
  used = 0
}

/** @param {Uint8Array} bytes @returns {Uint8Array} the same array, filled with random bytes */
function fillRandom(bytes) {
  const { crypto } = globalThis
  if (typeof crypto?.getRandomValues !== 'function') return bytes.map(() => Math.random() * 256)
  // getRandomValues accepts at most this many bytes
  for (let i = 0; i < bytes.length; i += 65536) {
    crypto.getRandomValues(/** @type {any} */ (bytes.subarray(i, i + 65536)))
  }
  return bytes
}

/**
 * Registers `reset` to run in each process that starts from a V8 startup snapshot, if one is being built: random data
 * in the snapshot would be the same in all of them. Only Node, which has Buffer, creates snapshots.
 */
function onRestoredSnapshot(reset) {
  const snapshot = NodeBuffer && globalThis.process?.getBuiltinModule?.('v8')?.startupSnapshot
  if (snapshot?.isBuildingSnapshot?.()) snapshot.addDeserializeCallback(reset)
}

module.exports = { randomBytes, fillRandom, onRestoredSnapshot }
