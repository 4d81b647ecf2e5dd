'use strict'

// What `import` of a library costs, in a process of its own.

const fs = require('node:fs')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { PACKAGES } = require('./bare')

const ASKING = 'imported.mjs'

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
  fs.copyFileSync(path.join(__dirname, ASKING), path.join(folder, ASKING))
}

/**
 * @param {string} contender
 * @param {string} folder that was prepared
 * @returns {{imported: number, encoded: number}} processor time of `import` and of the first document written, in ns
 */
function importTimesOf(contender, folder) {
  const args = [path.join(folder, ASKING), contender, PACKAGES[contender].encode]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

module.exports = { prepareImports, importTimesOf }
