'use strict'

// Generates a codec as a module, ahead of time: for environments that forbid code generation at run time, and for the
// fastest start.

const { BSONError } = require('../errors')
const { oneOf } = require('../options')
const { parseSchema, unwrap } = require('../schema')
const { makeCore } = require('./core')
const { generate, literal, keyOf, textOf, listed } = require('../codegen')
const { declarationsOf } = require('./declarations')

/** Where the module imports its parts from. */
const RUNTIME = 'qbson/compile/runtime'

const NAMES = ['encode', 'encodeInto', 'sizeOf', 'decode', 'validate']

/** Maximum line length. */
const WIDTH = 100

const formatOf = oneOf(['commonjs', 'module'])

/**
 * Writes the codec of a schema as a module, ahead of time.
 *
 * @param {any} schema
 * @param {import('./core').CompileOptions & Record<string, any>} [options] as for `compile`
 * @param {'commonjs' | 'module'} [format]
 * @returns {{code: string, declarations: string}} the text of the module and of its declarations; always the same for
 *   the same schema
 * @throws {BSONError} as `compile`, and on an unknown format
 */
function writeModule(schema, options = {}, format = 'commonjs') {
  const isModule = formatOf(format, 'format') === 'module'
  const core = makeCore(schema, options, 'writeModule')
  const { lines: reader, names } = generate(core)
  const lines = [
    ...(isModule ? [] : ["'use strict'", '']),
    '// Written by `qbson compile`. Change the schema, not this.',
    '',
    isModule ? `import { codecOf } from ${literal(RUNTIME)}` : `const { codecOf } = ${'require'}(${literal(RUNTIME)})`,
    '',
    ...declared('schema', unwrap(schema)),
    '',
    ...declared('options', options ?? {}),
    '',
    ...listed('const names = [', names.map(literal), ']'),
    '',
    'function makeReader(scope) {',
    [...listed('const { ', names, ' } = scope'), '', ...reader, '', 'return readRoot'],
    '}',
    '',
    `const codec = codecOf({ schema, options, isOwn: ${core.isOwn}, names, makeReader })`,
    `const { ${NAMES.join(', ')} } = codec`,
    '',
    isModule ? `export { ${NAMES.join(', ')} }` : `module.exports = { ${NAMES.join(', ')} }`
  ]
  return { code: `${textOf(lines)}\n`, declarations: declarationsOf(parseSchema(schema), core.plan) }
}

function declared(name, value) {
  const [first, ...others] = valueLines(value)
  return [`const ${name} = ${first}`, ...others]
}

/** Plain data as source. Anything else does not affect the type and is left out. @returns {any[]} lines */
function valueLines(value) {
  if (typeof value !== 'object' || value === null) return [literal(value)]
  const isArray = Array.isArray(value)
  const keys = Object.keys(value).filter(key => isData(value[key]))
  const gap = Object.values(value).some(one => !isData(one) && (typeof one === 'bigint' || typeof one === 'object'))
  if (gap) throw new BSONError('a module cannot be written for a schema whose enum or bounds hold BSON values')
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
