'use strict'

const { spawnSync } = require('child_process')
const crypto = require('crypto')
const fs = require('fs')
const path = require('path')

/** The folders with the official driver: on the bson package, and on this checkout of qbson. */
const folders = ['with-bson', 'with-qbson']

/** Other versions: see versions.js. */
const versionFolders = ['with-versions', 'bson-versions']

/**
 * Install what the folders name, unless that was done with the same lock file.
 * @returns {string | undefined} why it can't be
 */
function installDrivers() {
  for (const folder of [...folders, ...versionFolders]) {
    const cwd = path.join(__dirname, folder)
    const lock = fs.readFileSync(path.join(cwd, 'package-lock.json'))
    const stamp = path.join(cwd, 'node_modules', '.installed')
    const wanted = crypto.createHash('sha256').update(lock).digest('hex')
    if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) continue

    const shell = process.platform === 'win32' // it is a script there, which Node starts only so
    const result = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd, encoding: 'utf8', shell })
    if (result.error) return `npm can't be run: ${result.error.message}`
    if (result.status !== 0) {
      if (/EUSAGE|ERESOLVE/.test(result.stderr)) throw new Error(`npm ci fails in ${folder}: ${result.stderr}`)
      return `the driver can't be installed: ${result.stderr.trim().slice(0, 400)}`
    }
    fs.writeFileSync(stamp, wanted)
  }
}

module.exports = { folders, installDrivers }
