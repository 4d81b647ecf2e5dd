'use strict'

const Module = require('node:module')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parse } = require('./args')
const { machine, machineLine, nodeVersion } = require('./machine')
const { sample } = require('./measure')
const { ask } = require('./process')
const { median, spread, isWide } = require('./stats')
const { markdown, figure, wide } = require('./tables')

const ROOT = path.join(__dirname, '..', '..')

/**
 * How a threshold is measured.
 * @typedef {object} Threshold
 * @property {string} title what the constant decides
 * @property {{file: string, name: string, values: (number | string)[]}} [constant] of the library: `const NAME = …` at the
 *   start of a line of `file` is given each value in turn
 * @property {string[]} [variants] instead of a constant: the names of ways of doing the same
 * @property {string[]} subjects the columns: the operations that are measured
 * @property {string} [unit] of the figures; default ns per operation
 * @property {string[]} [flags] for Node
 * @property {(subject: string, variant: string, cache: string) => ThresholdWork} work `cache` is a directory for generated data
 *
 * @typedef {import('./measure').Work | { once(): number | Promise<number> }} ThresholdWork `once` returns its own figure
 */

/**
 * Runs a file of thresholds: every variant with every subject in a fresh process, in rounds. Prints the figures, with
 * the constant's present value marked. Takes options of the benchmark: --quick, --rounds, --node, --prefix, and --filter
 * for the names of constants or the titles.
 * @param {Threshold[]} thresholds
 * @param {string} file their `__filename`
 * @returns {Promise<void>}
 */
async function measureThresholds(thresholds, file) {
  const request = requestOf(process.argv[2])
  if (request) return await answer(thresholds[request.index], request)
  const options = parse(process.argv.slice(2))
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'thresholds-'))
  try {
    for (const node of options.nodes.map(nodeVersion)) await measureOn(node, thresholds, file, { ...options, cache })
  } finally {
    fs.rmSync(cache, { recursive: true })
  }
}

async function measureOn(node, thresholds, file, options) {
  console.log(machineLine(machine(), node, new Date().toISOString().slice(0, 10)) + '\n')
  for (const [index, threshold] of thresholds.entries()) {
    if (options.filter && !options.filter.test(threshold.constant?.name ?? threshold.title)) continue
    console.log(markdown(tableOf(threshold, await collect(threshold, index, file, node, options))))
  }
}

const requestOf = text => text?.startsWith('{') ? JSON.parse(text) : null

const variantsOf = ({ constant, variants }) => constant ? constant.values.map(String) : variants

/** In the child: one variant, one subject. */
async function answer(threshold, { variant, subject, mode, cache }) {
  if (threshold.constant) replaceConstant(threshold.constant, variant)
  const work = threshold.work(subject, variant, cache)
  console.log(JSON.stringify(work.once ? await work.once() : median(sample(work, mode))))
}

async function collect(threshold, index, file, node, { mode, prefix, cache }) {
  const times = new Map()
  for (let round = 0; round < mode.rounds; round++) {
    for (const subject of threshold.subjects) {
      for (const variant of variantsOf(threshold)) {
        const ns = await ask(node, prefix, threshold.flags ?? [], { index, subject, variant, mode, cache }, file)
        const key = JSON.stringify([subject, variant])
        times.set(key, [...(times.get(key) ?? []), ns])
      }
    }
  }
  return times
}

function tableOf(threshold, times) {
  const present = threshold.constant ? constantOf(threshold.constant) : undefined
  return {
    title: `${threshold.title}; ${threshold.unit ?? 'ns'}`,
    head: [threshold.constant?.name ?? '', ...threshold.subjects],
    rows: variantsOf(threshold).map(variant => [
      variant === present ? `${variant} (present)` : variant,
      ...threshold.subjects.map(subject => {
        const rounds = times.get(JSON.stringify([subject, variant]))
        return wide(figure(median(rounds)), isWide(spread(rounds)))
      })
    ])
  }
}

const lineOf = name => new RegExp(`^(const ${name} = )(.*)$`, 'm')

/** The value a constant has in the source. */
function constantOf({ file, name }) {
  const match = lineOf(name).exec(fs.readFileSync(path.join(ROOT, file), 'utf8'))
  if (!match) throw new Error(`${file} has no const ${name}`)
  return match[2]
}

/** Replaces the value of a constant in files of the library that are loaded later. */
function replaceConstant({ file, name }, value) {
  const target = path.join(ROOT, file)
  constantOf({ file, name })
  const compile = Module.prototype._compile
  Module.prototype._compile = function(source, filename) {
    const text = filename === target ? source.replace(lineOf(name), `$1${value}`) : source
    return compile.call(this, text, filename)
  }
}

module.exports = { measureThresholds, replaceConstant }
