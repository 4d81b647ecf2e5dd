'use strict'

// Rollup plugins. The sources are CommonJS in a single form, which lint checks: requires first, then only
// declarations, and one literal of exports last. So rewriting them means replacing these lines.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')
const MagicString = require('magic-string')
const spec = require('../lib/spec')

/**
 * What is known of `Buffer`: bundles for Node need nothing in its place, and those for browsers nothing for it. Should
 * a Node come whose Buffers lack the methods for UTF-8, which it does not document, plain JavaScript takes their place.
 */
const KNOWN = {
  node: [],
  bundlers: [
    [/\bNodeBuffer !== undefined/g, 'true'], [/\bNodeBuffer === undefined|\btypeof Text(Encoder|Decoder) === 'function'/g, 'false']
  ],
  browsers: [
    [/\bNodeBuffer !== undefined/g, 'false'], [/\bNodeBuffer === undefined/g, 'true'], [/\btypeof Buffer\b/g, "'undefined'"]
  ]
}

/** @param {string} from a file @param {string} name of another, as it requires it @returns {string} for a literal */
const fileFrom = (from, name) => createRequire(from).resolve(name).replaceAll(path.sep, '/')

/** Removes optional packages, which a bundler might not find; a page passes them as options. */
const withoutPackages = code => code.replace(/\b(require|await import)\('[\w-]+'\)/g, '(() => { throw { isGiven: true } })()')

/**
 * Turns the sources into ES modules.
 *
 * @param {'node' | 'bundlers' | 'browsers'} target only for Node a `require` in a function stays lazy
 * @param {(id: string) => string} nameOf gives the name of a file that is run in a thread
 */
const sources = (target, nameOf) => ({
  name: 'sources',
  transform(source, from) {
    if (from.startsWith('\0')) return { code: source, map: null, moduleSideEffects: false }
    if (from.endsWith('.json')) return `export const version = '${JSON.parse(source).version}'`
    const late = []
    const code = source
      .replace(/\brequire(\.resolve)?\('(\.[^']*)'\)/g, (_, how = '', file) => `require${how}('${fileFrom(from, file)}')`)
      .replace(/^const (\w+) = require\((.*)\)/gm, 'import * as $1 from $2')
      .replace(/^const \{([^}]*)\} = require\('(.*)'\)/gm, (_, names, file) => imports(names, file))
      .replace(/^const \{([^}]*)\} = (\w+)$/gm, (_, names, whole) => `const ${names.replace(/(\w+)(?:: (\w+))?/g, `$1 = ${whole}.$1`)}`)
      .replace(/^module\.exports = (\{[^]*\})/m, (_, names) => {
        const whole = target !== 'node' && this.getModuleInfo(from).isEntry ? `; export default ${names}` : ''
        return `export ${names.replace(/(\w+): (\w+)/g, '$2 as $1')}${whole}`
      })
      .replace(/^Object\.freeze\(Object\.setPrototypeOf\(module\.exports, null\)\)/m, '') // a namespace is frozen
      .replace(/\b(ELEMENT|SUBTYPE|VECTOR)\.(\w+)/g, (name, table, key) => spec[table][key] ?? name)
      .replace(/\brequire\.resolve\('((?:\/|\w:).*?)'\)/g, (_, id) => `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id, fileName: nameOf(id) })}`)
      .replace(/\brequire\(('(?:\/|\w+:)[^)]*)\)/g, (all, file) => target !== 'node' ? `late${late.push(file)}` : file.startsWith("'node:") ? all : `import(${file})`)
    const imported = late.map((file, i) => `import * as late${i + 1} from ${file}`)
    const plain = target === 'node' ? code : withoutPackages(code)
    const own = KNOWN[target].reduce((text, [test, value]) => text.replace(test, value), plain)
    return { code: [...imported, own].join('; '), map: null, moduleSideEffects: false }
  },
  resolveFileUrl: ({ relativePath }) => `require.resolve('./${relativePath}')`
})

/**
 * Loads files on the first call of one of their functions: others import functions that do so. Nothing else can be
 * imported from such a file. A kilobyte of source that Node does not load saves 0.03 ms.
 *
 * @param {string[]} files
 */
const onCall = files => ({
  name: 'onCall',
  resolveId: (source, importer) => {
    const file = path.normalize(source)
    return files.includes(file) && !files.includes(importer.replace(CALLS, '')) ? CALLS + file : null
  },
  load(id) {
    const file = id.startsWith(CALLS) ? id.slice(CALLS.length) : null
    if (file === null) return null
    const isCalled = value => typeof value === 'function' && !String(value).startsWith('class')
    const functions = Object.entries(require(file)).filter(([, value]) => isCalled(value)).map(([name, value]) => {
      const parameters = String(value).match(/\(([^)]*)\)/)[1].replace(/\{[^}]*\}/g, 'how').replace(/ = [^,]*/g, '')
      return `export function ${name}(${parameters}) { return load().${name}(${parameters}) }`
    })
    return [`let loaded; const load = () => loaded ??= import(${JSON.stringify(file)})`, ...functions].join('\n')
  }
})

const CALLS = '\0calls:'

/**
 * Leaves out what learns the shapes of documents, a sixth of a program that encodes and decodes: it pays after some
 * 30,000 documents of one kind, and makes code at run time, which pages and edge workers often forbid.
 */
const neverLearns = {
  name: 'neverLearns',
  transform: (code, id) => id.endsWith('learning.js') ? null : { code: code.replace(/\bLEARNS\b(?! *[,}])/g, 'false'), map: null }
}

/** Imports names that an index.js re-exports from the files that define them, so that nothing else is loaded. */
function imports(names, face) {
  const list = path.basename(face) === 'index.js' ? fs.readFileSync(face, 'utf8') : ''
  return names.split(',').map(name => {
    const [, file] = list.match(new RegExp(`\\{[^}]*\\b${/\w+/.exec(name)}\\b[^}]*\\} = require\\('(\\./.*)'\\)`)) ?? []
    return `import {${name.replace(':', ' as')}} from '${file ? fileFrom(face, file) : face}'`
  }).join('; ')
}

/** Marks computed declarations as pure, so that bundlers can drop them; plain ones they drop anyway. */
const pure = {
  name: 'pure',
  renderChunk(code) {
    const text = new MagicString(code)
    for (const { type, id, body, declarations = [], ...place } of this.parse(code).body) {
      const isComputed = type === 'ClassDeclaration' && body.body.some(part => part.computed || part.static)
      if (isComputed) text.appendLeft(place.start, `const ${id.name} = `)
      const inits = declarations.map(({ init }) => init).filter(init => !/^(Literal|Ident|Unary)|Function/.test(init?.type ?? 'Literal'))
      for (const { start, end } of isComputed ? [place] : inits) {
        text.appendLeft(start, '/* @__PURE__ */ (() => (').appendRight(end, '))()')
      }
    }
    return { code: text.toString(), map: null }
  }
}

/** Writes CommonJS that destructures imports once, where rollup's own reads a property at each use. */
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
      .replace(/\bPromise\.resolve\(\)\.then\(\(\) => ([$\w]+)\)/g, '$1') // a module in the same file
      .replace(/\bimport\(('\.[^']*')\)(?:\.then\(n => n(\.[$\w]+)\))?/g, (_, from, name = '') => `require(${from})${name}`)
    return `'use strict';\n${body}module.exports = { __proto__: null, ${exported.join(', ')} };\n`
  }
}

module.exports = { CALLS, sources, onCall, neverLearns, commonjs, pure }
