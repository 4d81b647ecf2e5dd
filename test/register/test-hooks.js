'use strict'

// What the hooks return for a specifier, for any version of Node; test-index.js runs them in Node.

const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { configure, resolveSync, resolve } = require('../../lib/register/hooks')

const root = path.join(__dirname, '..', '..')
const bson = pathToFileURL(require.resolve('bson')).href
const file = path.join(root, 'qbson.js')

const imported = { conditions: ['node', 'import'], parentURL: 'file:///app/main.mjs' }
const required = { conditions: ['node', 'require'], parentURL: 'file:///app/main.js' }

/** A resolver that looks specifiers up in a table, and records its calls. */
function resolver(table) {
  const calls = []
  const next = (specifier, context) => {
    calls.push([specifier, context.parentURL])
    return { url: table[specifier], format: 'module' }
  }
  return { next, calls }
}

module.exports = {
  before: done => {
    configure({ file, said: null })
    done()
  },

  'an import of bson is resolved as one of qbson would be here': async function (t) {
    for (const ask of [resolveSync, resolve]) {
      const { next, calls } = resolver({ bson, qbson: 'file:///qbson.mjs' })
      t.deepStrictEqual(await ask('bson', imported, next), { url: 'file:///qbson.mjs', format: 'module' })
      const here = pathToFileURL(path.join(root, 'lib', 'register', 'hooks.js')).href
      t.deepStrictEqual(calls, [['bson', imported.parentURL], ['qbson', here]])
    }
    t.done()
  },

  'a require of bson gets the file': t => {
    const { next } = resolver({ bson })
    const expected = { url: pathToFileURL(file).href, format: 'commonjs', shortCircuit: true }
    t.deepStrictEqual(resolveSync('bson', required, next), expected)
    t.done()
  },

  'all else is what it was': async function (t) {
    const table = {
      path: 'node:path',
      'bson/package.json': pathToFileURL(path.join(root, 'node_modules', 'bson', 'package.json')).href,
      mongodb: bson
    }
    for (const ask of [resolveSync, resolve]) {
      for (const [specifier, url] of Object.entries(table)) {
        t.deepStrictEqual(await ask(specifier, imported, resolver(table).next), { url, format: 'module' })
      }
      for (const url of ['data:text/javascript,', pathToFileURL(file).href, 'file:///none/at/all/bson.js']) {
        t.deepStrictEqual(await ask('bson', imported, resolver({ bson: url }).next), { url, format: 'module' })
      }
    }
    t.done()
  }
}
