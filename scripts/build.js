'use strict'

// node scripts/build.js   fills dist/ for `npm pack`: dist/node is CommonJS, for Node and whoever requires,
// dist/browser ES modules for everybody else, and beside them are a script for pages, and declarations.

const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')
const { rollup } = require('rollup')
const { ENTRIES, NODE_ONLY } = require('./entries')
const { buildDeclarations } = require('./declarations')
const { sources, commonjs, pure, printed } = require('./plugins')

const root = path.join(__dirname, '..')
const sourceOf = name => path.join(root, ENTRIES[name])

/** Entries that only name what another one holds. */
const WITHIN = { ejson: 'qbson', 'object-id': 'compile/runtime' }

/** What is loaded with a module at once. @returns {Set<string>} */
function loadedWith(id, getModuleInfo, found = new Set()) {
  const next = found.has(id) ? [] : getModuleInfo(id)?.importedIds ?? []
  found.add(id)
  for (const imported of next) loadedWith(imported, getModuleInfo, found)
  return found
}

/** A file for each of these names, with what it is loaded with and the earlier ones are not. */
const filesFor = names => (id, { getModuleInfo }) => {
  return names.find(name => loadedWith(sourceOf(name), getModuleInfo).has(id))
}

/** @returns {string} `parts/ejson-functions`, of the last of a file's modules */
function partName({ moduleIds }) {
  const file = path.relative(path.join(root, 'lib'), moduleIds.at(-1)).replace(/^\W+/, '') // qbson.js is beside lib/
  return `parts/${file.replace(/(\Windex)?\.js$/, '').replaceAll(path.sep, '-')}`
}

async function bundle(names, isForNode, output) {
  const input = Object.fromEntries(names.map(name => [name, sourceOf(name)]))
  const made = await rollup({
    input, plugins: [sources(isForNode, id => `${partName({ moduleIds: [id] })}.cjs`)], external: /^(node:|[a-z-]+$)/,
    preserveEntrySignatures: isForNode ? 'allow-extension' : 'strict', logLevel: 'warn'
  })
  await made.write({
    generatedCode: 'es2015', minifyInternalExports: false, hoistTransitiveImports: false,
    externalLiveBindings: false, ...output
  })
}

/** For a fast start `qbson` is two files: what is needed by modules that were compiled ahead of time, and the rest. */
async function buildForNode(dir) {
  await bundle(Object.keys(ENTRIES).filter(name => !(name in WITHIN)), true, {
    dir, entryFileNames: 'parts/[name].cjs', chunkFileNames: chunk => `${partName(chunk)}.cjs`,
    manualChunks: filesFor(['compile/runtime', 'qbson', 'json', 'dump']), experimentalMinChunkSize: 100_000,
    plugins: [commonjs, printed(false, { beautify: true, indent_level: 1, quote_style: 3 })]
  })
  fs.mkdirSync(path.join(dir, 'compile'))
  for (const name of Object.keys(ENTRIES)) { // Node looks for names in what is imported: 20 to 40 ms for all of qbson
    const all = `{ ${Object.keys(require(sourceOf(name))).join(', ')} }`
    const part = path.posix.relative(path.posix.dirname(name), `parts/${WITHIN[name] ?? name}.cjs`)
    fs.writeFileSync(path.join(dir, `${name}.cjs`), `const ${all} = require('./${part}')\nmodule.exports = ${all}\n`)
  }
}

/** All of `qbson` is one file, from which bundlers take what is used; and a script makes one global. */
async function buildForBrowsers(dist) {
  const dir = path.join(dist, 'browser')
  await bundle(Object.keys(ENTRIES).filter(name => !NODE_ONLY.includes(name)), false, {
    dir, entryFileNames: '[name].mjs', chunkFileNames: chunk => `${partName(chunk)}.mjs`, manualChunks: filesFor(['qbson']),
    plugins: [pure, printed({ keep_classnames: true }, { preserve_annotations: true })]
  })
  await esbuild.build({
    entryPoints: [path.join(dir, 'qbson.mjs')], outfile: path.join(dist, 'qbson.min.js'), bundle: true, minify: true,
    format: 'iife', globalName: 'qbson', target: ['es2022', 'safari15.4', 'firefox102', 'chrome100'], logLevel: 'warning'
  })
}

/** @param {string} dist folder to fill, without declarations @returns {Promise<any>} */
const buildBundles = dist => Promise.all([buildForNode(path.join(dist, 'node')), buildForBrowsers(dist)])

async function main(dist) {
  fs.rmSync(dist, { recursive: true, force: true })
  await buildBundles(dist)
  await buildDeclarations(dist)
}

if (require.main === module) main(path.join(root, 'dist'))

module.exports = { buildBundles }
