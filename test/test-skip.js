'use strict'

// Tests skip in functions of both kinds, and async tests that fail are not taken for skipped ones.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { spawnSync } = require('node:child_process')

const QNIT = path.join(path.dirname(require.resolve('qnit')), '..', 'bin', 'qnit')

/** @param {string} tests the members of a test file's exports @returns {string} what qnit prints for them */
function run(tests) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-skip-'))
  try {
    const file = path.join(folder, 'test-skipping.js')
    fs.writeFileSync(file, `const { skip } = require(${JSON.stringify(path.join(__dirname, 'skip'))})\nmodule.exports = { ${tests} }`)
    return spawnSync(process.execPath, [QNIT, file], { encoding: 'utf8' }).stdout
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const PASSES = 'passes: t => t.done()'
const KINDS = {
  'a function': "skips: t => { skip(t, 'no reason'); t.fail('went on') }",
  'an async function': "skips: async t => { skip(t, 'no reason'); t.fail('went on') }",
  'an async function, later': "skips: async t => { await null; skip(t, 'no reason'); t.fail('went on') }",
  'a call that is awaited': "skips: async t => { await (async () => skip(t, 'no reason'))(); t.fail('went on') }"
}

module.exports = {
  'a test that is skipped in any way is counted once, and the next one runs': function (t) {
    const text = run(Object.entries(KINDS).map(([kind, skips]) => `'${kind}': { ${skips}, ${PASSES} }`).join())
    t.strictEqual(text.match(/^ {4}skipped: no reason$/gm)?.length, 4, text)
    t.ok(/OK: .*0 errors, 8 tests, 1 files, 4 skipped/.test(text), text)
    t.done()
  },

  'an async test that rejects fails, after a skipped one too': function (t) {
    const text = run(`${KINDS['an async function']}, fails: async t => { throw new Error('it is broken') }`)
    t.ok(text.includes('it is broken') && !text.includes('OK:'), text)
    t.done()
  }
}
