'use strict'

// A thread of the pool: does with each block what the plan says.

const { parentPort, workerData } = require('node:worker_threads')
const { workOf } = require('./documents')

/** @param {import('node:worker_threads').MessagePort} port */
function listen(port) {
  const work = workOf(workerData, null, true)
  port.on('message', block => {
    const memory = block.bytes.buffer // is given back, to be used again
    try {
      const result = work(block)
      const { output } = result
      const owns = output !== null && output.byteLength === output.buffer.byteLength && output.buffer !== memory
      if (output !== null && !owns) result.output = new Uint8Array(output)
      port.postMessage({ result, memory }, output === null ? [memory] : [memory, result.output.buffer])
    } catch (error) {
      port.postMessage({ error, memory }, [memory])
    }
  })
  return true
}

const isListening = parentPort !== null && listen(parentPort)

module.exports = { isListening }
