'use strict'

// What esbuild made, as the house would have written it: constants and the names of classes, which esbuild gives up for
// its own ends, and CommonJS without getters, for a call from one file into another would ask one each time.

const acorn = require('acorn')
const esbuild = require('esbuild')
const { visit, apply } = require('./syntax')

/** @param {string} text an ES module made by esbuild @returns {string} with constants and classes again */
function restore(text) {
  const program = acorn.parse(text, { ecmaVersion: 2023, sourceType: 'module' })
  const changed = assignedNames(program)
  const constants = program.body.filter(node => isConstant(node, changed))
  const restored = apply(text, constants.map(node => className(node) ? classEdit(node) : constantEdit(node)))
  return constants.map(className).filter(Boolean).reduce(withOwnName, restored)
}

function isConstant({ type, kind, declarations }, changed) {
  return type === 'VariableDeclaration' && kind === 'var' &&
    declarations.every(({ id, init }) => init !== null && id.type === 'Identifier' && !changed.has(id.name))
}

/** The names that anything is assigned to after its declaration. */
function assignedNames(program) {
  const names = new Set()
  visit(program, ({ type, left, argument }) => {
    if (type === 'AssignmentExpression' && left.type !== 'MemberExpression') visit(left, ({ name }) => names.add(name))
    else if (type === 'UpdateExpression') names.add(argument.name)
  })
  return names
}

function constantEdit({ start }) {
  return { start, end: start + 'var'.length, text: 'const' }
}

/** `Long` of `var Long = class {}`, or of `var Long = class _Long {}` when it names itself */
function className({ declarations: [{ id, init }] }) {
  return init.type === 'ClassExpression' && (init.id === null || init.id.name === `_${id.name}`) ? id.name : null
}

function classEdit({ start, declarations: [{ id, init }] }) {
  return { start, end: init.id?.end ?? init.start + 'class'.length, text: `class ${id.name}` }
}

function withOwnName(text, name) {
  return text.replace(new RegExp(`(?<![\\w$.])_${name}\\b`, 'g'), name)
}

/**
 * What a file of CommonJS asks for and answers with; a piece that lies in a file with others has other words for both.
 *
 * @typedef {object} Words
 * @property {(file: string) => string} ask an expression of what the module of that name, as `qbson.mjs`, exports
 * @property {string} answer what the object of all exports is assigned to
 * @property {boolean} [isShared] whether only other files here ask it, once: for an object that begins as a dictionary
 *   V8 makes no hidden class for each of 200 names, which takes 0.2 ms
 */

/** @type {Words} */
const COMMONJS = { ask: requireCall, answer: 'module.exports' }

/**
 * @param {{text: string, map: string}} module an ES module whose imports come first and whose exports come last, and
 *   its source map
 * @param {Partial<Words>} [words]
 * @returns {{code: string, map: string}} the same as CommonJS
 */
function toCommonjs({ text, map }, words) {
  const { ask, answer, isShared } = { ...COMMONJS, ...words }
  const { body } = acorn.parse(text, { ecmaVersion: 2023, sourceType: 'module' })
  const edits = [{ start: body.at(-1).end, end: text.length, text: '' }] // where its map is
  for (const { type, kind, start } of body) { // those of one piece are not seen by the next in a file
    if (type === 'VariableDeclaration' && kind === 'var') edits.push({ start, end: start + 'var'.length, text: 'let' })
  }
  visit({ type: 'Program', body }, ({ type, start, end, specifiers, source }) => {
    if (type === 'ImportDeclaration') edits.push({ start, end, text: namesOf(specifiers, ask(fileOf(source))) })
    else if (type === 'ExportNamedDeclaration') edits.push({ start, end, text: `${answer} = ${exportsOf(specifiers, isShared)};` })
    else if (type === 'ImportExpression') edits.push({ start, end, text: requireCall(fileOf(source)) })
  })
  return shorten(`'use strict'; ${apply(text, edits)}`, map)
}

function namesOf(specifiers, asked) {
  const names = specifiers.map(({ imported, local }) => pair(imported.name, local.name))
  return names.length === 0 ? `${asked};` : `const { ${names.join(', ')} } = ${asked};`
}

/** `qbson.mjs` of `./qbson.mjs` */
function fileOf(source) {
  return source.value.slice('./'.length)
}

/** @param {string} file as `qbson.mjs` @returns {string} */
function requireCall(file) {
  return `require('./${file.replace(/\.mjs$/, '.cjs')}')`
}

function exportsOf(specifiers, isShared) {
  const names = specifiers.map(({ exported, local }) => pair(exported.name, local.name))
  return `{ ${[...(isShared ? ['__proto__: null'] : []), ...names].join(', ')} }`
}

/** @param {string} text an ES module @returns {string} with all that it exports as its default, as in CommonJS */
function withDefault(text) {
  const { body } = acorn.parse(text, { ecmaVersion: 2023, sourceType: 'module' })
  const { specifiers, end } = body.findLast(({ type }) => type === 'ExportNamedDeclaration')
  const names = specifiers.map(({ exported, local }) => pair(exported.name, local.name))
  return `${text.slice(0, end)}\nexport default { ${names.join(', ')} };${text.slice(end)}`
}

function pair(key, name) {
  return key === name ? key : `${key}: ${name}`
}

/**
 * Short, for reading it takes time at every start; names at the top stay, which errors and profiles show.
 *
 * @param {string} text
 * @param {string} [map] its source map
 * @returns {{code: string, map: string}}
 */
function shorten(text, map = '') {
  const inline = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
  return esbuild.transformSync(map === '' ? text : text + inline, {
    minify: true,
    target: 'node20',
    sourcemap: 'external',
    sourcesContent: false
  })
}

module.exports = { restore, toCommonjs, requireCall, shorten, withDefault }
