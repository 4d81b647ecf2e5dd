'use strict'

// The scaling check in a process of its own, because counting has to begin before the library is loaded, and a process
// that hangs can be killed. node fuzz/scaling-process.js '{"filter": "…", "timed": true, "from": 0, "size": 150}'
// prints a line of JSON before and after each combination.

const { countWork, combinations, countOne, timeOne } = require('./scaling')
const { seededRandom } = require('../test/fixtures/random-document')

const { filter = '.', timed = false, from = 0, size, every } = JSON.parse(process.argv[2] ?? '{}')
const say = line => process.stdout.write(`${JSON.stringify(line)}\n`)

async function main() {
  const counter = timed ? undefined : countWork()
  if (!timed) Math.random = seededRandom(1) // it decides what is learned, and when
  if (!timed) Error.stackTraceLimit = 0 // steps do not include them, and most of the time goes into them
  for (const [i, combination] of combinations(new RegExp(filter), timed, every).entries()) {
    if (i < from) continue
    say({ i, begins: combination.name })
    say({ i, name: combination.name, ...(counter ? await countOne(combination, counter, size) : await timeOne(combination)) })
  }
}

main()
