'use strict'

// `decode`'s own loop, entered where a generated reader stopped.

const { rootKey, cursor, currentPlan, readDocument, readFields, readItems, readValue, asDBRef } = require('../decode')

module.exports = { currentPlan, rootKey, cursor, readDocument, readFields, readItems, readValue, asDBRef }
