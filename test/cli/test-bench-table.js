'use strict'

// The output of qbson bench.

const { headOf, tableOf, median } = require('../../lib/cli/commands/bench')
const { version } = require('../../package.json')

const bson = { version: '7.1.0', folder: '/app/node_modules/bs\x1bon' }

module.exports = {
  'the head says what was timed, and what was left out': t => {
    const tail = `; bson 7.1.0 (/app/node_modules/bs\\u001bon), qbson ${version}, Node.js ${process.versions.node}\n`
    const note = 'microseconds of CPU time per document: median and half the range of 3 rounds\n\n'
    t.strictEqual(headOf({ documents: 1, bytes: 9, leaveOut: [] }, bson, 3), `1 document of 9 bytes on average${tail}${note}`)
    t.strictEqual(headOf({ documents: 2, bytes: 19, leaveOut: [1, 5], first: 'document 2, json: \x07' }, bson, 3),
      `2 documents of 10 bytes on average${tail}left out: 2 documents (first: document 2, json: \\u0007)\n${note}`)
    t.done()
  },

  'the table has the median of the rounds, three digits of it, and half their range': t => {
    const result = (bson, qbson) => ({ bson, qbson, ratio: bson / qbson })
    const table = tableOf([
      { title: 'decode', results: [result(1000, 100), result(1100, 110), result(900, 90)] },
      { title: 'read field a', results: [result(200_000, 10_000), result(220_000, 44_000)] }
    ])
    t.strictEqual(table, `
                     bson         qbson   times as fast
decode         1.00 ±10 %   0.100 ±10 %      10.0 ± 0 %
read field a    210 ± 5 %    27.0 ±63 %      12.5 ±60 %
`.slice(1))
    t.done()
  },

  'the median of an even number lies between two': t => {
    t.strictEqual(median([4, 1, 3, 2]), 2.5)
    t.strictEqual(median([3, 1, 2]), 2)
    t.done()
  }
}
