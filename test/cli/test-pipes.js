'use strict'

// Input that can only be read once: pipes and FIFOs, which columns and schemas must not read twice.

const path = require('node:path')
const fs = require('node:fs')
const { spawn, spawnSync } = require('node:child_process')
const { encode } = require('../../qbson')
const { bin, folder, lines, run, write } = require('../fixtures/cli')
const { skip } = require('../skip')

const file = write('x.bson', Buffer.concat(Array.from({ length: 300 }, (_, i) => encode({ _id: i }))))
const pipe = path.join(folder, 'pipe')

/** Runs the command while another program reads or writes the FIFO. @param {string} other in a shell @param {string[]} args */
async function runBeside(other, args) {
  if (!fs.existsSync(pipe)) spawnSync('mkfifo', [pipe])
  const child = spawn('sh', ['-c', other], { stdio: 'ignore' })
  const closed = new Promise(resolve => child.on('close', resolve))
  const result = await run(args)
  await closed
  return result
}

module.exports = {
  'a pipe, standard input by its name, and a FIFO': async function (t) {
    if (process.platform === 'win32') skip(t, 'no FIFOs')
    const command = `cat '${file}' | '${process.execPath}' '${bin}' to-csv /dev/stdin <(cat '${file}')`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: 60_000 })
    t.deepStrictEqual([status, lines(stdout).length, stderr], [0, 601, ''])
    const rows = [[['to-csv', pipe], 301], [['to-csv', file, pipe], 601], [['head', '--table', '--limit', '20', pipe], 22], [['count', pipe], 1]]
    for (const [args, count] of rows) {
      const { code, out, err } = await runBeside(`cat '${file}' > '${pipe}'`, args)
      t.deepStrictEqual([code, lines(out).length, err], [0, count, ''], args.join(' '))
    }
    const { out } = await runBeside(`cat '${file}' > '${pipe}'`, ['schema', pipe])
    t.ok(out.includes('300'), out)
    t.done()
  },

  'who closes the output early has enough, who closes that of --rejects has not': async function (t) {
    if (process.platform === 'win32') skip(t, 'no FIFOs')
    const bad = Buffer.from(encode({ text: 'x'.repeat(1000) })).fill(0xff, 20, 21)
    const broken = write('broken.bson', Buffer.concat(Array(2000).fill([bad, encode({ a: 'x'.repeat(1000) })]).flat()))
    const none = path.join(folder, 'none.json')
    const rows = [
      [['--out', pipe], 0, /^(qbson: left out: .*\n)*$/], [['--rejects', pipe], 2, /: broken pipe\n$/],
      [['--out', none, '--rejects', pipe], 2, /: broken pipe\n$/]
    ]
    for (const [args, expected, message] of rows) {
      const { code, err } = await runBeside(`head -c 9 < '${pipe}'`, ['--keep-going', ...args, broken])
      t.ok(code === expected && message.test(err), `${args}: ${code} ${err}`)
    }
    t.ok(!fs.existsSync(none))
    t.done()
  }
}
