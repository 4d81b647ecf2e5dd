'use strict'

const { parseArgs } = require('node:util')

/** How long each mode takes: rounds of fresh processes, and milliseconds within a process. */
const MODES = {
  quick: { rounds: 1, warmMs: 60, sampleMs: 5, samples: 4 },
  normal: { rounds: 3, warmMs: 100, sampleMs: 6, samples: 11 },
  thorough: { rounds: 5, warmMs: 100, sampleMs: 6, samples: 11 }
}

const USAGE = `usage: node benchmark [options]

  --suite NAME        only this suite; may be repeated, or names with commas
  --filter PATTERN    only cases whose "suite / subject / operation / contender" matches this regular expression
                      (the baseline of a suite always runs: rates are relative to it)
  --quick             one short round, some minutes for everything
  --thorough          five rounds instead of three, over an hour for everything
  --rounds N          this many rounds
  --node PATH         this Node binary; may be repeated: the versions run side by side
  --runtime NAME      bun, deno, chromium or firefox instead of Node, for small, server and first; may be repeated;
                      npm run test:everywhere installs them, but for browsers
  --prefix COMMAND    put before each timed process, as "taskset -c 1"
  --json FILE         write all figures as JSON
  --compare OLD.json  print what became faster or slower than in OLD.json, beyond noise
  --against NEW.json  compare that file with OLD.json instead of running anything
  --fail              exit with 1 when --compare finds something slower
  --save              write tables and charts to benchmark/results/
  --readme            write the pages from them: README.md and benchmark/results/README.md; with --save
                      after the run, else without one
  --details           print every case too: ns, spread, MB/s, allocated bytes
  --list              print the cases
  --help              print this
`

const OPTIONS = {
  suite: { type: 'string', multiple: true, default: [] },
  filter: { type: 'string' },
  quick: { type: 'boolean', default: false },
  thorough: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  node: { type: 'string', multiple: true, default: [] },
  runtime: { type: 'string', multiple: true, default: [] },
  prefix: { type: 'string', default: '' },
  json: { type: 'string' },
  compare: { type: 'string' },
  against: { type: 'string' },
  fail: { type: 'boolean', default: false },
  save: { type: 'boolean', default: false },
  readme: { type: 'boolean', default: false },
  details: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false }
}

/**
 * @param {string[]} argv without node and script
 * @param {import('node:util').ParseArgsConfig['options']} [more] options of one script
 * @returns {any} the options; `suites` is null for all, `mode` has a name
 * @throws {Error} on an unknown option or a value that makes no sense
 */
function parse(argv, more = {}) {
  const { values } = parseArgs({ args: argv, options: { ...OPTIONS, ...more } })
  if (values.quick && values.thorough) throw new Error('--quick and --thorough exclude each other')
  const name = values.quick ? 'quick' : values.thorough ? 'thorough' : 'normal'
  const rounds = values.rounds === undefined ? MODES[name].rounds : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds wants a positive integer')
  if (values.against && !values.compare) throw new Error('--against needs --compare')
  if (values.runtime.length > 0 && values.save) throw new Error('results are saved of Node only')
  const suites = values.suite.flatMap(text => text.split(',')).filter(Boolean)
  return {
    ...values,
    suites: suites.length > 0 ? suites : null,
    nodes: values.node.length > 0 || values.runtime.length > 0 ? values.node : [process.execPath],
    filter: values.filter === undefined ? null : new RegExp(values.filter),
    prefix: values.prefix.split(' ').filter(Boolean),
    mode: { name, ...MODES[name], rounds }
  }
}

module.exports = { parse, MODES, USAGE }
