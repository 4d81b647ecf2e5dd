'use strict'

// Documents kept as bytes.

const { endOfElement: skipElement } = require('../elements')
const { parsePath, pathTree } = require('./path')
const { findElement } = require('./find')
const { EACH, editTree, Rewriter } = require('./rewrite')
const { RawDocument } = require('./raw-document')

module.exports = {
  parsePath, pathTree, findElement, skipElement, EACH, editTree, Rewriter, RawDocument
}
