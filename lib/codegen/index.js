'use strict'

// The only folder that creates code at run time.

const { canCompile, compile, quote, wordAt } = require('./compile')
const { TYPES } = require('./types')
const { compileReader } = require('./reader')
const { literal, keyOf, textOf, listed } = require('./source')
const { generate } = require('./generate')
const { documentWriter, valuesWriter, listWriter } = require('./write-source')

module.exports = {
  canCompile, compile, quote, wordAt, TYPES, compileReader, literal, keyOf, textOf, listed, generate,
  documentWriter, valuesWriter, listWriter
}
