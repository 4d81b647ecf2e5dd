'use strict'

// What is compiled, and how long it may be: the constants of lib/shapes/reader.js and writer.js.

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
  ...both('keys of a shape that is compiled', 'MAX_COMPILED_KEYS', [50, 100, 200, 400],
    ['80 keys of 8 bytes', '150 keys of 8 bytes', '250 keys of 8 bytes']),
  ...both('keys of one function', 'CHUNK', [8, 24, 48, 200], ['20 keys of 8 bytes', '40 keys of 8 bytes', '120 keys of 8 bytes']),
  ...both('types that are handled in line', 'MAX_INLINE_TYPES', [2, 3, 4, 6, 10], ['2 types a key', '3 types a key', '5 types a key'])
], __filename)
