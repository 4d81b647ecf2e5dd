'use strict'

// A thread of the pool: runs the plan on each block.

const { parentPort, workerData } = require('node:worker_threads')
const { columnWork } = require('./column-work')
const { workOf } = require('./documents')
const { copyTo } = require('./pool')

async function listen(port) {
  let work = await workFor(workerData)
  let before = Promise.resolve()
  port.on('message', ({ plan, memory, ...block }) => {
    before = before.then(async () => {
      if (plan !== undefined) work = await workFor(plan)
      else port.postMessage(answer(work, memory, block))
    })
  })
  port.postMessage({}) // ready
}

async function workFor(plan) {
  return plan.columns === undefined ? workOf(plan, null, true) : columnWork(plan.columns, true, true)
}

/** @returns {{result: any} | {error: any}} */
function answer(work, memory, block) {
  try {
    const result = memory === undefined ? { output: null, found: work.collect() } : work(block)
    if (result.output !== null) result.output = copyTo(memory, result.output)
    return { result }
  } catch (error) {
    return { error }
  }
}

const ended = parentPort === null ? null : listen(parentPort)

module.exports = { ended }
