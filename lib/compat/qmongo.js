'use strict'

// The names that the wire layer of the qmongo driver uses: properties of `encode` and `decode`, and other names of two
// classes. The functions are those that `encode`, `encodeInto` and `decode` call.

const { putInt32, getUint32 } = require('../bytes')
const { DBRef, ObjectId } = require('../types')
const decoder = require('../decode')
const encoder = require('../encode')

const ofEncode = {
  /** `encodeEntities(object, target, offset) -> offset after it`: writes a whole document to the caller's buffer. */
  encodeEntities: encoder.encodeInto,

  /** `guessSize(object) -> bytes`: never less than the size of the document; here, its exact size. */
  guessSize: encoder.sizeOf,

  /** `putInt32(n, target, offset) -> offset + 4` */
  putInt32
}

const ofDecode = {
  /**
   * `getBsonEntities(buf, base, bound, target, asArray?) -> target`: decodes the elements between two offsets, without
   * a size before or a 0x00 after them, into the given object; with asArray, appends them to the given array.
   */
  getBsonEntities: decoder.decodeElements,

  /** `getUInt32(buf, offset) -> number` */
  getUInt32: getUint32
}

/**
 * Writes a document as BSON.
 *
 * @type {typeof encoder.encode & { [name in keyof typeof ofEncode]: (typeof ofEncode)[name] }}
 */
const encode = /** @type {any} */ (encoder.encode)

/**
 * Reads a document from its BSON bytes.
 *
 * @type {typeof decoder.decode & { [name in keyof typeof ofDecode]: (typeof ofDecode)[name] }}
 */
const decode = /** @type {any} */ (decoder.decode)

/** Brings the properties: they are 1.2 kB, which a bundle that imports `encode` without this name does not contain. */
const DbRef = withProperties()

function withProperties() {
  Object.assign(encode, ofEncode)
  Object.assign(decode, ofDecode)
  return DBRef
}

module.exports = { encode, decode, ObjectID: ObjectId, DbRef }
