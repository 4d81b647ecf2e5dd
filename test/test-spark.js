'use strict'

// spark/qbson_spark.py, the data source for Apache Spark, and examples/spark. Only `npm run test:long` runs them, if Java
// and PyPI are available, and not in CI.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const { spawnSync } = require('node:child_process')
const { encode, Decimal128, Double, Long, ObjectId, UUID } = require('../qbson')
const { onlyLong } = require('./fixtures/long')
const { skip } = require('./skip')

const root = path.dirname(__dirname)
const READER = path.join(__dirname, 'fixtures', 'read-spark.py')
const COUNT = 2000

/** ms for one session of Spark, which takes half a minute to start on a busy machine */
const TIMEOUT = 280_000

function has(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

let folder
let python

/** Installs PySpark once. */
function prepare(t) {
  if (process.env.TEST_SPARK === '0') skip(t, 'Spark is 400 MB to install and takes minutes: TEST_SPARK=0')
  if (!has('java', '-version')) skip(t, 'there is no Java')
  if (folder === undefined) {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-spark-'))
    const own = path.join(folder, 'venv', 'bin', 'python')
    const packages = ['pyspark', 'pyarrow', 'pandas', 'pymongo']
    if (has('python3', '-m', 'venv', path.join(folder, 'venv')) && has(own, '-m', 'pip', 'install', '-q', '--retries', '0', '--timeout', '15', ...packages)) python = own
  }
  if (python === undefined) skip(t, 'PySpark cannot be installed')
}

/** Documents with a value of each kind that a column can be. */
const documents = Array.from({ length: COUNT }, (_, i) => encode({
  _id: i, n: i, big: Long.fromBigInt(2n ** 60n + BigInt(i)), x: new Double([NaN, -0, Infinity, i / 4][i % 4]), price: new Decimal128(`${i}.25`),
  id: new ObjectId(), uuid: new UUID(), name: `name ${i} é`, ok: i % 2 === 0, tags: ['a', `b${i % 5}`], lines: [{ sku: `s${i}`, qty: i % 7 }],
  by: { first: 'A', age: i % 90 }, ...(i > COUNT - 100 && { late: 'x' }), none: null
}))

/** The command, except that the first call with a range ends in the middle of its output, as if killed. */
function failsAtFirst() {
  const script = path.join(folder, 'qbson.sh')
  const command = `"${process.execPath}" "${path.join(root, 'bin', 'qbson.js')}" "$@"`
  fs.writeFileSync(script, `case "$*" in
    *--range*) if mkdir "${path.join(folder, 'failed')}" 2>/dev/null; then ${command} | head -c 3000; exit 1; fi;;
  esac
  exec ${command}
  `)
  fs.rmSync(path.join(folder, 'failed'), { recursive: true, force: true })
  return script
}

/** @returns {any} what read-spark.py says; runs in the folder, so that paths are relative */
function read(source, options = {}, env = {}) {
  const expected = path.join(folder, 'expected.bson')
  fs.writeFileSync(expected, Buffer.concat(documents))
  const args = [READER, path.join(root, 'spark'), source, expected, JSON.stringify({ rangeSize: '40kB', ...options })]
  const QBSON = `"${process.execPath}" "${path.join(root, 'bin', 'qbson.js')}"`
  const { stdout, stderr } = spawnSync(python, args, { cwd: folder, env: { ...process.env, QBSON, ...env }, encoding: 'utf8', timeout: TIMEOUT })
  const line = stdout.trim().split('\n').at(-1)
  if (!line.startsWith('{')) throw new Error(stderr.slice(-2000))
  return JSON.parse(line)
}

const TYPES = {
  _id: 'int', n: 'int', big: 'bigint', x: 'double', price: 'decimal(18,2)', id: 'string', uuid: 'string', name: 'string', ok: 'boolean',
  tags: 'array<string>', lines: 'array<struct<sku:string,qty:int>>', by: 'struct<first:string,age:int>', late: 'string', none: 'string'
}

module.exports = {
  'the data source, the example and its page are there': t => {
    for (const file of ['examples/spark/README.md', 'examples/spark/dump-to-parquet.py', 'spark/qbson_spark.py']) t.ok(fs.existsSync(path.join(root, file)))
    if (has('python3', '--version')) {
      const parsed = spawnSync('python3', ['-m', 'py_compile', path.join(root, 'spark', 'qbson_spark.py')], { encoding: 'utf8', env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPYCACHEPREFIX: os.tmpdir() } })
      t.strictEqual(parsed.status, 0, parsed.stderr)
    }
    t.done()
  },

  ...onlyLong({
    'a file: every value as from pymongo, every document once, also when a task fails at first': t => {
      prepare(t)
      fs.writeFileSync(path.join(folder, 'orders.bson'), Buffer.concat(documents))
      const found = read('orders.bson', {}, { QBSON: `sh ${failsAtFirst()}` })
      t.deepStrictEqual(found, { rows: COUNT, distinct: COUNT, wrong: [], partitions: found.partitions, types: TYPES, filtered: 10 })
      t.ok(found.partitions > 5)
      t.ok(fs.existsSync(path.join(folder, 'failed')), 'a task has failed')
      t.done()
    },

    'an archive, a folder and a compressed file': t => {
      prepare(t)
      const bytes = Buffer.concat(documents)
      fs.mkdirSync(path.join(folder, 'dump', 'shop'), { recursive: true })
      fs.writeFileSync(path.join(folder, 'dump', 'shop', 'orders.bson'), bytes)
      fs.writeFileSync(path.join(folder, 'dump', 'shop', 'other.bson'), encode({ a: 1 }))
      fs.writeFileSync(path.join(folder, 'orders.bson.gz'), zlib.gzipSync(bytes))
      const made = spawnSync(process.execPath, [path.join(root, 'bin', 'qbson.js'), '--to', 'archive', '--out', path.join(folder, 'all.archive'), path.join(folder, 'dump')])
      t.strictEqual(made.status, 0)
      for (const [source, options] of [['dump', { ns: 'shop.orders' }], ['all.archive', { ns: 'shop.orders' }], ['orders.bson.gz', {}]]) {
        const { rows, distinct, wrong, error } = read(source, options)
        t.deepStrictEqual([source, rows, distinct, wrong, error], [source, COUNT, COUNT, [], undefined])
      }
      t.done()
    },

    'what is broken fails with the place, or is left out; a missing command says so': t => {
      prepare(t)
      const broken = Buffer.from(documents[1000])
      broken[4] = 0x55
      fs.writeFileSync(path.join(folder, 'broken.bson'), Buffer.concat([...documents.slice(0, 1000), broken, ...documents.slice(1001)]))
      const failed = read('broken.bson')
      t.ok(/broken\.bson.*offset/s.test(failed.error), failed.error)
      const { rows, wrong, error } = read('broken.bson', { keepGoing: 'true' })
      t.deepStrictEqual([rows, wrong, error], [COUNT - 1, [], undefined])
      t.ok(/no-such-program is not on this machine: install Node\.js and qbson/.test(read('orders.bson', { command: 'no-such-program' }).error))
      t.done()
    },

    'the example for Spark 3': t => {
      prepare(t)
      const args = [path.join(root, 'examples', 'spark', 'dump-to-parquet.py'), 'orders.bson', 'orders.parquet', '--master', 'local-cluster[2,1,1024]', '--size', '40kB']
      const env = { ...process.env, QBSON: `sh ${failsAtFirst()}` }
      const { stdout, stderr } = spawnSync(python, args, { cwd: folder, env, encoding: 'utf8', timeout: TIMEOUT })
      t.ok(new RegExp(`^${COUNT} rows in \\d+ partitions`, 'm').test(stdout), stdout + stderr.slice(-2000))
      const files = fs.readdirSync(path.join(folder, 'orders.parquet')).filter(name => !name.startsWith('.'))
      t.ok(files.includes('_SUCCESS') && files.every(name => name === '_SUCCESS' || name.endsWith('.parquet')), files.join(' '))
      t.done()
    }
  }),

  after: done => {
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true })
    done()
  }
}
