'use strict'

// Documents kept as bytes.

const { parsePath, pathTree } = require('./path')
const { EACH, editTree, Rewriter } = require('./rewrite')
const { RawDocument } = require('./raw-document')

/** @param {import('./path').Path[]} paths @returns {import('./project').Picker} of these fields */
const pickerOf = paths => new (require('./project').Picker)(pathTree(paths))

const replacer = () => new (require('./replace-invalid').TextReplacer)()

module.exports = {
  pickerOf, replacer, parsePath, EACH, editTree, Rewriter, RawDocument
}
