'use strict'

// Bundles the portable suite as one script that defines `globalThis.runPortable`.

const path = require('node:path')
const esbuild = require('esbuild')

const folder = path.join(__dirname, 'portable')

/** The tables of vectors make their values with the tested library. */
const underTest = {
  name: 'under test',
  setup(build) {
    build.onResolve({ filter: /[\\/]lib[\\/]types$/ }, () => ({ path: 'types', namespace: 'under test' }))
    build.onLoad({ filter: /./, namespace: 'under test' }, () => ({ contents: 'module.exports = globalThis.qbsonUnderTest' }))
  }
}

/** @param {string} file to write @returns {Promise<void>} */
async function bundlePortable(file) {
  await esbuild.build({
    entryPoints: [path.join(folder, 'index.js')],
    outfile: file,
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    inject: [path.join(folder, 'bytes.mjs')],
    plugins: [underTest],
    logLevel: 'warning'
  })
}

module.exports = { bundlePortable }
