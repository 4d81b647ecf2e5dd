'use strict'

// `decode`'s own loop, entered where a generated reader stopped.

const { rootKey, cursor } = require('../decode/keys')
const { readDocument, readFields, readItems, readValue, asDBRef } = require('../decode/read')

module.exports = { rootKey, cursor, readDocument, readFields, readItems, readValue, asDBRef }
