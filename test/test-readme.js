'use strict'

// The README's examples say what they print; here they are run and must print it.
//
// ```js       every line with console.log( is followed by what it prints: at its end after //, or in lines of // below
// ```console  a line with $ is a command, the lines after it what it prints
//
// An example that cannot run by itself stands under a comment: <!-- not run: reason -->

const fs = require('node:fs')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const manifest = require('../package.json')
const { decodeDifferences, encodeDifferences } = require('./differences')

const root = path.dirname(__dirname)
const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8')

/** @returns {{code: string, line: number, skipped: boolean}[]} the blocks of a language */
function blocks(language) {
  const found = []
  for (const match of readme.matchAll(/(<!-- not run: .+ -->\n)?^```(\w+)\n([^]*?)^```$/gm)) {
    const line = readme.slice(0, match.index).split('\n').length
    if (match[2] === language) found.push({ code: match[3], line, skipped: match[1] !== undefined })
  }
  return found
}

/** What a block's comments say that it prints. */
function stated(code) {
  const expected = []
  let prints = false
  for (const line of code.split('\n')) {
    const comment = /^\s*\/\/ ?(.*)$/.exec(line)
    if (prints && comment) expected.push(comment[1])
    if (comment) continue
    prints = /\bconsole\.(log|error)\(/.test(line)
    const atEnd = prints && /\) \/\/ (.*)$/.exec(line)
    if (atEnd) expected.push(atEnd[1])
    if (atEnd) prints = false
  }
  return expected.join('\n')
}

function run(code) {
  const isModule = /^import /m.test(code)
  const source = isModule ? code : `(async () => {\n${code}\n})()`
  const args = isModule ? ['--input-type=module', '-e', source] : ['-e', source]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trimEnd() : `exit code ${status}: ${stderr}`
}

/** The commands of a console block and what they print. */
function commands(code) {
  return code.split(/^\$ /m).slice(1).map(part => {
    const [command, ...output] = part.split('\n')
    return { command, output: output.join('\n').trimEnd() }
  })
}

function runCommand(command) {
  const own = `"${process.execPath}" "${path.join(root, manifest.bin.qbson)}"`
  const { stdout, stderr } = spawnSync(command.replaceAll('npx qbson', own), { cwd: root, encoding: 'utf8', shell: true })
  return (stdout + stderr).trimEnd()
}

const tests = {}

for (const { code, line, skipped } of blocks('js')) {
  if (skipped) continue
  tests[`example at line ${line}`] = t => {
    t.strictEqual(run(code), stated(code))
    t.done()
  }
}

for (const { code, line, skipped } of blocks('console')) {
  if (skipped) continue
  tests[`commands at line ${line}`] = t => {
    t.ok(commands(code).length > 0)
    for (const { command, output } of commands(code)) t.strictEqual(runCommand(command), output)
    t.done()
  }
}

module.exports = {
  ...tests,

  'there are examples': t => {
    t.ok(Object.keys(tests).length >= 8, `${Object.keys(tests).length}`)
    t.done()
  },

  'every difference from bson is there': t => {
    const rows = [...decodeDifferences, ...encodeDifferences]
    t.deepEqual(rows.filter(({ name, reason }) => !readme.includes(`- **${name}**: ${reason}`)).map(row => row.name), [])
    t.done()
  },

  'every script it names is there': t => {
    const named = [...readme.matchAll(/\bnpm run ([\w:]+)/g)].map(match => match[1])
    t.ok(named.length > 0)
    t.deepEqual(named.filter(name => !(name in manifest.scripts)), [])
    t.done()
  },

  'every file it links to is there': t => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g)].map(match => match[1])
    t.deepEqual(links.filter(link => !fs.existsSync(path.join(root, link))), [])
    t.done()
  },

  'every heading it links to is there': t => {
    const anchor = heading => heading.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-')
    const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(match => anchor(match[1]))
    const links = [...readme.matchAll(/\]\(#([^)]*)\)/g)].map(match => match[1])
    t.deepEqual(links.filter(link => !headings.includes(link)), [])
    t.done()
  }
}
