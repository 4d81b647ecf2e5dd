'use strict'

// A thread of the pool: runs the plan on each block.

const { parentPort, workerData } = require('node:worker_threads')
const { workOf } = require('./documents')

/** @param {import('node:worker_threads').MessagePort} port */
function listen(port) {
  const work = workOf(workerData, null, true)
  port.on('message', ({ memory, ...block }) => {
    try {
      const result = memory === undefined ? { output: null, found: work.rest() } : work(block)
      if (result.output !== null) result.output = copyTo(memory, result.output)
      port.postMessage({ result })
    } catch (error) {
      port.postMessage({ error })
    }
  })
  port.postMessage({}) // ready
  return true
}

/**
 * @param {SharedArrayBuffer} memory
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} a copy in `memory`, or in larger memory
 */
function copyTo(memory, bytes) {
  const shared = memory.byteLength < bytes.length ? new SharedArrayBuffer(2 * bytes.length) : memory
  const copy = new Uint8Array(shared, 0, bytes.length)
  copy.set(bytes)
  return copy
}

const isListening = parentPort !== null && listen(parentPort)

module.exports = { isListening }
