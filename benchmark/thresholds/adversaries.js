'use strict'

// What learning from documents costs where there is nothing to learn, and whether what is learned stays bounded. The
// rate should not be below 0.8, and the heap not grow from the middle of a run to its end.
//
//   node benchmark/thresholds/adversaries.js [--quick] [--thorough] [--rounds N] [--node PATH] [--prefix COMMAND] [--filter PATTERN]

const { parse } = require('../runner/args')
const { random } = require('../data/random')
const { machine, machineLine, nodeVersion } = require('../runner/machine')
const { timeOf } = require('../runner/measure')
const { ask } = require('../runner/process')
const { median } = require('../runner/stats')
const { figure, markdown } = require('../runner/tables')

const BATCH = 1000

/** Documents a process in millions, by mode. */
const SCALE = { quick: 0.05, normal: 0.5, thorough: 1 }

const word = (next, length) => {
  let text = ''
  for (let i = 0; i < length; i++) text += String.fromCharCode(97 + next() % 26)
  return text
}

function documentOf(keys) {
  const doc = {}
  for (let i = 0; i < keys.length; i++) doc[keys[i]] = i % 3 === 0 ? 'text' : i
  return doc
}

const wordsOf = (next, count, length) => Array.from({ length: count }, () => word(next, length))

const PREFIX = 'a.long.common.prefix.of.all.keys.'

/** Of each kind of document: how many a process has, of a million, and how the next one is made. */
const SUBJECTS = {
  'different keys each': { share: 1, make: next => () => documentOf(wordsOf(next, 6, 8)) },
  'a thousand shapes in random order': {
    share: 0.5,
    make: next => {
      const shapes = Array.from({ length: 1000 }, () => wordsOf(next, 4 + next() % 6, 3))
      return () => documentOf(shapes[next() % shapes.length])
    }
  },
  'long common prefixes': {
    share: 0.1,
    make: next => {
      const common = Array.from({ length: 12 }, (_, i) => PREFIX + i)
      return () => documentOf([...common, PREFIX + word(next, 4), PREFIX + word(next, 4)])
    }
  },
  'different tails of one shape': {
    share: 0.2,
    make: next => () => documentOf(['id', 'name', 'total', 'number', ...wordsOf(next, 2, 6)])
  },
  'nested, different keys at each level': {
    share: 0.2,
    make: next => () => {
      const inner = documentOf(wordsOf(next, 3, 6))
      const item = documentOf(wordsOf(next, 2, 6))
      return { [word(next, 6)]: { [word(next, 6)]: inner, items: [item] } }
    }
  },
  '100,000 different keys': { share: 0.00003, make: next => () => documentOf(wordsOf(next, 100000, 8)) }
}

/** By contender: where making code is forbidden nothing is learned. */
const FLAGS = { 'no codegen': ['--disallow-code-generation-from-strings'], qbson: [] }

/** Kilobytes of heap and buffers in use after a full collection. */
function used() {
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1024
}

/** In the child: seconds of a document for both operations, without the first tenth, and the heap three times. */
function run({ subject, millions }) {
  const { encode, decode } = require('../..')
  const { share, make } = SUBJECTS[subject]
  const next = make(random(5))
  const total = Math.max(10, share * millions * 1e6)
  const batch = Math.min(BATCH, total / 10)
  const heap = [used()]
  const seconds = { encode: 0, decode: 0 }
  let timed = 0
  const doBatch = isWarm => {
    const docs = Array.from({ length: batch }, next)
    const encoded = timeOf(() => docs.map(doc => encode(doc)))
    const decoded = timeOf(() => encoded.result.map(bytes => decode(bytes)))
    if (!isWarm) return
    seconds.encode += encoded.seconds
    seconds.decode += decoded.seconds
    timed += batch
  }
  for (let done = 0; done < total; done += batch) {
    doBatch(done >= total / 10)
    if (heap.length === 1 && done + batch >= total / 2) heap.push(used())
  }
  heap.push(used())
  return { encode: seconds.encode * 1e9 / timed, decode: seconds.decode * 1e9 / timed, heap, total }
}

async function measure(subject, node, { mode, prefix }) {
  const millions = SCALE[mode.name]
  const rounds = []
  for (let round = 0; round < Math.min(mode.rounds, 2); round++) {
    const answer = {}
    for (const [contender, flags] of Object.entries(FLAGS)) {
      answer[contender] = await ask(node, prefix, ['--expose-gc', ...flags], { subject, millions }, __filename)
    }
    rounds.push(answer)
  }
  return rounds
}

function rowOf(subject, rounds) {
  const ns = (contender, op) => figure(median(rounds.map(round => round[contender][op])))
  const rate = op => figure(median(rounds.map(round => round['no codegen'][op] / round.qbson[op])))
  const kept = i => figure(median(rounds.map(({ qbson: { heap } }) => heap[i] - heap[0])))
  const cells = ['encode', 'decode'].flatMap(op => [ns('no codegen', op), ns('qbson', op), rate(op)])
  return [subject, rounds[0].qbson.total.toLocaleString('en-US'), ...cells, kept(1), kept(2)]
}

async function main() {
  const request = process.argv[2]
  if (request?.startsWith('{')) return console.log(JSON.stringify(run(JSON.parse(request))))
  const options = parse(process.argv.slice(2))
  for (const node of options.nodes.map(nodeVersion)) {
    console.log(machineLine(machine(), node, new Date().toISOString().slice(0, 10)) + '\n')
    const rows = []
    for (const subject of Object.keys(SUBJECTS)) {
      if (options.filter && !options.filter.test(subject)) continue
      rows.push(rowOf(subject, await measure(subject, node, options)))
    }
    console.log(markdown({
      title: 'learning against none; ns a document, rate, and KiB kept since the start at half-time and at the end',
      head: ['', 'documents', 'encode, no codegen', 'qbson', 'rate', 'decode, no codegen', 'qbson', 'rate', 'kept, half', 'kept, end'],
      rows
    }))
  }
}

main()
