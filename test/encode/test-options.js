'use strict'

const assert = require('node:assert')
const { DEFAULT_PLAN, planOf } = require('../../lib/encode/options')
const { MAX_DEPTH, MAX_DOCUMENT_SIZE } = require('../../lib/spec')

module.exports = {
  'options that say what the default says are the default': t => {
    const silent = [
      undefined, null, {}, { checkKeys: false, ignoreUndefined: true, serializeFunctions: false }, { maxDepth: undefined, index: 5 },
      { checkKeys: 1, serializeFunctions: 'yes', ignoreUndefined: 0, maxDepth: null, maxSize: null }, 'x', 5
    ]
    for (const options of silent) t.strictEqual(planOf(options), DEFAULT_PLAN)
    const limits = { maxDepth: MAX_DEPTH, maxSize: MAX_DOCUMENT_SIZE }
    t.deepStrictEqual({ ...DEFAULT_PLAN }, { checkKeys: false, serializeFunctions: false, ignoreUndefined: true, ...limits })
    t.done()
  },

  'each option is resolved': t => {
    const all = { checkKeys: true, serializeFunctions: true, ignoreUndefined: false, maxDepth: 5, maxSize: 100 }
    t.deepStrictEqual(planOf(all), all)
    for (const [name, value] of Object.entries(all)) t.deepStrictEqual(planOf({ [name]: value }), { ...DEFAULT_PLAN, [name]: value })
    t.done()
  },

  'nothing is read from the prototype of all objects': t => {
    for (const [name, value] of [['checkKeys', true], ['serializeFunctions', true], ['ignoreUndefined', false], ['maxDepth', 1], ['maxSize', 5]]) {
      Object.prototype[name] = value
      try {
        assert.deepStrictEqual({ ...planOf({}) }, { ...DEFAULT_PLAN })
        assert.deepStrictEqual({ ...planOf({ checkKeys: true }) }, { ...DEFAULT_PLAN, checkKeys: true })
      } finally {
        delete Object.prototype[name]
      }
    }
    t.done()
  }
}
