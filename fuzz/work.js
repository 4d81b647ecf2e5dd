'use strict'

// Counts work instead of timing it: the calls of the library's functions and the iterations of its loops. The same call
// has the same count on every machine, however busy. The sources get a counter when they are loaded, and so does code
// that the library generates; V8's precise coverage would take five times as long. Native functions (for strings,
// BigInt, copies) are not counted; they are timed.

const Module = require('node:module')
const path = require('node:path')
const acorn = require('acorn')

const LIBRARY = path.join(__dirname, '..', 'lib') + path.sep

const COUNT = 'globalThis.work.n++'

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'])

/** Marks where a function or a loop begins its body, and where it ends. @param {any} node of acorn @param {Map<number, string>} marks */
function mark(node, marks) {
  for (const key in node) {
    if (typeof node[key] === 'object' && node[key] !== null) mark(node[key], marks) // inner bodies end first
  }
  const { type, body, expression } = node
  const isFunction = /Function/.test(type)
  if (!isFunction && !LOOPS.has(type)) return
  const add = (at, text, others = marks.get(at) ?? '') => marks.set(at, text[0] === '}' || text[0] === ')' ? others + text : text + others)
  if (body.type === 'BlockStatement') return add(body.start + 1, `${COUNT};`)
  add(body.start, expression ? `(${COUNT},` : `{${COUNT};`)
  add(body.end, expression ? ')' : '}')
}

/** @param {string} source a file, or the body of a function @returns {string} the same, counting */
function counting(source) {
  const marks = new Map()
  mark(acorn.parse(source, { ecmaVersion: 2023, allowReturnOutsideFunction: true }), marks)
  const offsets = [...marks.keys()].sort((a, b) => a - b)
  return offsets.map((at, i) => source.slice(offsets[i - 1] ?? 0, at) + marks.get(at)).join('') + source.slice(offsets.at(-1) ?? 0)
}

/**
 * Counts the work of calls until `stop`. The library must not have been loaded before.
 *
 * @returns {{count: (run: () => any) => Promise<number>, stop: () => void}} `count` returns the count of `run`
 */
function countWork() {
  const loaded = Object.keys(require.cache).find(file => file.startsWith(LIBRARY))
  if (loaded !== undefined) throw new Error(`${loaded} was loaded before its work is counted`)
  const work = { n: 0 }
  const { Function } = globalThis
  const { _compile } = Module.prototype
  Module.prototype._compile = function (content, file, ...rest) {
    return _compile.call(this, file.startsWith(LIBRARY) ? counting(content) : content, file, ...rest)
  }
  Object.assign(globalThis, { work, Function: countingFunction(Function) })
  return {
    async count(run) {
      const before = work.n
      await run()
      return work.n - before
    },
    stop() {
      Module.prototype._compile = _compile
      globalThis.Function = Function
    }
  }
}

/** @param {FunctionConstructor} Function the original */
function countingFunction(Function) {
  const double = function (...args) {
    return Function(...args.slice(0, -1), counting(args.at(-1)))
  }
  double.prototype = Function.prototype
  return double
}

module.exports = { countWork }
