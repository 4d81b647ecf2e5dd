'use strict'

// Codecs for documents whose type is known beforehand: `qbson/compile`. A schema is MongoDB's $jsonSchema.

const codegen = require('./codegen')
const { makeInterpreter } = require('./compile/interpret')
const { generate } = require('./compile/generate')
const { Slow } = require('./compile/slow')
const { makeDecoder } = require('./compile/decoder')
const { makeEncoder } = require('./compile/encoder')
const { writeModule } = require('./compile/module')
const { schemaOf } = require('./compile/schema-of')
const runtime = require('./compile/runtime')

/** @typedef {import('./compile/interpret').CompileOptions} CompileOptions */
/** @typedef {import('./decode').DecodeOptions} DecodeOptions */
/** @typedef {import('./encode-plan').EncodeOptions} EncodeOptions */
/** @typedef {CompileOptions & DecodeOptions & EncodeOptions} Options */
/** @template [T=Record<string, any>] @template [I=object] @typedef {import('./compile/decoder').Codec<T, I>} Codec */
/** @template S @template [O={}] @typedef {import('./compile/infer').Infer<S, O>} Infer */
/** @template S @typedef {import('./compile/infer').InferInput<S>} InferInput */

/**
 * @template const S
 * @template {Options} [O={}]
 * @param {S} schema a $jsonSchema; `{ $jsonSchema: ... }`, as a collection's validator has it, will do
 * @param {O & { [K in Exclude<keyof O, keyof Options>]: never }} [options] those of `decode` say what decoding gives
 * @returns {Codec<Infer<S, O>, InferInput<S>>}
 * @throws {import('./errors').BSONError} that names the place in the schema, on what is wrong or not supported
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

/** @returns {import('./compile/interpret').Core | undefined} nothing where code cannot be made */
function makeCode(core) {
  if (!codegen.canCompile) return undefined
  const source = generate(core.schema, core.plan, core.isPositional, core.fingerprint)
  const scope = { ...runtime, slow: new Slow(() => core) }
  return /** @type {any} */ (codegen.compile(scope, `(() => {\n${source}\nreturn { writeRoot, readRoot }\n})()`))
}

/** @returns {import('./compile/interpret').Core} */
function bound(core) {
  return {
    writeRoot: (out, doc, pos, check) => core.writeRoot(out, doc, pos, check),
    readRoot: (buf, index, end, check) => core.readRoot(buf, index, end, check)
  }
}

module.exports = { compile, writeModule, schemaOf }
