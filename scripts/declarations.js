'use strict'

// One declaration file an entry, rolled up from what tsc makes of the JSDoc.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFile } = require('node:child_process')
const { promisify } = require('node:util')
const { rollup } = require('rollup')
const { dts } = require('rollup-plugin-dts')
const { Long } = require('../lib/types')
const { ENTRIES, PUBLIC } = require('./entries')

const root = path.join(__dirname, '..')
const tsc = require.resolve('typescript/bin/tsc')

/** The declarations, read as those of ES modules: `import x = require(…)` is of CommonJS alone. */
const declarations = {
  name: 'declarations',
  load: file => fs.readFileSync(file, 'utf8').replace(/^import (\w+) = require\((.*)\)/gm, 'import * as $1 from $2')
}

/** What the web has and Node, where a declaration names it. */
const WEB = /(?<=^(?! *\*).*[:|] )(ReadableStream|TransformStream|AbortSignal|URL)\b(?:<[^>]*>)?/gm

/** What Timestamp has of Long and means nothing there: all but comparing. */
const DEPRECATED = [...Object.getOwnPropertyNames(Long.prototype), 'low', 'high', 'unsigned'].filter(name => {
  return !/^(constructor|_bsontype|inspect|to(ExtendedJSON|BigInt|String)|compare|n?eq?|[gl]te?|[gl]e|.*(quals?|Than))$/
    .test(name)
})

const asDeprecated = name => `    /** @deprecated a Timestamp is not meant to be used as a Long */\n    ${name}: Long['${name}'];\n`

/** Declared by bson, and by nobody there when a program runs. */
const LONG_CLASS = 'export declare const LongWithoutOverridesClass: LongWithoutOverrides;'

/**
 * What every TypeScript from 5.0 on takes, with @types/node and without: arrays of bytes are generic only from 5.7 on,
 * a stream of Node is any value where Node is not known, and one of the web is a type where it is known.
 */
function forAll(text) {
  return text
    .replace(/\b((?:Int|Uint|Float)\d+(?:Clamped)?Array|DataView)<[^<>]*>/g, '$1')
    .replace(/\bexport let (\w+): typeof \1;/g, 'export { $1 };') // within a namespace: it is of itself
    .replace(/(from '\.\/.*)\.d\.cts'/g, "$1.cjs'")
    .replace(/^import '[^.].*\n/gm, '')
    .replace(/^(?! \*)(.*(?:from |import\()['"][^.'"].*)$/gm, '// @ts-ignore: known where it is installed\n$1')
    .replace(WEB, '(typeof globalThis extends { $1: { prototype: infer Known } } ? Known : any)')
    .replace(/^declare class Timestamp extends \w+ \{\n/m, `$&${DEPRECATED.map(asDeprecated).join('')}`)
    .replace(/^type LongWithoutOverrides = \w+\$1;$/m, `$&\n${LONG_CLASS}`)
}

/**
 * Fills a folder, in one go: a symbol that is declared twice is two, and classes with it would not be the same.
 *
 * @returns {Promise<string>} what TypeScript complains about, which is for `npm run types`
 */
async function buildDeclarations(dist) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-types-'))
  try {
    const args = [tsc, '--project', 'tsconfig.json', '--outDir', folder]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(error => error)
    const input = Object.fromEntries(PUBLIC.map(name => [name, path.join(folder, ENTRIES[name].replace(/\.js$/, '.d.ts'))]))
    const bundle = await rollup({ input, plugins: [declarations, dts()], external: /^[^.\\/]/, logLevel: 'silent' })
    const manualChunks = id => Object.values(input).includes(id) ? undefined : 'shared'
    const names = { entryFileNames: '[name].d.cts', chunkFileNames: '[name].d.cts' }
    const { output } = await bundle.write({ dir: dist, format: 'es', manualChunks, ...names })
    for (const { fileName } of output) {
      const file = path.join(dist, fileName)
      fs.writeFileSync(file, forAll(fs.readFileSync(file, 'utf8')))
    }
    fs.writeFileSync(path.join(dist, 'qbson.d.mts'), "export * from './qbson.cjs'\n")
    return stdout
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

module.exports = { buildDeclarations }
