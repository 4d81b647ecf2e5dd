'use strict'

// BSON documents in memory: fields are found, copied, replaced and left out without decoding the others.

const { ELEMENT } = require('../spec')
const { BSONError, errorAtOffset, shownName, atPlace, pathOf } = require('../errors')
const { BufferView, toBytes, equals, getUtf8 } = require('../bytes')
const { ElementCursor, isContainer, scanRoot, locate, validateAt } = require('../elements')
const { planOf, decodeAt, decodeElement, decodeElements } = require('../decode')
const { encode } = require('../encode')
const { DECODE_OPTIONS, ENCODE_OPTIONS, onlyOptions } = require('../options')
const { parsePath, pathTree, cannotSet } = require('./path')
const { findPath, duplicatesBefore } = require('./find')
const { project } = require('./project')
const { splice, elementOf } = require('./splice')

/**
 * @typedef {import('./path').Path} Path
 * @typedef {import('./path').Key} Key
 * @typedef {import('../encode/options').EncodeOptions} EncodeOptions
 * @typedef {import('../decode/decode').DecodeOptions} DecodeOptions
 * @typedef {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} Bytes
 */

/** The encoder reads a value's bytes from this symbol and copies them. */
const RAW = Symbol.for('qbson.raw')

/** Node's util.inspect calls this symbol for a text. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

const only = {
  from: onlyOptions('RawDocument.from', ENCODE_OPTIONS),
  set: onlyOptions('set of a RawDocument', ENCODE_OPTIONS),
  append: onlyOptions('append of a RawDocument', ENCODE_OPTIONS),
  get: onlyOptions('get of a RawDocument', DECODE_OPTIONS),
  toObject: onlyOptions('toObject of a RawDocument', DECODE_OPTIONS),
  validate: onlyOptions('validate of a RawDocument', ['validation', 'maxDepth'], DECODE_OPTIONS),
  decode: onlyOptions('decode of an element', DECODE_OPTIONS)
}

/**
 * A document or an array in bytes owned by the caller: nothing is copied or decoded before it is needed, and the bytes
 * are never changed. Only the bytes walked over are checked; `validate` checks all of them.
 *
 * A path is `'a.b.0.c'`, or an array of its keys, `['a.b', 0]`, for keys with a dot. If a document has a name twice,
 * the last counts, as for `decode`; `set` leaves one, `omit` none. Errors in the bytes give their offset in the buffer.
 * If the bytes change anyway, the new bytes are read.
 */
class RawDocument {
  /**
   * @param {Bytes} bytes must not be changed while this is in use
   * @param {number} [offset] where the document starts; other bytes may then follow it, otherwise it must fill `bytes`
   * @param {boolean} [isArray] whether it is an array
   * @throws {BSONError} when its size or its last byte is wrong
   */
  constructor(bytes, offset, isArray = false) {
    this.buf = toBytes(bytes)
    this.start = offset ?? 0
    /** The offset of the closing 0x00. */
    this.end = endOf(this.buf, this.start, offset !== undefined, isArray)
    this.isArray = isArray
  }

  /** Encodes a document. @param {object} doc @param {EncodeOptions} [options] @returns {RawDocument} */
  static from(doc, options) {
    return new RawDocument(encode(doc, only.from(options)))
  }

  /** @returns {number} bytes */
  get size() {
    return this.end + 1 - this.start
  }

  /** @returns {Uint8Array} the document, as a view */
  get bytes() {
    checkMemory(this.buf, this.end + 1)
    const { buf, start, size } = this
    return start === 0 && size === buf.length ? buf : new BufferView(buf.buffer, buf.byteOffset + start, size)
  }

  get [RAW]() {
    return this.bytes
  }

  /**
   * Decodes the value at a path.
   *
   * @param {Path} path
   * @param {DecodeOptions} [options]
   * @returns {any} the decoded value, or undefined if the document has no such field
   * @throws {BSONError} on bytes that are not BSON
   */
  get(path, options) {
    only.get(options)
    try {
      checkMemory(this.buf, this.end + 1)
      return this.find(parsePath(path))?.decode(options)
    } catch (error) {
      throw this.located(error)
    }
  }

  /**
   * Whether there is a field.
   *
   * @param {Path} path
   * @returns {boolean}
   * @throws {BSONError} on bytes that are not BSON
   */
  has(path) {
    return this.element(path) !== undefined
  }

  /**
   * The element at a path, not decoded yet.
   *
   * @param {Path} path
   * @returns {RawElement | undefined}
   * @throws {BSONError} on bytes that are not BSON
   */
  element(path) {
    try {
      checkMemory(this.buf, this.end + 1)
      return this.find(parsePath(path))
    } catch (error) {
      throw this.located(error)
    }
  }

  /**
   * The document or array at a path, without a copy.
   *
   * @param {Path} path
   * @returns {RawDocument | undefined} the document or array there, on the same bytes, or undefined if there is
   *   another value or nothing
   * @throws {BSONError} on bytes that are not BSON
   */
  slice(path) {
    return this.element(path)?.document
  }

  /** @internal @param {Key[]} keys @returns {RawElement | undefined} */
  find(keys) {
    return findPath(this, keys, elementAt)
  }

  /** @internal Adds the path to an error about the bytes. @template E @param {E} error @returns {E} */
  located(error) {
    return locate(error, this.buf, this.start, this.isArray)
  }

  /** The elements, in order. @returns {Generator<RawElement, void>} @throws {BSONError} */
  *[Symbol.iterator]() {
    const cursor = new ElementCursor().open(this.buf, this.start, this.end)
    while (this.goOn(cursor)) yield elementAt(this, cursor)
  }

  /** @internal @param {ElementCursor} cursor */
  goOn(cursor) {
    try {
      checkMemory(this.buf, this.end + 1)
      return cursor.next()
    } catch (error) {
      throw this.located(error)
    }
  }

  /** The names of the fields, in order. @returns {string[]} of an array, its indexes */
  keys() {
    const names = []
    for (const element of this) names.push(this.isArray ? String(names.length) : element.name)
    return names
  }

  /**
   * Decodes the document.
   *
   * @param {DecodeOptions} [options]
   * @returns {any} an object; an array, if it is one
   * @throws {BSONError}
   */
  toObject(options) {
    const { buf, start: index } = this
    only.toObject(options)
    if (!this.isArray) return decodeAt(buf, index, true, planOf(options))
    return decodeElements(buf, index + 4, this.end, [], true, forPart(options))
  }

  /** The value `JSON.stringify` writes. */
  toJSON() {
    return this.toObject()
  }

  /** The text console.log prints: the fields, or the error in them. */
  [INSPECT](depth, options, inspect) {
    if (depth < 0) return '[RawDocument]'
    return `RawDocument ${shown(() => inspect(this.toObject(), options))}`
  }

  /**
   * Checks the whole document, as `decode` does.
   *
   * @param {{maxDepth?: number}} [options]
   * @returns {number} the size in bytes
   * @throws {BSONError}
   */
  validate(options) {
    const own = { ...only.validate(options), index: this.start, allowObjectSmallerThanBufferSize: true }
    return validateAt(this.buf, own, this.isArray)
  }

  /**
   * A copy with some fields.
   *
   * @param {Path[]} paths
   * @returns {RawDocument} with only the elements at these paths, in document order; the items of an array close up
   * @throws {BSONError}
   */
  pick(paths) {
    return this.project(pathTree(paths), true)
  }

  /**
   * A copy without some fields.
   *
   * @param {Path[]} paths
   * @returns {RawDocument} without the elements at these paths
   * @throws {BSONError}
   */
  omit(paths) {
    return this.project(pathTree(paths), false)
  }

  /** @internal @param {import('./path').PathTree} tree @param {boolean} isPick */
  project(tree, isPick) {
    const { buf, start, end, isArray } = this
    try {
      checkMemory(buf, end + 1)
      return new RawDocument(project(buf, start, end, isArray, tree, isPick), undefined, isArray)
    } catch (error) {
      throw this.located(error)
    }
  }

  /**
   * A copy with a field replaced or added.
   *
   * @param {Path} path the last key may be new, and so may those before it, which become documents. In an array, the
   *   index must exist or be the next one.
   * @param {unknown} value anything that `encode` takes, including RawDocuments
   * @param {EncodeOptions} [options]
   * @returns {RawDocument} a copy with the value replaced, or added at the end; this one stays unchanged
   * @throws {BSONError} when the path leads into a value that is not a document, or past the end of an array
   */
  set(path, value, options) {
    only.set(options)
    const keys = parsePath(path)
    const doc = new RawDocument(this.bytes, undefined, this.isArray)
    try {
      return doc.replace(keys, value, options)
    } catch (error) {
      throw atPlace(doc.located(error), { offset: this.start })
    }
  }

  /** @internal @param {Key[]} keys */
  replace(keys, value, options) {
    const starts = []
    const parents = []
    /** @type {RawDocument} */
    let doc = this
    const encoded = names => within(parents, doc.isArray, () => elementOf(names, value, options))
    for (let i = 0; ; i++) {
      starts.push(doc.start)
      const element = doc.find([keys[i]])
      const names = keys.slice(i).map(key => key.text)
      if (element === undefined) {
        return this.splice([], { pos: doc.end, end: doc.end, element: encoded(doc.checkNew(names)) }, starts)
      }
      if (names.length === 1) {
        const { offset: pos, valueEnd: end } = element
        const twins = doc.isArray ? [] : duplicatesBefore(this.buf, doc.start, pos, keys[i])
        return this.splice(twins, { pos, end, element: encoded(names) }, starts)
      }
      if (!isContainer(element.type)) throw cannotSet(names[0], names[1], element.offset)
      parents.push(doc.isArray ? keys[i].index : keys[i].text)
      doc = element.document
    }
  }

  /** @internal */
  splice(removed, replaced, starts) {
    return new RawDocument(splice(this.buf, removed, replaced, starts), undefined, this.isArray)
  }

  /** @internal An array takes only the next index. @param {string[]} names @returns {string[]} */
  checkNew(names) {
    if (!this.isArray) return names
    const count = this.keys().length
    if (names[0] === String(count)) return names
    throw errorAtOffset(`the next index of an array of ${count} items is ${count}, not ${shownName(names[0])}`, this.start)
  }

  /**
   * Adds a field.
   *
   * @param {string} name of a new field; may contain a dot
   * @param {unknown} value anything that `encode` takes
   * @param {EncodeOptions} [options]
   * @returns {RawDocument} a copy with the field at the end; this one stays unchanged
   * @throws {BSONError}
   */
  append(name, value, options) {
    only.append(options)
    if (this.has([name])) throw new BSONError(`the field ${shownName(name)} exists already`)
    return this.set([name], value, options)
  }

  /**
   * Compares the bytes of two documents.
   *
   * @param {RawDocument | Bytes} other
   * @returns {boolean} whether both are equal byte for byte, including the order of fields and the types of numbers
   */
  equals(other) {
    return equals(this.bytes, other instanceof RawDocument ? other.bytes : toBytes(other))
  }
}

/** One element of a document; its value is decoded on access. */
class RawElement {
  /**
   * @param {RawDocument} root the document in which it was found
   * @param {number} type element type
   * @param {number} offset of the element, which starts with its type
   * @param {number} valueOffset
   * @param {number} valueEnd
   */
  constructor(root, type, offset, valueOffset, valueEnd) {
    this.root = root
    this.buf = root.buf
    this.type = type
    this.offset = offset
    this.valueOffset = valueOffset
    this.valueEnd = valueEnd
  }

  /** @returns {string} @throws {BSONError} when it is not UTF-8 */
  get name() {
    checkMemory(this.buf, this.valueEnd)
    try {
      return getUtf8(this.buf, this.offset + 1, this.valueOffset - 1)
    } catch (error) {
      throw this.root.located(error)
    }
  }

  /** @returns {any} decoded on each access @throws {BSONError} */
  get value() {
    return this.decode()
  }

  /** @returns {Uint8Array} the value's bytes, as a view @throws {BSONError} */
  get bytes() {
    checkMemory(this.buf, this.valueEnd)
    return new BufferView(this.buf.buffer, this.buf.byteOffset + this.valueOffset, this.valueEnd - this.valueOffset)
  }

  /** @returns {RawDocument | undefined} the value, if it is a document or an array */
  get document() {
    if (!isContainer(this.type)) return undefined
    return new RawDocument(this.buf, this.valueOffset, this.type === ELEMENT.ARRAY)
  }

  /** @param {DecodeOptions} [options] @returns {any} @throws {BSONError} */
  decode(options) {
    only.decode(options)
    checkMemory(this.buf, this.valueEnd)
    try {
      return decodeElement(this.buf, this.offset, this.valueEnd, forPart(options))
    } catch (error) {
      throw this.root.located(error)
    }
  }

  /** Without it, what writes values would write these fields. @throws {BSONError} always */
  get [RAW]() {
    throw new BSONError('an element of a RawDocument cannot be written: take its document or its value')
  }

  /** The value `JSON.stringify` writes. */
  toJSON() {
    return this.value
  }

  [INSPECT](depth, options, inspect) {
    if (depth < 0) return '[RawElement]'
    return `RawElement ${shown(() => inspect({ type: this.type, name: this.name, value: this.value }, options))}`
  }
}

/** @returns {number} the offset of the closing 0x00 @throws {BSONError} when the size or the last byte is wrong */
function endOf(buf, start, allowTrailing, isArray) {
  try {
    return scanRoot(buf, start, allowTrailing) - 1
  } catch (error) {
    throw locate(error, buf, start, isArray)
  }
}

/** Options for values without their document. @param {DecodeOptions} [options] @throws {BSONError} */
function forPart(options) {
  if (!options?.validation || planOf(options).utf8Except === null) return options
  throw new BSONError('validation.utf8 by field is for whole documents: true and false are for their values, too')
}

/** Puts keys in front of the path of an error, which begins with an index if `isArray`. */
function within(parents, isArray, encoded) {
  try {
    return encoded()
  } catch (error) {
    if (!(error instanceof BSONError) || error.path === undefined) throw error
    error.path = pathOf(parents, isArray ? error.path.replace(/^\d+/, '[$&]') : error.path)
    throw atPlace(error, { offset: 0 }) // the message too
  }
}

/** Runs `print` safely: printing a broken document must not throw. @param {() => string} print */
function shown(print) {
  try {
    return print()
  } catch (error) {
    return `<${error.message}>`
  }
}

/** Checks the memory of a document, which may be transferred to another thread or shrink while in use. */
function checkMemory(buf, end) {
  if (buf.length < end) throw new BSONError('the ArrayBuffer of the document is detached or has shrunk')
}

function elementAt(root, { type, pos, value, end }) {
  return new RawElement(root, type, pos, value, end)
}

module.exports = { RawDocument }
