'use strict'

const { BSONError } = require('../errors')
const { SUBTYPE } = require('../spec')
const { isUint8Array, toHex, toBase64, fromBase64, equals, copyOf } = require('../bytes')
const { Binary } = require('./binary')
const { hexByte } = require('./hex')
const { defaultInspect } = require('./inspect')
const { allocateZeroed } = require('./local-bytes')
const { randomBytes } = require('./random-bytes')

const SIZE = 16
const HEX = /^[0-9a-f]{32}$/i
const HEX_WITH_DASHES = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A Binary of subtype 4 and 16 bytes, of which the first 36-character form is known to everybody. */
class UUID extends Binary {
  /**
   * @param {string | Uint8Array | UUID} [input] 32 or 36 characters, 16 bytes (kept, not copied) or another UUID; none
   *   generates a random one, version 4
   * @throws {BSONError} when it is nothing of these
   */
  constructor(input) {
    super(bytesOf(input), SUBTYPE.UUID)
  }

  /** @returns {Uint8Array} */
  get id() {
    return this.buffer
  }

  set id(value) {
    this.buffer = value
  }

  /** @param {boolean} [includeDashes] @returns {string} */
  toHexString(includeDashes = true) {
    const hex = toHex(this.buffer)
    if (!includeDashes) return hex
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  /** @param {'hex' | 'base64'} [encoding] @returns {string} with dashes unless it says otherwise */
  toString(encoding) {
    if (encoding === 'hex') return toHex(this.buffer)
    return encoding === 'base64' ? toBase64(this.buffer) : this.toHexString()
  }

  /** @returns {string} with dashes */
  toJSON() {
    return this.toHexString()
  }

  /** @param {string | Uint8Array | UUID} otherId @returns {boolean} */
  equals(otherId) {
    if (!otherId) return false
    try {
      return equals(otherId instanceof UUID ? otherId.buffer : bytesOf(otherId), this.buffer)
    } catch {
      return false
    }
  }

  /** @returns {Binary} of the same bytes */
  toBinary() {
    return new Binary(this.buffer, SUBTYPE.UUID)
  }

  /** @returns {Uint8Array} the bytes of a random UUID, version 4 of RFC 9562 */
  static generate() {
    const bytes = randomBytes(SIZE)
    bytes[6] = (bytes[6] & 0x0f) | 0x40
    bytes[8] = (bytes[8] & 0x3f) | 0x80
    return bytes
  }

  /** @param {string | Uint8Array | UUID | Binary} input @returns {boolean} */
  static isValid(input) {
    if (!input) return false
    if (typeof input === 'string') return UUID.isValidUUIDString(input)
    if (isUint8Array(input)) return input.byteLength === SIZE
    return input._bsontype === 'Binary' && input.sub_type === SUBTYPE.UUID && input.buffer.byteLength === SIZE
  }

  /** @param {string} hexString 32 or 36 characters @returns {UUID} @throws {BSONError} */
  static createFromHexString(hexString) {
    return new UUID(UUID.bytesFromString(hexString))
  }

  /** @param {string} base64 @returns {UUID} @throws {BSONError} */
  static createFromBase64(base64) {
    return new UUID(fromBase64(base64))
  }

  /** @param {string} representation 32 or 36 characters @returns {Uint8Array} @throws {BSONError} @internal */
  static bytesFromString(representation) {
    if (!UUID.isValidUUIDString(representation)) {
      throw new BSONError('UUID string representation must be 32 hex digits or canonical hyphenated representation')
    }
    const step = representation.length === 36 ? 1 : 0
    const bytes = allocateZeroed(SIZE)
    for (let i = 0, at = 0; i < SIZE; i++, at += 2) {
      if (i === 4 || i === 6 || i === 8 || i === 10) at += step
      bytes[i] = hexByte(representation, at)
    }
    return bytes
  }

  /** @param {string} representation @returns {boolean} @internal */
  static isValidUUIDString(representation) {
    return HEX.test(representation) || HEX_WITH_DASHES.test(representation)
  }

  /**
   * @param {number} [depth]
   * @param {unknown} [options]
   * @param {import('./inspect').InspectFn} [inspect]
   * @returns {string}
   */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new UUID(${inspect(this.toHexString(), options)})`
  }
}

/** @param {any} input @returns {Uint8Array} */
function bytesOf(input) {
  if (input === undefined || input === null) return UUID.generate()
  if (typeof input === 'string') return UUID.bytesFromString(input)
  if (input instanceof UUID) return copyOf(input.buffer)
  if (ArrayBuffer.isView(input) && input.byteLength === SIZE) return /** @type {Uint8Array} */ (input)
  throw new BSONError(
    'Argument passed in UUID constructor must be a UUID, a 16 byte Buffer or a 32/36 character hex string ' +
      '(dashes excluded/included, format: xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).'
  )
}

/** @typedef {{$uuid: string}} UUIDExtended */

module.exports = { UUID }
