'use strict'

// One declaration file an entry, rolled up from what tsc makes of the JSDoc.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { rollup } = require('rollup')
const { dts } = require('rollup-plugin-dts')
const { Long } = require('../lib/types')
const { ENTRIES, PUBLIC } = require('./entries')

const root = path.join(__dirname, '..')

/** Writes what tsc makes of the sources; what it complains about is for `npm run types`. */
function declare(folder) {
  const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  spawnSync(process.execPath, [tsc, '--project', 'tsconfig.json', '--outDir', folder], { cwd: root, stdio: 'ignore' })
  for (const file of fs.readdirSync(folder, { recursive: true }).map(String)) {
    if (file.endsWith('.d.ts')) rewrite(path.join(folder, file), modern)
  }
}

function rewrite(file, change) {
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')))
}

/** `import x = require(…)` is of CommonJS alone. */
function modern(text) {
  return text.replace(/^import (\w+) = require\((.*)\)/gm, 'import * as $1 from $2')
}

/** What the web has and Node, where a declaration names it. */
const WEB = /(?<=^(?! *\*).*[:|] )(ReadableStream|TransformStream|AbortSignal|URL)\b(?:<[^>]*>)?/gm

/** It is a type where it is known. */
const known = name => `(typeof globalThis extends { ${name}: { prototype: infer Known } } ? Known : any)`

/** What Timestamp has of Long and means nothing there: all but comparing. */
const DEPRECATED = [...Object.getOwnPropertyNames(Long.prototype), 'low', 'high', 'unsigned'].filter(name => {
  return !/^(constructor|_bsontype|inspect|to(ExtendedJSON|BigInt|String)|compare|n?eq?|[gl]te?|[gl]e|.*(quals?|Than))$/
    .test(name)
})

/** Declared by bson, and by nobody there when a program runs. */
const LONG_CLASS = 'LongWithoutOverridesClass'

const asDeprecated = name => `    /** @deprecated a Timestamp is not meant to be used as a Long */\n    ${name}: Long['${name}'];\n`

/**
 * What every TypeScript from 5.0 on takes, with @types/node and without: arrays of bytes are generic only from 5.7 on,
 * and a stream of Node is any value where Node is not known.
 */
function forAll(text) {
  return text
    .replace(/\b((?:Int|Uint|Float)\d+(?:Clamped)?Array|DataView)<[^<>]*>/g, '$1')
    .replace(/\bexport let (\w+): typeof \1;/g, 'export { $1 };') // within a namespace: it is of itself
    .replace(/(from '\.\/.*)\.d\.cts'/g, "$1.cjs'")
    .replace(/^import '[^.].*\n/gm, '')
    .replace(/^(?! \*)(.*(?:from |import\()['"][^.'"].*)$/gm, '// @ts-ignore: known where it is installed\n$1')
    .replace(WEB, (_, name) => known(name))
    .replace(/^declare class Timestamp extends \w+ \{\n/m, `$&${DEPRECATED.map(asDeprecated).join('')}`)
    .replace(/^type LongWithoutOverrides = \w+\$1;$/m, `$&\nexport declare const ${LONG_CLASS}: LongWithoutOverrides;`)
}

/**
 * @param {string} dist folder to fill
 * @returns {Promise<void>}
 */
async function buildDeclarations(dist) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-types-'))
  try {
    declare(folder)
    await rollUp(folder, dist)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** The same for whoever imports, with all of it as default too. */
function declareImports(dist, name) {
  const file = `./${path.basename(name)}.cjs`
  const lines = [`import * as all from '${file}'`, `export * from '${file}'`, 'export default all', '']
  fs.writeFileSync(path.join(dist, `${name}.d.mts`), lines.join('\n'))
}

/** In one go: a symbol that is declared twice is two, and classes with it would not be the same. */
async function rollUp(folder, dist) {
  const entries = PUBLIC.map(name => [name, path.join(folder, ENTRIES[name].replace(/\.js$/, '.d.ts'))])
  const bundle = await rollup({ input: Object.fromEntries(entries), plugins: [dts()], external: /^[^.\\/]/, logLevel: 'silent' })
  const { output } = await bundle.write({
    dir: dist,
    format: 'es',
    entryFileNames: '[name].d.cts',
    manualChunks: id => entries.some(([, file]) => file === id) ? undefined : 'shared',
    chunkFileNames: '[name].d.cts'
  })
  for (const { fileName } of output) rewrite(path.join(dist, fileName), forAll)
  for (const name of PUBLIC) declareImports(dist, name)
}

module.exports = { buildDeclarations }
