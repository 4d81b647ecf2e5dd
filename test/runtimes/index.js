'use strict'

// node test/runtimes              packs the package, installs it, and runs the portable suite in every runtime
// node test/runtimes bun deno     only in those whose names begin with these
// node test/runtimes --package F  with the tarball F instead of packing one
// node test/runtimes --docs       writes the tables of docs/environments.md too
// node test/runtimes --sizes      only writes the table of sizes there
//
// The runtimes are npm packages, installed here; browsers have to be on the machine. Runtimes that cannot run are
// skipped with a message. The last line is the total: 'N passed, N failed, N skipped'.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { run } = require('./tools')
const { bundlePortable } = require('./bundle')
const { writeDocs, writeSizes } = require('./docs')

const root = path.join(__dirname, '..', '..')

/** Failures that are shown for each runtime. */
const TOLD = 8

const OPTIONS = /** @type {const} */ ({ package: { type: 'string' }, docs: { type: 'boolean' }, sizes: { type: 'boolean' } })

async function main(argv) {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS })
  if (values.sizes) return writeSizes()
  await installRuntimes()
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-everywhere-'))
  try {
    await installPackage(project, values.package)
    const rows = await runAll(project, positionals.map(name => name.toLowerCase()))
    if (values.docs) await writeDocs(rows)
  } finally {
    fs.rmSync(project, { recursive: true, force: true })
  }
}

/** Installs what the lock file lists, unless that has not changed. */
async function installRuntimes() {
  const [lock, installed] = ['package-lock.json', 'node_modules/.installed-lock'].map(file => path.join(__dirname, file))
  const wanted = fs.readFileSync(lock, 'utf8')
  if (fs.existsSync(installed) && fs.readFileSync(installed, 'utf8') === wanted) return
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: __dirname, timeout: 900_000 })
  fs.writeFileSync(installed, wanted)
}

async function installPackage(project, tarball) {
  if (tarball) fs.copyFileSync(tarball, path.join(project, path.basename(tarball)))
  else await run('npm', ['pack', '--pack-destination', project], { cwd: root })
  const packed = fs.readdirSync(project).find(file => file.endsWith('.tgz'))
  fs.writeFileSync(path.join(project, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--offline', '--no-save', '--no-audit', '--no-fund', `./${packed}`], { cwd: project })
  await bundlePortable(path.join(project, 'portable.js'))
  fs.cpSync(path.join(__dirname, 'hosts'), project, { recursive: true })
}

async function runAll(project, chosen) {
  const { runtimes } = require('./list')
  const isChosen = name => chosen.length === 0 || chosen.some(begin => name.toLowerCase().startsWith(begin))
  const rows = []
  console.log(`${''.padEnd(36)}${['passed', 'failed', 'skipped'].map(word => word.padStart(8)).join('')}`)
  for (const name of Object.keys(runtimes).filter(isChosen)) {
    rows.push({ name, ...await outcome(() => runtimes[name](project)) })
    printRow(rows.at(-1))
  }
  compareDigests(rows)
  const total = key => rows.reduce((sum, row) => sum + row[key], 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`)
  process.exitCode = total('failed') > 0 ? 1 : 0
  return rows
}

async function outcome(work) {
  const none = { passed: 0, failed: 0, skipped: 0, failures: [], digest: null, word: '' }
  try {
    const result = await work()
    return typeof result === 'string' ? { ...none, skipped: 1, word: result } : { ...none, ...result }
  } catch (error) {
    return { ...none, failed: 1, failures: [error.message] }
  }
}

function printRow({ name, passed, failed, skipped, failures, word }) {
  const cells = [passed, failed, skipped].map(count => String(count).padStart(8))
  console.log(`${name.padEnd(36)}${cells.join('')}  ${word}`)
  for (const failure of failures.slice(0, TOLD)) console.log(`    ${failure}`)
  if (failures.length > TOLD) console.log(`    and ${failures.length - TOLD} more`)
}

/** The texts must be the same everywhere. */
function compareDigests(rows) {
  const [first] = rows.filter(({ digest, failed }) => digest && failed === 0)
  for (const row of rows.filter(({ digest, failed }) => digest && failed === 0 && digest !== first.digest)) {
    row.failed++
    console.log(`${row.name}: other texts came out than in ${first.name} (${row.digest}, ${first.digest})`)
  }
}

main(process.argv.slice(2)).catch(error => {
  console.error(error)
  process.exitCode = 2
})
