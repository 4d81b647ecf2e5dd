'use strict'

// The columns beside the items of a list that is unwound: what the row of the first item has there is repeated in those
// of the others.

const { Builder } = require('../layout/builder')
const { KIND } = require('../layout/kinds')
const { Memory, mostMemory, tooMuch } = require('../layout/memory')

/** @typedef {import('./unwind').Origin} Origin */

class Beside {
  /** @param {Builder} root of all columns @param {string[]} path to the list */
  constructor(root, path) {
    this.columns = columnsBeside(root, path)
    /** The same with the last row of the table before. */
    this.last = columnsBeside(new Builder('', root.type, new Memory(0, Infinity), null), path)
    /** The document that is repeated. @type {Origin | null} */
    this.origin = null
    /** Which columns have something of it: of thousands, it may be few. @type {number[]} */
    this.held = []
  }

  /**
   * Repeats the row before.
   *
   * @param {number} row
   * @param {Origin} origin of both
   * @param {number} further how many rows come from there before this one
   * @returns {number} about the bytes repeated
   * @throws {import('../../errors').BSONError} when all that is repeated takes too much memory
   */
  repeat(row, origin, further) {
    const [from, at] = row === 0 ? [this.last, 0] : [this.columns, row - 1]
    if (origin !== this.origin) this.hold(origin, from, at)
    let size = 0
    for (const i of this.held) size += this.columns[i].copyRow(row, from[i], at)
    if (size * further > mostMemory(origin.size)) throw tooMuch()
    return size
  }

  hold(origin, columns, row) {
    this.origin = origin
    this.held.length = 0
    for (let i = 0; i < columns.length; i++) if (columns[i].length > row) this.held.push(i)
  }

  /** Keeps the last of so many rows for the next table. @param {number} rows */
  keep(rows) {
    this.last.forEach((column, i) => {
      column.truncate(0)
      if (rows > 0) column.copyRow(0, this.columns[i], rows - 1)
    })
  }
}

/**
 * All columns but those in lists and maps, and those of what a path leads to.
 *
 * @param {Builder} builder
 * @param {string[]} path
 * @returns {Builder[]}
 */
function columnsBeside({ children }, [name, ...inside]) {
  return children.flatMap(child => {
    if (child.name !== name) return [child, ...(child.items === null ? columnsBeside(child, []) : [])]
    return child.kind === KIND.STRUCT && inside.length > 0 ? columnsBeside(child, inside) : []
  })
}

module.exports = { Beside }
