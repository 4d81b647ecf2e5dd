'use strict'

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const codegen = require('../../lib/codegen/compile')
const { skip } = require('../skip')
const { requireWithoutBuffer } = require('../without-buffer')

const { canCompile, MAX_SOURCE, compile, quote } = codegen

const HOSTILE = [
  '', 'a', '"', "'", '`', '\\', '\\"', '"+process.exit(1)+"', '${process.exit(1)}', '\n', '\r', '\u2028', '\u2029', '\0', '\ud800', '*/', '//', '</script>',
  '__proto__', 'constructor', 'x'.repeat(10000), '"'.repeat(1000), '日本', '😀', '\u007f', '\ufeff'
]

module.exports = {
  'code can be made here, from a scope and a source': t => {
    t.strictEqual(canCompile, true)
    t.strictEqual(compile({ a: 2, b: 3 }, 'x => a * b + x')(1), 7)
    t.strictEqual(compile({}, '1'), 1)
    t.done()
  },

  'the source is strict': t => {
    t.strictEqual(compile({}, 'function () { return this }')(), undefined)
    t.done()
  },

  'quote gives back any string, and nothing but it': t => {
    for (const string of HOSTILE) {
      assert.strictEqual(compile({}, quote(string)), string)
      assert.ok(!/[\u2028\u2029\n]/.test(quote(string)))
    }
    t.done()
  },

  'quote makes an own property of any name but __proto__, which is never learned': t => {
    for (const name of HOSTILE.filter(name => name !== '__proto__')) {
      const object = compile({}, `({ ${quote(name)}: 5 })`)
      assert.deepStrictEqual(Reflect.ownKeys(object), [name])
      assert.strictEqual(Object.getPrototypeOf(object), Object.prototype)
      assert.strictEqual(Object.getOwnPropertyDescriptor(object, name).value, 5)
    }
    t.done()
  },

  'a source that is too long is not compiled': t => {
    t.strictEqual(compile({}, `'${'x'.repeat(MAX_SOURCE)}'`), undefined)
    t.done()
  },

  'an EvalError that comes late ends it, and nothing more is asked': t => {
    // nyc uses the first one to get the global object
    const forbidden = `function (source) {
      if (source === 'return this') return () => globalThis
      if (source === 'return 1') return () => 1
      throw new EvalError(++globalThis.asked)
    }`
    globalThis.asked = 0
    const late = requireWithoutBuffer('lib/codegen/compile', [`Function = ${forbidden}`])
    t.strictEqual(late.canCompile, true)
    for (let i = 0; i < 3; i++) t.strictEqual(late.compile({}, '1'), undefined)
    t.strictEqual(globalThis.asked, 1)
    delete globalThis.asked
    t.done()
  },

  'an error that is not of that kind is not hidden': t => {
    t.throws(() => compile({}, '5 +'), SyntaxError)
    t.strictEqual(compile({}, '1'), 1)
    t.done()
  },

  'where it is forbidden, everything works without': t => {
    if (process.env.NYC_CONFIG) skip(t, 'nyc itself makes code in every file that it counts')
    const script = `
      const { canCompile, compile } = require(${JSON.stringify(path.join(__dirname, '..', '..', 'lib', 'codegen'))})
      const { encode, decode } = require(${JSON.stringify(path.join(__dirname, '..', '..', 'qbson'))})
      for (let i = 0; i < 1200; i++) {
        const { a, b } = decode(encode({ a: i, b: { c: 'x', d: [1, 2, i] } }))
        if (a !== i || b.c !== 'x' || b.d[2] !== i) throw new Error('wrong')
      }
      process.stdout.write(JSON.stringify([canCompile, compile({}, '1')]))`
    t.strictEqual(run(['--disallow-code-generation-from-strings'], script), '[false,null]')
    t.done()
  }
}

function run(flags, script) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })
  assert.strictEqual(status, 0, stderr)
  return stdout
}
