'use strict'

const { getInt32 } = require('../bytes')
const { pickerOf } = require('../raw')
const { MIN_DOCUMENT_SIZE } = require('../spec')

/** Notices that --fields names a field that no document has. */
class Unmet {
  /** @param {string} [fields] `a,b.c` */
  constructor(fields = '') {
    const paths = fields.split(',').map(path => path.trim()).filter(path => path !== '' && !path.includes('$'))
    const matcher = paths.length === 0 ? null : require('../query').matcher
    this.cases = paths.map(path => ({ path, has: matcher({ [path]: { $exists: true } }) }))
    this.isEmpty = true
    this.picker = null
  }

  /** @param {Uint8Array} documents */
  lookAt(documents) {
    this.isEmpty &&= documents.length === 0
    for (let pos = 0; pos < documents.length && this.cases.length > 0;) {
      const start = pos
      pos += getInt32(documents, start)
      if (!this.mayHave(documents, start, pos)) continue
      const missing = this.cases.filter(({ has }) => !isIn(has, documents, start, pos))
      if (missing.length < this.cases.length) Object.assign(this, { cases: missing, picker: null })
    }
  }

  /** Whether a document may have one of the fields, of which there may be hundreds. */
  mayHave(buf, start, end) {
    this.picker ??= pickerOf(this.cases.map(({ path }) => path))
    this.picker.pos = 0
    try {
      this.picker.write(buf, start, end)
    } catch {
      return true // it is broken
    }
    return this.picker.pos > MIN_DOCUMENT_SIZE
  }

  /** @returns {string | null} what to tell the user */
  get note() {
    if (this.isEmpty || this.cases.length === 0) return null
    return `no document has ${this.cases.map(({ path }) => path).join(', ')} (--fields)`
  }
}

/** Whether a document matches; it may be broken. */
function isIn(has, buf, start, end) {
  try {
    return has(buf, start, end)
  } catch {
    return true
  }
}

module.exports = { Unmet }
