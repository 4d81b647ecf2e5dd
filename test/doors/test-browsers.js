'use strict'

// The doors of test-matrix.js in the build for browsers, as packed.

const assert = require('node:assert')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { writeDoors } = require('../fixtures/doors')
const { TABLES, sources, answersOf } = require('../fixtures/doors-tables')
const { home, packed } = require('../fixtures/packed')

/** The build for browsers, where there is no Buffer. */
async function browsers() {
  const { Buffer } = globalThis
  const load = name => import(pathToFileURL(path.join(home, 'dist', 'browser', `${name}.mjs`)).href)
  delete globalThis.Buffer
  try {
    const [q, compile, json] = [await load('qbson'), await load('compile'), await load('json')]
    writeDoors({ q, compile, json }, () => 1) // what is loaded late
    return { q, compile, json }
  } finally {
    globalThis.Buffer = Buffer
  }
}

/** Answers, however the copy shows bytes. */
const plain = answers => JSON.parse(JSON.stringify(answers).replace(/\b(Buffer|Uint8Array)</g, '<'))

module.exports = {
  'in the build for browsers, without Buffer, every door gives the same answer': async t => {
    t.strictEqual(await packed(), '')
    const theirs = plain(answersOf(await browsers()))
    plain(answersOf(sources)).forEach((answers, i) => answers.forEach((cells, row) => {
      assert.deepStrictEqual({ [TABLES[i].rows[row][0]]: theirs[i][row] }, { [TABLES[i].rows[row][0]]: cells })
    }))
    t.done()
  }
}
