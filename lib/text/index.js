'use strict'

// Writes JSON text as UTF-8 bytes, for `json/` and `ejson/`.

const forms = require('./forms')
const quote = require('./quote')
const { HEX } = require('./hex')
const { NONE, isoTime, checkedTime, putIsoTimeAt } = require('./iso-time')
const { typeOfNumber } = require('./forms')
const { putAscii, putInt } = require('./digits')
const { putInt64At, putDoubleAt } = require('./doubles')
const { putWords } = require('./quote')
const { putText } = require('./strings')
const { acquireText, releaseText, explain } = require('./output')
const { FORM } = require('./write')
const { gapOf, indentBytes } = require('./indent')
const { convert, asText, asBytes } = require('./documents')
const { listBytes, ListReader } = require('./list')
const { valueTexts } = require('./values')

/** @typedef {import('./output').TextOutput} TextOutput */
/** @typedef {import('./writer').Writer} Writer */
/** @typedef {import('./write').TextPlan} TextPlan */
/** @typedef {import('./write').Form} Form */
/** @typedef {import('./documents').Where} Where */
/** @typedef {import('./list').ListPlan} ListPlan */

module.exports = {
  forms, quote, HEX, putWords, putAscii, putInt, putInt64At, putDoubleAt, NONE, putIsoTimeAt, isoTime, checkedTime,
  typeOfNumber, putText, acquireText, releaseText, explain, FORM, gapOf, indentBytes, convert, asText, asBytes,
  listBytes, ListReader, valueTexts
}
