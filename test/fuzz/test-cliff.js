'use strict'

// The target that looks for slow kinds of documents: what is slower than asked is said.

const { seededRandom } = require('../fixtures/random-document')
const { run, kindOf, documentsOf, written, cliffOf } = require('../../fuzz/targets/cliff')
const { notCovered } = require('../skip')

module.exports = {
  'a command that reads less than a share of the ordinary bytes is said': notCovered(async t => {
    const said = []
    const { isGood, text } = await run(null, { minutes: 1, runs: 1, seed: 1, filter: '^(count --match|print --skip)' }, line => said.push(line))
    t.deepStrictEqual([isGood, text, said], [true, 'cliff: 2 good, 0 wrong', []])
    const { of, field } = kindOf(seededRandom(1))
    const files = await written('kind', documentsOf(of))
    t.ok(/^[\d.]+ MB\/s, ordinary [\d.]+$/.test(await cliffOf('count --match', files, field, 1e6)))
    t.done()
  })
}
