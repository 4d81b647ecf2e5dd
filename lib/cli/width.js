'use strict'

// How many terminal columns a text takes. Node's own function, which readline uses, is not public.

/** Splits text into what people see as characters: with accents, or several code points joined into an emoji. */
const segmenter = new Intl.Segmenter()

/** Only code points drawn onto the character before, or not drawn. */
const NOTHING = /^[\p{Mark}\p{Format}\p{Default_Ignorable_Code_Point}]+$/u

/** Emoji by default, by U+FE0F, or as the two letters of a flag. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u

/** Scripts with wide characters, and their marks and fullwidth forms: https://www.unicode.org/reports/tr11/ */
const SCRIPTS = ['Han', 'Hangul', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi'].map(name => `\\p{Script=${name}}`).join('')
const FORMS = '\u3000-\u303e\u30fb-\u30ff\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6'
const HALFWIDTH = '\uff61-\uffdc'
const WIDE = new RegExp(`^(?![${HALFWIDTH}])[${SCRIPTS}${FORMS}]`, 'u')

/** Text of only these characters takes one column for each. */
const NARROW = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/

/** @param {string} character @returns {number} 0, 1 or 2 */
function widthOf(character) {
  if (NOTHING.test(character)) return 0
  return EMOJI.test(character) || WIDE.test(character) ? 2 : 1
}

/** @param {string} text without control characters @returns {number} columns of a terminal */
function width(text) {
  if (NARROW.test(text)) return text.length
  let sum = 0
  for (const { segment } of segmenter.segment(text)) sum += widthOf(segment)
  return sum
}

/**
 * @param {string} text without control characters
 * @param {number} most columns
 * @returns {string} as many whole characters as fit
 */
function cut(text, most) {
  let used = 0
  for (const { segment, index } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > most) return text.slice(0, index)
  }
  return text
}

module.exports = { width, cut }
