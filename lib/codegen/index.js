'use strict'

// The only maker of code at run time.

const { canCompile, compile, quote, wordAt } = require('./compile')
const { ROWS } = require('./rows')
const { compileReader } = require('./reader')

module.exports = { canCompile, compile, quote, wordAt, ROWS, compileReader }
