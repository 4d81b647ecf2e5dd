'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { bsonTypes, plainTypes, jsonTypes } = require('./data/types')

/**
 * @typedef {object} Codec
 * @property {(value: any) => any} encode
 * @property {(bytes: any) => any} decode
 * @property {import('./data/types').Types} types the types its documents are made of
 * @property {(doc: any) => any} [native] converts a document for this codec, before timing
 * @property {(doc: any) => any} [expect] the result of decoding, where it differs from the document
 * @property {boolean} [bson] writes BSON: its bytes must be those of `bson`
 * @property {boolean} [unordered] does not keep the order of keys
 * @property {boolean} [text] encodes to a string
 *
 * @typedef {object} Contender
 * @property {string} [package] whose version is printed
 * @property {string[]} [flags] for Node
 * @property {boolean} [needsSchema] has a separate codec for each kind of documents
 * @property {boolean} [slow] seldom the fastest; left out by --quick
 * @property {(workload: any) => Codec} load loads the package, which is not loaded before
 */

/** qbson from this checkout. */
const loadQbson = () => require('../qbson')

function qbson() {
  const { encode, decode, ...types } = loadQbson()
  return { encode, decode, types: bsonTypes(types), bson: true }
}

/** A codec compiled from the workload's schema: `layout: 'array'` writes values without names. */
function compiled(layout) {
  return ({ schema }) => {
    if (!schema) throw new Error('no schema')
    const { decode, ...types } = loadQbson()
    const { compile } = require('../lib/compile')
    const codec = compile(schema, { layout })
    const named = compile(schema)
    return {
      encode: doc => codec.encode(doc),
      decode: bytes => codec.decode(bytes),
      types: bsonTypes(types),
      bson: layout === 'document',
      expect: doc => decode(named.encode(doc)) // a Long comes back as a number
    }
  }
}

function bson() {
  const { serialize, deserialize, ...types } = require('bson')
  return { encode: serialize, decode: deserialize, types: bsonTypes(types), bson: true }
}

function buffalo() {
  const { serialize, parse } = require('buffalo')
  return { encode: serialize, decode: parse, types: plainTypes, bson: true }
}

function msgpack() {
  const { Encoder, Decoder } = require('@msgpack/msgpack')
  const encoder = new Encoder()
  const decoder = new Decoder()
  return { encode: doc => encoder.encode(doc), decode: bytes => decoder.decode(bytes), types: plainTypes }
}

function msgpackr() {
  const { Packr } = require('msgpackr')
  const packr = new Packr({ useRecords: false })
  return { encode: doc => packr.pack(doc), decode: bytes => packr.unpack(bytes), types: plainTypes }
}

// Writer and reader share the record structures, as one connection or one store does.
function msgpackrRecords() {
  const { Packr } = require('msgpackr')
  const packr = new Packr({ structures: [], maxSharedStructures: 1024 })
  return { encode: doc => packr.pack(doc), decode: bytes => packr.unpack(bytes), types: plainTypes }
}

function cborX() {
  const { Encoder } = require('cbor-x')
  const encoder = new Encoder({ useRecords: false, mapsAsObjects: true })
  return { encode: doc => encoder.encode(doc), decode: bytes => encoder.decode(bytes), types: plainTypes }
}

function hessian() {
  const { encode, decode } = require('hessian.js')
  return { encode: doc => encode(doc, '2.0'), decode: bytes => decode(bytes, '2.0'), types: plainTypes, unordered: true }
}

function v8() {
  const { serialize, deserialize } = require('node:v8')
  return { encode: serialize, decode: deserialize, types: plainTypes }
}

function avsc({ avro }) {
  if (!avro) throw new Error('no schema')
  const { Type, types } = require('avsc')
  class DateType extends types.LogicalType {
    _fromValue(value) { return new Date(value) }
    _toValue(date) { return date.getTime() }
  }
  const type = Type.forSchema(avro, { logicalTypes: { 'timestamp-millis': DateType } })
  return { encode: doc => type.toBuffer(doc), decode: bytes => type.fromBuffer(bytes), types: plainTypes }
}

// Without the Long class, 64-bit integers are numbers, as with the other contenders.
function protobufjs({ protobuf, toProtobuf = doc => doc }) {
  if (!protobuf) throw new Error('no schema')
  const { parse, util, configure } = require('protobufjs')
  util.Long = undefined
  configure()
  const type = parse(protobuf.text, { keepCase: true }).root.lookupType(protobuf.message)
  return {
    encode: doc => type.encode(doc).finish(),
    decode: bytes => type.decode(bytes),
    types: plainTypes,
    native: doc => type.fromObject(toProtobuf(doc))
  }
}

function jsonText() {
  return { encode: doc => JSON.stringify(doc), decode: text => JSON.parse(text), types: jsonTypes, text: true }
}

const jsonBytes = {
  encode: doc => Buffer.from(JSON.stringify(doc)),
  decode: bytes => JSON.parse(bytes.toString())
}

// Gets the same values as the BSON contenders, so that JSON has to call their toJSON.
function jsonOfValues() {
  return { ...jsonBytes, types: bsonTypes(require('bson')), expect: doc => JSON.parse(JSON.stringify(doc)) }
}

function jsonSimple() {
  const { encode, decode } = require('json-simple')
  return { encode, decode, types: jsonTypes, text: true }
}

function limit({ limit }) {
  if (!limit) throw new Error('not written for this document')
  return { types: plainTypes, ...limit, bson: true }
}

/** @type {Record<string, Contender>} */
const contenders = {
  bson: { package: 'bson', load: bson },
  buffalo: { package: 'buffalo', slow: true, load: buffalo },
  '@msgpack/msgpack': { package: '@msgpack/msgpack', slow: true, load: msgpack },
  msgpackr: { package: 'msgpackr', load: msgpackr },
  'msgpackr records': { package: 'msgpackr', load: msgpackrRecords },
  'cbor-x': { package: 'cbor-x', load: cborX },
  avsc: { package: 'avsc', load: avsc },
  protobufjs: { package: 'protobufjs', load: protobufjs },
  'hessian.js': { package: 'hessian.js', load: hessian },
  'v8.serialize': { slow: true, load: v8 },
  'json-simple': { package: 'json-simple', slow: true, load: jsonSimple },
  'JSON text': { load: jsonText },
  'JSON bytes': { load: () => ({ ...jsonBytes, types: jsonTypes }) },
  'JSON bytes, toJSON': { package: 'bson', slow: true, load: jsonOfValues },
  qbson: { package: 'qbson', load: qbson },
  'qbson compiled': { package: 'qbson', needsSchema: true, load: compiled('document') },
  'qbson positional': { package: 'qbson', load: compiled('array') },
  'qbson (no codegen)': { package: 'qbson', flags: ['--disallow-code-generation-from-strings'], load: qbson },
  limit: { needsSchema: true, load: limit }
}

/**
 * @param {string} name
 * @param {any} workload with the schemas, where a contender needs one
 * @returns {Codec}
 */
function load(name, workload) {
  return contenders[name].load(workload)
}

/** @returns {string[]} the versions of all contenders, as `name version` */
function versions() {
  const names = new Set(Object.values(contenders).map(contender => contender.package).filter(Boolean))
  return [...names].map(name => `${name} ${versionOf(name)}`)
}

function versionOf(name) {
  const directory = name === 'qbson' ? '..' : path.join('..', 'node_modules', name)
  return JSON.parse(fs.readFileSync(path.join(__dirname, directory, 'package.json'), 'utf8')).version
}

module.exports = { contenders, load, loadQbson, versions }
