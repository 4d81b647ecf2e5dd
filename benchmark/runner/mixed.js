'use strict'

const { fptime } = require('qtimeit')
const { contenders, load } = require('../contenders')
const { checkCodec, input, KEPT } = require('./codec')
const { allocated, processorMs } = require('./measure')
const { median } = require('./stats')

/**
 * The warm-up ends when for so long no pass has been faster, by 3 %, than the fastest before. With code for many kinds
 * the optimiser has much to do: it has been seen to settle after 250 ms, and after two seconds.
 */
const SETTLED_MS = { quick: 200, normal: 400, thorough: 400 }

/** And at the latest after so many times the warm-up of the mode. */
const LONGEST_WARM_UP = 40

/** Documents of a kind that are worked on in a row before the next kind has its turn; one reading of the clock. */
const BLOCK = 10

/**
 * The work of one contender on many kinds of documents, all in one process: blocks of ten documents of a kind, the
 * kinds in turn, so that whatever a codec learns from one kind has to hold against the others.
 * @param {{contender: string, op: string}} item
 * @param {{name: string, schema?: any, documents: (types: any) => any[]}[]} workloads one a kind
 * @param {import('../contenders').Codec} [codec] another than the contender's own; `op` is one of its functions, which
 *   gets documents, or their bytes when it is `decode`
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

// The one place that calls the codec, for all kinds.
function runBlock(operate, inputs, from, to) {
  for (let i = from; i < to; i++) kept[i % KEPT] = operate(inputs[i])
}

/** Both clocks in microseconds: the wall's, and the processor time of this process. */
function clocks() {
  const { user, system } = process.cpuUsage()
  return { wall: fptime() * 1e6, processor: user + system }
}

/** Time that passes for more than so long without this process running was another's. */
const STOLEN = 200 // µs

/**
 * One pass over all documents of all kinds.
 * @returns {number[]} microseconds a kind: by the wall clock, or of blocks that were interrupted the processor time
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

/** What reading the clocks adds to a block, in microseconds. */
function clockOverhead() {
  for (let i = 0; i < 5000; i++) clocks()
  return median(Array.from({ length: 1000 }, () => {
    const before = clocks()
    return clocks().wall - before.wall
  }))
}

/** Runs passes, which return their time, until they become no faster. */
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

/** As many passes as one case has samples. */
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
