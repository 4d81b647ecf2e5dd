'use strict'

// The files of dist/node. For a fast start a program opens one of them, and an import leaves the CommonJS loader
// asleep: so `qbson` is written as CommonJS and as an ES module, each with all the pieces in it that it consists of.
//
// A piece is made once all the same, by the file that comes first, which leaves it for the others: under a symbol of
// the realm that names the folder, for a package that is installed twice is two. A piece's name tells its content.

const fs = require('node:fs')
const path = require('node:path')
const acorn = require('acorn')
const { ENTRIES, fileOf } = require('./entries')
const { toCommonjs, requireCall, shorten } = require('./finish')
const { SHARED, modulesIn, readModule, writeFile, commonjsOf } = require('./files')

const root = path.join(__dirname, '..', '..')

/** These only name what `qbson` holds. */
const ONLY_NAMES = ['./ejson', './object-id']

/** Modules of esbuild that become files with pieces in them. */
const MAIN = `${fileOf('.')}.mjs`
const RUNTIME = `${fileOf('./compile/runtime')}.mjs`

/** Holds the pieces where the global object is frozen, or what was left there. */
const LEFT = 'pieces.cjs'

/** A bundle that is an ES module has no __dirname. */
const FOLDER = `typeof __dirname === 'string' ? __dirname : ''`

const COMMONJS = `const $folder = ${FOLDER}`

const MODULE = `
const $folder = import.meta.dirname
const $process = globalThis.process
const require = file => $process.getBuiltinModule('node:module').createRequire(import.meta.url)(file)
`

/** Where pieces are left. */
const PIECES = `
const $key = Symbol.for('qbson.pieces ' + $folder)
const $left = globalThis[$key]
const $pieces = !Object.isExtensible($left ?? globalThis) ? require('./${LEFT}')
  : $left ?? Object.defineProperty(globalThis, $key, { value: { __proto__: null } })[$key]
`

/** For a file without pieces, which may come first. */
const ASK = `
const $ask = name => $pieces[name] ?? (require('./${commonjsOf(MAIN)}'), $pieces[name])
`

/**
 * @typedef {object} Module
 * @property {string} text
 * @property {string} map
 * @property {string[]} imports the modules that it imports, each after those that it imports itself
 */

/** @param {string} folder in which esbuild has made modules: they get their final form */
function finishForNode(folder) {
  const modules = modulesOf(folder)
  const isPiece = file => modules.get(MAIN).imports.includes(file)
  for (const [file, module] of modules) {
    for (const gone of [file, `${file}.map`]) fs.rmSync(path.join(folder, gone))
    if (file === MAIN || file === RUNTIME) writeHolder(folder, file, modules, isPiece)
    else if (!isPiece(file)) writeOther(folder, file, module, isPiece)
  }
  fs.writeFileSync(path.join(folder, LEFT),
    `'use strict'\n\nmodule.exports = { __proto__: null, ...globalThis[Symbol.for('qbson.pieces ' + (${FOLDER}))] }\n`)
  for (const name of ONLY_NAMES) writeNames(folder, name)
  for (const name of Object.keys(ENTRIES)) writeWrappers(folder, fileOf(name))
}

/** @returns {Map<string, Module>} by their files */
function modulesOf(folder) {
  const modules = new Map(modulesIn(folder).map(file => [file, { ...readModule(folder, file), imports: [] }]))
  for (const [file, module] of modules) module.imports = [...importsOf(file, modules)]
  return modules
}

/** @returns {Set<string>} */
function importsOf(file, modules, found = new Set()) {
  const { body } = acorn.parse(modules.get(file).text, { ecmaVersion: 2023, sourceType: 'module' })
  for (const { type, source } of body) {
    if (type !== 'ImportDeclaration') continue
    importsOf(path.basename(source.value), modules, found)
    found.add(path.basename(source.value))
  }
  return found
}

/** Writes a file that holds the pieces that it needs. */
function writeHolder(folder, file, modules, isPiece) {
  const { imports, ...module } = modules.get(file)
  const ask = imported => isPiece(imported) ? `$pieces['${imported}']` : requireCall(imported)
  const pieces = imports.filter(isPiece).flatMap(name => {
    const made = toCommonjs(modules.get(name), { ask, answer: `$pieces['${name}']`, isShared: true })
    return [{ code: `if (!$pieces['${name}']) {\n` }, made, { code: '}\n' }]
  })
  writeFile(folder, commonjsOf(file), [headOf(COMMONJS + PIECES), ...pieces, toCommonjs(module, { ask })])
  if (file !== MAIN) return
  const names = Object.keys(require(path.join(folder, commonjsOf(file))))
  const own = [{ code: 'let exported\n{\n' }, toCommonjs(module, { ask, answer: 'exported' }), { code: `}\n${handOn('', names)}` }]
  writeFile(folder, file.replace('.mjs', '.node.mjs'), [headOf(MODULE + PIECES), ...pieces, ...own])
}

function writeOther(folder, file, module, isPiece) {
  const ask = imported => isPiece(imported) ? `$ask('${imported}')` : requireCall(imported)
  const made = toCommonjs(module, { ask, isShared: file.startsWith(SHARED) })
  const asks = module.imports.some(isPiece)
  writeFile(folder, commonjsOf(file), asks ? [headOf(COMMONJS + PIECES + ASK), made] : [made])
}

function headOf(code) {
  return { code: shorten(`'use strict'; ${code}`).code }
}

function writeNames(folder, name) {
  const exported = Object.keys(require(path.join(root, ENTRIES[name]))).join(', ')
  fs.writeFileSync(path.join(folder, `${fileOf(name)}.cjs`),
    `'use strict'\n\nconst { ${exported} } = require('./${commonjsOf(MAIN)}')\n\nmodule.exports = { ${exported} }\n`)
  fs.writeFileSync(path.join(folder, `${fileOf(name)}.node.mjs`),
    `import { ${exported} } from './${MAIN.replace('.mjs', '.node.mjs')}'\n\nexport { ${exported} }\nexport default { ${exported} }\n`)
}

/**
 * ES modules that hand on what the CommonJS file beside them exports. Bundlers have to see an import of it. Node does
 * not, and is spared what it does for one, which is to look through the text for names: a tenth of the time to start.
 */
function writeWrappers(folder, name) {
  const names = Object.keys(require(path.join(folder, `${name}.cjs`)))
  const [forBundlers, forNode] = [`${name}.mjs`, `${name}.node.mjs`].map(file => path.join(folder, file))
  fs.writeFileSync(forBundlers, handOn(`import exported from './${name}.cjs'\n\n`, names))
  if (fs.existsSync(forNode)) return
  const required = `import { createRequire } from 'node:module'\n\nconst exported = createRequire(import.meta.url)('./${name}.cjs')\n\n`
  fs.writeFileSync(forNode, handOn(required, names))
}

/** @param {string} before which makes `exported` @param {string[]} names */
function handOn(before, names) {
  return `${before}export default exported\nexport const {\n  ${names.join(',\n  ')}\n} = exported\n`
}

module.exports = { ONLY_NAMES, finishForNode }
