'use strict'

// The fields of every kind of message, in their order, for reading and for writing:
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ and "OP_MSG", "Wire Compression" of
// https://github.com/mongodb/specifications

const { ownField } = require('../properties')
const { int32 } = require('../options')
const { checkIterable } = require('./message-writer')
const { MSG } = require('./sections')
const { HEADER_SIZE, OPCODE } = require('./opcodes')

/**
 * @typedef {import('./read').MessageReader} MessageReader
 * @typedef {import('./message-writer').MessageWriter} MessageWriter
 *
 * @typedef {object} Kind
 * @property {(reader: MessageReader, name: string, counted: string) => any} [get]
 * @property {string[]} [names] of these
 * @property {(reader: MessageReader, message: any) => void} [getAll] in place of `get` if it is several of a message's
 *   properties; `put` gets the message then
 * @property {(writer: MessageWriter, name: string, value: any) => void} put
 *
 * @typedef {object} Field
 * @property {string} [name] none for several
 * @property {Kind} kind
 * @property {any} [otherwise] what is written if the field is missing
 * @property {string} [counted] the name of the int32 before a list
 */

const checkInt32 = int32(0)

const RESERVED = {
  get: reader => void reader.int32('reserved'),
  put: writer => writer.int32(0)
}

const INT32 = {
  get: (reader, name) => reader.int32(name),
  put: (writer, name, value) => writer.int32(checkInt32(value, name))
}

const INT64 = {
  get: (reader, name) => reader.int64(name),
  put: (writer, name, value) => writer.int64(value)
}

const UINT8 = {
  get: (reader, name) => reader.byte(name),
  put: (writer, name, value) => writer.byte(value)
}

const CSTRING = {
  get: (reader, name) => reader.cstring(name, reader.end),
  put: (writer, name, value) => writer.cstring(name, value)
}

const DOCUMENT = {
  get: (reader, name) => reader.document(name, reader.end),
  put: (writer, name, value) => writer.document(value, name)
}

const OPTIONAL_DOCUMENT = {
  get: (reader, name) => reader.pos < reader.end ? reader.document(name, reader.end) : null,
  put: (writer, name, value) => value === undefined || writer.document(value, name)
}

/** All bytes that are left. */
const BYTES = {
  get: reader => reader.bytes(),
  put: (writer, name, value) => writer.bytes(value)
}

/** int32 count | int64 each */
const INT64S = {
  get(reader, name, counted) {
    const at = reader.pos
    const count = reader.int32(counted)
    const room = reader.end - reader.pos
    if (count * 8 !== room) throw reader.error(`${counted} is ${count}, but there are ${room / 8}`, at)
    return Array.from({ length: count }, () => reader.int64('cursorId'))
  },
  put(writer, name, value) {
    const ids = [...checkIterable(name, value)]
    writer.int32(ids.length)
    for (const id of ids) writer.int64(id)
  }
}

/** int32 count | documents */
const DOCUMENTS = {
  get(reader, name, counted) {
    const at = reader.pos
    const count = reader.int32(counted)
    const documents = reader.documents(name, reader.end)
    if (documents.length === count) return documents
    throw reader.error(`${counted} is ${count}, but there are ${documents.length} documents`, at)
  },
  put(writer, name, value) {
    const documents = [...checkIterable(name, value)]
    writer.int32(documents.length)
    documents.forEach((doc, i) => {
      writer.countOne('documents')
      writer.document(doc, name, i)
    })
  }
}

/** @type {Record<number, Field[]>} */
const FIELDS = {
  [OPCODE.MSG]: [{ kind: MSG }],
  [OPCODE.COMPRESSED]: [
    { name: 'originalOpcode', kind: INT32 },
    { name: 'uncompressedSize', kind: INT32 },
    { name: 'compressorId', kind: UINT8 },
    { name: 'compressedMessage', kind: BYTES }
  ],
  [OPCODE.QUERY]: [
    { name: 'flags', kind: INT32 },
    { name: 'fullCollectionName', kind: CSTRING },
    { name: 'numberToSkip', kind: INT32 },
    { name: 'numberToReturn', kind: INT32 },
    { name: 'query', kind: DOCUMENT },
    { name: 'returnFieldsSelector', kind: OPTIONAL_DOCUMENT }
  ],
  [OPCODE.GET_MORE]: [
    { name: 'reserved', kind: RESERVED },
    { name: 'fullCollectionName', kind: CSTRING },
    { name: 'numberToReturn', kind: INT32 },
    { name: 'cursorId', kind: INT64 }
  ],
  [OPCODE.KILL_CURSORS]: [
    { name: 'reserved', kind: RESERVED },
    { name: 'cursorIds', kind: INT64S, counted: 'numberOfCursorIDs' }
  ],
  [OPCODE.REPLY]: [
    { name: 'flags', kind: INT32 },
    { name: 'cursorId', kind: INT64, otherwise: 0n },
    { name: 'startingFrom', kind: INT32 },
    { name: 'documents', kind: DOCUMENTS, counted: 'numberReturned' }
  ]
}

function fieldNames(opCode) {
  return FIELDS[opCode].flatMap(({ name, kind }) => name ?? kind.names)
}

/** @param {MessageReader} reader @param {any} message to which its fields are added */
function getFields(reader, message) {
  const fields = FIELDS[reader.header.opCode]
  if (fields === undefined) throw reader.error('unknown opCode', HEADER_SIZE - 4 - reader.shift)
  for (const { name, kind, counted } of fields) {
    if (name === undefined) kind.getAll(reader, message)
    else {
      const value = kind.get(reader, name, counted)
      if (value !== undefined) message[name] = value
    }
  }
  reader.checkEnd()
  return message
}

function putFields(writer, message) {
  for (const { name, kind, otherwise } of FIELDS[writer.header.opCode]) {
    kind.put(writer, name, name === undefined ? message : ownField(message, name, otherwise))
  }
}

module.exports = { fieldNames, getFields, putFields }
