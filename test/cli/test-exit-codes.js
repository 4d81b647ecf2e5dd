'use strict'

// The exit codes in docs/command.md are true for every command: its table names these rows.

const fs = require('node:fs')
const path = require('node:path')
const { encode } = require('../../qbson')
const { COMMANDS, optionsOf } = require('../../lib/cli/commands')
const { bookshop, folder, run, write } = require('../fixtures/cli')
const { archive } = require('../fixtures/dumps')

const good = encode({ _id: 1, a: 'é', l: [] })
const file = write('codes.bson', good)
const empty = write('codes-empty.bson', '')
const text = write('codes.json', '{"_id":1}\n')
const schema = path.join(path.dirname(bookshop), 'bookshop.schema.json')

const latin = Buffer.from(good)
latin[latin.indexOf(0xc3)] = 0xe9
const replaceable = write('codes-latin.bson', latin)
const cut = write('codes-cut.bson', Buffer.concat([good, good.subarray(0, -1)]))
const wrong = { 'to-bson': write('codes-cut.json', '{"_id":1}\n{"_id":'), compile: write('codes-cut.schema', '{') }
const twice = Buffer.from(encode({ a: 1, b: 2 }))
twice[twice.indexOf('b\0')] = 0x61

/** What each command needs, without files, and a good input. @type {Record<string, {args?: string[], input?: string}>} */
const NEEDS = {
  distinct: { args: ['_id'] }, edit: { args: ['--set', 'x=1'] }, 'to-bson': { input: text }, compile: { input: schema }, bench: { args: ['--rounds', '1'] },
  completion: { args: ['bash'] }
}

const call = (command, ...more) => [command, ...(NEEDS[command]?.args ?? []), ...more]
const has = option => Object.keys(COMMANDS).filter(name => optionsOf(COMMANDS[name])[option] !== undefined)
const all = Object.keys(COMMANDS)
const readers = all.filter(name => !COMMANDS[name].readsNoFile)
const quick = readers.filter(name => name !== 'bench') // it takes seconds
const inputOf = command => NEEDS[command]?.input ?? file

/**
 * The rows of the table: what happens, the exit code, the commands, and how they are called.
 *
 * @type {[string, number, string[], (command: string) => string[]][]}
 */
const ROWS = [
  ['all is valid', 0, quick, command => call(command, inputOf(command))],
  ['there is no document, or none was chosen', 0, quick.filter(name => name !== 'compile'), command => call(command, empty)],
  ['there is no document, or none was chosen', 0, has('match'), command => call(command, '--match', '{"none":1}', inputOf(command))],
  ['help or the version was asked for', 0, all, command => [command, '--help']],
  ['a document, or what holds it, has an error', 1, readers, command => call(command, wrong[command] ?? cut)],
  ['a file is of another format', 1, readers, command => call(command, inputOf(command) === file ? text : file)],
  ['`--keep-going` left something out', 1, has('keep-going'), command => call(command, '--keep-going', wrong[command] ?? cut)],
  ['`--replace-invalid` changed text', 1, has('replace-invalid').filter(name => name !== 'to-bson'), command => call(command, '--replace-invalid', replaceable)],
  ['a collection of `--ns` is not there', 1, has('ns').filter(name => name !== 'split'), command => call(command, '--ns', 'a.b', inputOf(command))],
  ['a collection of `--ns` is not there', 1, ['split'], command => call(command, '--ns', 'a.b', write('codes.archive', archive()))],
  ['a value has no place in a column', 1, ['to-csv', 'to-arrow', 'to-parquet'], command => call(command, write('codes-twice.bson', twice))],
  ['an option, its argument or a query makes no sense', 2, all, command => call(command, '--nosuch', inputOf(command))],
  ['an option, its argument or a query makes no sense', 2, has('limit'), command => call(command, '--limit', 'x', inputOf(command))],
  ['an option, its argument or a query makes no sense', 2, has('match'), command => call(command, '--match', '{"a":{"$no":1}}', inputOf(command))],
  ['a file cannot be read', 2, readers, command => call(command, 'nosuch')],
  ['the output cannot be written', 2, has('out'), command => call(command, '--out', path.join(folder, 'nosuch', 'x'), inputOf(command))]
]

/** @returns {[string, number][]} the rows in the docs */
function documented() {
  const docs = fs.readFileSync(path.join(__dirname, '..', '..', 'docs', 'command.md'), 'utf8')
  return [...docs.matchAll(/^\| ([012]) \| (.*) \|$/gm)].flatMap(([, code, what]) => what.split('; ').map(each => [each, Number(code)]))
}

module.exports = {
  'the exit codes of every command': async t => {
    for (const [what, expected, commands, argsOf] of ROWS) {
      for (const command of commands) {
        const { code, out, err } = await run(argsOf(command))
        t.strictEqual(code, expected, `${command}, ${what}: ${err}`)
        if (code !== 0) t.ok(err !== '' || (command === 'check' && out.includes('error')), `${command}, ${what}: nothing is said`)
      }
    }
    t.done()
  },

  'are those of the docs': t => {
    const rows = new Map(ROWS.map(([what, code]) => [what, code]))
    t.deepStrictEqual(documented(), [...rows])
    t.done()
  }
}
