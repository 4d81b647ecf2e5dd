'use strict'

// What users of `npm run benchmark` rely on: it runs, compares and rejects options as documented, its documents are the
// same every time, and the pages show the saved figures.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { parse } = require('../../benchmark/runner/args')
const { compare } = require('../../benchmark/runner/compare')
const { summarise } = require('../../benchmark/runner/results')
const { joined, kindTables, merged } = require('../../benchmark/runner/tables')
const { charts, relativeCharts } = require('../../benchmark/runner/charts')
const { writeReadme } = require('../../benchmark/runner/readme')
const { loadSuites } = require('../../benchmark/runner/suites')
const documents = require('../../benchmark/data/documents')
const server = require('../../benchmark/data/server')
const { onlyLong } = require('../fixtures/long')
const { skip } = require('../skip')

const root = path.join(__dirname, '..', '..')
const INDEX = path.join(root, 'benchmark', 'index.js')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchmark-test-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

const run = args => execFileSync(process.execPath, [INDEX, ...args], { encoding: 'utf8', stdio: 'pipe' })

/** Rows as a run collects them: `ns` gives the time of each round. */
function rowsOf(ns, { suite = 'small', node = '20.1.0', subject = 'x', op = 'encode' } = {}) {
  return Object.entries(ns).map(([contender, rounds]) => ({ suite, node, subject, op, contender, rounds }))
}

/** A run of three contenders over ten subjects; `factor` makes one of them slower, `machine` all. */
function runOf({ factor = 1, machine = 1, noise = 0.02 } = {}) {
  const rows = Array.from({ length: 10 }, (_, i) => {
    const around = ns => [ns * (1 - noise), ns, ns * (1 + noise)].map(time => time * machine)
    return rowsOf({ bson: around(100 + i), msgpackr: around(50 + i), qbson: around((20 + i) * factor) }, { subject: `s${i}` })
  }).flat()
  return { date: '2026-01-01', results: summarise(rows, { small: 'bson' }) }
}

module.exports = {
  '--list names the cases of every suite': t => {
    const listed = new Set(run(['--list']).split('\n').map(line => line.split(' / ')[0]))
    t.deepStrictEqual(loadSuites(null).map(({ name }) => name).filter(name => !listed.has(name)), [])
    t.done()
  },

  'suites load few packages: with much in memory, garbage collection takes longer, most of all that of bson': t => {
    const script = `const { readdirSync } = require('fs')
      for (const file of readdirSync('benchmark/suites')) require('./benchmark/suites/' + file)
      console.log(Object.keys(require.cache).join())`
    const loaded = execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
    const packages = [...loaded.matchAll(/node_modules.([\w-]+)/g)].map(([, name]) => name)
    t.deepStrictEqual([...new Set(packages)].sort(), ['bson', 'qtimeit'])
    t.done()
  },

  'one case, its baseline, JSON and comparison': t => {
    const file = path.join(folder, 'new.json')
    const text = run(['--suite', 'hessian', '--quick', '--filter', 'number / encode / hessian', '--json', file])
    const data = JSON.parse(fs.readFileSync(file, 'utf8'))
    t.deepStrictEqual(data.results.map(result => result.contender), ['hessian.js', 'bson'])
    t.ok(data.results.every(result => result.ns > 0 && result.bytes > 0 && result.allocated > 0))
    t.ok(text.includes(`Node ${process.versions.node}`) && text.includes('bson 7.'))

    for (const result of data.results) result.spread = 0.01
    fs.writeFileSync(file, JSON.stringify(data))
    for (const result of data.results) result.ns /= 3
    const old = path.join(folder, 'old.json')
    fs.writeFileSync(old, JSON.stringify(data))
    t.throws(() => run(['--compare', old, '--against', file, '--fail']), ({ status, stdout }) => status === 1 && stdout.includes('slower'))
    t.done()
  },

  'what makes no sense is an error': t => {
    t.throws(() => loadSuites(parse(['--suite', 'nothing']).suites), /no suite nothing/)
    t.throws(() => parse(['--quick', '--thorough']), /exclude/)
    t.throws(() => parse(['--rounds', '0']), /positive/)
    t.done()
  },

  'a contender that became 20 % slower is found, noise and a slower machine are not': t => {
    const { slower, faster, text } = compare(runOf(), runOf({ factor: 1.2 }))
    t.ok(slower >= 10 && faster === 0)
    t.ok(/small \/ Node 20\.1\.0 \/ encode \/ qbson, 10 cases/.test(text) && /-16\.7 %/.test(text), text)
    for (const same of [runOf({ noise: 0.03 }), runOf({ machine: 1.5 })]) {
      const compared = compare(runOf(), same)
      t.strictEqual(compared.slower + compared.faster, 0)
    }
    t.done()
  },

  'tables: kinds with their mean and the worst, versions of Node in one cell, suites side by side': t => {
    const tableOf = (node, ns) => {
      const rows = ['a', 'b'].flatMap((subject, i) => rowsOf({ bson: [100, 100], qbson: ns[i] }, { subject, node }))
      return kindTables(summarise(rows, { small: 'bson' }), 'bson')[0]
    }
    const one = tableOf('20.1.0', [[50, 50], [25, 75]])
    t.deepStrictEqual(one.rows, [['a', '200'], ['b', '267 ~'], ['**geometric mean**', '231'], ['**worst kind**', '200']])
    const both = merged([one, tableOf('24.1.0', [[50, 50], [100, 100]])])
    t.deepStrictEqual(both.rows.slice(0, 2), [['a', '200'], ['b', '267 ~ / 100']])
    const beside = joined([{ title: 'x', head: ['', 'x'], rows: [['a', '1'], ['b', '2']] }, { title: 'y', head: ['', 'y'], rows: [['b', '3']] }])
    t.deepStrictEqual(beside.rows, [['a', '1', '—'], ['b', '2', '3']])
    t.done()
  },

  'pages show the saved figures': t => {
    const pages = ['README.md', 'benchmark/results/README.md']
    fs.mkdirSync(path.join(folder, 'benchmark', 'results'), { recursive: true })
    for (const page of pages) fs.copyFileSync(path.join(root, page), path.join(folder, page))
    writeReadme(loadSuites(null), folder)
    for (const page of pages) t.strictEqual(fs.readFileSync(path.join(folder, page), 'utf8'), fs.readFileSync(path.join(root, page), 'utf8'), page)
    t.done()
  },

  'every constant that a script in thresholds/ measures stands in the code': t => {
    const scripts = fs.readdirSync(path.join(root, 'benchmark', 'thresholds'))
    const named = scripts.flatMap(script => [...fs.readFileSync(path.join(root, 'benchmark', 'thresholds', script), 'utf8')
      .matchAll(/file: '([^']+)', name: '(\w+)'/g)])
    t.ok(named.length > 10)
    const isThere = (file, name) => {
      const source = path.join(root, file)
      return fs.existsSync(source) && new RegExp(`^const ${name} = `, 'm').test(fs.readFileSync(source, 'utf8'))
    }
    t.deepStrictEqual(named.filter(([, file, name]) => !isThere(file, name)).map(([text]) => text), [])
    t.done()
  },

  ...onlyLong({
    'a seed makes the same documents, each different': t => {
      if (process.env.NYC_CONFIG) skip(t, 'nyc cannot load faker, an ES module, by require')
      for (const { kinds, generate } of [documents, server]) {
        for (const kind of kinds) {
          const texts = generate(kind, 20).map(doc => JSON.stringify(doc))
          t.deepStrictEqual(generate(kind, 20).map(doc => JSON.stringify(doc)), texts)
          t.strictEqual(new Set(texts).size, 20, kind)
        }
      }
      t.done()
    },

    'charts are SVG with the names in them': t => {
      const rows = ['encode', 'decode'].flatMap(op => rowsOf({ bson: [100], msgpackr: [70], qbson: [10], limit: [9] }, { op }))
      const suite = { name: 'small', charts: results => relativeCharts(results, { name: 'rates', title: 'T' }) }
      charts(suite, summarise(rows, { small: 'bson' })).then(drawn => {
        t.deepStrictEqual(drawn.map(({ file }) => file), ['small-rates.svg'])
        for (const text of ['<svg', 'qbson 1,000', 'limit 1,111', 'msgpackr 143']) t.ok(drawn[0].svg.includes(text), text)
        t.done()
      }).catch(t.done)
    }
  })
}
