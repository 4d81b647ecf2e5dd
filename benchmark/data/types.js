'use strict'

// The generators make documents for all contenders. These make the values that JavaScript does not have.

/**
 * @typedef {object} Types
 * @property {(hex: string) => any} objectId
 * @property {(text: string) => any} long a 64-bit integer
 * @property {(text: string) => any} decimal a decimal128
 * @property {(ms: number) => any} date
 * @property {(hex: string, subtype?: number) => any} binary
 * @property {(hex: string) => any} uuid 32 hexadecimal digits
 * @property {any} [bson] the classes, if any
 */

/**
 * The classes of a BSON library with the names of the `bson` package.
 * @param {any} bson
 * @returns {Types}
 */
function bsonTypes(bson) {
  return {
    objectId: hex => new bson.ObjectId(hex),
    long: text => bson.Long.fromString(text),
    decimal: text => bson.Decimal128.fromString(text),
    date: ms => new Date(ms),
    binary: (hex, subtype = 0) => new bson.Binary(Buffer.from(hex, 'hex'), subtype),
    uuid: hex => new bson.UUID(hex),
    bson
  }
}

/**
 * For formats without these types: identifiers and decimals as text, 64-bit integers as numbers.
 * @type {Types}
 */
const plainTypes = {
  objectId: hex => hex,
  long: text => Number(text),
  decimal: text => text,
  date: ms => new Date(ms),
  binary: hex => Buffer.from(hex, 'hex'),
  uuid: hex => Buffer.from(hex, 'hex')
}

/**
 * For JSON: only JSON's own types, so that no value has to be converted while it is timed.
 * @type {Types}
 */
const jsonTypes = {
  objectId: hex => hex,
  long: text => Number(text),
  decimal: text => text,
  date: ms => new Date(ms).toISOString(),
  binary: hex => Buffer.from(hex, 'hex').toString('base64'),
  uuid: hex => hex
}

module.exports = { bsonTypes, plainTypes, jsonTypes }
