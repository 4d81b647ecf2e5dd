'use strict'

// Edge workers. They allow code generation while they load, and forbid it while they handle a request.

const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')
const { packageOf } = require('./tools')

/** From this date on code may be created at import. */
const DATE = '2025-06-01'

/**
 * @param {string} project
 * @param {'browser' | 'node'} condition which of the package's files
 * @param {string[]} compatibilityFlags
 */
async function inWorkerd(project, condition, compatibilityFlags) {
  if (!packageOf(__dirname, 'miniflare')) return 'not installed'
  const { Miniflare } = require(path.join(__dirname, 'node_modules', 'miniflare'))
  const script = await bundle(project, condition)
  const worker = new Miniflare({ modules: true, script, compatibilityDate: DATE, compatibilityFlags })
  try {
    return await (await worker.dispatchFetch('http://localhost/')).json()
  } finally {
    await worker.dispose()
  }
}

async function bundle(project, condition) {
  const entry = path.join(project, 'worker.mjs')
  fs.writeFileSync(entry, `
    import './portable.js'
    import * as qbson from 'qbson'
    import * as json from 'qbson/json'
    export default { fetch: () => Response.json(runPortable(qbson, json)) }`)
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry], bundle: true, write: false, format: 'esm', platform: 'neutral', conditions: [condition], external: ['node:*']
  })
  return outputFiles[0].text
}

module.exports = { inWorkerd }
