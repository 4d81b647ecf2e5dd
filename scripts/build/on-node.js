'use strict'

// The files of dist/node. For a fast start a program opens one of them, and an import leaves the CommonJS loader
// asleep: so `qbson` is written as CommonJS and as an ES module, each with all the pieces in it that it consists of.
//
// A piece is made once all the same, by the file that comes first, which leaves it for the others under a symbol of the
// realm. Its name tells its content.

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

/** Where pieces are left. Who freezes the global object of a realm leaves its `process` alone. */
const PIECES = `
const $key = Symbol.for('qbson.pieces')
const $holder = Object.isExtensible(globalThis) ? globalThis : process
const $pieces = globalThis[$key] ?? process[$key] ?? Object.defineProperty($holder, $key, { value: { __proto__: null } })[$key]
`

/** For a file without pieces, which may come first. */
const ASK = `
const $ask = name => $pieces[name] ?? (require('./${commonjsOf(MAIN)}'), $pieces[name])
`

/** For an ES module: what is loaded later is CommonJS. */
const REQUIRE = `
const require = file => process.getBuiltinModule('node:module').createRequire(import.meta.url)(file)
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

/** Writes a file that holds the pieces that it needs, and is one itself. */
function writeHolder(folder, file, modules, isPiece) {
  const files = [...modules.get(file).imports.filter(isPiece), file]
  const pieces = files.flatMap(each => partsOf(nameOf(each, modules), modules.get(each), isPiece))
  const own = `$pieces[${JSON.stringify(nameOf(file, modules))}]`
  writeFile(folder, commonjsOf(file), [head(`'use strict'; ${PIECES}`), ...pieces, { code: `module.exports = ${own};\n` }])
  if (file !== MAIN) return
  const tail = handOn(`const exported = ${own}\n\n`, Object.keys(require(path.join(folder, commonjsOf(file)))))
  writeFile(folder, file.replace('.mjs', '.node.mjs'), [head(PIECES + REQUIRE), ...pieces, { code: tail }])
}

/** @returns {string} what tells the content of a piece */
function nameOf(file, modules) {
  return file.startsWith(SHARED) ? file : `${file} of ${modules.get(file).imports.join(', ')}`
}

/** What makes a piece where there is none of its name. */
function partsOf(name, module, isPiece) {
  const ask = file => isPiece(file) ? `$pieces['${file}']` : requireCall(file)
  const made = toCommonjs(module, { ask, answer: `$pieces['${name}']`, isShared: name.startsWith(SHARED) })
  return [{ code: `if (!$pieces[${JSON.stringify(name)}]) {\n` }, made, { code: '}\n' }]
}

function writeOther(folder, file, module, isPiece) {
  const ask = imported => isPiece(imported) ? `$ask('${imported}')` : requireCall(imported)
  const made = toCommonjs(module, { ask, isShared: file.startsWith(SHARED) })
  const asks = module.imports.some(isPiece)
  writeFile(folder, commonjsOf(file), asks ? [head(`'use strict'; ${PIECES}${ASK}`), made] : [made])
}

function head(code) {
  return { code: shorten(code).code }
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
