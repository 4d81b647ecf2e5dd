'use strict'

// The tables of docs/environments.md.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { IMPORTS, packInto, sizeOf } = require('../../benchmark/runner/sizes')

const root = path.join(__dirname, '..', '..')
const PAGE = 'docs/environments.md'

/** @param {{name: string, passed: number, failed: number, skipped: number, word: string}[]} rows @returns {Promise<void>} */
async function writeDocs(rows) {
  const names = new Map()
  for (const { name, passed, failed, word } of rows) {
    const cells = [word || `${passed} passed`, word ? '' : failed || 'none'].join(' | ')
    names.set(cells, [...(names.get(cells) ?? []), name])
  }
  write('runtimes', table(['checks', 'failed', 'in'], [...names].map(([cells, own]) => [cells, own.join('; ')])))
  await writeSizes()
}

/** @returns {Promise<void>} */
async function writeSizes() {
  write('sizes', table(['import', 'qbson', 'bson'], await sizes()))
}

function write(block, content) {
  const file = path.join(root, PAGE)
  fs.writeFileSync(file, between(fs.readFileSync(file, 'utf8'), block, content))
}

async function sizes() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-sizes-'))
  try {
    await packInto(folder)
    const kilobytes = (names, from) => (sizeOf(names, from, folder).gzipped / 1000).toFixed(1)
    return Object.entries(IMPORTS).map(([what, names]) => {
      const isTheirs = what !== 'RawDocument'
      const codec = ['serialize', 'deserialize']
      return [what, kilobytes(names(['encode', 'decode']), 'qbson'), isTheirs ? kilobytes(names(codec), 'bson') : '—']
    })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function between(text, name, content) {
  const marks = new RegExp(`(<!-- ${name}[^>]*-->\\n)[^]*?(<!-- /${name} -->)`)
  return text.replace(marks, (_, begin, end) => `${begin}${content}\n${end}`)
}

module.exports = { writeDocs, writeSizes }
