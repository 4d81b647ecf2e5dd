'use strict'

// Documents whose text is not UTF-8, with U+FFFD in place of what is invalid, as TextDecoder does it.

const { ELEMENT } = require('../spec')
const { GrowingBytes, findInvalidUtf8, getInt32, getUtf8Lossy, putInt32, utf8Bytes } = require('../bytes')
const { ElementCursor, scanRoot } = require('../elements')

const replaceString = (out, buf, value) => out.string(buf, value)
const replaceInner = out => out.inner()

/** What has text inside. @type {Record<number, (out: any, buf: Uint8Array, value: number, end: number) => void>} */
const WITH_TEXT = {
  [ELEMENT.STRING]: replaceString,
  [ELEMENT.CODE]: replaceString,
  [ELEMENT.SYMBOL]: replaceString,
  [ELEMENT.DB_POINTER](out, buf, value, end) {
    out.string(buf, value)
    out.copy(buf, end - 12, end)
  },
  [ELEMENT.REGEX](out, buf, value, end) {
    const middle = buf.indexOf(0, value)
    out.cstring(buf, value, middle)
    out.copy(buf, middle + 1, end)
  },
  [ELEMENT.CODE_WITH_SCOPE](out, buf, value) {
    const start = out.hole()
    out.string(buf, value + 4)
    out.inner()
    putInt32(out.pos - start, out.out, start)
  },
  [ELEMENT.DOCUMENT]: replaceInner,
  [ELEMENT.ARRAY]: replaceInner
}

class TextReplacer extends GrowingBytes {
  constructor() {
    super(1 << 12)
    this.cursor = new ElementCursor()
    /** Texts that were not UTF-8, in the last document: names, strings, code, symbols, parts of patterns. */
    this.count = 0
  }

  /**
   * @param {Uint8Array} document
   * @returns {Uint8Array} the document with valid text, good until the next call
   * @throws {import('../errors').BSONError} when anything else is wrong with its structure, with the offset
   */
  replace(document) {
    this.pos = 0
    this.count = 0
    this.cursor.open(document, 0, scanRoot(document, 0, false) - 1)
    this.elements()
    return this.bytes
  }

  /** @private Writes a document: the elements of what the cursor is in. */
  elements() {
    const start = this.hole()
    while (this.cursor.nextSibling()) this.element()
    this.endFrame(start)
  }

  /** @private */
  inner() {
    this.cursor.enter()
    this.elements()
    this.cursor.leave()
  }

  /** @private */
  element() {
    const { buf, type, pos, nameEnd, value, end } = this.cursor
    this.byte(type)
    this.cstring(buf, pos + 1, nameEnd)
    const replace = WITH_TEXT[type]
    if (replace === undefined) this.copy(buf, value, end)
    else replace(this, buf, value, end)
  }

  /** @private int32 length | text | 0x00 */
  string(buf, value) {
    const start = this.hole()
    this.cstring(buf, value + 4, value + 3 + getInt32(buf, value))
    putInt32(this.pos - start - 4, this.out, start)
  }

  /** @private text | 0x00 */
  cstring(buf, start, end) {
    if (findInvalidUtf8(buf, start, end) === -1) this.copy(buf, start, end)
    else {
      const valid = utf8Bytes(getUtf8Lossy(buf, start, end))
      this.copy(valid, 0, valid.length)
      this.count++
    }
    this.byte(0)
  }
}

function replacer() {
  return new TextReplacer()
}

module.exports = { replacer }
