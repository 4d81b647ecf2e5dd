'use strict'

// Raw bytes: integers, base64, comparison, concatenation, and which values count as bytes. Results are Buffers
// where Node's Buffer exists, and plain Uint8Arrays elsewhere.

const { BSONError, shownKind, shownValue } = require('../errors')

/** Node's Buffer, or undefined on other runtimes. */
const NodeBuffer = typeof Buffer === 'function' && typeof Buffer.allocUnsafe === 'function' ? Buffer : undefined

/**
 * The class whose `new` creates views that are Buffers: `new` takes 13 ns, `buf.subarray` 30 to 50.
 *
 * @type {new (buffer: ArrayBufferLike, byteOffset: number, length: number) => Uint8Array}
 */
const BufferView = viewClass()

function viewClass() {
  // @ts-ignore: Node's Buffer has a species, its typings do not
  const Species = NodeBuffer && NodeBuffer[Symbol.species]
  const isNodes = typeof Species === 'function' && new Species(new ArrayBuffer(1), 0, 1) instanceof NodeBuffer
  return isNodes ? Species : Uint8Array
}

/** @param {Uint8Array} buf @param {number} offset @returns {number} */
function getInt32(buf, offset) {
  return buf[offset] | (buf[offset + 1] << 8) | (buf[offset + 2] << 16) | (buf[offset + 3] << 24)
}

/** @param {Uint8Array} buf @param {number} offset @returns {number} */
function getUint32(buf, offset) {
  return getInt32(buf, offset) >>> 0
}

/** @param {Uint8Array} buf @param {number} offset @returns {bigint} signed */
function getInt64(buf, offset) {
  return (BigInt(getInt32(buf, offset + 4)) << 32n) | BigInt(getUint32(buf, offset))
}

/**
 * Whether an int64 is a number exactly, and decoded as one: from -2^53 to 2^53, both included.
 *
 * @param {number} low signed 32 bits
 * @param {number} high signed 32 bits
 */
function isExactInt64(low, high) {
  return high >= -0x200000 && (high < 0x200000 || (high === 0x200000 && low === 0))
}

/** @param {number} value @param {Uint8Array} buf @param {number} offset @returns {number} offset after the 4 bytes */
function putInt32(value, buf, offset) {
  buf[offset] = value
  buf[offset + 1] = value >> 8
  buf[offset + 2] = value >> 16
  buf[offset + 3] = value >> 24
  return offset + 4
}

/** @param {bigint} value its lowest 64 bits are written @param {Uint8Array} buf @param {number} offset */
function putInt64(value, buf, offset) {
  putInt32(Number(BigInt.asIntN(32, value)), buf, offset)
  return putInt32(Number(BigInt.asIntN(32, value >> 32n)), buf, offset + 4)
}

/**
 * A quarter of an ObjectId, big endian. Everything else is little endian.
 *
 * @param {Uint8Array} buf
 * @param {number} offset
 */
function getInt24(buf, offset) {
  return (buf[offset] << 16) | (buf[offset + 1] << 8) | buf[offset + 2]
}

/** @param {number} value @param {Uint8Array} buf @param {number} offset */
function putInt24(value, buf, offset) {
  buf[offset] = value >> 16
  buf[offset + 1] = (value >> 8) & 0xff // the target may be an array
  buf[offset + 2] = value & 0xff
}

/**
 * What a typed array really has, even if a subclass overrides it.
 *
 * @param {'length' | 'buffer' | 'byteOffset' | typeof Symbol.toStringTag} name
 * @returns {(bytes: any) => any}
 */
function getterOf(name) {
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)
  return bytes => get.call(bytes)
}

const tagOf = getterOf(Symbol.toStringTag)

/** @param {unknown} value @returns {value is Uint8Array} also from another realm, also a Buffer; not a Proxy */
function isUint8Array(value) {
  return ArrayBuffer.isView(value) && (value instanceof Uint8Array || tagOf(value) === 'Uint8Array')
}

/**
 * @param {string} what needs the bytes
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} [end]
 * @returns {number} the end, by default that of the bytes
 * @throws {BSONError} when they are no bytes from `start` to `end`
 */
function checkRange(what, buf, start, end) {
  if (!isUint8Array(buf)) throw new BSONError(`${what} needs a Uint8Array, not ${shownKind(buf)}`)
  if (end === undefined) end = buf.length
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= buf.length) return end
  throw new BSONError(`${what}: there are ${buf.length} bytes, not those from ${shownValue(start)} to ${shownValue(end)}`)
}

/** @param {unknown} value @returns {value is ArrayBufferLike} also from another realm */
function isAnyArrayBuffer(value) {
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object ArrayBuffer]') return hasGetter(ArrayBuffer, value)
  return tag === '[object SharedArrayBuffer]' && hasGetter(SharedArrayBuffer, value)
}

/** @param {unknown} value @returns {value is ArrayBufferLike | ArrayBufferView} whether it is memory or a view of it */
function isMemory(value) {
  return ArrayBuffer.isView(value) || isAnyArrayBuffer(value)
}

/** A tag may lie; the getter of the length does not. */
function hasGetter(Class, value) {
  try {
    Reflect.get(Class.prototype, 'byteLength', value)
    return true
  } catch {
    return false
  }
}

/**
 * The bytes of any value that holds bytes, without a copy if memory can be shared.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} input
 * @returns {Uint8Array} a Buffer on Node
 * @throws {BSONError} when it does not hold bytes
 */
function toBytes(input) {
  if (isBuffer(input) && input.length > 0) return input // an empty one may be detached
  if (isMemory(input)) return memoryBytes(input)
  if (Array.isArray(input)) return fromNumbers(input)
  const given = shownKind(input) + (typeof input === 'string' ? adviceForText(input) || adviceForString(input) : '')
  throw new BSONError(`BSON bytes must be a Buffer, Uint8Array, ArrayBuffer, DataView or array of byte values, not ${given}`)
}

/** What bytes, read as text, begin with: the fourth byte of a document below 16 MB is 0. @type {[RegExp, string][]} */
const TEXTS = [
  [/^\s*[[{]\s*["[{}\]]/, 'JSON: EJSON.toBSON or EJSON.parse reads the text'],
  [/^\x1f\ufffd\x08/, 'gzip: decompress it first'],
  [/^\(\ufffd\/\ufffd/, 'zstd: decompress it first'],
  [/^[0-9a-f]{6}00/i, 'hex'],
  [/^[\w+/-]{4}A[A-P][\w+/=-]{2}/, 'base64']
]

/** @param {string} text of a document, or its beginning @returns {string} to be added to a message; often '' */
function adviceForText(text) {
  const found = TEXTS.find(([sign]) => sign.test(text))
  return found === undefined ? '' : ` (this looks like ${found[1]})`
}

/** What only strings can be. @param {string} text instead of bytes @returns {string} as above */
function adviceForString(text) {
  return /[\0\ufffd]/.test(text) ? ' (bytes that were read as text: read them without an encoding)' : ''
}

/** @param {unknown} value @returns {value is Uint8Array} a Buffer on Node */
function isBuffer(value) {
  return NodeBuffer !== undefined ? value instanceof NodeBuffer && ArrayBuffer.isView(value) : isUint8Array(value)
}

function fromNumbers(numbers) {
  const bytes = allocate(numbers.length)
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]
    if (!(Number.isInteger(n) && n >= 0 && n <= 255)) throw new BSONError(`element ${i} of the array is not a byte: ${shownValue(n)}`)
    bytes[i] = n
  }
  return bytes
}

/** @param {any} input memory or a view of it @returns {Uint8Array} @throws {BSONError} when it is detached */
function memoryBytes(input) {
  try {
    const { buffer: memory = input, byteOffset: offset = 0, byteLength: length } = input
    return NodeBuffer !== undefined ? NodeBuffer.from(memory, offset, length) : new Uint8Array(memory, offset, length)
  } catch (cause) {
    throw new BSONError('bytes cannot be read: their memory is detached or too short', { cause })
  }
}

/** Whether memory may change its size. Bytes that follow the size can outgrow an older view. @param {any} memory */
function isResizable(memory) {
  return memory.resizable === true || memory.growable === true
}

/** @param {number} size bytes @returns {Uint8Array} with its own memory, not cleared on Node */
function allocate(size) {
  return NodeBuffer !== undefined ? NodeBuffer.allocUnsafeSlow(size) : new Uint8Array(size)
}

/**
 * Copies of up to this many bytes have their own memory, which V8 stores with the object. In Node's pool, a copy that
 * is kept would keep 8 kB.
 */
const SMALL_COPY = 64

/** @param {number} size bytes @returns {Buffer} */
function allocateCopy(size) {
  // @ts-ignore: the class takes a length, as Uint8Array does
  return NodeBuffer !== undefined && size > SMALL_COPY ? NodeBuffer.allocUnsafe(size) : new BufferView(size)
}

/** @param {Uint8Array} buf @param {number} [start] @param {number} [end] @returns {Buffer} a separate copy */
function copyOf(buf, start = 0, end = buf.length) {
  const copy = allocateCopy(end - start)
  for (let i = start; i < end && end - start <= 16; i++) copy[i - start] = buf[i]
  if (end - start > 16) copy.set(new BufferView(buf.buffer, buf.byteOffset + start, end - start))
  return copy
}

/** Up to this many bytes are copied by a loop: a view and `set` take as long as 50. */
const SHORT_COPY = 48

/**
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array} target with room
 * @param {number} pos
 * @returns {number} the offset after the copy
 */
function copyBytes(buf, start, end, target, pos) {
  if (end - start > SHORT_COPY) target.set(new BufferView(buf.buffer, buf.byteOffset + start, end - start), pos)
  else for (let i = start, to = pos; i < end; i++, to++) target[to] = buf[i]
  return pos + end - start
}

/** @type {(buf: Uint8Array, start: number, end: number) => string} a character for each byte */
const getLatin1 = latin1Reader()

/** Looks the method up once: looked up by each call, a text of 160 bytes takes 103 ns instead of 76. */
function latin1Reader() {
  const latin1Slice = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).latin1Slice
  if (typeof latin1Slice === 'function') return (buf, start, end) => latin1Slice.call(buf, start, end)
  return (buf, start, end) => {
    let chars = ''
    for (let i = start; i < end; i++) chars += String.fromCharCode(buf[i])
    return chars
  }
}

/** @param {Uint8Array[]} list @returns {Uint8Array} */
function concat(list) {
  let size = 0
  for (const part of list) size += part.length
  const whole = allocate(size)
  let offset = 0
  for (const part of list) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/**
 * Compares the bytes of `a` from `start` to `end` with those of `b` from `from` to `to`.
 *
 * @returns {number} negative, 0 or positive: in memcmp order, the shorter one first
 */
function compareBytes(a, start, end, b, from, to) {
  const length = Math.min(end - start, to - from)
  for (let i = 0; i < length; i++) {
    if (a[start + i] !== b[from + i]) return a[start + i] - b[from + i]
  }
  return end - start - (to - from)
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function equals(a, b) {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i === a.length && i === b.length
}

/** The base64 digits. */
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** @param {Uint8Array} buf @returns {string} padded */
function toBase64(buf) {
  if (NodeBuffer !== undefined) return NodeBuffer.from(buf.buffer, buf.byteOffset, buf.length).toString('base64')
  let base64 = ''
  for (let i = 0; i < buf.length; i += 3) {
    const bits = (buf[i] << 16) | (buf[i + 1] << 8) | buf[i + 2]
    base64 += BASE64[bits >> 18] + BASE64[(bits >> 12) & 63] + BASE64[(bits >> 6) & 63] + BASE64[bits & 63]
  }
  const missing = (3 - (buf.length % 3)) % 3
  return missing === 0 ? base64 : base64.slice(0, -missing) + '=='.slice(0, missing)
}

/** @param {string} base64 @returns {number} how many digits it has before its padding, -1 when it is not base64 */
function digitsIn(base64) {
  const count = base64.search(/[^A-Za-z0-9+/]/)
  if (count === -1) return base64.length % 4 === 1 ? -1 : base64.length
  const padding = base64.length - count
  const isRight = count % 4 > 1 && (padding === 1 || (padding === 2 && count % 4 === 2)) && base64.endsWith('==='.slice(0, padding))
  return isRight ? count : -1
}

/**
 * @param {string} base64 RFC 4648, section 4; white space is skipped and the padding may be missing, as in atob
 * @returns {Uint8Array}
 * @throws {BSONError} when it is not base64; Node's own decoder would skip what it does not know
 */
function fromBase64(base64) {
  let text = base64
  let count = -1
  if (typeof text === 'string') {
    count = digitsIn(text)
    if (count === -1) count = digitsIn(text = base64.replace(/[\t\n\f\r ]+/g, ''))
  }
  if (count === -1) throw new BSONError(`not a base64 string: ${shownValue(base64)}`)
  if (NodeBuffer !== undefined) return NodeBuffer.from(text, 'base64')
  const digits = text.slice(0, count)
  const bytes = new Uint8Array((digits.length * 3) >> 2)
  let bits = 0
  for (let i = 0, at = 0; i < digits.length; i++) {
    bits = (bits << 6) | BASE64.indexOf(digits[i])
    if (i % 4 > 0) bytes[at++] = bits >> (6 - 2 * (i % 4))
  }
  return bytes
}

module.exports = {
  NodeBuffer, BufferView, getInt32, getUint32, getInt64, isExactInt64, getInt24, putInt32, putInt64, putInt24,
  adviceForText, getterOf, isUint8Array, checkRange, isAnyArrayBuffer, isMemory, memoryBytes, toBytes, isResizable,
  allocate, allocateCopy, copyOf, copyBytes, getLatin1, concat, compareBytes, equals, BASE64, toBase64, fromBase64
}
