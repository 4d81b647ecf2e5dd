'use strict'

// Replaces every `bson` that a program loads with qbson. The way depends on Node's version: hooks in the loading thread
// (22.15 on), or in another thread for `import`; and always one of our own for `require`.

const { Module } = require('node:module')
const path = require('node:path')
const threads = require('node:worker_threads')
const { pathToFileURL } = require('node:url')
const { configure, isReplaced, packageOf, resolveSync } = require('./hooks')

/** Set on globalThis once registered, so that a second copy of qbson does nothing. */
const REGISTERED = Symbol.for('qbson.register')

/** Slots, shared by both threads, that mark the copies of `bson` already named. */
const SLOTS = 4096

/**
 * Makes `import` and `require` of `bson`, versions 5 to 7, lead to this copy of qbson. Modules loaded before are not
 * affected. With QBSON_REGISTER=verbose in the environment, each copy of `bson` found is named once on stderr.
 *
 * @returns {boolean} false if already registered, and in Node's thread for hooks, which loads what `--require` names
 *   but fails once it has hooks itself
 * @throws {Error} when Node is older than 20.6
 */
function register() {
  if (globalThis[REGISTERED] || threads.isInternalThread) return false
  if (typeof Module.register !== 'function') throw new Error('qbson/register needs Node.js 20.6 or later')
  const said = process.env.QBSON_REGISTER === 'verbose' ? new Int32Array(new SharedArrayBuffer(4 * SLOTS)) : null
  const data = { file: require.resolve('qbson'), said }
  configure(data)
  if (typeof Module.registerHooks === 'function') Module.registerHooks({ resolve: resolveSync })
  else Module.register('./hooks.js', { parentURL: pathToFileURL(__filename), data })
  replaceRequired(data)
  registerInWorkers()
  globalThis[REGISTERED] = true
  return true
}

/** Node 22 does not ask its hooks for `require.resolve`. @param {import('./hooks').Data} data */
function replaceRequired(data) {
  /** @type {any} resolves for `require` and `require.resolve` */
  const loader = Module
  const resolveFilename = loader._resolveFilename
  loader._resolveFilename = function (request, ...rest) {
    const file = resolveFilename.call(this, request, ...rest)
    return request === 'bson' && isReplaced(file) ? data.file : file
  }
}

/** The file that registers when it is loaded. */
const FILE = path.join(__dirname, '..', '..', 'register.js')

/**
 * Makes workers register that would not: those with options or an environment of their own, which may lack
 * NODE_OPTIONS, and on Node 20 those made from source, where `--import` is ignored.
 */
function registerInWorkers() {
  threads.Worker = new Proxy(threads.Worker, {
    construct: (target, [file, options, ...rest], newTarget) => {
      const needsOption = options?.eval || options?.execArgv !== undefined || options?.env !== undefined
      const execArgv = [...(options?.execArgv ?? process.execArgv), '--require', FILE]
      return Reflect.construct(target, [file, needsOption ? { ...options, execArgv } : options, ...rest], newTarget)
    }
  })
  Module.syncBuiltinESMExports()
}

module.exports = { register, packageOf }
