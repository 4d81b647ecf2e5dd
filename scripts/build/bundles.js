'use strict'

// The bundles of dist/: for Node, with Buffer, and for everybody else, each as ES modules and as CommonJS.

const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')
const { ENTRIES, fileOf } = require('./entries')
const { HELPER, toModule } = require('./to-module')
const { needs, late, later } = require('./pieces')
const { restore, toCommonjs, withDefault } = require('./finish')

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

/** On Node these only name what `qbson` holds: with less to share it loads as two files. */
const ONLY_NAMES = ['./ejson', './object-id']

/** Files of what several entries need. */
const SHARED = 'shared'

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

/** Restores what esbuild made, and writes it as CommonJS too, beside the modules or in their place. */
function finish(folder, keepModules) {
  for (const file of fs.readdirSync(folder).filter(name => name.endsWith('.mjs'))) {
    const module = path.join(folder, file)
    const [text, map] = [module, `${module}.map`].map(name => fs.readFileSync(name, 'utf8'))
    const restored = restore(text)
    writeCommonjs(module.replace(/\.mjs$/, '.cjs'), restored.replace(/\/\/# sourceMappingURL=.*\s*$/, ''), map)
    if (keepModules) fs.writeFileSync(module, file.startsWith(SHARED) ? restored : withDefault(restored))
    else for (const gone of [module, `${module}.map`]) fs.rmSync(gone)
  }
}

function writeCommonjs(file, text, map) {
  const made = toCommonjs(text, map, path.basename(file).startsWith(SHARED))
  fs.writeFileSync(file, `${made.code}//# sourceMappingURL=${path.basename(file)}.map\n`)
  fs.writeFileSync(`${file}.map`, made.map)
}

function writeNames(folder) {
  for (const name of ONLY_NAMES) {
    const exported = Object.keys(require(path.join(root, ENTRIES[name]))).join(', ')
    fs.writeFileSync(path.join(folder, `${fileOf(name)}.cjs`),
      `'use strict'\n\nconst { ${exported} } = require('./qbson.cjs')\n\nmodule.exports = { ${exported} }\n`)
  }
}

/**
 * ES modules that hand on what the CommonJS file beside them exports. Bundlers have to see an import of it. Node does
 * not, and is spared what it does for one, which is to look through the text for names: a tenth of the time to start.
 */
function writeWrappers(folder) {
  for (const name of Object.keys(ENTRIES).map(fileOf)) {
    const names = Object.keys(require(path.join(folder, `${name}.cjs`)))
    const handOn = `\n\nexport default exported\nexport const {\n  ${names.join(',\n  ')}\n} = exported\n`
    fs.writeFileSync(path.join(folder, `${name}.mjs`), `import exported from './${name}.cjs'${handOn}`)
    fs.writeFileSync(path.join(folder, `${name}.node.mjs`),
      `import { createRequire } from 'node:module'\n\n` +
      `const exported = createRequire(import.meta.url)('./${name}.cjs')${handOn}`)
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
  finish(browser, true)
  finish(node, false)
  writeNames(node)
  writeWrappers(node)
}

module.exports = { buildBundles }
