'use strict'

// Codecs for documents of a known type: `qbson/compile`. A schema is a MongoDB $jsonSchema.

const codegen = require('../codegen')
const { makeCore } = require('./core')
const { makeEncoder } = require('./encoder')
const { decoderOf, readingScope } = require('./runtime')
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
 * @template const S
 * @template {Options} [O={}]
 * @param {S} schema a $jsonSchema; `{ $jsonSchema: ... }`, as in a collection's validator, also works
 * @param {O & { [K in Exclude<keyof O, keyof Options>]: never }} [options] the options of `decode` determine the result
 *   of decoding
 * @returns {Codec<Infer<S, O>, InferInput<S>>}
 * @throws {import('../errors').BSONError} that names the place in the schema, if it is invalid or unsupported
 */
function compile(schema, options = /** @type {any} */ ({})) {
  const made = makeCore(schema, options)
  const core = () => made
  const compiled = makeReader(made)
  const isPositional = made.positional !== null
  const readRoot = compiled ?? (isPositional ? undefined : (buf, index, end) => made.readRoot(buf, index, end))
  return /** @type {any} */ ({
    ...makeEncoder(made),
    ...decoderOf({ readRoot, core, isPositional }),
    isCompiled: compiled !== undefined
  })
}

/** @returns {Function | undefined} `readRoot`; undefined where code cannot be generated */
function makeReader(made) {
  if (!codegen.canCompile) return undefined
  const { lines, names } = codegen.generate(made)
  const decodePlan = () => made.plan.plansAs.get(null)
  const isPositional = made.positional !== null
  const scope = readingScope(names, { core: () => made, isOwn: made.isOwn, isPositional, decodePlan })
  return codegen.compile(scope, `(() => {\n${codegen.textOf(lines)}\nreturn readRoot\n})()`)
}

module.exports = { compile, writeModule, schemaOf }
