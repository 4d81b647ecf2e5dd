'use strict'

// What finds and changes fields of documents as they lie in memory; raw-document.js loads it when that is done first.

const { parsePath, pathTree } = require('./path')
const { findElement, skipElement, isContainer } = require('./find')
const { project, pickFound } = require('./project')
const { splice, elementOf } = require('./splice')

module.exports = { parsePath, pathTree, findElement, skipElement, isContainer, project, pickFound, splice, elementOf }
