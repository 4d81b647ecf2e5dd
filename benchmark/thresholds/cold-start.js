'use strict'

// The first documents of a fresh process, encoded and decoded once each: here what is compiled too early costs more
// than it wins. COLD of lib/shapes.js, and WARM, HOT and HOT_WINDOW of lib/shapes/shape.js, against bson and against
// learning nothing.
//
//   node benchmark/thresholds/cold-start.js [--quick] [--thorough] [--rounds N] [--node PATH] [--prefix COMMAND]

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const documents = require('../data/documents')
const { bsonTypes } = require('../data/types')
const { parse } = require('../runner/args')
const { machine, machineLine, nodeVersion } = require('../runner/machine')
const { timeOf } = require('../runner/measure')
const { ask } = require('../runner/schedule')
const { median, spread, isWide } = require('../runner/stats')
const { figure, markdown, wide } = require('../runner/tables')
const { replaceConstant } = require('../runner/threshold')

const ofShape = (name, value) => ({ file: 'lib/shapes/shape.js', name, value })

/** Each with the constants it replaces. */
const VARIANTS = {
  bson: [],
  qbson: [],
  'qbson, no learning': [],
  'qbson, no function compiled': [{ file: 'lib/codegen.js', name: 'MAX_COMPILED', value: 0 }],
  'qbson, COLD = 0': [{ file: 'lib/shapes.js', name: 'COLD', value: 0 }],
  'qbson, COLD = 10,000': [{ file: 'lib/shapes.js', name: 'COLD', value: 10000 }],
  'qbson, WARM = 50': [ofShape('WARM', 50)],
  'qbson, HOT = 25': [ofShape('HOT', 25)],
  'qbson, HOT = 400': [ofShape('HOT', 400)],
  'qbson, HOT_WINDOW = 10 * HOT': [ofShape('HOT_WINDOW', '10 * HOT')]
}

const KINDS = ['order', 'post', 'sensor', 'log', 'event', 'dictionary', 'wide', 'tree', 'types']

/** When the clock is read. */
const MARKS = [100, 1000, 4000, 20000]

function codecOf(variant) {
  VARIANTS[variant].forEach(({ value, ...constant }) => replaceConstant(constant, value))
  if (variant === 'bson') {
    const bson = require('bson')
    return { types: bson, encode: bson.serialize, decode: bson.deserialize }
  }
  const types = require('../..')
  if (variant !== 'qbson, no learning') return { types, encode: types.encode, decode: types.decode }
  return { types, encode: require('../../lib/encode').encode, decode: require('../../lib/decode').decode }
}

/** In the child: milliseconds up to each of the marks. */
function run({ variant, subject, cache }) {
  const { types, encode, decode } = codecOf(variant)
  const kinds = subject === 'nine kinds' ? KINDS : [subject]
  const loaded = kinds.map(kind => documents.load(kind, bsonTypes(types), cache))
  const docs = Array.from({ length: MARKS.at(-1) }, (_, i) => {
    const list = loaded[i % kinds.length]
    return list[Math.floor(i / kinds.length) % list.length]
  })
  const kept = new Array(64)
  let done = 0
  let ms = 0
  return MARKS.map(mark => {
    ms += 1000 * timeOf(() => {
      for (; done < mark; done++) kept[done % 64] = decode(encode(docs[done]))
    }).seconds
    return ms
  })
}

async function measure(subject, node, { mode, prefix }, cache) {
  const rounds = {}
  for (let round = 0; round < (mode.name === 'quick' ? mode.rounds : 2 * mode.rounds + 1); round++) {
    for (const variant of Object.keys(VARIANTS)) {
      (rounds[variant] ??= []).push(await ask(node, prefix, [], { variant, subject, cache }, __filename))
    }
  }
  return rounds
}

function tableOf(subject, rounds) {
  const cell = (times, i) => {
    const column = times.map(round => round[i])
    const relative = times.map((round, n) => round[i] / rounds.bson[n][i])
    return [wide(figure(median(column)), isWide(spread(column))), figure(median(relative))]
  }
  return {
    title: `${subject}: ms for the first documents of a process, and times those of bson`,
    head: ['', ...MARKS.flatMap(mark => [mark.toLocaleString('en-US'), '/ bson'])],
    rows: Object.entries(rounds).map(([variant, times]) => [variant, ...MARKS.flatMap((_, i) => cell(times, i))])
  }
}

async function main() {
  const request = process.argv[2]
  if (request?.startsWith('{')) return console.log(JSON.stringify(run(JSON.parse(request))))
  const options = parse(process.argv.slice(2))
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'cold-start-'))
  try {
    documents.prepare(cache)
    for (const node of options.nodes.map(nodeVersion)) {
      console.log(machineLine(machine(), node, new Date().toISOString().slice(0, 10)) + '\n')
      for (const subject of ['nine kinds', 'sensor']) {
        console.log(markdown(tableOf(subject, await measure(subject, node, options, cache))))
      }
    }
  } finally {
    fs.rmSync(cache, { recursive: true })
  }
}

main()
