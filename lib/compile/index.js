'use strict'

// Codecs for documents whose type is known beforehand: `qbson/compile`. A schema is MongoDB's $jsonSchema.

const codegen = require('../codegen')
const { makeCore } = require('./core')
const { generate } = require('./generate')
const { textOf } = require('./source')
const { makeDecoder } = require('./codec')
const { makeEncoder } = require('./encoder')
const { readingScope } = require('./runtime')
const { writingScope } = require('./writing')
const { writeModule } = require('./module')
const { schemaOf } = require('../schema')

/** @typedef {import('./core').CompileOptions} CompileOptions */
/** @typedef {import('../decode/decode').DecodeOptions} DecodeOptions */
/** @typedef {import('../encode/options').EncodeOptions} EncodeOptions */
/** @typedef {CompileOptions & DecodeOptions & EncodeOptions} Options */
/** @template [T=Record<string, any>] @template [I=object] @typedef {import('./codec').Codec<T, I>} Codec */
/** @typedef {import('./codec').Violation} Violation */
/** @template S @template [O={}] @typedef {import('../schema/infer').Infer<S, O>} Infer */
/** @template S @typedef {import('../schema/infer').InferInput<S>} InferInput */

/**
 * @template const S
 * @template {Options} [O={}]
 * @param {S} schema a $jsonSchema; `{ $jsonSchema: ... }`, as a collection's validator has it, will do
 * @param {O & { [K in Exclude<keyof O, keyof Options>]: never }} [options] those of `decode` say what decoding gives
 * @returns {Codec<Infer<S, O>, InferInput<S>>}
 * @throws {import('../errors').BSONError} that names the place in the schema, on what is wrong or not supported
 */
function compile(schema, options = /** @type {any} */ ({})) {
  const made = makeCore(schema, options)
  const core = () => made
  const compiled = makeCode(made)
  const readRoot = compiled?.readRoot ?? ((buf, index, end) => made.readRoot(buf, index, end))
  const writeRoot = compiled?.writeRoot ?? ((out, doc, pos, check) => made.writer.writeRoot({ out, check }, doc, pos))
  return /** @type {any} */ ({
    ...makeEncoder({ writeRoot, plan: made.plan.encodePlan, core }),
    ...makeDecoder({ readRoot, core }),
    isCompiled: compiled !== undefined
  })
}

/** @returns {{readRoot: any, writeRoot: any} | undefined} nothing where code cannot be made */
function makeCode(made) {
  if (!codegen.canCompile) return undefined
  const { reading, writing } = generate(made)
  const core = () => made
  const decodePlan = () => made.plan.plansAs.get(null)
  const readScope = readingScope(reading.names, { core, isOwn: made.isOwn, decodePlan })
  const readRoot = codegen.compile(readScope, expressionOf(reading.lines, 'readRoot'))
  const writeRoot = readRoot && codegen.compile(writingScope(writing.names, core), expressionOf(writing.lines, 'writeRoot'))
  return writeRoot && { readRoot, writeRoot }
}

function expressionOf(lines, name) {
  return `(() => {\n${textOf(lines)}\nreturn ${name}\n})()`
}

module.exports = { compile, writeModule, schemaOf }
