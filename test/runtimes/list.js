'use strict'

// The runtimes: each returns the result of the portable suite, or why it cannot run.

const fs = require('node:fs')
const path = require('node:path')
const { run, resultOf, packageOf } = require('./tools')
const { inBrowser, inStores } = require('./browsers')
const { inColumns } = require('./columns')
const { viewsFiles } = require('./viewer')
const { inWorkerd } = require('./workerd')
const { inQuickJS, inHermes } = require('./engines')
const { compilesWith, lints } = require('./declarations')
const { MANAGERS, inManager } = require('./managers')
const { BUNDLERS, inBundler } = require('./bundlers')

/** The folder of the programs. */
const home = __dirname

/** @typedef {{passed: number, failed: number, failures: string[], digest: string | null}} Result */

/** @param {string} name of a package @param {string} file in it */
function program(name, file) {
  const folder = packageOf(home, name)
  return folder && path.join(folder, file)
}

/** A program that loads hosts/FILE. @returns {(project: string) => Promise<Result | string>} */
function host(command, args) {
  return async project => command ? resultOf(await run(command, args, { cwd: project })) : 'not to be had for this platform'
}

function node(version) {
  return program(`node${version}`, 'bin/node')
}

/** Jest and Vitest leave the result in a file. */
function inTestRunner(script, args) {
  return async project => {
    const file = path.join(project, 'result.json')
    fs.rmSync(file, { force: true })
    await run(process.execPath, [program(...script), ...args], { cwd: project })
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  }
}

function jest(environment) {
  const found = packageOf(home, `jest-environment-${environment}`)
  return inTestRunner(['jest', 'bin/jest.js'], ['--rootDir', '.', '--env', found ?? environment, '--testTimeout', '300000'])
}

function vitest(environment) {
  return inTestRunner(['vitest', 'vitest.mjs'], ['run', '--globals', '--environment', environment])
}

function browser(title, name) {
  return {
    [title]: project => inBrowser(name, project),
    [`${title}, Content-Security-Policy`]: project => inBrowser(name, project, { csp: true }),
    [`${title}, worker`]: project => inBrowser(name, project, { csp: true, worker: true }),
    [`${title}, stores and messages`]: project => inStores(name, project),
    [`${title}, qbson/columns`]: project => inColumns(name, project),
    [`${title}, examples/browser`]: project => viewsFiles(name, project)
  }
}

const versions = [20, 22, 24, 26]
const own = process.execPath

/** @type {Record<string, (project: string) => Promise<Result | string>>} */
const runtimes = {
  ...Object.fromEntries(versions.map(version => [`Node ${version}`, host(node(version), ['require.cjs'])])),
  'Node, import': host(own, ['import.mjs']),
  'Node, no code generation': host(own, ['--disallow-code-generation-from-strings', 'require.cjs']),
  'Node, nothing loaded late': host(own, ['late.cjs']),
  'Node, other realms': host(own, ['realm.cjs']),
  'Node, --disable-proto=delete': host(own, ['--disable-proto=delete', 'require.cjs']),
  'Node, --disable-proto=throw': host(own, ['--disable-proto=throw', 'require.cjs']),
  'Node, --frozen-intrinsics': host(own, ['--frozen-intrinsics', 'require.cjs']),
  'Node, SES lockdown': host(own, ['require.cjs', 'lockdown', packageOf(home, 'ses') ?? 'ses', 'moderate']),
  'Node, SES lockdown, severe': host(own, ['require.cjs', 'lockdown', packageOf(home, 'ses') ?? 'ses', 'severe']),
  'Node, worker': host(own, ['-e', 'new (require("node:worker_threads").Worker)("./require.cjs")']),
  'Node, startup snapshot': inSnapshot,
  ...Object.fromEntries(versions.slice(1).map(version => [`Node ${version}, compile cache`, host(node(version), ['compile-cache.cjs'])])),
  'Electron, as far as Node can be it': host(own, ['electron.cjs']),
  Bun: host(program('@oven/bun-linux-x64', 'bin/bun'), ['require.cjs']),
  'Bun, import': host(program('@oven/bun-linux-x64', 'bin/bun'), ['import.mjs']),
  Deno: host(program('@deno/linux-x64-glibc', 'deno'), ['run', '--allow-all', '--node-modules-dir=manual', 'require.cjs']),
  'Deno, import': host(program('@deno/linux-x64-glibc', 'deno'), ['run', '--allow-all', '--node-modules-dir=manual', 'import.mjs']),
  workerd: project => inWorkerd(project, 'browser', []),
  'workerd, nodejs_compat': project => inWorkerd(project, 'node', ['nodejs_compat']),
  QuickJS: inQuickJS,
  Hermes: inHermes,
  ...browser('Chromium', 'chromium'),
  ...browser('Firefox', 'firefox'),
  'Jest, node': jest('node'),
  'Jest, jsdom': jest('jsdom'),
  'Vitest, node': vitest('node'),
  'Vitest, jsdom': vitest('jsdom'),
  'TypeScript 5.0': project => compilesWith(project, packageOf(home, 'typescript50')),
  'TypeScript 5.4': project => compilesWith(project, packageOf(home, 'typescript54')),
  'TypeScript 5.7': project => compilesWith(project, packageOf(home, 'typescript57')),
  'TypeScript 6.0': project => compilesWith(project, path.dirname(require.resolve('typescript/package.json'))),
  'TypeScript 7.0': project => compilesWith(project, packageOf(home, 'typescript70')),
  'publint, attw': lints,
  ...Object.fromEntries(MANAGERS.map(name => [`Override, ${name}`, inManager(name)])),
  ...Object.fromEntries(BUNDLERS.map(name => [`Bundled by ${name}`, inBundler(name)]))
}

/** `node --build-snapshot` takes one file. */
async function inSnapshot(project) {
  const entry = path.join(project, 'snapshot-entry.js')
  fs.writeFileSync(entry, `
    require('./portable.js')
    const qbson = require('qbson')
    const json = require('qbson/json')
    qbson.decode(qbson.encode({ a: new qbson.ObjectId() }))
    require('node:v8').startupSnapshot.setDeserializeMainFunction(() => console.log(JSON.stringify(runPortable(qbson, json))))`)
  const bundle = path.join(project, 'snapshot.js')
  await require('esbuild').build({ entryPoints: [entry], outfile: bundle, bundle: true, platform: 'node', logLevel: 'silent' })
  await run(own, ['--snapshot-blob', 'snapshot.blob', '--build-snapshot', 'snapshot.js'], { cwd: project })
  return resultOf(await run(own, ['--snapshot-blob', 'snapshot.blob'], { cwd: project }))
}

module.exports = { runtimes }
