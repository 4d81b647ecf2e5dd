'use strict'

// node scripts/manifest.js publish   rewrites package.json so that it leads to dist/, for `npm pack`
// node scripts/manifest.js restore   puts back what it was: a clone runs from its sources

const fs = require('node:fs')
const path = require('node:path')
const { ENTRIES, PLAIN, fileOf, conditionsOf } = require('./build/entries')

const file = path.join(__dirname, '..', 'package.json')
const kept = path.join(__dirname, '..', 'build', 'package.json')

/** @param {any} manifest of the clone @returns {any} of the package */
function publishedManifest(manifest) {
  const { devDependencies, nyc, overrides, ...rest } = manifest
  const names = Object.keys(ENTRIES)
  return {
    ...rest,
    main: './dist/node/qbson.cjs',
    module: './dist/browser/qbson.mjs',
    'react-native': './dist/browser/qbson.cjs',
    unpkg: './dist/qbson.min.js',
    jsdelivr: './dist/qbson.min.js',
    types: './dist/qbson.d.cts',
    // for resolvers that do not look at `exports`
    typesVersions: { '*': Object.fromEntries(names.slice(1).map(name => [name.slice(2), [`./dist/${fileOf(name)}.d.cts`]])) },
    exports: {
      ...Object.fromEntries(names.map(name => [name, conditionsOf(name)])),
      ...PLAIN
    }
  }
}

function restore() {
  if (!fs.existsSync(kept)) return
  fs.copyFileSync(kept, file)
  fs.rmSync(kept)
}

function publish() {
  restore() // what an earlier run left when it was interrupted
  fs.mkdirSync(path.dirname(kept), { recursive: true })
  fs.copyFileSync(file, kept)
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  fs.writeFileSync(file, JSON.stringify(publishedManifest(manifest), null, 2) + '\n')
}

const commands = { publish, restore }

if (require.main === module) commands[process.argv[2]]()

module.exports = { publishedManifest }
