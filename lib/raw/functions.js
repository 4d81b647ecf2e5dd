'use strict'

// Finds and changes fields of documents in memory; raw-document.js loads it on first use.

const { parsePath, pathTree } = require('./path')
const { findElement, skipElement, isContainer } = require('./find')
const { project, pickFound } = require('./project')
const { splice, elementOf } = require('./splice')

module.exports = { parsePath, pathTree, findElement, skipElement, isContainer, project, pickFound, splice, elementOf }
