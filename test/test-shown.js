'use strict'

// What V8 has compiled is not dropped where it could have been shown the way before. It says so when it drops something,
// in a process of its own.

const { execFileSync } = require('node:child_process')
const path = require('node:path')
const { skip } = require('./skip')

const root = path.join(__dirname, '..')

/** V8 drops what it has made of a function: it had not seen that way, or not those values. */
const DROPPED = /reason: (?:Insufficient type feedback|not a Smi|wrong )[^)]*\).* <JSFunction (\w+)/g

/** What a program prints, and which functions V8 drops meanwhile. */
function run(t, program) {
  if (process.env.NYC_CONFIG) skip(t, 'nyc changes the functions that V8 compiles')
  const flags = ['--trace-deopt', '-e', `const { encode, decode } = require('./qbson')\n${program}`]
  const out = execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  return { out, dropped: Array.from(out.matchAll(DROPPED), ([, name]) => name) }
}

module.exports = {
  'decode is not compiled again when documents are looked at, nor when the first shape is learned': function (t) {
    const { out, dropped } = run(t, `
      const bytes = encode({ a: 1234 })
      for (let i = 0; i < 60_000; i++) decode(bytes)
      console.log(require('./lib/decode/reader').ROOT.point.only === null ? 'nothing learned' : 'learned')`)
    t.ok(/^learned$/m.test(out))
    t.deepStrictEqual(dropped.filter(name => ['decode', 'decodeAt', 'readRoot', 'read', 'learn'].includes(name)), [])
    t.done()
  },

  'encode is not compiled again at the first zero, nor when objects are looked at': function (t) {
    const { dropped } = run(t, `
      for (let i = 0; i < 30_000; i++) encode({ a: 1 + i % 100, b: 1.5 })
      for (let i = 0; i < 5_000; i++) encode({ a: 0, b: 1.5 })`)
    t.deepStrictEqual(dropped.filter(name => ['encode', 'appendDocument', 'putRoot', 'putPlain', 'putElement'].includes(name)), [])
    t.done()
  }
}
