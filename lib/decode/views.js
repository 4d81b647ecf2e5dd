'use strict'

// DataViews of what is read.

const { isResizable } = require('../bytes')

/**
 * Bytes of up to so many are copied to where there is a DataView: that takes 10 to 25 ns, to make a DataView 55. Of
 * more bytes one is made, and found again for the next document in them: the documents of a reply to the driver take
 * 0.55 to 0.9 of the time that they take with a copy of each.
 */
const COPIED = 8192

/**
 * Views of larger bytes, which may hold many documents.
 *
 * @type {WeakMap<Uint8Array, DataView>}
 */
const views = new WeakMap()

/** @param {Uint8Array} buf @returns {DataView} */
function getView(buf) {
  return views.get(buf) ?? keepView(buf)
}

function keepView(buf) {
  const view = viewOf(buf)
  // of memory that can be resized, `buf` may follow the size and `view` would not
  if (!isResizable(buf.buffer)) views.set(buf, view)
  return view
}

/** @param {Uint8Array} bytes @returns {DataView} of the same bytes */
function viewOf({ buffer, byteOffset, length }) {
  return new DataView(buffer, byteOffset, length)
}

module.exports = { COPIED, getView, viewOf }
