'use strict'

// Input that can only be read once: pipes and FIFOs, which columns and schemas must not read twice.

const path = require('node:path')
const fs = require('node:fs')
const { spawnSync } = require('node:child_process')
const { encode } = require('../../qbson')
const { bin, folder, lines } = require('../fixtures/cli')
const { skip } = require('../skip')

const bytes = Buffer.concat(Array.from({ length: 300 }, (_, i) => encode({ _id: i })))

/** @param {string} command of bash; `qbson` is the program */
function shell(command) {
  const text = command.replaceAll('qbson', `'${process.execPath}' '${bin}'`)
  return spawnSync('bash', ['-c', text], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
}

module.exports = {
  'a pipe, standard input by its name, and a FIFO': function (t) {
    if (process.platform === 'win32') skip(t, 'no FIFOs')
    fs.writeFileSync(path.join(folder, 'x.bson'), bytes)
    const rows = [
      ['qbson to-csv <(cat x.bson)', 301], ['cat x.bson | qbson to-csv /dev/stdin', 301], ['qbson to-csv x.bson <(cat x.bson)', 601],
      ['mkfifo p; (cat x.bson > p &); qbson to-csv p', 301], ['qbson head --table --limit 20 <(cat x.bson)', 22],
      ['qbson count <(cat x.bson)', 1]
    ]
    for (const [command, count] of rows) {
      const { status, stdout, stderr } = shell(command)
      t.deepStrictEqual([status, lines(stdout).length, stderr], [0, count, ''], command)
    }
    const { stdout } = shell('qbson schema <(cat x.bson)')
    t.ok(stdout.includes('300'), stdout)
    t.done()
  },

  'who closes the output early has enough, who closes that of --rejects has not': function (t) {
    if (process.platform === 'win32') skip(t, 'no FIFOs')
    const broken = Buffer.from(encode({ text: 'x'.repeat(1000) })).fill(0xff, 20, 21)
    fs.writeFileSync(path.join(folder, 'broken.bson'), Buffer.concat(Array(2000).fill([broken, encode({ a: 'x'.repeat(1000) })]).flat()))
    const rows = [
      ['--keep-going --out >(head -c 9 > /dev/null)', 0, /^(qbson: left out: .*\n)*$/],
      ['--keep-going --rejects >(head -c 9 > /dev/null)', 2, /: broken pipe\n$/],
      ['--keep-going --out none.json --rejects >(head -c 9 > /dev/null)', 2, /: broken pipe\n$/]
    ]
    for (const [args, expected, message] of rows) {
      const { status, stderr } = shell(`qbson ${args} broken.bson`)
      t.ok(status === expected && message.test(stderr), `${args}: ${status} ${stderr}`)
    }
    t.ok(!fs.existsSync(path.join(folder, 'none.json')))
    t.done()
  }
}
