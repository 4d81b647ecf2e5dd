'use strict'

// What is done with a block of documents: those that are chosen are written at once, or one by one around a broken one.

const { encode, decode } = require('../../qbson')
const json = require('../../lib/json')
const { documents } = require('../../lib/batch')
const { edit } = require('../../lib/cli/commands/edit')
const { CHOOSING_OPTIONS, readOptions } = require('../../lib/cli/options')
const { Range, workOf } = require('../../lib/cli/tasks/documents')

const [queryOf, fieldsOf, setOf] = ['match', 'fields', 'set'].map(name => {
  return given => readOptions({ [name]: given }, { ...CHOOSING_OPTIONS, ...edit.options })[name]
})

/** @param {Uint8Array[]} docs */
const blockOf = docs => ({ bytes: Buffer.concat(docs), offset: 1000, document: 20, count: docs.length })

/** What a plan makes of documents, by their values. */
function expectedOf(values, { task, match, fields, edits, format }, { skip = 0, limit = Infinity }) {
  const chosen = values.filter(({ n }) => match === undefined || n >= 5).slice(skip).slice(0, limit)
  const changed = chosen.map(value => {
    const kept = fields === undefined ? { ...value } : { n: value.n, ...(value.in?.x !== undefined && { in: { x: value.in.x } }) }
    return edits === undefined ? kept : { ...kept, s: 'new' }
  })
  if (task === 'choose' || format.name === 'bson') return changed
  return changed.map(value => JSON.stringify(value))
}

/** @param {import('../../lib/cli/tasks/documents').Plan} plan @param {Uint8Array | null} output */
function outputOf({ task, format }, output) {
  if (output === null) return []
  if (task === 'choose' || format.name === 'bson') return [...documents(output)]
  const text = Buffer.from(output).toString()
  return format.isArray ? text.split(',\n').slice(1) : text.split('\n').slice(0, -1)
}

/** The numbers and offsets of the chosen documents. */
function placesOf(values, docs, skip, limit) {
  const chosen = values.flatMap(({ n }, i) => (n >= 5 ? [i] : [])).slice(skip).slice(0, limit)
  return chosen.flatMap(i => [21 + i, 1000 + docs.slice(0, i).reduce((sum, { length }) => sum + length, 0)])
}

const FORMATS = [{ name: 'json' }, { name: 'relaxed' }, { name: 'json', isArray: true }, { name: 'bson' }]

/** @type {import('../../lib/cli/tasks/documents').Plan[]} */
const PLANS = [undefined, queryOf('{"n":{"$gte":5}}')].flatMap(match => [undefined, fieldsOf('n,in.x')].flatMap(fields => {
  return [undefined, { set: setOf(['s="new"']) }].flatMap(edits => FORMATS.map(format => ({ task: 'write', match, fields, edits, format })))
})).concat([{ task: 'choose', match: queryOf('{"n":{"$gte":5}}') }])

/** @type {{skip?: number, limit?: number}[]} */
const RANGES = [{}, { skip: 3 }, { limit: 4 }, { skip: 2, limit: 9 }]

module.exports = {
  'every way to choose and to change, with a broken document and without': t => {
    let seed = 7
    const int = below => (seed = (seed * 48271) % 2147483647) % below
    for (const plan of PLANS) {
      for (const options of RANGES) {
        for (const broken of [-1, 6]) {
          const isRead = plan.task === 'write' && (plan.format.name !== 'bson' || plan.fields || plan.edits)
          if (broken >= 0 && !isRead) continue // it may be passed on without a look inside
          const values = Array.from({ length: 40 }, () => ({ n: int(10), s: 'é'.repeat(int(50)), ...(int(3) > 0 && { in: { x: int(5), y: [1] } }) }))
          const docs = values.map(value => Buffer.from(encode(value)))
          if (broken >= 0) docs[broken].fill(0xff, 4, 6)
          const range = options.skip || options.limit ? new Range(options) : null
          const what = JSON.stringify([plan, options, broken])
          const { output, count, rejects, places } = workOf({ ...plan, keepGoing: true }, range)(blockOf(docs))
          const { skip = 0, limit = Infinity } = options
          const good = values.filter((_, i) => i !== broken)
          const expected = expectedOf(good, plan, { skip, limit })
          t.deepStrictEqual(outputOf(plan, output), expected, what)
          t.strictEqual(count, expected.length, what)
          for (const { bytes } of rejects) t.ok(docs[broken].equals(bytes), what)
          if (plan.task === 'choose') t.deepStrictEqual(places, placesOf(values, docs, skip, limit), what)
        }
      }
    }
    t.done()
  },

  'chosen documents stay as they are while later blocks are worked on': t => {
    const work = workOf({ task: 'choose', match: queryOf('{"n":1}') }, null)
    const { output } = work(blockOf([encode({ n: 1, s: 'first' })]))
    work(blockOf([encode({ n: 1, s: 'later' })]))
    t.deepStrictEqual(decode(output), { n: 1, s: 'first' })
    t.done()
  },

  'chosen and changed documents are written at once, not one by one': t => {
    const block = blockOf(Array.from({ length: 100 }, (_, i) => encode({ a: i })))
    const { bytes, lines } = json
    const calls = { bytes: 0, lines: 0 }
    json.bytes = (...args) => (calls.bytes++, bytes(...args))
    json.lines = (...args) => (calls.lines++, lines(...args))
    try {
      for (const [plan, options] of [[{}, { skip: 1 }], [{}, { limit: 99 }], [{ fields: ['a'] }], [{ match: queryOf('{"a":{"$gte":0}}') }], [{ edits: { set: setOf(['a=1']) } }]]) {
        workOf({ task: 'write', format: { name: 'json' }, ...plan }, options === undefined ? null : new Range(options))(block)
      }
    } finally {
      Object.assign(json, { bytes, lines })
    }
    t.deepStrictEqual(calls, { bytes: 0, lines: 5 })
    t.done()
  }
}
