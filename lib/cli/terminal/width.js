'use strict'

// How many terminal columns a text takes. Node's own function, which readline uses, is not public.

/** Text of only these characters takes one column for each. */
const NARROW = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/

/** Made on first use, because it takes 8 ms. @type {ReturnType<typeof makeRules> | undefined} */
let rules

function makeRules() {
  // scripts with wide characters, and their marks and fullwidth forms: https://www.unicode.org/reports/tr11/
  const scripts = ['Han', 'Hangul', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi'].map(name => `\\p{Script=${name}}`).join('')
  const forms = '\u3000-\u303e\u30fb-\u30ff\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6'
  const halfwidth = '\uff61-\uffdc'
  return {
    // splits text into what people see as characters: with accents, or several code points joined into an emoji
    segmenter: new Intl.Segmenter(),
    // only code points drawn onto the character before, or not drawn
    nothing: /^[\p{Mark}\p{Format}\p{Default_Ignorable_Code_Point}]+$/u,
    // emoji by default, by U+FE0F, or as the two letters of a flag
    emoji: /\p{Emoji_Presentation}|\ufe0f/u,
    wide: new RegExp(`^(?![${halfwidth}])[${scripts}${forms}]`, 'u')
  }
}

/** The characters of a text, with their columns. @returns {Generator<{index: number, width: number}, void>} */
function* characters(text) {
  const { segmenter, nothing, emoji, wide } = (rules ??= makeRules())
  for (const { segment, index } of segmenter.segment(text)) {
    const width = nothing.test(segment) ? 0 : emoji.test(segment) || wide.test(segment) ? 2 : 1
    yield { index, width }
  }
}

/** @param {string} text without control characters @returns {number} columns of a terminal */
function width(text) {
  if (NARROW.test(text)) return text.length
  let sum = 0
  for (const { width: own } of characters(text)) sum += own
  return sum
}

/** @param {string} text without control characters @returns {string} whole characters that fit into `most` columns */
function cut(text, most) {
  let used = 0
  for (const { index, width: own } of characters(text)) {
    used += own
    if (used > most) return text.slice(0, index)
  }
  return text
}

module.exports = { width, cut }
