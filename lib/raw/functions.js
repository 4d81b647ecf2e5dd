'use strict'

// Finds and changes fields of documents in memory; raw-document.js loads it on first use.

const { parsePath, pathTree } = require('./path')
const { findPath, duplicatesBefore } = require('./find')
const { project } = require('./project')
const { splice, elementOf } = require('./splice')

module.exports = { parsePath, pathTree, findPath, duplicatesBefore, project, splice, elementOf }
