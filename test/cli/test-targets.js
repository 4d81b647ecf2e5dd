'use strict'

// Where every command writes: each kind of target, after success, a fault in the input, and a signal. The table says
// what is on the disk afterwards, and the exit code.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const { spawnSync } = require('node:child_process')
const { COMMANDS, optionsOf } = require('../../lib/cli/commands')
const { Targets } = require('../../lib/cli/output/targets')
const { run, bookshop } = require('../fixtures/cli')
const { orders } = require('../fixtures/dumps')
const { some } = require('../fixtures/long')
const { skip } = require('../skip')

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-targets-'))
process.on('exit', () => fs.rmSync(root, { recursive: true, force: true }))

const isWindows = process.platform === 'win32'
const schema = fs.readFileSync(path.join(path.dirname(bookshop), 'bookshop.schema.json'))
const documents = Buffer.concat(orders)
const lines = '{"a":1}\n{"a":2}\n'

/** Each command with an input, and one with a fault. `isReport`: the fault is part of what is written. */
const RUNS = {
  print: { args: [] },
  'print --to bson': { args: ['--to', 'bson'] },
  'print --to archive': { args: ['--to', 'archive'] },
  'print --array': { args: ['--array'] },
  edit: { args: ['edit', '--unset', 'by'] },
  'to-bson': { args: ['to-bson'], good: lines, bad: `${lines}{"a":` },
  'to-csv': { args: ['to-csv'] },
  'to-arrow': { args: ['to-arrow'] },
  'to-parquet': { args: ['to-parquet'] },
  head: { args: ['head', '--limit', '50'] },
  'head --table': { args: ['head', '--table', '--limit', '50'] },
  schema: { args: ['schema'] },
  split: { args: ['split', '--size', '500'] },
  count: { args: ['count'] },
  distinct: { args: ['distinct', 'by'] },
  check: { args: ['check'], isReport: true },
  compile: { args: ['compile'], good: schema, bad: '{"bsonType":"text"}', beside: 'out.d.ts' }
}

const write = (name, bytes, mode = 0o644) => { fs.writeFileSync(name, bytes); fs.chmodSync(name, mode) }

/**
 * Kinds of targets. `make` prepares it; the command writes to `out`; what it wrote is in the file `written`; without it
 * the target is refused with exit code 2.
 */
const KINDS = {
  'a new file': { out: 'out', written: 'out' },
  'another spelling': { out: 'folder/../out', written: 'out' },
  'an existing file, for its owner only': { make: at => write(at('out'), 'before', 0o600), out: 'out', written: 'out' },
  'a read-only file': { make: at => write(at('out'), 'before', 0o444), out: 'out' },
  'a folder that is not there': { out: 'none/out' },
  'a name that is too long': { out: 'x'.repeat(300) },
  'a file taken for a folder': { out: 'shop/in/out' },
  'a symbolic link': { make: at => { write(at('folder/real'), 'before'); fs.symlinkSync('folder/real', at('out')) }, out: 'out', written: 'folder/real' },
  'a symbolic link to nothing': { make: at => fs.symlinkSync('folder/real', at('out')), out: 'out', written: 'folder/real' },
  'symbolic links in a circle': { make: at => { fs.symlinkSync('b', at('out')); fs.symlinkSync('out', at('b')) }, out: 'out' },
  'a hard link': { make: at => { write(at('other'), 'before'); fs.linkSync(at('other'), at('out')) }, out: 'out', written: 'out' },
  'gzip by name': { out: 'out.gz', written: 'out.gz', unpack: zlib.gunzipSync },
  'gzip by a name in capitals': { out: 'OUT.GZ', written: 'OUT.GZ', unpack: zlib.gunzipSync },
  'gzip by option': { out: 'out', args: ['--gzip'], written: 'out', unpack: zlib.gunzipSync },
  'zstd by name': { out: 'out.zst', written: zlib.zstdCompress && 'out.zst', unpack: zlib.zstdDecompressSync },
  'the input': { out: 'shop/in', isInput: true },
  'the input by another spelling': { out: 'folder/../shop/./in', isInput: true },
  'a symbolic link to the input': { make: at => fs.symlinkSync('shop/in', at('out')), out: 'out', isInput: true },
  'a hard link to the input': { make: at => fs.linkSync(at('shop/in'), at('out')), out: 'out', isInput: true, inPlace: 'out' },
  'the folder of the input': { out: 'shop', isFolder: true }
}

/** All files below a folder: what they are and hold. */
function snapshot(folder) {
  const all = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(all.map(entry => {
    const file = path.join(entry.parentPath ?? entry.path, entry.name)
    const { mode } = fs.lstatSync(file)
    const content = entry.isSymbolicLink() ? fs.readlinkSync(file) : entry.isFile() ? fs.readFileSync(file) : null
    return [path.relative(folder, file), { mode: mode.toString(8), content }]
  }))
}

let made = 0

/** A folder with an input, and what a kind needs. */
function prepare({ good = documents, bad = documents.subarray(0, -3) }, { make }, isBad) {
  const folder = path.join(root, String(++made))
  const at = name => path.join(folder, name)
  for (const name of ['', 'shop', 'folder']) fs.mkdirSync(at(name))
  write(at('shop/in'), isBad ? bad : good)
  make?.(at)
  return { folder, at }
}

const OUTCOMES = {
  success: { code: 0 },
  'a fault': { isBad: true, code: 1 },
  'a fault, and --keep-going': { isBad: true, code: 1, args: ['--keep-going'] },
  'a signal': { signal: 'SIGINT' }
}

/** What a command writes to standard output is what it writes to files. */
const expected = new Map()
async function outputOf(name, outcome) {
  const key = JSON.stringify([name, outcome.isBad, outcome.args])
  if (!expected.has(key)) {
    const { at } = prepare(RUNS[name], {}, outcome.isBad)
    expected.set(key, withoutPath((await run([...RUNS[name].args, ...outcome.args ?? [], at('shop/in')])).bytes))
  }
  return expected.get(key)
}

/** Reports name the file. */
const withoutPath = bytes => Buffer.from(bytes.toString('latin1').replace(/\S*\/shop\/in/g, 'FILE'), 'latin1')

/** Runs a command until everything is written, and interrupts it before the files get their names. */
async function interrupted(args, folder) {
  const { finish } = Targets.prototype
  const { kill } = process
  let after
  process.kill = () => { after = snapshot(folder); return true }
  Targets.prototype.finish = async function () {
    for (const target of this.claimed) await target.end()
    process.emit('SIGINT', 'SIGINT')
    throw Object.assign(new Error('killed'), { syscall: 'kill' })
  }
  try {
    await run(args)
  } finally {
    Targets.prototype.finish = finish
    process.kill = kill
  }
  return after
}

async function tryOne(name, kind, outcome) {
  const { folder, at } = prepare(RUNS[name], kind, outcome.isBad)
  const before = snapshot(folder)
  const args = [...RUNS[name].args, ...outcome.args ?? [], ...kind.args ?? [], '--out', at(kind.out), at('shop/in')]
  if (outcome.signal !== undefined) return { before, after: await interrupted(args, folder) }
  const { code, out, err } = await run(args)
  return { before, after: snapshot(folder), code, out, err }
}

/** What must be there afterwards. */
async function tableOf(name, kind, outcome, before) {
  const isInPlace = kind.isInput && name === 'edit' && !outcome.args
  const isRefused = isInPlace ? false : kind.written === undefined && !(kind.isFolder && COMMANDS[RUNS[name].args[0] ?? 'print']?.writesFolder)
  if (isRefused) return { code: 2, files: before }
  const isWhole = !outcome.isBad || outcome.args || RUNS[name].isReport
  if (outcome.signal || !isWhole || (outcome.isBad && name === 'compile')) return { code: outcome.code, files: before }
  const file = isInPlace ? kind.inPlace ?? 'shop/in' : kind.written
  const mode = before[file]?.mode ?? (0o100666 & ~process.umask()).toString(8)
  return { code: outcome.code, files: { ...before, [file]: { mode, content: await outputOf(name, outcome) } }, file }
}

/** The commands: all, or usually a seventh of them, so that each meets most kinds in one of the outcomes. */
let turn = 0
const runs = () => some(Object.entries(RUNS), turn++)

module.exports = {
  'every command that writes documents or reports is in the table': t => {
    const names = new Set(Object.values(RUNS).map(({ args }) => (Object.hasOwn(COMMANDS, args[0]) ? args[0] : 'print')))
    t.deepStrictEqual(Object.keys(COMMANDS).filter(name => !names.has(name)), ['bench', 'completion'])
    for (const name of names) t.ok(['out', 'gzip'].every(option => Object.hasOwn(optionsOf(COMMANDS[name]), option)), name)
    t.done()
  },

  ...Object.fromEntries(Object.entries(KINDS).map(([kindName, kind]) => [kindName, async function (t) {
    if (isWindows) skip(t, 'links and modes of POSIX')
    for (const [outcomeName, outcome] of Object.entries(OUTCOMES)) {
      for (const [name, { args, beside }] of kind.isInput ? Object.entries(RUNS) : runs()) {
        const command = COMMANDS[args[0]] ?? COMMANDS.print
        if (outcome.args && !Object.hasOwn(optionsOf(command), 'keep-going')) continue
        if (kind.isFolder && command.writesFolder) continue
        const what = `${name}, ${kindName}, ${outcomeName}`
        const { before, after, code, err } = await tryOne(name, kind, outcome)
        const wanted = await tableOf(name, kind, outcome, before)
        if (wanted.file !== undefined) {
          const { content } = after[wanted.file] ?? {}
          t.ok(content !== undefined, `${what}: nothing written, ${err}`)
          after[wanted.file].content = withoutPath(kind.unpack ? kind.unpack(content) : content)
          if (beside !== undefined) {
            const declarations = path.join(path.dirname(kind.out), `${path.basename(kind.out).split('.')[0]}.d.ts`)
            t.ok(after[path.normalize(declarations)] !== undefined, what)
            delete after[path.normalize(declarations)]
          }
        }
        if (outcome.signal === undefined) t.strictEqual(code, wanted.code, `${what}: ${err}`)
        if (outcome.signal === undefined || wanted.code !== 2) t.deepStrictEqual(after ?? before, wanted.files, what)
      }
    }
    t.done()
  }])),

  'standard output by its name': async t => {
    for (const [name, { args }] of Object.entries(RUNS)) {
      const { at } = prepare(RUNS[name], {})
      const { bytes, code } = await run([...args, '--out', '-', at('shop/in')])
      t.ok(withoutPath(bytes).equals(await outputOf(name, OUTCOMES.success)) && code === 0, name)
    }
    t.done()
  },

  'a FIFO gets the bytes, and stays one': async t => {
    if (isWindows) skip(t, 'no FIFO')
    for (const outcome of [OUTCOMES.success, OUTCOMES['a fault']]) {
      for (const [name, { args }] of runs()) {
        const { at } = prepare(RUNS[name], { make: where => spawnSync('mkfifo', [where('out')]) }, outcome.isBad)
        const reader = fs.openSync(at('out'), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
        const { code } = await run([...args, '--out', at('out'), at('shop/in')])
        const buffer = Buffer.alloc(65536)
        const bytes = buffer.subarray(0, fs.readSync(reader, buffer))
        fs.closeSync(reader)
        t.strictEqual(code, outcome.code, name)
        t.ok(fs.lstatSync(at('out')).isFIFO())
        t.ok(withoutPath(bytes).equals(await outputOf(name, outcome)), name)
        t.deepStrictEqual(fs.readdirSync(at('.')).sort(), ['folder', 'out', 'shop'])
      }
    }
    t.done()
  },

  'devices: a full one is said, and they stay devices': async t => {
    if (!fs.existsSync('/dev/full')) skip(t, 'no /dev/full')
    for (const [name, { args }] of runs()) {
      const { at } = prepare(RUNS[name], {})
      const full = await run([...args, '--out', '/dev/full', at('shop/in')])
      t.deepStrictEqual([full.code, full.out, full.err], [2, '', 'qbson: /dev/full: no space left on device\n'], name)
      t.strictEqual((await run([...args, '--out', '/dev/null', at('shop/in')])).code, 0)
      t.ok(['full', 'null'].every(device => fs.lstatSync(`/dev/${device}`).isCharacterDevice()))
    }
    t.done()
  },

  'an input whose name leaves no room for that of its metadata': async t => {
    const { at } = prepare({}, {})
    for (const length of [236, 240, 245, 250]) {
      const file = at(`${'x'.repeat(length)}.bson`)
      fs.copyFileSync(at('shop/in'), file)
      const { code, err } = await run(['--to', 'bson', '--out', at('out'), file])
      t.deepStrictEqual([code, err, fs.readFileSync(at('out')).equals(documents)], [0, '', true], String(length))
    }
    t.done()
  },

  '--rejects: the same kinds, and never the file of --out': async t => {
    if (isWindows) skip(t, 'links and modes of POSIX')
    for (const [name, { args }] of Object.entries(RUNS)) {
      if (!Object.hasOwn(optionsOf(COMMANDS[args[0]] ?? COMMANDS.print), 'rejects')) continue
      for (const [kindName, kind] of some(Object.entries(KINDS), turn++)) {
        const { folder, at } = prepare(RUNS[name], kind, true)
        const before = snapshot(folder)
        const { code, err } = await run([...args, '--keep-going', '--rejects', at(kind.out), at('shop/in')])
        t.strictEqual(code, kind.written === undefined || kind.args ? (kind.args ? 1 : 2) : 1, `${name}, ${kindName}: ${err}`)
        const after = snapshot(folder)
        if (kind.written !== undefined) after[kind.written] = before[kind.written]
        t.deepStrictEqual(JSON.stringify(after), JSON.stringify(before), `${name}, ${kindName}`)
        if (kind.written === undefined) continue
        const { at: own, folder: second } = prepare(RUNS[name], kind, true)
        const untouched = snapshot(second)
        const both = await run([...args, '--keep-going', '--rejects', own(kind.out), '--out', own(`folder/../${kind.out}`), own('shop/in')])
        t.ok(both.code === 2 && both.err.includes('two outputs cannot be the same file'), `${name}, ${kindName}: ${both.err}`)
        t.deepStrictEqual(snapshot(second), untouched)
      }
    }
    t.done()
  }
}
