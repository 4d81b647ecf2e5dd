'use strict'

// Joins Parquet files of the same columns: their row groups follow one another unchanged, and one footer describes all.
// https://parquet.apache.org/docs/file-format/metadata/

const { concat, getInt32, putInt32 } = require('../../bytes')
const { FORM, KIND } = require('../layout/kinds')
const { STRUCT, readStruct, structBytes } = require('./thrift')

/** "PAR1", at the start and the end of a file. */
const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31)

/** Bytes after the footer: its length, and the magic number. */
const END_SIZE = 8

/** Fields of FileMetaData. */
const SCHEMA = 2
const NUM_ROWS = 3
const ROW_GROUPS = 4

/** Fields of SchemaElement: only one of a group has the first. */
const NUM_CHILDREN = 5
const LOGICAL_TYPE = 10

/** The logical type UUID, a struct without fields. */
const UUID = new Map([[14, { type: STRUCT, value: new Map() }]])

/** Fields of RowGroup. */
const COLUMNS = 1
const ROW_GROUP_OFFSET = 5
const ROW_GROUP_ORDINAL = 7

/** Fields of ColumnChunk: its metadata, and offsets in the file. */
const COLUMN_METADATA = 3
const CHUNK_OFFSETS = [2, 4, 6]

/** Fields of ColumnMetaData that are offsets in the file. */
const PAGE_OFFSETS = [9, 10, 11, 14]

/** A file in the making. */
class ParquetFile {
  constructor() {
    /** Bytes so far. */
    this.size = 0
    this.rows = 0
    /** The first footer. @type {import('./thrift').Struct | null} */
    this.footer = null
    /** As bytes: as structs they would take ten times the memory. @type {Uint8Array[]} */
    this.groups = []
  }

  /** @param {Uint8Array} file a whole one @returns {Uint8Array} what follows in this one */
  add(file) {
    const end = file.length - END_SIZE - getInt32(file, file.length - END_SIZE)
    const footer = readStruct(file.subarray(end, file.length - END_SIZE))
    const start = this.footer === null ? 0 : MAGIC.length
    const { items } = footer.get(ROW_GROUPS).value
    for (const group of items) this.groups.push(structBytes(moved(group, this.size - start)))
    this.rows += footer.get(NUM_ROWS).value
    this.footer ??= footer
    this.size += end - start
    return file.subarray(start, end)
  }

  /** @returns {Uint8Array} the end of the file */
  end(columns) {
    const { footer } = this
    markUuids(footer.get(SCHEMA).value.items, columns)
    footer.get(NUM_ROWS).value = this.rows
    footer.get(ROW_GROUPS).value = { of: STRUCT, items: this.groups }
    const bytes = structBytes(footer)
    const length = new Uint8Array(4)
    putInt32(bytes.length, length, 0)
    return concat([bytes, length, MAGIC])
  }
}

/** UUIDs get their logical type: the package writes them as 16 bytes. */
function markUuids(elements, columns) {
  const leaves = elements.filter(element => !element.get(NUM_CHILDREN)?.value)
  columns.flatMap(areUuids).forEach((is, i) => is && leaves[i].set(LOGICAL_TYPE, { type: STRUCT, value: UUID }))
}

/** Of each column of values in a column, whether it has UUIDs as bytes. */
function areUuids({ kind, form, subtype, inner }) {
  if (kind === KIND.BINARY && subtype === null) return [false, false] // the subtypes, and the bytes
  return inner.length > 0 ? inner.flatMap(areUuids) : [kind === KIND.UUID && form !== FORM.HEX]
}

/** @param {import('./thrift').Struct} group @param {number} by bytes @returns {import('./thrift').Struct} the same */
function moved(group, by) {
  group.delete(ROW_GROUP_ORDINAL) // is optional, and at most 32,767
  move(group, [ROW_GROUP_OFFSET], by)
  for (const chunk of group.get(COLUMNS).value.items) {
    move(chunk, CHUNK_OFFSETS, by)
    move(chunk.get(COLUMN_METADATA).value, PAGE_OFFSETS, by)
  }
  return group
}

/** @param {import('./thrift').Struct} struct @param {number[]} offsets its fields @param {number} by bytes */
function move(struct, offsets, by) {
  for (const id of offsets) {
    const field = struct.get(id)
    if (field !== undefined && field.value > 0) field.value += by // 0 stands for none
  }
}

module.exports = { ParquetFile }
