'use strict'

// Regular expressions as the server reads them (PCRE2, UTF-8) to those of JavaScript with the option u, which refuses
// what it does not know. What JavaScript reads in another way is written in another way here, or refused.

const { BSONError, shownName } = require('../errors')

/** What the option x leaves out, outside of classes: Unicode's white space of patterns, but no comments. */
const SPACE = /^[\t-\r \x85\u200e\u200f\u2028\u2029]$/

/** What would become another part without the space that keeps it apart. */
const JOINED = /\( \?$|(?:\\x[\dA-Fa-f]?|\\c) .$|\\\d+ \d$/u

/** A longer pattern, in UTF-16 units, is refused, as by the server. */
const MAX_LENGTH = 32_764

/** What PCRE means by these escapes, outside of classes and in them. @type {Record<string, [string, string | null]>} */
const ESCAPES = {
  d: ['[0-9]', '0-9'],
  D: ['[^0-9]', '\\D'],
  s: ['[\\t-\\r ]', '\\t-\\r '],
  S: ['[^\\t-\\r ]', '\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}'],
  h: ['[\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]', null],
  v: ['[\\n-\\r\\x85\\u2028\\u2029]', '\\n-\\r\\x85\\u2028\\u2029'],
  A: ['(?<![^])', null],
  z: ['(?![^])', null],
  Z: ['(?=\\n?(?![^]))', null]
}

/** By the options: what these characters mean outside of classes. */
const charactersOf = ({ hasLines, hasAll }) => ({
  '.': hasAll ? '[^]' : '[^\\n]',
  '^': hasLines ? '(?<=(?<![^])|\\n(?=[^]))' : '^', // one assertion, which cannot be repeated
  '$': hasLines ? '(?![^\\n])' : '(?=\\n?(?![^]))',
  ']': '\\]',
  '{': '\\{',
  '}': '\\}'
})

/** A class, in which a `]` comes first if at all, and what PCRE refuses in its place: `[:alpha:]`, `[.a.]`. */
const SET = /\[(?:\^|(?!\^))(?:\]|(?!\]))(?:\\[^u]|\[(?![:.=])|[^\\\][])*\]/
const POSIX = /\[(?<mark>[:.=])(?:\\[\\\]]|[^\]])*?\k<mark>\]/

/** An escape with braces, any other but `\u`, which PCRE lacks, the start of a group, a count, a class, a character. */
const PART = new RegExp([
  /\\x\{(?<code>[0-9A-Fa-f]{1,6})\}/, /\\[Pp]\{\w+\}/, /\\(?<escaped>[^u])/,
  /\(\?(?:[:=!]|<[=!]|<(?<name>[A-Za-z_]\w*)>)/, /\{\d+(?:,\d*)?\}/,
  { source: `(?!${POSIX.source})(?<set>${SET.source})` }, /[^\\[]/
].map(({ source }) => source).join('|'), 'uy')

/**
 * PCRE fails at a reference to a group that has matched nothing, JavaScript passes it: refused is a reference to a
 * group that does not end before it, and any with what may leave a group unmatched, or matches from the right.
 */
const REFERENCE = /\\(?:(?<number>[1-9]\d*)|k<(?<name>\w+)>)/y
const OPTIONAL = /\||\)(?:[?*]|\{0)|\(\?(?:!|<[=!])/

/**
 * A test of texts. Inside of a pair of surrogates, where no text can end, V8 finds that nothing is before and nothing
 * behind: `(?<![^])(?![^])` matches there, so such a match of nothing does not count.
 */
function patternTest(pattern, options) {
  const regex = toRegExp(pattern, options)
  return text => {
    regex.lastIndex = 0
    while (regex.test(text)) {
      if (!isInPair(text, regex.lastIndex)) return true
      regex.lastIndex++
    }
    return false
  }
}

function isInPair(text, at) {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

/** Of the options, `u` is always on. @throws {BSONError} when JavaScript cannot express it */
function toRegExp(pattern, options) {
  const [, start = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? []
  const all = options + start
  const unknown = /[^imsxu]/.exec(all)
  if (unknown !== null) throw new BSONError(`the option ${unknown[0]} of a regular expression is not supported`)
  if (pattern.includes('\0')) throw new BSONError('a regular expression cannot hold a 0x00')
  if (pattern.length > MAX_LENGTH) throw new BSONError(`a regular expression can have at most ${MAX_LENGTH} characters`)
  const body = start === '' ? pattern : pattern.slice(start.length + 3)
  const how = { hasLines: all.includes('m'), hasAll: all.includes('s'), isSpaced: all.includes('x') }
  try {
    return new RegExp(translated(body, how), all.includes('i') ? 'giu' : 'gu')
  } catch {
    throw unsupported(pattern)
  }
}

function unsupported(pattern) {
  return new BSONError(`JavaScript has no such regular expression: /${shownName(pattern)}/`)
}

function translated(pattern, how) {
  const characters = charactersOf(how)
  const groups = new Groups(pattern)
  let source = ''
  let isApart = false
  PART.lastIndex = 0
  while (PART.lastIndex < pattern.length) {
    const part = PART.exec(pattern)
    if (part === null) throw unsupported(pattern)
    const [whole] = part
    groups.take(part)
    if (how.isSpaced && (whole === '#' || SPACE.test(whole))) {
      if (whole === '#') PART.lastIndex = endOfLine(pattern, PART.lastIndex)
      isApart = true
      continue
    }
    if (whole === '(' && /[?*]/.test(pattern[PART.lastIndex])) throw unsupported(pattern)
    if (isApart && JOINED.test(`${source.slice(-4)} ${whole}`)) throw unsupported(pattern)
    isApart = false
    source += partOf(part, characters)
  }
  return source
}

/** The groups of a pattern that have ended. */
class Groups {
  constructor(pattern) {
    this.pattern = pattern
    this.hasOptional = OPTIONAL.test(pattern)
    this.count = 0
    /** What each open group is called, and whether it looks behind. @type {{names: string[], isBehind: boolean}[]} */
    this.open = []
    /** @type {Set<string>} */
    this.ended = new Set()
  }

  /** @param {RegExpExecArray} part @throws {BSONError} on a reference to a group that may not have matched */
  take({ 0: whole, index, groups: { escaped, name } }) {
    const isBehind = this.open.at(-1)?.isBehind // PCRE looks behind for a known number of characters
    if (isBehind && /^(?:[?*+]|\{.*,)/.test(whole)) throw unsupported(this.pattern)
    if (whole[0] === '(') {
      const names = whole === '(' || name !== undefined ? [String(++this.count), name] : []
      this.open.push({ names, isBehind: isBehind || /^\(\?<[=!]/.test(whole) })
    } else if (whole === ')') for (const each of this.open.pop()?.names ?? []) this.ended.add(each)
    if (escaped === undefined || !/[1-9k]/.test(escaped)) return
    REFERENCE.lastIndex = index
    const found = REFERENCE.exec(this.pattern)
    const target = found?.groups.number ?? found?.groups.name
    if (!this.ended.has(target) || this.hasOptional) throw unsupported(this.pattern)
  }
}

/** @param {RegExpExecArray} part @param {Record<string, string>} characters */
function partOf({ 0: whole, groups: { code, escaped, set } }, characters) {
  if (code !== undefined) return `\\u{${code}}`
  if (escaped !== undefined) return escapeOf(escaped, 0)
  if (set !== undefined) return classOf(set)
  return Object.hasOwn(characters, whole) ? characters[whole] : whole
}

function endOfLine(pattern, at) {
  const end = pattern.indexOf('\n', at)
  return end === -1 ? pattern.length : end + 1
}

/** @param {string} character after the backslash @param {0 | 1} place 1: in a class */
function escapeOf(character, place) {
  if (Object.hasOwn(ESCAPES, character)) return ESCAPES[character][place] ?? `\\${character}`
  return /[a-z0-9]/i.test(character) ? `\\${character}` : `\\u{${character.codePointAt(0).toString(16)}}`
}

function classOf(text) {
  const [, open, first, rest] = /^(\[\^?)(\]?)([^]*)\]$/.exec(text)
  const start = `${open}${first === '' ? '' : '\\]'}`
  const written = escape => `${start}${rest.replace(/\\x\{([0-9A-Fa-f]{1,6})\}|\\([^])|\[/gu, (whole, code, escaped) => {
    if (code !== undefined) return `\\u{${code}}`
    return escaped === undefined ? '\\[' : escape(escaped)
  })}]`
  // throws on a range to an escape: neither PCRE nor JavaScript has one to `\w`
  RegExp(written(escaped => Object.hasOwn(ESCAPES, escaped) ? '\\w' : escapeOf(escaped, 1)), 'u')
  return written(escaped => escapeOf(escaped, 1))
}

module.exports = { patternTest }
