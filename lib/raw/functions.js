'use strict'

// Finds and changes fields of documents in memory; raw-document.js loads it on first use.

const { parsePath, pathTree } = require('./path')
const { findPath, twinsBefore } = require('./find')
const { project } = require('./project')
const { splice, elementOf } = require('./splice')

module.exports = { parsePath, pathTree, findPath, twinsBefore, project, splice, elementOf }
