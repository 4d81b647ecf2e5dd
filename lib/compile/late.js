'use strict'

// Parts of qbson that only some schemas need, or only writing, or only what is wrong. The first call loads them: each
// file takes half a millisecond and more, and a module that was written ahead of time is to start at once.

/** @type {typeof import('../encode/put') | undefined} */
let put
/** @type {typeof import('../decode/get') | undefined} */
let get
/** @type {typeof import('../types/object-id').ObjectId | undefined} */
let ObjectId
/** @type {typeof import('../types/long').Long | undefined} */
let Long
/** @type {typeof import('../types/decimal128').Decimal128 | undefined} */
let Decimal128
/** @type {typeof import('../types/binary').Binary | undefined} */
let Binary
/** @type {typeof import('../types/int32').Int32 | undefined} */
let Int32
/** @type {typeof import('../types/double').Double | undefined} */
let Double

function loadObjectId() {
  return (ObjectId ??= require('../types/object-id').ObjectId)
}

function loadLong() {
  return (Long ??= require('../types/long').Long)
}

function loadPut() {
  return (put ??= require('../encode/put'))
}

function loadGet() {
  return (get ??= require('../decode/get'))
}

/** @returns {value is import('../types/object-id').ObjectId} */
function isObjectId(value) {
  return value instanceof loadObjectId()
}

/** Of that very class: a subclass may be unsigned, or something else. */
function isLong(value) {
  return value instanceof loadLong() && value.constructor === Long
}

function isDecimal128(value) {
  Decimal128 ??= require('../types/decimal128').Decimal128
  return value instanceof Decimal128
}

function isBinary(value) {
  Binary ??= require('../types/binary').Binary
  return value instanceof Binary
}

function isMap(value) {
  return require('../encode/value-type').isMap(value)
}

function rawBytes(value) {
  return require('../encode/value-type').rawBytes(value)
}

function checkRoot(doc) {
  return require('../encode/containers').checkRoot(doc)
}

function getObjectId(buf, pos) {
  return new (loadObjectId())(buf, pos)
}

function getLong(low, high) {
  return new (loadLong())(low, high)
}

function getInt32Object(value) {
  Int32 ??= require('../types/int32').Int32
  return new Int32(value)
}

function getDoubleObject(value) {
  Double ??= require('../types/double').Double
  return new Double(value)
}

function getPromotedInt64(buf, pos) {
  return loadGet().getPromotedInt64(buf, pos)
}

function getDecimal128(buf, pos) {
  return loadGet().getDecimal128(buf, pos)
}

function getTimestamp(buf, pos) {
  return loadGet().getTimestamp(buf, pos)
}

function getBinary(buf, pos, next, asBuffer) {
  return loadGet().getBinary(buf, pos, next, asBuffer)
}

function roomOf(string) {
  return loadPut().roomOf(string)
}

function putObjectId(out, id, pos) {
  return loadPut().putObjectId(out, id, pos)
}

function putDate(out, date, pos) {
  return loadPut().putDate(out, date, pos)
}

function putDecimal128(value, buf, pos) {
  return loadPut().putDecimal128(value, buf, pos)
}

function putBinary(out, value, pos) {
  return loadPut().putBinary(out, value, pos)
}

function cameThrough(error, doc, key) {
  return require('../encode/containers').cameThrough(error, doc, key)
}

function describeError(error) {
  return require('../encode/containers').describeError(error)
}

function locate(error, buf, start) {
  return require('../decode/locate').locate(error, buf, start)
}

module.exports = {
  isObjectId, isLong, isDecimal128, isBinary, isMap, rawBytes, checkRoot, getObjectId, getLong, getInt32Object,
  getDoubleObject, getPromotedInt64, getDecimal128, getTimestamp, getBinary, roomOf, putObjectId, putDate,
  putDecimal128, putBinary, cameThrough, describeError, locate
}
