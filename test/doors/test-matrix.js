'use strict'

// All doors give one answer: odd values, bytes and texts through every way to write and to read them, in two copies
// of the library. Where two doors differ there is a reason, and each reason has a case.

const assert = require('node:assert')
const { columns } = require('../../lib/columns')
const { matcher } = require('../../lib/query')
const { run } = require('../fixtures/cli')
const { CLOSED, REFUSED } = require('../fixtures/doors')
const { TABLES, bytesRows, sources, answersOf } = require('../fixtures/doors-tables')
const rows = require('../fixtures/doors-rows')
const { LISTS, writtenDocs } = require('../fixtures/doors-docs')

const isRow = (names, name) => names.some(one => (typeof one === 'string' ? one === name : one.test(name)))

const [written, read, parsed] = answersOf(sources)

/** @returns {string[]} cells without a reason, and reasons without a cell */
function faultsOf({ rows, reasons }, answers) {
  const seen = new Set()
  const faults = []
  answers.forEach((cells, i) => {
    const [name] = rows[i]
    const [[, expected], ...others] = Object.entries(cells)
    for (const [door, answer] of others) {
      if (answer === expected || answer === CLOSED) continue
      const reason = reasons.find(reason => reason.doors.includes(door) && isRow(reason.rows, name))
      if (reason === undefined) faults.push(`${name}\n  ${door}: ${answer}\n  expected ${expected}`)
      else seen.add(reason)
    }
  })
  return [...faults, ...reasons.filter(reason => !seen.has(reason)).map(({ name }) => `never seen: ${name}`)]
}

/** As the command writes it: so that no file can control a terminal. */
const escaped = text => text.replace(/[\u007f-\u009f]/g, char => `\\u00${char.charCodeAt(0).toString(16)}`)

module.exports = {
  ...Object.fromEntries(TABLES.map((table, i) => [`${['values', 'bytes', 'texts'][i]}: every difference has a reason, and every reason a case`, t => {
    assert.deepStrictEqual(faultsOf(table, [written, read, parsed][i]), [])
    t.ok(table.rows.length > 150)
    t.done()
  }])),

  'the command prints what fromBSON gives, reads what it has printed, and what toBSON reads': async t => {
    const { EJSON } = sources.q
    const readable = bytesRows.filter((row, i) => ![read[i].decode, read[i]['EJSON.fromBSON, toBSON']].includes(REFUSED)).map(([, bytes]) => bytes)
    const texts = readable.map(bytes => EJSON.fromBSON(bytes, { relaxed: false }))
    const printed = await run(['print', '--canonical'], { input: Buffer.concat(readable) })
    t.deepStrictEqual(printed.out.split('\n').slice(0, -1), texts.map(escaped))
    const back = await run(['to-bson'], { input: printed.out })
    t.strictEqual(back.bytes.toString('hex'), Buffer.concat(texts.map(text => EJSON.toBSON(text))).toString('hex'))
    t.done()
  },

  'the command reads and refuses the texts that toBSON reads and refuses': async t => {
    const docs = rows.texts.map(text => `{"v":${text}}`)
    const isRead = docs.filter((doc, i) => parsed[i]['EJSON.toBSON'] !== REFUSED)
    const all = await run(['to-bson'], { input: isRead.join('\n') })
    t.strictEqual(all.bytes.toString('hex'), Buffer.concat(isRead.map(doc => sources.q.EJSON.toBSON(doc))).toString('hex'))
    for (const doc of docs.filter(doc => !isRead.includes(doc))) {
      const { code, bytes } = await run(['to-bson'], { input: doc })
      assert.deepStrictEqual([code, bytes.length], [1, 0], doc)
    }
    t.done()
  },

  'of a name that repeats every door takes the last': async t => {
    const { EJSON, decode, RawDocument } = sources.q
    const bytes = EJSON.toBSON('{"a":1,"n":{"x":1,"x":2},"a":3}')
    const raw = new RawDocument(bytes)
    const print = async args => (await run(args, { input: bytes })).out
    t.deepStrictEqual(decode(bytes), { a: 3, n: { x: 2 } })
    t.deepStrictEqual([raw.get('a'), raw.get('n.x'), raw.pick(['a', 'n.x']).toObject()], [3, 2, { n: { x: 2 }, a: 3 }])
    t.strictEqual(sources.json.text(bytes), '{"a":3,"n":{"x":2}}')
    t.deepStrictEqual([{ a: 3 }, { a: 1 }, { 'n.x': 2 }, { 'n.x': 1 }].map(filter => matcher(filter)(bytes)), [true, false, true, false])
    t.deepStrictEqual([...columns(bytes).columns.a], [3])
    t.strictEqual(await print(['print', '--fields', 'a']), '{"a":3}\n')
    t.strictEqual(await print(['to-csv', '--fields', 'a']), 'a\n3\n')
    t.deepStrictEqual([raw.set('a', 9).keys(), raw.omit(['a']).keys()], [['n', 'a'], ['n']])
    t.strictEqual(await print(['edit', '--set', 'a=9', '--to', 'relaxed']), '{"a":9,"n":{"x":1,"x":2}}\n')
    t.strictEqual(await print(['edit', '--unset', 'a', '--to', 'relaxed']), '{"n":{"x":1,"x":2}}\n')
    t.done()
  },

  'the lists in the docs are made of the reasons': t => {
    for (const { file, written, text } of writtenDocs()) assert.strictEqual(text, written, `${file}: run node test/fixtures/doors-docs.js`)
    const pages = writtenDocs().map(({ text }) => text).join('')
    assert.deepStrictEqual(Object.keys(LISTS).filter(name => !pages.includes(`<!-- list ${name} -->`)), [])
    t.done()
  }
}
