'use strict'

// Reads and writes hostile documents without keeping them, and reports how much memory stays in use. node --expose-gc
// fuzz/memory-process.js '{"documents": 10000000, "minutes": 60, "filter": "."}': prints lines of JSON.

const v8 = require('node:v8')
const qbson = require('../qbson')
const json = require('../lib/json')
const { columns } = require('../lib/columns')
const { compile, schemaOf } = require('../lib/compile')
const { frame, element, int32, string } = require('./families/parts')
const { seededRandom, below } = require('../test/fixtures/random-document')

const { documents = 1e7, minutes = Infinity, filter = '.', seed = 1 } = JSON.parse(process.argv[2] ?? '{}')
const say = line => process.stdout.write(`${JSON.stringify(line)}\n`)

const random = seededRandom(seed)
const { EJSON, RawDocument } = qbson

/** Eight digits that differ each time and replace those in a template. */
let serial = 0
const next = () => String(serial++ % 1e8).padStart(8, '0')

/** Writes new digits to each place for eight digits in a template. */
function renewed(template) {
  for (let at = template.indexOf('########'); at !== -1; at = template.indexOf('########', at)) at += template.write('0'.repeat(8), at)
  const places = []
  for (let at = template.indexOf('00000000'); at !== -1; at = template.indexOf('00000000', at + 8)) places.push(at)
  return () => {
    for (const at of places) template.write(next(), at)
    return template
  }
}

const int = int32(7)
const wide = renewed(frame(Buffer.concat(Array.from({ length: 20 }, () => element(0x10, 'k########', int)))))
const long = renewed(frame(Buffer.concat(Array.from({ length: 5 }, (_, i) => element(2, `${'y'.repeat(100)}########${i}`, string('value'))))))
const inArrays = renewed(frame(element(4, 'list', frame(Buffer.concat(Array.from({ length: 10 }, (_, i) => element(3, String(i), frame(element(0x10, 'k########', int)))))))))
const usual = qbson.encode({ a: null })
const failing = renewed(frame(Buffer.concat([element(0x10, 'a########', int), element(8, 'b########', Buffer.from([2]))])))

/** A shape is repeated this often, so that it is learned and perhaps compiled; then it never occurs again. */
const OFTEN = 400
let left = 0
const often = renewed(frame(Buffer.concat(Array.from({ length: 6 }, (_, i) => element(i % 2 ? 0x10 : 10, 'k########', i % 2 ? int : Buffer.alloc(0))))))
let current = often()
const recurring = () => {
  if (left-- <= 0) {
    current = often()
    left = OFTEN
  }
  return current
}

const arrays = depth => {
  let list = []
  for (let i = 0; i < depth; i++) list = [list, 1, 'x'].slice(0, 1 + below(random, 3))
  return list
}
const newKeys = count => Object.fromEntries(Array.from({ length: count }, () => [`k${next()}`, 1]))
let shape = newKeys(6)
let shapeLeft = 0
const recurringShape = () => {
  if (shapeLeft-- <= 0) {
    shape = newKeys(6)
    shapeLeft = OFTEN
  }
  return { ...shape }
}

/** Names that share a place in a table of 4096 by the hash with 31; each occurs with the previous one, as a chain. */
const slotOf = name => {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash, 31) + name.charCodeAt(i) | 0
  return (hash ^ hash >>> 15) & 4095
}
const inSlot = slot => {
  for (;;) {
    const name = `c${(serial++).toString(36)}`
    if (slotOf(name) === slot) return name
  }
}
let chains = 0
const CHAIN = 12
function chain() {
  const names = [inSlot(1 + chains++ % 4095), ...Array.from({ length: CHAIN }, () => inSlot(0))]
  const order = names.flatMap((name, i) => i === 0 ? [name, name] : [name, names[i - 1], name])
  return frame(Buffer.concat(order.map(name => element(0x10, name, int))))
}
let chained = chain()
const chainOften = () => serial++ % 20 === 0 ? (chained = chain()) : chained

/**
 * Shapes with the same beginning. Each is read until it is compiled, then with values of every type in every place, and
 * then cut short at every key, so that compiled functions grow as much as possible.
 */
const TYPES = [1, 1.5, 's', true, null, new qbson.ObjectId(), new Date(0), qbson.Long.fromBigInt(1n << 60n), { x: 1 }, [1]]
const NAMES = Array.from({ length: 30 }, (_, i) => `k${i}_${'x'.repeat(50)}`)
const LARGE = 'y'.repeat(1500)
const fields = (from, count, valueOf) => Object.fromEntries(NAMES.map((_, i) => [NAMES[(from + i) % 30], valueOf(i)]).slice(0, count))
function* shapesOfAllTypes() {
  for (let n = 0; ; n++) {
    const site = `site${Math.floor(n / 16) % 11}`
    const bytesOf = (count, valueOf, more) => qbson.encode({ [site]: { ...fields(n % 16, count, valueOf), ...more } })
    const usual = bytesOf(24, () => LARGE)
    for (let i = 0; i < 1300; i++) yield usual
    for (let v = 0; v < 12; v++) for (const bytes of Array(20).fill(bytesOf(24, i => TYPES[(i + v) % 10]))) yield bytes
    for (let count = 1; count < 24; count++) yield bytesOf(count, () => 1, { zz: 1 })
  }
}
const allTypes = shapesOfAllTypes()

/** The same for writing: shapes of 24 keys whose values change their types. */
let written = 0
const writtenShapes = Array.from({ length: 60 }, (_, s) => TYPES.map((_, v) => {
  return Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`s${s}k${i}`, TYPES[(v + i) % 10]]))
}))
const nextWritten = () => writtenShapes[Math.floor(written / 9000) % 60][written++ % 10]

/** A large document of many equal fields, whose number cannot be predicted; an object for each would take 30 times as much. */
const equalFields = frame(Buffer.alloc(1 << 20, Buffer.from([10, 97, 0])).subarray(0, 3 * 349525))
const nowAndThen = () => qbson.decode(below(random, 300) === 0 ? equalFields : usual)

/** A codec that has to remember values of a document in order to check it. */
const list = { bsonType: 'array', uniqueItems: true, items: { anyOf: [{ bsonType: 'object', maxProperties: 9 }, { bsonType: 'array' }, { bsonType: 'string' }] } }
const codec = compile({ properties: { list }, patternProperties: { '^k': { bsonType: ['int', 'string'], not: { enum: [7, [7]] } } }, minProperties: 1 })
const target = Buffer.alloc(4096)
const checked = () => ({ ...newKeys(3), list: [newKeys(2), [next()], next(), { n: [next()] }] })

/** The calls by name; each handles one document. */
const kinds = {
  'decode new keys': () => qbson.decode(wide()),
  'decode long new keys': () => qbson.decode(long()),
  'decode new keys in arrays': () => qbson.decode(inArrays()),
  'decode what is wrong': () => { try { qbson.decode(failing()) } catch {} },
  'decode chains of names': () => qbson.decode(chainOften()),
  'decode shapes that recur': () => qbson.decode(recurring()),
  'deserialize shapes that recur, with bigints': () => qbson.deserialize(recurring(), { useBigInt64: true }),
  'decode shapes of all types': () => qbson.decode(allTypes.next().value),
  'encode shapes of all types': () => qbson.encode(nextWritten()),
  'decode a large document now and then': () => nowAndThen(),
  'nested arrays': () => qbson.decode(qbson.encode({ a: arrays(40) })),
  'few of many keys': () => qbson.decode(qbson.encode(Object.fromEntries(Array.from({ length: 8 }, () => [`k${below(random, 60)}`, below(random, 3) ? 1 : 'x'])))),
  'recurring ids as keys': () => qbson.decode(qbson.encode(Object.fromEntries(Array.from({ length: 30 }, () => [`${below(random, 5000)}`.padStart(24, 'f'), { n: 1 }])))),
  'encode new keys': () => qbson.encode(newKeys(10)),
  'encode shapes that recur': () => qbson.encode(recurringShape()),
  'encode what is wrong': () => { try { qbson.encode({ ...newKeys(3), bad: new Date(NaN) }) } catch {} },
  'EJSON of new keys': () => EJSON.parse(EJSON.stringify(newKeys(6))),
  'EJSON from and to BSON': () => EJSON.toBSON(EJSON.fromBSON(wide())),
  'JSON of new keys': () => json.text(wide()),
  'columns of new keys': () => columns([wide()]),
  'columns of new keys in arrays': () => columns([inArrays()], { fields: ['list'] }),
  'a codec encodes what it has to remember': () => codec.encodeInto(checked(), target),
  'a codec decodes and checks it': () => codec.decode(qbson.encode(checked()), { check: true }),
  'the schema of new keys': () => schemaOf([wide(), inArrays()]),
  'RawDocument, new paths': () => { const raw = new RawDocument(wide()); raw.get(`a.${next()}`); raw.get(next()) },
  'sizeOf new keys': () => qbson.sizeOf(newKeys(10))
}

/** Bytes in use after full collections, and the part that is compiled code. */
function used() {
  for (let i = 0; i < 3; i++) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const code = v8.getHeapSpaceStatistics().filter(({ space_name: name }) => name.includes('code'))
  return { all: heapUsed + external, code: code.reduce((sum, { space_used_size: size }) => sum + size, 0) }
}

/** @param {ReturnType<typeof used>} before */
function growthSince(before) {
  const now = used()
  return { grown: now.all - before.all, code: now.code - before.code }
}

const chosen = Object.entries(kinds).filter(([name]) => new RegExp(filter).test(name))
const BLOCK = Math.min(500, Math.ceil(documents / chosen.length))

/** Enough documents for everything to be loaded and compiled. */
const WARM_UP = 300
for (const [, run] of chosen) for (let i = 0; i < WARM_UP; i++) run()

const before = used()
const end = Date.now() + minutes * 60_000
let done = 0
let reported = Date.now()
while (done < documents && Date.now() < end) {
  for (const [, run] of chosen) for (let i = 0; i < BLOCK; i++) run()
  done += chosen.length * BLOCK
  if (Date.now() - reported < 5000) continue
  say({ documents: done, ...growthSince(before) })
  reported = Date.now()
}
say({ documents: done, ...growthSince(before), done: true })
