'use strict'

// Options by the names that bsondump, mongoexport and mongoimport have.

const fs = require('node:fs')
const path = require('node:path')
const { COMMANDS, optionsOf } = require('../../lib/cli/commands')
const { FOREIGN } = require('../../lib/cli/foreign')
const { archive } = require('../fixtures/dumps')
const { bookshop, folder, run, write } = require('../fixtures/cli')

module.exports = {
  'do what ours do': async t => {
    const file = write('foreign.archive', archive())
    const json = write('foreign.json', '[{"a":1}]')
    const rows = [
      [['-q', '{"pages":{"$gt":300}}', bookshop], ['--match', '{"pages":{"$gt":300}}', bookshop]],
      [['--query={"pages":{"$gt":300}}', bookshop], ['--match', '{"pages":{"$gt":300}}', bookshop]],
      [['-d', 'shop', '-c', 'orders', file], ['--ns', 'shop.orders', file]],
      [['--db=shop', '--collection=orders', file], ['--ns', 'shop.orders', file]],
      [['-d', 'shop', file], ['--ns', 'shop.*', file]],
      [['-n', '2', bookshop], ['--limit', '2', bookshop]],
      [['head', '-n', '2', bookshop], ['head', '--limit', '2', bookshop]],
      [['-f', 'title,pages', bookshop], ['--fields', 'title,pages', bookshop]],
      [['--jsonArray', bookshop], ['--array', bookshop]],
      [['--jsonFormat=canonical', bookshop], ['--canonical', bookshop]],
      [['--canonical', '--jsonFormat=canonical', bookshop], ['--canonical', bookshop]],
      [['--to', 'relaxed', '--relaxed', bookshop], ['--relaxed', bookshop]],
      [['--type=json', bookshop], [bookshop]],
      [['to-bson', '--jsonArray', '--type=json', json], ['to-bson', json]],
      [['to-bson', '-d', 'shop', '-c', 'people', json], ['to-bson', '--name', 'shop.people', json]]
    ]
    for (const [theirs, ours] of rows) {
      const expected = await run(ours)
      const found = await run(theirs)
      t.ok(expected.out !== '' || expected.err !== '', `${ours}`)
      t.deepStrictEqual([found.out, found.err, found.code], [expected.out, expected.err, expected.code], `${theirs}`)
      for (const option of ['-o', '--outFile']) {
        const out = path.join(folder, 'foreign-out')
        await run([...theirs, option, out])
        t.strictEqual(fs.existsSync(out) ? fs.readFileSync(out, 'utf8') : '', expected.code === 0 ? expected.out : '', `${theirs} ${option}`)
        fs.rmSync(out, { force: true })
      }
    }
    t.done()
  },

  'or name ours': async t => {
    const rows = [
      [['--type=csv'], /no option --type=csv: qbson to-csv FILE writes CSV/], [['--type=debug'], /qbson check FILE/], [['--type=x'], /see --to/],
      [['-c', 'orders'], /--db and --collection go together; or use --ns DB.COLL/], [['--bsonFile', 'x'], /without --bsonFile/], [['--quiet'], /2> \/dev\/null/], [['--objcheck'], /qbson check/],
      [['--noHeaderLine'], /tail -n \+2/], [['--queryFile', 'x'], /--match @FILE/], [['--match', '{}', '-q', '{}', '--query', '{}'], /another name of --match/]
    ]
    const imports = [
      [['--file', 'x'], /without --file/], [['--stopOnError'], /unless there is --keep-going/], [['--type=csv'], /reads no CSV/], [['--headerline'], /reads no CSV/],
      [['-d', 'shop'], /go together/], [['-c', 'people'], /go together/], [['-d', 'a', '-c', 'b', '--name', 'c.d'], /another way to say --name/],
      [['--drop'], /mongorestore/], [['--mode', 'upsert'], /mongorestore inserts/], [['--uri', 'mongodb://x'], /no server/]
    ]
    for (const [args, message] of [...rows, ...imports.map(([args, message]) => [['to-bson', ...args], message])]) {
      const { code, err, out } = await run([...args, bookshop])
      t.ok(code === 2 && out === '' && message.test(err), `${args}: ${err}`)
    }
    t.done()
  },

  'none is an option of ours, or in the help': async t => {
    const own = new Set(Object.values(COMMANDS).flatMap(command => Object.keys(optionsOf(command))))
    t.deepStrictEqual(Object.keys(FOREIGN).filter(name => own.has(name)), [])
    for (const { means } of Object.values(FOREIGN)) t.ok(means === undefined || own.has(means), means)
    const { out } = await run(['print', '--help'])
    t.ok(!out.includes('--jsonArray'))
    t.done()
  }
}
