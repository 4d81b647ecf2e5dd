'use strict'

// Engines without a host: no TextDecoder, no Buffer, no atob, no crypto.

const fs = require('node:fs')
const path = require('node:path')
const { buildSync } = require('esbuild')
const { run, resultOf, packageOf } = require('./tools')

/** As where code may not be generated. */
const FORBID = 'globalThis.Function = function () { throw new EvalError("forbidden") };'

/** These only interpret: two rounds take as long as all do elsewhere. Hermes drops the source of functions. */
const RUN = 'JSON.stringify(runPortable(qbson, json, { often: 1, without: /a function, where asked/ }))'

/** The scripts to run, one after the other. */
function scripts(project) {
  const library = fs.readFileSync(path.join(project, 'node_modules/qbson/dist/qbson.min.js'), 'utf8')
  const { outputFiles: [json] } = buildSync({
    entryPoints: [path.join(project, 'node_modules/qbson/dist/browser/json.mjs')],
    bundle: true, write: false, format: 'iife', platform: 'neutral', globalName: 'globalThis.json'
  })
  return [FORBID, library.replace('var qbson=', 'globalThis.qbson='), json.text, fs.readFileSync(path.join(project, 'portable.js'), 'utf8')]
}

async function inQuickJS(project) {
  if (!packageOf(__dirname, 'quickjs-emscripten')) return 'not installed'
  const { getQuickJS } = require(path.join(__dirname, 'node_modules', 'quickjs-emscripten'))
  const context = (await getQuickJS()).newContext()
  context.runtime.setMaxStackSize(1 << 20)
  let last
  for (const script of [...scripts(project), RUN]) {
    last?.dispose()
    last = context.unwrapResult(context.evalCode(script))
  }
  const result = JSON.parse(context.getString(last))
  last.dispose()
  context.dispose()
  return result
}

/** Hermes has these itself, and the replacement for regular expressions prints other text. */
const NOT_NEEDED = ['transform-typeof-symbol', 'transform-exponentiation-operator', 'transform-dotall-regex',
  'transform-unicode-regex', 'transform-named-capturing-groups-regex', 'transform-sticky-regex']

/** Its classes are those of a newer version: Babel writes them as functions, as for React Native. */
async function inHermes(project) {
  const hermes = packageOf(__dirname, 'hermes-engine-cli')
  if (!hermes || process.platform !== 'linux') return 'not to be had for this platform'
  if (!packageOf(__dirname, '@babel/preset-env')) return 'not installed'
  const { transformSync } = require(path.join(__dirname, 'node_modules', '@babel/core'))
  const preset = path.join(__dirname, 'node_modules', '@babel/preset-env')
  const code = [...scripts(project), `print(${RUN})`].join('\n;\n')
  const older = transformSync(code, {
    presets: [[preset, { targets: 'ie 11', exclude: NOT_NEEDED }]],
    sourceType: 'script', compact: false, configFile: false, babelrc: false, assumptions: { setPublicClassFields: true }
  })
  const file = path.join(project, 'hermes.js')
  fs.writeFileSync(file, older.code)
  return resultOf(await run(path.join(hermes, 'linux64-bin', 'hermes'), ['-w', file], { cwd: project }))
}

module.exports = { inQuickJS, inHermes }
