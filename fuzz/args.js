'use strict'

const { parseArgs } = require('node:util')

const USAGE = `usage: npm run fuzz -- [options]

  --target NAME     only this target; may be repeated, or names with commas (default: all but cliff, scaling and memory)
  --minutes N       for so long each (default 1)
  --runs N          so many rounds each, instead of minutes
  --fixed           the same rounds on every machine, half a minute each, from seed 1 unless it says another
  --seed N          the first round's seed (default: from the clock); a round makes the same inputs from the same seed
  --filter PATTERN  of cliff, scaling and memory: only families whose name matches this regular expression
  --replay FILE     check the input of a file of test/regressions/ instead
  --keep DIRECTORY  where to store what is found (default test/regressions)
  --list            print the targets
  --help            print this
`

const OPTIONS = {
  target: { type: 'string', multiple: true, default: [] },
  minutes: { type: 'string' },
  runs: { type: 'string' },
  fixed: { type: 'boolean', default: false },
  seed: { type: 'string' },
  filter: { type: 'string' },
  replay: { type: 'string' },
  keep: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false }
}

/** A number from an option. */
function numberOf(values, name, otherwise) {
  if (values[name] === undefined) return otherwise
  const number = Number(values[name])
  if (!(number >= 0)) throw new Error(`--${name} wants a number, not ${values[name]}`)
  return number
}

/**
 * @param {string[]} argv without node and script
 * @param {string[]} targets the names of all targets
 * @returns {{targets: string[], minutes: number, runs: number, fixed: boolean, seed: number, filter?: string, replay?: string,
 *   keep?: string, list: boolean, help: boolean}}
 * @throws {Error} on an unknown option, target, or value
 */
function parse(argv, targets) {
  const { values } = parseArgs({ args: argv, options: OPTIONS })
  const named = values.target.flatMap(text => text.split(',')).filter(Boolean)
  const unknown = named.filter(name => !targets.includes(name))
  if (unknown.length > 0) throw new Error(`no target ${unknown.join(', ')}; there are ${targets.join(', ')}`)
  const runs = numberOf(values, 'runs', Infinity)
  return {
    targets: named.length > 0 ? named : targets.filter(name => !['cliff', 'scaling', 'memory'].includes(name)),
    minutes: numberOf(values, 'minutes', runs === Infinity && !values.fixed ? 1 : Infinity),
    runs,
    fixed: values.fixed,
    seed: numberOf(values, 'seed', values.fixed ? 1 : Date.now() % 2 ** 31),
    filter: values.filter,
    replay: values.replay,
    keep: values.keep,
    list: values.list,
    help: values.help
  }
}

module.exports = { parse, USAGE }
