'use strict'

// Measures `import` of a library in a process of its own.

const fs = require('node:fs')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { PACKAGES, small, processorTime } = require('./bare')

/**
 * An ES module that requires nothing, so that code from bare.js is copied into it. Imports are resolved from the file
 * that contains them, so it is placed beside the packages.
 */
const ASKING = 'imported.mjs'
const TEXT = `
const small = ${small}
${processorTime}
const [name, encode, decode] = process.argv.slice(2)
const start = processorTime()
const library = await import(name)
const loaded = processorTime()
if (library.ObjectId) new library.ObjectId()
const identified = processorTime()
const bytes = library[encode](small())
const written = processorTime()
library[decode](bytes)
const read = processorTime()
console.log(JSON.stringify({
  imported: loaded - start, identified: identified - loaded, encoded: written - identified, decoded: read - written
}))
`

/**
 * Makes all packages importable from a folder, which has qbson in its node_modules.
 *
 * @param {string} folder
 */
function prepareImports(folder) {
  for (const name of Object.keys(PACKAGES)) {
    const link = path.join(folder, 'node_modules', name)
    if (!fs.existsSync(link)) fs.symlinkSync(path.join(__dirname, '..', '..', 'node_modules', name), link, 'junction')
  }
  fs.writeFileSync(path.join(folder, ASKING), TEXT)
}

/**
 * @param {string} contender
 * @param {string} folder from `prepareImports`
 * @returns {{imported: number, identified: number, encoded: number, decoded: number}} CPU time in ns of `import`,
 *   of the first ObjectId, of writing the first document and of reading it
 */
function importTimesOf(contender, folder) {
  const { encode, decode } = PACKAGES[contender]
  const args = [path.join(folder, ASKING), contender, encode, decode]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

module.exports = { prepareImports, importTimesOf }
