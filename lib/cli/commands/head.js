'use strict'

// The first documents, as `print` shows them or as a table.

const { CHOOSING_OPTIONS, OUT_OPTIONS, READING_OPTIONS, except } = require('../options')
const { print } = require('./print')
const { printable } = require('../terminal/printable')
const { Source } = require('../input/source')
const { width: widthOf, cut } = require('../terminal/width')

/** The default of --limit. */
const ROWS = 10

/** Terminal columns for one value, and for a line if the terminal does not give its width. */
const WIDEST = 30
const TERMINAL = 120

/** Bytes of a value that are made into text: enough for a cell, even of characters without width. */
const LONGEST = 1000

/** @type {import('./index').Command} */
const head = {
  about: 'print the first 10 documents (or as many as --limit gives), or the --largest',
  examples: [
    'qbson head -n 3 people.bson',
    'qbson head --table --largest 5 people.bson'
  ],
  options: {
    table: { help: 'a table as wide as the terminal' },
    largest: { value: 'N', excludes: ['sort'], help: 'the N largest documents, the very largest first' }
  },
  groups: [READING_OPTIONS, except(CHOOSING_OPTIONS, ['ns-from', 'ns-to', 'name', 'workers']), OUT_OPTIONS],

  async *run(context) {
    const { largest = ROWS, limit = largest, table } = context.options
    const options = { ...context.options, limit, workers: 1 }
    if (!table) return yield* print.run({ ...context, options })
    const source = new Source({ ...context, options }, { isQuiet: true })
    const tables = []
    for await (const each of source.tables()) tables.push(each)
    if (tables.length > 0) yield tableOf(tables, context.io.stdout.columns ?? TERMINAL)
    return source.code
  }
}

/** @param {import('../../columns').Table[]} tables @param {number} width of the terminal */
function tableOf(tables, width) {
  const columns = cellsOf(tables).map(cells => cells.map(shortened))
  const widths = columns.map(cells => cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), 0))
  let used = 0
  const shown = widths.filter(own => (used += own + 2) - 2 <= width || used === own + 2).length
  const lines = []
  for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
    const cells = columns.slice(0, shown).map((own, i) => own[row] + ' '.repeat(widths[i] - widthOf(own[row])))
    lines.push(`${cells.join('  ').trimEnd()}\n`)
  }
  const left = columns.slice(shown).map(([name]) => name)
  return lines.join('') + (left.length === 0 ? '' : `and ${left.join(', ')}\n`)
}

/** @returns {string[][]} for each column its name, its type and the text of its values */
function cellsOf(tables) {
  const { leavesOf, headingOf, cellTexts } = require('../../columns/formats/csv')
  const all = tables.map(table => leavesOf(table.inner, []))
  return all[0].map(({ keys, column }, i) => {
    const texts = all.map(leaves => cellTexts(leaves[i].column, LONGEST))
    return [headingOf(keys), column.type, ...texts.flat()]
  })
}

function shortened(text) {
  const shown = printable(text)
  return widthOf(shown) <= WIDEST ? shown : `${cut(shown, WIDEST - 3)}...`
}

module.exports = { head }
