'use strict'

const { NodeBuffer } = require('../bytes')
const { allocateZeroed } = require('./local-bytes')

/** Bytes drawn at a time: one call of getRandomValues costs 1.6 µs, 64 UUIDs share it. */
const POOL_SIZE = 1024

/** @type {Uint8Array | undefined} */
let pool
let used = 0

/**
 * Random bytes from the platform; where it has none (old React Native) from Math.random, which is good enough for ids
 * that must be unique and not for ids that must be secret. Nothing is drawn before the first call: edge runtimes forbid
 * that at import.
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

/** @param {Uint8Array} bytes @returns {Uint8Array} the same, of random bytes */
function fillRandom(bytes) {
  const { crypto } = globalThis
  if (typeof crypto?.getRandomValues !== 'function') return bytes.map(() => Math.random() * 256)
  // so many are given at a time
  for (let i = 0; i < bytes.length; i += 65536) {
    crypto.getRandomValues(/** @type {any} */ (bytes.subarray(i, i + 65536)))
  }
  return bytes
}

/**
 * Calls `reset` in each process that starts from a V8 startup snapshot, when one is being built: what was random in it
 * would be the same in all of them. Only Node, which has Buffer, makes snapshots.
 */
function onRestoredSnapshot(reset) {
  const snapshot = NodeBuffer && globalThis.process?.getBuiltinModule?.('v8')?.startupSnapshot
  if (snapshot?.isBuildingSnapshot?.()) snapshot.addDeserializeCallback(reset)
}

module.exports = { randomBytes, fillRandom, onRestoredSnapshot }
