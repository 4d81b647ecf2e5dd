'use strict'

// What rollup, webpack and Vite make of programs that import the package, for Node and for browsers: as small as what
// esbuild makes (test/test-bundles.js), and with one copy of the classes.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { run } = require('./tools')
const { LARGEST, PROGRAMS } = require('../fixtures/bundled')

/** @typedef {'node' | 'browser'} Target */

const minify = require('@rollup/plugin-terser')

async function byRollup(entry, outfile, target) {
  const { rollup } = require('rollup')
  const { nodeResolve } = load('@rollup/plugin-node-resolve')
  const commonjs = load('@rollup/plugin-commonjs')
  const resolve = nodeResolve({ browser: target === 'browser', exportConditions: target === 'node' ? ['node'] : [] })
  const plugins = [resolve, commonjs({ transformMixedEsModules: true }), minify()]
  const bundle = await rollup({ input: entry, plugins, logLevel: 'silent' })
  await bundle.write({ file: outfile, format: 'cjs' })
}

async function byWebpack(entry, outfile, target) {
  const { promisify } = require('node:util')
  const [filename, folder] = [path.basename(outfile), path.dirname(outfile)]
  const mode = 'production'
  const options = { mode, entry, target: target === 'node' ? 'node20' : 'web', output: { filename, path: folder } }
  const stats = await promisify(load('webpack'))(options)
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
}

async function byVite(entry, outfile, target) {
  const { build } = load('vite')
  const isForNode = target === 'node'
  const output = { format: 'cjs', entryFileNames: path.basename(outfile) }
  await build({
    configFile: false, logLevel: 'silent', root: path.dirname(entry), ssr: isForNode ? { noExternal: true } : undefined,
    build: {
      ssr: isForNode, outDir: path.dirname(outfile), emptyOutDir: false, minify: true, target: 'es2022', modulePreload: false,
      rollupOptions: { input: entry, output }
    }
  })
}

const BUNDLERS = { rollup: byRollup, webpack: byWebpack, Vite: byVite }

/** @param {string} name of a package of the runtimes */
const load = name => require(require.resolve(name, { paths: [__dirname] }))

/** @param {keyof typeof BUNDLERS} name @returns {(project: string) => Promise<import('./list').Result>} */
const inBundler = name => async project => {
  const result = { passed: 0, failed: 0, failures: [], digest: null }
  const check = (isRight, message) => {
    if (isRight) return result.passed++
    result.failed++
    result.failures.push(message)
  }
  for (const target of /** @type {const} */ (['node', 'browser'])) {
    const some = await bundled(name, project, 'some', target)
    check(some.output === `true ${target === 'node'}\n`, `${target}: ${some.output}`)
    check(some.size <= LARGEST[target], `${target}: ${some.size} bytes, more than ${LARGEST[target]}`)
    const both = await bundled(name, project, 'both', target)
    check(both.output === 'true true true\n', `require and import for ${target}: ${both.output}`)
  }
  return result
}

/** @param {string} program @param {Target} target @returns {Promise<{size: number, output: string}>} bytes, gzipped */
async function bundled(name, project, program, target) {
  const entry = path.join(project, `${program}.js`)
  const outfile = path.join(project, `${name}-${program}-${target}.cjs`)
  fs.writeFileSync(entry, PROGRAMS[program])
  await BUNDLERS[name](entry, outfile, target)
  const size = zlib.gzipSync(fs.readFileSync(outfile), { level: 9 }).length
  return { size, output: await run(process.execPath, [outfile], { cwd: project }) }
}

module.exports = { BUNDLERS: Object.keys(BUNDLERS), inBundler }
