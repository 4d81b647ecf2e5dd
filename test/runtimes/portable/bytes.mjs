// What the tables of vectors need of Node's Buffer, for runtimes that have none.

const DIGITS = '0123456789abcdef'

class Bytes extends Uint8Array {
  /**
   * @param {any} input a string, memory or numbers
   * @param {any} [encoding] of a string, or an offset
   * @param {number} [length]
   */
  static from(input, encoding, length) {
    if (typeof input === 'string') return encoding === 'hex' ? ofHex(input) : ofText(input)
    if (input instanceof ArrayBuffer) return new Bytes(input, encoding, length)
    return super.from(input)
  }

  static alloc(size, fill = 0) {
    return new Bytes(size).fill(fill)
  }

  static isBuffer() {
    return false
  }

  toString(encoding) {
    if (encoding !== 'hex') throw new Error(`no ${encoding}`)
    return Array.from(this, byte => DIGITS[byte >> 4] + DIGITS[byte & 15]).join('')
  }

  writeInt32LE(value) {
    for (let i = 0; i < 4; i++) this[i] = value >> (8 * i)
  }
}

function ofHex(text) {
  return Bytes.from(Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16)))
}

function ofText(text) {
  const escaped = unescape(encodeURIComponent(text))
  return Bytes.from(Array.from(escaped, char => char.charCodeAt(0)))
}

export { Bytes as Buffer }
