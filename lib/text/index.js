'use strict'

// Writes JSON and CSV as UTF-8 bytes, for `json/`, `ejson/` and `columns/`.

const ascii = require('./ascii')
const forms = require('./forms')
const quote = require('./quote')
const fromBytes = require('./from-bytes')
const { NONE, isoTime, checkedTime, putIsoTimeAt, putTimeCell } = require('./iso-time')
const { typeOfNumber } = require('./forms')
const { putIdDigits, putAscii, putInt } = require('./digits')
const { putInt64At, putDoubleAt } = require('./doubles')
const { putDecimalAt } = require('./decimals')
const { putTextCell, putUuidCell } = require('./csv')
const { PLAIN, putControl } = require('./strings')
const { acquireText, releaseText, withText, explain } = require('./output')
const { FORM } = require('./write')
const { ordering } = require('./order')
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
  ascii, forms, fromBytes, quote, ordering, putIdDigits, putAscii, putInt, putInt64At, putDoubleAt, putDecimalAt, NONE,
  putIsoTimeAt, putTimeCell, isoTime, checkedTime, putTextCell, putUuidCell, typeOfNumber, PLAIN, putControl,
  acquireText, releaseText, withText, explain, FORM, gapOf, indentBytes, convert, asText, asBytes, listBytes,
  ListReader, valueTexts
}
