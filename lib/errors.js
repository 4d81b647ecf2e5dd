'use strict'

const { BSON_MAJOR_VERSION } = require('./spec')

const HIDDEN = { __proto__: null, writable: true, configurable: true }

/**
 * The class of all errors that qbson throws because of bytes or values.
 *
 * `offset` (bytes from the start of the document's buffer) and `path` (`a.b[2].c`) are set if they are known. The
 * message then ends with them.
 */
class BSONError extends Error {
  /** @param {string} message @param {{cause?: unknown}} [options] */
  constructor(message, options) {
    super(message, options)
    // like the message: loggers and deepEqual look at enumerable fields, of which errors of bson have none
    const names = this.name === 'BSONOffsetError' ? ['path', 'document'] : ['offset', 'path', 'document']
    for (const name of names) Object.defineProperty(this, name, HIDDEN)
    /** @type {number | undefined} bytes from the start of the document's buffer */
    this.offset
    /** @type {string | undefined} of the field: `a.b[2].c` */
    this.path
    /** @type {number | undefined} the number of the document in a stream, from 1 */
    this.document
  }

  /** @returns {string} */
  get name() {
    return 'BSONError'
  }

  /** @protected */
  get bsonError() {
    return true
  }

  /**
   * Whether `value` is an error of a BSON library, of this copy or another.
   *
   * @param {unknown} value
   * @returns {value is BSONError}
   */
  static isBSONError(value) {
    return (
      value !== null &&
      typeof value === 'object' &&
      'bsonError' in value &&
      value.bsonError === true &&
      'name' in value &&
      'message' in value &&
      'stack' in value
    )
  }
}

/** Exists for code that refers to it. qbson accepts the values of every major version and never throws it. */
class BSONVersionError extends BSONError {
  constructor() {
    super(`Unsupported BSON version, bson types must be from bson ${BSON_MAJOR_VERSION}.x.x`)
  }

  /** @returns {'BSONVersionError'} */
  get name() {
    return 'BSONVersionError'
  }
}

/** An argument or an internal state that a function cannot use. */
class BSONRuntimeError extends BSONError {
  /** @returns {'BSONRuntimeError'} */
  get name() {
    return 'BSONRuntimeError'
  }
}

/** Thrown by the element-level readers, with the offset of the wrong bytes. */
class BSONOffsetError extends BSONError {
  /** In bytes; always known here, and enumerable, as in bson. @readonly @type {number} */
  offset = 0

  /** @param {string} message @param {number} offset bytes @param {{cause?: unknown}} [options] */
  constructor(message, offset, options) {
    super(`${message}. offset: ${offset}`, options)
    this.offset = offset
  }

  /** @returns {'BSONOffsetError'} */
  get name() {
    return 'BSONOffsetError'
  }
}

/** An error about the byte at `offset`. The decoder's public functions add the path (see locate.js). */
function errorAtOffset(message, offset, cause = undefined) {
  const error = new BSONError(message, cause === undefined ? undefined : { cause })
  error.offset = offset
  return error
}

/**
 * Turns a stack overflow into an error about a document that is nested too deeply. Returns other errors unchanged.
 *
 * @param {any} error
 */
function stackError(error) {
  const isStack = (error instanceof RangeError || error?.name === 'InternalError') && /stack|recursion/i.test(error.message)
  return isStack ? new BSONError('document is nested deeper than the stack allows', { cause: error }) : error
}

/** Maximum length, in UTF-16 units, of a name or text in an error. They may be as long as a document. */
const MAX_SHOWN = 100

/** @param {number} count @param {string} what @returns {string} `1 document`, `2 documents` */
function plural(count, what) {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** @param {string} name or any other text @param {number} [max] UTF-16 units @returns {string} as shown in errors */
function shownName(name, max = MAX_SHOWN) {
  return name.length <= max ? name : `${name.slice(0, max)}\u2026`
}

/** Maximum size of a bigint shown in an error: writing a million digits takes seconds. */
const MAX_SHOWN_BITS = 256

/** @param {any} value of an argument @returns {string} as shown in errors; not every object can be converted to text */
function shownValue(value) {
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'bigint' && BigInt.asIntN(MAX_SHOWN_BITS, value) !== value) return `of more than ${MAX_SHOWN_BITS} bits`
  return typeof value === 'string' ? JSON.stringify(shownName(value)) : shownName(String(value))
}

/** @param {any} value of an argument @returns {string} as `shownValue`, but an object by its kind: a Map, an array */
function shownKind(value) {
  if (typeof value !== 'object' || value === null) return shownValue(value)
  const tag = tagOf(value)
  if (tag === 'Promise') return 'a Promise (await it)'
  return `a${/^[AEIO]/.test(tag) ? 'n' : ''} ${/^(Array|Object)$/.test(tag) ? tag.toLowerCase() : shownName(tag)}`
}

/** @param {any} value @returns {string} of a revoked Proxy as of a plain object */
function tagOf(value) {
  try {
    return Object.prototype.toString.call(value).slice(8, -1)
  } catch {
    return 'Object'
  }
}

/** @param {any} input of `fromString` @param {string} why it is refused @returns {BSONError} */
function invalidInput(input, why) {
  return new BSONError(`Input: '${shownName(`${input}`)}' ${why}`)
}

/**
 * The only sign that an object is a revoked Proxy is the error when it is used: a TypeError of the language, which
 * every engine words differently.
 *
 * @param {any} error
 * @returns {any} a BSONError if it is such an error, otherwise the error itself
 */
function explainRevoked(error) {
  const isRevoked = error instanceof TypeError && /prox(y|ies) .*revoked/i.test(error.message)
  return isRevoked ? new BSONError('a revoked Proxy cannot be read', { cause: error }) : error
}

/** `a`, `b[0]` -> `a.b[0]`; keys that are not plain words are quoted: `a["x.y"]`. @param {string | number} key */
function joinPath(key, rest = '') {
  const shown = shownName(String(key))
  const head = typeof key === 'number' ? `[${key}]` : /^[\w$-]+$/.test(shown) ? shown : `[${JSON.stringify(shown)}]`
  return rest === '' || rest[0] === '[' ? head + rest : `${head}.${rest}`
}

/** How many keys of a long path an error shows at each end. */
const NAMED_KEYS = 20

/** @param {any[]} list @param {string} gap replaces the middle of a long list @returns {any[]} */
function elide(list, gap) {
  return list.length <= 2 * NAMED_KEYS ? list : [...list.slice(0, NAMED_KEYS), gap, ...list.slice(-NAMED_KEYS)]
}

/**
 * @param {(string | number)[]} keys from the root
 * @param {string} [rest] the path that follows
 * @returns {string} the path, without the middle of a long one
 */
function pathOf(keys, rest = '') {
  return elide(keys, '\u2026').reduceRight((path, key) => joinPath(key, path), rest)
}

/**
 * What errors said before their place was added, and the path that they began with.
 *
 * @type {WeakMap<BSONError, {text: string, path: string | undefined}>}
 */
const described = new WeakMap()

/** The keys that errors have passed on their way out, innermost first. @type {WeakMap<BSONError, any[]>} */
const keysOf = new WeakMap()

/**
 * Notes that an error comes out of the value of this key. `describePlace` makes the path of the keys at the end.
 *
 * @template E
 * @param {E} error
 * @param {string | number} key
 * @returns {E} the same error
 */
function atKey(error, key) {
  if (!(error instanceof BSONError)) return error
  const placed = afresh(error)
  const keys = keysOf.get(placed)
  if (keys === undefined) keysOf.set(placed, [key])
  else keys.push(key)
  return placed
}

/**
 * Adds to an error where its document is.
 *
 * @template E
 * @param {E} error
 * @param {object} place
 * @param {number} [place.offset] bytes before those from which its offset counts
 * @param {number} [place.document] the number of the document, from 1
 * @param {string} [place.file] what the documents come from
 * @returns {E} the same error
 */
function atPlace(error, { offset, document, file }) {
  if (!(error instanceof BSONError)) return error
  const placed = Object.isExtensible(error) ? error : afresh(error)
  if (offset !== undefined && placed.offset !== undefined) placed.offset += offset
  if (document !== undefined) placed.document = document
  if (offset !== undefined || document !== undefined) {
    joinKeys(placed)
    placed.message = described.get(placed).text + placeOf(placed)
  }
  if (file) placed.message = `${file}: ${placed.message}`
  return placed
}

/** @param {BSONError} error @returns {boolean} whether its message says where it is */
function isDescribed(error) {
  return described.has(error)
}

/**
 * An error that has already left the library comes from a program's `toBSON` or getter: of an `encode` in there, or
 * kept and thrown again. It stays as it is, the cause of a new one, and so does one that cannot be changed.
 *
 * @template {BSONError} E
 * @param {E} error
 * @returns {E}
 */
function afresh(error) {
  if (!described.has(error) && Object.isExtensible(error)) return error
  const { text, path } = described.get(error) ?? { text: error.message, path: error.path }
  const fresh = new BSONError(text, { cause: error })
  return /** @type {any} */ (Object.assign(fresh, { path, offset: error.offset, document: error.document }))
}

/** Makes the path of the keys that an error has passed. @param {BSONError} error */
function joinKeys(error) {
  if (!described.has(error)) described.set(error, { text: error.message, path: error.path })
  if (keysOf.has(error)) error.path = pathOf(keysOf.get(error).reverse(), error.path)
  keysOf.delete(error)
}

/** @param {BSONError} error @returns {boolean} whether its path is known */
function hasPath(error) {
  return error.path !== undefined || keysOf.has(error)
}

/**
 * Appends the known place to the message when the error leaves the library. The stack then starts here: inside a deeply
 * nested document it would begin with hundreds of qbson frames.
 *
 * @template E
 * @param {E} error
 * @returns {E}
 */
function describePlace(error) {
  if (!(error instanceof BSONError) || described.has(error)) return error
  if (!Object.isExtensible(error)) return describePlace(afresh(error))
  joinKeys(error)
  if (error.name === 'BSONOffsetError') return error
  error.message += placeOf(error)
  Error.captureStackTrace?.(error, describePlace)
  return error
}

/** ` (at offset 5 in field a.b of document 3)`, or as much of that as is known. @param {BSONError} error */
function placeOf({ offset, path, document }) {
  const place = []
  if (offset !== undefined) place.push(`at offset ${offset}`)
  if (path) place.push(`in field ${path}`)
  if (document !== undefined) place.push(`of document ${document}`)
  return place.length === 0 ? '' : ` (${place.join(' ')})`
}

module.exports = {
  BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError, errorAtOffset, stackError, atKey, atPlace, hasPath,
  isDescribed, invalidInput, shownName, shownValue, shownKind, tagOf, explainRevoked, elide, pathOf, describePlace,
  plural
}
