'use strict'

/** What can be imported, by its name after `qbson/`, and its source: a line here is all that another one needs. */
const ENTRIES = {
  qbson: 'qbson.js',
  wire: 'lib/wire/index.js',
  compile: 'lib/compile/index.js',
  'compile/runtime': 'lib/compile/runtime.js',
  ejson: 'lib/ejson/index.js',
  json: 'lib/json/index.js',
  cursor: 'lib/cursor/index.js',
  columns: 'lib/columns/index.js',
  'object-id': 'lib/types/object-id.js',
  dump: 'lib/dump/index.js',
  cli: 'lib/cli/index.js'
}

/** Those that need Node: browsers get no file of them. */
const NODE_ONLY = ['dump', 'cli']

/** All but the command. */
const PUBLIC = Object.keys(ENTRIES).filter(name => name !== 'cli')

module.exports = { ENTRIES, NODE_ONLY, PUBLIC }
