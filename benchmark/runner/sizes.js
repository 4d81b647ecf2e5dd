'use strict'

// Sizes of bundles for browsers and for Node, depending on what they import from the package.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')

const root = path.join(__dirname, '..', '..')

const CLASSES = [
  'ObjectId', 'Long', 'Decimal128', 'Double', 'Int32', 'Timestamp', 'Binary', 'UUID', 'Code', 'DBRef', 'BSONRegExp', 'BSONSymbol',
  'MinKey', 'MaxKey', 'BSONError'
]

const REST = ['EJSON', 'BSON', 'calculateObjectSize', 'onDemand']

/** Imports of a program, given the names of encode and decode. @type {Record<string, (codec: string[]) => string>} */
const IMPORTS = {
  everything: () => '*',
  'all but raw documents and streams': codec => `{ ${[...codec, ...CLASSES, ...REST]} }`,
  'encode, decode and the classes': codec => `{ ${[...codec, ...CLASSES]} }`,
  'encode, decode, ObjectId': codec => `{ ${[...codec, 'ObjectId']} }`,
  RawDocument: () => '{ RawDocument }',
  ObjectId: () => '{ ObjectId }'
}

/**
 * The package as `npm pack` makes it, without its declarations, made once: several suites need it.
 *
 * @param {string} folder in which node_modules/qbson is created
 * @returns {Promise<void>}
 */
async function packInto(folder) {
  const home = path.join(folder, 'node_modules', 'qbson')
  if (fs.existsSync(path.join(home, 'package.json'))) return
  await require('../../scripts/build').buildBundles(path.join(home, 'dist')) // takes half a second to load, with TypeScript
  fs.copyFileSync(path.join(root, 'package.json'), path.join(home, 'package.json'))
}

/**
 * @param {string} names `{ encode }`, or `*`
 * @param {string} from package
 * @param {string} folder in which the package is looked up first
 * @param {'browser' | 'node'} [platform]
 * @returns {{minified: number, gzipped: number}} bytes
 */
function sizeOf(names, from, folder, platform = 'browser') {
  const { outputFiles } = require('esbuild').buildSync({
    stdin: { contents: `export ${names} from '${from}'`, resolveDir: folder },
    nodePaths: [path.join(root, 'node_modules')],
    bundle: true, minify: true, write: false, platform, format: 'esm', external: ['node:*'], logLevel: 'silent'
  })
  const code = outputFiles[0].contents
  return { minified: code.length, gzipped: zlib.gzipSync(code, { level: 9 }).length }
}

module.exports = { IMPORTS, packInto, sizeOf }
