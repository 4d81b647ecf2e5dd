'use strict'

const fs = require('node:fs')
const path = require('node:path')

/** @typedef {{folder: string, name: string, version: string}} Package */

/**
 * @param {string} file
 * @returns {Package | undefined} its package: the first package.json above it with a name, because those without one
 *   only set the module type of a folder
 */
function packageOf(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = readManifest(path.join(folder, 'package.json'))
    if (manifest?.name) return { folder, name: manifest.name, version: String(manifest.version) }
    if (folder === path.dirname(folder)) return undefined
  }
}

function readManifest(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

module.exports = { packageOf }
