'use strict'

// How many terminal columns a text takes. Node's own function, which readline uses, is not public.

/** Text of only these characters takes one column for each. */
const NARROW = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/

/** What takes two columns, made on first use, because it takes 2 to 10 ms. @type {RegExp | undefined} */
let wide

/** An emoji, of one or several code points, or a wide character. */
function makeWide() {
  // scripts with wide characters, and their marks and fullwidth forms: https://www.unicode.org/reports/tr11/
  const scripts = ['Han', 'Hangul', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi'].map(name => `\\p{Script=${name}}`).join('')
  const forms = '\u3000-\u303e\u30fb-\u30ff\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6'
  const narrow = '\\p{Mark}\u1160-\u11ff\ud7b0-\ud7ff\uff61-\uffdc' // or nothing: see NOTHING
  // emoji by default, by what follows, or as the letters of a flag; also without the U+FE0F that should be in them
  const changed = '[\\ufe0f\\p{Emoji_Modifier}]'
  const joined = '\\u200d\\p{Extended_Pictographic}'
  const one = `(?:\\p{Emoji_Presentation}|\\p{Emoji}(?=${changed}|${joined}))`
  const emoji = `\\p{Regional_Indicator}{1,2}|${one}${changed}*(?:${joined}${changed}*)*`
  return new RegExp(`${emoji}|(?![${narrow}])[${scripts}${forms}]`, 'gu')
}

/** What is drawn onto the character before, as the vowels and finals of Hangul are, or not drawn. */
const NOTHING = /[\p{Mark}\u1160-\u11ff\ud7b0-\ud7ff\p{Format}\p{Default_Ignorable_Code_Point}]/gu

/** @param {string} text without control characters @returns {number} columns of a terminal */
function width(text) {
  if (NARROW.test(text)) return text.length
  wide ??= makeWide()
  return [...text.replace(wide, 'xx').replace(NOTHING, '')].length
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
