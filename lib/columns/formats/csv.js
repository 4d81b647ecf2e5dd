'use strict'

// Columns as CSV (RFC 4180, with mongoexport's line ends): fields of nested documents are separate columns, arrays and
// the like are JSON. Cells are written as bytes from the memory of the columns.

const { SUBTYPE } = require('../../spec')
const { BSONError, pathOf } = require('../../errors')
const { concat, getText, toBytes, utf8Bytes } = require('../../bytes')
const { ownOptionsOf, truthy } = require('../../options')
const { BSONRegExp } = require('../../types')
const { EJSON, extendedJSONValues } = require('../../ejson')
const {
  ascii, acquireText, releaseText, withText, forms, quote, putAscii, putInt, putInt64At, putDoubleAt, putDecimalAt,
  putTimeCell, putTextCell, putIdDigits, putUuidCell
} = require('../../text')
const { isSet } = require('../layout/bits')
const { pathList } = require('../layout/fields')
const { isNull } = require('../layout/get')
const { KIND } = require('../layout/kinds')
const { SameColumns, madeOf } = require('../layout/table')

const { putMark } = quote

/** A piece of output ends with the row that reaches this many bytes. */
const PIECE = 65536

/** A larger piece is not copied. */
const LARGE = 1 << 20

/** Bytes of the longest cell of a fixed size: a decimal of 43 characters, and what is written beyond an end. */
const ROOM = 64

const { LINE_FEED, COMMA, MINUS, PLUS } = ascii

/** @typedef {import('../layout/table').Table} Table */

/**
 * @typedef {object} CSVOptions
 * @property {boolean} [escapeFormulae] whether an apostrophe comes before text that a spreadsheet would take for a
 *   formula, because it starts with `=`, `+`, `-`, `@`, a tab or a carriage return; default false
 * @property {boolean} [escapeControls] whether control characters other than tabs and line ends are written like
 *   `\u001b`, for terminals; default false
 * @property {(string | string[])[]} [fields] paths of fields whose columns come first, in this order; default none
 */

/**
 * Tables as lines of CSV after a line of names, with `a.b` for a field in a document. A missing value is empty, an
 * empty text is `""`, and so is the missing value of an only column. Dates are ISO 8601, ids hex, binary values base64,
 * regular expressions `/pattern/options`, arrays and mixed types Extended JSON.
 *
 * @param {Table | Iterable<Table> | AsyncIterable<Table>} tables with the same columns
 * @param {CSVOptions} [options]
 * @returns {AsyncGenerator<string, void, void>}
 * @throws {BSONError} when the columns of a table differ from the first table's, on a path in `fields` that leads to
 *   none of them, and on what is no table
 */
function toCSV(tables, options) {
  const style = styleOf(options)
  return madeOf(tables, 'toCSV', list => textsOf(list, style))
}

/** @returns {AsyncGenerator<string, void, void>} */
async function* textsOf(tables, style) {
  const same = new SameColumns('toCSV')
  for await (const table of tables) {
    const isFirst = same.first === null
    const own = same.checked(table)
    if (isFirst) checkFields(own, style.fields)
    const out = acquireText()
    try {
      if (isFirst) yield textOf(headingLine(own, style, out))
      for (const piece of linesOf(own, style, out)) yield textOf(piece)
    } finally {
      releaseText(out)
    }
  }
}

/** @throws {BSONError} when one leads to no column */
function checkFields({ inner }, paths) {
  const leaves = leavesOf(inner, [])
  const find = finderOf(leaves.map(({ keys }) => keys))
  const unknown = paths?.find(path => find(path) === leaves.length)
  if (unknown !== undefined) throw new BSONError(`fields: there is no column ${pathOf(unknown)}`)
}

/**
 * @param {string[][]} paths
 * @returns {(path: string[]) => number} the index of the first that leads to the same column, or into it, or from which
 *   it leads on, such as into a list; or the number of paths
 */
function finderOf(paths) {
  const whole = new Map()
  const begun = new Map()
  for (let i = paths.length - 1; i >= 0; i--) {
    const texts = beginningsOf(paths[i])
    for (const text of texts) begun.set(text, i)
    whole.set(texts.at(-1), i)
  }
  return path => {
    const texts = beginningsOf(path)
    const found = [begun.get(texts.at(-1)), ...texts.map(text => whole.get(text))]
    return Math.min(...found.map(index => index ?? paths.length))
  }
}

/** @param {string[]} path @returns {string[]} its first key, the first two, and so on, each as a key of a Map */
function beginningsOf(path) {
  return path.map((_, i) => JSON.stringify(path.slice(0, i + 1)))
}

function textOf(bytes) {
  return getText(bytes, 0, bytes.length)
}

const styleOf = ownOptionsOf('toCSV', { escapeFormulae: truthy(false), escapeControls: truthy(false), fields: pathList })

/**
 * CSV in parts that threads make: pieces of lines in UTF-8.
 *
 * @param {CSVOptions} options
 * @param {Table} empty a table with the columns, for the line of names
 */
function csvParts(options, empty) {
  const style = styleOf(options)
  return {
    make: tables => withText(out => tables.flatMap(table => [...linesOf(table, style, out)])),
    pack: concat,
    unpack: bytes => [bytes],
    writer: () => {
      const heading = [withText(out => headingLine(empty, style, out))]
      return {
        *add(pieces) {
          yield* heading.splice(0)
          yield* pieces
        },
        end: () => heading
      }
    }
  }
}

/** @typedef {{keys: string[], column: import('../layout/column').Column}} Leaf */

/** @returns {Leaf[]} the columns with values */
function leavesOf(columns, keys) {
  return columns.flatMap(column => {
    const own = [...keys, column.name]
    return column.kind === KIND.STRUCT ? leavesOf(column.inner, own) : [{ keys: own, column }]
  })
}

/** @returns {Leaf[]} the columns with values, those of these fields first */
function inOrder({ inner }, paths) {
  const leaves = leavesOf(inner, [])
  if (paths === null) return leaves
  const find = finderOf(paths)
  const ranked = leaves.map(leaf => ({ leaf, rank: find(leaf.keys) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ leaf }) => leaf)
}

/** @param {string[]} keys @returns {string} the names, in brackets those with a dot, a quote or a line end */
function headingOf(keys) {
  return keys.map((key, i) => {
    if (key === '' || /[."\r\n]/.test(key)) return `[${JSON.stringify(key)}]`
    return i === 0 ? key : `.${key}`
  }).join('')
}

/** The line of names. */
function headingLine(table, style, out) {
  let pos = 0
  inOrder(table, style.fields).forEach(({ keys }, i) => {
    if (i > 0) pos = putMark(COMMA, out, pos)
    pos = putString(headingOf(keys), style, out, pos)
  })
  return out.bytes(putMark(LINE_FEED, out, pos))
}

function putString(text, style, out, pos) {
  const bytes = utf8Bytes(text)
  return putTextCell(bytes, 0, bytes.length, style, out, pos)
}

/** Of a column without values of its own. */
const NONE = new Uint8Array(0)

/** The values of a column in the form in which they are read fast. */
class Cells {
  /**
   * @param {import('../layout/column').Column} column
   * @param {number} [index] of it
   * @param {number} [before] commas between the column before it that has values and this one
   */
  constructor(column, index = 0, before = 0) {
    const { kind, memory, starts, validity, length } = column
    const texts = kind === KIND.JSON ? extendedJSONValues(memory, starts, length) : null
    this.column = column
    this.index = index
    this.before = before
    this.kind = kind
    this.validity = validity
    /** @type {Uint8Array} */
    this.bytes = texts?.values ?? toBytes(memory ?? NONE)
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length)
    this.starts = texts?.offsets ?? starts
    /** @type {Cells[] | null} of the columns in it, once they are needed */
    this.cells = null
  }

  get inner() {
    return (this.cells ??= this.column.inner.map(column => new Cells(column)))
  }
}

/** @returns {Generator<Uint8Array, void>} pieces of text */
function* linesOf(table, style, out) {
  const columns = inOrder(table, style.fields).map(({ column }) => column)
  const filled = filledOf(columns)
  const after = columns.length - 1 - (filled.at(-1)?.index ?? 0) // commas after the last of them
  const isOnly = columns.length === 1
  let pos = 0
  for (let row = 0; row < table.rows; row++) {
    const start = pos
    pos = putCommas(Math.max(after, 0), out, putCells(filled, row, style, out, pos))
    if (isOnly && pos === start) pos = putString('', style, out, pos) // many readers skip empty lines
    pos = putMark(LINE_FEED, out, pos)
    if (pos < PIECE) continue
    yield pos > LARGE ? out.handOver(0, pos) : out.bytes(pos)
    pos = 0
  }
  if (pos > 0) yield out.bytes(pos)
}

/** The columns that have values: of thousands, a table may have few. */
function filledOf(columns) {
  const filled = []
  columns.forEach((column, index) => {
    if (column.nullCount < column.length) filled.push(new Cells(column, index, index - (filled.at(-1)?.index ?? 0)))
  })
  return filled
}

function putCells(filled, row, style, out, pos) {
  for (let i = 0; i < filled.length; i++) {
    const cells = filled[i]
    pos = putCommas(cells.before, out, pos)
    if (!isSet(cells.validity, row)) continue
    const start = pos
    pos = putCell(cells, row, style, out, out.reserve(pos, ROOM))
    if (style.escapeFormulae && SIGNED.has(cells.kind)) pos = putSafe(style, out, start, pos)
  }
  return pos
}

/** Kinds whose values may begin with a sign and be no number: `-Infinity`, `+010000-01-01`. */
const SIGNED = new Set([KIND.DOUBLE, KIND.DECIMAL128, KIND.DATE, KIND.BINARY])

const NUMBER = /^-[\d.]+(e[-+]?\d+)?$/i

/** Writes a cell again, as text, unless it is a number. */
function putSafe(style, out, start, end) {
  const { buf } = out
  if (buf[start] !== MINUS && buf[start] !== PLUS) return end
  const text = getText(buf, start, end)
  return NUMBER.test(text) ? end : putString(text, style, out, start)
}

function putCommas(count, out, pos) {
  if (count === 1) return putMark(COMMA, out, pos)
  out.reserve(pos, count)
  out.buf.fill(COMMA, pos, pos + count)
  return pos + count
}

/** The caller has reserved room for a value of a fixed size. */
function putCell(cells, row, style, out, pos, most = Infinity) {
  const { kind, view, bytes, starts } = cells
  const text = out.view
  switch (kind) {
    case KIND.STRING:
    case KIND.JSON:
      return putTextCell(bytes, starts[row], endOf(bytes, starts[row], starts[row + 1], most), style, out, pos)
    case KIND.INT32:
      return putInt(view.getInt32(4 * row, true), text, pos)
    case KIND.DOUBLE:
      return putDouble(view, 8 * row, text, pos)
    case KIND.INT64:
      return putInt64At(view, 8 * row, text, pos)
    case KIND.DATE:
      return putTimeCell(view, 8 * row, text, pos)
    case KIND.OBJECT_ID:
      return putIdDigits(bytes, 12 * row, text, pos)
    case KIND.BOOL:
      return putAscii(isSet(bytes, row) ? 'true' : 'false', text, pos)
    case KIND.DECIMAL128:
      return putDecimalAt(bytes, view, 16 * row, text, pos)
    case KIND.UUID:
      return putUuidCell(bytes, 16 * row, text, pos)
    case KIND.TIMESTAMP:
      return putAscii(String(view.getBigUint64(8 * row, true)), text, pos)
    case KIND.BINARY:
      if (starts[row] === starts[row + 1]) return putString('', style, out, pos) // an empty cell says that it is missing
      return forms.putAnyBase64(bytes, starts[row], starts[row + 1], out, pos)
    case KIND.REGEX:
      return putString(`/${cells.column.inner.map(part => part.get(row)).join('/')}`, style, out, pos)
    default:
      return putString(jsonOf(cells, row) ?? '', style, out, pos)
  }
}

/** Extended JSON of a list or a map, from memory: a Date, a RegExp or a Vector could not say all that is there. */
function jsonOf(cells, row) {
  const { kind, column, inner, bytes, view, starts } = cells
  if (kind === KIND.NULL || !isSet(cells.validity, row)) return isNull(column, row) ? 'null' : undefined
  if (kind === KIND.STRUCT) return jsonOfFields(inner.map(field => [field.column.name, jsonOf(field, row)]))
  if (kind === KIND.JSON) return getText(bytes, starts[row], starts[row + 1])
  const [first, last] = inner
  if (kind === KIND.LIST) return `[${rowsOf(starts, row).map(i => jsonOf(first, i) ?? 'null').join()}]`
  if (kind === KIND.MAP) return jsonOfFields(rowsOf(starts, row).map(i => [first.column.get(i), jsonOf(last, i)]))
  if (kind === KIND.REGEX) return EJSON.stringify(new BSONRegExp(first.column.get(row), last.column.get(row)))
  const value = column.get(row)
  if (kind === KIND.DATE && Number.isNaN(value.getTime())) return written(out => putFarDate(view, 8 * row, out))
  if (kind !== KIND.BINARY || value.sub_type !== SUBTYPE.VECTOR) return EJSON.stringify(value)
  return written(out => forms.putBinary(bytes, starts[row], starts[row + 1], SUBTYPE.VECTOR, { legacy: false, out }, 0))
}

/** @param {(out: any) => number} put returns where its text ends */
function written(put) {
  return withText(out => textOf(out.bytes(put(out))))
}

function putFarDate(view, p, out) {
  return forms.putText('"}}', out, putInt64At(view, p, out.view, forms.putForm(forms.LONG_DATE, out, 0)))
}

function rowsOf(starts, row) {
  return Array.from({ length: starts[row + 1] - starts[row] }, (_, i) => starts[row] + i)
}

/** @param {[name: string, text: string | undefined][]} fields */
function jsonOfFields(fields) {
  const there = fields.filter(([, text]) => text !== undefined)
  return `{${there.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`
}

/** @returns {number} where a text ends of which at most so many bytes are wanted, in whole characters */
function endOf(bytes, start, end, most) {
  if (end - start <= most) return end
  end = start + most
  while (end > start && (bytes[end] & 0xc0) === 0x80) end--
  return end
}

/** With `-0`, and the names of what is no number. */
function putDouble(view, p, text, pos) {
  const value = view.getFloat64(p, true)
  if (value - value !== 0) return putAscii(String(value), text, pos)
  if (value === 0) text.setUint8(pos, MINUS)
  return putDoubleAt(view, p, text, pos + Number(value === 0 && 1 / value < 0))
}

/** Characters are kept. */
const PLAIN = { escapeControls: false, escapeFormulae: false }

/**
 * The strings of the values of a column, of long ones only the beginning.
 *
 * @param {import('../layout/column').Column} column
 * @param {number} most bytes of each
 * @returns {string[]} as in CSV
 */
function cellTexts(column, most) {
  const cells = new Cells(column)
  return withText(out => Array.from({ length: column.length }, (_, row) => {
    if (cells.kind === KIND.NULL || !isSet(column.validity, row)) return ''
    const end = putCell(cells, row, PLAIN, out, out.reserve(0, ROOM), most) // first: it may replace the memory
    return getText(out.buf, 0, end)
  }))
}

module.exports = { toCSV, csvParts, leavesOf, headingOf, cellTexts }
