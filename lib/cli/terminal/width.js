'use strict'

// How many terminal columns a text takes. Node's own function, which readline uses, is not public.

/** Scripts with wide characters, and their marks and fullwidth forms: https://www.unicode.org/reports/tr11/ */
const WIDE_SCRIPTS = ['Han', 'Hangul', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi'].map(name => `\\p{Script=${name}}`).join('')
const WIDE_FORMS = '\u3000-\u303e\u30fb-\u30ff\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6'
const HALFWIDTH = '\uff61-\uffdc'

/** What takes two columns: an emoji, of one or several code points, or a wide character. */
const WIDE = new RegExp(`\\p{RGI_Emoji}|(?![${HALFWIDTH}])[${WIDE_SCRIPTS}${WIDE_FORMS}]`, 'gv')

/** What is drawn onto the character before, or not drawn. */
const NOTHING = /[\p{Mark}\p{Format}\p{Default_Ignorable_Code_Point}]/gu

/** @param {string} text without control characters @returns {number} columns of a terminal */
function width(text) {
  return [...text.replace(WIDE, 'xx').replace(NOTHING, '')].length
}

/** @param {string} text without control characters @returns {string} whole characters that fit into `most` columns */
function cut(text, most) {
  let used = 0
  for (const { index, segment } of new Intl.Segmenter().segment(text)) {
    used += width(segment)
    if (used > most) return text.slice(0, index)
  }
  return text
}

module.exports = { width, cut }
