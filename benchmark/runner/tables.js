'use strict'

const { titleOf } = require('./machine')
const { median, geomean } = require('./stats')

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {string[]} head
 * @property {string[][]} rows first column text, the others figures
 */

/** Marks a figure whose spread is too wide to trust. */
const MARK = ' ~'

/**
 * A Markdown table, aligned so that it is readable as text.
 * @param {Table} table
 * @returns {string}
 */
function markdown({ title, head, rows }) {
  const cells = [head, ...rows].map(row => row.map(cell => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, i) => Math.max(3, ...cells.map(row => row[i].length)))
  const line = row => `| ${row.map((cell, i) => i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])).join(' | ')} |`
  const rule = `|${widths.map((width, i) => i === 0 ? '-'.repeat(width + 2) : '-'.repeat(width + 1) + ':').join('|')}|`
  return [`**${title}**`, '', line(cells[0]), rule, ...cells.slice(1).map(line), ''].join('\n')
}

/** Three significant digits with thousands separators: 0.123, 12.3, 1,230. */
function figure(value) {
  if (value === undefined || Number.isNaN(value)) return '—'
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

/** A spread as text: ±1.2 %, ±25 %. */
function percent(fraction) {
  if (fraction === undefined || Number.isNaN(fraction)) return '—'
  return `±${(100 * fraction).toFixed(fraction < 0.0995 ? 1 : 0)} %`
}

/** The distinct values of a property, in order of appearance. */
const distinct = (results, property) => [...new Set(results.map(result => result[property]))]

const wide = (text, mark) => mark ? text + MARK : text

/**
 * One table per operation, with a row per contender and a column per subject: rates relative to the baseline, their
 * geometric mean over the contender's subjects, and the median of the spreads.
 * @param {import('./results').Result[]} results of one suite on one Node version
 * @param {string} [baseline]
 * @returns {Table[]}
 */
function relativeTables(results, baseline) {
  const rated = results.filter(result => result.relative !== undefined)
  return distinct(rated, 'op').map(op => {
    const ofOp = rated.filter(result => result.op === op)
    const subjects = distinct(ofOp, 'subject')
    return {
      title: `${op}, relative rate, ${baseline} = 100`,
      head: ['', ...subjects.map(code), 'geo. mean', 'spread'],
      rows: distinct(ofOp, 'contender').map(name => relativeRow(name, subjects, ofOp))
    }
  })
}

/** Formats a subject that is a document as code. */
const code = subject => /^[{[]/.test(subject) ? `\`${subject}\`` : subject

function relativeRow(name, subjects, results) {
  const own = results.filter(result => result.contender === name)
  const cells = subjects.map(subject => own.find(result => result.subject === subject))
  const complete = cells.every(Boolean)
  return [
    name,
    ...cells.map(result => result ? wide(figure(Math.round(result.relative)), result.relativeSpread > 0.1) : '—'),
    figure(geomean(own.map(result => result.relative))) + (complete ? '' : '*'),
    percent(median(own.map(result => result.relativeSpread ?? NaN)))
  ]
}

/**
 * All figures of a suite, with a row per case.
 * @param {import('./results').Result[]} results of one suite on one Node version
 * @returns {Table}
 */
function detailTable(results) {
  return {
    title: 'all figures',
    head: ['case', 'ns/op', 'spread', 'ops/s', 'MB/s', 'bytes', 'allocated B/op'],
    rows: results.map(result => [
      [result.subject, result.op, result.contender].join(' / '),
      wide(figure(result.ns), result.wide),
      percent(result.spread),
      figure(1e9 / result.ns),
      figure(result.bytes === undefined ? undefined : result.bytes * 1e3 / result.ns),
      figure(result.bytes),
      figure(result.allocated)
    ])
  }
}

/**
 * The geometric means of several Node versions side by side.
 * @param {import('./results').Result[]} results of one suite
 * @returns {Table | null} null for a single version or a suite without rates
 */
function sideBySide(results) {
  const rated = results.filter(result => result.relative !== undefined)
  const nodes = distinct(rated, 'node')
  if (nodes.length < 2) return null
  const columns = distinct(rated, 'op').flatMap(op => nodes.map(node => ({ op, node })))
  const mean = (name, { op, node }) => geomean(rated.filter(result => {
    return result.contender === name && result.op === op && result.node === node
  }).map(result => result.relative))
  return {
    title: 'versions side by side: geometric mean of the relative rates',
    head: ['', ...columns.map(({ op, node }) => `${op}, ${titleOf(node)}`)],
    rows: distinct(rated, 'contender').map(name => [name, ...columns.map(column => figure(mean(name, column)))])
  }
}

/**
 * One table per operation, with a row per subject and a column per contender, then the geometric mean and the worst.
 * @param {import('./results').Result[]} results of one suite on one Node version
 * @param {string} baseline
 * @param {string} [subject] what a row stands for
 * @returns {Table[]}
 */
function kindTables(results, baseline, subject = 'kind') {
  const rated = results.filter(result => result.relative !== undefined)
  return distinct(rated, 'op').map(op => {
    const ofOp = rated.filter(result => result.op === op)
    const present = distinct(ofOp, 'contender').filter(contender => contender !== baseline)
    const row = (name, reduce) => [name, ...present.map(contender => {
      return figure(Math.round(reduce(ofOp.filter(result => result.contender === contender).map(({ relative }) => relative))))
    })]
    return {
      title: `${op}, relative rate, ${baseline} = 100`,
      head: ['', ...present],
      rows: [
        ...distinct(ofOp, 'subject').map(subject => [code(subject), ...present.map(contender => {
          const result = ofOp.find(one => one.subject === subject && one.contender === contender)
          return result ? wide(figure(Math.round(result.relative)), result.relativeSpread > 0.1) : '—'
        })]),
        row('**geometric mean**', geomean),
        row(`**worst ${subject}**`, rates => Math.min(...rates))
      ]
    }
  })
}

/**
 * Geometric means of the relative rates, with a row per contender and a column per operation.
 * @param {import('./results').Result[]} results of one suite on one Node version
 * @param {string} baseline
 * @param {string} [prefix] of the columns
 * @returns {Table}
 */
function meansTable(results, baseline, prefix = '') {
  const rated = results.filter(result => result.relative !== undefined)
  const ops = distinct(rated, 'op')
  const of = (contender, op) => rated.filter(result => result.contender === contender && result.op === op)
  return {
    title: `geometric means of the relative rates, ${baseline} = 100`,
    head: ['', ...ops.map(op => prefix + op)],
    rows: distinct(rated, 'contender').filter(contender => contender !== baseline).map(contender => [contender, ...ops.map(op => {
      const own = of(contender, op)
      return own.length === 0 ? '—' : figure(Math.round(geomean(own.map(({ relative }) => relative))))
    })])
  }
}

/**
 * Merges the same table of several Node versions: cells that differ show all values.
 * @param {Table[]} tables
 * @returns {Table}
 */
function merged(tables) {
  const { title, head, rows } = tables.at(-1)
  const cellsOf = (name, i) => tables.map(table => table.rows.find(([first]) => first === name)?.[table.head.indexOf(head[i], 1)])
  return {
    title,
    head,
    rows: rows.map(([name, ...cells]) => [name, ...cells.map((_, i) => {
      const all = cellsOf(name, i + 1).map(cell => cell ?? '—')
      return [...new Set(all)].length === 1 ? all[0] : all.join(' / ')
    })])
  }
}

/**
 * Joins tables side by side, row by row.
 * @param {Table[]} tables
 * @returns {Table}
 */
function joined(tables) {
  const names = [...new Set(tables.flatMap(({ rows }) => rows.map(([name]) => name)))]
  return {
    title: [...new Set(tables.map(({ title }) => title))].join('; '),
    head: ['', ...tables.flatMap(({ head }) => head.slice(1))],
    rows: names.map(name => [name, ...tables.flatMap(({ head, rows }) => {
      return rows.find(([first]) => first === name)?.slice(1) ?? head.slice(1).map(() => '—')
    })])
  }
}

/** @returns {number} ns of both operations; NaN when one is missing */
const sumOf = (one, other) => one && other ? one.ns + other.ns : NaN

module.exports = {
  sumOf, code, markdown, figure, percent, distinct, wide, relativeTables, kindTables, meansTable, merged, joined, detailTable,
  sideBySide, MARK
}
