'use strict'

// Keys that equal values share, comparing values as MongoDB does: numbers by value regardless of type, documents
// regardless of the order of their fields. Each container is visited once, and is represented by a number afterwards.

const { ELEMENT } = require('../spec')
const { toHex } = require('../bytes')
const { ElementCursor } = require('../elements')
const { NUMBERS, numberAt, numberKey } = require('./numbers')

class Keys {
  /** @param {(buf: Uint8Array, start: number, end: number) => string} read reads text and names */
  constructor(buf, maxDepth, read) {
    this.read = read
    this.buf = buf
    this.maxDepth = maxDepth
    this.cursor = new ElementCursor()
    /** @type {Map<string, string>} */
    this.containers = new Map()
    /** @type {Map<number, string>} by the offset in `buf` */
    this.known = new Map()
    /** By lists of elements. @type {Map<{type: number, bytes: Uint8Array, start: number}[], Set<string>>} */
    this.sets = new Map()
  }

  /** @returns {Keys} for other bytes: the same, unless it has stored something */
  emptied(buf) {
    return this.containers.size > 0 ? new Keys(buf, this.maxDepth, this.read) : this
  }

  /** The keys of a list of elements, each the last of a document of its own. */
  keysOf(elements) {
    const known = this.sets.get(elements)
    if (known !== undefined) return known
    const keys = new Set(elements.map(({ type, bytes, start }) => this.keyOf(type, bytes, start, bytes.length - 1, 1)))
    this.sets.set(elements, keys)
    return keys
  }

  /** Of a value from `value` to `next`. @param {number} depth of its container @throws on bytes that are not BSON */
  keyOf(type, buf, value, next, depth) {
    if (NUMBERS.includes(type)) return `n${numberKey(numberAt(type, buf, value))}`
    if (type === ELEMENT.STRING) return `s${this.read(buf, value + 4, next - 1)}`
    if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) return `${type}:${toHex(buf.subarray(value, next))}`
    const known = this.knownKey(buf, value)
    if (known !== undefined) return known
    this.cursor.open(buf, value, next - 1, this.maxDepth, depth)
    return this.containerKey(type, value)
  }

  /** The key of the container that the cursor has entered. */
  containerKey(type, value) {
    const { cursor } = this
    const { buf } = cursor
    const items = []
    /** If a name repeats, its last element counts. @type {Map<string, string>} */
    const fields = new Map()
    while (cursor.nextSibling()) {
      const { pos, nameEnd } = cursor
      const key = cursor.isContainer ? this.enteredKey() : this.keyOf(cursor.type, buf, cursor.value, cursor.end, 0)
      if (type === ELEMENT.ARRAY) items.push(key)
      else fields.set(this.read(buf, pos + 1, nameEnd), key)
    }
    const parts = type === ELEMENT.ARRAY ? items : Array.from(fields, field => JSON.stringify(field)).sort()
    const text = JSON.stringify([type, ...parts])
    const key = this.containers.get(text) ?? `#${this.containers.size}`
    this.containers.set(text, key)
    if (buf === this.buf) this.known.set(value, key)
    return key
  }

  enteredKey() {
    const { cursor } = this
    const { buf, type, value } = cursor
    const known = this.knownKey(buf, value)
    if (known !== undefined) return known
    cursor.enter()
    const key = this.containerKey(type, value)
    cursor.leave()
    return key
  }

  knownKey(buf, value) {
    return buf === this.buf ? this.known.get(value) : undefined
  }
}

module.exports = { Keys }
