'use strict'

const { fptime } = require('qtimeit')
const { load } = require('../contenders')
const { checkCodec, input, KEPT } = require('./codec')
const { allocated } = require('./measure')
const { median, spread } = require('./stats')

/** Documents of a kind that are worked on in a row before the next kind has its turn; one reading of the clock. */
const BLOCK = 10

/**
 * The work of one contender on many kinds of documents, all in one process: blocks of ten documents of a kind, the
 * kinds in turn, so that whatever a codec learns from one kind has to hold against the others.
 * @param {{contender: string, op: string}} item
 * @param {{name: string, documents: (types: any) => any[]}[]} workloads one a kind
 * @param {import('../contenders').Codec} [codec] another than the contender's own
 * @returns {import('./measure').Work}
 */
function mixedWork({ contender, op }, workloads, codec = load(contender, {})) {
  const operate = op === 'encode' ? codec.encode : codec.decode
  const kinds = workloads.map(workload => kindOf(codec, workload, op))
  return {
    measure: mode => rows(timePasses(kinds, operate, mode), kinds, operate, mode),
    check: () => kinds.forEach(({ workload, documents, encoded }) => {
      checkCodec(codec, workload, `${contender}, ${workload.name}`, documents, encoded)
    })
  }
}

function kindOf(codec, workload, op) {
  const documents = workload.documents(codec.types)
  const encoded = documents.map(doc => input(codec.encode(doc)))
  const bytes = encoded.reduce((sum, one) => sum + Buffer.byteLength(one), 0) / encoded.length
  return { workload, documents, encoded, bytes, inputs: op === 'encode' ? documents : encoded }
}

const kept = new Array(KEPT).fill(null)

// The one place that calls the codec, for all kinds.
function runBlock(operate, inputs, from, to) {
  for (let i = from; i < to; i++) kept[i % KEPT] = operate(inputs[i])
}

/** One pass over all documents of all kinds; returns the seconds each kind took. */
function pass(kinds, operate, overhead) {
  const seconds = kinds.map(() => 0)
  const count = Math.max(...kinds.map(kind => kind.inputs.length))
  for (let from = 0; from < count; from += BLOCK) {
    for (let k = 0; k < kinds.length; k++) {
      const start = fptime()
      runBlock(operate, kinds[k].inputs, from, Math.min(from + BLOCK, kinds[k].inputs.length))
      seconds[k] += fptime() - start - overhead
    }
  }
  return seconds
}

/** What two readings of the clock add to a block, in seconds. */
function clockOverhead() {
  const readings = []
  for (let i = 0; i < 5000; i++) {
    const start = fptime()
    readings.push(fptime() - start)
  }
  return median(readings.slice(-1000))
}

/** At least three passes, and four times the sampling time of one case, after the warm-up, which is four times as long here. */
function timePasses(kinds, operate, { warmMs, sampleMs, samples }) {
  const overhead = clockOverhead()
  const warmed = fptime() + 4 * warmMs / 1000
  do pass(kinds, operate, overhead)
  while (fptime() < warmed)
  const passes = []
  const end = fptime() + 4 * sampleMs * samples / 1000
  while (passes.length < 3 || fptime() < end) passes.push(pass(kinds, operate, overhead))
  return passes
}

function rows(passes, kinds, operate, { round }) {
  return kinds.map((kind, k) => {
    const ops = kind.inputs.length
    let from = 0
    const run = () => {
      runBlock(operate, kind.inputs, from, from + BLOCK)
      from = (from + BLOCK) % (ops - BLOCK)
    }
    return {
      subject: kind.workload.name,
      ns: median(passes.map(seconds => seconds[k])) * 1e9 / ops,
      sampleSpread: spread(passes.map(seconds => seconds[k])),
      bytes: kind.bytes,
      allocated: round === 0 ? allocated({ run, ops: BLOCK }) : undefined
    }
  })
}

module.exports = { mixedWork, BLOCK }
