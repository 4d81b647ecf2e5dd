'use strict'

// What esbuild makes of programs that import the package: small, whole, and with one copy of the classes.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { execFileSync } = require('node:child_process')
const esbuild = require('esbuild')
const { folder, home, packed } = require('./fixtures/packed')
const { PROGRAMS, LARGEST } = require('./fixtures/bundled')
const { packInto } = require('../benchmark/runner/sizes')

/** @returns {{size: number, inputs: string[], output: string}} of a bundle: its size, its files, and what it prints */
function bundled(program, options) {
  const { outputFiles: [{ contents }], metafile } = esbuild.buildSync({
    stdin: { contents: program, resolveDir: folder }, bundle: true, minify: true, write: false, metafile: true, ...options
  })
  const file = path.join(folder, `bundle${options.format === 'esm' ? '.mjs' : '.cjs'}`)
  fs.writeFileSync(file, contents)
  return {
    size: zlib.gzipSync(contents, { level: 9 }).length,
    inputs: Object.keys(metafile.inputs).filter(name => name !== '<stdin>'),
    output: execFileSync(process.execPath, [file], { encoding: 'utf8' })
  }
}

module.exports = {
  before: function (done) {
    packed().then(() => done(), done)
  },

  'a function contains what it imports, for Node and for browsers, as module and as CommonJS': function (t) {
    for (const platform of /** @type {const} */ (['node', 'browser'])) {
      for (const format of /** @type {const} */ (['esm', 'cjs'])) {
        const { size, output } = bundled(PROGRAMS.some, { platform, format })
        t.strictEqual(output, `true ${platform === 'node'}\n`, `${platform} ${format}`)
        t.ok(size <= LARGEST[platform], `${platform} ${format}: ${size} bytes`)
      }
    }
    t.done()
  },

  'one copy is in a bundle that requires and imports': function (t) {
    for (const platform of /** @type {const} */ (['node', 'browser'])) {
      const { inputs, output } = bundled(PROGRAMS.both, { platform, format: 'cjs' })
      t.strictEqual(output, 'true true true\n', platform)
      const other = platform === 'node' ? 'module' : 'browser'
      t.deepStrictEqual(inputs.filter(name => !name.includes(`/dist/${other}/`)), [], platform)
    }
    t.done()
  },

  'the names of the qmongo driver are in a bundle that requires all': function (t) {
    for (const platform of /** @type {const} */ (['node', 'browser'])) {
      t.strictEqual(bundled(PROGRAMS.driver, { platform, format: 'cjs' }).output, '5 1\n', platform)
    }
    t.done()
  },

  'a bundle for Node does not need the methods of Buffer that Node does not document': function (t) {
    t.strictEqual(bundled(PROGRAMS.future, { platform: 'node', format: 'cjs' }).output, 'true\n')
    t.done()
  },

  'lists of doubles and of int32s are arrays of two kinds, as without a bundler': function (t) {
    t.strictEqual(bundled(PROGRAMS.numbers, { platform: 'node', format: 'cjs' }).output, 'true false\n')
    t.done()
  },

  'the modules of Node are found by a bundle': function (t) {
    const file = path.join(folder, 'bundled.bson')
    const program = PROGRAMS.dump.replaceAll('FILE', JSON.stringify(file))
    t.strictEqual(bundled(program, { platform: 'node', format: 'cjs' }).output, '[{"n":1},{"n":2}]\n')
    t.done()
  },

  'suites of a benchmark that need the package share it': function (t) {
    const cache = fs.mkdtempSync(path.join(folder, 'cache-'))
    packInto(cache).then(() => packInto(cache)).then(() => {
      t.ok(fs.existsSync(path.join(cache, 'node_modules', 'qbson', 'dist', 'node', 'qbson.cjs')))
      t.done()
    }, t.done)
  },

  'Node does not take what bundlers take': function (t) {
    const program = "console.log(require.resolve('qbson'), require('qbson').encode === (await import('qbson')).encode)"
    const code = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${program}`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, encoding: 'utf8' })
    t.strictEqual(output, `${path.join(fs.realpathSync(home), 'dist', 'node', 'qbson.cjs')} true\n`)
    t.done()
  }
}
