'use strict'

// A codec as a module of its own, written ahead of time: for places that forbid code to be made at run time, and for
// the fastest start.

const { makeInterpreter } = require('./interpret')
const { generate } = require('./generate')
const { unwrap } = require('../schema/schema')
const { literal, keyOf, textOf, uses } = require('./source')
const { declarationsOf } = require('./declarations')
const runtime = require('./runtime')

/** Where the module takes its parts from. */
const RUNTIME = 'qbson/compile/runtime'

const NAMES = ['encode', 'encodeInto', 'sizeOf', 'decode', 'validate']

/** Columns of a line. */
const WIDTH = 100

/**
 * @param {any} schema
 * @param {import('./interpret').CompileOptions & Record<string, any>} [options] as for `compile`
 * @param {'commonjs' | 'module'} [format]
 * @returns {{code: string, declarations: string}} the text of the module and of its declarations; the same for the same
 *   schema
 * @throws {import('../errors').BSONError} as `compile`
 */
function writeModule(schema, options = {}, format = 'commonjs') {
  const core = makeInterpreter(schema, options)
  const body = generate(core.schema, core.plan, core.isPositional, core.fingerprint)
  const names = Object.keys(runtime).filter(name => uses([body], name))
  const known = ['slowOf', 'codecOf', ...names.filter(name => name !== 'slowOf' && name !== 'codecOf')]
  const isModule = format === 'module'
  const lines = [
    ...(isModule ? [] : ["'use strict'", '']),
    '// Written by `qbson compile`. Change the schema, not this.',
    '',
    ...(isModule
      ? wrapped('import {', known, `} from ${literal(RUNTIME)}`)
      : wrapped('const {', known, `} = ${'require'}(${literal(RUNTIME)})`)),
    '',
    ...declared('schema', unwrap(schema)),
    '',
    ...declared('options', options),
    '',
    'const slow = slowOf(schema, options)',
    ''
  ]
  const end = [
    '',
    `const { ${NAMES.join(', ')} } = codecOf({ writeRoot, readRoot }, slow, options)`,
    '',
    isModule ? `export { ${NAMES.join(', ')} }` : `module.exports = { ${NAMES.join(', ')} }`
  ]
  return { code: [textOf(lines), body, textOf(end)].join('\n') + '\n', declarations: declarationsOf(core) }
}

function wrapped(before, names, after) {
  const line = `${before} ${names.join(', ')} ${after}`
  if (line.length <= WIDTH) return [line]
  return [before, names.map((name, i) => (i < names.length - 1 ? `${name},` : name)), after]
}

function declared(name, value) {
  const [first, ...others] = valueLines(value)
  return [`const ${name} = ${first}`, ...others]
}

/** Plain data as source. What is none says nothing about the type, and is left out. @returns {any[]} lines */
function valueLines(value) {
  if (typeof value !== 'object' || value === null) return [literal(value)]
  const isArray = Array.isArray(value)
  const keys = Object.keys(value).filter(key => isData(value[key]))
  const entries = keys.map(key => {
    const [first, ...others] = valueLines(value[key])
    return [`${isArray ? '' : `${key === '__proto__' ? "['__proto__']" : keyOf(key)}: `}${first}`, ...others]
  })
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  const space = isArray ? '' : ' '
  const isShort = entries.every(entry => entry.length === 1)
  const line = `${open}${space}${entries.flat().join(', ')}${space}${close}`
  if (entries.length === 0) return [open + close]
  if (isShort && line.length <= WIDTH / 2) return [line]
  return [open, entries.flatMap((entry, i) => (i < entries.length - 1 ? withComma(entry) : entry)), close]
}

function withComma(lines) {
  return [...lines.slice(0, -1), `${lines[lines.length - 1]},`]
}

function isData(value) {
  if (typeof value !== 'object' || value === null) return ['string', 'number', 'boolean', 'object'].includes(typeof value)
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

module.exports = { writeModule }
