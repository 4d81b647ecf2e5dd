'use strict'

// Everything that decoding checks, what it ignores (the names in arrays), and how often each element type occurs.

const { errorAtOffset, shownName } = require('../errors')
const { getUtf8Lossy } = require('../bytes/utf8')
const { scanRoot } = require('../decode/scan')
const { utf8Plan, validateElements } = require('../decode/validate')

/** Levels that documents may have: nothing here keeps a level on the stack. */
const MAX_DEPTH = 1_000_000

/** @returns {import('./documents').Task} */
function checkTask() {
  const plan = utf8Plan()
  let types = new Float64Array(256)
  return {
    add: document => {
      const own = new Int32Array(256) // of a document that is wrong nothing is counted
      const end = scanRoot(document, 0, false)
      validateElements(document, 4, end - 1, plan, MAX_DEPTH, (type, level, name, nameEnd) => {
        if (level.isArray) checkIndex(document, name, nameEnd, level.count)
        own[type]++
      })
      for (let type = 0; type < 256; type++) types[type] += own[type]
    },
    finish: () => {
      const found = types
      types = new Float64Array(256)
      return { output: null, found }
    }
  }
}

/** @param {Uint8Array} buf @param {number} start of the name @param {number} end @param {number} index it must say */
function checkIndex(buf, start, end, index) {
  let at = end
  let rest = index
  do {
    if (--at < start || buf[at] !== 48 + (rest % 10)) throw wrongIndex(buf, start, end, index)
    rest = Math.floor(rest / 10)
  } while (rest > 0)
  if (at !== start) throw wrongIndex(buf, start, end, index)
}

function wrongIndex(buf, start, end, index) {
  const name = shownName(getUtf8Lossy(buf, start, end))
  return errorAtOffset(`element ${index} of the array has the name "${name}"`, start)
}

module.exports = { checkTask }
