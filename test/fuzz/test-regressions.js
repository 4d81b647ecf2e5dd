'use strict'

// Faults that the fuzzers found stay fixed: every file in test/regressions/ is checked again.

const assert = require('node:assert')
const path = require('node:path')
const { kept, read } = require('../../fuzz/save')
const { targets } = require('../../fuzz/targets')

const tests = {
  'every file names a target': t => {
    for (const file of kept()) assert.ok(targets[read(file).target], file)
    t.done()
  }
}

for (const file of kept()) {
  const { target, said, input } = read(file)
  tests[`${path.basename(file, '.json')}: ${said}`] = async t => {
    const { check, checkAlone = check } = targets[target]
    await checkAlone(input)
    t.done()
  }
}

module.exports = tests
