'use strict'

// Work grows in proportion to the input, whatever the input is: hostile families at n, 2n and 4n by every public
// operation, counted and so the same on every machine. `npm run fuzz -- --target scaling` also looks at the time.

const assert = require('node:assert')
const { checkScaling } = require('../../fuzz/targets/scaling')
const { knownFault } = require('../../fuzz/known')
const { countWork } = require('../../fuzz/work')
const { skip } = require('../skip')

const GROUPS = ['bytes', 'values', 'texts', 'strings', 'messages', 'chunks']

let results

/** All combinations, in one process. @returns {Promise<{name: string, said?: string}[]>} */
async function measured() {
  const done = []
  await checkScaling({}, result => done.push(result))
  return done
}

const grows = group => async t => {
  const mine = (await (results ??= measured())).filter(({ name }) => name.startsWith(`${group} / `))
  const wrong = mine.filter(({ name, said }) => said && !knownFault('scaling', name, new Error(said)))
  assert.deepStrictEqual(wrong.map(({ name, said }) => `${name}: ${said}`), [])
  assert.ok(mine.length >= 6, String(mine.length))
  t.done()
}

const covered = t => skip(t, 'nyc changes the sources in which steps are counted')

module.exports = {
  'counting sees a loop in a loop, and not how busy the machine is': t => {
    const counter = countWork()
    const { encode, decode } = require('../..')
    const bytes = [100, 200, 400].map(n => encode(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]))))
    for (let i = 0; i < 3; i++) bytes.forEach(each => decode(each)) // learned once
    const once = bytes.map(each => counter.count(() => decode(each)))
    assert.deepStrictEqual(bytes.map(each => counter.count(() => decode(each))), once)
    const squared = [10, 20, 40].map(n => counter.count(() => { for (let i = 0; i < n; i++) decode(bytes[0].subarray()) }))
    counter.stop()
    t.ok(once[2] > 1.7 * once[1] && once[2] < 2.6 * once[1], once.join())
    t.ok(squared[2] > 1.9 * squared[1], squared.join())
    t.done()
  },

  ...Object.fromEntries(GROUPS.map(group => [`${group}: work in proportion`, process.env.NYC_CONFIG ? covered : grows(group)]))
}
