'use strict'

// Documents with many fields become objects that are not dictionaries in V8. Checking that needs a flag of V8 and so a
// process of its own. The fields come from Maps there, because objects with the same keys would influence V8.

const { execFileSync } = require('node:child_process')
const path = require('node:path')
const { encode, decode } = require('../../qbson')
const { skip } = require('../skip')

const root = path.join(__dirname, '..', '..')

const wide = n => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, i]))

module.exports = {
  'documents of many fields are objects like any other': function (t) {
    const bytes = encode(wide(40))
    for (let i = 0; i < 3; i++) {
      const doc = decode(bytes)
      t.strictEqual(Object.getPrototypeOf(doc), Object.prototype)
      t.strictEqual(doc.constructor, Object)
      t.deepStrictEqual(Object.keys(doc), Object.keys(wide(40)))
      t.deepStrictEqual(structuredClone(doc), wide(40))
    }
    t.done()
  },

  'a narrow document after a wide one has its own fields only': function (t) {
    decode(encode({ a: wide(40) }))
    const doc = decode(encode({ a: { b: 1 } }))
    t.deepStrictEqual(Object.keys(doc.a), ['b'])
    t.strictEqual('c' in doc.a, false)
    t.done()
  },

  'documents of many fields stay quick, also where code may not be made': function (t) {
    if (process.env.NYC_CONFIG) skip(t, 'nyc itself makes code in every file that it counts')
    const program = `
      const { encode, decode } = require('./qbson')
      const fields = n => new Map(Array.from({ length: n }, (_, i) => ['key' + i, i]))
      const isFast = n => {
        const bytes = encode(fields(n))
        for (let i = 0; i < 20; i++) decode(bytes)
        return %HasFastProperties(decode(bytes))
      }
      console.log([4, 16, 17, 20, 40, 60].map(isFast).join())`
    const flags = ['--allow-natives-syntax', '--disallow-code-generation-from-strings']
    const out = execFileSync(process.execPath, [...flags, '-e', program], { cwd: root, encoding: 'utf8' })
    t.strictEqual(out.trim(), 'true,true,true,true,true,true')
    t.done()
  },

  'documents of many fields stay quick where they depart from what is learned': function (t) {
    if (process.env.NYC_CONFIG) skip(t, 'nyc itself makes code in every file that it counts')
    const program = `
      const { encode, decode } = require('./qbson')
      Object.assign(require('./lib/codegen').DECODE, { sampleEvery: 1, window: 8000, alike: 4000 })
      const names = n => Array.from({ length: n }, (_, i) => 'key' + i)
      const without = (n, missing) => encode(new Map(names(n).filter((_, i) => i !== missing).map(name => [name, 1])))
      const quick = n => {
        // one in three departs, each in another place
        const documents = Array.from({ length: 60 }, (_, i) => without(n, i % 3 === 0 ? i * 7 % n : -1))
        for (let i = 0; i < 250; i++) documents.forEach(bytes => decode(bytes)) // readers are made long before the end
        return documents.filter(bytes => %HasFastProperties(decode(bytes))).length
      }
      console.log([20, 40, 60].map(quick).join())`
    const out = execFileSync(process.execPath, ['--allow-natives-syntax', '-e', program], { cwd: root, encoding: 'utf8' })
    t.strictEqual(out.trim(), '60,60,60')
    t.done()
  }
}
