'use strict'

// TypeScript types of a schema's documents. None of this runs.

/** @import * as types from '../types' */

/**
 * The value of an option, or its default.
 *
 * @template O
 * @template K
 * @template D
 * @typedef {K extends keyof O ? (undefined extends O[K] ? D | Exclude<O[K], undefined> : O[K]) : D} Option
 */

/** @template B @template Y @template N @typedef {B extends true ? Y : N} If */

/** @template O @template Y @template N @typedef {If<Option<O, 'promoteValues', true>, Y, N>} Promoted */

/**
 * An int64 that is not a bigint.
 *
 * @template O
 * @typedef {If<Option<O, 'promoteLongs', true>, Promoted<O, number | types.Long, types.Long>, types.Long>} Int64
 */

/**
 * The result of decoding with options, by the type names of BSON and of JSON Schema.
 *
 * @template [O={}]
 * @typedef {object} Decoded
 * @property {Promoted<O, number, types.Double>} double
 * @property {string} string
 * @property {If<Option<O, 'promoteBuffers', false>, Promoted<O, Uint8Array, types.Binary>, types.Binary>} binData
 * @property {undefined} undefined
 * @property {types.ObjectId} objectId
 * @property {boolean} bool
 * @property {boolean} boolean
 * @property {Date} date
 * @property {null} null
 * @property {If<Option<O, 'bsonRegExp', false>, types.BSONRegExp, RegExp | types.BSONRegExp>} regex
 * @property {types.DBRef} dbPointer
 * @property {types.Code} javascript
 * @property {Promoted<O, string, types.BSONSymbol>} symbol
 * @property {types.Code} javascriptWithScope
 * @property {Promoted<O, number, types.Int32>} int
 * @property {types.Timestamp} timestamp
 * @property {If<Option<O, 'useBigInt64', false>, bigint, Int64<O>>} long
 * @property {types.Decimal128} decimal
 * @property {Decoded<O>['int' | 'double' | 'long' | 'decimal']} number
 * @property {types.MinKey} minKey
 * @property {types.MaxKey} maxKey
 */

/**
 * The input of encoding.
 *
 * @typedef {Omit<Decoded, 'int' | 'double' | 'long' | 'decimal' | 'number' | 'binData' | 'symbol' | 'regex'> & {
 *   int: number | types.Int32,
 *   double: number | types.Double,
 *   long: number | bigint | types.Long,
 *   decimal: number | types.Decimal128,
 *   number: number | bigint | types.Int32 | types.Double | types.Long | types.Decimal128,
 *   binData: types.Binary | Uint8Array | ArrayBuffer,
 *   symbol: types.BSONSymbol,
 *   regex: RegExp | types.BSONRegExp
 * }} Encoded
 */

/**
 * The types by `as`.
 *
 * @typedef {object} As
 * @property {bigint} bigint
 * @property {types.Long} long
 * @property {number | types.Long} number
 * @property {Uint8Array} buffer
 * @property {types.Binary} binary
 */

/**
 * A part of a schema, by a JSON pointer without `#/`.
 *
 * @template R
 * @template P
 * @typedef {P extends `${infer H}/${infer T}`
 *   ? (H extends keyof R ? At<R[H], T> : any)
 *   : P extends keyof R ? R[P] : any} At
 */

/**
 * The names in a list whose elements TypeScript knows literally; never for any other list.
 *
 * @template S
 * @typedef {S extends { required: readonly (infer N)[] } ? (string extends N ? never : N) : never} Required
 */

/** @template T @typedef {{ [K in keyof T]: T[K] } & {}} Flat */

/**
 * @template S
 * @template L
 * @template R
 * @typedef {S extends { properties: infer P }
 *   ? Flat<{ -readonly [K in keyof P as K extends Required<S> ? K : never]: InferAt<P[K], L, R> } &
 *     { -readonly [K in keyof P as K extends Required<S> ? never : K]?: InferAt<P[K], L, R> }>
 *   : S extends { additionalProperties: infer A }
 *     ? A extends boolean ? Record<string, any> : Record<string, InferAt<A, L, R>>
 *     : Record<string, any>} ObjectOf
 */

/**
 * @template S
 * @template L
 * @template R
 * @typedef {S extends { items: readonly any[] }
 *   ? any[]
 *   : S extends { items: infer I } ? InferAt<I, L, R>[] : any[]} ArrayOf
 */

/**
 * @template S
 * @template T
 * @template L
 * @template R
 * @typedef {string extends T ? any
 *   : T extends 'object' ? ObjectOf<S, L, R>
 *   : T extends 'array' ? ArrayOf<S, L, R>
 *   : T extends 'long' | 'binData'
 *     ? (Encoded extends L ? Named<L, T> : S extends { as: infer A extends keyof As } ? As[A] : Named<L, T>)
 *   : Named<L, T>} TypeOf
 */

/** @template L @template T @typedef {T extends keyof L ? L[T] : never} Named */

/**
 * @template S a place in the schema
 * @template L the types by name
 * @template R the whole schema
 * @typedef {S extends { $ref: infer P }
 *     ? (P extends '#' ? InferAt<R, L, R> : P extends `#/${infer Path}` ? InferAt<At<R, Path>, L, R> : any)
 *   : S extends { enum: readonly (infer E)[] } ? E
 *   : S extends { anyOf: readonly (infer A)[] } ? InferAt<A, L, R>
 *   : S extends { oneOf: readonly (infer O)[] } ? InferAt<O, L, R>
 *   : S extends { bsonType: readonly (infer T)[] } ? TypeOf<S, T, L, R>
 *   : S extends { bsonType: infer B } ? TypeOf<S, B, L, R>
 *   : S extends { type: readonly (infer U)[] } ? TypeOf<S, U, L, R>
 *   : S extends { type: infer V } ? TypeOf<S, V, L, R>
 *   : S extends { properties: any } ? ObjectOf<S, L, R>
 *   : any} InferAt
 */

/**
 * The type of a schema's documents as decoded with the options passed to `compile`.
 *
 * @template S
 * @template [O={}]
 * @typedef {S extends { $jsonSchema: infer J } ? InferAt<J, Decoded<O>, J> : InferAt<S, Decoded<O>, S>} Infer
 */

/**
 * The type of documents that can be encoded.
 *
 * @template S
 * @typedef {S extends { $jsonSchema: infer J } ? InferAt<J, Encoded, J> : InferAt<S, Encoded, S>} InferInput
 */

module.exports = {}
