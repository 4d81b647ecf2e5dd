'use strict'

// Extended JSON text -> BSON bytes. The parser writes what it reads and makes no objects. This keeps types that have no
// JavaScript value (undefined, DBPointers, dates outside the range of a Date), the order of keys, and duplicate keys.

const { ELEMENT } = require('../spec')
const { BSONError, atKey, stackError, describePlace } = require('../errors')
const {
  NodeBuffer, copyBytes, putInt32, putInt64, getUtf8, getUtf8Lossy, putUtf8, utf8Bytes, putIndexName
} = require('../bytes')
const { isInt64, ObjectId } = require('../types')
const { onlyOptions, refusal } = require('../options')
const { ElementCursor } = require('../elements')
const {
  acquireOutput, releaseOutput, putValue, closeDocument, DEFAULT_PLAN, begin, putString, putObjectId,
  putBinaryParts
} = require('../encode')
const { ascii } = require('../text')
const { Reader, checkName } = require('./parse')
const { markInt64, parseMarked } = require('./numbers')
const { NONE, putQuickForm, putInteger } = require('./quick-forms')
const { isDocument, unexpected } = require('./unexpected')
const {
  NotJson, asciiOf, skipSpace, endOfPlain, endOfString, endOfJson, endOfWord, textOf, checkText, numberOf
} = require('./tokens')
const { keyAt, valueOf, keyAfter, findCodes, endOfForm } = require('./keys')
const { WRAPPERS, wrapperOf } = require('./wrappers')

const {
  QUOTE, DOLLAR, COMMA, MINUS, ZERO, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT
} = ascii

const TRUE = asciiOf('true')
const FALSE = asciiOf('false')
const NULL = asciiOf('null')

/** Bytes enough for a type, the name of an array's item, and a value of any fixed-length type. */
const ROOM = 40

/** Integers of up to SAFE_DIGITS are exact as doubles; an int64 has at most INT64_DIGITS characters with its sign. */
const SAFE_DIGITS = 15
const INT64_DIGITS = 20

const REGEX = asciiOf('$regex')
const OPTIONS = asciiOf('$options')

const only = onlyOptions('EJSON.toBSON', ['legacy', 'maxDepth'], ['relaxed', 'useBigInt64', 'ignoreUndefined'])

/**
 * Writes a text of Extended JSON as BSON, without making objects.
 *
 * @param {string} text one document in Extended JSON, canonical or relaxed
 * @param {import('.').EJSONOptionsBase} [options] `legacy`: also accept version 1
 * @returns {Buffer} a Uint8Array where there is no Buffer
 * @throws {SyntaxError} when it is not JSON
 * @throws {BSONError} when it is not Extended JSON, with the path to what is wrong
 */
function toBSON(text, options) {
  if (typeof text !== 'string') throw refusal('text', text, 'a string')
  return new TextReader(only(options)).read(NodeBuffer !== undefined ? NodeBuffer.from(text) : utf8Bytes(text))
}

/** Reads documents, one after the other. */
class TextReader {
  /** @param {import('.').EJSONOptionsBase} [options] */
  constructor(options) {
    /** Which forms of wrappers are accepted. */
    this.rules = new Reader({ ...options, relaxed: false, useBigInt64: true }, true)
    this.rules.isExact = true
    /** @type {Uint8Array} the text */
    this.buf = new Uint8Array(0)
    /** Offset of the next token in `buf`. */
    this.at = 0
    /** The element type of the last value. */
    this.type = 0
    this.depth = 0
    /** The end of the text that has been searched by `codeAfter`. */
    this.ahead = 0
    /** The quote of each key `$code` that follows a document, by where that begins. @type {Map<number, number>} */
    this.codes = new Map()
    /** @type {import('../encode/output').Output} */
    this.out
  }

  /** @param {Uint8Array} buf one document, in UTF-8 @returns {Buffer} BSON @throws as `toBSON` */
  read(buf) {
    this.buf = buf
    this.depth = 0
    this.ahead = 0
    this.out = acquireOutput()
    try {
      begin(this.out, DEFAULT_PLAN)
      return this.out.finish(this.root(this.out.begin()))
    } catch (error) {
      const isSyntax = error instanceof NotJson || error instanceof SyntaxError
      if (isSyntax) JSON.parse(getUtf8Lossy(buf, 0, buf.length)) // says where
      throw describePlace(stackError(error))
    } finally {
      releaseOutput(this.out)
    }
  }

  /** The root is always a document, even if it looks like a wrapper. */
  root(pos) {
    const { buf } = this
    this.at = skipSpace(buf, 0)
    if (buf[this.at] !== OPEN_DOCUMENT) {
      JSON.parse(getUtf8(buf, 0, buf.length))
      throw new BSONError('Extended JSON must be a document to become BSON')
    }
    pos = this.document(pos, false)
    if (skipSpace(buf, this.at) !== buf.length) throw new NotJson()
    return pos
  }

  /** Sets `type`. @param {number} pos with room for a value of fixed length @returns {number} the offset after it */
  value(pos) {
    switch (this.buf[this.at]) {
      case QUOTE:
        this.type = ELEMENT.STRING
        return this.string(pos)
      case OPEN_DOCUMENT:
        return this.object(pos)
      case OPEN_ARRAY:
        return this.list(pos)
      case TRUE[0]:
        return this.boolean(pos, TRUE, 1)
      case FALSE[0]:
        return this.boolean(pos, FALSE, 0)
      case NULL[0]:
        return this.word(pos, NULL, ELEMENT.NULL)
      default:
        return this.number(pos)
    }
  }

  /** A document, or the wrapper of a value. */
  object(pos) {
    const { buf, at } = this
    const key = skipSpace(buf, at + 1)
    if (buf[key] === QUOTE && buf[key + 1] === DOLLAR) {
      const end = putQuickForm(this, key, pos)
      if (end !== NONE) return end
      this.at = at
    }
    return this.document(pos, true)
  }

  /** @param {number} pos @param {boolean} mayBeForm whether it may be a wrapper */
  document(pos, mayBeForm) {
    const { buf, at: from } = this
    const start = this.enter(pos)
    const first = skipSpace(buf, from + 1)
    let query
    pos += 4
    for (let at = first; ; at = this.separator(CLOSE_DOCUMENT)) {
      if (buf[at] === CLOSE_DOCUMENT) {
        if (query !== undefined) this.checkQuery(from, at + 1, start, pos)
        return this.leave(start, pos, at, ELEMENT.DOCUMENT)
      }
      if (buf[at] !== QUOTE) throw new NotJson()
      if (mayBeForm && (buf[at + 1] === DOLLAR || buf[at + 1] === BACKSLASH)) {
        const key = keyAt(buf, at)
        const end = key === '$scope' && at === first ? this.codeWithScope(from, start) : NONE
        if (end !== NONE) return end
        const wrapper = WRAPPERS.get(key)
        if (wrapper !== undefined && wrapper !== query) {
          const end = this.wrapped(wrapper, from, start)
          if (end !== NONE) return end
          query = wrapper
        }
      }
      pos = this.field(at, pos)
    }
  }

  /** @param {number} at of the name's quote @param {number} pos */
  field(at, pos) {
    try {
      const end = this.value(this.name(at, pos))
      this.out.buf[pos] = this.type
      return end
    } catch (error) {
      throw error instanceof BSONError ? atKey(error, keyAt(this.buf, at)) : error
    }
  }

  list(pos) {
    const { buf } = this
    const start = this.enter(pos)
    pos += 4
    let at = skipSpace(buf, this.at + 1)
    let index = 0
    try {
      for (; buf[at] !== CLOSE_ARRAY; index++) {
        const name = pos
        this.at = at
        this.out.reserve(pos, ROOM)
        pos = this.value(putIndexName(0, index, this.out.view, pos))
        this.out.buf[name] = this.type
        at = this.separator(CLOSE_ARRAY)
      }
    } catch (error) {
      throw atKey(error, index)
    }
    return this.leave(start, pos, at, ELEMENT.ARRAY)
  }

  /** Called at the beginning of a document or array. */
  enter(pos) {
    if (++this.depth > this.rules.maxDepth) throw this.rules.tooDeep()
    this.out.reserve(pos, ROOM)
    return pos
  }

  leave(start, pos, at, type) {
    this.depth--
    this.at = at + 1
    this.type = type
    return closeDocument(this.out, start, pos)
  }

  /** @param {number} close the closing bracket @returns {number} the offset of `close`, or of what follows a comma */
  separator(close) {
    const { buf } = this
    const at = skipSpace(buf, this.at)
    if (buf[at] === close) return at
    const next = skipSpace(buf, at + 1)
    if (buf[at] !== COMMA || buf[next] === close) throw new NotJson()
    return next
  }

  /** Leaves room for the type before the name. @param {number} at its quote @returns {number} where its value goes */
  name(at, pos) {
    const { buf } = this
    let end = endOfPlain(buf, at + 1)
    if (buf[end] === QUOTE) pos = this.copy(at + 1, end, pos + 1)
    else {
      end = endOfString(buf, at + 1)
      const name = textOf(buf, at + 1, end)
      checkName(name)
      pos = putUtf8(name, this.out.reserve(pos, 3 * name.length + ROOM), pos + 1)
    }
    this.out.buf[pos] = 0
    this.at = valueOf(buf, end)
    return pos + 1
  }

  /** Copies text unchanged, and reserves room after it. */
  copy(start, end, pos) {
    return copyBytes(this.buf, start, end, this.out.reserve(pos, end - start + ROOM), pos)
  }

  string(pos) {
    const { buf } = this
    const start = this.at + 1
    const plain = endOfPlain(buf, start)
    const end = endOfString(buf, plain)
    this.at = end + 1
    const escape = plain === end ? -1 : buf.subarray(plain, end).indexOf(BACKSLASH)
    if (escape !== -1) return putString(this.out, textOf(buf, start, end), pos)
    if (plain !== end) checkText(buf, plain, end)
    const after = this.copy(start, end, pos + 4)
    this.out.buf[after] = 0
    this.out.view.setInt32(pos, after - pos - 3, true)
    return after + 1
  }

  /** @param {number} pos @param {Uint8Array} word that should stand here @param {number} type */
  word(pos, word, type) {
    const { buf, at } = this
    for (let i = 0; i < word.length; i++) if (buf[at + i] !== word[i]) throw new NotJson()
    this.at = at + word.length
    this.type = type
    return pos
  }

  boolean(pos, word, value) {
    this.out.buf[pos] = value
    return this.word(pos + 1, word, ELEMENT.BOOLEAN)
  }

  number(pos) {
    const { buf, at: start } = this
    const first = buf[start] === MINUS ? start + 1 : start
    let value = 0
    let at = first
    for (let digit = buf[at] - ZERO; digit >= 0 && digit <= 9; digit = buf[++at] - ZERO) value = 10 * value + digit
    const byte = buf[at]
    const isInteger = byte !== 0x2e && byte !== 0x65 && byte !== 0x45
    const isPlain = at > first && (buf[first] !== ZERO || at === first + 1) && at - first <= SAFE_DIGITS
    if (!isInteger || !isPlain || (value === 0 && first > start)) return this.rareNumber(isInteger, pos)
    this.at = at
    return this.integer(first > start ? -value : value, pos)
  }

  /** @param {number} value a safe integer, not -0 */
  integer(value, pos) {
    if ((value | 0) !== value) {
      this.type = ELEMENT.INT64
      return putInteger(value, this.out, pos)
    }
    this.type = ELEMENT.INT32
    this.out.view.setInt32(pos, value, true)
    return pos + 4
  }

  /** It is a double if it has a fraction or an exponent, does not fit in an int64, or is -0. */
  rareNumber(isInteger, pos) {
    const { buf, at: start } = this
    const end = this.at = endOfWord(buf, start)
    const value = numberOf(buf, start, end)
    if (value !== value) throw new NotJson()
    if (isInteger && value !== 0 && end - start <= INT64_DIGITS) {
      const integer = BigInt(getUtf8Lossy(buf, start, end))
      if (isInt64(integer)) {
        this.type = ELEMENT.INT64
        return putInt64(integer, this.out.buf, pos)
      }
    }
    this.type = ELEMENT.DOUBLE
    this.out.view.setFloat64(pos, value, true)
    return pos + 8
  }

  /**
   * A document with the key of a BSON type. Returns NONE when it is an ordinary one with `$regex`, or may be:
   * see `checkQuery`.
   */
  wrapped(wrapper, from, pos) {
    const { buf, rules } = this
    const end = wrapper.type === ELEMENT.CODE ? this.codeWithScope(from, pos) : NONE
    if (end !== NONE) return end
    const after = endOfForm(buf, from, wrapper.keys)
    if (after === NONE && wrapper.keys[0] === '$regex') return NONE
    const doc = this.json(from, after === NONE ? endOfJson(buf, from, Infinity) : after)
    const found = wrapperOf(doc, Object.keys(doc), rules)
    if (found === undefined) return NONE
    if (after === NONE || isDocument(doc.$scope)) throw unexpected(found.name, doc)
    checkText(buf, from, after)
    const next = putLeaf(this.out, found.type, found.read(doc, rules), pos)
    this.depth--
    this.at = after
    this.type = found.type
    return next
  }

  /** @returns {any} the document, parsed without regard to wrappers */
  json(from, end) {
    const text = getUtf8Lossy(this.buf, from, end)
    return parseMarked(text, markInt64(text))
  }

  /** Decides about a document with `$regex` once it is written, so that nested ones are read once. */
  checkQuery(from, end, start, pos) {
    if (!isQuery(this.out.buf, start, pos)) throw unexpected('BSONRegExp', this.json(from, end))
  }

  /**
   * Searches each part of the text once, for all the scopes in it.
   *
   * @param {number} scope where a document begins
   * @returns {number} the quote of the key after it if that is `$code`, or NONE
   */
  codeAfter(scope) {
    if (scope >= this.ahead) this.ahead = findCodes(this.buf, scope, this.codes = new Map())
    return this.codes.get(scope) ?? NONE
  }

  /** {"$code": text, "$scope": document}, in either order; NONE for anything else. */
  codeWithScope(from, start) {
    const { buf } = this
    let code = NONE
    let scope = NONE
    let at = skipSpace(buf, from + 1)
    for (const isLast of [false, true]) {
      if (buf[at] !== QUOTE) return NONE
      const name = keyAt(buf, at)
      at = valueOf(buf, endOfString(buf, at + 1))
      if (name === '$code' && buf[at] === QUOTE) code = at
      else if (name === '$scope' && buf[at] === OPEN_DOCUMENT) scope = at
      else return NONE
      if (isLast) break
      at = at === scope ? this.codeAfter(scope) : keyAfter(buf, endOfString(buf, at + 1) + 1)
    }
    return code === NONE || scope === NONE ? NONE : this.putCode(code, scope, start)
  }

  /** int32 total length | code | scope */
  putCode(code, scope, start) {
    this.at = code
    let pos = this.string(start + 4)
    const { at: end } = this
    this.at = scope
    try {
      pos = this.document(pos, false)
    } catch (error) {
      throw atKey(error, '$scope')
    }
    if (code > scope) this.at = end
    const at = skipSpace(this.buf, this.at)
    if (this.buf[at] !== CLOSE_DOCUMENT) return NONE
    putInt32(pos - start, this.out.buf, start)
    this.depth--
    this.at = at + 1
    this.type = ELEMENT.CODE_WITH_SCOPE
    return pos
  }
}

/** As `isRegexQuery` of wrappers.js, for a document with `$regex` that has been written. */
function isQuery(buf, start, end) {
  const cursor = new ElementCursor().open(buf, start, end)
  let isValue = false
  while (cursor.nextSibling()) {
    if (cursor.isNamed(REGEX)) isValue = isRegexOrNull(cursor)
    else if (!cursor.isNamed(OPTIONS)) return true
  }
  return isValue
}

/** Also a document with `$regex` that was itself found to be a query. */
function isRegexOrNull({ type, buf, value, end }) {
  if (type !== ELEMENT.DOCUMENT) return type === ELEMENT.REGEX || type === ELEMENT.NULL
  const cursor = new ElementCursor().open(buf, value, end - 1)
  while (cursor.nextSibling()) if (cursor.isNamed(REGEX)) return true
  return false
}

const putAsInt64 = (out, value, pos) => putInt64(BigInt(value), out.buf, pos)

/** The types that are not written as `encode` writes them. */
const LEAVES = {
  [ELEMENT.DATETIME]: putAsInt64,
  [ELEMENT.INT64]: putAsInt64,
  [ELEMENT.UNDEFINED]: (out, value, pos) => pos,
  // also a vector that encode would refuse: the text of any bytes is read as those bytes
  [ELEMENT.BINARY]: (out, value, pos) =>
    putBinaryParts(out, { subtype: value.sub_type, bytes: value.buffer, size: value.position }, pos),
  [ELEMENT.DB_POINTER]: (out, { $ref, $id }, pos) =>
    putObjectId(out, pointerId($id), putString(out, $ref, pos))
}

function pointerId(id) {
  try {
    return ObjectId.fromExtendedJSON(id)
  } catch (error) {
    throw atKey(error, '$id')
  }
}

/** The caller has reserved room for values of fixed length. */
function putLeaf(out, type, value, pos) {
  const put = LEAVES[type]
  return put === undefined ? putValue(out, type, value, pos) : put(out, value, pos)
}

module.exports = { toBSON, TextReader }
