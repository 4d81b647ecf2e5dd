'use strict'

// Plugins of rollup's. The sources are CommonJS in the one form that test/test-layers.js checks: requires first, one
// literal of exports last, and nothing between but declarations. So to rewrite them is to replace these lines.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')
const MagicString = require('magic-string')
const spec = require('../lib/spec')

/** Packages that need not be installed fail a bundler that cannot find them: a page gives them as options. */
const withoutPackages = code => code.replace(/\b(require|await import)\('[\w-]+'\)/g, '(() => { throw { isGiven: true } })()')

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
      .replace(/\b(ELEMENT|SUBTYPE|VECTOR)\.(\w+)/g, (name, table, key) => spec[table][key] ?? name)
      .replace(/\brequire\.resolve\('(\/.*?)'\)/g, (_, id) => `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id, fileName: nameOf(id) })}`)
      .replace(/\brequire\(('\/[^)]*)\)/g, (_, file) => isForNode ? `import(${file})` : `late${late.push(file)}`)
    const imported = late.map((file, i) => `import * as late${i + 1} from ${file}`)
    const own = isForNode ? code : withoutPackages(code).replaceAll('typeof Buffer', "'undefined'")
    return { code: [...imported, own].join('; '), map: null, moduleSideEffects: false }
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

/** Marks what declarations compute as pure: bundlers keep what they know nothing of; what is plain they leave out. */
const pure = {
  name: 'pure',
  renderChunk(code) {
    const text = new MagicString(code)
    for (const { type, id, body, declarations = [], ...place } of this.parse(code).body) {
      const isComputed = type === 'ClassDeclaration' && body.body.some(part => part.computed || part.static)
      if (isComputed) text.appendLeft(place.start, `const ${id.name} = `)
      const inits = declarations.map(({ init }) => init).filter(init => !/^(Literal|Ident)|Function/.test(init?.type ?? 'Literal'))
      for (const { start, end } of isComputed ? [place] : inits) {
        text.appendLeft(start, '/* @__PURE__ */ (() => (').appendRight(end, '))()')
      }
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
      .replace(/^export \{(.*)\} from (.*);/gm, (_, names, from) => (exported.push(names.replace(/\S+ as /g, '')), take(names, from)))
      .replace(/^export \{(.*)\};/m, (_, names) => (exported.push(names.replace(/([$\w]+) as ([$\w]+)/g, '$2: $1')), ''))
      .replace(/^import \* as (.*) from (.*);/gm, 'const $1 = require($2);')
      .replace(/^import \{(.*)\} from (.*);/gm, (_, names, from) => take(names, from))
      .replace(/^import (.*);/gm, 'require($1);')
      .replace(/\bPromise\.resolve\(\)\.then\(\(\) => (\w+)\)/g, '$1') // what is in the same file
      .replace(/\bimport\(('\.[^']*')\)(?:\.then\(n => n(\.[$\w]+)\))?/g, (_, from, name = '') => `require(${from})${name}`)
    return `'use strict';\n${body}module.exports = { __proto__: null, ${exported.join(', ')} };\n`
  }
}

module.exports = { sources, commonjs, pure }
