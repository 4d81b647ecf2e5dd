'use strict'

// node scripts/build.js            fills dist/: bundles and declarations, what `npm pack` puts into the package
// node scripts/build.js --bundles  bundles only

const fs = require('node:fs')
const path = require('node:path')
const { buildBundles } = require('./build/bundles')
const { buildDeclarations } = require('./build/declarations')

const dist = path.join(__dirname, '..', 'dist')

async function main(argv) {
  fs.rmSync(dist, { recursive: true, force: true })
  await buildBundles(dist)
  if (!argv.includes('--bundles')) await buildDeclarations(dist)
}

main(process.argv.slice(2))
