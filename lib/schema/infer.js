'use strict'

// TypeScript types of a schema's documents. None of this runs.

/** @import * as types from '../types' */

/**
 * The value of an option, or its default.
 *
 * @template O, K, D
 * @typedef {K extends keyof O ? (undefined extends O[K] ? D | Exclude<O[K], undefined> : O[K]) : D} Option
 */

/** @template B, Y, N @typedef {B extends true ? Y : N} If */

/** @template O, Y, N @typedef {If<Option<O, 'promoteValues', true>, Y, N>} Promoted */

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
 * @property {types.MinKey} minKey
 * @property {types.MaxKey} maxKey
 */

/**
 * The input of encoding.
 *
 * @typedef {Omit<Decoded, 'int' | 'double' | 'long' | 'decimal' | 'binData' | 'symbol' | 'regex'> & {
 *   int: number | types.Int32,
 *   double: number | types.Double,
 *   long: number | bigint | types.Long,
 *   decimal: number | types.Decimal128,
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
 * @template R, P
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
 * Documents with `$ref` and `$id` are decoded as a DBRef, unless they have another name that begins with `$`.
 *
 * @template K the names of the fields
 * @template Q those that are required
 * @template L
 * @template D the type of the documents otherwise
 * @typedef {string extends K ? D
 *   : '$ref' | '$id' extends K ? ([Dollar<Q>] extends [never] ? types.DBRef | Unless<IsReference<K, Q, L>, D> : D)
 *   : D} MaybeReference
 */

/** @template B, D @typedef {B extends true ? never : D} Unless */

/**
 * Whether all documents are decoded as a DBRef.
 *
 * @template K, Q, L
 * @typedef {Encoded extends L ? false : '$ref' | '$id' extends Q ? ([Dollar<K>] extends [never] ? true : false) : false
 * } IsReference
 */

/** @template K @typedef {Exclude<Extract<K, `$${string}`>, '$ref' | '$id' | '$db'>} Dollar */

/**
 * @template S, L, R
 * @typedef {S extends { properties: infer P }
 *   ? MaybeReference<keyof P, Required<S>, L, Flat<
 *     { -readonly [K in keyof P as K extends Required<S> ? K : never]: InferAt<P[K], L, R> } &
 *     { -readonly [K in keyof P as K extends Required<S> ? never : K]?: InferAt<P[K], L, R> }>>
 *   : S extends { additionalProperties: infer A }
 *     ? A extends boolean ? Record<string, any> : { [name: string]: InferAt<A, L, R> }
 *     : Record<string, any>} ObjectOf
 */

/**
 * @template S, L, R
 * @typedef {S extends { items: readonly any[] }
 *   ? any[]
 *   : S extends { items: infer I } ? InferAt<I, L, R>[] : any[]} ArrayOf
 */

/**
 * @template S, T, L, R
 * @typedef {string extends T ? any
 *   : T extends 'object' ? ObjectOf<S, L, R>
 *   : T extends 'array' ? ArrayOf<S, L, R>
 *   : T extends 'long' | 'binData'
 *     ? (Encoded extends L ? Named<L, T> : S extends { as: infer A extends keyof As } ? As[A] : Named<L, T>)
 *   : Named<L, T>} TypeOf
 */

/** @template L, T @typedef {T extends keyof L ? L[T] : never} Named */

/** @typedef {'int' | 'double' | 'long' | 'decimal'} NumberName */

/** @template N @typedef {N extends readonly (infer T)[] ? Name<T> : N extends 'number' ? NumberName : N} Name */

/**
 * The names of the types that a schema allows; never if it does not say.
 *
 * @template S
 * @typedef {S extends { bsonType: infer B } ? Name<B> : S extends { type: infer T } ? Name<T> : never} Names
 */

/**
 * A value of an enum. One number may be of any of the types, and options of decoding apply to all of them.
 *
 * @template E
 * @template N the names of the types that are allowed
 * @template S, L, R
 * @typedef {string extends N ? any
 *   : E extends number | bigint | { _bsontype: 'Int32' | 'Double' | 'Long' | 'Decimal128' }
 *     ? OneNumber<E, TypeOf<S, Extract<N, NumberName>, L, R>>
 *   : E extends Uint8Array | ArrayBuffer | { _bsontype: 'Binary' } ? TypeOf<S, Extract<N, 'binData'>, L, R>
 *   : E extends RegExp | { _bsontype: 'BSONRegExp' } ? TypeOf<S, 'regex', L, R>
 *   : E extends { _bsontype: 'BSONSymbol' } ? TypeOf<S, 'symbol', L, R>
 *   : E extends string | boolean | null | Date | { _bsontype: string } ? E : any} EnumOf
 */

/** @template E, V @typedef {V extends number ? (E extends number ? E : V) : V} OneNumber */

/**
 * @template S a place in the schema
 * @template L the types by name
 * @template R the whole schema
 * @typedef {S extends { $ref: infer P }
 *     ? (P extends '#' ? InferAt<R, L, R> : P extends `#/${infer Path}` ? InferAt<At<R, Path>, L, R> : any)
 *   : S extends { enum: readonly (infer E)[] }
 *     ? EnumOf<E, [Names<S>] extends [never] ? keyof L : Names<S>, S, L, R>
 *   : S extends { anyOf: readonly (infer A)[] } ? InferAt<A, L, R>
 *   : S extends { oneOf: readonly (infer O)[] } ? InferAt<O, L, R>
 *   : S extends { bsonType: any } | { type: any } ? TypeOf<S, Names<S>, L, R>
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
