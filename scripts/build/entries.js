'use strict'

// What can be imported, and the files of dist/ that stand behind each name.

/** By the name after `qbson/`; `qbson` itself is `.`. The file is from the project's root. */
const ENTRIES = {
  '.': 'qbson.js',
  './wire': 'lib/wire/index.js',
  './compile': 'lib/compile/index.js',
  './compile/runtime': 'lib/compile/runtime.js',
  './ejson': 'lib/ejson/index.js',
  './json': 'lib/json/index.js',
  './cursor': 'lib/cursor/index.js',
  './object-id': 'lib/types/object-id.js'
}

/**
 * What is shipped as it is: for Node alone, or too rarely in a page for a bundle of its own. To register takes the copy
 * of qbson that Node finds.
 */
const PLAIN = {
  './columns': './lib/columns/index.js',
  './dump': './lib/dump/index.js',
  './register': './register.js',
  './package.json': './package.json'
}

/** @param {string} name of an entry @returns {string} what its files in dist/ are called */
function fileOf(name) {
  return name === '.' ? 'qbson' : name.slice(2).replace('/', '-')
}

/**
 * Where each way to ask for an entry leads. Node, whoever asks, gets one copy of the classes: its ES modules only hand
 * on what the CommonJS file exports. Everybody else gets files that need neither Node nor Buffer.
 *
 * `node-addons` and `module-sync` together are what Node itself asks for, from 20.19 and 22.10 on: bundlers for Node,
 * which have to see what is imported, ask for one of them at most.
 *
 * @param {string} name of an entry
 */
function conditionsOf(name) {
  const file = fileOf(name)
  const commonjs = folder => ({ types: `./dist/${file}.d.cts`, default: `./dist/${folder}/${file}.cjs` })
  const module = folder => ({ types: `./dist/${file}.d.mts`, default: `./dist/${folder}/${file}.mjs` })
  const both = folder => ({ import: module(folder), require: commonjs(folder) })
  const onNode = { ...module('node'), default: `./dist/node/${file}.node.mjs` }
  return {
    'react-native': commonjs('browser'),
    browser: both('browser'),
    node: {
      import: { 'node-addons': { 'module-sync': onNode }, default: module('node') },
      require: commonjs('node')
    },
    ...both('browser'),
    default: module('browser')
  }
}

module.exports = { ENTRIES, PLAIN, fileOf, conditionsOf }
