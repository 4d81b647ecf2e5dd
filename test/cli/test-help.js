'use strict'

// The output of --help.

const fs = require('node:fs')
const path = require('node:path')
const { Readable, Writable } = require('node:stream')
const { COMMANDS, optionsOf } = require('../../lib/cli/commands')
const { main } = require('../../lib/cli')
const { helpOf, helpOfCommand } = require('../../lib/cli/help')
const { encode } = require('../../qbson')
const { archive } = require('../fixtures/dumps')
const { folder, run } = require('../fixtures/cli')

module.exports = {
  'every command, in lines that fit': t => {
    const help = helpOf(COMMANDS)
    for (const [name, { about }] of Object.entries(COMMANDS)) t.ok(help.includes(`  ${name} `) && help.includes(about), name)
    t.ok(help.split('\n').every(line => line.length <= 120))
    t.done()
  },

  'every option of a command, its own first': t => {
    for (const [name, command] of Object.entries(COMMANDS)) {
      const help = helpOfCommand(name, command)
      for (const option of Object.keys(optionsOf(command))) t.ok(help.includes(`--${option}`), option)
      t.ok(help.split('\n').every(line => line.length <= 120), help)
      t.strictEqual(help.includes(`Options of ${name}:`), Object.keys(command.options).length > 0)
    }
    t.done()
  },

  'every command and option is in docs/command.md or in a page that it names, and none that there is not': t => {
    const pages = ['command', 'compile', 'large-dumps'].map(page => fs.readFileSync(path.join(__dirname, '..', '..', 'docs', `${page}.md`), 'utf8'))
    const named = pages.map(text => [...text.matchAll(/--([a-z][\w-]+)/g)].map(match => match[1]))
    const all = new Set(Object.values(COMMANDS).flatMap(command => Object.keys(optionsOf(command))))
    for (const name of Object.keys(COMMANDS)) t.ok(pages[0].includes(`\`${name}\``), name)
    t.deepStrictEqual([...all].filter(name => !named.flat().includes(name)), [])
    t.deepStrictEqual([...new Set(named[0])].filter(name => !all.has(name)), [])
    t.done()
  },

  'every command has two examples, and they run': async function (t) {
    const home = fs.mkdtempSync(path.join(folder, 'examples-'))
    const cwd = process.cwd()
    process.chdir(home)
    try {
      const people = Array.from({ length: 20 }, (_, i) => ({ name: `n${i}`, age: 10 + 2 * i, email: 'a@b', phone: '1', address: { city: 'x' } }))
      fs.writeFileSync('people.bson', Buffer.concat(people.map(value => encode(value))))
      fs.writeFileSync('people.json', JSON.stringify(people))
      fs.writeFileSync('key', 'x'.repeat(32))
      fs.writeFileSync('dump.archive', archive())
      fs.writeFileSync('schema.json', '{"properties":{"name":{"bsonType":"string"}}}')
      for (const [name, { examples }] of Object.entries(COMMANDS)) {
        t.ok(examples.length >= 2, name)
        for (const example of examples) {
          const [, command] = /qbson ([^>)]*)/.exec(example)
          const args = command.match(/'[^']*'|\S+/g).map(word => word.replace(/^'|'$/g, ''))
          if (name === 'bench') continue // takes seconds: see test-bench.js
          const { code, out, err } = await run(args)
          t.strictEqual(code, 0, `${example}: ${err}`)
          const written = args.indexOf('--out')
          t.ok(written === -1 ? out !== '' : fs.existsSync(args[written + 1]), example)
          t.ok(helpOfCommand(name, COMMANDS[name]).includes(`  ${example}\n`))
        }
      }
    } finally {
      process.chdir(cwd)
    }
    t.done()
  },

  'without arguments, a terminal gets the help, and a pipe is read': async function (t) {
    const [written, said] = [[], []]
    const [stdout, stderr] = [written, said].map(texts => new Writable({
      write: (chunk, _, done) => { texts.push(String(chunk)); done() }
    }))
    const stdin = Object.assign(Readable.from([]), { isTTY: true })
    t.strictEqual(await main([], { stdin, stdout, stderr }), 0)
    t.strictEqual(written.join(''), helpOf(COMMANDS))
    t.strictEqual((await run([], { input: encode({ a: 1 }) })).out, '{"a":1}\n')
    t.strictEqual(await main(['--fields', 'a.bson'], { stdin, stdout, stderr }), 2)
    t.strictEqual(said.join(''), "qbson: no FILE is given, and nothing is piped into it\nTry 'qbson print --help'.\n")
    t.strictEqual(await main(['to-bson'], { stdin, stdout, stderr }), 0, 'JSON can be typed')
    t.done()
  },

  'headings are bold on terminals only': t => {
    t.ok(helpOf(COMMANDS, true).includes('\x1b[1mUsage:\x1b[22m'))
    t.ok(!helpOf(COMMANDS).includes('\x1b'))
    t.ok(helpOfCommand('check', COMMANDS.check, true).includes('\x1b[1mOptions:\x1b[22m'))
    t.done()
  },

  'help, help of a command, and the same by --help': async function (t) {
    const help = await run(['help'])
    t.strictEqual(help.code, 0)
    t.strictEqual(help.out, helpOf(COMMANDS))
    t.strictEqual((await run(['--help'])).out, help.out)
    for (const args of [['help', 'check'], ['check', '--help'], ['check', 'file', '-h']]) {
      t.strictEqual((await run(args)).out, helpOfCommand('check', COMMANDS.check))
    }
    t.strictEqual((await run(['help', 'print'])).out, helpOfCommand('print', COMMANDS.print))
    t.done()
  },

  'every option has an example that is run in docs/': t => {
    const folder = path.join(__dirname, '..', '..', 'docs')
    const pages = fs.readdirSync(folder).map(page => fs.readFileSync(path.join(folder, page), 'utf8'))
    const examples = [...pages.join('\n').matchAll(/^\$ .*$/gm)].map(([line]) => line)
    const all = new Set(Object.values(COMMANDS).flatMap(command => Object.keys(optionsOf(command))))
    all.delete('rounds') // bench takes seconds, and its figures differ each time
    for (const option of all) t.ok(examples.some(line => new RegExp(`--${option}\\b`).test(line)), option)
    t.done()
  }
}
