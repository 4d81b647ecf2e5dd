'use strict'

// The bundles of dist/: for Node, with Buffer, and for everybody else, each as ES modules and as CommonJS.

const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')
const { ENTRIES, fileOf } = require('./entries')
const { HELPER, toModule } = require('./to-module')
const { needs, late, later } = require('./pieces')
const { toCommonjs, withDefault } = require('./finish')
const { SHARED, modulesIn, readModule, writeFile, commonjsOf } = require('./files')
const { ONLY_NAMES, finishForNode } = require('./on-node')

const root = path.join(__dirname, '..', '..')

/**
 * Gives esbuild the house as ES modules, so that it leaves out what is not used.
 *
 * @param {import('./to-module').Options} options
 * @param {(file: string) => string} [before] what to put before the text of a file
 */
function house(options, before = () => '') {
  const namespace = HELPER
  return {
    name: 'house',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${HELPER}$`) }, () => ({ path: HELPER, namespace }))
      build.onLoad({ filter: /./, namespace }, () => ({ contents: `export const ${HELPER} = make => make()` }))
      build.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        return isOfHouse(file) ? { contents: before(file) + toModule(file, options) } : undefined
      })
    }
  }
}

function isOfHouse(file) {
  return file === path.join(root, 'qbson.js') || file.startsWith(path.join(root, 'lib') + path.sep)
}

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  external: ['node:*'],
  sourcemap: true,
  sourcesContent: false, // lib/ is in the package
  logLevel: 'warning'
}

/** Elsewhere there is no Buffer, and a bundler is not to bring one along. */
const BROWSER = {
  plugins: [house({ withoutBuffer: true })],
  define: { Buffer: 'undefined' },
  target: ['es2022', 'safari15.4', 'firefox102', 'chrome100']
}

const NODE = {
  plugins: [house({ isWhole: true, late }, needs), later],
  ignoreAnnotations: true, // that `qbson` is without effects
  target: 'node20'
}

/**
 * ES modules, one an entry and one for each piece that entries share.
 *
 * @param {string} outdir
 * @param {string[]} names of entries
 * @param {import('esbuild').BuildOptions} options
 */
function buildModules(outdir, names, options) {
  return esbuild.build({
    ...COMMON,
    ...options,
    entryPoints: names.map(name => ({ in: ENTRIES[name], out: fileOf(name) })),
    outdir,
    splitting: true,
    chunkNames: `${SHARED}-[hash]`,
    outExtension: { '.js': '.mjs' }
  })
}

/** Restores what esbuild made, and writes it as CommonJS too, beside the modules. */
function finishModules(folder) {
  for (const file of modulesIn(folder)) {
    const module = readModule(folder, file)
    const isShared = file.startsWith(SHARED)
    writeFile(folder, commonjsOf(file), [toCommonjs(module, { isShared })])
    fs.writeFileSync(path.join(folder, file), isShared ? module.text : withDefault(module.text))
  }
}

/** For a page without a bundler: one file that makes one global. */
function buildScript(outfile) {
  return esbuild.build({
    ...COMMON,
    ...BROWSER,
    entryPoints: [path.join(root, 'qbson.js')],
    outfile,
    format: 'iife',
    globalName: 'qbson',
    minify: true
  })
}

/**
 * @param {string} dist folder to fill
 * @returns {Promise<void>}
 */
async function buildBundles(dist) {
  const names = Object.keys(ENTRIES)
  const [browser, node] = [path.join(dist, 'browser'), path.join(dist, 'node')]
  await Promise.all([
    buildModules(browser, names, BROWSER),
    buildModules(node, names.filter(name => !ONLY_NAMES.includes(name)), NODE),
    buildScript(path.join(dist, 'qbson.min.js'))
  ])
  finishModules(browser)
  finishForNode(node)
}

module.exports = { buildBundles }
