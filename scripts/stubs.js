'use strict'

// node scripts/stubs.js          fills dist/ with files that lead to the sources: so a clone runs that is not built
// node scripts/stubs.js --anew   even if it is built. npm runs the first after `npm ci`, the second when it has packed

const fs = require('node:fs')
const path = require('node:path')
const { ENTRIES } = require('./entries')

const dist = path.join(__dirname, '..', 'dist')

function writeStubs({ anew = false } = {}) {
  if (!anew && fs.existsSync(path.join(dist, 'qbson.min.js'))) return
  fs.rmSync(dist, { recursive: true, force: true })
  for (const [name, source] of Object.entries(ENTRIES)) {
    const file = path.join(dist, 'node', name)
    const target = path.relative(path.dirname(file), path.join(dist, '..', source)).replaceAll(path.sep, '/')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(`${file}.cjs`, `module.exports = require('${target}')\n`)
    fs.writeFileSync(`${file}.mjs`, `export { default } from '${target}'\nexport * from '${target}'\n`)
  }
}

if (require.main === module) writeStubs({ anew: process.argv.includes('--anew') })

module.exports = { writeStubs }
