'use strict'

// Columns as CSV (RFC 4180, with mongoexport's line ends): fields of nested documents are separate columns, arrays and
// the like are JSON.

const { pathOf } = require('../errors')
const { toHex, getText } = require('../bytes')
const { EJSON } = require('../ejson')
const { KIND } = require('./kinds')
const { jsonTexts } = require('./json')
const { Table, SameColumns } = require('./table')

/** Rows in a piece of output. */
const ROWS = 1000

/**
 * Tables as lines of CSV after a line of names, with `a.b` for a field in a document. A missing value is empty, an
 * empty text is `""`. Dates are ISO 8601, ids hex, binary values base64, arrays and mixtures Extended JSON.
 *
 * @param {Table | Iterable<Table> | AsyncIterable<Table>} tables with the same columns
 * @returns {AsyncGenerator<string, void, void>}
 * @throws {import('../errors').BSONError} when the columns of a table differ from the first table's
 */
async function* toCSV(tables) {
  const same = new SameColumns()
  for await (const table of tables instanceof Table ? [tables] : tables) {
    const isFirst = same.first === null
    const leaves = leavesOf(same.checked(table).inner, [])
    if (isFirst) yield `${leaves.map(({ keys }) => quoted(pathOf(keys))).join(',')}\n`
    for (let row = 0; row < table.rows; row += ROWS) yield lines(leaves, row, Math.min(table.rows, row + ROWS))
  }
}

/** @typedef {{keys: string[], column: import('./column').Column}} Leaf */

/** @returns {Leaf[]} the columns with values */
function leavesOf(columns, keys) {
  return columns.flatMap(column => {
    const own = [...keys, column.name]
    return column.kind === KIND.STRUCT ? leavesOf(column.inner, own) : [{ keys: own, column }]
  })
}

/** @param {Leaf[]} leaves @param {number} from @param {number} to row */
function lines(leaves, from, to) {
  let text = ''
  for (let row = from; row < to; row++) {
    for (let i = 0; i < leaves.length; i++) text += (i === 0 ? '' : ',') + cell(leaves[i].column, row)
    text += '\n'
  }
  return text
}

function cell(column, row) {
  const { validity, kind } = column
  if (validity !== null && (validity[row >> 3] & (1 << (row & 7))) === 0) return ''
  return TEXT[kind](column, row)
}

/** The text of a value, by kind. @type {((column: any, row: number) => string)[]} */
const TEXT = [
  () => '',
  (column, row) => String(column.get(row)),
  ({ memory }, row) => String(memory[row]),
  ({ memory }, row) => String(memory[row]),
  ({ memory }, row) => (Object.is(memory[row], -0) ? '-0' : String(memory[row])),
  dateText,
  ({ memory }, row) => String(memory[row]),
  ({ memory }, row) => toHex(memory.subarray(12 * row, 12 * row + 12)),
  (column, row) => String(column.get(row)),
  (column, row) => column.get(row).toHexString(),
  ({ memory, starts }, row) => quoted(getText(memory, starts[row], starts[row + 1])),
  jsonText,
  (column, row) => column.get(row).toString('base64'),
  (column, row) => quoted(String(column.get(row))),
  asJSON,
  asJSON,
  asJSON
]

function dateText(column, row) {
  const date = column.get(row)
  return Number.isNaN(date.getTime()) ? String(column.memory[row]) : date.toISOString()
}

function jsonText(column, row) {
  const { offsets, values } = jsonTexts(column)
  return quoted(getText(values, offsets[row], offsets[row + 1]))
}

function asJSON(column, row) {
  return quoted(EJSON.stringify(column.get(row)))
}

/** Quotes text that could be misread otherwise. @param {string} text */
function quoted(text) {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

module.exports = { toCSV, leavesOf, cell }
