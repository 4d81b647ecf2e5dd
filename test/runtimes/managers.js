'use strict'

// The overrides of docs/setup.md, as each package manager takes them: the driver gets qbson, code of one's own gets the
// same classes and the entries beside them, and a driver that needs bson 4 keeps it or is refused by name.

const crypto = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { run, packageOf } = require('./tools')

const PAGE = path.join(__dirname, '..', '..', 'docs', 'setup.md')

/** A driver that needs bson 4, under another name. */
const OLD = { old: 'npm:mongodb@4.17.2' }

/** Prints what the driver, code of one's own and the old driver get. The name is that of the package in the project. */
const check = name => `
  const { createRequire } = require('node:module')
  let old // first: what is loaded already is not asked again
  try { old = require('old').ObjectId.name } catch (error) { old = error.code }
  const own = require('${name}')
  const isSame = createRequire(require.resolve('mongodb'))('bson') === own && require('mongodb').ObjectId === own.ObjectId
  const hasEntries = typeof require('${name}/cursor').batches === 'function' && typeof require('${name}/compile').compile === 'function'
  if (old === 'ObjectId') old = require('old').ObjectId === own.ObjectId ? 'has qbson' : 'has bson 4'
  console.log(JSON.stringify({ isSame, hasEntries, old }))`

/** @returns {string} the block of the page that follows the name of a package manager in bold */
function blockOf(manager) {
  const [, block] = new RegExp(`^\\*\\*${manager}\\*\\*[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``, 'm').exec(fs.readFileSync(PAGE, 'utf8'))
  return block
}

/** By package manager: its program, the files of the project, and how it is told of a registry. */
const MANAGERS = {
  npm: { files: manifest => manifest, install: address => ['npm', ['install', '--no-audit', '--no-fund', '--registry', address]] },
  pnpm: {
    program: ['pnpm', 'bin/pnpm.mjs', 'bin/pnpm.cjs'], name: 'qbson', args: address => ['install', '--ignore-scripts', '--registry', address]
  },
  yarn: { program: ['yarn', 'bin/yarn.js'], args: address => ['install', '--ignore-scripts', '--no-progress', '--registry', address] },
  bun: { program: ['@oven/bun-linux-x64', 'bin/bun'], isNative: true, args: () => ['install'] }
}

/** @returns {[string, string[]] | undefined} the command that installs, if the package manager is there */
function commandOf(manager, address) {
  const { program, isNative, args, install } = MANAGERS[manager]
  if (install !== undefined) return install(address)
  const folder = packageOf(__dirname, program[0])
  const file = folder && program.slice(1).map(name => path.join(folder, name)).find(name => fs.existsSync(name))
  if (!file) return undefined
  return isNative ? [file, args(address)] : [process.execPath, [file, ...args(address)]]
}

/** Serves the packed package, and sends every other request to the registry that npm uses. */
async function registryWith(tarball, manifest) {
  const upstream = (await run('npm', ['config', 'get', 'registry'])).trim().replace(/\/$/, '')
  const bytes = fs.readFileSync(tarball)
  const hash = (name, form) => crypto.createHash(name).update(bytes).digest(form)
  const server = http.createServer((request, response) => {
    const address = `http://127.0.0.1:${server.address().port}`
    if (request.url.endsWith('.tgz') && request.url.startsWith('/qbson/')) return response.end(bytes)
    if (request.url !== '/qbson') return response.writeHead(302, { location: upstream + request.url }).end()
    const dist = { tarball: `${address}/qbson/-/qbson-${manifest.version}.tgz`, integrity: `sha512-${hash('sha512', 'base64')}`, shasum: hash('sha1', 'hex') }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({
      name: 'qbson', 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: { ...manifest, dist } },
      time: { [manifest.version]: '2020-01-01T00:00:00.000Z' }
    }))
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

function writeProject(folder, manager) {
  const block = blockOf(manager)
  const isManifest = block.startsWith('{')
  const given = isManifest ? JSON.parse(block) : { dependencies: { qbson: '^1.0.0', mongodb: '^7.0.0' } }
  if (!isManifest) fs.writeFileSync(path.join(folder, 'pnpm-workspace.yaml'), block)
  const manifest = { private: true, ...given, dependencies: { ...given.dependencies, ...OLD } }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
}

/** @param {string} manager @returns {(project: string) => Promise<any>} */
function inManager(manager) {
  return async project => {
    const manifest = JSON.parse(fs.readFileSync(path.join(project, 'node_modules', 'qbson', 'package.json'), 'utf8'))
    const registry = await registryWith(path.join(project, `qbson-${manifest.version}.tgz`), manifest)
    try {
      const command = commandOf(manager, registry.address)
      if (command === undefined) return 'not to be had for this platform'
      const folder = path.join(project, 'managers', manager)
      fs.mkdirSync(folder, { recursive: true })
      writeProject(folder, manager)
      await run(...command, { cwd: folder, env: { ...process.env, BUN_CONFIG_REGISTRY: registry.address } })
      return verdict(JSON.parse(await run(process.execPath, ['-e', check(MANAGERS[manager].name ?? 'bson')], { cwd: folder })))
    } finally {
      registry.close()
    }
  }
}

function verdict({ isSame, hasEntries, old }) {
  const outcomes = { 'the driver has qbson': isSame, 'the entries are there': hasEntries, [`the old driver: ${old}`]: old === 'has bson 4' || old === 'QBSON_OLD_BSON' }
  const failures = Object.keys(outcomes).filter(name => !outcomes[name])
  return { passed: 3 - failures.length, failed: failures.length, failures, digest: null }
}

module.exports = { MANAGERS: Object.keys(MANAGERS), inManager }
