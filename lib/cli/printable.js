'use strict'

const { concat } = require('../bytes')

/** Control characters, including those of Latin-1's upper half: a terminal would obey them. */
const CONTROLS = /[\0-\x1f\x7f-\x9f]/g

/** DEL, and the first of the two bytes of U+0080 to U+00BF. */
const DELETE = 0x7f
const LEAD = 0xc2

/**
 * Text or a file name with control characters escaped like \u001b, which keeps the meaning of JSON.
 *
 * @param {string} text
 * @param {string} [except] a control character to keep
 * @returns {string}
 */
function printable(text, except = '') {
  const escape = char => (char === except ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.replace(CONTROLS, escape)
}

/**
 * JSON text without control characters. Apart from line ends, JSON can contain only DEL and those that start with 0xc2
 * in UTF-8. Looking for these two bytes takes almost no time.
 *
 * @param {Uint8Array} json UTF-8
 * @returns {Uint8Array} the same array, if it has none
 */
function printableBytes(json) {
  const pieces = []
  let start = 0
  for (const at of controlsOf(json)) {
    const isDelete = json[at] === DELETE
    pieces.push(json.subarray(start, at), Buffer.from(isDelete ? '\\u007f' : `\\u00${json[at + 1].toString(16)}`))
    start = at + (isDelete ? 1 : 2)
  }
  return start === 0 ? json : concat([...pieces, json.subarray(start)])
}

/** The offsets of DEL and of 0xc2 0x80 to 0xc2 0x9f. @param {Uint8Array} json @returns {Generator<number, void>} */
function* controlsOf(json) {
  let deleted = json.indexOf(DELETE)
  let lead = json.indexOf(LEAD)
  while (deleted !== -1 || lead !== -1) {
    const isLead = deleted === -1 || (lead !== -1 && lead < deleted)
    if (!isLead) yield deleted
    else if (json[lead + 1] < 0xa0) yield lead
    if (isLead) lead = json.indexOf(LEAD, lead + 2)
    else deleted = json.indexOf(DELETE, deleted + 1)
  }
}

module.exports = { printable, printableBytes }
