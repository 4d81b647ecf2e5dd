'use strict'

const { fptime } = require('qtimeit')
const { BLOCK, kindsOf, checkKinds, runBlock } = require('./mixed')
const { median } = require('./stats')

/** How long a contender runs before the next one's turn; ms. */
const SLICE = 250

/** Slices of a process that do not count, followed by those that do: six seconds in all. */
const WARM_UP = 8
const COUNTED = 16

/** A block that takes longer may have been interrupted; µs. */
const SUSPICIOUS = 200

const wall = () => fptime() * 1e6

/** CPU time of this process with all its threads, µs. */
function processor() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** The µs that reading the clock adds to a block. */
function clockOverhead() {
  for (let i = 0; i < 5000; i++) wall()
  return median(Array.from({ length: 1000 }, () => {
    const before = wall()
    return wall() - before
  }))
}

/**
 * The work of one contender as in a server: a long-lived process handles ten documents of a kind, then ten of the next.
 * @param {{contender: string, op: string}} item
 * @param {Parameters<import('./mixed').mixedWork>[1]} workloads one per kind
 * @returns {import('./measure').Work}
 */
function slicedWork({ contender, op }, workloads) {
  const kinds = kindsOf({ contender, op }, workloads)
  return { measure: mode => measure(kinds, mode), check: () => checkKinds(kinds, contender) }
}

function measure(kinds, { turn }) {
  const overhead = clockOverhead()
  const positions = kinds.map(() => 0)
  const slices = []
  for (let i = 0; i < WARM_UP + COUNTED; i++) {
    turn?.()
    const times = slice(kinds, positions, overhead)
    if (i >= WARM_UP) slices.push(times)
  }
  return kinds.map(({ workload, bytes }, k) => {
    const samples = slices.map(times => times[k])
    return { subject: workload.name, ns: median(samples), samples, bytes }
  })
}

/** @returns {number[]} nanoseconds per document, for each kind */
function slice(kinds, positions, overhead) {
  const times = kinds.map(() => 0)
  const counts = kinds.map(() => 0)
  const end = wall() + SLICE * 1000
  let checked = { wall: wall(), processor: processor() }
  do {
    for (let k = 0; k < kinds.length; k++) {
      const { operate, inputs } = kinds[k]
      const from = positions[k]
      const start = wall()
      runBlock(operate, inputs, from, from + BLOCK)
      let time = wall() - start
      if (time > SUSPICIOUS) {
        const now = { wall: wall(), processor: processor() }
        time -= Math.max(0, now.wall - checked.wall - (now.processor - checked.processor)) // time of other processes
        checked = now
      }
      times[k] += Math.max(0, time - overhead)
      counts[k] += BLOCK
      positions[k] = (from + BLOCK) % inputs.length
    }
  } while (wall() < end)
  return times.map((time, k) => time * 1e3 / counts[k])
}

module.exports = { slicedWork }
