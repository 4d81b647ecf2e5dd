'use strict'

// The sources are CommonJS in the one form that test/test-layers.js checks: requires first, one literal of exports
// last, and nothing between but declarations. So to rewrite them is to replace these lines.

const path = require('node:path')
const MagicString = require('magic-string')
const spec = require('../lib/spec')

/** The tables whose numbers stand in the bundles in place of their names. */
const NUMBERS = /\b(ELEMENT|SUBTYPE|VECTOR)\.(\w+)/g

/** Of packages that need not be installed, which fail a bundler that cannot find them: a page gives them as options. */
const PACKAGE = /(?:\brequire|\bawait import)\('[\w-]+'\)/g
const NOT_HERE = '(() => { throw { isGiven: true } })()'

/**
 * @param {string} source of a file
 * @param {boolean} isForNode where a function's `require` waits until the function runs, and `Buffer` may be there
 * @returns {string} the same as an ES module
 */
function toModule(source, isForNode) {
  if (source.startsWith('{')) return `export const version = '${JSON.parse(source).version}'` // of package.json
  const [whole, late] = [{}, []]
  const code = source
    .replace(/^const (\w+) = require\((.*)\)/gm, (_, name, file) => `import * as ${name} from ${whole[name] = file}`)
    .replace(/^const \{([^}]*)\} = (?:require\((.*)\)|(\w+)$)/gm, (_, names, file, name) => {
      if (file ?? whole[name]) return `import {${names.replaceAll(':', ' as')}} from ${file ?? whole[name]}`
      return `const ${names.replace(/(\w+)(?:: (\w+))?/g, (_, key, own = key) => `${own} = ${name}.${key}`)}`
    })
    .replace(/^module\.exports = (\{[^]*\})/m, (_, names) => `export ${names.replace(/(\w+): (\w+)/g, '$2 as $1')}`)
    .replace(/^Object\.freeze\(Object\.setPrototypeOf\(module\.exports, null\)\)/m, '') // as a namespace is
    .replace(NUMBERS, (name, table, key) => spec[table][key] ?? name)
  if (isForNode) return code.replace(/\brequire\(('\.[^)]*)\)/g, 'import($1)')
  const hoisted = code.replace(/\brequire\(('\.[^)]*)\)/g, (_, file) => `late${late.push(file)}`)
  const imports = late.map((file, i) => `import * as late${i + 1} from ${file}; `)
  return imports.join('') + hoisted.replaceAll('typeof Buffer', "'undefined'").replace(PACKAGE, NOT_HERE)
}

/** Initializers that a bundler leaves out by itself when nobody uses them. */
const PLAIN = /^(Literal|Identifier|(Arrow)?FunctionExpression)$/

/**
 * A plugin that marks as pure what a declaration computes, and classes with computed names or static properties:
 * bundlers keep what they know nothing of.
 */
const pure = {
  name: 'pure',
  renderChunk(code) {
    const text = new MagicString(code)
    for (const node of this.parse(code).body) {
      if (node.type === 'VariableDeclaration') {
        for (const { init } of node.declarations) if (init && !PLAIN.test(init.type)) markPure(text, init, '(', ')')
      } else if (node.type === 'ClassDeclaration' && node.body.body.some(part => part.computed || part.static)) {
        text.appendLeft(node.start, `const ${node.id.name} = `)
        markPure(text, node, '{ ', `; return ${node.id.name} }`)
      }
    }
    return { code: text.toString(), map: null }
  }
}

function markPure(text, { start, end }, before, after) {
  text.appendLeft(start, `/* @__PURE__ */ (() => ${before}`).appendRight(end, `${after})()`)
}

/**
 * A module of rollup's as CommonJS. Names are taken once, where rollup's own CommonJS reads a property at each use.
 *
 * @param {string} code
 * @param {string} file of dist/node
 * @param {string[]} [names] that an entry exports; what other files take is in `parts`, which is not enumerable
 * @returns {string}
 */
function toCommonjs(code, file, names) {
  const requireOf = request => {
    const isEntry = request.endsWith(".mjs'") && !path.posix.join(file, '..', request.slice(1)).startsWith('parts/')
    return `require(${request.replace('.mjs', '.cjs')})${isEntry ? '.parts' : ''}`
  }
  const exported = []
  const text = code
    .replace(/^export \{([^}]*)\} from (.*);/gm, (_, list, from) => {
      exported.push(...pairs(list, /.* as /, ''))
      return taking(list, requireOf(from))
    })
    .replace(/^import \* as (.*) from (.*);/gm, 'const $1 = require($2);')
    .replace(/^import (?:\{([^}]*)\} from )?(.*);/gm, (_, taken = '', from) => taking(taken, requireOf(from)))
    .replace(/^export \{([^}]*)\};/m, (_, list) => {
      exported.push(...pairs(list, /(.*) as (.*)/, '$2: $1'))
      return ''
    })
    .replace(/\bPromise\.resolve\(\)\.then\(\(\) => (\w+)\)/g, '$1') // what is in the same file
    .replace(/\bimport\(('\.[^']*')\)(?:\.then\(n => n(\.[$\w]+)\))?/g, (_, from, name = '') => requireOf(from) + name)
  const all = `{ __proto__: null, ${exported.join(', ')} }`
  if (names === undefined) return `'use strict';\n${text}module.exports = ${all};\n`
  const own = exported.filter(pair => names.includes(pair.split(':')[0]))
  const left = `Object.defineProperty(module.exports, 'parts', { value: ${all} });\n`
  return `'use strict';\n${text}module.exports = { ${own.join(', ')} };\n${left}`
}

/** @param {string} names `a, b as c` @returns {string[]} each with its ` as ` replaced */
const pairs = (names, as, by) => names.split(',').map(name => name.trim().replace(as, by))

/** @param {string} names @param {string} from an expression */
const taking = (names, from) => `const { ${pairs(names, ' as ', ': ')} } = ${from};`

module.exports = { toModule, pure, toCommonjs }
