'use strict'

// Cleans up when the command is interrupted: a line on the terminal, incomplete files.

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** @type {Set<() => void>} */
const cleanups = new Set()

/**
 * @param {() => void} cleanup runs when the process is interrupted, before it ends by the same signal
 * @returns {() => void} call it when the cleanup is no longer needed
 */
function onInterrupt(cleanup) {
  if (cleanups.size === 0) for (const signal of SIGNALS) process.on(signal, interrupted)
  cleanups.add(cleanup)
  return () => {
    cleanups.delete(cleanup)
    if (cleanups.size === 0) for (const signal of SIGNALS) process.removeListener(signal, interrupted)
  }
}

function interrupted(signal) {
  for (const cleanup of [...cleanups]) {
    cleanups.delete(cleanup)
    cleanup()
  }
  for (const each of SIGNALS) process.removeListener(each, interrupted)
  process.kill(process.pid, signal)
}

module.exports = { onInterrupt }
