'use strict'

// The names under which the wire layer of the qmongo driver knows this package: on `encode` and `decode` themselves,
// and two classes by another name. The functions are the ones that stand behind `encode`, `encodeInto` and `decode`.

const { putInt32, getUint32 } = require('../bytes')
const { DBRef, ObjectId } = require('../types')
const { sizeOf } = require('../encode')
const decoder = require('../decode')
const encoder = require('../encode')

const encode = Object.assign(encoder.encode, {
  /** `encodeEntities(object, target, offset) -> offset after it`: a whole document into the caller's buffer. */
  encodeEntities: encoder.encodeInto,

  /** `guessSize(object) -> bytes`: never less than the document will have; exactly that, in fact. */
  guessSize: sizeOf,

  /** `putInt32(n, target, offset) -> offset + 4` */
  putInt32
})

const decode = Object.assign(decoder.decode, {
  /**
   * `getBsonEntities(buf, base, bound, target, asArray?) -> target`: the elements between two offsets, with no size
   * before and no 0x00 after them, into the given object or, asArray, appended to the given array.
   */
  getBsonEntities: decoder.decodeElements,

  /** `getUInt32(buf, offset) -> number` */
  getUInt32: getUint32
})

module.exports = { encode, decode, ObjectID: ObjectId, DbRef: DBRef }
