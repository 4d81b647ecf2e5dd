'use strict'

// scripts/entries.js, which npm runs as `prepare`: a clone runs without a build, and what npm and yarn 1 pack for a project
// that depends on the repository is built. And how the build reads the sources on Windows.

const fs = require('node:fs')
const nodeModule = require('node:module')
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

/** The plugins of the build, as they are where names of files have backslashes. @param {(plugins: any) => void} test */
function withWindows(test) {
  const file = require.resolve('../scripts/plugins')
  const { createRequire } = nodeModule
  const { sep, normalize } = path
  nodeModule.createRequire = /** @type {any} */ (from => ({ resolve: name => path.win32.join(from, '..', `${name}.js`) }))
  delete require.cache[file]
  Object.assign(path, { sep: '\\', normalize: path.win32.normalize })
  try {
    test(require(file))
  } finally {
    Object.assign(path, { sep, normalize })
    Object.assign(nodeModule, { createRequire })
    delete require.cache[file]
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
  },

  'the build names files on Windows as rollup takes them': t => {
    const source = "const { a } = require('./a')\nconst fs = require('node:fs')\nconst b = () => require('./b').b\nconst c = () => require('node:zlib')\n" +
      "const d = require.resolve('./d')\nconst e = require.resolve('qbson')\n"
    withWindows(({ CALLS, onCall, sources }) => {
      const emitted = []
      const read = target => sources(target, id => `parts/${id}`).transform
        .call({ emitFile: ({ id }) => emitted.push(id), getModuleInfo: () => ({}) }, source, 'C:\\lib\\x.js').code
      t.strictEqual(read('node'), "import { a } from 'C:/lib/a.js'\nimport * as fs from 'node:fs'\nconst b = () => import('C:/lib/b.js').b\n" +
        "const c = () => require('node:zlib')\nconst d = import.meta.ROLLUP_FILE_URL_1\nconst e = require.resolve('qbson')\n")
      t.ok(/late1 from 'C:\/lib\/b\.js'; import \* as late2 from 'node:zlib'; .*=> late1\.b\n.*=> late2\n/s.test(read('bundlers')), read('bundlers'))
      t.strictEqual(emitted[0], 'C:/lib/d.js')
      t.strictEqual(onCall(['C:\\lib\\b.js']).resolveId('C:/lib/b.js', 'C:\\lib\\x.js'), `${CALLS}C:\\lib\\b.js`)
    })
    t.done()
  }
}
