'use strict'

const { fptime } = require('qtimeit')
const { contenders, load } = require('../contenders')
const { checkCodec, input, KEPT } = require('./codec')
const { allocated, processorMs } = require('./measure')
const { median } = require('./stats')

/**
 * The warm-up ends when no pass has been 3 % faster than the fastest one before for this long. With code for many kinds
 * the optimiser has much to do: it settles after 250 ms to two seconds.
 */
const SETTLED_MS = { quick: 200, normal: 400, thorough: 400 }

/** The warm-up ends at the latest after this many times the mode's warm-up. */
const LONGEST_WARM_UP = 40

/** Documents of one kind in a row, timed together, before the next kind. */
const BLOCK = 10

/**
 * The work of one contender on many kinds of documents in one process: blocks of ten documents of a kind, the kinds in
 * turn, so that what a codec learns from one kind has to survive the others.
 * @param {{contender: string, op: string}} item
 * @param {{name: string, schema?: any, documents: (types: any) => any[]}[]} workloads one per kind
 * @param {import('../contenders').Codec} [codec] instead of the contender's own; `op` is one of its functions, which
 *   takes documents, or their bytes if it is `decode`
 * @returns {import('./measure').Work}
 */
function mixedWork({ contender, op }, workloads, codec = undefined) {
  const kinds = kindsOf({ contender, op }, workloads, codec)
  return {
    measure: mode => rows(timePasses(kinds, mode), kinds, mode),
    check: () => checkKinds(kinds, contender)
  }
}

/** One codec for all kinds, unless it needs the schema of each. */
function kindsOf({ contender, op }, workloads, codec) {
  const shared = codec ?? (contenders[contender].needsSchema ? undefined : load(contender, {}))
  return workloads.map(workload => kindOf(shared ?? load(contender, workload), workload, op))
}

function checkKinds(kinds, contender) {
  for (const { codec, workload, documents, encoded } of kinds) {
    checkCodec(codec, workload, `${contender}, ${workload.name}`, documents, encoded)
  }
}

function kindOf(codec, workload, op) {
  const documents = workload.documents(codec.types)
  const encoded = documents.map(doc => input(codec.encode(doc)))
  const bytes = encoded.reduce((sum, one) => sum + Buffer.byteLength(one), 0) / encoded.length
  return { codec, operate: codec[op], workload, documents, encoded, bytes, inputs: op === 'decode' ? encoded : documents }
}

const kept = new Array(KEPT).fill(null)

// The only call site of the codec, for all kinds.
function runBlock(operate, inputs, from, to) {
  for (let i = from; i < to; i++) kept[i % KEPT] = operate(inputs[i])
}

/** Wall-clock time and CPU time of this process, in microseconds. */
function clocks() {
  const { user, system } = process.cpuUsage()
  return { wall: fptime() * 1e6, processor: user + system }
}

/** If the process did not run for longer than this, the time belonged to another process. */
const STOLEN = 200 // µs

/**
 * One pass over all documents of all kinds.
 * @returns {number[]} microseconds per kind: wall-clock time, but CPU time for blocks that were interrupted
 */
function pass(kinds, overhead) {
  const times = kinds.map(() => 0)
  const count = Math.max(...kinds.map(kind => kind.inputs.length))
  for (let from = 0; from < count; from += BLOCK) {
    for (let k = 0; k < kinds.length; k++) {
      if (from >= kinds[k].inputs.length) continue
      const start = clocks()
      runBlock(kinds[k].operate, kinds[k].inputs, from, Math.min(from + BLOCK, kinds[k].inputs.length))
      const end = clocks()
      const wall = end.wall - start.wall
      const processor = end.processor - start.processor
      times[k] += (wall - processor > STOLEN ? processor : wall) - overhead
    }
  }
  return times
}

/** The microseconds that reading the clocks adds to a block. */
function clockOverhead() {
  for (let i = 0; i < 5000; i++) clocks()
  return median(Array.from({ length: 1000 }, () => {
    const before = clocks()
    return clocks().wall - before.wall
  }))
}

/** Runs passes, which return their time, until they no longer become faster. */
function settle(timedPass, longestMs, settledMs) {
  const end = processorMs() + longestMs
  let fastest = Infinity
  let since = processorMs()
  while (processorMs() < Math.min(end, since + settledMs)) {
    const time = timedPass()
    if (time > 0.97 * fastest) continue
    fastest = time
    since = processorMs()
  }
}

/** Runs one pass per sample of the case. */
function timePasses(kinds, { name, warmMs, samples, turn }) {
  const overhead = clockOverhead()
  const timedPass = () => pass(kinds, overhead).reduce((sum, time) => sum + time)
  settle(timedPass, LONGEST_WARM_UP * warmMs, SETTLED_MS[name])
  return Array.from({ length: samples }, () => {
    turn?.()
    return pass(kinds, overhead)
  })
}

function rows(passes, kinds, { round }) {
  return kinds.map((kind, k) => {
    const ops = kind.inputs.length
    let from = 0
    const run = () => {
      runBlock(kind.operate, kind.inputs, from, from + BLOCK)
      from = (from + BLOCK) % (ops - BLOCK)
    }
    const samples = passes.map(times => times[k] * 1e3 / ops)
    return {
      subject: kind.workload.name,
      ns: median(samples),
      samples,
      bytes: kind.bytes,
      allocated: round === 0 ? allocated({ run, ops: BLOCK }) : undefined
    }
  })
}

module.exports = { mixedWork, kindsOf, checkKinds, runBlock, BLOCK }
