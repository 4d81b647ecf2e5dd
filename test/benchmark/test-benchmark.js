'use strict'

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { median, spread, geomean, isWide, relativeRates } = require('../../benchmark/runner/stats')
const { parse } = require('../../benchmark/runner/args')
const { summarise } = require('../../benchmark/runner/results')
const { compare, drift, pairs } = require('../../benchmark/runner/compare')
const { markdown, figure, percent, relativeTables, sideBySide } = require('../../benchmark/runner/tables')
const { trimmedMean, allocated, timeOf } = require('../../benchmark/runner/measure')
const { chosenCases } = require('../../benchmark/runner/schedule')
const { between } = require('../../benchmark/runner/readme')
const { charts, relativeCharts, sizeAndTimeCharts } = require('../../benchmark/runner/charts')
const { shareTables, shareCharts, startTable } = require('../../benchmark/runner/shares')
const { checkSame, checkBytes } = require('../../benchmark/check')
const { contenders, load } = require('../../benchmark/contenders')
const { small } = require('../../benchmark/data/small')
const { limits } = require('../../benchmark/data/limit')
const { record } = require('../../benchmark/data/record')
const { tests } = require('../../benchmark/data/test')
const { media } = require('../../benchmark/data/media')
const { plainTypes, bsonTypes } = require('../../benchmark/data/types')
const documents = require('../../benchmark/data/documents')
const { many, onlyLong } = require('../fixtures/long')

const INDEX = path.join(__dirname, '..', '..', 'benchmark', 'index.js')

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
  'median, spread and geometric mean': function(t) {
    t.strictEqual(median([3, 1, 2]), 2)
    t.strictEqual(median([4, 1, 2, 3]), 2.5)
    t.ok(Number.isNaN(median([])))
    t.strictEqual(spread([90, 100, 110]), 0.1)
    t.strictEqual(spread([7]), 0)
    t.strictEqual(spread([1, 90, 100, 100, 100, 100, 100, 110, 900]), 0.1)
    t.ok(Math.abs(geomean([1, 100]) - 10) < 1e-9)
    t.strictEqual(isWide(0.1), false)
    t.strictEqual(isWide(0.11), true)
    t.strictEqual(isWide(NaN), true)
    t.done()
  },

  'relative rates pair what ran side by side: drift of the machine falls out': function(t) {
    t.deepStrictEqual(relativeRates([10, 20, 40], [50, 100, 200]), [500, 500, 500])
    t.deepStrictEqual(relativeRates([10, 20, 40], [50, 100]), [500, 500])
    const rates = { bson: [100, 100, 100], qbson: [200, 400, 300] }
    const rows = rowsOf({ bson: [1, 1, 1], qbson: [1, 1, 1] }).map(row => ({ ...row, rates: rates[row.contender] }))
    t.strictEqual(summarise(rows, { small: 'bson' })[1].relative, 300)
    t.done()
  },

  'options': function(t) {
    t.strictEqual(parse([]).mode.name, 'normal')
    t.strictEqual(parse(['--quick']).mode.name, 'quick')
    t.strictEqual(parse(['--thorough', '--rounds', '2']).mode.rounds, 2)
    t.deepStrictEqual(parse(['--suite', 'small,media', '--suite', 'start']).suites, ['small', 'media', 'start'])
    t.strictEqual(parse([]).suites, null)
    t.deepStrictEqual(parse(['--node', 'a', '--node', 'b']).nodes, ['a', 'b'])
    t.deepStrictEqual(parse(['--prefix', 'taskset -c 1']).prefix, ['taskset', '-c', '1'])
    t.ok(parse(['--filter', 'qb.on']).filter.test('small / x / encode / qbson'))
    t.throws(() => parse(['--quick', '--thorough']), /exclude/)
    t.throws(() => parse(['--rounds', '0']), /positive/)
    t.throws(() => parse(['--against', 'x.json']), /--compare/)
    t.throws(() => parse(['--fast']))
    t.throws(() => parse(['--filter', '(']), SyntaxError)
    t.done()
  },

  'a run is summarised by medians, spreads and rates against the baseline': function(t) {
    const rows = rowsOf({ bson: [100, 110, 90], qbson: [10, 11, 9] })
    const [bson, qbson] = summarise(rows, { small: 'bson' })
    t.strictEqual(bson.ns, 100)
    t.strictEqual(bson.relative, 100)
    t.strictEqual(qbson.relative, 1000)
    t.strictEqual(qbson.spread, 0.1)
    t.strictEqual(qbson.wide, false)
    t.strictEqual(qbson.relativeSpread, 0)
    t.strictEqual(summarise(rows, {})[0].relative, undefined)
    t.done()
  },

  'with a single round the spread is that of its samples': function(t) {
    const [row] = summarise([{ ...rowsOf({ bson: [100] })[0], sampleSpread: 0.3 }], { small: 'bson' })
    t.strictEqual(row.spread, 0.3)
    t.strictEqual(row.relativeSpread, 0.3)
    t.strictEqual(row.wide, true)
    t.done()
  },

  'compare: two runs that differ by noise are equal': function(t) {
    const { slower, faster } = compare(runOf(), runOf({ noise: 0.03 }))
    t.strictEqual(slower, 0)
    t.strictEqual(faster, 0)
    t.done()
  },

  'compare: a contender made 20 % slower is found, the others are not': function(t) {
    const { slower, faster, text } = compare(runOf(), runOf({ factor: 1.2 }))
    t.ok(slower >= 10)
    t.strictEqual(faster, 0)
    t.ok(/small \/ Node 20\.1\.0 \/ encode \/ qbson, 10 cases/.test(text))
    t.ok(!/bson, 10 cases.*\n.*msgpackr, 10 cases/.test(text))
    t.ok(/-16\.7 %/.test(text))
    t.done()
  },

  'compare: 20 % are found in the group even where each case is too noisy': function(t) {
    const { text } = compare(runOf({ noise: 0.12 }), runOf({ noise: 0.12, factor: 1.2 }))
    t.ok(/qbson, 10 cases/.test(text))
    t.ok(!/qbson \|/.test(text))
    t.done()
  },

  'compare: faster counts as faster': function(t) {
    const { slower, faster } = compare(runOf(), runOf({ factor: 0.5 }))
    t.strictEqual(slower, 0)
    t.strictEqual(faster, 11)
    t.done()
  },

  'compare: a machine that is slower as a whole changes nothing': function(t) {
    const slow = runOf({ machine: 1.5 })
    t.ok(Math.abs(drift(pairs(runOf(), slow)) - 1 / 1.5) < 1e-9)
    const { slower, faster, text } = compare(runOf(), slow)
    t.strictEqual(slower + faster, 0)
    t.ok(/ran 66\.7 % as fast/.test(text))
    t.done()
  },

  'compare: fewer than three contenders give no drift': function(t) {
    const only = data => ({ ...data, results: data.results.filter(result => result.contender === 'qbson') })
    t.strictEqual(drift(pairs(only(runOf()), only(runOf({ factor: 1.2 })))), 1)
    t.ok(compare(only(runOf()), only(runOf({ factor: 1.2 }))).slower > 0)
    t.done()
  },

  'figures': function(t) {
    t.strictEqual(figure(1234567), '1,234,567')
    t.strictEqual(figure(12.345), '12.3')
    t.strictEqual(figure(0.12345), '0.123')
    t.strictEqual(figure(undefined), '—')
    t.strictEqual(figure(NaN), '—')
    t.strictEqual(percent(0.0123), '±1.2 %')
    t.strictEqual(percent(0.25), '±25 %')
    t.done()
  },

  'a table is aligned, and a pipe in it is escaped': function(t) {
    const text = markdown({ title: 'T', head: ['', 'a|b'], rows: [['name', '1'], ['x', '1,000']] })
    t.strictEqual(text, '**T**\n\n|      |  a\\|b |\n|------|------:|\n| name |     1 |\n| x    | 1,000 |\n')
    t.done()
  },

  'the table of rates marks wide cells and means of what is there': function(t) {
    const rows = [
      ...rowsOf({ bson: [100, 100], qbson: [10, 20] }),
      ...rowsOf({ bson: [100, 100] }, { subject: 'y' })
    ]
    const [table] = relativeTables(summarise(rows, { small: 'bson' }), 'bson')
    t.deepStrictEqual(table.head, ['', 'x', 'y', 'geo. mean', 'spread'])
    t.deepStrictEqual(table.rows[0], ['bson', '100', '100', '100', '±0.0 %'])
    t.deepStrictEqual(table.rows[1], ['qbson', '750 ~', '—', '750*', '±33 %'])
    t.done()
  },

  'versions of Node side by side': function(t) {
    const rows = ['20.1.0', '24.1.0'].flatMap((node, i) => rowsOf({ bson: [100], qbson: [50 / (i + 1)] }, { node }))
    const table = sideBySide(summarise(rows, { small: 'bson' }))
    t.deepStrictEqual(table.rows, [['bson', '100', '100'], ['qbson', '200', '400']])
    t.strictEqual(sideBySide(summarise(rowsOf({ bson: [1] }), { small: 'bson' })), null)
    t.done()
  },

  'the filter takes the baseline along, of the same subject and operation only': function(t) {
    const cases = ['a', 'b'].flatMap(subject => ['bson', 'qbson', 'msgpackr'].map(contender => ({ subject, op: 'encode', contender })))
    const suite = { name: 's', baseline: 'bson', cases: () => cases }
    const chosen = chosenCases(suite, {}, /a \/ encode \/ qbson/)
    t.deepStrictEqual(chosen.map(item => item.subject + item.contender), ['abson', 'aqbson'])
    t.strictEqual(chosenCases(suite, {}, null).length, 6)
    t.strictEqual(chosenCases(suite, {}, /nothing/).length, 0)
    t.done()
  },

  'spans in which the collector ran do not count': function(t) {
    t.strictEqual(trimmedMean([100, 100, 100, 100, -5000, 3, 100]), 100)
    t.strictEqual(trimmedMean([-1, -2]), 0)
    t.done()
  },

  'time in which the process did not run is taken off': function(t) {
    const busy = until => { while (performance.now() < until); }
    const sleep = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    const slept = timeOf(() => {
      sleep(60)
      busy(performance.now() + 20)
      return 'result'
    })
    t.strictEqual(slept.result, 'result')
    t.ok(slept.share < 0.6 && slept.seconds < 0.06, `${slept.seconds} s`)
    t.ok(timeOf(() => busy(performance.now() + 20)).share <= 1)
    t.done()
  },

  'allocated bytes: buffers of a thousand bytes are seen': function(t) {
    const kept = new Array(16)
    const run = () => {
      for (let i = 0; i < 16; i++) kept[i] = Buffer.allocUnsafeSlow(1000)
    }
    for (let i = 0; i < 1000; i++) run()
    const measured = Array.from({ length: 5 }, () => allocated({ run, ops: 16 }))
    t.ok(measured.some(bytes => bytes > 1000 && bytes < 1600), `${measured} bytes`)
    t.done()
  },

  'text between the markers of a readme is replaced': function(t) {
    const readme = 'a\n<!-- benchmark:start -->\nold\n<!-- benchmark:end -->\nb\n'
    t.strictEqual(between(readme, ' new '), 'a\n<!-- benchmark:start -->\n\nnew\n\n<!-- benchmark:end -->\nb\n')
    t.throws(() => between('nothing', 'x'), /benchmark:start/)
    t.done()
  },

  'checks: bytes, values, key order and types of two libraries': function(t) {
    const bson = require('bson')
    checkBytes(Buffer.from([1, 2]), Buffer.from([1, 2]), 'x')
    t.throws(() => checkBytes(Buffer.from([1, 3]), Buffer.from([1, 2]), 'x'), /x: differs at byte 1/)
    t.throws(() => checkBytes('text', Buffer.from([1]), 'x'), /not bytes/)
    checkSame({ a: [1, new Date(5)] }, { a: [1, new Date(5)] }, 'x')
    t.throws(() => checkSame({ a: 1, b: 2 }, { b: 2, a: 1 }, 'x'), /^Error: x/)
    t.throws(() => checkSame({ a: 1 }, { a: 2 }, 'x'), /^Error: x/)
    const id = '0123456789abcdef01234567'
    checkSame({ id: new bson.ObjectId(id) }, { id: { _bsontype: 'ObjectId', toString: () => id } }, 'x')
    t.throws(() => checkSame({ id: new bson.ObjectId(id) }, { id }, 'x'), /x/)
    t.done()
  },

  'the hand-written limit writes and reads what bson does': function(t) {
    const bson = require('bson')
    Object.values(small).forEach((make, i) => {
      for (let round = 0; round < 300; round++) checkBytes(limits[i].encode(make()), bson.serialize(make()), `limit ${i}`)
      assert.deepStrictEqual(limits[i].decode(bson.serialize(make())), make())
    })
    t.done()
  },

  'the limits of orders, posts and events write and read what bson does': function(t) {
    const { limits: large } = require('../../benchmark/data/limit-documents')
    const { limit: event } = require('../../benchmark/data/limit-events')
    const [bson, qbson] = [require('bson'), require('../..')]
    for (const [kind, { encode, decode }] of Object.entries({ ...large, event })) {
      const theirs = documents.load(kind, bsonTypes(bson))
      documents.load(kind, bsonTypes(qbson)).slice(0, many(100, 500)).forEach((doc, i) => {
        const bytes = Buffer.from(bson.serialize(theirs[i]))
        checkBytes(encode(doc), bytes, `${kind} ${i}`)
        checkSame(decode(bytes), bson.deserialize(bytes), `${kind} ${i}`)
      })
    }
    t.done()
  },

  'workloads have the sizes that are known of them': function(t) {
    const { serialize, ...bson } = require('bson')
    const types = bsonTypes(bson)
    t.strictEqual(serialize(media()).length, 487)
    t.strictEqual(JSON.stringify(media()).length, 468)
    t.strictEqual(serialize(record()).length, 18409)
    t.ok(record().ids.every(id => id >= 111 && id <= 65454))
    t.strictEqual(serialize(tests(types)[5]).length, 109)
    t.strictEqual(tests(plainTypes)[999].A, 999000)
    t.done()
  },

  'documents: the seed makes the same ones, 500 different ones a kind': function(t) {
    for (const kind of documents.kinds) {
      const texts = documents.generate(kind, 40).map(doc => JSON.stringify(doc))
      t.deepStrictEqual(documents.generate(kind, 40).map(doc => JSON.stringify(doc)), texts)
      t.strictEqual(new Set(texts).size, 40, kind)
    }
    t.strictEqual(documents.load('sensor', plainTypes).length, 500)
    t.strictEqual(Object.keys(documents.load('wide', plainTypes)[0]).length, 150)
    t.done()
  },

  'every contender gives back the media document': function(t) {
    const workload = { ...require('../../benchmark/data/media'), schema: require('../../benchmark/data/schemas').media }
    for (const name of Object.keys(contenders).filter(name => name !== 'limit')) {
      const { encode, decode, native = doc => doc } = load(name, workload)
      const doc = native(media())
      const decoded = decode(encode(doc))
      const plain = value => value.constructor.toObject?.(value) ?? value
      assert.deepStrictEqual(JSON.parse(JSON.stringify(plain(decoded))), JSON.parse(JSON.stringify(plain(doc))), name)
    }
    t.done()
  },

  'charts are SVG with the names in them': async function(t) {
    const rows = ['encode', 'decode'].flatMap(op => rowsOf({ bson: [100], msgpackr: [70], qbson: [10], limit: [9] }, { op }))
    const results = summarise(rows, { small: 'bson' })
    const drawn = await charts({ name: 'small', charts: of => relativeCharts(of, { name: 'rates', title: 'T' }) }, results)
    assert.deepStrictEqual(drawn.map(({ file }) => file), ['small-rates.svg'])
    for (const text of ['<svg', 'qbson 1,000', 'limit 1,111', 'msgpackr 143']) assert.ok(drawn[0].svg.includes(text), text)
    const media = ['ser', 'deser'].flatMap(op => rowsOf({ bson: [100], qbson: [10] }, { op }))
      .map(row => ({ ...row, bytes: 487 }))
    const bars = await charts({ name: 'm', charts: of => sizeAndTimeCharts(of, ['bson', 'qbson']) }, summarise(media, {}))
    assert.deepStrictEqual(bars.map(({ file }) => file), ['m-time.svg', 'm-size.svg'])
    assert.ok(bars[1].svg.includes('487'))
    t.done()
  },

  'shares of the first documents: a row a kind, means and worst of the kinds, and a chart': async function(t) {
    const rowsAt = (subject, mark, ns) => rowsOf(ns, { suite: 'first', subject, op: `encode, first ${mark}` })
      .map(row => ({ ...row, extra: { op: 'encode', mark } }))
    const results = summarise([
      ...rowsAt('order', 1000, { bson: [100, 200], qbson: [40, 80], msgpackr: [50, 100] }),
      ...rowsAt('order', 100, { bson: [100], qbson: [150], msgpackr: [50] }),
      ...rowsAt('post', 100, { bson: [100], qbson: [50] }),
      ...rowsAt('mixed', 100, { bson: [100], qbson: [900], msgpackr: [70] })
    ], { first: 'bson' })
    const [table] = shareTables(results, ['order', 'post'])
    assert.deepStrictEqual(table.head, ['', '100', '1,000', 'spread'])
    assert.deepStrictEqual(table.rows.map(row => row.slice(0, 3)), [
      ['order', '1.50', '0.40'], ['post', '0.50', '—'], ['mixed', '9.00', '—'],
      ['**mean**', '1.00', '0.40'], ['**worst**', '1.50', '0.40'], ['mean of msgpackr', '0.50', '0.50']
    ])
    const drawn = await charts({ name: 'first', charts: shareCharts }, results)
    assert.deepStrictEqual(drawn.map(({ file }) => file), ['first-shares.svg'])
    for (const text of ['<svg', 'encode', 'msgpackr', 'documents']) assert.ok(drawn[0].svg.includes(text), text)
    assert.deepStrictEqual(shareCharts([]), [])
    const start = summarise(rowsOf({ bson: [2e6], qbson: [1e6] }, { op: 'require' }), { small: 'bson' })
    assert.deepStrictEqual(startTable(start).rows, [['bson', '2', '1.00', '—'], ['qbson', '1', '0.50', '—']])
    t.done()
  },

  ...onlyLong({ 'a whole run: the first documents, checked against bson, on one core where that can be said': function(t) {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'benchmark-test-')), 'new.json')
    const filter = '(event / encode / qbson)|(require / require / qbson)'
    const args = ['--suite', 'first', '--quick', '--rounds', '1', '--filter', filter, '--json', file]
    execFileSync(process.execPath, [INDEX, ...args], { encoding: 'utf8', stdio: 'pipe' })
    const { results, failures } = JSON.parse(fs.readFileSync(file, 'utf8'))
    t.deepStrictEqual(failures, [])
    const marks = results.filter(result => result.contender === 'qbson' && result.extra?.op === 'encode').map(result => result.extra.mark)
    t.deepStrictEqual(marks, [100, 300, 1000, 3000, 10000])
    t.ok(results.some(({ op }) => op === 'and the first decode'))
    fs.rmSync(path.dirname(file), { recursive: true })
    t.done()
  } }),

  'a whole run: one case, its baseline, JSON and comparison': function(t) {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'benchmark-test-'))
    const file = path.join(directory, 'new.json')
    const args = ['--suite', 'hessian', '--quick', '--filter', 'number / encode / hessian', '--json', file]
    const text = execFileSync(process.execPath, [INDEX, ...args], { encoding: 'utf8' })
    const data = JSON.parse(fs.readFileSync(file, 'utf8'))
    t.deepStrictEqual(data.results.map(result => result.contender), ['hessian.js', 'bson'])
    t.ok(data.results.every(result => result.ns > 0 && result.bytes > 0 && result.allocated > 0))
    t.ok(text.includes(`Node ${process.versions.node}`) && text.includes('bson 7.'))

    for (const result of data.results) result.spread = 0.01
    fs.writeFileSync(file, JSON.stringify(data))
    for (const result of data.results) result.ns /= 3
    const old = path.join(directory, 'old.json')
    fs.writeFileSync(old, JSON.stringify(data))
    const again = ['--compare', old, '--against', file]
    t.ok(/slower/.test(execFileSync(process.execPath, [INDEX, ...again], { encoding: 'utf8' })))
    t.throws(() => execFileSync(process.execPath, [INDEX, ...again, '--fail'], { stdio: 'pipe' }), /Command failed/)
    fs.rmSync(directory, { recursive: true })
    t.done()
  },

  'a suite that is not there is an error': function(t) {
    t.throws(() => execFileSync(process.execPath, [INDEX, '--suite', 'nothing'], { stdio: 'pipe' }), /no suite nothing/)
    t.done()
  }
}
