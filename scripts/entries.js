'use strict'

// node scripts/entries.js          fills dist/ with files that load the sources, so that a clone runs without a build
// node scripts/entries.js --anew   even if it is built; npm runs this after packing, and the former after `npm ci`
//
// For a project that depends on the repository itself, npm and yarn 1 run only the former, and then pack a clone in
// their cache. There it builds.

const fs = require('node:fs')
const path = require('node:path')
const { execFileSync } = require('node:child_process')

/** The entries by their name after `qbson/`, with their sources. @type {Record<string, string>} */
const ENTRIES = {
  qbson: 'qbson.js', 'compile/runtime': 'lib/compile/runtime.js', 'object-id': 'lib/types/object-id.js'
}
for (const name of ['wire', 'compile', 'ejson', 'json', 'cursor', 'columns', 'query', 'dump', 'cli']) ENTRIES[name] = `lib/${name}/index.js`

/** Entries that need Node; there is no file for browsers. */
const NODE_ONLY = ['dump', 'cli']

/** All entries except the command. */
const PUBLIC = Object.keys(ENTRIES).filter(name => name !== 'cli')

/** @returns {boolean} whether dist/ held a build, which is kept unless `anew` */
function writeStubs({ anew = false } = {}) {
  const dist = path.join(__dirname, '..', 'dist')
  const isBuilt = ['qbson.min.js', 'node/parts'].some(name => fs.existsSync(path.join(dist, name)))
  if (isBuilt && !anew) return isBuilt
  if (isBuilt) fs.rmSync(dist, { recursive: true, force: true })
  fs.mkdirSync(path.join(dist, 'node', 'compile'), { recursive: true })
  for (const [name, source] of Object.entries(ENTRIES)) {
    const target = path.posix.relative(`dist/node/${name}/..`, source)
    fs.writeFileSync(path.join(dist, 'node', `${name}.cjs`), `module.exports = require('${target}')\n`)
  }
  return isBuilt
}

/** Where npm and yarn 1 put clones that they are about to pack. */
const IN_CACHE = /[\\/](?:_cacache[\\/]tmp|\.tmp)[\\/][^\\/]+[\\/]scripts$/

if (require.main === module) {
  const isBuilt = writeStubs({ anew: process.argv.includes('--anew') })
  if (!isBuilt && IN_CACHE.test(__dirname)) execFileSync(process.execPath, [path.join(__dirname, 'build.js')], { stdio: 'inherit' })
}

module.exports = { ENTRIES, NODE_ONLY, PUBLIC, writeStubs }
