'use strict'

// What `qbson bench` prints.

const { version } = require('../../package.json')
const { plural } = require('./messages')
const { printable } = require('./printable')

const LIBRARIES = ['bson', 'qbson']

/**
 * @param {{documents: number, bytes: number, leaveOut: number[], first?: string}} checked
 * @param {{version: string, folder: string}} bson
 * @param {number} rounds
 */
function headOf({ documents, bytes, leaveOut, first }, bson, rounds) {
  const size = Math.round(bytes / documents)
  const left = leaveOut.length === 0 ? '' : `left out, for the outputs differ: ${leaveOut.length} (${printable(first)})\n`
  return `${plural(documents, 'document')} of ${size} bytes on average; bson ${bson.version} (${printable(bson.folder)}), ` +
    `qbson ${version}, Node.js ${process.versions.node}\n${left}` +
    `microseconds of CPU time a document, median and half the range of ${rounds} rounds\n\n`
}

/** @param {{title: string, results: {bson: number, qbson: number, ratio: number}[]}[]} rows */
function tableOf(rows) {
  const cells = rows.map(({ title, results }) => {
    const times = LIBRARIES.map(library => figure(results.map(result => result[library] / 1000)))
    return [title, ...times, figure(results.map(({ ratio }) => ratio))]
  })
  const lines = [['', ...LIBRARIES, 'times as fast'], ...cells]
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)))
  return lines.map(line => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('   ').trimEnd() + '\n').join('')
}

/** Three digits, and the spread. @param {number[]} values */
function figure(values) {
  const middle = median(values)
  const spread = (Math.max(...values) - Math.min(...values)) / 2 / middle
  const digits = middle >= 100 ? 0 : middle >= 10 ? 1 : middle >= 1 ? 2 : 3
  return `${middle.toFixed(digits)} ±${String(Math.round(100 * spread)).padStart(2)} %`
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

module.exports = { LIBRARIES, headOf, tableOf, median }
