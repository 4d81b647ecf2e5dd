'use strict'

// node scripts/build.js   fills dist/: CommonJS for Node, ES modules for everything else, a script for pages, and types

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFile } = require('node:child_process')
const { promisify } = require('node:util')
const esbuild = require('esbuild')
const { rollup } = require('rollup')
const { dts } = require('rollup-plugin-dts')
const minify = require('@rollup/plugin-terser')
const { Long } = require('../lib/types')
const { ENTRIES, NODE_ONLY, PUBLIC } = require('./entries')
const { CALLS, sources, onCall, neverLearns, commonjs, pure } = require('./plugins')
const { version } = require('../package.json')

const root = path.join(__dirname, '..')
const sourceOf = name => path.join(root, ENTRIES[name] ?? `lib/${name}/index.js`)
const WITHIN = { ejson: 'qbson', 'object-id': 'decode' } // entries that only re-export from another

/** Exports from the file that contains them what nothing else may import. */
const within = {
  name: 'within',
  transform: (code, id) => {
    const names = Object.keys(WITHIN).filter(name => sourceOf(WITHIN[name]) === id)
    return { code: [code, ...names.map(name => `export * from ${JSON.stringify(sourceOf(name))}`)].join('; '), map: null }
  }
}

const fileOf = name => path.join(root, 'lib', `${name}.js`)

/** What most programs never call: of encoding and decoding, and of the rest. */
const RARELY = ['elements/validate', 'elements/quick-validate', 'elements/locate', 'decode/learn', 'encode/learn', 'encode/size']
const ON_CALL = [
  ...RARELY, 'compat/on-demand', 'batch/documents', 'ejson/functions', 'raw/path', 'raw/find', 'raw/project', 'raw/splice',
  'raw/replace-invalid'
]

/** What comes together: the first documents need two of these, modules compiled ahead of time another one. */
const FILES = Object.entries({
  decode: ['decode/index', 'elements/layout'], 'compile/runtime': ['compile/runtime'], qbson: ['../qbson'],
  json: ['json/index'], dump: ['dump/index'], 'on-call': ON_CALL.filter(name => name.startsWith('elements/')),
  'raw-fields': ON_CALL.filter(name => name.startsWith('raw/'))
}).map(([name, sources]) => ({ name, sources: sources.map(fileOf) }))

/** One file for each of these names, with the modules that it loads at once and that no earlier file contains. */
const filesFor = names => (id, { getModuleInfo }) => FILES.find(({ name, sources }) => {
  const loaded = new Set(names.includes(name) ? sources : [])
  if (loaded.size > 0 && RARELY.some(each => id === CALLS + fileOf(each))) return true // in the first one
  for (const each of loaded) for (const next of getModuleInfo(each)?.importedIds ?? []) loaded.add(next)
  return loaded.has(id)
})?.name

/** @returns {string} the name of a file, if it has none from its last module: `parts/ejson-functions` */
function partName({ name, moduleIds }) {
  if (FILES.some(file => file.name === name)) return `parts/${name}`
  const file = path.relative(path.join(root, 'lib'), moduleIds.at(-1)).replace(/^\W+/, '') // qbson.js is not in lib/
  return `parts/${file.replace(/(\Windex)?\.js$/, '').replaceAll(path.sep, '-')}`
}

/**
 * Comments and long names take time at every start, and V8 needs two bytes per character for a source that is not
 * ASCII. Functions keep their names, and statements their lines, for stack traces.
 */
const PLAIN = { ecma: 2020, comments: false, ascii_only: true }
const LONG = {
  mangle: { keep_fnames: true, keep_classnames: true },
  format: { ...PLAIN, beautify: true, indent_level: 0, quote_style: 3 }
}
/**
 * Puts constants where they are used, which esbuild does not, and what short functions return. The others stay as they
 * are, for the sake of V8.
 */
const COMPRESS = { passes: 2, inline: 2, reduce_funcs: false }
const SHORT = { keep_classnames: true, compress: COMPRESS, format: { ...PLAIN, preserve_annotations: true } }
const terser = options => minify({ maxWorkers: 1, compress: false, ...options }) // more start too slowly

async function bundle(names, target, output) {
  const isForNode = target === 'node'
  const bundled = await rollup({
    input: Object.fromEntries(names.map(name => [name, sourceOf(name)])), external: /^(node:|[a-z-]+$)/, logLevel: 'warn',
    plugins: [
      isForNode ? onCall(ON_CALL.map(fileOf)) : neverLearns,
      sources(target, id => `${partName({ moduleIds: [id] })}.cjs`), isForNode && within
    ],
    preserveEntrySignatures: isForNode ? 'allow-extension' : 'strict'
  })
  const plain = { minifyInternalExports: false, hoistTransitiveImports: false, externalLiveBindings: false }
  await bundled.write({ generatedCode: 'es2015', ...plain, ...output })
}

async function buildForNode(dir) {
  await bundle(Object.keys(ENTRIES).filter(name => !(name in WITHIN)), 'node', {
    dir, entryFileNames: 'parts/[name].cjs', chunkFileNames: chunk => `${partName(chunk)}.cjs`,
    manualChunks: filesFor(FILES.map(({ name }) => name)), experimentalMinChunkSize: 2_000,
    plugins: [commonjs, terser(LONG)]
  })
  fs.copyFileSync(path.join(root, 'lib/register/installed.js'), path.join(dir, 'parts', 'installed.cjs'))
  fs.mkdirSync(path.join(dir, 'compile'))
  for (const name of Object.keys(ENTRIES)) { // lists the names, which would take Node 20 to 40 ms to find in qbson
    const all = `{ ${Object.keys(require(sourceOf(name))).join(', ')} }`
    const part = path.posix.relative(path.posix.dirname(name), `parts/${WITHIN[name] ?? name}.cjs`)
    const check = name === 'qbson' ? CHECK : ''
    fs.writeFileSync(path.join(dir, `${name}.cjs`), `${check}const ${all} = require('./${part}')\nmodule.exports = ${all}\n`)
  }
}

/** The beginning of `qbson` for Node, which costs nothing in an ordinary installation. */
const CHECK = `if (typeof process === 'object' && process.versions?.node && typeof __dirname === 'string') {
 const twin = process[Symbol.for('qbson ${version}')] ??= __dirname
 const from = module.parent?.filename
 const asked = from?.includes('node_modules') ? from : undefined
 if (twin !== __dirname || asked) require('./parts/installed.cjs').checkInstallation(twin, __dirname, asked)
}
`

/** All of `qbson` is one file, from which bundlers take what is used. */
const buildModules = (dir, target, names) => bundle(names, target, {
  dir, entryFileNames: '[name].mjs', chunkFileNames: chunk => `${partName(chunk)}.mjs`, manualChunks: filesFor(['qbson']),
  plugins: [pure, terser(SHORT)]
})

/** What bundlers take for Node has `Buffer` and the modules of Node. A script for pages defines one global. */
async function buildForBundlers(dist) {
  const dir = path.join(dist, 'browser')
  await buildModules(path.join(dist, 'module'), 'bundlers', PUBLIC)
  await buildModules(dir, 'browsers', PUBLIC.filter(name => !NODE_ONLY.includes(name)))
  await esbuild.build({
    entryPoints: [path.join(dir, 'qbson.mjs')], outfile: path.join(dist, 'qbson.min.js'), bundle: true, minify: true,
    format: 'iife', globalName: 'qbson', target: ['es2022', 'safari15.4', 'firefox102', 'chrome100'], logLevel: 'warning'
  })
}

/**
 * Reads declarations as those of an ES module, which does not have `import x = require(…)`. A typedef that only names
 * the type of another module becomes an import: as an alias it would get a name like DecodeOptions$6.
 */
const load = file => fs.readFileSync(file, 'utf8')
  .replace(/^import (\w+) = require\((.*)\)/gm, 'import * as $1 from $2')
  .replace(/^export type (\w+) = import\((".*")\)\.\1;/gm, 'import type { $1 } from $2; export type { $1 };')
  .replace(/^type (\w+) = import\((".*")\)\.\1;/gm, 'import type { $1 } from $2;')

/** Types of the web platform and of Node in declarations. */
const WEB = /(?<=^(?! *\*).*[:|] )(ReadableStream|TransformStream|AbortSignal|URL)\b(?:<[^>]*>)?/gm

/** What `encode` returns: a Uint8Array that only Node has. Its constructor is declared without a `prototype`. */
const BUFFER = /(?<=^(?! *\*).*(?::|=>) )Buffer\b(?:<[^>]*>)?/gm

/** The methods of Long that make sense for a Timestamp: mostly comparisons. */
const KEPT = /^(constructor|_bsontype|inspect|to(Ext.*|BigInt|String)|compare|n?eq?|[gl](te?|e)|.*(quals?|Than))$/
const deprecated = [...Object.getOwnPropertyNames(Long.prototype), 'low', 'high', 'unsigned'].filter(name => !KEPT.test(name))
  .map(name => `    /** @deprecated a Timestamp is not meant to be used as a Long */\n    ${name}: Long['${name}'];\n`)

/**
 * Makes declarations work with TypeScript 5.0 and later, with and without @types/node: typed arrays are generic only
 * from 5.7 on, Node's streams become `any` where Node is unknown, and the web's streams are types where they are known.
 */
function forAll(text) {
  return text
    .replace(/\b((?:Int|Uint|Float)\d+(?:Clamped)?Array|DataView)<[^<>]*>/g, '$1')
    .replace(/\bexport let (\w+): typeof \1;/g, 'export { $1 };') // in a namespace this would refer to itself
    .replace(/^(?=declare const (\w+_BSONType): )/m, 'type $1 = BSONType;\n') // a type, too
    .replace(/(from '\.\/.*)\.d\.cts'/g, "$1.cjs'")
    .replace(/^import '[^.].*\n/gm, '')
    .replace(/(@(?:param|returns)) \{[^{}\n]*\}/g, '$1') // the declaration has the type
    .replace(/^(?! \*)(.*(?:from |import\()['"][^.'"].*)$/gm, '// @ts-ignore: known where it is installed\n$1')
    .replace(BUFFER, '(typeof globalThis extends { Buffer: { alloc(size: number): infer Known } } ? Known : Uint8Array)')
    .replace(WEB, '(typeof globalThis extends { $1: { prototype: infer Known } } ? Known : any)')
    .replace(/^ {4}db: string \| undefined;$/m, '    db?: string | undefined;') // of DBRef: JSDoc has no word for optional
    .replace(/^declare class BSONValue \{$/m, 'declare abstract class BSONValue {') // which JSDoc has no word for
    // A toString like that of Object, which TypeScript leaves out. Mongoose takes text for what declares it.
    .replace(/^declare class (?:BSONSymbol|Decimal128) extends \w+ \{\n/gm, '$&    toString(): string;\n')
    .replace(/^declare class Timestamp extends \w+ \{\n/m, `$&${deprecated.join('')}`)
}

/** Gives the exports of a namespace the first paragraph of what they name: a list of completions looks nowhere else. */
function withComments(text) {
  const isOf = {}
  for (const [, whole, name] of text.matchAll(/^(\/\*\*(?:(?!\*\/)[^])*)\*\/\ndeclare (?:abstract )?\w+ ([\w$]+)/gm)) {
    const about = whole.split(/\n \*(?:\n| @)/)[0].trimEnd()
    if (/\w/.test(about) && !about.startsWith('/** @')) isOf[name] = `${about} */ `
  }
  for (const [, name, real] of text.matchAll(/^declare const ([\w$]+): typeof ([\w$]+);$/gm)) isOf[name] ??= isOf[real]
  return text.replace(/^ {2}export \{ .* \};$/gm, line => line.replace(/([\w$]+) as/g, (whole, name) => `${isOf[name] ?? ''}${whole}`))
}

/** Exports as types what is none of the `names` of an entry, such as a class of which it only returns instances. */
function withoutValues(code, names) {
  const marked = one => (names.includes(one.split(' as ').at(-1)) ? one : `type ${one}`)
  return code.replace(/^export \{ (.*) \}( from '.*')?;$/gm, (whole, list, from = '') => {
    return `export { ${list.split(', ').map(marked).join(', ')} }${from};`
  })
}

/** Builds all at once: a symbol declared in two files would be two symbols. @returns {Promise<string>} errors */
async function buildDeclarations(dist) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-types-'))
  const tsc = promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc'), '--outDir', folder], { cwd: root })
  const { stdout } = await tsc.catch(error => error)
  const input = Object.fromEntries(PUBLIC.map(name => [name, path.join(folder, ENTRIES[name].replace(/\.js$/, '.d.ts'))]))
  const plugins = [{ name: 'load', load }, dts({ respectExternal: true })] // or nothing would be bundled below a node_modules
  const bundle = await rollup({ input, plugins, external: /^(?!\w:)[^.\\/]/, logLevel: 'silent' })
  const manualChunks = id => Object.values(input).includes(id) ? undefined : 'shared'
  const { output } = await bundle.write({ dir: dist, manualChunks, entryFileNames: '[name].d.cts', chunkFileNames: '[name].d.cts' })
  fs.rmSync(folder, { recursive: true })
  for (const { fileName, code } of output) {
    const source = ENTRIES[fileName.replace('.d.cts', '')]
    const text = source === undefined ? code : withoutValues(code, Object.keys(require(path.join(root, source))))
    fs.writeFileSync(path.join(dist, fileName), withComments(forAll(text)))
  }
  fs.writeFileSync(path.join(dist, 'qbson.d.mts'), "export * from './qbson.cjs'\nexport * as default from './qbson.cjs'\n")
  return stdout
}

/** @param {string} dist folder to fill, without declarations @returns {Promise<any>} */
const buildBundles = dist => Promise.all([buildForNode(path.join(dist, 'node')), buildForBundlers(dist)])

if (require.main === module) {
  const dist = path.join(root, 'dist')
  fs.rmSync(dist, { recursive: true, force: true })
  buildBundles(dist).then(() => buildDeclarations(dist))
}

module.exports = { buildBundles, buildDeclarations }
