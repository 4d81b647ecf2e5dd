'use strict'

// Bytes to values.

const { currentPlan } = require('./options')
const { COPIED, getView, viewOf } = require('./views')
const { getText, promoted, longOf, getDecimal128, getRegex } = require('./get')
const { READING, broken } = require('./read')
const { Cooldown, fallbacksBy } = require('./fallback')
const {
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, frameOf, decodeElements, decodeElement, decodeElementBy
} = require('./decode')

module.exports = {
  currentPlan, COPIED, getView, viewOf, getText, promoted, longOf, getDecimal128, getRegex, READING, broken, Cooldown,
  fallbacksBy, ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, frameOf, decodeElements, decodeElement,
  decodeElementBy
}
