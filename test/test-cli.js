'use strict'

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { PassThrough, Readable, Writable } = require('node:stream')
const { spawn, spawnSync } = require('node:child_process')
const { encode, decode, EJSON, Long, Double } = require('../qbson')
const { main } = require('../lib/cli')
const { version } = require('../package.json')
const { skip } = require('./skip')

const bin = path.join(__dirname, '..', 'bin', 'qbson.js')
const bookshop = path.join(__dirname, '..', 'examples', 'bookshop.bson')
const dumps = path.join(__dirname, '..', '..', 'shared', 'dumps')

const values = [{ _id: 1, n: Long.fromString('5') }, { _id: 2, list: [1.5, 'é'] }, { _id: 3, d: new Double(1) }]
const dump = Buffer.concat(values.map(value => encode(value)))

let folder

/** Runs the command in this process, with streams of its own. */
async function run(args, { input = '', isTTY = false, stdout = new PassThrough() } = {}) {
  const stderr = new PassThrough()
  stderr.isTTY = isTTY
  const output = collect(stdout)
  const errors = collect(stderr)
  const stdin = Readable.from([].concat(input).map(part => Buffer.from(part)))
  const code = await main(args, { stdin, stdout, stderr })
  return { code, bytes: Buffer.concat(output), out: Buffer.concat(output).toString(), err: Buffer.concat(errors).toString() }
}

function collect(stream) {
  const chunks = []
  stream.on('data', chunk => chunks.push(chunk))
  return chunks
}

function lines(text) {
  return text.split('\n').slice(0, -1)
}

function write(name, bytes) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, bytes)
  return file
}

/** Documents of which one byte is wrong: the length of the second one's array. */
function broken() {
  const bytes = Buffer.from(dump)
  const at = encode(values[0]).length + 4 + 9 + 6
  bytes.writeInt32LE(bytes.readInt32LE(at) + 1000, at)
  return { bytes, at }
}

module.exports = {
  setUp(done) {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-'))
    done()
  },

  tearDown(done) {
    fs.rmSync(folder, { recursive: true })
    done()
  },

  'prints a line of relaxed Extended JSON a document': async function (t) {
    const { code, out, err } = await run([write('a.bson', dump)])
    t.deepEqual(lines(out), ['{"_id":1,"n":5}', '{"_id":2,"list":[1.5,"é"]}', '{"_id":3,"d":1.0}'])
    t.equal(err, '')
    t.equal(code, 0)
  },

  '--relaxed is the default, --canonical keeps types': async function (t) {
    const file = write('a.bson', dump)
    t.equal((await run(['--relaxed', file])).out, (await run([file])).out)
    const { out } = await run(['--canonical', file])
    t.equal(lines(out)[0], '{"_id":{"$numberInt":"1"},"n":{"$numberLong":"5"}}')
    t.equal(lines(out)[2], '{"_id":{"$numberInt":"3"},"d":{"$numberDouble":"1.0"}}')
  },

  '--pretty indents': async function (t) {
    const { out } = await run(['--pretty', '--limit', '1', write('a.bson', dump)])
    t.equal(out, '{\n  "_id": 1,\n  "n": 5\n}\n')
  },

  'standard input: no file, or -': async function (t) {
    const chunks = [dump.subarray(0, 7), dump.subarray(7, 30), dump.subarray(30)]
    t.equal(lines((await run([], { input: chunks })).out).length, 3)
    t.equal(lines((await run(['-'], { input: chunks })).out).length, 3)
    t.deepEqual(await run([], {}), { code: 0, bytes: Buffer.alloc(0), out: '', err: '' })
  },

  '--skip and --limit count over all files': async function (t) {
    const file = write('a.bson', dump)
    const ids = async (...args) => lines((await run([...args, file, file])).out).map(line => JSON.parse(line)._id)
    t.deepEqual(await ids(), [1, 2, 3, 1, 2, 3])
    t.deepEqual(await ids('--skip', '2'), [3, 1, 2, 3])
    t.deepEqual(await ids('--limit', '4'), [1, 2, 3, 1])
    t.deepEqual(await ids('--skip=1', '--limit=1'), [2])
    t.deepEqual(await ids('--skip', '4', '--limit', '9'), [2, 3])
    t.deepEqual(await ids('--limit', '0'), [])
    t.deepEqual(await ids('--skip', '99'), [])
  },

  'after the limit nothing more is read': async function (t) {
    const { code, out, err } = await run(['--limit', '1', write('a.bson', broken().bytes), path.join(folder, 'none')])
    t.equal(lines(out).length, 1)
    t.equal(err, '')
    t.equal(code, 0)
  },

  'a fault: what is before it is printed, then where it is': async function (t) {
    const { bytes, at } = broken()
    const bad = write('bad.bson', bytes)
    const good = write('good.bson', dump)
    const { code, out, err } = await run([bad, good])
    t.equal(lines(out).length, 1 + 3)
    t.ok(err.startsWith(`qbson: ${bad}: `), err)
    t.ok(err.includes(`(at offset ${at} in field list of document 2)`), err)
    t.equal(code, 1)
  },

  'a document cut short': async function (t) {
    const { code, err } = await run([], { input: dump.subarray(0, -2) })
    t.ok(/^qbson: standard input: BSON document is cut short: 2 of its \d+ bytes missing \(at offset/.test(err), err)
    t.equal(code, 1)
  },

  'a file that cannot be read': async function (t) {
    const none = path.join(folder, 'none.bson')
    const { code, out, err } = await run([none, write('a.bson', dump)])
    t.ok(err.startsWith(`qbson: ${none}: ENOENT`), err)
    t.equal(lines(out).length, 3)
    t.equal(code, 2)
    const directory = await run([folder])
    t.ok(directory.err.includes('EISDIR'), directory.err)
    t.equal(directory.code, 2)
    const onTerminal = await run([none], { isTTY: true })
    t.ok(onTerminal.err.startsWith(`qbson: ${none}: ENOENT`), onTerminal.err)
    t.equal(onTerminal.code, 2)
    const checked = await run(['check', none])
    t.ok(checked.err.startsWith(`qbson: ${none}: ENOENT`))
    t.equal(checked.code, 2)
  },

  'wrong usage': async function (t) {
    for (const args of [['--no-such'], ['--limit', 'x'], ['--skip', '-1'], ['--canonical', '--relaxed'], ['--limit']]) {
      const { code, out, err } = await run(args)
      t.equal(code, 2)
      t.equal(out, '')
      t.ok(/^qbson: .*\nTry 'qbson --help'\.\n$/s.test(err), err)
    }
  },

  '--help and --version': async function (t) {
    const help = await run(['--help'])
    t.ok(help.out.startsWith('Usage: qbson'))
    t.ok(Math.max(...lines(help.out).map(line => line.length)) <= 120)
    t.equal(help.code, 0)
    t.equal((await run(['-h'])).out, help.out)
    t.equal((await run(['-v'])).out, `qbson ${version}\n`)
  },

  'a mistake of our own is not hidden': async function (t) {
    const stdin = Readable.from([dump])
    const failing = new Writable({ write: (chunk, encoding, done) => done(new Error('no space')) })
    const outcome = main([], { stdin, stdout: failing, stderr: new PassThrough() })
    await outcome.then(() => t.fail('was not rejected'), error => t.equal(error.message, 'no space'))
    const odd = Readable.from(['text'])
    odd[Symbol.asyncIterator] = () => { throw new TypeError('odd') }
    const thrown = main(['check'], { stdin: odd, stdout: new PassThrough(), stderr: new PassThrough() })
    await thrown.then(() => t.fail('was not rejected'), error => t.equal(error.message, 'odd'))
  },

  'check: documents, bytes and types': async function (t) {
    const file = write('a.bson', dump)
    const { code, out, err } = await run(['check', file])
    t.equal(out, `${file}: 3 good documents, ${dump.length} bytes\n` +
      '  types: int 3, double 2, long 1, array 1, string 1\n  no fault\n')
    t.equal(err, '')
    t.equal(code, 0)
    const one = await run(['check', '--limit', '1', file])
    t.equal(one.out, `${file}: 1 good document, ${encode(values[0]).length} bytes\n  types: int 1, long 1\n  no fault\n`)
    t.equal((await run(['check'])).out, 'standard input: 0 good documents, 0 bytes\n  no fault\n')
  },

  'check: every type by its name': async function (t) {
    const { out } = await run(['check', bookshop])
    const types = ['string', 'object', 'array', 'binData', 'objectId', 'bool', 'date', 'null', 'regex']
    for (const type of [...types, 'javascriptWithScope', 'int', 'timestamp', 'long', 'decimal', 'minKey', 'maxKey']) {
      t.ok(new RegExp(`\\b${type} \\d`).test(out), type)
    }
    t.ok(out.endsWith('no fault\n'))
  },

  'check: the first fault, and the next file all the same': async function (t) {
    const { bytes, at } = broken()
    const bad = write('bad.bson', bytes)
    const { code, out, err } = await run(['check', bad, write('a.bson', dump)])
    const [head, types, fault, next] = lines(out)
    t.equal(head, `${bad}: 1 good document, ${encode(values[0]).length} bytes`)
    t.equal(types, '  types: int 1, long 1')
    t.ok(fault.startsWith('  fault: ') && fault.endsWith(`(at offset ${at} in field list of document 2)`), fault)
    t.ok(next.includes('3 good documents'))
    t.equal(err, '')
    t.equal(code, 1)
  },

  '--max-document-size': async function (t) {
    const size = encode(values[1]).length
    const { code, err } = await run(['--max-document-size', String(size - 1)], { input: dump })
    t.ok(err.includes(`BSON size ${size} is more than maxDocumentSize ${size - 1} (at offset`), err)
    t.equal(code, 1)
    const lying = Buffer.from(dump)
    lying.writeInt32LE(0x7ffffff0, 0)
    t.ok((await run(['check'], { input: lying })).out.includes('BSON size 2147483632 is more than maxDocumentSize'))
    const line = await run(['to-bson', '--max-document-size', '20'], { input: `{"a":1}\n{"b":"${'x'.repeat(30)}"` })
    t.equal(line.err, 'qbson: standard input: line 2: more than 20 characters\n')
    t.equal(line.code, 1)
  },

  'to-bson: what print --canonical wrote': async function (t) {
    const text = (await run(['--canonical', bookshop])).out
    const { code, bytes, err } = await run(['to-bson'], { input: text })
    t.equal(err, '')
    t.ok(bytes.equals(fs.readFileSync(bookshop)))
    t.equal(code, 0)
  },

  'to-bson: lines may be cut anywhere, blank or without an end': async function (t) {
    const text = Buffer.from('{"a":"é"}\r\n\n  \n{"b":2}')
    const expected = Buffer.concat([encode({ a: 'é' }), encode({ b: 2 })])
    for (let at = 0; at <= text.length; at++) {
      const { bytes } = await run(['to-bson'], { input: [text.subarray(0, at), text.subarray(at)] })
      if (!bytes.equals(expected)) t.fail(`cut at ${at}`)
    }
    t.deepEqual(decode((await run(['to-bson', '--skip', '1'], { input: text })).bytes), { b: 2 })
    t.deepEqual(decode((await run(['to-bson', '--limit', '1'], { input: text })).bytes), { a: 'é' })
    t.equal((await run(['to-bson'], { input: '' })).bytes.length, 0)
  },

  'to-bson: faults tell the line': async function (t) {
    const { code, bytes, err } = await run(['to-bson'], { input: '{"a":1}\n\n{"b":}\n{"c":3}\n' })
    t.ok(err.startsWith('qbson: standard input: line 3: '), err)
    t.deepEqual(decode(bytes), { a: 1 })
    t.equal(code, 1)
    const type = await run(['to-bson'], { input: '{"a":{"$numberInt":"x"}}' })
    t.ok(type.err.startsWith('qbson: standard input: line 1: '), type.err)
    const utf8 = await run(['to-bson'], { input: [Buffer.from('{"a":1}\n'), Buffer.from([0x7b, 0xff])] })
    t.ok(utf8.err.startsWith('qbson: standard input: line 2: '), utf8.err)
    t.equal(utf8.code, 1)
    const cut = await run(['to-bson'], { input: [Buffer.from('{"a":1}\n'), Buffer.from([0xc3])] })
    t.ok(cut.err.startsWith('qbson: standard input: line 2: '), cut.err)
  },

  'output is written in pieces and waits for its reader': async function (t) {
    const many = Buffer.concat(Array.from({ length: 3000 }, (_, i) => encode({ i, text: 'x'.repeat(100) })))
    const written = []
    let busy = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, encoding, done) {
        t.equal(++busy, 1)
        written.push(chunk)
        setImmediate(() => { busy--; done() })
      }
    })
    const code = await main([], { stdin: Readable.from([many]), stdout: slow, stderr: new PassThrough() })
    t.equal(code, 0)
    t.equal(lines(Buffer.concat(written).toString()).length, 3000)
    t.ok(written.length > 3 && written.length < 10, String(written.length))
  },

  'progress on a terminal for a long file': async function (t) {
    const now = Date.now
    let time = now()
    Date.now = () => (time += 700)
    const file = write('a.bson', Buffer.concat(Array(20_000).fill(dump)))
    try {
      const { err, out } = await run(['check', file], { isTTY: true })
      t.ok(/\r\x1b\[K.*a\.bson: \d+ documents, \d MB, \d+ %/.test(err), JSON.stringify(err))
      t.ok(err.endsWith('\r\x1b[K'))
      t.ok(out.includes('60000 good documents'))
      const piped = await run([], { isTTY: true, input: [dump, dump, dump] })
      t.ok(/\r\x1b\[Kstandard input: 6 documents, 0 MB\r/.test(piped.err), JSON.stringify(piped.err))
      const stdout = Object.assign(new PassThrough(), { isTTY: true })
      t.equal((await run([file, '--limit', '9999'], { isTTY: true, stdout })).err, '', 'not between the documents')
    } finally {
      Date.now = now
    }
    t.equal((await run([file, '--limit', '9'], { isTTY: true })).err, '', 'not for a short one')
  },

  'as a program: output, exit codes': function (t) {
    const good = spawnSync(process.execPath, [bin, bookshop], { encoding: 'utf8' })
    t.equal(good.status, 0)
    t.equal(good.stderr, '')
    t.ok(lines(good.stdout).every(line => EJSON.parse(line)._id !== undefined))
    const bad = spawnSync(process.execPath, [bin, 'check'], { input: broken().bytes, encoding: 'utf8' })
    t.equal(bad.status, 1)
    t.equal(spawnSync(process.execPath, [bin, '--no-such']).status, 2)
    t.done()
  },

  'as a program: a broken pipe is not an error': async function (t) {
    const file = write('long.bson', Buffer.concat(Array(100_000).fill(dump)))
    const child = spawn(process.execPath, [bin, file], { stdio: ['ignore', 'pipe', 'pipe'] })
    const errors = collect(child.stderr)
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise(resolve => child.on('close', resolve))
    t.equal(Buffer.concat(errors).toString(), '')
    t.equal(code, 0)
  },

  'as a program: files are streamed': async function (t) {
    const file = write('long.bson', Buffer.alloc(0))
    const part = Buffer.concat(Array(100).fill(encode({ bytes: Buffer.alloc(20_000) })))
    for (let i = 0; i < 100; i++) fs.appendFileSync(file, part)
    const script = path.join(folder, 'peak.js')
    fs.writeFileSync(script, `require(${JSON.stringify(bin)})
      process.on('exit', () => console.error(Math.round(process.resourceUsage().maxRSS / 1024)))`)
    const child = spawnSync(process.execPath, [script, 'check', file], { encoding: 'utf8' })
    t.ok(child.stdout.includes('10000 good documents, 200'), child.stdout + child.stderr)
    t.ok(Number(child.stderr) < 180, `${child.stderr} MB for a file of 200 MB`)
    t.done()
  },

  'the dumps: oplog': async function (t) {
    if (!fs.existsSync(dumps)) skip(t, 'no ../shared/dumps')
    const bson = require('bson')
    const { out, code } = await run([path.join(dumps, 'oplog.bson')])
    const bytes = fs.readFileSync(path.join(dumps, 'oplog.bson'))
    const expected = []
    for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
      const options = { index: at, allowObjectSmallerThanBufferSize: true, promoteValues: false }
      expected.push(bson.EJSON.stringify(bson.deserialize(bytes, options)))
    }
    t.equal(code, 0)
    t.equal(expected.length, 872)
    t.deepStrictEqual(lines(out).map(line => JSON.parse(line)), expected.map(line => JSON.parse(line)))
  },

  'the dumps: all of them, there and back': async function (t) {
    if (!fs.existsSync(dumps)) skip(t, 'no ../shared/dumps')
    for (const name of ['all_types', 'deep_nested', 'importCollection', 'oplog', 'timeseries-buckets']) {
      const file = path.join(dumps, `${name}.bson`)
      const { out, code, err } = await run(['--canonical', file])
      t.equal(code, 0, err)
      const { bytes } = await run(['to-bson'], { input: out })
      t.ok(bytes.equals(fs.readFileSync(file)), name)
      t.ok((await run(['check', file])).out.endsWith('no fault\n'))
    }
  },

  'the dumps: what is wrong with the broken ones': async function (t) {
    if (!fs.existsSync(dumps)) skip(t, 'no ../shared/dumps')
    const index = 'fault: element 2 of the array has the name "9" (at offset 629 in field ex[2] of document 12)'
    const wrong = await run(['check', path.join(dumps, 'broken_array.bson')])
    t.ok(wrong.out.includes(index), wrong.out)
    t.equal(wrong.code, 1)
    const decoded = await run([path.join(dumps, 'broken_array.bson')])
    t.equal(decoded.code, 0, 'decoding does not ask for the names in an array')
    t.equal(lines(decoded.out).length, 20)
    const length = /BSON size 1625369376 is more than maxDocumentSize 134217728 \(at offset 0 of document 1\)/
    const checked = await run(['check', path.join(dumps, 'random_bytes.bson')])
    t.ok(length.test(checked.out), checked.out)
    t.equal(checked.code, 1)
    const printed = await run([path.join(dumps, 'random_bytes.bson')])
    t.ok(length.test(printed.err), printed.err)
    t.equal(printed.code, 1)
  }
}
