'use strict'

// Bytes to values.

const { currentPlan } = require('./options')
const { COPIED, getView, viewOf } = require('./views')
const { cursor, rootKey } = require('./keys')
const { getText, promoted, longOf, getTimestamp, getDecimal128, getBinary, getRegex } = require('./get')
const { FIELDS, REST, ITEMS, VALUE, readDocument, readElements, broken, asDBRef } = require('./read')
const {
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, decodeElements, decodeElement, decodeElementBy
} = require('./decode')

module.exports = {
  currentPlan, COPIED, getView, viewOf, cursor, rootKey, getText, promoted, longOf, getTimestamp, getDecimal128,
  getBinary, getRegex, FIELDS, REST, ITEMS, VALUE, readDocument, readElements, broken, asDBRef, ownOptions, resolvePlan,
  quickPlan, planOf, decode, decodeAt, decodeElements, decodeElement, decodeElementBy
}
