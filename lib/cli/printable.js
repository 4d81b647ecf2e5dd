'use strict'

/** Control characters, those of Latin-1's upper half too: a terminal would obey them. */
const CONTROLS = /[\0-\x1f\x7f-\x9f]/g

/**
 * What a file says, or is called, with control characters as \u001b: in JSON text that says the same.
 *
 * @param {string} text
 * @param {string} [except] a control character to be kept
 * @returns {string}
 */
function printable(text, except = '') {
  const escape = char => (char === except ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.replace(CONTROLS, escape)
}

/**
 * Lines of JSON as bytes. JSON has no control characters but DEL and those that begin with 0xc2 in UTF-8: looking for
 * these two bytes takes next to nothing, the expression 4 ns a character.
 *
 * @param {string} json
 * @returns {Uint8Array}
 */
function printableBytes(json) {
  const bytes = Buffer.from(json)
  return bytes.includes(0x7f) || bytes.includes(0xc2) ? Buffer.from(printable(json, '\n')) : bytes
}

module.exports = { printable, printableBytes }
