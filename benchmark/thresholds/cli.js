'use strict'

// The command: READ_SIZE of lib/cli/input.js. A file of some 20 MB is read, or written as Extended JSON.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { measureThresholds } = require('../runner/threshold')
const { ofShape, times } = require('./works')

function fileOf(cache, megabytes) {
  const file = path.join(cache, `regular-${megabytes}.bson`)
  if (!fs.existsSync(file)) {
    const { encode } = require('../../lib/encode/encode')
    const piece = Buffer.concat(times(1000, n => encode(ofShape(1, n))))
    fs.writeFileSync(file, Buffer.concat(new Array(Math.ceil(megabytes * 1e6 / piece.length)).fill(piece)))
  }
  return file
}

/** `check 20 MB`, `print 20 MB` */
function work(subject, _size, cache) {
  const [command, megabytes] = subject.split(' ')
  const file = fileOf(cache, Number(megabytes))
  const { main } = require('../../lib/cli')
  const io = { stdin: process.stdin, stdout: fs.createWriteStream(os.devNull), stderr: process.stderr }
  return {
    async once() {
      const start = process.hrtime.bigint()
      const code = await main([command, file], io)
      if (code !== 0) throw new Error(`exit code ${code}`)
      return Number(process.hrtime.bigint() - start) / 1e6
    }
  }
}

measureThresholds([
  {
    title: 'bytes that are read at a time',
    unit: 'ms',
    constant: { file: 'lib/cli/input.js', name: 'READ_SIZE', values: ['4 * 1024', '16 * 1024', '64 * 1024', '256 * 1024', '4096 * 1024'] },
    subjects: ['check 20 MB'],
    work
  },
  {
    title: 'bytes that are written at a time',
    unit: 'ms',
    constant: { file: 'lib/cli/index.js', name: 'WRITE_SIZE', values: ['256', '4 * 1024', '16 * 1024', '64 * 1024', '1024 * 1024'] },
    subjects: ['print 5 MB'],
    work
  }
], __filename)
