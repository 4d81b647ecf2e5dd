'use strict'

// Every kind of damage, in every kind of input, with and without --keep-going: what comes out, what is rejected, what
// is said, and the exit code are the same for every command.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const arrow = require('apache-arrow')
const { encode, decode, documents } = require('../../qbson')
const { ArchiveWriter, Namespace, openDump } = require('../../lib/dump')
const { folder, run, lines } = require('../fixtures/cli')
const { folderDump } = require('../fixtures/dumps')
const { some } = require('../fixtures/long')

const COUNT = 12
const AT = 5
const docs = Array.from({ length: COUNT }, (_, _id) => Buffer.from(encode({ _id, name: `document ${_id}`, list: [{ _id, n: 5 }], n: 5 })))
const other = Buffer.from(encode({ _id: 100 }))
const ids = docs.map((_, i) => i)
const LOG = Buffer.from('2024-01-31T10:00:00.000+0000\twriting shop.a to archive on stdout\n')

/** @param {(doc: Buffer) => void} change */
function changed(change) {
  const copy = Buffer.from(docs[AT])
  change(copy)
  return [...docs.slice(0, AT), copy, ...docs.slice(AT + 1)]
}

const inserted = bytes => [...docs.slice(0, AT), bytes, ...docs.slice(AT)]
const without = ids.filter(id => id !== AT)
const place = `\\(at offset \\d+ (in field \\S+ )?of document ${AT + 1}\\)`

/**
 * What happens to the documents of a collection: `size` bytes are rejected; `isInside`: only who looks into documents
 * notices without --keep-going.
 *
 * @type {Record<string, {bytes: Buffer[], kept: number[], size: number, message: string, isInside?: boolean}>}
 */
const DAMAGE = {
  nothing: { bytes: docs, kept: ids, size: 0, message: '' },
  'invalid UTF-8': { bytes: changed(doc => doc.fill(0xff, 24, 25)), kept: without, size: docs[AT].length, message: `Invalid UTF-8 .* ${place}`, isInside: true },
  'an unknown type': { bytes: changed(doc => { doc[4] = 0x77 }), kept: without, size: docs[AT].length, message: `unknown BSON type 77 .* ${place}`, isInside: true },
  'a wrong length inside': { bytes: changed(doc => doc.writeInt32LE(1e6, 19)), kept: without, size: docs[AT].length, message: place, isInside: true },
  'a length that is too small': { bytes: changed(doc => doc.writeInt32LE(4, 0)), kept: without, size: docs[AT].length, message: `BSON size must be >= 5, is 4 ${place}` },
  'a length that is too large': { bytes: changed(doc => doc.writeInt32LE(2 ** 30, 0)), kept: without, size: docs[AT].length, message: `more than --max-document-size \\d+ ${place}` },
  'the length of two': { bytes: changed(doc => doc.writeInt32LE(docs[AT].length + docs[AT + 1].length, 0)), kept: without, size: docs[AT].length, message: place, isInside: true },
  'a line of a log': { bytes: inserted(LOG), kept: ids, size: LOG.length, message: `BSON size .* ${place}` },
  zeros: { bytes: inserted(Buffer.alloc(77)), kept: ids, size: 77, message: `BSON size must be >= 5, is 0 ${place}` },
  'bytes of 0xfe': { bytes: inserted(Buffer.alloc(50, 0xfe)), kept: ids, size: 50, message: `BSON size must be >= 5, is -\\d+ ${place}` }
}

/** The first document that damage touches. */
const before = kept => ids.filter(id => id < (kept === ids ? AT : Math.min(...ids.filter(each => !kept.includes(each)))))

let made = 0

/** An archive of the collection and of another one. @param {Buffer[]} parts @param {bigint} [mask] of the checksum */
function archiveOf(parts, mask = 0n) {
  const [a, b] = [new Namespace('shop', 'a'), new Namespace('shop', 'b')]
  const writer = new ArchiveWriter([a, b])
  writer.checkWhole = () => {} // it would refuse what is damaged
  const pieces = [writer.begin(), ...writer.add(a, Buffer.concat(parts)), ...writer.add(b, other)]
  const { crc } = writer.open.get('shop.a')
  if (mask !== 0n) Object.defineProperty(crc, 'value', { value: crc.value ^ mask })
  return Buffer.concat([...pieces, writer.end()])
}

/** @param {Record<string, Buffer>} files by their names in a folder @returns {string} its name */
function folderOf(files) {
  const root = path.join(folder, `damage-${++made}`)
  for (const [name, bytes] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), bytes)
  }
  return root
}

const fileOf = bytes => path.join(folderOf({ 'shop/a.bson': bytes }), 'shop', 'a.bson')
const inFolder = (a, more) => folderOf({ 'shop/a.bson': a, 'shop/b.bson': other, ...more })

/** Kinds of input. `more`: documents after those of the collection. @type {Record<string, {of: Function, more: number[]}>} */
const INPUTS = {
  'a file': { of: parts => ({ file: fileOf(Buffer.concat(parts)) }), more: [] },
  'a gzip': { of: parts => ({ file: fileOf(zlib.gzipSync(Buffer.concat(parts))) }), more: [] },
  'standard input': { of: parts => ({ file: '-', input: parts.flatMap(part => [part.subarray(0, 3), part.subarray(3)]) }), more: [] },
  'a folder': { of: parts => ({ file: inFolder(Buffer.concat(parts)) }), more: [100] },
  'an archive': { of: parts => ({ file: fileOf(archiveOf(parts)) }), more: [100] }
}

const idOf = doc => decode(doc)._id

/** @param {Uint8Array} bytes of an archive */
async function idsOfArchive(bytes) {
  const found = []
  for await (const part of openDump([bytes])) for await (const doc of part) found.push(idOf(doc))
  return found.sort((a, b) => a - b)
}

/** @param {Uint8Array} bytes of a Parquet file */
async function idsOfParquet(bytes) {
  const { parquetReadObjects } = await import('hyparquet')
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer, columns: ['_id'] })
  return rows.map(({ _id }) => _id)
}

/**
 * What each command shows of the documents. `looks`: it looks into documents without --keep-going; `isTable`: it takes one
 * collection, and writes all or nothing; `isLate`: it prints at the end.
 *
 * @type {Record<string, {
 *   args: string[], idsOf: (result: any) => number[] | number | Promise<number[]>, looks?: boolean, isTable?: boolean, isLate?: boolean
 * }>}
 */
const COMMANDS = {
  print: { args: ['--to', 'json'], idsOf: ({ out }) => lines(out).map(line => JSON.parse(line)._id), looks: true },
  'print --to bson': { args: ['--to', 'bson'], idsOf: ({ bytes }) => [...documents(bytes, { bytes: true })].map(idOf) },
  edit: { args: ['edit', '--set', 'x=1'], idsOf: ({ bytes }) => [...documents(bytes)].map(({ _id }) => _id), looks: true },
  count: { args: ['count'], idsOf: ({ out }) => lines(out).reduce((sum, line) => sum + parseInt(line, 10), 0) },
  check: { args: ['check'], idsOf: ({ out }) => [...out.matchAll(/(\d+) good doc/g)].reduce((sum, [, n]) => sum + Number(n), 0), looks: true },
  'print --to archive': { args: ['--to', 'archive'], idsOf: ({ bytes }) => idsOfArchive(bytes) },
  'to-csv': { args: ['to-csv'], idsOf: ({ out }) => lines(out).slice(1).map(line => parseInt(line, 10)), looks: true, isTable: true },
  'to-arrow': {
    args: ['to-arrow', '--stream'], idsOf: ({ bytes }) => [...arrow.tableFromIPC(bytes).getChild('_id')], looks: true, isTable: true
  },
  'to-parquet': { args: ['to-parquet', '--compression', 'none'], idsOf: ({ bytes }) => idsOfParquet(bytes), looks: true, isTable: true },
  distinct: {
    args: ['distinct', 'name', '--in-order'], looks: true, isLate: true,
    idsOf: ({ out }) => lines(out).map(line => Number(JSON.parse(line).value.slice(9))).sort((a, b) => a - b)
  },
  head: { args: ['head', '--limit', '100'], idsOf: ({ out }) => lines(out).map(line => JSON.parse(line)._id), looks: true },
  schema: { args: ['schema'], idsOf: ({ out }) => Number(/(\d+) values/.exec(out)?.[1] ?? 0), looks: true }
}

/** The commands: all, or usually a seventh of them, so that each meets most kinds of damage in one of the inputs. */
let turn = 0
const commands = () => some(Object.entries(COMMANDS), turn)

/** A table is of one collection, and an archive needs the name of one that comes through standard input. */
function argsOf(command, { args, isTable }, file, hasSeveral) {
  if (isTable && hasSeveral) return [...args, '--ns', 'shop.a']
  return command === 'print --to archive' && file === '-' ? [...args, '--name', 'shop.a'] : args
}

/** @param {any} t @param {string} name @param {any} input @param {any} expected of --keep-going */
async function keepsGoing(t, name, { file, input }, { kept, size, message }) {
  const hasSeveral = kept.includes(100) || /archive/.test(name)
  turn++
  for (const [command, about] of commands()) {
    const rejects = path.join(folder, `rejects-${++made}`)
    const result = await run([...argsOf(command, about, file, hasSeveral), '--keep-going', '--rejects', rejects, file], { input })
    const found = await about.idsOf(result)
    const shown = about.isTable || command === 'distinct' ? kept.filter(id => id < COUNT) : kept // the others have no name
    const wanted = typeof found === 'number' ? shown.length : shown
    const what = `${name}, ${command}: ${result.err}`
    t.deepStrictEqual(found, wanted, what)
    t.strictEqual(fs.statSync(rejects).size, size, what)
    t.strictEqual(result.code, message === '' ? 0 : 1, what)
    const said = result.err.replace(/^qbson: edited .*\n/m, '')
    t.ok(new RegExp(message).test(said) && (message !== '' || said === ''), what)
    if (command === 'check') t.strictEqual(result.out.includes('no errors'), message === '', what + result.out)
    if (message !== '') t.ok(result.err.includes(file === '-' ? 'standard input: ' : file), what)
  }
}

/** @param {any} t @param {string} name @param {any} input @param {any} expected without --keep-going */
async function stops(t, name, { file, input }, { kept, message, isInside, all, hasSeveral }) {
  for (const [command, about] of commands()) {
    const { idsOf, looks, isTable, isLate } = about
    if (['print --to bson', 'print --to archive', 'edit'].includes(command) && isInside) continue // only what changes is looked at
    const result = await run([...argsOf(command, about, file, hasSeveral), file], { input })
    const what = `${name}, ${command}, stops: ${result.err}`
    const isSeen = message !== '' && (looks || !isInside)
    const wanted = (isSeen ? kept : all).filter(id => id < COUNT || !(isTable || command === 'distinct'))
    t.strictEqual(result.code, isSeen ? 1 : 0, what)
    if (isSeen ? !isTable && !isLate && command !== 'print --to archive' : true) {
      const found = await idsOf(result)
      t.deepStrictEqual(found, typeof found === 'number' ? wanted.length : wanted, what)
    }
    if (isSeen) t.ok(new RegExp((hasSeveral ? 'shop\\.a: .*' : '') + message).test(result.err + result.out), what)
  }
}

const tests = {}
for (const [kind, { of, more }] of Object.entries(INPUTS)) {
  tests[`damage in ${kind}`] = async function (t) {
    for (const [name, { bytes, kept, ...expected }] of Object.entries(DAMAGE)) {
      const input = of(bytes)
      await keepsGoing(t, `${kind}, ${name}`, input, { ...expected, kept: [...kept, ...more] })
      const all = expected.size === 0 || expected.isInside ? [...ids, ...more] : kept
      if (name !== 'the length of two') await stops(t, `${kind}, ${name}`, input, { ...expected, kept: before(kept), all, hasSeveral: more.length > 0 })
    }
    t.done()
  }
}

/** A folder whose a.bson is a link. @param {string} target */
function withLink(target) {
  const root = folderOf({ 'shop/b.bson': other })
  fs.symlinkSync(target, path.join(root, 'shop', 'a.bson'))
  fs.symlinkSync(root, path.join(root, 'shop', 'around'))
  return root
}

/** Damage that only some inputs can have. @returns {[string, any, number[], number, string, number?][]} kept ids, rejected bytes, code */
function ownDamage() {
  const whole = Buffer.concat(docs)
  const last = docs[COUNT - 1].length
  const most = ids.slice(0, -1)
  const packed = zlib.gzipSync(whole)
  const checksum = Buffer.from(packed)
  checksum[packed.length - 8] ^= 1
  const stored = zlib.gzipSync(whole, { level: 0 })
  const members = [0, 4, 8].map(from => zlib.gzipSync(Buffer.concat(docs.slice(from, from + 4))))
  const bad = Buffer.from(members[1]).fill(0xff, 10, 11)
  const archive = archiveOf(docs)
  const cut = archive.indexOf(docs[COUNT - 1]) + 9
  const json = Buffer.from('{"a":1}\n')
  return [
    ['a file that is cut', { file: fileOf(whole.subarray(0, -3)) }, most, last - 3, `cut short: 3 of its .* document ${COUNT}\\)`],
    ['standard input that is cut', { file: '-', input: [whole.subarray(0, 99), whole.subarray(99, -3)] }, most, last - 3, 'cut short: 3 of'],
    ['a gzip that is cut', { file: fileOf(stored.subarray(0, -15)) }, most, last - 7, `gzip: the compressed data is truncated, .* document ${COUNT}\\)`],
    ['a gzip without its checksum', { file: fileOf(packed.subarray(0, -4)) }, ids, 0, 'gzip: the compressed data is truncated'],
    ['a gzip with other bytes after it', { file: fileOf(Buffer.concat([packed, LOG])) }, ids, 0, 'gzip: incorrect header check, after \\d+ decompressed'],
    ['a gzip of members with a bad one', { file: fileOf(Buffer.concat([members[0], bad, members[2]])) }, ids.slice(0, 4), 0, 'gzip: invalid block type, after'],
    ['a gzip with a wrong checksum', { file: fileOf(checksum) }, ids, 0, 'gzip: incorrect data check, after \\d+ decompressed bytes'],
    ['an archive with a wrong checksum', { file: fileOf(archiveOf(docs, 1n)) }, [...ids, 100], 0, 'the checksum of shop\\.a is \\w+, but that of its 12'],
    ['an archive that is cut', { file: fileOf(archive.subarray(0, cut)) }, most, 9, `shop\\.a: BSON document is cut short: .* document ${COUNT}\\)`],
    ['an archive whose last document lacks 4 bytes', { file: fileOf(archiveOf([...docs.slice(0, -1), docs[COUNT - 1].subarray(0, -4)])) }, [...most, 100], last - 4, 'shop\\.a: .* document 12\\)'],
    ['a folder with a file that is cut', { file: inFolder(whole.subarray(0, -3)) }, [...most, 100], last - 3, 'a\\.bson: shop\\.a: BSON document is cut'],
    ...process.platform === 'win32' ? [] : [ // links need rights there
      ['a folder with a file that cannot be read', { file: withLink('nowhere') }, [100], 0, 'a\\.bson: (shop\\.a: the file cannot be read: ENOENT|no such file or directory)', 2],
      ['a folder with a link to itself', { file: withLink('a.bson') }, [100], 0, 'a\\.bson: (shop\\.a: the file cannot be read: ELOOP|too many symbolic links)', 2]
    ],
    ['a folder with two files of a collection', { file: inFolder(whole, { 'shop/a.bson.gz': zlib.gzipSync(whole) }) }, [...ids, 100], 0, 'a\\.bson\\.gz: shop\\.a: another file of the folder holds this collection too'],
    ['a folder without a file', { file: folderOf({ 'shop/a.metadata.json': Buffer.from('{"type":"collection"}'), 'shop/b.bson': other }) }, [100], 0, 'a\\.bson: shop\\.a: the file is missing'],
    ['a folder with JSON', { file: inFolder(json) }, [100], 0, 'a\\.bson: shop\\.a: this is JSON, not BSON: qbson to-bson'],
    ['a folder from a Mac', { file: inFolder(whole, { 'shop/._a.bson': Buffer.from('0005160700020000', 'hex') }) }, [...ids, 100], 0, '']
  ]
}

module.exports = {
  ...tests,

  'damage that only some inputs can have': async function (t) {
    for (const [name, input, kept, size, message, stopped = 1] of ownDamage()) {
      await keepsGoing(t, name, input, { kept, size, message })
      if (message === '') continue
      const { code, err } = await run(['--to', 'json', input.file], input)
      t.ok(code === stopped && new RegExp(message).test(err), `${name}: ${err}`)
    }
    t.done()
  },

  'damage in an oplog': async function (t) {
    for (const [name, { bytes, kept, size, message }] of Object.entries(DAMAGE)) {
      const root = folderOf({ 'oplog.bson': Buffer.concat(bytes), 'shop/b.bson': other })
      for (const command of ['print', 'print --to archive', 'to-csv']) {
        const { args, idsOf, isTable } = COMMANDS[command]
        const rejects = path.join(folder, `rejects-${++made}`)
        const result = await run([...args, ...(isTable ? ['--ns', 'oplog'] : []), '--keep-going', '--rejects', rejects, root])
        t.deepStrictEqual(await idsOf(result), isTable ? kept : [...kept, 100], `${name}, ${command}`)
        t.deepStrictEqual([fs.statSync(rejects).size, result.code], [size, Number(message !== '')], `${name}, ${command}: ${result.err}`)
        t.ok(new RegExp(message && `oplog\\.bson: oplog: .*${message}`).test(result.err), `${name}, ${command}: ${result.err}`)
      }
    }
    t.done()
  },

  '--skip, --limit, --sample and --tail count what is valid': async function (t) {
    const { bytes } = DAMAGE['invalid UTF-8']
    const file = fileOf(Buffer.concat(bytes))
    const rows = [
      [['--tail', '7'], [4, 6, 7, 8, 9, 10, 11]], [['--skip', '4', '--limit', '3'], [4, 6, 7]], [['--limit', '6'], [0, 1, 2, 3, 4, 6]],
      [['--sample', '11'], without], [['--tail', '3', '--match', '{"_id":{"$lt":7}}'], [3, 4, 6]]
    ]
    for (const [args, expected] of rows) {
      for (const command of ['print', 'head', 'print --to bson', 'to-csv', 'to-arrow', 'to-parquet']) {
        if (command === 'head' && args.includes('--limit')) continue
        const { args: own, idsOf } = COMMANDS[command]
        t.deepStrictEqual(await idsOf(await run([...own, '--keep-going', ...args, file])), expected, `${command} ${args.join(' ')}`)
      }
    }
    t.done()
  },

  '--replace-invalid keeps documents whose text is not UTF-8': async function (t) {
    const { bytes } = DAMAGE['invalid UTF-8']
    const both = [...bytes.slice(0, 8), LOG, ...bytes.slice(8)]
    const said = /^qbson: 1 string was not UTF-8, and got U\+FFFD for invalid bytes \(first in document 6 of .*\)$/m
    for (const [name, about] of Object.entries(COMMANDS)) {
      if (name === 'check') continue
      for (const [input, more] of [[{ file: fileOf(Buffer.concat(bytes)) }, []], [{ file: '-', input: both }, ['--keep-going']]]) {
        const result = await run([...argsOf(name, about, input.file, false), '--replace-invalid', ...more, input.file], input)
        const found = await about.idsOf(result)
        t.deepStrictEqual(found, typeof found === 'number' ? COUNT : ids, `${name} ${more}: ${result.err}`)
        t.ok(result.code === 1 && said.test(result.err), `${name} ${more}: ${result.err}`)
        t.strictEqual(result.err.includes('left out'), more.length > 0, result.err)
      }
    }
    const file = fileOf(Buffer.concat(bytes))
    const { bytes: repaired } = await run(['--replace-invalid', '--to', 'bson', file])
    t.strictEqual([...documents(repaired)][AT].name, `d\ufffdcument ${AT}`)
    t.ok((await run(['--replace-invalid', '--tail', '7', '--match', '{"name":{"$regex":"\ufffd"}}', file])).out.includes('\ufffd'))
    t.deepStrictEqual(await run(['--replace-invalid', '--limit', '5', '--to', 'json', file]).then(({ code, err }) => [code, err]), [0, ''])
    const root = folderDump()
    fs.copyFileSync(file, path.join(root, 'shop', 'customers.bson'))
    t.ok((await run(['count', '--replace-invalid', root])).err.includes('customers.bson: shop.customers)'))
    t.done()
  },

  'damage in text, for to-bson': async function (t) {
    const text = ids.map(_id => Buffer.from(`{"_id":${_id},"name":"document ${_id}"}\n`))
    const [first, second] = [text.slice(0, AT), text.slice(AT + 1)]
    const rows = {
      'a line that is cut': ['{"_id":5,"name":"docu\n', 'line 6: '],
      'a line that is no JSON': ['2024-01-31T10:00:00 connected to: localhost\n', 'line 6: '],
      'a value that does not fit its type': ['{"_id":{"$oid":"5"}}\n', 'line 6: .*hex string.*\\(in field _id\\)'],
      'text that is not UTF-8': [Buffer.from('{"_id":"\xff"}\n', 'latin1'), 'line 6: .*UTF-8'],
      zeros: [Buffer.alloc(40), 'line 6: '],
      'a call of the shell': ['{"_id":NumberLong(5)}\n', 'line 6: .*NumberLong']
    }
    for (const [name, [line, message]] of Object.entries(rows)) {
      const bytes = Buffer.concat([...first, Buffer.from(line), ...second])
      for (const { file, input } of [{ file: fileOf(bytes) }, { file: fileOf(zlib.gzipSync(bytes)) }, { file: '-', input: bytes }]) {
        const stopped = await run(['to-bson', file], { input })
        t.deepStrictEqual([[...documents(stopped.bytes)].length, stopped.code], [AT, 1], `${name}: ${stopped.err}`)
        t.ok(new RegExp(message).test(stopped.err), `${name}: ${stopped.err}`)
        const rejects = path.join(folder, 'text-rejects')
        const kept = await run(['to-bson', '--keep-going', '--rejects', rejects, file], { input })
        t.deepStrictEqual([...documents(kept.bytes)].map(({ _id }) => _id), without, `${name}: ${kept.err}`)
        t.strictEqual(kept.code, 1)
        t.ok(new RegExp(message).test(kept.err) && fs.readFileSync(rejects).includes(Buffer.from(line).subarray(0, 9)), `${name}: ${kept.err}`)
      }
    }
    t.done()
  },

  '--replace-invalid in text, for to-bson': async function (t) {
    const text = ids.map(_id => Buffer.from(`{"_id":${_id},"name":"document ${_id}"}\n`))
    text[AT] = Buffer.from('{"_id":5,"name":"\xe4","\xe9":"\\"\xff\xff"}\n', 'latin1')
    const file = fileOf(Buffer.concat(text))
    for (const args of [[], ['--keep-going'], ['--match', '{"_id":5}'], ['--workers', '2']]) {
      const { bytes, err, code } = await run(['to-bson', '--replace-invalid', ...args, file])
      const found = [...documents(bytes)].find(({ _id }) => _id === AT)
      t.deepStrictEqual(found, { _id: AT, name: '\ufffd', '\ufffd': '"\ufffd\ufffd' })
      t.deepStrictEqual([err, code], [`qbson: 3 strings were not UTF-8, and got U+FFFD for invalid bytes (first in line 6 of ${file})\n`, 1])
    }
    t.strictEqual((await run(['to-bson', '--replace-invalid', '--limit', '5', file])).code, 0)
    const { err } = await run(['to-bson', '--keep-going', '--replace-invalid'], { input: Buffer.concat([Buffer.from('\xff\n', 'latin1'), text[AT]]) })
    t.ok(/^qbson: left out: .* line 1: .*\nqbson: 1 document was left out\nqbson: 3 strings .* line 2 of .*\n$/.test(err), err)
    t.done()
  },

  'an array that is cut short, or is none': async function (t) {
    const cut = 'line \\d: the text is cut short: the array has no end'
    const rows = [
      ['[{"a":1},\n{"a":2},', cut, 2], ['[{"a":1}\n,{"a":2}', cut, 2], ['[', cut, 0], ['[{"a":1},{"a":', 'line 1: ', 1], ['[{"a":1} {"a":2}]', 'a comma is missing', 2],
      ['[{"a":1},,{"a":2}]', 'a comma has no item', 2], ['[,{"a":1}]', 'a comma has no item', 1], ['[{"a":1},]', 'a comma has no item', 1],
      ['[{"a":1},5,{"a":2}]', 'line 1: ', 2], ['[null,"x,y" ,{"a":1}]', 'line 1: ', 1], ['[{"a":1},[5],true\n,{"a":2}]', 'line 1: ', 2],
      ['[]', '', 0], ['[{"a":1}]\n[{"a":2},\n{"a":3}\n]', '', 3], ['{"a":1} {"a":2}', '', 2]
    ]
    for (const [text, message, kept] of rows) {
      const out = path.join(folder, `array-${++made}.bson`)
      const { code, err } = await run(['to-bson', '--out', out], { input: text })
      t.ok(code === Number(message !== '') && new RegExp(message).test(err) && fs.existsSync(out) === (message === ''), `${text}: ${err}`)
      const { bytes, ...going } = await run(['to-bson', '--keep-going'], { input: text })
      t.strictEqual([...documents(bytes)].length, kept, text)
      t.strictEqual(going.code, Number(message === cut || message === 'line 1: '), `${text}: ${going.err}`)
    }
    t.done()
  },

  'split sees what is wrong between documents': async function (t) {
    for (const [name, { bytes, isInside, message }] of Object.entries(DAMAGE)) {
      const { out, err, code } = await run(['split', '--size', '1', fileOf(Buffer.concat(bytes))])
      const isSeen = message !== '' && !isInside
      t.deepStrictEqual([lines(out).length, code], isSeen ? [AT, 1] : [name === 'the length of two' ? COUNT - 1 : COUNT, 0], `${name}: ${err}`)
      if (isSeen) t.ok(new RegExp(place).test(err), `${name}: ${err}`)
    }
    t.done()
  },

  'damage that is longer than the search': async function (t) {
    const file = fileOf(Buffer.concat(inserted(Buffer.alloc(5000))))
    const rejects = path.join(folder, 'lost')
    const { out, err, code } = await run(['--keep-going', '--search', '2kB', '--to', 'json', '--rejects', rejects, file])
    t.deepStrictEqual([lines(out).length, code], [AT, 1])
    const [found, given, sum] = err.split('\n')
    t.ok(/; 2000 bytes left out, in which no document was found: see --search$/.test(found), err)
    const left = Buffer.concat(docs.slice(AT)).length + 5000
    t.ok(given.endsWith(`no document is sought after so much damage (at offset ${Buffer.concat(docs.slice(0, AT)).length + 2000} of document ${AT + 2}); ${left - 2000} bytes left out`), given)
    t.ok(sum.includes(`: ${left} bytes without a valid document were left out`), sum)
    t.ok(fs.readFileSync(rejects).equals(fs.readFileSync(file).subarray(-left)))
    t.strictEqual((await run(['--keep-going', '--search', 'x', file])).code, 2)
    t.done()
  }
}
