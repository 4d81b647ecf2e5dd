'use strict'

// Plugins of rollup's. The sources are CommonJS in the one form that test/test-layers.js checks: requires first, one
// literal of exports last, and nothing between but declarations. So to rewrite them is to replace these lines.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')
const MagicString = require('magic-string')
const terser = require('terser')
const spec = require('../lib/spec')

/** The tables whose numbers stand in the bundles in place of their names. */
const NUMBERS = /\b(ELEMENT|SUBTYPE|VECTOR)\.(\w+)/g

/** Of packages that need not be installed, which fail a bundler that cannot find them: a page gives them as options. */
const PACKAGE = /(?:\brequire|\bawait import)\('[\w-]+'\)/g
const NOT_HERE = '(() => { throw { isGiven: true } })()'

/** The sources as ES modules. On Node a `require` in a function waits until that runs, and `Buffer` may be there. */
const sources = (isForNode, nameOf) => ({
  name: 'sources',
  transform(source, from) {
    if (from.endsWith('.json')) return `export const version = '${JSON.parse(source).version}'`
    const late = []
    const code = source
      .replace(/\brequire(\.resolve)?\('(\.[^']*)'\)/g, (_, how = '', file) => `require${how}('${createRequire(from).resolve(file)}')`)
      .replace(/^const (\w+) = require\((.*)\)/gm, 'import * as $1 from $2')
      .replace(/^const \{([^}]*)\} = require\('(.*)'\)/gm, (_, names, file) => imports(names, file))
      .replace(/^const \{([^}]*)\} = (\w+)$/gm, (_, names, whole) => `const ${names.replace(/(\w+)(?:: (\w+))?/g, `$1 = ${whole}.$1`)}`)
      .replace(/^module\.exports = (\{[^]*\})/m, (_, names) => {
        const whole = !isForNode && this.getModuleInfo(from).isEntry ? `; export default ${names}` : ''
        return `export ${names.replace(/(\w+): (\w+)/g, '$2 as $1')}${whole}`
      })
      .replace(/^Object\.freeze\(Object\.setPrototypeOf\(module\.exports, null\)\)/m, '') // as a namespace is
      .replace(NUMBERS, (name, table, key) => spec[table][key] ?? name)
      .replace(/\brequire\.resolve\('(\/.*?)'\)/g, (_, id) => {
        return `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id, fileName: nameOf(id) })}`
      })
      .replace(/\brequire\(('\/[^)]*)\)/g, (_, file) => isForNode ? `import(${file})` : `late${late.push(file)}`)
    const lines = [...late.map((file, i) => `import * as late${i + 1} from ${file}`), '']
    const own = isForNode ? code : code.replaceAll('typeof Buffer', "'undefined'").replace(PACKAGE, NOT_HERE)
    return { code: lines.join('; ') + own, map: null, moduleSideEffects: false }
  },
  resolveFileUrl: ({ relativePath }) => `require.resolve('./${relativePath}')`
})

/** What a face lists is imported from where it is, so that nothing else is loaded. */
function imports(names, face) {
  const list = path.basename(face) === 'index.js' ? fs.readFileSync(face, 'utf8') : ''
  return names.split(',').map(name => {
    const [, file] = list.match(new RegExp(`\\{[^}]*\\b${/\w+/.exec(name)}\\b[^}]*\\} = require\\('(\\./.*)'\\)`)) ?? []
    return `import {${name.replace(':', ' as')}} from '${file ? createRequire(face).resolve(file) : face}'`
  }).join('; ')
}

/** Initializers that a bundler leaves out by itself when nobody uses them. */
const PLAIN = /^(Literal|Identifier|(Arrow)?FunctionExpression)$/

/** A plugin that marks what declarations compute as pure, for bundlers keep what they know nothing of. */
const pure = {
  name: 'pure',
  renderChunk(code) {
    const text = new MagicString(code)
    const mark = ({ start, end }, before, after) => {
      text.appendLeft(start, `/* @__PURE__ */ (() => ${before}`).appendRight(end, `${after})()`)
    }
    for (const node of this.parse(code).body) {
      for (const { init } of node.declarations ?? []) if (init && !PLAIN.test(init.type)) mark(init, '(', ')')
      if (node.type !== 'ClassDeclaration' || !node.body.body.some(part => part.computed || part.static)) continue
      text.appendLeft(node.start, `const ${node.id.name} = `)
      mark(node, '{ ', `; return ${node.id.name} }`)
    }
    return { code: text.toString(), map: null }
  }
}

/** CommonJS that takes names once, where rollup's own reads a property at each use. */
const commonjs = {
  name: 'commonjs',
  renderChunk(code) {
    const exported = []
    const take = (names, from) => `const {${names.replaceAll(' as ', ': ')}} = require(${from});`
    const body = code
      .replace(/^export \{(.*)\} from (.*);/gm, (_, names, from) => {
        exported.push(names.replace(/[$\w]+ as /g, ''))
        return take(names, from)
      })
      .replace(/^import \* as (.*) from (.*);/gm, 'const $1 = require($2);')
      .replace(/^import \{(.*)\} from (.*);/gm, (_, names, from) => take(names, from))
      .replace(/^import (.*);/gm, 'require($1);')
      .replace(/^export \{(.*)\};/m, (_, names) => (exported.push(names.replace(/([$\w]+) as ([$\w]+)/g, '$2: $1')), ''))
      .replace(/\bPromise\.resolve\(\)\.then\(\(\) => (\w+)\)/g, '$1') // what is in the same file
      .replace(/\bimport\(('\.[^']*')\)(?:\.then\(n => n(\.[$\w]+)\))?/g, (_, from, name = '') => `require(${from})${name}`)
    return `'use strict';\n${body}module.exports = { __proto__: null, ${exported.join(', ')} };\n`
  }
}

/** Without comments, which take time at every start, but for those that bundlers read. */
const printed = (mangle, format) => ({
  name: 'printed',
  renderChunk(code) {
    // ASCII: V8 keeps two bytes for each character of a source with one beyond Latin-1
    const shown = { comments: false, ascii_only: true, ...format }
    return terser.minify(code, { ecma: 2020, module: true, compress: false, mangle, format: shown })
  }
})

module.exports = { sources, commonjs, pure, printed }
