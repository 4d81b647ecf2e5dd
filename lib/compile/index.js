'use strict'

// Codecs for documents of a known type: `qbson/compile`. A schema is a MongoDB $jsonSchema.

const codegen = require('../codegen')
const { makeCore } = require('./core')
const { codecFrom } = require('./runtime')
const { writeModule } = require('./module')
const { schemaOf } = require('../schema')

/** @typedef {import('./core').CompileOptions} CompileOptions */
/** @typedef {import('../decode/decode').DecodeOptions} DecodeOptions */
/** @typedef {import('../encode/options').EncodeOptions} EncodeOptions */
/** @typedef {CompileOptions & DecodeOptions & EncodeOptions} Options */
/** @template [T=Record<string, any>] @template [I=object] @typedef {import('./codec').Codec<T, I>} Codec */
/** @typedef {import('./codec').Violation} Violation */
/** @typedef {import('./codec').CodecEncodeOptions} CodecEncodeOptions */
/** @typedef {import('./codec').CodecDecodeOptions} CodecDecodeOptions */
/** @template S @template [O={}] @typedef {import('../schema/infer').Infer<S, O>} Infer */
/** @template S @typedef {import('../schema/infer').InferInput<S>} InferInput */

/**
 * Makes a codec for the documents that a schema describes.
 *
 * @template {Record<string, any>} const S
 * @template {Options} [O={}]
 * @param {S} schema a $jsonSchema; `{ $jsonSchema: ... }`, as in a collection's validator, also works
 * @param {O & { [K in Exclude<keyof O, keyof Options>]: never }} [options] the options of `decode` determine the result
 *   of decoding
 * @returns {Codec<Infer<S, O>, InferInput<S>>}
 * @throws {import('../errors').BSONError} that names the place in the schema, if it is invalid or unsupported
 */
function compile(schema, options = /** @type {any} */ ({})) {
  const made = makeCore(schema, options)
  const { lines, names } = codegen.canCompile ? codegen.generate(made) : { lines: [], names: [] }
  return /** @type {any} */ (codecFrom({
    core: () => made,
    decodePlan: () => made.plan.plansAs.get(null),
    isOwn: made.isOwn,
    isPositional: made.positional !== null,
    names,
    makeReader: scope => lines.length === 0 ? undefined : codegen.compile(scope, `(() => {\n${codegen.textOf(lines)}\nreturn readRoot\n})()`)
  }))
}

module.exports = { compile, writeModule, schemaOf }
