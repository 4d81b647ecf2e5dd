'use strict'

// What is compiled, and how long it may be: the constants of lib/shapes/reader.js, writer.js and read-site.js and of
// lib/codegen.js.

const { measureThresholds } = require('../runner/threshold')
const { work } = require('./works')

/** The same constant for readers and writers. */
const both = (title, name, values, kinds) => [['reader', 'decode'], ['writer', 'encode']].map(([room, op]) => ({
  title: `${title}, ${room}`,
  constant: { file: `lib/shapes/${room}.js`, name, values },
  subjects: kinds.map(kind => `${op} ${kind}`),
  work
}))

measureThresholds([
  ...both('keys of a shape that is compiled', 'MAX_COMPILED_KEYS', [50, 100, 200, 400], ['wide', 'order', '300 keys of 8 bytes']),
  ...both('keys of one function', 'CHUNK', [8, 16, 24, 48, 200], ['wide', 'order', '40 keys of 8 bytes', '150 keys of 8 bytes']),
  ...both('types that are handled in line', 'MAX_INLINE_TYPES', [1, 2, 3, 4, 6],
    ['event', '2 types a key', '3 types a key', '5 types a key', 'types that change']),
  {
    title: 'arrays of as many items in a row before a reader is compiled',
    constant: { file: 'lib/shapes/read-site.js', name: 'HOT_LIST', values: [10, 100, 1000, 1000000] },
    subjects: ['decode lists of 2', 'decode order', 'decode tree', 'decode all'],
    work
  },
  {
    title: 'items of an array that is read like a shape',
    constant: { file: 'lib/shapes/read-site.js', name: 'MAX_LIST', values: [0, 2, 4, 8, 10] },
    subjects: ['decode lists of 2', 'decode lists of 4', 'decode lists of 8', 'decode lists of 10', 'decode order'],
    work
  },
  {
    title: 'functions that may be compiled in a process',
    constant: { file: 'lib/codegen.js', name: 'MAX_COMPILED', values: [0, 10, 100, 1000, 10000] },
    subjects: ['decode all', 'encode all', 'decode a thousand shapes', 'encode a thousand shapes'],
    work
  },
  {
    title: 'characters of source of one function',
    constant: { file: 'lib/codegen.js', name: 'MAX_SOURCE', values: ['10_000', '30_000', '100_000', '1_000_000'] },
    subjects: ['decode wide', 'decode 20 keys of 100 bytes', 'decode 100 keys of 60 bytes', 'encode 100 keys of 60 bytes'],
    work
  }
], __filename)
