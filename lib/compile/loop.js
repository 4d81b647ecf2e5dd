'use strict'

// `decode`'s own loop, entered where a generated reader stopped.

const { rootKey, cursor } = require('../decode/keys')
const { currentPlan } = require('../decode/options')
const { readDocument, readFields, readItems, readValue, asDBRef } = require('../decode/read')

module.exports = { currentPlan, rootKey, cursor, readDocument, readFields, readItems, readValue, asDBRef }
