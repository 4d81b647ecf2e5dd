'use strict'

// The command on dumps, against bsondump, mongoexport and scripts with the bson package. MONGO_TOOLS is the folder of
// MongoDB's tools if they are not on the PATH, QBSON_BEFORE a checkout of an earlier commit.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { Namespace, ArchiveWriter } = require('../../lib/dump')
const { encode } = require('../../qbson')
const { checkSame } = require('../check')
const { bsonTypes } = require('../data/types')
const { timed, outputOf } = require('../dumps/timed')
const { KEY } = require('../dumps/with-bson')
const { mongoTool } = require('../../test/fixtures/mongo-tools')
const { startServer, Unavailable } = require('../../test/driver/servers')

const root = path.join(__dirname, '..', '..')
const SCRIPT = path.join(__dirname, '..', 'dumps', 'with-bson.js')

const CANONICAL = 'print canonical'
const RELAXED = 'print relaxed'
const THREADS = 'print canonical, two threads, 800 MB'
const MORE_THREADS = 'print canonical, two threads, 3.2 GB'
const CHECK = 'check'
const CHECK_THREADS = 'check, two threads'
const SCHEMA = 'schema'
const SCHEMA_THREADS = 'schema, two threads'
const TO_BSON = 'to-bson'
const ARCHIVE = 'one collection of an archive'
const EDIT = 'hash one field, drop one'
const EDIT_THREADS = 'hash one field, drop one, two threads'

const JSON_ALONE = ['--to', 'json', '--workers', '1']

const ANY = JSON.stringify({ $or: Array.from({ length: 1500 }, (_, i) => ({ n: 7 * i })) })
const IDS = JSON.stringify({ n: { $in: Array.from({ length: 1000 }, (_, i) => 7 * i) } })

/**
 * What could be a cliff: arguments, those of the ordinary case, the file of both, and the least share of its rate.
 *
 * @type {[string, string[], string[], string, number][]}
 */
const CLIFFS = [
  ['the smallest documents, --skip', [...JSON_ALONE, '--skip', '1'], JSON_ALONE, 'tiny', 0.5],
  ['the smallest documents, --fields', [...JSON_ALONE, '--fields', 'n'], JSON_ALONE, 'tiny', 0.5],
  ['the smallest documents, --match', [...JSON_ALONE, '--match', '{"n":{"$gte":0}}'], JSON_ALONE, 'tiny', 0.5],
  ['the smallest documents, edit', ['edit', '--workers', '1', '--set', 'n=1'], JSON_ALONE, 'tiny', 0.5],
  ['$in of 1,000', [...JSON_ALONE, '--match', IDS], [...JSON_ALONE, '--match', '{"n":7}'], 'tiny', 0.67],
  ['$or of 1,500', [...JSON_ALONE, '--match', ANY], [...JSON_ALONE, '--match', '{"n":7}'], 'tiny', 0.67],
  ['the smallest documents, relaxed, --fields', ['--workers', '1', '--fields', 'n'], JSON_ALONE, 'tiny', 0.5],
  ['CSV of 1,000 sparse columns', ['to-csv'], JSON_ALONE, 'sparse', 0.05],
  ['Parquet of 10,000 columns', ['to-parquet'], JSON_ALONE, 'wide', 0.05],
  ['CSV of regular expressions', ['to-csv'], JSON_ALONE, 'regexes', 0.33],
  ['a table of one long text', ['head', '--table'], JSON_ALONE, 'long', 0.33],
  ['mask of one long text', ['edit', '--workers', '1', '--mask', 'text'], JSON_ALONE, 'long', 0.33],
  ['nested CSV', ['to-csv'], JSON_ALONE, 'dump', 0.5]
]
const cliffs = column => files => Object.fromEntries(CLIFFS.map(row => [row[0], [own(...row[column], files[row[3]])]]))

/** The targets of qbson, as multiples of the rates of other tools; null for rows that only inform. */
const TARGETS = [
  [CANONICAL, 'bsondump', 15], [RELAXED, 'bsondump', 15], [THREADS, 'one thread', null], [MORE_THREADS, 'one thread', 1.7],
  [CHECK, 'before', 3], [CHECK_THREADS, 'before', 3], [SCHEMA, 'before', 3],
  [SCHEMA_THREADS, 'before', 3], [TO_BSON, 'before', 2], [ARCHIVE, 'the tools of MongoDB', 1],
  [EDIT, 'bson', 5], [EDIT_THREADS, 'bson', 5], ...CLIFFS.map(([subject, , , , least]) => [subject, 'the ordinary case', least])
]

/** How often the dump of 200 MB is given. */
const COPIES = { [THREADS]: 4, [MORE_THREADS]: 16 }

/** These are measured in wall-clock time, because several threads or processes take part. */
const BY_CLOCK = [THREADS, MORE_THREADS, CHECK_THREADS, SCHEMA_THREADS, ARCHIVE, EDIT_THREADS]

const mongo = { bsondump: mongoTool('bsondump'), mongorestore: mongoTool('mongorestore'), mongoexport: mongoTool('mongoexport') }
const before = process.env.QBSON_BEFORE

/** Files of the cliffs. */
const ODD = ['tiny', 'long', 'sparse', 'regexes', 'wide']

const files = ({ cache }) => ({
  dump: path.join(cache, 'dump.bson'), text: path.join(cache, 'dump.json'), archive: path.join(cache, 'dump.archive'),
  first: path.join(cache, 'first.bson'), key: path.join(cache, 'key'), server: path.join(cache, 'server.json'), small: path.join(cache, 'small'),
  ...Object.fromEntries(ODD.map(name => [name, path.join(cache, `${name}.bson`)]))
})

/** The commands of each contender. @type {Record<string, (files: any, uri?: string) => Record<string, string[][]>>} */
const CONTENDERS = {
  qbson: ({ dump, text, archive, key, ...others }) => ({
    [CANONICAL]: [own('--canonical', '--workers', '1', dump)],
    [RELAXED]: [own('--relaxed', '--workers', '1', dump)],
    [THREADS]: [printed('2', THREADS, dump)],
    [MORE_THREADS]: [printed('2', MORE_THREADS, dump)],
    [CHECK]: [own('check', '--workers', '1', dump)],
    [CHECK_THREADS]: [own('check', '--workers', '2', dump)],
    [SCHEMA]: [own('schema', '--workers', '1', dump)],
    [SCHEMA_THREADS]: [own('schema', '--workers', '2', dump)],
    [TO_BSON]: [own('to-bson', '--workers', '1', text)],
    [ARCHIVE]: [own('--ns', 'shop.first', '--workers', '1', archive)],
    [EDIT]: [edited('1', key, dump)],
    [EDIT_THREADS]: [edited('2', key, dump)],
    ...cliffs(1)({ dump, ...others })
  }),
  'the ordinary case': cliffs(2),
  'one thread': ({ dump }) => ({
    [THREADS]: [printed('1', THREADS, dump)],
    [MORE_THREADS]: [printed('1', MORE_THREADS, dump)]
  }),
  bsondump: ({ dump }) => ({ [CANONICAL]: [[mongo.bsondump, '--quiet', dump]], [RELAXED]: [[mongo.bsondump, '--quiet', dump]] }),
  mongoexport: (_, uri) => ({
    [CANONICAL]: [exported(uri, 'canonical')], [RELAXED]: [exported(uri, 'relaxed')]
  }),
  'the tools of MongoDB': ({ archive }, uri) => ({
    [ARCHIVE]: [[mongo.mongorestore, '--quiet', `--uri=${uri}`, '--drop', '--nsInclude=shop.first', `--archive=${archive}`], exported(uri, 'relaxed')]
  }),
  bson: ({ dump, text }) => ({
    [CANONICAL]: [script('canonical', dump)],
    [RELAXED]: [script('relaxed', dump)],
    [TO_BSON]: [script('to-bson', text)],
    [EDIT]: [script('edit', dump)],
    [EDIT_THREADS]: [script('edit', dump)]
  }),
  before: ({ dump, text }) => ({
    [CANONICAL]: [earlier('--canonical', dump)],
    [RELAXED]: [earlier('--relaxed', dump)],
    [CHECK]: [earlier('check', dump)],
    [CHECK_THREADS]: [earlier('check', dump)],
    [SCHEMA]: [earlier('schema', dump)],
    [SCHEMA_THREADS]: [earlier('schema', dump)],
    [TO_BSON]: [earlier('to-bson', text)]
  })
}

const own = (...args) => [process.execPath, path.join(root, 'bin', 'qbson.js'), ...args]
const earlier = (...args) => [process.execPath, path.join(before, 'bin', 'qbson.js'), ...args]
const edited = (workers, key, dump) => own('edit', '--hash', 'city', '--unset', 'note', '--key-file', key, '--workers', workers, dump)
const printed = (workers, subject, dump) => own('--canonical', '--workers', workers, ...Array(COPIES[subject]).fill(dump))
const script = (...args) => [process.execPath, SCRIPT, ...args]
const exported = (uri, form) => [mongo.mongoexport, `--uri=${uri}`, '--db=shop', '--collection=first', `--jsonFormat=${form}`]

/** mongo-java-server sends all documents of a collection in one message, of which mongoexport accepts 48 MB. */
const MAX_COLLECTION = 40e6

/** @param {number} size bytes of customers @returns {Buffer} with distinct _ids */
const customersOf = size => require('../data/columns').dump(Math.ceil(size / 235))

/** Customers, and the documents of a server, the same size of each. @param {number} size @returns {[Buffer, Buffer]} */
function makeDump(size) {
  const { serialize, ...types } = require('bson')
  const { load } = require('../data/server')
  const kinds = ['order', 'event', 'user', 'log', 'post'].flatMap(kind => load(kind, bsonTypes(types)).map(doc => serialize(doc)))
  const mixed = Buffer.concat(kinds)
  return [customersOf(size / 2), Buffer.concat(Array(Math.ceil(size / 2 / mixed.length)).fill(mixed))]
}

/**
 * The archive has two collections, with the second one first.
 *
 * @param {{cache: string}} mode
 * @param {number} size bytes; a fifth of it for slow operations
 */
function writeFiles(mode, size) {
  const customers = customersOf(Math.min(size / 5, MAX_COLLECTION))
  const [, others] = makeDump(size / 5)
  const [first, second] = [new Namespace('shop', 'first'), new Namespace('shop', 'second')]
  const writer = new ArchiveWriter([first, second])
  const { dump, text, archive, first: restored, key, ...odd } = files(mode)
  fs.mkdirSync(mode.cache, { recursive: true })
  fs.writeFileSync(key, KEY)
  fs.writeFileSync(dump, Buffer.concat(makeDump(size)))
  fs.writeFileSync(restored, customers)
  writeOdd(odd, size)
  fs.writeFileSync(archive, Buffer.concat([writer.begin(), ...writer.add(second, others), ...writer.add(first, customers), writer.end()]))
  const [command, ...args] = own('--canonical', '--out', text, '-')
  execFileSync(command, args, { input: Buffer.concat(makeDump(size / 5)) })
}

/** What could be a cliff. @param {Record<string, string>} files @param {number} size bytes */
function writeOdd({ tiny, long, sparse, regexes, wide }, size) {
  const many = (share, documentOf) => Buffer.concat(Array.from({ length: size / share }, (_, n) => encode(documentOf(n))))
  fs.writeFileSync(tiny, many(60, n => ({ n })))
  fs.writeFileSync(long, encode({ text: 'some words '.repeat(Math.min(size / 11, 15e5)) }))
  fs.writeFileSync(sparse, many(2000, n => ({ _id: n, [`field ${n % 1000}`]: n, [`field ${(7 * n) % 1000}x`]: 'text' })))
  const fields = n => Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, n * i]))
  fs.writeFileSync(wide, many(110_000, fields))
  fs.writeFileSync(regexes, many(400, n => ({ a: /^ab*c/i, b: new RegExp(`x${n}`, 'm'), c: /\d+/ })))
}

/** The missing tools; set by `setup`. */
let missing = []

async function setup(mode) {
  writeFiles(mode, 200e6)
  writeFiles({ cache: files(mode).small }, 1e6)
  missing = Object.keys(mongo).filter(name => mongo[name] === undefined).map(name => `${name} (MONGO_TOOLS names its folder)`)
  if (before === undefined) missing.push('an earlier commit (QBSON_BEFORE names its checkout)')
  if (!mongo.mongorestore || !mongo.mongoexport) return
  try {
    const { uri } = await startServer('java')
    fs.writeFileSync(files(mode).server, JSON.stringify({ uri }))
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    missing.push(`a server: ${error.message}`)
  }
}

/** @returns {string | undefined} undefined without a server, and before `setup` */
function uriOf(mode) {
  if (mode.cache === undefined || !fs.existsSync(files(mode).server)) return undefined
  return JSON.parse(fs.readFileSync(files(mode).server, 'utf8')).uri
}

function isHere(contender, mode) {
  if (contender === 'bsondump') return mongo.bsondump !== undefined
  if (contender === 'before') return before !== undefined
  return !contender.startsWith('mongo') || uriOf(mode) !== undefined
}

function cases(mode) {
  const here = Object.keys(CONTENDERS).filter(contender => isHere(contender, mode))
  return TARGETS.flatMap(([subject]) => here.filter(contender => CONTENDERS[contender]({})[subject] !== undefined)
    .map(contender => ({ subject, op: 'run', contender })))
}

/** Fills the server from the archive, for mongoexport. */
function restore(contender, { archive }, uri) {
  if (contender === 'mongoexport') outputOf([mongo.mongorestore, '--quiet', `--uri=${uri}`, '--drop', '--nsInclude=shop.first', `--archive=${archive}`])
}

function prepare({ subject, contender }, mode) {
  const all = files(mode)
  const uri = uriOf(mode)
  return {
    measure: () => {
      restore(contender, all, uri)
      const runs = CONTENDERS[contender](all, uri)[subject].map(timed)
      const ms = runs.reduce((sum, { wall, processor }) => sum + (BY_CLOCK.includes(subject) ? wall : processor), 0)
      return [{ ns: ms * 1e6, extra: { bytes: bytesOf(subject, contender, all) } }]
    },
    check: () => check(subject, contender, files({ cache: all.small }), uri)
  }
}

/** The bytes that are read; for mongoexport, the documents of its collection. */
function bytesOf(subject, contender, { dump, text, archive, first, ...others }) {
  const cliff = CLIFFS.find(([name]) => name === subject)
  if (cliff !== undefined) return fs.statSync({ dump, ...others }[cliff[3]]).size
  const file = { [ARCHIVE]: archive, [TO_BSON]: text }[subject] ?? (contender === 'mongoexport' ? first : dump)
  return fs.statSync(file).size * (COPIES[subject] ?? 1)
}

/** Checks that a contender's output equals that of qbson. */
function check(subject, contender, all, uri) {
  const of = name => CONTENDERS[name](all, uri)[subject]
  restore(contender, all, uri)
  const [ours, theirs] = [of('qbson'), of(contender)].map(commands => commands.map(outputOf).at(-1))
  if (['qbson', 'before', 'the ordinary case'].includes(contender)) return // an earlier commit may print other reports
  if ([TO_BSON, EDIT, EDIT_THREADS, THREADS, MORE_THREADS].includes(subject)) return checkSame(theirs.equals(ours), true, 'the same bytes')
  const isOther = subject === RELAXED && contender === 'bsondump'
  const [one, other] = [isOther ? outputOf(CONTENDERS.qbson(all)[CANONICAL][0]) : ours, theirs].map(linesOf)
  if (contender === 'mongoexport') one.splice(0, one.length, ...linesOf(outputOf(own(formOf(subject), all.first))))
  checkSame(other, one, subject)
}

const formOf = subject => (subject === CANONICAL ? '--canonical' : '--relaxed')

/** Lines of Extended JSON, with doubles and dates in a uniform format. @param {Buffer} text */
function linesOf(text) {
  return text.toString().split('\n').slice(0, -1).map(line => JSON.stringify(JSON.parse(line, (key, value) => {
    return key === '$numberDouble' ? String(Number(value)) : key === '$date' && typeof value === 'string' ? Date.parse(value) : value
  })))
}

/** A row for each target: both rates, and their ratio. */
function tables(results) {
  const rate = (subject, contender) => {
    const row = results.find(each => each.subject === subject && each.contender === contender)
    return row && (row.extra.bytes * 1000) / row.ns
  }
  const rows = TARGETS.flatMap(([subject, against, least]) => {
    const ours = rate(subject, 'qbson')
    if (ours === undefined) return []
    const others = Object.keys(CONTENDERS).filter(name => name !== 'qbson' && (name === against || rate(subject, name) !== undefined))
    return others.map(name => {
      const theirs = rate(subject, name)
      const times = theirs === undefined ? 'not here' : (ours / theirs).toFixed(1)
      return [`${subject}, against ${name}`, String(Math.round(ours)), theirs === undefined ? 'not here' : theirs.toFixed(1), times, name === against ? String(least ?? '') : '']
    })
  })
  return [{ title: 'rates and their ratios', head: ['', 'qbson, MB/s', 'the other, MB/s', 'times as fast', 'wanted'], rows }]
}

/** The rows with a target, and those against scripts and one thread. */
function digest(results) {
  const isShown = row => row.at(-1) !== '' || /, against (bson|one thread)$/.test(row[0])
  return tables(results).map(table => ({ ...table, rows: table.rows.filter(isShown) }))
}

module.exports = {
  name: 'dumps',
  title: 'Dumps: the command against the tools of MongoDB and scripts with bson',
  rounds: mode => Math.min(mode.rounds, 3),
  get notes() {
    return [
      'MB of input per second of CPU time, including the start of the process; two threads, and the archive, per second of wall-clock time. Before: the commit that QBSON_BEFORE names. ' +
        'mongoexport reads from mongo-java-server, whose time counts only where the clock is used; mongorestore fills it first.',
      ...missing.map(what => `Not here: ${what}`)
    ]
  },
  setup,
  cases,
  prepare,
  tables,
  digest
}
