'use strict'

// scripts/entries.js, which npm runs as `prepare`: a clone runs without a build, and what npm and yarn 1 pack for a project
// that depends on the repository is built.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFileSync } = require('node:child_process')

/** Runs the script in a made-up clone. @returns {{printed: string, first: string}} what building printed, and an entry */
function prepared(folder) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-entries-'))
  try {
    const clone = path.join(home, folder)
    fs.mkdirSync(path.join(clone, 'scripts'), { recursive: true })
    fs.copyFileSync(path.join(__dirname, '..', 'scripts', 'entries.js'), path.join(clone, 'scripts', 'entries.js'))
    fs.writeFileSync(path.join(clone, 'scripts', 'build.js'), "console.log('built')")
    const printed = execFileSync(process.execPath, ['scripts/entries.js'], { cwd: clone, encoding: 'utf8' })
    return { printed, first: fs.readFileSync(path.join(clone, 'dist', 'node', 'qbson.cjs'), 'utf8') }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

module.exports = {
  'a clone is not built: its entries load the sources': t => {
    for (const folder of ['tmp/qbson', '_cacache/my.tmp/qbson']) {
      t.deepStrictEqual(prepared(folder), { printed: '', first: "module.exports = require('../../qbson.js')\n" }, folder)
    }
    t.done()
  },

  'a clone in the cache of npm or yarn 1 is built': t => {
    for (const folder of ['.npm/_cacache/tmp/git-cloneX4Jjbz', 'yarn/v6/.tmp/0af3.4f0f.prepare']) {
      t.strictEqual(prepared(folder).printed, 'built\n', folder)
    }
    t.done()
  }
}
