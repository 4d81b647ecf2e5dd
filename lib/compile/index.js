'use strict'

// Codecs for documents whose type is known beforehand: `qbson/compile`. A schema is MongoDB's $jsonSchema.

const codegen = require('../codegen')
const { makeInterpreter } = require('./interpret')
const { generate } = require('./generate')
const { Slow } = require('./slow')
const { makeDecoder } = require('./decoder')
const { makeEncoder } = require('./encoder')
const { writeModule } = require('./module')
const { schemaOf } = require('../schema/schema-of')
const runtime = require('./runtime')

/** @typedef {import('./interpret').CompileOptions} CompileOptions */
/** @typedef {import('../decode/decode').DecodeOptions} DecodeOptions */
/** @typedef {import('../encode/options').EncodeOptions} EncodeOptions */
/** @typedef {CompileOptions & DecodeOptions & EncodeOptions} Options */
/** @template [T=Record<string, any>] @template [I=object] @typedef {import('./decoder').Codec<T, I>} Codec */
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
  const core = makeInterpreter(schema, options)
  const compiled = makeCode(core)
  const { writeRoot, readRoot } = compiled ?? bound(core)
  return /** @type {any} */ ({
    ...makeEncoder({ writeRoot, plan: core.plan.encodePlan, checkRaw: raw => core.checkRaw(raw) }),
    ...makeDecoder(readRoot),
    isCompiled: compiled !== undefined
  })
}

/** @returns {import('./interpret').Core | undefined} nothing where code cannot be made */
function makeCode(core) {
  if (!codegen.canCompile) return undefined
  const source = generate(core.schema, core.plan, core.isPositional, core.fingerprint)
  const scope = { ...runtime, slow: new Slow(() => core) }
  return /** @type {any} */ (codegen.compile(scope, `(() => {\n${source}\nreturn { writeRoot, readRoot }\n})()`))
}

/** @returns {import('./interpret').Core} */
function bound(core) {
  return {
    writeRoot: (out, doc, pos, check) => core.writeRoot(out, doc, pos, check),
    readRoot: (buf, index, end, check) => core.readRoot(buf, index, end, check)
  }
}

module.exports = { compile, writeModule, schemaOf }
