'use strict'

const { allocateZeroed } = require('./local-bytes')

/** Number of bytes drawn at a time. One call of getRandomValues costs 1.6 µs, which 64 UUIDs share. */
const POOL_SIZE = 1024

/** @type {Uint8Array | undefined} */
let pool
let used = 0

/** What getRandomValues fills at most: bytes. */
const LARGEST = 65536

/**
 * Random bytes from the platform. Without a platform source (old React Native) they come from Math.random, which is
 * good enough for unique ids but not for secret ones. Nothing is drawn before the first call, because edge runtimes
 * forbid that during import.
 *
 * @param {number} byteLength bytes
 * @returns {Uint8Array} a Buffer on Node
 */
function randomBytes(byteLength) {
  const bytes = allocateZeroed(byteLength)
  for (let i = 0; i < byteLength; i += LARGEST) bytes.set(fillRandom(bytes.subarray(i, i + LARGEST)), i)
  return bytes
}

/** The same for a few bytes. @param {number} byteLength at most POOL_SIZE @returns {Uint8Array} */
function pooledBytes(byteLength) {
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

/** @param {Uint8Array} bytes at most LARGEST @returns {Uint8Array} as many random bytes */
function fillRandom(bytes) {
  const { crypto } = globalThis
  const hasRandom = typeof crypto?.getRandomValues === 'function'
  return hasRandom ? crypto.getRandomValues(/** @type {any} */ (bytes)) : bytes.map(() => Math.random() * 256)
}

const { random } = Math // tests replace Math.random later, often by a constant

/**
 * The bytes by which ids of one process differ from those of all others: unique, but no secret, since every id shows
 * them. On Node the first access to `globalThis.crypto` loads webcrypto, which takes 2.5 to 5.5 ms, so that there they
 * come from Math.random: V8 seeds each process, worker and process from a startup snapshot with 64 bits of the
 * system's entropy. The time in nanoseconds and the process id are mixed in, because `node --random-seed` gives all of
 * them one seed. Elsewhere `crypto` is there already, and Math.random may have a seed of 32 bits.
 *
 * @param {number} byteLength at most 5 bytes differ by time and process
 * @returns {Uint8Array}
 */
function uniqueBytes(byteLength) {
  const bytes = new Uint8Array(byteLength)
  if (typeof Buffer === 'undefined' || !isNode()) return fillRandom(bytes) // builds for browsers drop what follows
  const { pid } = process
  const nanoseconds = process.hrtime()[1]
  const mixed = [nanoseconds, nanoseconds >>> 8, nanoseconds >>> 16, (nanoseconds >>> 24) ^ (pid >>> 8), pid]
  return bytes.map((_, i) => (random() * 256) ^ mixed[i])
}

/** Bun and Deno have `process` and `Buffer`, too. */
function isNode() {
  const { versions } = globalThis.process ?? {}
  return versions?.node !== undefined && !versions.bun && !versions.deno
}

/**
 * Registers `reset` to run in each process that starts from a V8 startup snapshot, if one is being built: random data
 * in the snapshot would be the same in all of them. Only Node, which has Buffer, creates snapshots, and only if its
 * arguments say so: asking the module `v8` takes 1.7 ms.
 */
function onRestoredSnapshot(reset) {
  if (typeof Buffer === 'undefined') return
  const { execArgv, getBuiltinModule } = globalThis.process ?? {}
  if (!execArgv?.some(argument => /snapshot|-sea/.test(argument))) return
  const snapshot = getBuiltinModule?.('v8')?.startupSnapshot
  if (snapshot?.isBuildingSnapshot?.()) snapshot.addDeserializeCallback(reset)
}

module.exports = { randomBytes, pooledBytes, uniqueBytes, onRestoredSnapshot }
