'use strict'

// Where elements lie and what is wrong with them, without their values.

const { scanName, itemAt, scanCString, scanDocument, scanElement, scanRoot, innerDocument, tooDeep, checkRegexOptions } = require('./scan')
const { endOfValue, endOfElement, isContainer } = require('./layout')
const { WALKED, ElementCursor, nameBit, endOfName } = require('./cursor')
const { Names, noName, isNameAt } = require('./names')
const { locate, locateInside, locateInCopy } = require('./locate')
const { quickValidate, isIndex } = require('./quick-validate')
const { validate, validateAt, validateElements, errorInside } = require('./validate')
const { utf8Plan, ALL_UTF8 } = require('./utf8-plan')
const { adviceFor } = require('./other-bytes')

module.exports = {
  scanName, itemAt, scanCString, scanDocument, scanElement, scanRoot, innerDocument, tooDeep, endOfValue, endOfElement,
  isContainer, WALKED, ElementCursor, nameBit, endOfName, Names, noName, isNameAt, locate, locateInside, locateInCopy,
  quickValidate, isIndex, validate, validateAt, validateElements, errorInside, utf8Plan, ALL_UTF8,
  checkRegexOptions, adviceFor
}
