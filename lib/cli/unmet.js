'use strict'

const { getInt32 } = require('../bytes')

/** Notices that --fields names a field that no document has. */
class Unmet {
  /** @param {string} [fields] `a,b.c` */
  constructor(fields = '') {
    const paths = fields.split(',').map(path => path.trim()).filter(path => path !== '' && !path.includes('$'))
    const matcher = paths.length === 0 ? null : require('../query').matcher
    this.cases = paths.map(path => ({ path, has: matcher({ [path]: { $exists: true } }) }))
    this.isEmpty = true
  }

  /** @param {Uint8Array} documents */
  lookAt(documents) {
    this.isEmpty &&= documents.length === 0
    for (let pos = 0; pos < documents.length && this.cases.length > 0;) {
      const start = pos
      pos += getInt32(documents, start)
      this.cases = this.cases.filter(({ has }) => !isIn(has, documents, start, pos))
    }
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
