'use strict'

// The error for wrong Extended JSON of a type; its message is short even if the document is large.

const { BSONError } = require('../errors')

/** The most values and characters of a document that an error shows. */
const MAX_VALUES = 40
const MAX_LENGTH = 200

/** Uses the wording of the bson package. @param {string} type a class @param {unknown} doc not valid for that class */
function unexpected(type, doc) {
  const form = type === 'BSONRegExp' ? 'EJSON object form:' : 'Extended JSON format'
  return new BSONError(`Unexpected ${type} ${form} ${preview(doc)}`)
}

/** @param {unknown} doc of any size and depth @returns {string} its JSON, or the beginning of it */
function preview(doc) {
  let values = 0
  const json = JSON.stringify(doc, (_, value) => (values++ < MAX_VALUES ? clip(value) : undefined))
  return json.length > MAX_LENGTH ? json.slice(0, MAX_LENGTH) + '\u2026' : json
}

function clip(value) {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES)
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'string' ? value.slice(0, MAX_LENGTH) : value
}

/** Whether it is an object other than an array. @returns {value is Record<string, any>} */
function isDocument(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is a document with no other keys. */
function hasOnly(doc, names) {
  return isDocument(doc) && Object.keys(doc).every(name => names.includes(name))
}

module.exports = { unexpected, isDocument, hasOnly }
