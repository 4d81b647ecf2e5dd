'use strict'

const { GrowingBytes } = require('../../bytes')

/** Control characters, including those of Latin-1's upper half: a terminal would obey them. */
const CONTROLS = /[\0-\x1f\x7f-\x9f]/g

/** DEL, and the first of the two bytes of U+0080 to U+00BF. */
const DELETE = 0x7f
const LEAD = 0xc2

/** Bytes of an escaped control character. */
const ESCAPED = 6

/** Whether it is a terminal that obeys control characters. @param {any} stream */
function obeys({ isTTY }) {
  return Boolean(isTTY) && process.env.TERM !== 'dumb'
}

/** The text, control characters escaped like \u001b, which keeps the meaning of JSON. @param {string} text */
function printable(text) {
  return text.replace(CONTROLS, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * JSON text without control characters. Apart from line ends, JSON can contain only DEL and those that start with 0xc2
 * in UTF-8. Looking for these two bytes takes almost no time.
 *
 * @param {Uint8Array} json UTF-8
 * @returns {Uint8Array} the same array, if it has none
 */
function printableBytes(json) {
  const first = firstControl(json)
  if (first === -1) return json
  const { putControl } = require('../../text') // what makes JSON has loaded it
  const text = new GrowingBytes(json.length + ESCAPED)
  let from = 0
  for (let at = first; at < json.length; at++) {
    const control = controlAt(json, at)
    if (control === 0) continue
    text.copy(json, from, at)
    text.reserve(ESCAPED)
    text.pos = putControl(control, text.out, text.pos)
    if (control !== DELETE) at++
    from = at + 1
  }
  text.copy(json, from, json.length)
  return text.bytes
}

/** @param {Uint8Array} json @returns {number} its offset, or -1 */
function firstControl(json) {
  const deleted = json.indexOf(DELETE)
  let lead = json.indexOf(LEAD)
  while (lead !== -1 && controlAt(json, lead) === 0) lead = json.indexOf(LEAD, lead + 2)
  return deleted === -1 || lead === -1 ? Math.max(deleted, lead) : Math.min(deleted, lead)
}

/** @param {Uint8Array} json @param {number} at @returns {number} DEL, 0x80 to 0x9f, or 0 for another character */
function controlAt(json, at) {
  if (json[at] === DELETE) return DELETE
  return json[at] === LEAD && json[at + 1] < 0xa0 ? json[at + 1] : 0
}

module.exports = { obeys, printable, printableBytes }
