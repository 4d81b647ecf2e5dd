'use strict'

// A thread of the pool: does with each block what the plan says.

const { parentPort, workerData } = require('node:worker_threads')
const { workOf } = require('./documents')

/** @param {import('node:worker_threads').MessagePort} port */
function listen(port) {
  const work = workOf(workerData, null, true)
  port.on('message', block => {
    try {
      const result = work(block)
      const { output } = result
      const owns = output !== null && output.byteLength === output.buffer.byteLength
      if (output !== null && !owns) result.output = new Uint8Array(output)
      const memory = /** @type {ArrayBuffer[]} */ (output === null ? [] : [result.output.buffer])
      port.postMessage({ result }, memory)
    } catch (error) {
      port.postMessage({ error })
    }
  })
  return true
}

const isListening = parentPort !== null && listen(parentPort)

module.exports = { isListening }
