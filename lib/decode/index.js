'use strict'

// Bytes to values.

const { currentPlan } = require('./options')
const { COPIED, getView, viewOf } = require('./views')
const { cursor } = require('./keys')
const { getText, promoted, longOf, getTimestamp, getDecimal128, getBinary, getRegex } = require('./get')
const { READING, readDocument, broken } = require('./read')
const { Cooldown, fallbacksBy } = require('./fallback')
const {
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, frameOf, decodeElements, decodeElement, decodeElementBy
} = require('./decode')

module.exports = {
  currentPlan, COPIED, getView, viewOf, cursor, getText, promoted, longOf, getTimestamp, getDecimal128,
  getBinary, getRegex, READING, readDocument, broken, Cooldown, fallbacksBy,
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, frameOf, decodeElements, decodeElement, decodeElementBy
}
