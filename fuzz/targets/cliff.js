'use strict'

// Looks for cliffs: kinds of documents of which a command reads less than a fifth of the bytes that it reads of ordinary
// ones in the same CPU time. A kind counts only when each of several measurements says so, in turn with the ordinary one.
// What a document costs by itself is not sought here: each counts as at least 64 bytes.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Writable } = require('node:stream')
const bson = require('bson')
const { documents } = require('../../qbson')
const { main } = require('../../lib/cli')
const { seededRandom, below, pick } = require('../inputs')
const { dump } = require('../../benchmark/data/columns')

/** Bytes of documents of each kind. */
const SIZE = 1e6

/**
 * Kinds that are slower for a reason: the least share of the ordinary rate for a command and a kind of documents, about
 * half of what was seen.
 *
 * @type {[RegExp, number, string][]}
 */
const SLOWER = [
  [/^to-(csv|arrow|parquet): .*(names that (vary|are data)|, sparse)/, 1 / 250, 'a column has a place for each row'],
  [/^(print|edit|count|schema|to-\w+).*: .*rare decimal/, 1 / 20, 'numbers of 34 digits'],
  [/^(print|edit).*: .*control characters/, 1 / 14, 'each byte becomes six'],
  [/^(print|edit).*: .*regex/, 1 / 16, 'V8 compiles each, because JSON.stringify writes what a RegExp cannot say as an object'],
  [/^(print|edit).*: .*reference/, 1 / 10, 'a reference is found by its names'],
  [/^schema: .*(map|deep)/, 1 / 20, 'each name is a place to describe'],
  [/^schema: .*names that/, 1 / 30, 'each name is a place to describe'],
  [/^to-(arrow|parquet|csv): .*(deep|MinKey|list of|lists in|map|empty|mixed|code)/, 1 / 24, 'Extended JSON in a column, and columns in columns']
]

/** @param {string} name of a command and a kind @returns {number} */
const leastOf = name => SLOWER.find(([which]) => which.test(name))?.[1] ?? LEAST

/** Bytes that a document counts at least. */
const DOCUMENT = 64

/** The least share of the ordinary rate, and how often less is measured before it is said. */
const LEAST = 1 / 5
const ROUNDS = 4

/** How often each command reads ordinary documents first. */
const WARM = 5

const PROGRESS_EVERY = 10_000 // ms

/** The most documents of a kind that differ. */
const MOST = 400

const text = (random, alphabet, size) => Array.from({ length: size }, () => alphabet[below(random, alphabet.length)]).join('')
const hex = (random, size) => text(random, '0123456789abcdef', 2 * size)
const bytes = (random, size) => Buffer.from(hex(random, size), 'hex')

/** Values by kind. `size` is 1 to 2,000, small ones more often. @type {Record<string, (random: () => number, size: number) => any>} */
const VALUES = {
  int32: random => below(random, 1e9),
  'small int32': random => below(random, 10),
  double: random => random() * 10 ** (below(random, 40) - 20),
  'short double': random => below(random, 1000) / 4 + 0.25,
  int64: random => bson.Long.fromBits(below(random, 2 ** 32), below(random, 2 ** 31)),
  text: (random, size) => text(random, 'abcdefghij klmnop', size),
  'Latin text': (random, size) => text(random, 'abcdeäöüß', size),
  'Chinese text': (random, size) => text(random, '日本語文字', size),
  emoji: (random, size) => text(random, ['😀', '🚀', 'a'], size),
  'text with quotes': (random, size) => text(random, '"\\ab', size),
  'text with control characters': (random, size) => text(random, '\u0001\n\u001fab\u007f', size),
  binary: (random, size) => new bson.Binary(bytes(random, size)),
  UUID: random => new bson.Binary(bytes(random, 16), 4),
  ObjectId: random => new bson.ObjectId(bytes(random, 12)),
  boolean: random => random() < 0.5,
  date: random => new Date(below(random, 2e12)),
  'far date': random => new Date(8.64e15 - below(random, 1e9)),
  null: () => null,
  regex: (random, size) => new bson.BSONRegExp(text(random, 'ab.*/', Math.min(size, 100)), pick(random, ['', 'i', 'im'])),
  code: (random, size) => new bson.Code(text(random, 'a=b;', size)),
  'code with scope': (random, size) => new bson.Code(text(random, 'a=b;', Math.min(size, 100)), { a: 1 }),
  symbol: (random, size) => new bson.BSONSymbol(text(random, 'abc', size)),
  timestamp: random => new bson.Timestamp({ t: below(random, 2 ** 32), i: below(random, 10) }),
  decimal: random => bson.Decimal128.fromString(`${below(random, 1e6)}.${10 + below(random, 90)}`),
  'rare decimal': random => new bson.Decimal128(bytes(random, 16)),
  'MinKey and MaxKey': random => (random() < 0.5 ? new bson.MinKey() : new bson.MaxKey()),
  reference: random => new bson.DBRef('books', new bson.ObjectId(bytes(random, 12))),
  'empty document': () => ({}),
  'empty array': () => [],
  'list of numbers': (random, size) => Array.from({ length: size }, () => below(random, 100)),
  'list of texts': (random, size) => Array.from({ length: size }, () => text(random, 'abc', 4)),
  'list of documents': (random, size) => Array.from({ length: 1 + size / 8 }, () => ({ a: below(random, 9), b: 'x' })),
  'list of empty documents': (random, size) => Array.from({ length: size }, () => ({})),
  'list of types': (random, size) => Array.from({ length: size }, () => pick(random, [1, 'x', null, 1.5, true, { a: 1 }])),
  'lists in lists': (random, size) => Array.from({ length: 1 + size / 8 }, () => [[below(random, 9)], []]),
  document: random => ({ a: below(random, 9), b: 'x', c: { d: 1.5 } }),
  'deep document': (random, size) => Array.from({ length: Math.min(size, 90) }).reduce(inner => ({ a: inner }), 1),
  'deep list': (random, size) => Array.from({ length: Math.min(size, 90) }).reduce(inner => [inner], 1),
  map: (random, size) => Object.fromEntries(Array.from({ length: 1 + size / 4 }, () => [hex(random, 4), below(random, 9)]))
}

/** Names of fields, by kind. @type {Record<string, (random: () => number, index: number) => string>} */
const NAMES = {
  usual: (random, index) => `field${index}`,
  short: (random, index) => `${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : index}`,
  long: (random, index) => `a rather long name of a field ${index}`.repeat(3),
  'of Latin letters': (random, index) => `größe${index}`,
  'with signs': (random, index) => `a"\\.${index}`,
  'of digits': (random, index) => String(index),
  'that vary': (random, index) => `field${index}_${below(random, 20)}`,
  'that are data': random => hex(random, 6)
}

/** A number up to `most`, small ones more often. */
const scaled = (random, most) => Math.max(1, Math.round(most ** random()))

/** @param {() => number} random @returns {{kind: string, field: string, of: () => Buffer}} */
function kindOf(random) {
  const [count, size] = [scaled(random, 500), scaled(random, 2000)]
  const names = pick(random, Object.keys(NAMES))
  const types = Array.from({ length: random() < 0.6 ? 1 : 1 + below(random, 4) }, () => pick(random, Object.keys(VALUES)))
  const [isMixed, isSparse] = [random() < 0.2, random() < 0.2]
  const kind = `${count} fields with names ${names}: ${types.join(', ')}, of size ${size}${isMixed ? ', mixed' : ''}${isSparse ? ', sparse' : ''}`
  const document = () => new Map(Array.from({ length: count }, (_, index) => index)
    .filter(() => !isSparse || random() < 0.1)
    .map(index => [NAMES[names](random, index), VALUES[isMixed ? pick(random, types) : types[index % types.length]](random, size)]))
  const field = /usual|short/.test(names) ? NAMES[names](random, 0) : 'field0'
  return { kind, field, of: () => document() }
}

/** @param {() => any} of makes a document @returns {Buffer[]} documents that count as `SIZE` bytes or a little more */
function documentsOf(of) {
  const some = []
  for (let size = 0; size < SIZE && some.length < MOST; size += some.at(-1).length) some.push(Buffer.from(bson.serialize(of())))
  return Array(Math.ceil(SIZE / countedOf(some))).fill(some).flat()
}

/** @param {Buffer[]} documents @returns {number} bytes that they count as */
const countedOf = documents => documents.reduce((sum, { length }) => sum + Math.max(DOCUMENT, length), 0)

/** The commands, given the name of a field. @type {Record<string, (field: string) => string[]>} */
const COMMANDS = {
  'print --to json': () => ['--to', 'json'],
  'print --canonical': () => ['--canonical'],
  'print --relaxed': () => ['--relaxed'],
  'print --array --pretty': () => ['--array', '--pretty'],
  'print --skip': () => ['--to', 'json', '--skip', '1'],
  'print --fields': field => ['--to', 'json', '--fields', field],
  'print --match': field => ['--to', 'json', '--match', `{${JSON.stringify(field)}:{"$ne":-17}}`],
  'print --sort': field => ['--to', 'json', '--sort', field],
  'print --tail': () => ['--to', 'json', '--tail', '1000000'],
  'print --to bson --keep-going': () => ['--to', 'bson', '--keep-going'],
  'print --replace-invalid': () => ['--to', 'json', '--replace-invalid'],
  'edit --set': field => ['edit', '--set', `${field}=1`],
  'edit --unset': field => ['edit', '--unset', field],
  'edit --hash': field => ['edit', '--hash', field],
  'edit --mask': field => ['edit', '--mask', field],
  check: () => ['check'],
  'count --match': field => ['count', '--match', `{${JSON.stringify(field)}:{"$gt":5}}`],
  distinct: field => ['distinct', field],
  schema: () => ['schema'],
  'to-csv': () => ['to-csv'],
  'to-arrow': () => ['to-arrow'],
  'to-parquet': () => ['to-parquet'],
  'to-bson': () => ['to-bson']
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-cliff-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

/**
 * Documents in a file, and the same as text.
 *
 * @typedef {{file: string, json: string, size: number, textSize: number}} Files `size` and `textSize`: bytes that they count as
 */

/** @param {string} name @param {Buffer[]} documents @returns {Promise<Files>} */
async function written(name, documents) {
  const [file, json] = [path.join(folder, `${name}.bson`), path.join(folder, `${name}.json`)]
  fs.writeFileSync(file, Buffer.concat(documents))
  await main(['--canonical', '--out', json, file], streams())
  return { file, json, size: countedOf(documents), textSize: Math.max(fs.statSync(json).size, DOCUMENT * documents.length) }
}

const sink = () => new Writable({ write: (chunk, encoding, done) => done() })
const streams = () => ({ stdin: process.stdin, stdout: sink(), stderr: sink() })

/** @returns {Promise<number>} bytes in a microsecond of CPU time; Infinity if the command refuses them */
async function rateOf(command, { file, json, size: ofFile, textSize }, field) {
  const [input, size] = command === 'to-bson' ? [json, textSize] : [file, ofFile]
  const before = process.cpuUsage()
  const code = await main([...COMMANDS[command](field), input], streams())
  const { user, system } = process.cpuUsage(before)
  return code === 2 ? Infinity : size / (user + system)
}

/** @type {Files | undefined} */
let ordinary

/** Commands that have read ordinary documents. */
const warm = new Set()

/** @param {string} command */
async function prepare(command) {
  const usual = documents(dump(Math.ceil(SIZE / 235)), { bytes: true })
  ordinary ??= await written('ordinary', [...usual].map(each => Buffer.from(each)))
  for (let i = 0; i < WARM && !warm.has(command); i++) await rateOf(command, ordinary, 'name')
  warm.add(command)
}

/**
 * @param {string} command
 * @param {Files} files
 * @param {string} field
 * @param {number} least share of the ordinary rate
 * @returns {Promise<string | undefined>} what is wrong
 */
async function cliffOf(command, files, field, least) {
  await prepare(command)
  const shares = []
  while (shares.length < ROUNDS) {
    const usual = await rateOf(command, ordinary, 'name')
    const rate = await rateOf(command, files, field)
    shares.push([rate / usual, `${rate.toFixed(2)} MB/s, ordinary ${usual.toFixed(2)}`])
    if (rate >= least * usual) return undefined
  }
  const [, said] = shares.sort(([a], [b]) => b - a)[0]
  return said
}

/** As a target of the command: goes on after a finding. */
async function run(target, { minutes, runs, seed, filter }, log) {
  const counts = { good: 0, wrong: 0 }
  const end = Date.now() + minutes * 60_000
  const text = () => `cliff: ${counts.good} good, ${counts.wrong} wrong`
  let printed = Date.now()
  for (let round = 0; round < runs && Date.now() < end; round++) {
    const { kind, field, of } = kindOf(seededRandom(seed + round))
    const files = await written('kind', documentsOf(of))
    for (const command of Object.keys(COMMANDS)) {
      const name = `${command}: ${kind}`
      if (filter !== undefined && !new RegExp(filter).test(name)) continue
      const said = await cliffOf(command, files, field, leastOf(name))
      counts[said === undefined ? 'good' : 'wrong']++
      if (said !== undefined) log(`FAIL ${name}: ${said} (--seed ${seed + round})`)
    }
    if (Date.now() - printed < PROGRESS_EVERY) continue
    printed = Date.now()
    log(`${text()}; at seed ${seed + round}`)
  }
  return { isGood: counts.wrong === 0, text: text() }
}

module.exports = { name: 'cliff', rounds: 10, run, kindOf, documentsOf, written, cliffOf }
