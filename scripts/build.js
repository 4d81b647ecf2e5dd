'use strict'

// node scripts/build.js   fills dist/ for `npm pack`: dist/node is CommonJS, for Node and whoever requires,
// dist/browser ES modules for everybody else, and beside them are a script for pages, and declarations.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')
const esbuild = require('esbuild')
const { rollup } = require('rollup')
const terser = require('terser')
const { ENTRIES, NODE_ONLY, PUBLIC } = require('./entries')
const { buildDeclarations } = require('./declarations')
const { toModule, pure, toCommonjs } = require('./rewrite')

const root = path.join(__dirname, '..')
const names = Object.keys(ENTRIES)
const sourceOf = name => path.join(root, ENTRIES[name])
const exportsOf = name => Object.keys(require(sourceOf(name)))

/** Entries that only name what `qbson` holds. */
const WITHIN = ['ejson', 'object-id']

/** @param {boolean} isForNode @returns {import('rollup').Plugin} that shows rollup the sources as ES modules */
function sources(isForNode) {
  return {
    name: 'sources',
    resolveId: (request, from) => {
      if (from !== undefined) return request.startsWith('.') ? createRequire(from).resolve(request) : false
    },
    transform(code, from) {
      const made = toModule(code, isForNode).replace(/\brequire\.resolve\('(\..*?)'\)/g, (_, request) => {
        const id = createRequire(from).resolve(request)
        return `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id, fileName: partName({ moduleIds: [id] }) })}`
      })
      return { code: made, map: null, moduleSideEffects: false }
    },
    resolveFileUrl: ({ relativePath }) => `require.resolve('./${relativePath.replace('.mjs', '.cjs')}')`
  }
}

/** What is loaded with a module at once. @returns {Set<string>} */
function loadedWith(id, getModuleInfo, found = new Set()) {
  if (found.has(id) || !path.isAbsolute(id)) return found
  found.add(id)
  for (const imported of getModuleInfo(id).importedIds) loadedWith(imported, getModuleInfo, found)
  return found
}

/** For a fast start `qbson` is two files: what modules need that were compiled ahead of time, and the rest. */
function fileOf(id, { getModuleInfo }) {
  const isWith = name => loadedWith(sourceOf(name), getModuleInfo).has(id)
  return isWith('compile/runtime') || isWith('object-id') ? 'compile/runtime' : isWith('qbson') ? 'qbson' : undefined
}

/** For browsers all of `qbson` is one, from which bundlers take what is used. */
function wholeOf(id, { getModuleInfo }) {
  return loadedWith(sourceOf('qbson'), getModuleInfo).has(id) ? 'whole' : undefined
}

/** @returns {string} `parts/ejson-functions`, of the last of a file's modules */
function partName({ moduleIds }) {
  const file = path.relative(path.join(root, 'lib'), moduleIds.at(-1)).replace(/^\W+/, '') // qbson.js is beside lib/
  return `parts/${file.replace(/(\Windex)?\.js$/, '').replaceAll(path.sep, '-')}.mjs`
}

async function bundle(entries, isForNode, output) {
  const input = Object.fromEntries(entries.map(name => [name, sourceOf(name)]))
  const preserveEntrySignatures = isForNode ? 'allow-extension' : 'strict'
  const made = await rollup({ input, plugins: [sources(isForNode)], preserveEntrySignatures, logLevel: 'warn' })
  const { output: files } = await made.generate({
    entryFileNames: '[name].mjs', chunkFileNames: partName, generatedCode: 'es2015', minifyInternalExports: false,
    hoistTransitiveImports: false, externalLiveBindings: false, ...output
  })
  return files
}

function write(folder, name, ...lines) {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.join('\n'))
}

/** Without comments, which take time at every start, but for those that bundlers read. */
async function print(code, isForNode) {
  const format = isForNode ? { beautify: true, indent_level: 2, quote_style: 3 } : { preserve_annotations: true }
  const mangle = isForNode ? false : { keep_classnames: true }
  const options = { module: true, compress: false, mangle, format: { comments: false, ...format } }
  return (await terser.minify(code, options)).code
}

async function buildForNode(folder) {
  const entries = names.filter(name => !WITHIN.includes(name))
  const files = await bundle(entries, true, { manualChunks: fileOf, experimentalMinChunkSize: 100_000 })
  for (const { code, fileName, name, isEntry } of files) {
    const commonjs = toCommonjs(code, fileName, isEntry && name in ENTRIES ? exportsOf(name) : undefined)
    write(folder, fileName.replace('.mjs', '.cjs'), await print(commonjs, true))
  }
  for (const name of WITHIN) {
    const list = exportsOf(name)
    write(folder, `${name}.cjs`, `const { ${list} } = require('./qbson.cjs')`, `module.exports = { ${list} }`, '')
  }
  for (const name of PUBLIC) writeImports(folder, name)
}

/**
 * An ES module that hands on what the CommonJS beside it exports: whoever asks, there is one copy of the classes. An
 * import of CommonJS would do, but Node looks through its text for names first: for 40 ms of Node 20.
 */
function writeImports(folder, name) {
  const asked = `const exported = createRequire(import.meta.url)('./${path.basename(name)}.cjs')`
  const handedOn = ['export default exported', `export const { ${exportsOf(name)} } = exported`, '']
  write(folder, `${name}.mjs`, "import { createRequire } from 'node:module'", asked, ...handedOn)
}

/** And for a page without a bundler one script that makes one global. */
async function buildForBrowsers(dist) {
  const folder = path.join(dist, 'browser')
  const entries = names.filter(name => !NODE_ONLY.includes(name))
  const files = await bundle(entries, false, { plugins: [pure], manualChunks: wholeOf })
  for (const { code, fileName, exports, isEntry } of files) {
    const named = exports.map(name => `${name}: all.${name}`)
    const all = `import * as all from './${path.basename(fileName)}'; export default { ${named} }`
    write(folder, fileName, await print(isEntry ? code + all : code, false))
  }
  await esbuild.build({
    entryPoints: [path.join(folder, 'qbson.mjs')], outfile: path.join(dist, 'qbson.min.js'), bundle: true, minify: true,
    format: 'iife', globalName: 'qbson', target: ['es2022', 'safari15.4', 'firefox102', 'chrome100'], logLevel: 'warning'
  })
}

/** @param {string} dist folder to fill @returns {Promise<void>} */
async function buildBundles(dist) {
  await Promise.all([buildForNode(path.join(dist, 'node')), buildForBrowsers(dist)])
}

async function main() {
  const dist = path.join(root, 'dist')
  fs.rmSync(dist, { recursive: true, force: true })
  await buildBundles(dist)
  await buildDeclarations(dist)
}

if (require.main === module) main()

module.exports = { buildBundles }
