'use strict'

const { BSONError, shownName } = require('../errors')
const { SUBTYPE, VECTOR } = require('../spec')
const {
  NodeBuffer, isUint8Array, copyOf, equals, toHex, fromHex, toBase64, fromBase64, getUtf8Lossy
} = require('../bytes')
const { BSONValue, defaultInspect } = require('./bson-value')
const { toLocalBytes, fromNumberArray, allocateZeroed } = require('./local-bytes')
const uuid = require('./uuid')
const vector = require('./vector')

/** Bytes and a subtype. The bytes are the first `position` of `buffer`, which may be larger. */
class Binary extends BSONValue {
  /** @returns {'Binary'} */ get _bsontype() { return 'Binary' }

  /** @internal */
  static BSON_BINARY_SUBTYPE_DEFAULT = 0
  /** The size of a new, empty buffer, and the number of bytes by which `put` grows it. @readonly */
  static BUFFER_SIZE = 256
  static SUBTYPE_DEFAULT = SUBTYPE.GENERIC
  static SUBTYPE_FUNCTION = SUBTYPE.FUNCTION
  /** @deprecated */
  static SUBTYPE_BYTE_ARRAY = SUBTYPE.BYTE_ARRAY
  /** @deprecated */
  static SUBTYPE_UUID_OLD = SUBTYPE.UUID_OLD
  static SUBTYPE_UUID = SUBTYPE.UUID
  static SUBTYPE_MD5 = SUBTYPE.MD5
  static SUBTYPE_ENCRYPTED = SUBTYPE.ENCRYPTED
  static SUBTYPE_COLUMN = SUBTYPE.COLUMN
  static SUBTYPE_SENSITIVE = SUBTYPE.SENSITIVE
  static SUBTYPE_VECTOR = SUBTYPE.VECTOR
  static SUBTYPE_USER_DEFINED = SUBTYPE.USER_DEFINED
  /** The data types of vectors. */
  static VECTOR_TYPE = Object.freeze({ Int8: VECTOR.INT8, Float32: VECTOR.FLOAT32, PackedBit: VECTOR.PACKED_BIT })

  /**
   * @param {BinarySequence} [buffer] kept, not copied, if it is memory
   * @param {number} [subType] 0 to 255
   * @throws {BSONError} when `buffer` is neither memory nor an array
   */
  constructor(buffer, subType) {
    super()
    const isBuffer = NodeBuffer !== undefined && buffer instanceof NodeBuffer
    /** @type {Uint8Array} */
    this.buffer = isBuffer ? buffer : bytesOf(buffer)
    this.sub_type = (subType ?? 0) & 0xff
    /** The number of bytes of `buffer` that are used. @type {number} */
    this.position = buffer === undefined || buffer === null ? 0 : this.buffer.length
  }

  /** @param {string | number | Uint8Array | number[]} byteValue one byte to append @throws {BSONError} */
  put(byteValue) {
    const byte = oneByte(byteValue)
    if (this.position >= this.buffer.length) resize(this, this.buffer.length + Binary.BUFFER_SIZE)
    this.buffer[this.position++] = byte
  }

  /**
   * @param {BinarySequence} sequence
   * @param {number} [offset] where to write it, in bytes, at most the size of `buffer`; defaults to the end
   * @throws {BSONError} when it is a string, and beyond the end
   */
  write(sequence, offset) {
    if (typeof sequence === 'string') throw new BSONError('input cannot be string')
    const start = typeof offset === 'number' ? offset : this.position
    if (!(start >= 0 && start <= this.buffer.length)) {
      throw new BSONError(`cannot write at ${start}, beyond the ${this.buffer.length} bytes of the Binary`)
    }
    const bytes = Array.isArray(sequence) ? sequence : toLocalBytes(sequence)
    const end = start + bytes.length
    if (this.buffer.length < end) resize(this, Math.max(end, this.buffer.length + bytes.length))
    this.buffer.set(bytes, start)
    this.position = Math.max(this.position, end)
  }

  /** @param {number} position @param {number} length bytes; defaults to all @returns {Uint8Array} a view */
  read(position, length) {
    const count = length && length > 0 ? length : this.position
    return this.buffer.subarray(position, Math.min(position + count, this.position))
  }

  /** @returns {Uint8Array} a view of the bytes */
  value() {
    const bytes = this.buffer.length === this.position ? this.buffer : this.buffer.subarray(0, this.position)
    return NodeBuffer !== undefined && bytes[1] === EQUALS_SIGN ? ofScram(bytes) : bytes
  }

  /** @returns {number} the number of bytes */
  length() {
    return this.position
  }

  /** @returns {string} base64 */
  toJSON() {
    return toBase64(this.value())
  }

  /** @param {'hex' | 'base64' | 'utf8' | 'utf-8'} [encoding] @returns {string} */
  toString(encoding) {
    const bytes = this.value()
    if (encoding === 'hex') return toHex(bytes)
    return encoding === 'base64' ? toBase64(bytes) : getUtf8Lossy(bytes, 0, bytes.length)
  }

  /**
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {BinaryExtended | BinaryExtendedLegacy}
   * @throws {BSONError} on an invalid vector
   * @internal
   */
  toExtendedJSON(options) {
    vector.validateVector(this)
    const base64 = toBase64(this.value())
    const subType = Number(this.sub_type).toString(16).padStart(2, '0')
    if (options?.legacy) return { $binary: base64, $type: subType }
    return { $binary: { base64, subType } }
  }

  /** @returns {UUID} @throws {BSONError} when it is not a UUID */
  toUUID() {
    if (this.sub_type === SUBTYPE.UUID) return new UUID(this.value())
    throw new BSONError(
      `Binary sub_type "${this.sub_type}" (${typeof this.sub_type}) is not supported for converting to UUID. ` +
        'Only 0x04 is currently supported.'
    )
  }

  /** @param {string} hex @param {number} [subType] @returns {Binary} @throws {BSONError} on anything but hex digits */
  static createFromHexString(hex, subType) {
    return new Binary(fromHex(hex), subType)
  }

  /** From base64. @param {string} base64 @param {number} [subType] @returns {Binary} */
  static createFromBase64(base64, subType) {
    return new Binary(fromBase64(base64), subType)
  }

  /**
   * @param {any} doc
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {Binary} a UUID if it has that subtype and 16 bytes
   * @throws {BSONError}
   * @internal
   */
  static fromExtendedJSON(doc, options) {
    const { bytes, subType } = parseExtended(doc, Boolean(options?.legacy))
    // BSON allows subtype 4 with other than 16 bytes
    return subType === SUBTYPE.UUID && bytes.length === uuid.SIZE ? new UUID(bytes) : new Binary(bytes, subType)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `Binary.createFromBase64(${inspect(this.toJSON(), options)}, ${inspect(this.sub_type, options)})`
  }

  /** @returns {Int8Array} a copy of the vector's numbers @throws {BSONError} when it is not a vector of int8 */
  toInt8Array() {
    return new Int8Array(vector.unpackVector(this, VECTOR.INT8))
  }

  /** @returns {Float32Array} a copy of the vector's numbers @throws {BSONError} when it is not a vector of float32 */
  toFloat32Array() {
    return vector.bytesToFloats(vector.unpackVector(this, VECTOR.FLOAT32))
  }

  /** @returns {Uint8Array} a copy of the vector's bytes @throws {BSONError} when it is not a vector of bits */
  toPackedBits() {
    return new Uint8Array(vector.unpackVector(this, VECTOR.PACKED_BIT))
  }

  /** @returns {Int8Array} the vector's bits, each 0 or 1 @throws {BSONError} when it is not a vector of bits */
  toBits() {
    const bytes = this.toPackedBits()
    return vector.unpackBits(bytes, bytes.length * 8 - this.buffer[1])
  }

  /** A vector of int8. @param {Int8Array} array @returns {Binary} */
  static fromInt8Array(array) {
    return vectorOf(this, VECTOR.INT8, 0, toLocalBytes(array))
  }

  /** A vector of float32. @param {Float32Array} array @returns {Binary} */
  static fromFloat32Array(array) {
    return vectorOf(this, VECTOR.FLOAT32, 0, vector.floatsToBytes(toLocalBytes(array)))
  }

  /**
   * @param {Uint8Array} array
   * @param {number} [padding] number of unused bits in the last byte, 0 to 7
   * @returns {Binary}
   * @throws {BSONError}
   */
  static fromPackedBits(array, padding = 0) {
    return vectorOf(this, VECTOR.PACKED_BIT, padding, toLocalBytes(array))
  }

  /** @param {ArrayLike<number>} bits zeros and ones @returns {Binary} @throws {BSONError} on other numbers */
  static fromBits(bits) {
    return this.fromPackedBits(vector.packBits(bits), -bits.length & 7)
  }
}

/** A Binary of subtype 4 with 16 bytes, usually written as 36 characters. */
class UUID extends Binary {
  /**
   * @param {string | Uint8Array | UUID} [input] 32 or 36 characters, 16 bytes (kept, not copied) or another UUID;
   *   without it, a random one of version 4 is generated
   * @throws {BSONError} on any other input
   */
  constructor(input) {
    super(uuidBytesOf(input), SUBTYPE.UUID)
  }

  /** @returns {Uint8Array} */
  get id() {
    return this.buffer
  }

  set id(value) {
    this.buffer = value
  }

  /** The hex digits, with dashes by default. @param {boolean} [includeDashes] @returns {string} */
  toHexString(includeDashes = true) {
    return includeDashes ? uuid.toText(this.buffer) : toHex(this.buffer)
  }

  /** @param {'hex' | 'base64'} [encoding] @returns {string} with dashes, unless the encoding says otherwise */
  toString(encoding) {
    if (encoding === 'hex') return toHex(this.buffer)
    return encoding === 'base64' ? toBase64(this.buffer) : this.toHexString()
  }

  /** @returns {string} with dashes */
  toJSON() {
    return this.toHexString()
  }

  /** Whether the bytes are equal. @param {string | Uint8Array | UUID} otherId @returns {boolean} */
  equals(otherId) {
    if (!otherId) return false
    try {
      return equals(isUUID(otherId) ? otherId.buffer : uuidBytesOf(otherId), this.buffer)
    } catch {
      return false
    }
  }

  /** @returns {Binary} with the same bytes */
  toBinary() {
    return new Binary(this.buffer, SUBTYPE.UUID)
  }

  /** @returns {Uint8Array} the bytes of a random UUID, version 4 of RFC 9562 */
  static generate() {
    return uuid.generate()
  }

  /** Whether it is or holds a UUID. @param {string | Uint8Array | UUID | Binary} input @returns {boolean} */
  static isValid(input) {
    if (!input) return false
    if (typeof input === 'string') return uuid.isText(input)
    if (isUint8Array(input)) return input.byteLength === uuid.SIZE
    return input._bsontype === 'Binary' && input.sub_type === SUBTYPE.UUID && input.buffer.byteLength === uuid.SIZE
  }

  /** @param {string} hexString 32 or 36 characters @returns {UUID} @throws {BSONError} */
  static createFromHexString(hexString) {
    return new UUID(uuid.parse(hexString))
  }

  /** @param {string} base64 @returns {UUID} @throws {BSONError} */
  static createFromBase64(base64) {
    return new UUID(fromBase64(base64))
  }

  /** @param {string} representation 32 or 36 characters @returns {Uint8Array} @throws {BSONError} @internal */
  static bytesFromString(representation) {
    return uuid.parse(representation)
  }

  /** @param {string} representation @returns {boolean} @internal */
  static isValidUUIDString(representation) {
    return uuid.isText(representation)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new UUID(${inspect(this.toHexString(), options)})`
  }
}

/** @typedef {Uint8Array | number[]} BinarySequence */
/** @typedef {{$binary: {subType: string, base64: string}}} BinaryExtended */
/** @typedef {{$type: string, $binary: string}} BinaryExtendedLegacy */
/** @typedef {{$uuid: string}} UUIDExtended */

const EQUALS_SIGN = 0x3d

/**
 * In bson 5, `value()` was a string, so driver 5, which runs on Node only, splits what it returns for the messages in
 * which a server answers a login with a password. They begin with `r=` or `v=`.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} the same; of such a message, a view that can be split
 */
function ofScram(bytes) {
  if (bytes[0] !== 0x72 && bytes[0] !== 0x76) return bytes
  const split = separator => getUtf8Lossy(bytes, 0, bytes.length).split(separator)
  return Object.defineProperty(bytes.subarray(), 'split', { value: split })
}

function vectorOf(Class, type, padding, bytes) {
  const binary = new Class(vector.packVector(type, padding, bytes), SUBTYPE.VECTOR)
  vector.validateVector(binary)
  return binary
}

function bytesOf(buffer) {
  if (buffer === undefined || buffer === null) return allocateZeroed(Binary.BUFFER_SIZE)
  if (typeof buffer === 'string') throw new BSONError('Binary can only be constructed from Uint8Array or number[]')
  return Array.isArray(buffer) ? fromNumberArray(buffer) : toLocalBytes(buffer)
}

/** @param {any} value @returns {value is UUID} from this library or another */
function isUUID(value) {
  return UUID.isValid(value) && typeof value.toHexString === 'function'
}

function uuidBytesOf(input) {
  if (input === undefined || input === null) return uuid.generate()
  if (typeof input === 'string') return uuid.parse(input)
  if (isUUID(input)) return copyOf(input.buffer)
  if (ArrayBuffer.isView(input) && input.byteLength === uuid.SIZE) return /** @type {Uint8Array} */ (input)
  throw new BSONError(
    'Argument passed in UUID constructor must be a UUID, a 16 byte Buffer or a 32/36 character hex string ' +
      '(dashes excluded/included, format: xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).'
  )
}

function oneByte(value) {
  if (typeof value !== 'number' && value.length !== 1) {
    const kind = typeof value === 'string' ? 'String' : 'Uint8Array or Array'
    throw new BSONError(`only accepts single character ${kind}`)
  }
  const byte = typeof value === 'number' ? value : typeof value === 'string' ? value.charCodeAt(0) : value[0]
  if (!(byte >= 0 && byte <= 255)) {
    throw new BSONError('only accepts number in a valid unsigned byte range 0-255')
  }
  return byte
}

/** @param {Binary} binary @param {number} size bytes */
function resize(binary, size) {
  const bytes = allocateZeroed(size)
  bytes.set(binary.buffer)
  binary.buffer = bytes
}

function parseExtended(doc, legacy) {
  const { $binary, $uuid, $type } = doc
  if (legacy && typeof $binary === 'string' && '$type' in doc) {
    return { bytes: fromBase64($binary), subType: $type ? parseInt($type, 16) : 0 }
  }
  if (typeof $binary === 'object' && $binary !== null) {
    return { bytes: fromBase64($binary.base64), subType: $binary.subType ? parseInt($binary.subType, 16) : 0 }
  }
  if ($binary === undefined && '$uuid' in doc) return { bytes: uuid.parse($uuid), subType: 4 }
  throw new BSONError(`Unexpected Binary Extended JSON format ${shownName(`${JSON.stringify(doc)}`, 200)}`)
}

/** Bytes before the data: int32 length | subtype, and in the old layout the length again. @param {number} subtype */
function binaryOverhead(subtype) {
  return subtype === SUBTYPE.BYTE_ARRAY ? 9 : 5
}

module.exports = { Binary, UUID, binaryOverhead }
