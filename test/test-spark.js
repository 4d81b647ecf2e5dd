'use strict'

// examples/spark: a dump to Parquet with Apache Spark. Only `npm run test:long` runs it, if Java and PyPI are
// available.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { encode } = require('../qbson')
const { onlyLong } = require('./fixtures/long')
const { skip } = require('./skip')

const root = path.dirname(__dirname)

function has(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** The command, except that the first call with a range ends in the middle of its output, as if killed. */
function failsAtFirst(folder) {
  const script = path.join(folder, 'qbson.sh')
  const command = `"${process.execPath}" "${path.join(root, 'bin', 'qbson.js')}" "$@"`
  fs.writeFileSync(script, `case "$*" in
    *--range*) if mkdir "${path.join(folder, 'failed')}" 2>/dev/null; then ${command} | head -n 3; exit 1; fi;;
  esac
  exec ${command}
  `)
  return script
}

module.exports = {
  'the example and its page are there': t => {
    for (const file of ['README.md', 'dump-to-parquet.py']) t.ok(fs.existsSync(path.join(root, 'examples', 'spark', file)))
    t.done()
  },

  ...onlyLong({
    'every document is a row of the table, also when tasks fail at first': function (t) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-spark-'))
      const python = path.join(folder, 'venv', 'bin', 'python')
      try {
        if (!has('java', '-version')) skip(t, 'there is no Java')
        const isInstalled = has('python3', '-m', 'venv', path.join(folder, 'venv')) && has(python, '-m', 'pip', 'install', '-q', 'pyspark')
        if (!isInstalled) skip(t, 'PySpark cannot be installed')
        const file = path.join(folder, 'orders.bson')
        fs.writeFileSync(file, Buffer.concat(Array.from({ length: 2000 }, (_, i) => encode({ _id: i, total: i / 4, lines: [{ book: `b${i % 9}` }] }))))
        const script = path.join(root, 'examples', 'spark', 'dump-to-parquet.py')
        const args = [script, file, path.join(folder, 'orders.parquet'), '--master', 'local-cluster[2,1,1024]', '--size', '40kB']
        const env = { ...process.env, QBSON: `sh ${failsAtFirst(folder)}` }
        const { stdout, stderr } = spawnSync(python, args, { env, encoding: 'utf8', timeout: 250_000 })
        t.ok(/^2000 rows in \d+ partitions: _id, lines, total$/m.test(stdout), stdout + stderr.slice(-2000))
        t.ok(fs.existsSync(path.join(folder, 'failed')), 'a task has failed')
        const files = fs.readdirSync(path.join(folder, 'orders.parquet')).filter(name => !name.startsWith('.'))
        t.ok(files.includes('_SUCCESS') && files.every(name => name === '_SUCCESS' || name.endsWith('.parquet')), files.join(' '))
        t.done()
      } finally {
        fs.rmSync(folder, { recursive: true, force: true })
      }
    }
  })
}
