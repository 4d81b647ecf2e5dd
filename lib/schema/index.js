'use strict'

// Schemas of documents.

const { NAME_BY_TYPE, schemaError } = require('./allowed')
const { newNode, parseSchema, unwrap } = require('./schema')
const { show, lengthOf } = require('./rules')
const { NUMBERS, doubleAt, numberAt, decimalOf, partsOf, compareTexts, isBetween } = require('./numbers')
const { Checker, checkDocument, typesOf, expected } = require('./check')
const { NULLS, FieldStats, addType, timesOf, countBelow, copyStats, makeMaps } = require('./field-stats')
const { DocumentStats } = require('./document-stats')
const { schemaOf, schemaOfStats } = require('./schema-of')

module.exports = {
  NAME_BY_TYPE, schemaError, newNode, parseSchema, unwrap, show, lengthOf, NUMBERS, doubleAt, numberAt, decimalOf,
  partsOf, compareTexts, isBetween, Checker, checkDocument, typesOf, expected, schemaOf, schemaOfStats, DocumentStats,
  NULLS, FieldStats, addType, timesOf, countBelow, copyStats, makeMaps
}
