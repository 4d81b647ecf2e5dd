'use strict'

// A file of this house as an ES module, for bundles out of which unused names fall. The house writes its files so that
// little has to be done: requires first, one literal of exports last, and nothing at load but declarations.
//
// What a declaration computes is marked as pure, for bundlers keep a call that they know nothing of. That is true of
// this house: a file with any other statement at its top is refused.
//
// Lines stay where they are: the source map of the bundle needs no second one.

const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const acorn = require('acorn')
const { children, visit, apply } = require('./syntax')
const { ELEMENT, SUBTYPE, VECTOR } = require('../../lib/spec')
const { SPECIAL } = require('../../lib/decode/keys')

/** What needs no mark: bundlers see by themselves that it does nothing. */
const PLAIN = new Set(['Literal', 'Identifier', 'ArrowFunctionExpression', 'FunctionExpression', 'ClassExpression'])

/** Tables of numbers, which no bundler looks into: here the numbers stand where they are named. */
const NUMBERS = { ELEMENT, SUBTYPE, VECTOR, SPECIAL }

/** Objects of the language: bundlers know that to read a function or number of one does nothing. */
const STANDARD = new Set(['Array', 'Date', 'Number', 'Object', 'String'])

/** The namespace of the bson package seals itself; here it is made sealed, where it is exported. */
const SEALING = 'Object.freeze(Object.setPrototypeOf(module.exports, null))'

/** The name of a module that exports `computed`, which calls what it is given. */
const HELPER = 'computed'

const parse = source => acorn.parse(source, { ecmaVersion: 2023, sourceType: 'script' })

/**
 * @typedef {object} Options
 * @property {boolean} [withoutBuffer] as it is where there is no Buffer
 * @property {boolean} [isWhole] nothing need fall out
 * @property {(file: string, from: string) => string | undefined} [late] an expression of the file that a function of
 *   another requires, where it is loaded when that runs; else it is there already
 */

/**
 * @param {string} file of the house
 * @param {Options} [options]
 * @returns {string} the same as an ES module
 * @throws {Error} on a statement at the top that is not one of the house
 */
function toModule(file, { withoutBuffer = false, isWhole = false, late = () => undefined } = {}) {
  const source = fs.readFileSync(file, 'utf8')
  const { body } = parse(source)
  const wholes = { values: usedAsValues(body), required: requiredWhole(body) }
  const module = { file, source, edits: [], late: [], ...wholes, isWhole }
  for (const node of body) editStatement(node, module)
  module.late.push(...body.flatMap(node => /Function|Class/.test(node.type) ? requiresWithin(node) : []))
  if (withoutBuffer) forgetBuffer(body, module)
  visit({ type: 'Program', body }, node => foldNumber(node, module))
  const imports = new Set(module.late.map(required => editLate(required, module, late)))
  if (module.isHidden) imports.add(`import { computed } from '${HELPER}'; `)
  return [...imports].join('') + apply(source, module.edits)
}

/** `ELEMENT.STRING` as 2 */
function foldNumber({ type, computed, object, property, start, end }, module) {
  if (type !== 'MemberExpression' || computed || object.type !== 'Identifier') return
  const number = Object.hasOwn(NUMBERS, object.name) ? NUMBERS[object.name][property.name] : undefined
  if (number !== undefined) edit(module, start, end, String(number))
}

/** Where `NodeBuffer` is read it is undefined: then bundlers see what is never reached. */
function forgetBuffer(body, module) {
  visit({ type: 'Program', body }, (node, parent) => {
    if (isBuffer(node, parent)) edit(module, node.start, node.end, 'undefined')
  })
}

function isBuffer(node, parent) {
  if (node.type === 'MemberExpression') return node.property.name === 'NodeBuffer'
  if (node.type !== 'Identifier' || node.name !== 'NodeBuffer') return false
  return parent.type === 'MemberExpression' ? parent.object === node : /Expression$/.test(parent.type)
}

function edit({ edits }, start, end, text) {
  edits.push({ start, end, text })
}

function editStatement(node, module) {
  if (node.type === 'FunctionDeclaration' || node.directive) return
  if (node.type === 'ClassDeclaration') return editClass(node, module)
  if (node.type === 'VariableDeclaration') return editVariables(node, module)
  const text = module.source.slice(node.start, node.end)
  if (text === SEALING) return edit(module, node.start, node.end, '')
  if (!isExports(node)) throw new Error(`${module.file}: a statement with effects at the top: ${text.slice(0, 60)}`)
  edit(module, node.start, node.end, `export ${names(node.expression.right)}`)
}

function isExports({ type, expression }) {
  return type === 'ExpressionStatement' && expression.type === 'AssignmentExpression' &&
    expression.left.object?.name === 'module' && expression.right.type === 'ObjectExpression'
}

function editVariables(node, module) {
  const [{ id, init }] = node.declarations
  if (node.declarations.length === 1 && isRequire(init)) {
    edit(module, node.start, node.end, importOf(id, init, module))
    return
  }
  for (const { id, init } of node.declarations) {
    if (id.type === 'ObjectPattern') editPattern(id, init, node, module)
    else if (init !== null) pure(init, module)
  }
}

/** `const { enter } = containers`, of what the file requires, is one more import; of others each name is by itself. */
function editPattern(id, init, node, module) {
  if (init.type !== 'Identifier') throw new Error(`${module.file}: names out of an expression: ${module.source.slice(id.start, init.end)}`)
  const request = module.required.get(init.name)
  if (request !== undefined) return edit(module, node.start, node.end, `import ${names(id)} from ${request.raw}`)
  const each = id.properties.map(({ key, value }) => {
    const text = `${module.source.slice(init.start, init.end)}.${key.name}`
    return `${value.name} = ${STANDARD.has(init.name) ? text : hidden(text, module)}`
  })
  edit(module, id.start, init.end, each.join(', '))
}

function importOf(id, { arguments: [request] }, { file, values }) {
  if (id.type === 'ObjectPattern') return `import ${names(id)} from ${request.raw}`
  if (!values.has(id.name)) return `import * as ${id.name} from ${request.raw}`
  return namespaceOf(id.name, request, file)
}

/** A namespace that is more than dots, of its names here: bundlers make an object of getters and never leave it out. */
function namespaceOf(name, request, file) {
  const exported = exportsOf(requested(request, file))
  const inner = exported.map(key => `${key} as ${name}_${key}`).join(', ')
  const outer = exported.map(key => `${key}: ${name}_${key}`).join(', ')
  return `import { ${inner} } from ${request.raw}; ` +
    `const ${name} = /* @__PURE__ */ (() => Object.freeze({ __proto__: null, ${outer} }))()`
}

/** @param {Record<string, string>} files by a name each @returns {string} an ES module of what they export */
function toNamespaces(files) {
  const named = Object.entries(files)
  const parts = named.map(([name, file]) => namespaceOf(name, { value: file, raw: JSON.stringify(file) }, file))
  return `${parts.join('; ')}; export { ${named.map(([name]) => name).join(', ')} }`
}

/** The path of what a file requires. */
function requested(request, file) {
  return require.resolve(path.resolve(path.dirname(file), request.value))
}

/** The names that a file exports. */
function exportsOf(file) {
  const { expression } = parse(fs.readFileSync(file, 'utf8')).body.find(isExports)
  return expression.right.properties.map(({ key }) => key.name)
}

/** Names that stand somewhere other than before a dot. */
function usedAsValues(body) {
  const found = new Set()
  visit({ type: 'Program', body }, (node, parent) => {
    if (node.type !== 'Identifier' || (parent.type === 'VariableDeclarator' && !isValue(node, parent))) return
    if (parent.type === 'MemberExpression' && !parent.computed) return
    found.add(node.name)
  })
  return found
}

/** Whether a declaration takes the value of a name, and not some names out of it. */
function isValue(name, { id, init }) {
  return init === name && id.type !== 'ObjectPattern'
}

/** What `const containers = require('./containers')` and the like require, by name. */
function requiredWhole(body) {
  const declared = body.flatMap(({ declarations = [] }) => declarations)
  const found = declared.filter(({ id, init }) => id.type === 'Identifier' && isRequire(init))
  return new Map(found.map(({ id, init }) => [id.name, init.arguments[0]]))
}

function requiresWithin(node) {
  const found = []
  visit(node, (inner, parent) => {
    if (!isRequire(inner) || !inner.arguments[0].value.startsWith('.')) return
    found.push({ node: inner, isValue: parent.type !== 'MemberExpression' })
  })
  return found
}

/** What a function requires. @returns {string} the import that has it there already, where there is to be one */
function editLate({ node: { start, end, arguments: [request] }, isValue }, module, late) {
  const expression = late(requested(request, module.file), module.file)
  if (expression !== undefined) {
    edit(module, start, end, expression)
    return ''
  }
  const name = `${isValue ? 'all' : 'late'}_${request.value.replace(/\W+/g, '_')}`
  edit(module, start, end, name)
  return isValue ? `${namespaceOf(name, request, module.file)}; ` : `import * as ${name} from ${request.raw}; `
}

function isRequire(node) {
  return node?.type === 'CallExpression' && node.callee.name === 'require'
}

/**
 * Marks what an initializer computes. A mark is for a call and not for what it is given: reading a property there,
 * which may be anybody's code, is hidden in a function.
 */
function pure(init, module) {
  if (module.isWhole || PLAIN.has(init.type)) return
  const calls = callsWithin(init)
  if (calls === null) {
    const [before, after] = hidden('\n', module).split('\n')
    edit(module, init.start, init.start, before)
    edit(module, init.end, init.end, after)
  } else {
    for (const call of calls) markOrFold(call, module)
  }
}

/** @param {string} text of an expression */
function hidden(text, module) {
  if (module.isWhole) return text
  module.isHidden = true
  return `/* @__PURE__ */ computed(() => (${text}))`
}

function markOrFold(node, module) {
  if (!isConstant(node)) return edit(module, node.start, node.start, '/* @__PURE__ */ ')
  const value = vm.runInNewContext(module.source.slice(node.start, node.end))
  edit(module, node.start, node.end, typeof value === 'bigint' ? `${value}n` : String(value))
}

/** `1 << 20`: bundlers take an operator for one that may call anybody's `valueOf`. */
function isConstant({ type, value, left, right }) {
  if (type === 'Literal') return typeof value === 'number' || typeof value === 'bigint'
  return type === 'BinaryExpression' && isConstant(left) && isConstant(right)
}

/** The calls and constants of an expression, when nothing else in it can have effects; else null. */
function callsWithin(node) {
  if (/Function/.test(node.type) || PLAIN.has(node.type) || isKnown(node)) return []
  if (node.type === 'BinaryExpression' && isConstant(node)) return [node]
  if (/^(Member|Binary|Logical)Expression$|^SpreadElement$/.test(node.type) && !isComparison(node)) return null
  if (node.type === 'Property' && node.computed && !isKnown(node.key)) return null
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression'
  const parts = isCall ? node.arguments : children(node)
  if (isCall && !isPath(node.callee)) return null
  const within = parts.map(callsWithin)
  return within.includes(null) ? null : [...(isCall ? [node] : []), ...within.flat()]
}

/** `Object.prototype.toString`, or `ELEMENT.STRING`, in place of which its number stands */
function isKnown({ type, computed, object, property }) {
  if (type !== 'MemberExpression' || computed || property.name === 'prototype') return false
  const { name } = object.property?.name === 'prototype' ? object.object : object
  return STANDARD.has(name) || Object.hasOwn(NUMBERS, name ?? '')
}

/** `a === b`, which calls nobody */
function isComparison({ type, operator }) {
  return type === 'BinaryExpression' && /^[!=]==$/.test(operator)
}

/** `Object.freeze` */
function isPath(node) {
  return node.type === 'MemberExpression' ? !node.computed && isPath(node.object) : node.type === 'Identifier'
}

// With a computed name a class counts as one with effects. It is made within a call that is pure, as the property of
// its name: a class of its own there would get another name in the bundle.
function editClass({ start, end, id, body }, module) {
  if (module.isWhole) return
  if (body.body.some(({ computed, key }) => computed && key.object?.name !== 'Symbol')) {
    edit(module, start, id.end, `const ${id.name} = /* @__PURE__ */ (() => ({ ${id.name}: class`)
    edit(module, end, end, ` }).${id.name})()`)
    return
  }
  for (const { type, static: isStatic, value } of body.body) {
    if (type === 'PropertyDefinition' && isStatic && value) pure(value, module)
  }
}

/** `{ a, b: c }` of a require as `{ a, b as c }`, of exports as `{ a, c as b }`. */
function names({ type, properties }) {
  const isPattern = type === 'ObjectPattern'
  const list = properties.map(({ key, value }) => {
    if (key.name === value.name) return key.name
    return isPattern ? `${key.name} as ${value.name}` : `${value.name} as ${key.name}`
  })
  return `{ ${list.join(', ')} }`
}

module.exports = { HELPER, toModule, toNamespaces }
