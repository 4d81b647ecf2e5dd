'use strict'

// Bytes to values.

const { currentPlan } = require('./options')
const { COPIED, getView, viewOf } = require('./views')
const { cursor, rootKey } = require('./keys')
const { getText, promoted, longOf, getTimestamp, getDecimal128, getBinary, getRegex } = require('./get')
const { FIELDS, ITEMS, VALUE, READING, readDocument, readElements, broken } = require('./read')
const { Cooldown, fallbacksBy } = require('./fallback')
const {
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, decodeElements, decodeElement, decodeElementBy
} = require('./decode')

module.exports = {
  currentPlan, COPIED, getView, viewOf, cursor, rootKey, getText, promoted, longOf, getTimestamp, getDecimal128,
  getBinary, getRegex, FIELDS, ITEMS, VALUE, READING, readDocument, readElements, broken, Cooldown, fallbacksBy,
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, decodeElements, decodeElement, decodeElementBy
}
