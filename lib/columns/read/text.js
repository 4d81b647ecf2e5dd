'use strict'

// Checks that the text of a column is UTF-8, for many values at once because a native call takes 50 ns, plus 0.1 ns a
// byte.

const { NodeBuffer, findInvalidUtf8 } = require('../../bytes')

/** Node's own functions, from 20.16 on. @type {{isAscii: Function, isUtf8: Function} | null | undefined} */
let native

function loadNative() {
  const builtin = NodeBuffer !== undefined && typeof process === 'object' ? process.getBuiltinModule : undefined
  return typeof builtin === 'function' ? builtin('node:buffer') : null
}

/**
 * Whether each text of a column from `row` on is UTF-8: true if all the bytes together are UTF-8 and no text starts
 * inside a sequence. `offsets`: where each starts.
 */
function areUtf8(bytes, offsets, row, end) {
  if (native === undefined) native = loadNative()
  const text = bytes.subarray(offsets[row], offsets[end])
  if (native !== null) {
    if (native.isAscii(text)) return true
    if (!native.isUtf8(text)) return false
  } else if (findInvalidUtf8(text, 0, text.length) !== -1) return false
  for (let i = row; i < end; i++) {
    if (offsets[i] < offsets[i + 1] && (bytes[offsets[i]] & 0xc0) === 0x80) return false
  }
  return true
}

module.exports = { areUtf8 }
