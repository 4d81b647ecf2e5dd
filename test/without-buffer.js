'use strict'

// The library as in a browser: a second copy of its modules, without Buffer and, on request, without other globals. It
// runs in this process, so that coverage includes it.

const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')

const root = path.dirname(__dirname)

/**
 * @param {string} file to require, from the project's root
 * @param {string[]} [names] of more globals to remove
 * @returns {any} what the file exports
 */
function requireWithoutBuffer(file, names = []) {
  const cached = Object.keys(require.cache).filter(isOurs)
  const modules = cached.map(name => require.cache[name])
  const [opening] = Module.wrapper
  cached.forEach(forget)
  Module.wrapper[0] = `${opening}var ${['Buffer', ...names].join(', ')};`
  try {
    const exported = require(path.join(root, file))
    loadLate()
    return exported
  } finally {
    Module.wrapper[0] = opening
    Object.keys(require.cache).filter(isOurs).forEach(forget)
    cached.forEach((name, i) => { require.cache[name] = modules[i] })
  }
}

/** What the copy requires in functions, on first use, is loaded now: later there would be a Buffer again. */
function loadLate() {
  const loaded = new Set(Object.keys(require.cache).filter(isOurs))
  for (const name of loaded) { // and what is added meanwhile
    const own = Module.createRequire(name)
    for (const [, request] of fs.readFileSync(name, 'utf8').matchAll(LATE)) own(request)
    Object.keys(require.cache).filter(isOurs).forEach(each => loaded.add(each))
  }
}

/** A require in a function. */
const LATE = /^ .*\brequire\('(\.[^']*)'\)/gm

function isOurs(name) {
  return name.startsWith(path.join(root, 'lib')) || name === path.join(root, 'qbson.js')
}

function forget(name) {
  delete require.cache[name]
}

module.exports = { requireWithoutBuffer }
