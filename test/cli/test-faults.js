'use strict'

// Faults of inputs and outputs: the error says where, the exit code is 1 or 2, and no output gets its final name.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { spawnSync } = require('node:child_process')
const { encode } = require('../../qbson')
const { archive, folderDump, folder, orders } = require('../fixtures/dumps')
const { run, runUntilRead } = require('../fixtures/cli')
const { skip, notCovered } = require('../skip')

let made = 0

/** An empty folder. */
function fresh() {
  const name = path.join(folder, `faults-${++made}`)
  fs.mkdirSync(name)
  return name
}

/** @param {string} name @returns {string[]} the files in a folder and in its folders */
function filesIn(name) {
  return fs.readdirSync(name, { recursive: true, withFileTypes: true }).filter(entry => !entry.isDirectory()).map(entry => entry.name)
}

/** Ways to write what is read. @param {string} into a folder @returns {string[][]} */
const waysInto = into => [
  ['--out', path.join(into, 'lines.json')], ['--to', 'bson', '--gzip', '--out', `${into}/`], ['--to', 'archive', '--out', path.join(into, 'own.archive')],
  ['edit', '--unset', 'by', '--out', path.join(into, 'edited.bson')], ['to-csv', '--out', `${into}/`]
]

/** The fault of each is reported, and nothing is written. */
function badInputs() {
  const whole = archive()
  const changed = Buffer.from(whole)
  changed[whole.indexOf('customer 3') + 9] ^= 1
  // the header that ends shop.orders begins this many bytes before its name
  const before = encode({ db: 'shop', collection: '' }).length - 2
  const dump = folderDump()
  fs.appendFileSync(path.join(dump, 'shop', 'customers.bson'), orders[0].subarray(0, 9))
  const file = (name, bytes) => {
    fs.writeFileSync(path.join(folder, name), bytes)
    return path.join(folder, name)
  }
  return {
    'a truncated gzip': [
      file('cut.bson.gz', zlib.gzipSync(Buffer.concat(orders)).subarray(0, -12)),
      /cut\.bson\.gz: gzip: the compressed data is truncated, after \d+ decompressed bytes \(at offset \d+ of document \d+\)\n/
    ],
    'an archive with a wrong checksum': [
      file('changed.archive', changed),
      /changed\.archive: broken archive: the checksum of shop\.orders is \w+, but that of its 30 documents is \w+ \(at offset \d+\)\n/
    ],
    'a compressed archive with one': [
      file('changed.archive.gz', zlib.gzipSync(changed)), /changed\.archive\.gz: broken archive: the checksum of shop\.orders is /
    ],
    'an unfinished namespace': [
      file('open.archive', whole.subarray(0, whole.lastIndexOf('orders') - before)),
      /open\.archive: broken archive: .*shop\.orders, after 30 of its documents \(at offset \d+\)\n/
    ],
    'an archive that is cut in a document': [
      file('cut.archive', whole.subarray(0, whole.indexOf('customer 5') + 4)),
      /cut\.archive: shop\.orders: BSON document is cut short: .* \(at offset \d+ of document 6\)\n/
    ],
    'a folder without a .bson file': [fresh(), /the folder and its subfolders contain no \.bson file\n/],
    'a folder with a file that is cut short': [dump, /customers\.bson: shop\.customers: BSON document is cut short: .* \(at offset \d+ of document 8\)\n/],
    'such a one, spelled differently': [`${folder}/./${path.basename(dump)}/`, /^qbson: (?!.*: \/).*customers\.bson: shop\.customers: /],
    'no file': [path.join(folder, 'none.bson'), /no such file: .*none\.bson\n$/, 2]
  }
}

/**
 * Runs commands in one process, whose files are limited to 8 kB.
 *
 * @param {string[][]} commands
 * @returns {{code: number, err: string}[]}
 */
function runLimited(commands) {
  const script = `(async () => {
    const { run } = require(${JSON.stringify(require.resolve('../fixtures/cli'))})
    const said = []
    for (const args of ${JSON.stringify(commands)}) said.push(await run(args))
    console.log(JSON.stringify(said.map(({ code, err }) => ({ code, err }))))
  })()`
  const shell = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, '-e', script]
  return JSON.parse(spawnSync('bash', shell, { encoding: 'utf8' }).stdout)
}

module.exports = {
  'no names of columns where nothing can be read': async function (t) {
    const json = path.join(folder, 'own.json')
    fs.writeFileSync(json, '{"a":1}\n')
    for (const command of [['to-csv'], ['to-arrow'], ['to-parquet'], ['head', '--table']]) {
      for (const input of [fresh(), json]) {
        const { code, out, err } = await run([...command, input])
        t.deepStrictEqual([code, out, err.split('\n').length], [1, '', 2], err)
      }
    }
    t.done()
  },

  'bad input': async function (t) {
    for (const [name, [file, message, expected = 1]] of Object.entries(badInputs())) {
      const into = fresh()
      for (const way of waysInto(into)) {
        const { err, code } = await run([...way, file])
        t.ok(message.test(err), `${name}, ${way[0]}: ${err}`)
        t.strictEqual(code, expected, `${name}, ${way.join(' ')}`)
        t.deepStrictEqual(filesIn(into), [], `${name}, ${way.join(' ')}`)
      }
    }
    t.done()
  },

  'a file that shrinks while it is read': async function (t) {
    const { readSync } = fs
    const file = path.join(folder, 'shrinks.bson')
    const into = fresh()
    for (const way of waysInto(into)) {
      fs.writeFileSync(file, Buffer.concat(Array(30_000).fill(orders[0])))
      fs.readSync = (...args) => {
        fs.readSync = readSync
        const size = readSync(...args)
        fs.truncateSync(file, 700_000)
        return size
      }
      const { err, code } = await run([...way, file])
      fs.readSync = readSync
      const isReadTwice = way[0] === 'to-csv' // so on the second pass it is short from the start
      const shrank = /the file shrank while it was read, from \d+ to 700000 bytes \(at offset \d+ of document \d+\)\n/
      const message = isReadTwice ? /BSON document is cut short/ : shrank
      t.ok(message.test(err) && err.includes('shrinks.bson: '), err)
      t.strictEqual(code, 1)
      t.deepStrictEqual(filesIn(into), [])
    }
    t.done()
  },

  'a file that is emptied or grows while it is read, or before it is read again or replaced': async function (t) {
    const { readSync } = fs
    const file = path.join(folder, 'changes.bson')
    const into = fresh()
    const runs = ['to-csv', 'to-arrow', 'to-parquet'].map(name => [1, () => fs.truncateSync(file, 0), [name, '--out', path.join(into, 'out')]])
    for (const [expected, change, args] of [...runs, [2, () => fs.appendFileSync(file, orders[0]), ['edit', '--set', 'a=1', '--out', file]]]) {
      for (const reads of [1, 3]) { // of three
        fs.writeFileSync(file, Buffer.concat(Array(30_000).fill(orders[0])))
        let read = 0
        fs.readSync = (...given) => {
          const size = readSync(...given)
          if (++read === reads) change()
          return size
        }
        const { err, code } = await run([...args, file])
        fs.readSync = readSync
        t.ok(err.includes(`qbson: ${file}: the file changed while it was read\n`), `${args}, ${reads}: ${err}`)
        const size = expected === 1 ? 0 : 30_001 * orders[0].length
        t.deepStrictEqual([code, fs.statSync(file).size, filesIn(into)], [expected, size, []])
      }
    }
    t.done()
  },

  'a disk that is full': notCovered(function (t) {
    if (process.platform === 'win32') skip(t, 'no limit of a file')
    const file = path.join(folder, 'whole.bson')
    const noise = i => Buffer.from(Array.from({ length: 20 }, (_, j) => (i * 7919 + j * 104_729) % 251))
    fs.writeFileSync(file, Buffer.concat(Array.from({ length: 2000 }, (_, i) => encode({ i, noise: noise(i) }))))
    const into = fresh()
    const ways = waysInto(into).map(way => [...way, '--name', 'a.b', file])
    const broken = path.join(folder, 'all-broken.bson')
    fs.writeFileSync(broken, Buffer.concat(Array(2000).fill(Buffer.from('0f000000026100020000004142ff00', 'hex'))))
    const rejecting = ['count', '--match', '{"b":1}', '--keep-going', '--rejects', path.join(into, 'rejects'), broken]
    const outcomes = runLimited([...ways, ['to-arrow', '--out', path.join(into, 'own.arrow'), file], rejecting])
    const last = outcomes.pop()
    for (const [i, { code, err }] of outcomes.entries()) {
      t.ok(/^qbson: .*: file too large\n$/.test(err), `${ways[i]}: ${err}`)
      t.strictEqual(code, 2)
    }
    t.ok(/\/rejects: file too large\n$/.test(last.err), last.err)
    t.strictEqual(last.code, 2)
    t.deepStrictEqual(filesIn(into), [])
    t.done()
  }),

  'a folder on a read-only disk': async function (t) {
    const { mkdirSync } = fs
    const out = `${fresh()}/in/`
    fs.mkdirSync = (name, options) => { // as Node.js does
      const text = options?.recursive ? 'ENOENT: no such file or directory' : 'EROFS: read-only file system'
      throw Object.assign(new Error(`${text}, mkdir '${name}'`), { code: text.split(':')[0], syscall: 'mkdir' })
    }
    const { err, code } = await run(['--to', 'bson', '--name', 'a.b', '--out', out], { input: orders[0] })
    fs.mkdirSync = mkdirSync
    t.deepStrictEqual([code, err], [2, `qbson: ${out}: read-only file system\n`])
    t.done()
  },

  'two outputs with one name': async function (t) {
    const into = fresh()
    const out = path.join(into, 'both')
    const same = await run(['--out', out, '--keep-going', '--rejects', path.join(into, '.', 'both')], { input: orders[0] })
    t.ok(/both: two outputs cannot be the same file\n/.test(same.err) && same.code === 2, same.err)
    const [one, other] = [folderDump(), folderDump()]
    const twice = await run(['--to', 'bson', '--out', `${into}/`, one, other])
    t.ok(/contain \w+\.\w+, and each needs an output of its own\n/.test(twice.err), twice.err)
    t.strictEqual(twice.code, 2)
    t.deepStrictEqual(filesIn(into), [])
    t.done()
  },

  'a broken pipe is not an error, with other threads neither': async function (t) {
    const file = path.join(folder, 'for-threads.bson')
    const some = Buffer.concat(orders)
    fs.writeFileSync(file, Buffer.alloc(some.length * Math.ceil(20e6 / some.length), some))
    const files = Array(4).fill(file) // 80 MB: threads start at 64 MiB
    const [hook, log] = ['count-threads.js', 'threads'].map(name => path.join(folder, name))
    fs.writeFileSync(hook, `process.on('worker', () => require('fs').appendFileSync(${JSON.stringify(log)}, '1'))`)
    const { NODE_OPTIONS = '' } = process.env
    process.env.NODE_OPTIONS = `${NODE_OPTIONS} --require ${JSON.stringify(hook)}`
    for (const args of [['--canonical', '--workers', '3', ...files], ['edit', '--unset', 'by', '--workers', '3', ...files], ['--to', 'archive', '--name', 'a.b', file]]) {
      t.deepStrictEqual(await runUntilRead(args), { code: 0, err: '' })
    }
    process.env.NODE_OPTIONS = NODE_OPTIONS
    t.strictEqual(fs.readFileSync(log, 'utf8'), '1111', 'two threads in each of the first two')
    t.done()
  }
}
