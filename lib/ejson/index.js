'use strict'

// Extended JSON. The code is a third of the library and many programs never use it, so builds for Node load it with the
// first call: that takes as long as loading half of the rest.

const {
  parse, stringify, serialize, deserialize, fromBSON, toBSON, extendedJSONBytes, extendedJSONLines, extendedJSONValues
} = require('./functions')

/**
 * @typedef {object} EJSONOptionsBase
 * @property {boolean} [legacy] the forms of Extended JSON version 1; default false
 * @property {boolean} [relaxed] use JavaScript's own types where possible; default true
 * @property {number} [maxDepth] levels of nesting; default 1,000
 */

/**
 * @typedef {object} EJSONInt64Option
 * @property {boolean} [useBigInt64] int64 as bigint; default false
 *
 * @typedef {object} EJSONUndefinedOption
 * @property {boolean} [ignoreUndefined] leave undefined fields out instead of writing null; default false
 */

/** @typedef {EJSONOptionsBase & EJSONInt64Option} EJSONParseOptions */
/** @typedef {EJSONOptionsBase & EJSONUndefinedOption} EJSONSerializeOptions */

/** @typedef {EJSONSerializeOptions & EJSONParseOptions} EJSONOptions */

/**
 * As JSON.stringify's.
 *
 * @typedef {(number | string)[] | ((this: any, key: string, value: any) => any) | null} Replacer
 */

/** @typedef {import('./from-bson').FromBSONOptions} FromBSONOptions */

/**
 * Extended JSON: to and from values, and straight to and from BSON bytes.
 *
 * @type {{ readonly [name in keyof typeof import('./functions') as Exclude<name, `extendedJSON${string}`>]:
 *   (typeof import('./functions'))[name] }} not a Pick, for which TypeScript needs a name of the module
 */
const EJSON = Object.freeze({ __proto__: null, parse, stringify, serialize, deserialize, fromBSON, toBSON })

module.exports = { EJSON, extendedJSONBytes, extendedJSONLines, extendedJSONValues }
