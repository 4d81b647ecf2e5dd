'use strict'

// The files that esbuild made, and what is written in their place.

const fs = require('node:fs')
const path = require('node:path')
const { FlattenMap, encodedMap } = require('@jridgewell/trace-mapping')
const { restore } = require('./finish')

/** What the names of files begin with that several entries need. */
const SHARED = 'shared'

/** @param {string} folder @returns {string[]} the ES modules in it */
function modulesIn(folder) {
  return fs.readdirSync(folder).filter(file => file.endsWith('.mjs'))
}

/** @param {string} folder @param {string} file @returns {{text: string, map: string}} a module that esbuild made */
function readModule(folder, file) {
  const [text, map] = [file, `${file}.map`].map(name => fs.readFileSync(path.join(folder, name), 'utf8'))
  return { text: restore(text), map }
}

/** @param {string} file a module @returns {string} the file of the same as CommonJS */
function commonjsOf(file) {
  return file.replace(/\.mjs$/, '.cjs')
}

/**
 * Writes a file and its source map.
 *
 * @param {string} folder
 * @param {string} file
 * @param {{code: string, map?: string}[]} parts each begins on a line of its own
 */
function writeFile(folder, file, parts) {
  const code = parts.map(part => part.code).join('')
  fs.writeFileSync(path.join(folder, file), `${code}//# sourceMappingURL=${file}.map\n`)
  fs.writeFileSync(path.join(folder, `${file}.map`), mapOf(file, parts))
}

/** One map of the maps of all parts: Node reads no map that is an index of others. */
function mapOf(file, parts) {
  const sections = []
  let line = 0
  for (const { code, map } of parts) {
    if (map !== undefined) sections.push({ offset: { line, column: 0 }, map: JSON.parse(map) })
    line += code.split('\n').length - 1
  }
  return JSON.stringify(encodedMap(new FlattenMap({ version: 3, file, sections })))
}

module.exports = { SHARED, modulesIn, readModule, writeFile, commonjsOf }
