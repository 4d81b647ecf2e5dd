'use strict'

// Values to bytes.

const { DEFAULT_PLAN, planOf, dbRefPlan } = require('./options')
const {
  OMIT, ELEMENT_BY_NAME, ELEMENT_BY_PROTOTYPE, typeOf, isInt32, bsonTypeName, isPlain, isMap, entriesOf,
  isDBRef, rawBytes
} = require('./value-type')
const {
  begin, enter, leave, prependPath, describeError, checkRoot, rootError, withoutId, applyToBSON, checkLength
} = require('./containers')
const { Output, acquireOutput, releaseOutput, writeInto } = require('./output')
const {
  checkName, numberOf, int32Of, timeOf, lowOf, highOf, decimalBytes, foreignIdBytes, putString, putObjectId,
  putBinaryParts, readBinary, regexTexts, codeText, symbolText
} = require('./put')
const {
  WRITING, encode, encodeInto, appendDocument, isPlainObject, putDocument, putElement, leaveOut, putName, putValue,
  closeDocument
} = require('./encode')
const { encodeWhole, encodeValue } = require('./whole')
const { sizeOf } = require('./size')

module.exports = {
  DEFAULT_PLAN, planOf, dbRefPlan, OMIT, ELEMENT_BY_NAME, ELEMENT_BY_PROTOTYPE, typeOf, isInt32, bsonTypeName,
  isPlain, isMap, entriesOf, isDBRef, rawBytes, begin, enter, leave, prependPath, describeError, checkRoot,
  rootError, withoutId, applyToBSON, checkLength, Output, acquireOutput, releaseOutput,
  writeInto, numberOf, int32Of, timeOf, lowOf, highOf, decimalBytes, foreignIdBytes, putString, putObjectId,
  putBinaryParts, readBinary, regexTexts, codeText, symbolText,
  WRITING, encode, encodeInto, encodeWhole, encodeValue, appendDocument, isPlainObject, putDocument, putElement,
  leaveOut, checkName, putName, putValue, closeDocument, sizeOf
}
