'use strict'

// qbson in place of a bson that is too old is refused by name, and two copies are noticed: as packed.

const fs = require('node:fs')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { folder, home, packed } = require('../fixtures/packed')

/** Installs a package that loads `bson`, as under an override. @returns {{code: number, stderr: string}} of a process that loads it */
function load(manifest, { alias = 'bson', also = '' } = {}) {
  const place = fs.mkdtempSync(path.join(folder, 'old-'))
  const own = path.join(place, 'node_modules', 'asking')
  fs.mkdirSync(own, { recursive: true })
  fs.cpSync(home, path.join(place, 'node_modules', alias), { recursive: true })
  fs.writeFileSync(path.join(own, 'package.json'), JSON.stringify({ name: 'asking', version: '1.2.3', main: 'index.js', ...manifest }))
  fs.writeFileSync(path.join(own, 'index.js'), `module.exports = require('${alias}')`)
  const { status, stderr } = spawnSync(process.execPath, ['-e', `${also}; require('asking')`], { cwd: place, encoding: 'utf8' })
  fs.rmSync(place, { recursive: true })
  return { code: status, stderr }
}

const RANGES = {
  refused: ['^4.7.2', '4', '~1.0.4', '4.x', '4.*', '<5', '<=4.7', '^1.1.4 || ^4.0.0', '1.0.0 - 4.7.2', 'v4.7.2', '=4.6.0', '4.7.2-beta.1'],
  accepted: ['^5.0.0', '^4.7.2 || ^5.0.0', '>=4', '*', 'latest', '^7.3.2', 'npm:qbson@^1.0.0', '4 - 7', '', '<10', '<50']
}

module.exports = {
  before: done => {
    packed().then(() => done(), done)
  },

  'a package that asks for bson below 5 is refused by name': t => {
    const { code, stderr } = load({ dependencies: { bson: '^4.7.2' } })
    t.strictEqual(code, 1)
    t.ok(/Error: asking 1\.2\.3 needs bson \^4\.7\.2, but qbson is installed in its place\./.test(stderr), stderr)
    t.ok(stderr.includes("code: 'QBSON_OLD_BSON'") && stderr.includes('docs/setup.md'), stderr)
    t.ok(fs.existsSync(path.join(home, 'docs', 'setup.md')))
    t.done()
  },

  'one that knows qbson, or has no such dependency, is not': t => {
    for (const manifest of [{ dependencies: { bson: '^4.7.2', qbson: '^1.0.0' } }, {}, { peerDependencies: { bson: '7' } }]) {
      t.deepStrictEqual(load(manifest), { code: 0, stderr: '' })
    }
    t.strictEqual(load({ peerDependencies: { bson: '4' } }).code, 1)
    t.done()
  },

  'ranges that are below 5 for certain': t => {
    const { checkInstallation } = require('../../lib/register/installed')
    const place = fs.mkdtempSync(path.join(folder, 'ranges-'))
    const own = path.join(place, 'node_modules', '@some', 'asking')
    fs.mkdirSync(own, { recursive: true })
    const isRefused = range => {
      fs.writeFileSync(path.join(own, 'package.json'), JSON.stringify({ name: '@some/asking', dependencies: { bson: range } }))
      try {
        checkInstallation('a', 'a', path.join(own, 'lib', 'index.js'))
        return false
      } catch (error) {
        return error.message.startsWith('@some/asking')
      }
    }
    t.deepStrictEqual(RANGES.refused.filter(range => !isRefused(range)), [])
    t.deepStrictEqual(RANGES.accepted.filter(isRefused), [])
    t.done()
  },

  'a second copy of the same version is noticed, once': t => {
    const also = `require(${JSON.stringify(home)})`
    const { code, stderr } = load({ dependencies: { bson: '^7.0.0' } }, { also })
    t.strictEqual(code, 0)
    t.ok(/\[QBSON_TWICE\] Warning: The same version of qbson is loaded from .*qbson.* and from .*bson/.test(stderr), stderr)
    t.strictEqual(stderr.split('QBSON_TWICE').length, 2)
    t.done()
  }
}
