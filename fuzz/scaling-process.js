'use strict'

// The scaling check in a process of its own: counting has to begin before the library is loaded, and a process can be
// ended when it hangs. node fuzz/scaling-process.js '{"filter": "…", "timed": true, "from": 0, "size": 150}' prints a line
// of JSON before each combination, and one after it.

const { countWork, combinations, countOne, timeOne } = require('./scaling')

const { filter = '.', timed = false, from = 0, size } = JSON.parse(process.argv[2] ?? '{}')
const say = line => process.stdout.write(`${JSON.stringify(line)}\n`)

const counter = timed ? undefined : countWork()
combinations(new RegExp(filter), timed).forEach((combination, i) => {
  if (i < from) return
  say({ i, begins: combination.name })
  say({ i, name: combination.name, ...(counter ? countOne(combination, counter, size) : timeOne(combination)) })
})
