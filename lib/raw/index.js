'use strict'

// Documents kept as bytes.

const { parsePath } = require('./path')
const { pickerOf } = require('./project')
const { replacer } = require('./replace-invalid')
const { EACH, editTree, Rewriter } = require('./rewrite')
const { RawDocument } = require('./raw-document')

module.exports = { pickerOf, replacer, parsePath, EACH, editTree, Rewriter, RawDocument }
