'use strict'

// What is wrong with an installation and would otherwise show much later: qbson in place of a bson whose API it does
// not have, or the same version twice. The build copies this file: dist/node/qbson.cjs loads it when something hints at
// either. It requires nothing, because bundlers for browsers take it along.

/** @type {typeof import('node:fs') | undefined} since Node 20.16; what is not found out is not said */
const fs = globalThis.process?.getBuiltinModule?.('node:fs')

/** Where to read what to do. */
const PAGE = 'docs/setup.md of qbson'

/** One of the alternatives of a range, with only versions below 5. */
const BELOW5 = /^\s*(?:<\s*5(?:\.0)*|(?:[\^~=<]|<=)?\s*v?[0-4](?:\.[\dx*]+)*(?:-[a-z][\w.]*)?(?:\s+-\s+[0-4]\b.*)?)\s*$/

/**
 * @param {string} other the folder of the copy that was loaded first
 * @param {string} folder of this copy
 * @param {string | undefined} requiredBy the file in `node_modules` that loads this copy, if one does
 * @throws {Error} when that file belongs to a package that asks for a bson below version 5
 */
function checkInstallation(other, folder, requiredBy) {
  if (requiredBy !== undefined) refuseOld(manifestOf(requiredBy))
  if (other === folder) return
  process.emitWarning(`The same version of qbson is loaded from ${other} and from ${folder}. Values of one copy are no ` +
    `instances of the classes of the other. ${PAGE} says how to install one.`, { code: 'QBSON_TWICE' })
}

/** @param {any} manifest of the package that loads qbson @throws {Error} */
function refuseOld(manifest) {
  const { name, version, dependencies, peerDependencies } = manifest ?? {}
  const asked = { ...peerDependencies, ...dependencies }
  if (asked.qbson !== undefined || typeof asked.bson !== 'string') return
  if (!asked.bson.split('||').every(part => BELOW5.test(part))) return
  const error = new Error(`${name} ${version} needs bson ${asked.bson}, but qbson is installed in its place. qbson stands ` +
    `in for bson 5 to 7. ${PAGE} says how to limit the override to them.`)
  throw Object.assign(error, { code: 'QBSON_OLD_BSON' })
}

/** @param {string} file in `node_modules` @returns {any} the package.json of its package */
function manifestOf(file) {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []
  try {
    return JSON.parse(fs.readFileSync(`${folder}/package.json`, 'utf8'))
  } catch {
    return undefined
  }
}

module.exports = { checkInstallation }
