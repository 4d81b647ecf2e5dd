'use strict'

// examples/spark: a dump to Parquet with Apache Spark. Only `npm run test:long` has it, where Java and PyPI can be reached.

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

module.exports = {
  'the example and its page are there': t => {
    for (const file of ['README.md', 'dump-to-parquet.py']) t.ok(fs.existsSync(path.join(root, 'examples', 'spark', file)))
    t.done()
  },

  ...onlyLong({
    'every document is a row of the table': function (t) {
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
        const env = { ...process.env, QBSON: `${process.execPath} ${path.join(root, 'bin', 'qbson.js')}` }
        const { stdout, stderr } = spawnSync(python, args, { env, encoding: 'utf8', timeout: 250_000 })
        t.ok(/^2000 rows in \d+ partitions: _id, lines, total$/m.test(stdout), stdout + stderr.slice(-2000))
        t.done()
      } finally {
        fs.rmSync(folder, { recursive: true, force: true })
      }
    }
  })
}
