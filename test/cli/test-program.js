'use strict'

// The command as a program of its own, and on files from other programs.

const fs = require('node:fs')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { encode, EJSON } = require('../../qbson')
const { skip } = require('../skip')
const { sharedFolder, testsWith } = require('../fixtures/shared')
const { bin, bookshop, dump, run, runUntilRead, lines, write, broken } = require('../fixtures/cli')

const dumps = sharedFolder('dumps')

const onDumps = {
  'the dumps: oplog': async function (t) {
    const bson = require('bson')
    const { out, code } = await run([path.join(dumps, 'oplog.bson')])
    const bytes = fs.readFileSync(path.join(dumps, 'oplog.bson'))
    const expected = []
    for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
      const options = { index: at, allowObjectSmallerThanBufferSize: true, promoteValues: false }
      expected.push(bson.EJSON.stringify(bson.deserialize(bytes, options)))
    }
    t.strictEqual(code, 0)
    t.strictEqual(expected.length, 872)
    t.deepStrictEqual(lines(out).map(line => JSON.parse(line)), expected.map(line => JSON.parse(line)))
    t.done()
  },

  'the dumps: all of them, there and back': async function (t) {
    for (const name of ['all_types', 'deep_nested', 'importCollection', 'oplog', 'timeseries-buckets']) {
      const file = path.join(dumps, `${name}.bson`)
      const { out, code, err } = await run(['--canonical', file])
      t.strictEqual(code, 0, err)
      const { bytes } = await run(['to-bson'], { input: out })
      t.ok(bytes.equals(fs.readFileSync(file)), name)
      t.ok((await run(['check', file])).out.endsWith('no errors\n'))
    }
    t.done()
  },

  'the dumps: what is wrong with the broken ones': async function (t) {
    const index = 'error: element 2 of the array has the name "9" (at offset 629 in field ex[2] of document 12)'
    const wrong = await run(['check', path.join(dumps, 'broken_array.bson')])
    t.ok(wrong.out.includes(index), wrong.out)
    t.strictEqual(wrong.code, 1)
    const decoded = await run([path.join(dumps, 'broken_array.bson')])
    t.strictEqual(decoded.code, 0, 'decoding does not ask for the names in an array')
    t.strictEqual(lines(decoded.out).length, 20)
    const length = /BSON size 1625369376 is more than --max-document-size 134217728 \(at offset 0 of document 1\)/
    const checked = await run(['check', path.join(dumps, 'random_bytes.bson')])
    t.ok(length.test(checked.out), checked.out)
    t.strictEqual(checked.code, 1)
    const printed = await run([path.join(dumps, 'random_bytes.bson')])
    t.ok(length.test(printed.err), printed.err)
    t.strictEqual(printed.code, 1)
    t.done()
  }
}

/** The program, which says at its end how much memory it had. On Linux maxRSS is at least what its parent had. */
function peakScript() {
  return write('peak.js', `require(${JSON.stringify(bin)})
    process.on('exit', () => {
      const status = process.platform === 'linux' ? require('fs').readFileSync('/proc/self/status', 'utf8') : ''
      console.error(Math.round((/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS) / 1024))
    })`)
}

module.exports = {
  'as a program: a full disk': function (t) {
    if (!fs.existsSync('/dev/full')) skip(t, 'no /dev/full')
    const full = fs.openSync('/dev/full', 'w')
    for (const args of [[bookshop], ['--help']]) {
      const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
      t.strictEqual(stderr, 'qbson: standard output: no space left on device\n')
      t.strictEqual(status, 2)
    }
    const silent = spawnSync(process.execPath, [bin, 'none'], { stdio: ['ignore', 'pipe', full] })
    t.strictEqual(silent.status, 2, 'wrong usage, and where to say so is full')
    fs.closeSync(full)
    t.done()
  },

  'as a program: output, exit codes': function (t) {
    const good = spawnSync(process.execPath, [bin, bookshop], { encoding: 'utf8' })
    t.strictEqual(good.status, 0)
    t.strictEqual(good.stderr, '')
    t.ok(lines(good.stdout).every(line => EJSON.parse(line)._id !== undefined))
    const bad = spawnSync(process.execPath, [bin, 'check'], { input: broken().bytes, encoding: 'utf8' })
    t.strictEqual(bad.status, 1)
    t.done()
  },

  'as a program: a broken pipe is not an error': async function (t) {
    const file = write('long.bson', Buffer.concat(Array(20_000).fill(dump)))
    t.deepStrictEqual(await runUntilRead([file]), { code: 0, err: '' })
    t.done()
  },

  'as a program: files are streamed': async function (t) {
    const file = write('long.bson', Buffer.alloc(0))
    const part = Buffer.concat(Array(100).fill(encode({ bytes: Buffer.alloc(20_000) })))
    for (let i = 0; i < 60; i++) fs.appendFileSync(file, part)
    const script = peakScript()
    const child = spawnSync(process.execPath, [script, 'check', file], { encoding: 'utf8' })
    t.ok(child.stdout.includes('6000 good documents, 120'), child.stdout + child.stderr)
    t.ok(Number(child.stderr) < 120, `${child.stderr} MB for a file of 120 MB`)
    t.done()
  },

  'as a program: documents of 16 MB take no more memory with two threads, nor do many of them': async function (t) {
    const document = encode({ s: 'x'.repeat(16e6) })
    const file = write('longest.bson', document)
    for (let i = 1; i < 10; i++) fs.appendFileSync(file, document)
    const script = peakScript()
    for (const args of [['count', file], ['--to', 'json', '--workers', '2', file]]) {
      const { stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
      t.ok(Number(stderr) < 240, `${stderr} MB: ${args}`) // 173 to 210, in steps of a document
    }
    t.done()
  },

  ...testsWith(dumps, 'dumps', onDumps),

  'a current folder that has been removed is an error, not an endless loop': t => {
    if (process.platform === 'win32') skip(t, 'no folder in use can be removed')
    const script = 'd=$(mktemp -d) && cd "$d" && rmdir "$d" && exec "$@"'
    const args = ['-c', script, 'bash', process.execPath, bin, '--out', 'y/', bookshop]
    const { status, stderr } = spawnSync('bash', args, { encoding: 'utf8', timeout: 60_000 })
    t.ok(/^2 qbson: y\/: .*no such file or directory.*\n$/.test(`${status} ${stderr}`), stderr) // Node 26 says more
    t.done()
  }
}
