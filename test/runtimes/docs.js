'use strict'

// The tables of docs/environments.md, and a short form for the README.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { IMPORTS, packInto, sizeOf } = require('../../benchmark/runner/sizes')

const root = path.join(__dirname, '..', '..')
const README = 'README.md'
const PAGE = 'docs/environments.md'

/** @param {{name: string, passed: number, failed: number, skipped: number, word: string}[]} rows @returns {Promise<void>} */
async function writeDocs(rows) {
  const cells = rows.map(({ name, passed, failed, word }) => [name, word || `${passed} passed`, word ? '' : failed || 'none'])
  write(PAGE, 'runtimes', table(['runtime', 'checks', 'failed'], cells))
  write(README, 'runtimes', table(['runtime', 'configurations', 'checks', 'failed'], summaryOf(rows)))
  await writeSizes()
}

/** A row per first word of the names, with what was reported for them. */
function summaryOf(rows) {
  const first = ({ name }) => /^\w+/.exec(name)[0]
  return [...new Set(rows.map(first))].map(name => {
    const ways = rows.filter(row => first(row) === name)
    const [passed, failed] = ['passed', 'failed'].map(key => ways.reduce((sum, row) => sum + row[key], 0))
    return [name, ways.length, ...(passed + failed === 0 ? [ways[0].word, ''] : [`${passed} passed`, failed || 'none'])]
  })
}

/** @returns {Promise<void>} */
async function writeSizes() {
  const content = table(['import', 'qbson', 'bson'], await sizes())
  for (const file of [PAGE, README]) write(file, 'sizes', content)
}

function write(name, block, content) {
  const file = path.join(root, name)
  fs.writeFileSync(file, between(fs.readFileSync(file, 'utf8'), block, content))
}

async function sizes() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-sizes-'))
  try {
    await packInto(folder)
    const kilobytes = (names, from) => (sizeOf(names, from, folder).gzipped / 1000).toFixed(1)
    return Object.entries(IMPORTS).map(([what, names]) => {
      return [what, kilobytes(names(['encode', 'decode']), 'qbson'), kilobytes(names(['serialize', 'deserialize']), 'bson')]
    })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

function table(head, rows) {
  return [head, head.map((_, i) => i === 0 ? '---' : '---:'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function between(text, name, content) {
  const marks = new RegExp(`(<!-- ${name}[^>]*-->\\n)[^]*?(<!-- /${name} -->)`)
  return text.replace(marks, (_, begin, end) => `${begin}${content}\n${end}`)
}

module.exports = { writeDocs, writeSizes }
