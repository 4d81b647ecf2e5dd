'use strict'

// Work grows in proportion to the input: hostile families at n, 2n and 4n with every public operation. Work is counted,
// so the result is the same on every machine. `npm run fuzz -- --target scaling` also measures the time.

const assert = require('node:assert')
const { checkScaling } = require('../../fuzz/targets/scaling')
const { knownFault } = require('../../fuzz/known')
const { countWork } = require('../../fuzz/work')
const { judgeTimes } = require('../../fuzz/scaling')
const { many } = require('../fixtures/long')
const { skip } = require('../skip')

const GROUPS = ['bytes', 'values', 'texts', 'strings', 'messages', 'chunks', 'files', 'archives']

let results

/** Of this process; the sources are loaded with it. @type {ReturnType<typeof countWork> | undefined} */
let counted

/** How many of the operations of a family: one in twenty, in another place for each family, or all. */
const EVERY = many(20, 1)

/** The combinations, in one process. @returns {Promise<{name: string, said?: string}[]>} */
async function measured() {
  const done = []
  await checkScaling({ size: many(100, 150), every: EVERY }, result => done.push(result))
  return done
}

const grows = group => async t => {
  const mine = (await (results ??= measured())).filter(({ name }) => name.startsWith(`${group} / `))
  const wrong = mine.filter(({ name, said }) => said && !knownFault('scaling', name, new Error(said)))
  assert.deepStrictEqual(wrong.map(({ name, said }) => `${name}: ${said}`), [])
  assert.ok(mine.length >= many(1, 6), String(mine.length))
  t.done()
}

/** These spend their time in native functions, whose steps are not counted. */
const RARE = '^rare (bytes|texts) / .* / (decode|EJSON.fromBSON|codec.decode|schemaOf|EJSON.parse)$'

const covered = t => skip(t, 'nyc changes the sources in which steps are counted')

module.exports = {
  'counting sees a loop in a loop, and not how busy the machine is': async t => {
    const counter = (counted ??= countWork())
    const { encode, decode } = require('../../qbson')
    const bytes = [100, 200, 400].map(n => encode(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]))))
    for (let i = 0; i < 3; i++) bytes.forEach(each => decode(each)) // learned once
    const counts = async (list, run) => {
      const found = []
      for (const each of list) found.push(await counter.count(() => run(each)))
      return found
    }
    const once = await counts(bytes, each => decode(each))
    assert.deepStrictEqual(await counts(bytes, each => decode(each)), once)
    const squared = await counts([10, 20, 40], n => { for (let i = 0; i < n; i++) decode(bytes[0].subarray()) })
    t.ok(once[2] > 1.7 * once[1] && once[2] < 2.6 * once[1], once.join())
    t.ok(squared[2] > 1.9 * squared[1], squared.join())
    t.done()
  },

  'maps within maps, all of whose keys are new, take no longer for a schema than other documents': async t => {
    const counter = (counted ??= countWork())
    const { encode } = require('../../qbson')
    const { schemaOf } = require('../../lib/compile')
    const chains = (depth, keyOf) => Array.from({ length: 200 }, (_, i) => {
      let inner = { a: 1 }
      for (let k = 0; k < depth; k++) inner = { [keyOf(i * depth + k)]: inner }
      return encode(inner)
    })
    for (const keyOf of [i => `k${i}`, i => String(i).padStart(24, 'a'), i => String(i)]) {
      const counts = []
      for (const depth of [9, 18, 36]) {
        const documents = chains(depth, keyOf)
        counts.push(await counter.count(() => schemaOf(documents)))
      }
      t.ok(counts[1] < 2.4 * counts[0] && counts[2] < 2.4 * counts[1], counts.join())
    }
    t.done()
  },

  'time is judged by its growth and for each byte': t => {
    t.strictEqual(judgeTimes([10, 20, 40], 10_000), undefined)
    t.strictEqual(judgeTimes([25_000, 50_000, 100_000], 1e6), undefined)
    t.strictEqual(judgeTimes([10_000, 40_000, 160_000], 1e6), 'takes 10, 40, 160 ms')
    t.strictEqual(judgeTimes([5500, 11_000, 22_000], 22_000), 'takes 1000 ns a byte')
    t.strictEqual(judgeTimes([25, 50, 100], 100), undefined, 'what is small is too short to be timed')
    t.strictEqual(judgeTimes([5000, 10_000, 19_000], 6000), undefined, 'what is short is timed too roughly')
    t.done()
  },

  'rare values take no more than 900 ns a byte: decimals, dates, patterns, numbers': async t => {
    const wrong = []
    let count = 0
    await checkScaling({ filter: RARE, timed: true, every: EVERY }, ({ name, said }) => {
      count++
      if (said && !knownFault('scaling', name, new Error(said))) wrong.push(`${name}: ${said}`)
    })
    assert.deepStrictEqual(wrong, [])
    t.ok(count >= 200 / EVERY, String(count))
    t.done()
  },

  ...Object.fromEntries(GROUPS.map(group => [`${group}: work in proportion`, process.env.NYC_CONFIG ? covered : grows(group)]))
}
