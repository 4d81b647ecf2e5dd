'use strict'

// Runs the examples of the pages: README.md, SECURITY.md, CHANGELOG.md and docs/.
//
// ```js       every line with console.log( is followed by what it prints: at its end after //, or in lines of // below
// ```console  a line with $ is a command, the lines after it what it prints
//
// An example that cannot run alone is preceded by a comment: <!-- not run: reason -->
// One that is skipped where a program is not installed: <!-- needs: program -->

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const vm = require('node:vm')
const { execFile, spawnSync } = require('node:child_process')
const { format } = require('node:util')
const manifest = require('../package.json')
const { run: runHere } = require('./fixtures/cli')
const { skip } = require('./skip')
const { decodeDifferences, encodeDifferences, parseDifferences } = require('./differences')

const root = path.dirname(__dirname)

/** Lines of the README at most: what is longer goes to docs/. */
const README_LINES = 300

const folder = fs.readdirSync(path.join(root, 'docs')).filter(file => file.endsWith('.md')).map(file => `docs/${file}`)
const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'lib/README.md', 'benchmark/README.md', 'benchmark/results/README.md', ...folder]
const texts = new Map(pages.map(page => [page, fs.readFileSync(path.join(root, page), 'utf8')]))

/** @returns {{code: string, line: number, needs?: string}[]} the blocks of a page that are in a language and can run */
function blocks(page, language) {
  const found = []
  const text = texts.get(page)
  for (const match of text.matchAll(/(?:<!-- (not run|needs): (.+) -->\n)?^```(\w+)\n([^]*?)^```$/gm)) {
    const line = text.slice(0, match.index).split('\n').length
    const [, how, needs, own, code] = match
    if (own === language && how !== 'not run') found.push({ code, line, needs })
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

/** Runs a program; resolves with what it prints, errors too. */
function start(file, args, options) {
  return new Promise(resolve => {
    execFile(file, args, { cwd: root, ...options }, (error, stdout, stderr) => resolve((stdout + stderr).trimEnd()))
  })
}

const AsyncFunction = /** @type {any} */ (async () => {}).constructor

/** @param {string} code of a module @returns {string} that of an async function */
function inFunction(code) {
  return code.replace(/^import (\{.*\}) from (.*)$/gm, 'const $1 = await import($2)')
    .replace(/^import (?:\* as )(\w+) from (.*)$/gm, 'const $1 = await import($2)')
    .replace(/^import (\w+) from (.*)$/gm, 'const { default: $1 } = await import($2)')
}

/** Runs code in this process, where everything is loaded already; what writes to its output in a process of its own. */
async function run(code) {
  if (code.includes('process.stdout')) return start(process.execPath, ['--input-type=module', '-e', code])
  const lines = []
  const log = (...values) => lines.push(format(...values))
  const isModule = /^import /m.test(code)
  const main = isModule ? new AsyncFunction('console', inFunction(code)) : vm.runInThisContext(`(console, require) => {\n${code}\n}`)
  await main({ log, error: log }, require)
  return lines.join('\n').trimEnd()
}

/** The commands of a console block and what they print. */
function commands(code) {
  return code.split(/^\$ /m).slice(1).map(part => {
    const [command, ...output] = part.split('\n')
    return { command, output: output.join('\n').trimEnd() }
  })
}

/** A plain call of the command, and its arguments. */
const OWN = /^npx qbson((?: (?:[\w.,:/=-]|'[^']*'|"(?:[^"$`\\]|\\[$"])*")+)*)$/

/**
 * @param {string} text of a shell
 * @param {string} separator
 * @returns {string[]} its parts, or all of it where a separator stands in quotes or in a compound command
 */
function split(text, separator) {
  const count = (part, sign) => part.split(sign).length - 1
  const isWhole = part => count(part, "'") % 2 === 0 && count(part, '"') % 2 === 0 && count(part, '(') === count(part, ')')
  const parts = text.split(separator)
  return /\b(for|if|while)\b|\{ /.test(text) || !parts.every(isWhole) ? [text] : parts
}

/** Runs one command after another, each of which may be a pipe. */
async function runCommand(command) {
  const said = []
  for (const each of split(command, '; ')) said.push(await runPipe(each))
  return said.flatMap(({ out }) => out).concat(said.flatMap(({ err }) => err)).join('').trimEnd()
}

/** Runs a pipe: plain calls of qbson in this process, other programs in a shell, and all of it in one if that is not enough. */
async function runPipe(command) {
  const parts = split(command, ' | ')
  if (parts.some(part => /\bnpx\b/.test(part) && !OWN.test(part))) {
    const own = `"${process.execPath}" "${path.join(root, manifest.bin.qbson)}"`
    return { out: [await start('/bin/sh', ['-c', command.replaceAll('npx qbson', own)])], err: [] }
  }
  let input = Buffer.alloc(0)
  const err = []
  for (const part of parts) {
    const own = OWN.exec(part)
    const words = own && (own[1].match(/(?:[^\s'"]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? []).map(unquoted)
    const result = words === null ? runInShell(part, input) : await runHere(words, { input })
    input = result.bytes
    err.push(result.err)
  }
  return { out: [input.toString()], err }
}

/** @param {string} word @returns {string} what a shell makes of it */
function unquoted(word) {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_, single, double) => single ?? double.replace(/\\(.)/g, '$1'))
}

/** @param {string} command @param {Buffer} input */
function runInShell(command, input) {
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd: root, input })
  return { bytes: stdout, err: stderr.toString() }
}

/** The tests of a page's examples. */
function examplesOf(page) {
  const tests = {}
  for (const { code, line } of blocks(page, 'js')) {
    tests[`example at line ${line}`] = async t => {
      t.strictEqual(await run(code), stated(code))
      t.done()
    }
  }
  for (const { code, line, needs } of blocks(page, 'console')) {
    tests[`commands at line ${line}`] = async t => {
      if (!fs.existsSync('/bin/sh')) skip(t, 'no /bin/sh')
      if (needs && spawnSync('/bin/sh', ['-c', `command -v ${needs}`]).status !== 0) skip(t, `${needs} is not installed`)
      t.ok(commands(code).length > 0)
      for (const { command, output } of commands(code)) t.strictEqual(await runCommand(command), output)
      t.done()
    }
  }
  return tests
}

/** @returns {string[]} the anchors of a page's headings, as GitHub makes them */
function anchorsOf(file) {
  const headings = [...fs.readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(match => match[1])
  return headings.map(heading => heading.toLowerCase().replace(/\[(.*?)\]\(.*?\)/g, '$1').replace(/[^\p{L}\p{N}_\- ]/gu, '').replace(/ /g, '-'))
}

/** The constants whose numbers SECURITY.md gives. */
const LIMITS = [
  ['lib/spec.js', 'MAX_DEPTH'], ['lib/spec.js', 'INT32_MAX'], ['lib/errors.js', 'MAX_SHOWN'], ['lib/cli/options/index.js', 'MAX_DOCUMENT_SIZE'],
  ['lib/wire/limits.js', 'MAX_MESSAGE_SIZE'], ['lib/wire/limits.js', 'MAX_OBJECT_SIZE'], ['lib/wire/limits.js', 'OBJECT_SIZE_HEADROOM'],
  ['lib/dump/archive.js', 'MAX_HEADER_SIZE'], ['lib/dump/files.js', 'MAX_METADATA_SIZE'], ['lib/columns/layout/kinds.js', 'MAX_COLUMNS'],
  ['lib/columns/layout/memory.js', 'MAX_RATIO'], ['lib/columns/layout/memory.js', 'BASE_ALLOWANCE'], ['lib/cursor/chunks.js', 'CHUNK_SIZE'],
  ['fuzz/targets/memory.js', 'OLD_SPACE'], ['lib/wire/limits.js', 'MAX_WRITE_BATCH'], ['lib/types/decimal128.js', 'MAX_STRING_LENGTH'], ['fuzz/scaling.js', 'FACTOR'],
  ['fuzz/scaling.js', 'PER_BYTE']
]

/** Those that lib/README.md gives. */
const LEARNED = [
  ['lib/decode/keys.js', 'MAX_KEYS'], ['lib/decode/learn.js', 'MAX_PLACES'], ['lib/raw/path.js', 'CACHED_PATHS']
]

/** @returns {string} a constant's number, as pages write it */
function constantOf(file, name) {
  const source = fs.readFileSync(path.join(root, file), 'utf8')
  return vm.runInNewContext(new RegExp(`^const ${name} = (.*)$`, 'm').exec(source)[1].replace(/\/\/.*/, '')).toLocaleString('en-US')
}

/** The fault of a link, if any: the file or the heading does not exist. */
function faultOf(page, link) {
  const [file, anchor] = link.split('#')
  const target = file === '' ? path.join(root, page) : path.join(root, path.dirname(page), file)
  if (!fs.existsSync(target)) return `${page}: there is no ${file}`
  if (anchor && !anchorsOf(target).includes(anchor)) return `${page}: ${file || page} has no heading #${anchor}`
  return undefined
}

module.exports = {
  examples: Object.fromEntries(pages.map(page => [page, examplesOf(page)])),

  'the check that an override took effect finds the bson of the driver, where only Mongoose is installed too': async t => {
    const [, check] = /^(node -p .*)$/m.exec(texts.get('docs/setup.md'))
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-check-'))
    const install = (place, text) => {
      fs.mkdirSync(path.join(folder, place), { recursive: true })
      fs.writeFileSync(path.join(folder, place, 'index.js'), text)
    }
    try {
      for (const place of ['node_modules/mongoose', 'node_modules/mongoose/node_modules/mongodb']) install(place, '')
      for (const [text, said] of [['exports.encodeInto = 1', 'true'], ['', 'false']]) {
        install('node_modules/mongoose/node_modules/mongodb/node_modules/bson', text)
        t.strictEqual(await start('/bin/sh', ['-c', check], { cwd: folder }), said)
      }
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
    t.done()
  },

  'there are examples': t => {
    t.ok(pages.reduce((sum, page) => sum + Object.keys(examplesOf(page)).length, 0) >= 12)
    t.done()
  },

  [`the README has at most ${README_LINES} lines`]: t => {
    const lines = texts.get('README.md').split('\n').length - 1
    t.ok(lines <= README_LINES, `${lines} lines`)
    t.done()
  },

  'the README leads to every page': t => {
    t.deepStrictEqual(folder.filter(page => !texts.get('README.md').includes(`](${page}`)), [])
    t.done()
  },

  'every link leads somewhere': t => {
    const links = pages.flatMap(page => [...texts.get(page).matchAll(/\]\((?!https?:|mailto:)([^)]+)\)/g)].map(match => [page, match[1]]))
    t.ok(links.length > 30)
    t.deepStrictEqual(links.map(([page, link]) => faultOf(page, link)).filter(Boolean), [])
    t.done()
  },

  'every difference from bson is listed': t => {
    const rows = [...decodeDifferences, ...encodeDifferences, ...parseDifferences]
    const page = texts.get('docs/compatibility.md')
    t.deepStrictEqual(rows.filter(({ name, reason }) => !page.includes(`- **${name}**: ${reason}\n`)).map(row => row.name), [])
    t.done()
  },

  'the limits that SECURITY.md names are those of the code': t => {
    t.deepStrictEqual(LIMITS.filter(([file, name]) => !texts.get('SECURITY.md').includes(constantOf(file, name))), [])
    t.done()
  },

  'and so are those of work that fuzz/README.md names': t => {
    const page = fs.readFileSync(path.join(root, 'fuzz/README.md'), 'utf8').replace(/\s+/g, ' ')
    t.ok(page.includes(`may take ${constantOf('fuzz/scaling.js', 'FACTOR')} times the steps`))
    t.ok(page.includes(`more than ${constantOf('fuzz/scaling.js', 'PER_BYTE')} steps a byte`))
    t.done()
  },

  'the numbers that lib/README.md names are those of the code': t => {
    t.deepStrictEqual(LEARNED.filter(([file, name]) => !texts.get('lib/README.md').includes(constantOf(file, name))), [])
    t.done()
  },

  'every file that lib/README.md names is there, and so is what it says is in it': t => {
    const page = texts.get('lib/README.md')
    const files = [...page.matchAll(/`([\w/-]+\.js)`/g)].map(match => match[1])
    t.ok(files.length > 8)
    t.deepStrictEqual(files.filter(file => !fs.existsSync(path.join(root, 'lib', file))), [])
    const lib = fs.readdirSync(path.join(root, 'lib'), { recursive: true }).filter(file => String(file).endsWith('.js'))
    const code = lib.map(file => fs.readFileSync(path.join(root, 'lib', String(file)), 'utf8')).join('\n')
    const names = [...page.matchAll(/`(\w+)`/g)].map(match => match[1])
    t.deepStrictEqual(names.filter(name => !new RegExp(`\\b${name}\\b`).test(code) && !fs.existsSync(path.join(root, 'lib', `${name}.js`))), [])
    t.done()
  },

  'every script that is named is there': t => {
    const named = [...texts.values()].flatMap(text => [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(match => match[1]))
    t.ok(named.length > 0)
    t.deepStrictEqual(named.filter(name => !(name in manifest.scripts)), [])
    t.done()
  }
}
