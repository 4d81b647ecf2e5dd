'use strict'

const { BSONError } = require('../errors')
const { DIGIT, allocateCopy, getInt24, putInt24, hexInt24, fromBase64, toBase64 } = require('../bytes')
const { BSONValue, defaultInspect } = require('./bson-value')
const { uniqueBytes, onRestoredSnapshot } = require('./random-bytes')

/** Hex strings of ids, kept while ObjectId.cacheHexString is set. @type {WeakMap<ObjectId, string>} */
const hexCache = new WeakMap()

/**
 * A 12-byte id: 4 bytes of seconds since 1970 (big endian), 5 random bytes per process, and a 3-byte counter.
 *
 * It is stored as four 24-bit integers: decoding loads twelve bytes, and an id takes 48 bytes of memory, compared with
 * 130 for one with a Buffer.
 */
class ObjectId extends BSONValue {
  /** @returns {'ObjectId'} */ get _bsontype() { return 'ObjectId' }

  /** The counter; null until the first id is generated. @type {number | null} @internal */
  static index = null

  /** Five random bytes; null until the first id is generated. @type {Uint8Array | null} @internal */
  static PROCESS_UNIQUE = null

  /** Makes the next id draw a new counter and new process bytes. @internal */
  static resetState = () => {
    ObjectId.index = null
    ObjectId.PROCESS_UNIQUE = null
  }

  /**
   * Whether to keep the hex string of each id that was created from one or has been converted to one.
   *
   * @type {boolean}
   */
  static cacheHexString = undefined

  /**
   * @param {string | ObjectId | ObjectIdLike | Uint8Array} [inputId] 24 hex digits, 12 bytes or another id; without it,
   *   a new one is generated
   * @param {number} [offset] offset of the id in the bytes `inputId`, which are then not checked
   * @throws {BSONError} when `inputId` is not an id
   */
  constructor(inputId, offset) {
    super()
    if (typeof offset === 'number') {
      this.setFromBytes(/** @type {Uint8Array} */ (inputId), offset)
    } else if (inputId === undefined || inputId === null) {
      setGenerated(this)
    } else if (typeof inputId === 'string') {
      setFromString(this, inputId)
    } else if (typeof inputId === 'object' && 'id' in inputId) {
      setFromIdLike(this, inputId)
    } else {
      setFromView(this, inputId)
    }
  }

  /** @param {Uint8Array} bytes @param {number} [offset] @internal */
  setFromBytes(bytes, offset = 0) {
    this.i0 = getInt24(bytes, offset)
    this.i1 = getInt24(bytes, offset + 3)
    this.i2 = getInt24(bytes, offset + 6)
    this.i3 = getInt24(bytes, offset + 9)
  }

  /** @param {string} hex 24 hex digits @internal */
  setFromHex(hex) {
    this.i0 = hexInt24(hex, 0)
    this.i1 = hexInt24(hex, 6)
    this.i2 = hexInt24(hex, 12)
    this.i3 = hexInt24(hex, 18)
  }

  /** The bytes, as a new array on each access. @returns {Uint8Array} */
  get id() {
    const bytes = allocateCopy(12)
    this.serializeInto(bytes, 0)
    return bytes
  }

  /** @throws {BSONError} on anything but 12 bytes */
  set id(value) {
    setFromView(this, value)
    if (ObjectId.cacheHexString) hexCache.set(this, hexOf(this))
  }

  /** @param {string} string @returns {boolean} whether it is 24 hex digits @internal */
  static validateHexString(string) {
    if (string?.length !== 24) return false
    return (hexInt24(string, 0) | hexInt24(string, 6) | hexInt24(string, 12) | hexInt24(string, 18)) >= 0
  }

  /** @returns {string} 24 lower-case hex digits */
  toHexString() {
    if (ObjectId.cacheHexString) return cachedHex(this)
    return hexOf(this)
  }

  /** @returns {number} the next value of the counter @internal */
  static getInc() {
    if (ObjectId.index === null) startCounter()
    return (ObjectId.index = (ObjectId.index + 1) % 0x1000000)
  }

  /** @param {number} [time] seconds since 1970; defaults to now @returns {Uint8Array} the bytes of a new id */
  static generate(time) {
    const id = Object.create(ObjectId.prototype)
    setGenerated(id, typeof time === 'number' ? time : undefined)
    return id.id
  }

  /** @param {'hex' | 'base64'} [encoding] @returns {string} */
  toString(encoding) {
    return encoding === 'base64' ? toBase64(this.id) : this.toHexString()
  }

  /** @returns {string} 24 lower-case hex digits */
  toJSON() {
    return this.toHexString()
  }

  /** @param {unknown} variable @returns {variable is ObjectId} from this library or another @internal */
  static is(variable) {
    return typeof variable === 'object' && /** @type {any} */ (variable)?._bsontype === 'ObjectId'
  }

  /** Whether both are equal. @param {string | ObjectId | ObjectIdLike | undefined | null} otherId @returns {boolean} */
  equals(otherId) {
    if (otherId === undefined || otherId === null) return false
    if (ObjectId.is(otherId) && hasIntegers(otherId)) {
      return this.i3 === otherId.i3 && this.i0 === otherId.i0 && this.i1 === otherId.i1 && this.i2 === otherId.i2
    }
    const hex = typeof otherId === 'object' && typeof otherId.toHexString === 'function' ? otherId.toHexString() : otherId
    return typeof hex === 'string' && hex.toLowerCase() === this.toHexString()
  }

  /** @returns {Date} when the id was generated, to the second */
  getTimestamp() {
    return new Date((this.i0 * 0x100 + (this.i1 >>> 16)) * 1000)
  }

  /** @returns {ObjectId} a new id @internal */
  static createPk() {
    return new ObjectId()
  }

  /** @param {Uint8Array} uint8array @param {number} index @returns {12} the number of bytes written @internal */
  serializeInto(uint8array, index) {
    putInt24(this.i0, uint8array, index)
    putInt24(this.i1, uint8array, index + 3)
    putInt24(this.i2, uint8array, index + 6)
    putInt24(this.i3, uint8array, index + 9)
    return 12
  }

  /** @param {number} time seconds since 1970 @returns {ObjectId} with zeros after the time, for comparisons */
  static createFromTime(time) {
    const id = new ObjectId(new Uint8Array(12))
    id.i0 = (time >>> 8) & 0xffffff
    id.i1 = (time & 0xff) << 16
    return id
  }

  /** @param {string} hexString 24 hex digits @returns {ObjectId} @throws {BSONError} */
  static createFromHexString(hexString) {
    if (hexString?.length !== 24) throw new BSONError('hex string must be 24 characters')
    const id = new ObjectId(hexString)
    hexCache.delete(id) // as in bson
    return id
  }

  /** @param {string} base64 16 characters @returns {ObjectId} @throws {BSONError} */
  static createFromBase64(base64) {
    if (base64?.length !== 16) throw new BSONError('base64 string must be 16 characters')
    return new ObjectId(fromBase64(base64))
  }

  /** @param {string | ObjectId | ObjectIdLike | Uint8Array} id @returns {boolean} whether `new ObjectId(id)` works */
  static isValid(id) {
    if (id === undefined || id === null) return false
    if (typeof id === 'string') return ObjectId.validateHexString(id)
    try {
      new ObjectId(id)
      return true
    } catch {
      return false
    }
  }

  /** @returns {{$oid: string}} @internal */
  toExtendedJSON() {
    return { $oid: this.toHexString() }
  }

  /** @param {{$oid: string}} doc @returns {ObjectId} @throws {BSONError} @internal */
  static fromExtendedJSON({ $oid }) {
    if ($oid === undefined || $oid === null) throw new BSONError('Extended JSON of an ObjectId must have $oid')
    return new ObjectId($oid)
  }

  /** @returns {boolean} whether the hex string is kept @internal */
  isCached() {
    return ObjectId.cacheHexString && hexCache.has(this)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new ObjectId(${inspect(this.toHexString(), options)})`
  }
}

/**
 * Any object with an id in it: an ObjectId of another library or version.
 *
 * @typedef {{id: string | Uint8Array, __id?: string, toHexString(): string}} ObjectIdLike
 */

/** @typedef {{$oid: string}} ObjectIdExtended */

function startCounter() {
  ObjectId.index = Math.floor(Math.random() * 0x1000000)
  onRestoredSnapshot(() => ObjectId.resetState())
}

/** @param {ObjectId} id @param {number} [time] seconds */
function setGenerated(id, time = Math.floor(Date.now() / 1000)) {
  const inc = ObjectId.getInc()
  const unique = (ObjectId.PROCESS_UNIQUE ??= uniqueBytes(5))
  id.i0 = (time >>> 8) & 0xffffff
  id.i1 = ((time & 0xff) << 16) | (unique[0] << 8) | unique[1]
  id.i2 = (unique[2] << 16) | (unique[3] << 8) | unique[4]
  id.i3 = inc
}

function setFromString(id, hex) {
  id.setFromHex(hex)
  if (hex.length !== 24 || (id.i0 | id.i1 | id.i2 | id.i3) < 0) {
    throw new BSONError('input must be a 24 character hex string, 12 byte Uint8Array, or an integer')
  }
  if (ObjectId.cacheHexString) hexCache.set(id, hex.toLowerCase())
}

/** @param {ObjectId} id @param {any} input something with an `id` */
function setFromIdLike(id, input) {
  if (ObjectId.is(input) && hasIntegers(input)) {
    // Masks to 24 bits, since a client's JSON may claim to be an id.
    id.i0 = input.i0 & 0xffffff
    id.i1 = input.i1 & 0xffffff
    id.i2 = input.i2 & 0xffffff
    id.i3 = input.i3 & 0xffffff
    return
  }
  const inner = input.id
  if (typeof inner !== 'string' && !ArrayBuffer.isView(inner)) {
    throw new BSONError('Argument passed in must have an id that is of type string or Buffer')
  }
  if (typeof input.toHexString === 'function') {
    const hex = input.toHexString()
    if (!ObjectId.validateHexString(hex)) throw new BSONError('Argument passed in does not match the accepted types')
    id.setFromHex(hex)
  } else if (typeof inner === 'string') {
    setFromString(id, inner)
  } else {
    setFromView(id, inner)
  }
}

function setFromView(id, input) {
  if (!ArrayBuffer.isView(input) || input.byteLength !== 12) {
    throw new BSONError('Argument passed in does not match the accepted types')
  }
  id.setFromBytes(input instanceof Uint8Array ? input : new Uint8Array(input.buffer, input.byteOffset, 12))
}

/** @param {ObjectId} id whether it is stored as integers like ours; ids of bson before 7.3 hold a Buffer */
function hasIntegers(id) {
  return (
    typeof id.i0 === 'number' && typeof id.i1 === 'number' && typeof id.i2 === 'number' && typeof id.i3 === 'number'
  )
}

/** All digits in one call: 28 ns. Joining pairs of digits takes 50, and 25 more when the string is first accessed. */
function hexOf({ i0, i1, i2, i3 }) {
  return String.fromCharCode(
    DIGIT[i0 >>> 20], DIGIT[(i0 >>> 16) & 15], DIGIT[(i0 >>> 12) & 15],
    DIGIT[(i0 >>> 8) & 15], DIGIT[(i0 >>> 4) & 15], DIGIT[i0 & 15],
    DIGIT[i1 >>> 20], DIGIT[(i1 >>> 16) & 15], DIGIT[(i1 >>> 12) & 15],
    DIGIT[(i1 >>> 8) & 15], DIGIT[(i1 >>> 4) & 15], DIGIT[i1 & 15],
    DIGIT[i2 >>> 20], DIGIT[(i2 >>> 16) & 15], DIGIT[(i2 >>> 12) & 15],
    DIGIT[(i2 >>> 8) & 15], DIGIT[(i2 >>> 4) & 15], DIGIT[i2 & 15],
    DIGIT[i3 >>> 20], DIGIT[(i3 >>> 16) & 15], DIGIT[(i3 >>> 12) & 15],
    DIGIT[(i3 >>> 8) & 15], DIGIT[(i3 >>> 4) & 15], DIGIT[i3 & 15]
  )
}

function cachedHex(id) {
  let hex = hexCache.get(id)
  if (hex === undefined) {
    hex = hexOf(id)
    hexCache.set(id, hex)
  }
  return hex
}

module.exports = { ObjectId }
