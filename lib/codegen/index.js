'use strict'

// The only folder that creates code at run time.

const { canCompile, compile } = require('./compile')
const { TYPES } = require('./types')
const { literal, keyOf, textOf, listed } = require('./source')
const { DECODE, ENCODE, COOLDOWN } = require('./settings')
const { MAX_PLACES, Observed, Window, nextSample, namesOf, quietly } = require('./observe')
const { generate, compileReader } = require('./generate')
const { prepareWriting, fieldOf } = require('./fields')
const { documentWriter, valuesWriter, listWriter } = require('./write-source')

module.exports = {
  canCompile, compile, TYPES, literal, keyOf, textOf, listed, DECODE, ENCODE, COOLDOWN, MAX_PLACES,
  Observed, Window, nextSample, namesOf, quietly, generate, compileReader, prepareWriting, fieldOf, documentWriter,
  valuesWriter, listWriter
}
