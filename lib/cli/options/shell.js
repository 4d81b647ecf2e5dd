'use strict'

// Queries as people type them in MongoDB's shell, rewritten as Extended JSON: names without quotes, single quotes,
// ObjectId('...'), ISODate('...'), /regex/i, commas at the end, comments.

const { BSONError } = require('../../errors')
const { isoTime } = require('../../text')

/** Levels of documents and arrays. */
const MAX_LEVELS = 200

/** White space and comments, then one word, number, string, regular expression or sign. */
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
const TOKEN = new RegExp([
  /(?<word>[\p{ID_Start}_$][\p{ID_Continue}$]*(?:\.[\p{ID_Start}_$][\p{ID_Continue}$]*)*)/u,
  /(?<number>[+-]?(?:0x[\da-f]+|(?:(?:0(?!\d)|[1-9]\d*)\.?\d*|\.\d+)(?:e[+-]?\d+)?|Infinity\b))/,
  /(?<string>"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'|`[^`\\$]*(?:\\[^][^`\\$]*)*`)/,
  /\/(?<pattern>(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/(?<flags>[a-z]*)/, /[^]/
].map(({ source }) => source).join('|'), 'iuy')

/** @type {Record<string, string>} */
const WORDS = {
  true: 'true', false: 'false', null: 'null', undefined: '{"$undefined":true}', NaN: '{"$numberDouble":"NaN"}',
  Infinity: '{"$numberDouble":"Infinity"}', MinKey: '{"$minKey":1}', MaxKey: '{"$maxKey":1}'
}

/** What their arguments, as JSON, become. @type {Record<string, (...args: any[]) => object>} */
const CALLS = {
  ObjectId: text => ({ $oid: text }),
  ISODate: dateOf,
  Long: number => ({ $numberLong: String(number) }),
  Int32: number => ({ $numberInt: String(number) }),
  Decimal128: number => ({ $numberDecimal: String(number) }),
  Double: number => ({ $numberDouble: String(number) }),
  UUID: text => ({ $uuid: text }),
  BinData: (subtype, base64) => ({ $binary: { base64, subType: Number(subtype).toString(16).padStart(2, '0') } }),
  HexData: (subtype, hex) => CALLS.BinData(subtype, Buffer.from(checkedHex(hex), 'hex').toString('base64')),
  Timestamp: (t, i) => ({ $timestamp: { t: Number(t?.t ?? t), i: Number(t?.i ?? i) } }),
  RegExp: (pattern, flags = '') => ({ $regularExpression: { pattern, options: [...flags].sort().join('') } }),
  MinKey: () => ({ $minKey: 1 }),
  MaxKey: () => ({ $maxKey: 1 })
}

/** The fewest and the most arguments, where some can be left out. @type {Record<string, [number, number]>} */
const ARGUMENTS = { ISODate: [0, 1], Timestamp: [1, 2], RegExp: [1, 2] }

/** Other names of the same. @type {Record<string, string>} */
const ALIASES = {
  Date: 'ISODate', NumberLong: 'Long', NumberInt: 'Int32', NumberDecimal: 'Decimal128', ObjectID: 'ObjectId',
  'Long.fromString': 'Long', 'Decimal128.fromString': 'Decimal128', BSONRegExp: 'RegExp'
}

/** What the shell writes for values that JSON does not have. */
const NAMES = [...Object.keys(CALLS), ...Object.keys(ALIASES), 'DBRef']

/** Also without a time, or without the dashes of the day. */
const ISO_DATE = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** A date without a time zone is in UTC, wherever the command runs. @param {string | Digits} [value] text, or ms */
function dateOf(value) {
  const ms = value === undefined ? Date.now() : value instanceof Digits ? Number(value) : msOf(String(value))
  if (!Number.isInteger(ms)) throw new BSONError(`${JSON.stringify(value)} is not a date such as 2024-01-31T12:00:00Z`)
  return { $date: { $numberLong: String(ms) } }
}

/** @param {string} text @returns {number} ms since 1970; NaN when it is not a date */
function msOf(text) {
  const [, year, , month, day, time = '00:00', seconds = ':00', zone = 'Z'] = ISO_DATE.exec(text) ?? []
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  return isoTime(`${year}-${month}-${day}T${time}${seconds}${offset}`)
}

function checkedHex(hex) {
  if (/^(?:[\da-f]{2})*$/i.test(String(hex))) return String(hex)
  throw new BSONError(`HexData needs pairs of hexadecimal digits, not ${JSON.stringify(hex)}`)
}

/** An argument that is a number, as text, so that no digits get lost. */
class Digits {
  constructor(text) {
    this.text = text
  }

  toString() {
    return this.text
  }

  toJSON() {
    return this.text
  }
}

/** A reader of one value. */
class Reader {
  constructor(text) {
    this.text = text
    this.pos = 0
    this.level = 0
    this.next()
  }

  /** Goes to the next token. */
  next() {
    SPACE.lastIndex = this.pos
    SPACE.exec(this.text)
    this.start = TOKEN.lastIndex = SPACE.lastIndex
    const token = this.nextToken()
    this.pos = this.start + (token?.[0].length ?? 0)
    this.token = token?.[0] ?? ''
    this.groups = token?.groups ?? {}
  }

  /** @returns {RegExpExecArray | null} */
  nextToken() {
    try {
      return TOKEN.exec(this.text)
    } catch (cause) { // the stack of regular expressions has an end: one escape sequence takes some bytes of it
      throw new BSONError(`a string or pattern that is too long begins at character ${this.start + 1}`, { cause })
    }
  }

  fail(what = this.token === '' ? 'end' : JSON.stringify(this.token)) {
    return new BSONError(`unexpected ${what} at character ${this.start + 1}`)
  }

  take(sign) {
    if (this.token !== sign) throw this.fail()
    this.next()
  }

  /** @returns {string} Extended JSON */
  value() {
    const { token, groups: { word, number, string, pattern, flags } } = this
    if (token === '{' || token === '[') return this.nested(token)
    if (word !== undefined) return this.named(word)
    if (number === undefined && string === undefined && pattern === undefined) throw this.fail()
    this.next()
    if (number !== undefined) return numberOf(number)
    return JSON.stringify(string === undefined ? CALLS.RegExp(pattern, flags) : textOf(string))
  }

  /** A document or an array. */
  nested(open) {
    if (++this.level > MAX_LEVELS) throw new BSONError(`more than ${MAX_LEVELS} levels`)
    this.next()
    const parts = open === '{' ? this.list('}', () => this.field()) : this.list(']', () => this.value())
    this.level--
    return open === '{' ? `{${parts.join()}}` : `[${parts.join()}]`
  }

  list(close, read) {
    const parts = []
    while (this.token !== close) {
      parts.push(read())
      if (this.token !== close) this.take(',')
    }
    this.next()
    return parts
  }

  field() {
    const { word, number, string } = this.groups
    const name = string === undefined ? word ?? number : textOf(string)
    if (name === undefined) throw this.fail(this.token === ':' ? `":" without a name (${UNQUOTED})` : undefined)
    this.next()
    this.take(':')
    return `${JSON.stringify(name)}:${this.value()}`
  }

  /** A constant, or a call. @param {string} word */
  named(word) {
    const { start } = this
    this.next()
    if (word === 'new' && this.groups.word !== undefined) return this.named(this.groups.word)
    const name = Object.hasOwn(ALIASES, word) ? ALIASES[word] : word
    if (this.token !== '(' || !Object.hasOwn(CALLS, name)) {
      if (this.token !== '(' && Object.hasOwn(WORDS, word)) return WORDS[word]
      this.start = start
      throw this.fail(JSON.stringify(word))
    }
    this.next()
    const args = this.list(')', () => this.value()).map(argumentOf)
    const [least, most] = ARGUMENTS[name] ?? [CALLS[name].length, CALLS[name].length]
    if (args.length < least || args.length > most) throw new BSONError(`${word} cannot have ${args.length} arguments`)
    return JSON.stringify(CALLS[name](...args))
  }
}

/** @param {string} json of an argument; of NaN and the infinities Extended JSON */
function argumentOf(json) {
  const [number] = /^[-\d].*|(?<=^\{"\$numberDouble":")[^"]+(?="\}$)/.exec(json) ?? []
  return number === undefined ? JSON.parse(json) : new Digits(number)
}

function numberOf(number) {
  if (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(number)) return number
  const [, sign, hex] = /^([+-]?)(0x.*)$/i.exec(number) ?? [] // JavaScript reads no sign before 0x
  const value = hex === undefined ? Number(number) : Number(hex) * (sign === '-' ? -1 : 1)
  return Number.isFinite(value) ? String(value) : JSON.stringify({ $numberDouble: String(value) })
}

/** What became of an operator. */
const UNQUOTED = 'in double quotes, shells replace $gt by nothing'

const ESCAPES = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' }

function textOf(quoted) {
  const escape = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([^]))/gi
  return quoted.slice(1, -1).replace(escape, (_, point, unit, byte, character) => {
    const code = point ?? unit ?? byte
    if (code === undefined) return ESCAPES[character] ?? character
    if (parseInt(code, 16) > 0x10ffff) throw new BSONError(`there is no character ${code} of Unicode`)
    return String.fromCodePoint(parseInt(code, 16))
  })
}

/** @param {string} text a value @returns {string} Extended JSON @throws {BSONError} with the place of what is wrong */
function fromShell(text) {
  const reader = new Reader(text)
  const value = reader.value()
  if (reader.token !== '') throw reader.fail()
  return value
}

module.exports = { NAMES, UNQUOTED, fromShell }
